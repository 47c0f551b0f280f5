//! `vault_replace_span`: whole lines, found by pieces of them, replaced.

use markdown::edit::anchor::{AnchorError, replace_span};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Safety;
use super::delete_span::{Answer, Span};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct ReplaceSpan;

/// Which lines, and what to put in their place.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    #[schemars(length(min = 1))]
    path: String,
    #[serde(flatten)]
    span: Span,
    /// Whole lines; empty deletes.
    #[schemars(length(min = 0))]
    content: String,
    #[serde(flatten)]
    safety: Safety,
}

impl Tool for ReplaceSpan {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Replaces whole lines of the body: the one that holds start_anchor, up to the next one that holds end_anchor. \
An anchor is a short piece of a line, letter case counts; when several lines hold it, that is an error unless \
first_match is true.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let anchors = arguments.span.anchors();
        let change = |text: &str| {
            let mut edited = replace_span(text, &anchors, &arguments.content)?;
            Ok::<_, AnchorError>((std::mem::take(&mut edited.edited.text), edited))
        };
        let (frame, edited) = call.edit("vault_replace_span", &arguments.path, &arguments.safety, change)?;
        Ok(Answer::reply(frame, edited, "Replaced", "in"))
    }
}
