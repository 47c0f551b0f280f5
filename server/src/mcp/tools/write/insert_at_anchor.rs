//! `vault_insert_at_anchor`: lines above or below a line, which stays.

use markdown::edit::anchor::{AnchorError, Side, insert_at_anchor};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Frame, Safety};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct InsertAtAnchor;

/// Which line, and what to put beside it.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    #[schemars(length(min = 1))]
    path: String,
    #[schemars(length(min = 1))]
    anchor: String,
    position: Position,
    /// Whole lines.
    #[schemars(length(min = 0))]
    content: String,
    first_match: Option<bool>,
    #[serde(flatten)]
    safety: Safety,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Position {
    Before,
    After,
}

/// What was done.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    #[serde(flatten)]
    frame: Frame,
    /// The line of the anchor, before the change.
    line: usize,
    /// The beginning of that line.
    excerpt: String,
}

impl Tool for InsertAtAnchor {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Puts lines above or below the line of the body that holds anchor. An anchor is a short piece of a line, letter \
case counts; when several lines hold it, that is an error unless first_match is true.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let (side, word) = match arguments.position {
            Position::Before => (Side::Before, "before"),
            Position::After => (Side::After, "after"),
        };
        let first_match = arguments.first_match.unwrap_or(false);
        let change = |text: &str| {
            let edited = insert_at_anchor(text, &arguments.anchor, side, &arguments.content, first_match)?;
            Ok::<_, AnchorError>((edited.edited.text, (edited.first_line, edited.excerpt)))
        };
        let (frame, (line, excerpt)) =
            call.edit("vault_insert_at_anchor", &arguments.path, &arguments.safety, change)?;
        let done = format!("Inserted {word} line {line} of {}: \"{excerpt}\"", frame.path);
        Ok(Reply::new(vec![frame.text(&done)], Answer { frame, line, excerpt }))
    }
}
