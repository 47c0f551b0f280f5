//! `vault_recent_notes`: all notes, latest first.

use schemars::JsonSchema;
use serde::Deserialize;

use super::note_list::{NoteList, part};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct RecentNotes;

const DEFAULT_LIMIT: usize = 20;

// By which time. Not a doc comment: it would be sent to every client.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    sort_by: Option<SortBy>,
    /// Default 20.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    /// Notes to skip.
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

/// Default modified.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SortBy {
    Created,
    #[default]
    Modified,
}

impl From<SortBy> for ::search::SortBy {
    fn from(sort_by: SortBy) -> Self {
        match sort_by {
            SortBy::Created => Self::Created,
            SortBy::Modified => Self::Modified,
        }
    }
}

impl Tool for RecentNotes {
    type Arguments = Arguments;
    type Answer = NoteList;

    const TEXT: &'static str = "\
Lists notes with their metadata, latest first: by the last change on disk or by the created property \
(notes without one come last).{vault_search? For a range of days: vault_search with filters.modified or \
filters.created.}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<NoteList>, ToolError> {
        let part = part(arguments.offset, arguments.limit, DEFAULT_LIMIT);
        let sort_by = arguments.sort_by.unwrap_or_default();
        let index = call.index()?;
        let page =
            index.recent_notes(call.who, sort_by.into(), part).map_err(|error| call.search_error(&error))?;
        NoteList::reply(call, "vault_recent_notes", &index, page, part)
    }
}
