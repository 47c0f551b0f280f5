//! `vault_patch_note`: text above, below or in place of what stands under a heading.

use markdown::edit::section::{self, Nested, Patch, SectionError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Frame, Safety};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct PatchNote;

/// What to write, and where.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    #[schemars(length(min = 1))]
    path: String,
    operation: Operation,
    #[schemars(length(min = 0))]
    content: String,
    #[schemars(length(min = 1))]
    heading: Option<String>,
    #[schemars(range(min = 1, max = 6))]
    heading_level: Option<u8>,
    include_children: Option<bool>,
    #[serde(flatten)]
    safety: Safety,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Operation {
    Append,
    Prepend,
    Replace,
    InsertBefore,
}

impl From<Operation> for section::Operation {
    fn from(operation: Operation) -> Self {
        match operation {
            Operation::Append => Self::Append,
            Operation::Prepend => Self::Prepend,
            Operation::Replace => Self::Replace,
            Operation::InsertBefore => Self::InsertBefore,
        }
    }
}

/// What was done.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    #[serde(flatten)]
    frame: Frame,
    /// The heading that was meant, as `## Text`; absent for the body of the file.
    heading: Option<String>,
    /// What should be known of the result.
    advice: Option<String>,
}

impl Tool for PatchNote {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Puts text under a heading, or without one at the start or end of the body. heading is a text, `## Text`, \
`A > B`, or to replace a block `^id`. append goes behind sub-sections, unless include_children is false; replace \
loses them only when it is true.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        if arguments.heading_level.is_some() && arguments.heading.is_none() {
            return Err(ToolError::Refused("heading_level needs heading".to_owned()));
        }
        let operation = section::Operation::from(arguments.operation);
        let patch = Patch {
            operation,
            content: &arguments.content,
            heading: arguments.heading.as_deref(),
            heading_level: arguments.heading_level,
            include_children: arguments.include_children,
        };
        let change = |text: &str| {
            let patched = section::patch(text, &patch)?;
            Ok::<_, SectionError>((patched.edited.text, (patched.heading, patched.nested, patched.replaced)))
        };
        let (frame, (heading, nested, replaced)) =
            call.edit("vault_patch_note", &arguments.path, &arguments.safety, change)?;
        let target = heading.as_deref().unwrap_or("file body");
        let mut done = format!("Applied {} to {} → {target}", operation.name(), frame.path);
        let told = replaced.map(|text| format!("It replaced {text:?}"));
        let advice = nested.as_ref().map(advice).or(told);
        if let Some(advice) = &advice {
            done.push_str(&format!(". {advice}"));
        }
        Ok(Reply::new(vec![frame.text(&done)], Answer { frame, heading, advice }))
    }
}

/// What a heading at the start of the body did to the text that stood there, and how to have it otherwise.
fn advice(nested: &Nested) -> String {
    let otherwise = match &nested.next_heading {
        Some(next) => format!("insert_before {next:?}"),
        None => "append".to_owned(),
    };
    format!(
        "Note: {} bytes of text that stood at the start of the body are under {:?} now; to put the new section \
         below that text instead, use {otherwise}",
        nested.bytes, nested.under
    )
}
