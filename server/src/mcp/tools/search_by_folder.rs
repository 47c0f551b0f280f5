//! `vault_search_by_folder`: the notes of a folder.

use schemars::JsonSchema;
use serde::Deserialize;

use super::note_list::{NoteList, folder, part};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct SearchByFolder;

const DEFAULT_LIMIT: usize = 20;

// Which folder. Not a doc comment: it would be sent to every client.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// / is the whole vault.
    folder: String,
    /// With the folders below it (default true).
    recursive: Option<bool>,
    /// Default 20.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    /// Notes to skip.
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

impl Tool for SearchByFolder {
    type Arguments = Arguments;
    type Answer = NoteList;

    const TEXT: &'static str = "\
Lists the notes of a folder with their metadata, changed last first; letter case does not matter.\
{vault_list_notes? Paths alone: vault_list_notes.}{vault_search? By words: vault_search with \
filters.folder.}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<NoteList>, ToolError> {
        let folder = folder(Some(&arguments.folder))?;
        let part = part(arguments.offset, arguments.limit, DEFAULT_LIMIT);
        let index = call.index()?;
        let page = index
            .search_by_folder(call.who, folder.as_ref(), arguments.recursive.unwrap_or(true), part)
            .map_err(|error| call.search_error(&error))?;
        NoteList::reply(call, "vault_search_by_folder", &index, page, part)
    }
}
