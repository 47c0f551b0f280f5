//! `vault_replace_span`: whole lines, found by pieces of them, replaced.

use markdown::edit::anchor::{AnchorError, Anchors, replace_span};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Safety;
use super::delete_span::Answer;
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct ReplaceSpan;

/// Which lines, and what to put in their place.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    #[schemars(length(min = 1))]
    path: String,
    #[schemars(length(min = 1))]
    start_anchor: String,
    #[schemars(length(min = 1))]
    end_anchor: Option<String>,
    /// Whole lines; empty deletes.
    #[schemars(length(min = 0))]
    content: String,
    first_match: Option<bool>,
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
        let anchors = Anchors {
            start: &arguments.start_anchor,
            end: arguments.end_anchor.as_deref(),
            first_match: arguments.first_match.unwrap_or(false),
        };
        let change = |text: &str| {
            let mut edited = replace_span(text, &anchors, &arguments.content)?;
            Ok::<_, AnchorError>((std::mem::take(&mut edited.edited.text), edited))
        };
        let (frame, edited) = call.edit("vault_replace_span", &arguments.path, &arguments.safety, change)?;
        Ok(Answer::reply(frame, edited, "Replaced", "in"))
    }
}
