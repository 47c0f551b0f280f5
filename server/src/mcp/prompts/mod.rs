//! The prompts: messages that a person asks for and a model works on, put together from the vault as it
//! is at that moment.
//!
//! | module | what |
//! |---|---|
//! | `orientation`, `memory_review`, `daily_review` | one prompt each |
//! | `memory` | the memory files as prompts show them |
//! | `arguments`, `completion` | what prompts take, and what is offered while it is typed |
//! | `message`, `boundary` | the message within its length; the vault's text within its tags |
//! | `ask` | who asks, and what becomes of a part that fails |
//!
//! Error policy: only arguments that are not allowed are an error, and it names the argument. Whatever
//! fails while a message is put together becomes a line in it, and an event `prompt_error`.

mod arguments;
mod ask;
mod boundary;
mod completion;
mod daily_review;
mod memory;
mod memory_review;
mod message;
mod orientation;
#[cfg(test)]
mod tests;

use rmcp::model::{JsonObject, Prompt as PromptDefinition};

use self::arguments::Given;
use self::ask::Ask;
use self::message::Message;
use super::error::ToolError;
use super::nearest::nearest;
use super::registry::Toolset;
use super::tool::Call;

pub(crate) use self::arguments::Argument;
pub(crate) use self::ask::RequestLog;
pub(crate) use self::completion::Completion;

/// A prompt.
pub(crate) struct Prompt {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its name for people.
    pub(crate) title: &'static str,
    /// What it does.
    pub(crate) text: &'static str,
    /// What it takes.
    pub(crate) arguments: &'static [Argument],
    /// The tool without which it is not served.
    needs: Option<&'static str>,
    assemble: fn(&Ask<'_>, &Given) -> Message,
}

/// Every prompt there is.
pub(crate) const PROMPTS: &[Prompt] = &[
    Prompt {
        name: "vault-orientation",
        title: "Vault Orientation",
        text: "Shows how the vault is built: how much there is, its folders, tags and properties, recent and \
               unlinked notes.",
        arguments: &[],
        needs: None,
        assemble: orientation::assemble,
    },
    Prompt {
        name: "memory-review",
        title: "Memory Review",
        text: "Goes over what is remembered about the user, as a timeline: how it evolved, what stands in the \
               wrong file, what is missing.",
        arguments: &[Argument::File, Argument::MaxChars],
        // A review ends in changes: without the tool that makes them it would lead nowhere.
        needs: Some(memory_review::NEEDS),
        assemble: memory_review::assemble,
    },
    Prompt {
        name: "daily-review",
        title: "Daily Review",
        text: "Goes over a day: its daily note and links, the notes that changed, the tasks that are due, planned \
               or in the note.",
        arguments: &[Argument::Date, Argument::MaxChars],
        needs: None,
        assemble: daily_review::assemble,
    },
];

/// The prompts that are served beside these tools.
pub(crate) fn served(tools: &Toolset) -> impl Iterator<Item = &'static Prompt> {
    PROMPTS.iter().filter(|prompt| prompt.needs.is_none_or(|tool| tools.serves(tool)))
}

/// The served prompt of this name.
///
/// # Errors
/// What is wrong with the name.
pub(crate) fn find(tools: &Toolset, name: &str) -> Result<&'static Prompt, String> {
    served(tools).find(|prompt| prompt.name == name).ok_or_else(|| {
        let near = nearest(name, served(tools).map(|prompt| prompt.name));
        let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        let name: String = name.chars().take(100).collect();
        format!("unknown prompt {name:?}{hint}")
    })
}

impl Prompt {
    /// As it is listed.
    pub(crate) fn definition(&self) -> PromptDefinition {
        let arguments: Vec<_> = self.arguments.iter().map(|argument| argument.definition()).collect();
        let arguments = (!arguments.is_empty()).then_some(arguments);
        PromptDefinition::new(self.name, Some(self.text), arguments).with_title(self.title)
    }

    /// Its message. May block.
    ///
    /// # Errors
    /// The first argument that is unknown or not allowed.
    pub(crate) fn message(
        &self,
        call: &Call<'_>,
        arguments: Option<JsonObject>,
        log: RequestLog,
    ) -> Result<String, ToolError> {
        let given = arguments::check(self.arguments, arguments)?;
        let ask = Ask::new(call, log);
        let message = (self.assemble)(&ask, &given);
        let limit = call.app.max_answer_chars;
        Ok(message.compose(given.max_chars.unwrap_or(limit), limit))
    }
}
