//! `vault_search_by_tag`: the notes that carry a tag.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::note_row::NoteRow;
use super::support::{Indexing, json, list_blocks};
use crate::mcp::answer::{LeftOut, fit};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct SearchByTag;

const DEFAULT_LIMIT: usize = 20;

/// Which tag.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// The tag, with or without #.
    #[schemars(length(min = 1, max = 500))]
    tag: String,
    /// Only the tag itself, not those nested below it (default false).
    exact: Option<bool>,
    /// Most notes to return (default 20).
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    /// Notes to skip.
    #[schemars(range(min = 0, max = 1_000_000))]
    offset: Option<usize>,
}

/// The notes.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Changed last first.
    notes: Vec<NoteRow>,
    /// How many notes carry the tag.
    total: usize,
    /// What is not in this part.
    left_out: Option<LeftOut>,
    /// Set while the index is being built.
    indexing: Option<Indexing>,
}

impl Tool for SearchByTag {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Finds the notes that carry a tag or one nested below it: project finds project/a and not projects. \
Changed last first.{vault_list_tags? vault_list_tags shows which tags there are.}\
{vault_search? To combine a tag with words, use vault_search with filters.tags.}

Returns a JSON array of {path, title, tags, related, folder, type, created, modified, bytes, \
leading_callout?, additional_properties?}. A tag that no note carries gives an empty list.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let index = call.index()?;
        let offset = arguments.offset.unwrap_or(0);
        let most = offset.saturating_add(arguments.limit.unwrap_or(DEFAULT_LIMIT));
        let page = index
            .search_by_tag(call.who, &arguments.tag, arguments.exact.unwrap_or(false), most)
            .map_err(|error| call.search_error(&error))?;
        let total = page.total;
        let asked = Arc::from([arguments.tag]);
        let rows: Vec<NoteRow> =
            page.items.into_iter().skip(offset).map(|meta| NoteRow::found_by(meta, &asked)).collect();
        let fitted = fit(rows, offset, total, call.app.max_answer_chars, "notes");
        let blocks = list_blocks(json("vault_search_by_tag", &fitted.rows)?, fitted.left_out.as_ref());
        let indexing = index.progress().map(Indexing::from);
        Ok(Reply::new(blocks, Answer { notes: fitted.rows, total, left_out: fitted.left_out, indexing }))
    }
}
