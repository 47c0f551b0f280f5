//! `vault_search_by_tag`: the notes that carry a tag.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::note_list::{NoteList, part};
use super::note_row::NoteRow;
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

impl Tool for SearchByTag {
    type Arguments = Arguments;
    type Answer = NoteList;

    const TEXT: &'static str = "\
Finds the notes that carry a tag or one nested below it: project finds project/a and not projects. \
Changed last first.{vault_list_tags? vault_list_tags shows which tags there are.}\
{vault_search? To combine a tag with words, use vault_search with filters.tags.}

Returns a JSON array of {path, title, tags, related, folder, type, created, modified, bytes, \
leading_callout?, additional_properties?}. A tag that no note carries gives an empty list.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<NoteList>, ToolError> {
        let part = part(arguments.offset, arguments.limit, DEFAULT_LIMIT);
        let index = call.index()?;
        let page = index
            .search_by_tag(call.who, &arguments.tag, arguments.exact.unwrap_or(false), part)
            .map_err(|error| call.search_error(&error))?;
        let asked = Arc::from([arguments.tag]);
        let row = |meta| NoteRow::found_by(meta, &asked);
        NoteList::reply_with(call, "vault_search_by_tag", &index, page, part, row)
    }
}
