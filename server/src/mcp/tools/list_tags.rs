//! `vault_list_tags`: every tag and how many notes carry it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::support::{Indexing, json, list_blocks};
use crate::mcp::answer::{LeftOut, Shorten, fit};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct ListTags;

/// Which part of the list.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Tags to skip.
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

/// The tags.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Most used first.
    tags: Vec<TagRow>,
    /// How many tags there are.
    total: usize,
    /// What is not in this part.
    left_out: Option<LeftOut>,
    /// Set while the index is being built.
    indexing: Option<Indexing>,
}

/// A tag.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TagRow {
    /// The spelling used most, without #.
    tag: String,
    /// Notes that carry it.
    count: u64,
    /// Notes that carry it or a tag nested below it, when that is more.
    with_children: Option<u64>,
}

/// The row as text: without fields that have no value.
#[derive(Serialize)]
struct TextRow<'a> {
    tag: &'a str,
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    with_children: Option<u64>,
}

impl Shorten for TagRow {
    fn shorten(&mut self) {
        super::note_row::shorten_text(&mut self.tag);
    }
}

impl Tool for ListTags {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Lists every tag with the number of notes that carry it, in properties or text, most used first. Spellings \
that differ only in case are one tag. with_children also counts the notes of nested tags.\
{vault_search_by_tag? vault_search_by_tag finds the notes of a tag.}

Returns a JSON array of {tag, count, with_children?}.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let index = call.index()?;
        let tags = index.list_tags(call.who).map_err(|error| call.search_error(&error))?;
        let total = tags.len();
        let offset = arguments.offset.unwrap_or(0);
        let rows = tags
            .into_iter()
            .skip(offset)
            .map(|row| TagRow {
                with_children: (row.with_children > row.count).then_some(row.with_children),
                tag: row.tag,
                count: row.count,
            })
            .collect();
        let fitted = fit(rows, offset, total, call.app.max_answer_chars, "tags");
        let text: Vec<_> = fitted
            .rows
            .iter()
            .map(|row| TextRow { tag: &row.tag, count: row.count, with_children: row.with_children })
            .collect();
        let blocks = list_blocks(json("vault_list_tags", &text)?, fitted.left_out.as_ref());
        let indexing = index.progress().map(Indexing::from);
        Ok(Reply::new(blocks, Answer { tags: fitted.rows, total, left_out: fitted.left_out, indexing }))
    }
}
