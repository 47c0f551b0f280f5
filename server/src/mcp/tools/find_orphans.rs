//! `vault_find_orphans`: the notes that nothing links to.

use schemars::JsonSchema;
use serde::Deserialize;
use vault::VaultPath;

use super::note_list::{NoteList, folder, part};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct FindOrphans;

const DEFAULT_LIMIT: usize = 50;

// Which to leave out. Not a doc comment: it would be sent to every client.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Left out instead; [] for none.
    exclude_folders: Option<Vec<String>>,
    /// Default 50.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    /// Notes to skip.
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

impl Tool for FindOrphans {
    type Arguments = Arguments;
    type Answer = NoteList;

    const TEXT: &'static str = "\
Lists the notes that no other note or canvas links to, with metadata, changed last first. Leaves out \
daily notes, templates{vault_get_memory?, memory}.\
{vault_get_backlinks? What links to one note: vault_get_backlinks.}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<NoteList>, ToolError> {
        let excluded: Vec<VaultPath> = match arguments.exclude_folders {
            // The vault itself is no folder to leave out.
            Some(named) => {
                named.iter().filter_map(|raw| folder(Some(raw)).transpose()).collect::<Result<_, _>>()?
            }
            None => call.app.orphan_exclude_folders(),
        };
        let part = part(arguments.offset, arguments.limit, DEFAULT_LIMIT);
        let index = call.index()?;
        let page =
            index.find_orphans(call.who, &excluded, part).map_err(|error| call.search_error(&error))?;
        NoteList::reply(call, "vault_find_orphans", &index, page, part)
    }
}
