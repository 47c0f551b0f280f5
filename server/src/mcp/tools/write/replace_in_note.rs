//! `vault_replace_in_note`: an exact text for another one.

use markdown::edit::replace::{ReplaceError, replace_text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Frame, Safety, count};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct ReplaceInNote;

/// Which text, and what to put in its place.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    #[schemars(length(min = 1))]
    path: String,
    #[schemars(length(min = 1))]
    old_text: String,
    /// May be empty.
    #[schemars(length(min = 0))]
    new_text: String,
    replace_all_occurrences: Option<bool>,
    #[serde(flatten)]
    safety: Safety,
}

/// What was done.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    #[serde(flatten)]
    frame: Frame,
    /// How often the text was there.
    replaced: usize,
    /// The line of the first place, before the change.
    first_line: usize,
}

impl Tool for ReplaceInNote {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Replaces exact text in the body of a note; properties are not searched. Text that is there more than once is an \
error that lists the places, unless replace_all_occurrences is true.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let all = arguments.replace_all_occurrences.unwrap_or(false);
        let change = |text: &str| {
            let replaced = replace_text(text, &arguments.old_text, &arguments.new_text, all)?;
            Ok::<_, ReplaceError>((replaced.edited.text, (replaced.count, replaced.first.line)))
        };
        let (frame, (replaced, first_line)) =
            call.edit("vault_replace_in_note", &arguments.path, &arguments.safety, change)?;
        let done = format!("Replaced {} in {}", count(replaced, "occurrence"), frame.path);
        Ok(Reply::new(vec![frame.text(&done)], Answer { frame, replaced, first_line }))
    }
}
