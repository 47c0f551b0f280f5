//! `vault_delete_span`: whole lines, found by pieces of them, taken out.

use markdown::edit::anchor::{AnchorError, Anchors, LinesEdited, delete_span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Frame, Safety, count};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct DeleteSpan;

/// Which lines.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    #[schemars(length(min = 1))]
    path: String,
    #[serde(flatten)]
    span: Span,
    #[serde(flatten)]
    safety: Safety,
}

/// Whole lines, by pieces of the first and the last.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Span {
    #[schemars(length(min = 1))]
    start_anchor: String,
    #[schemars(length(min = 1))]
    end_anchor: Option<String>,
    first_match: Option<bool>,
}

impl Span {
    /// The same for the edit.
    pub(super) fn anchors(&self) -> Anchors<'_> {
        Anchors {
            start: &self.start_anchor,
            end: self.end_anchor.as_deref(),
            first_match: self.first_match.unwrap_or(false),
        }
    }
}

/// Lines that were deleted or replaced.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    #[serde(flatten)]
    frame: Frame,
    /// How many lines they were.
    lines: usize,
    /// The first of them, before the change.
    first_line: usize,
    /// The beginning of what they held.
    excerpt: String,
}

impl Answer {
    /// The answer to an edit of lines, told as `verb` and the word before the path.
    pub(super) fn reply(frame: Frame, edited: LinesEdited, verb: &str, from: &str) -> Reply<Self> {
        let LinesEdited { lines, first_line, excerpt, .. } = edited;
        let done = format!("{verb} {} {from} {}: \"{excerpt}\"", count(lines, "line"), frame.path);
        Reply::new(vec![frame.text(&done)], Self { frame, lines, first_line, excerpt })
    }
}

impl Tool for DeleteSpan {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Deletes whole lines of the body: the one that holds start_anchor, up to the next one that holds end_anchor. An \
anchor is a short piece of a line, letter case counts; when several lines hold it, that is an error unless \
first_match is true.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let anchors = arguments.span.anchors();
        let change = |text: &str| {
            let mut edited = delete_span(text, &anchors)?;
            Ok::<_, AnchorError>((std::mem::take(&mut edited.edited.text), edited))
        };
        let (frame, edited) = call.edit("vault_delete_span", &arguments.path, &arguments.safety, change)?;
        Ok(Answer::reply(frame, edited, "Deleted", "from"))
    }
}
