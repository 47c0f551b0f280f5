//! `vault_search_by_property`: the notes with a property of some value.

use schemars::JsonSchema;
use serde::Deserialize;

use super::note_list::{NoteList, folder, part};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct SearchByProperty;

const DEFAULT_LIMIT: usize = 20;

// Which property. Not a doc comment: it would be sent to every client.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Its name.
    key: String,
    /// As text.
    value: String,
    /// Only below it.
    folder: Option<String>,
    /// Default 20.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    /// Notes to skip.
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

impl Tool for SearchByProperty {
    type Arguments = Arguments;
    type Answer = NoteList;

    const TEXT: &'static str = "\
Lists the notes whose property is this value or a list with it, latest first. Text must be equal; \
4.0 finds the number 4, true a ticked checkbox.{vault_list_property_values? Values: \
vault_list_property_values.}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<NoteList>, ToolError> {
        let folder = folder(arguments.folder.as_deref())?;
        let part = part(arguments.offset, arguments.limit, DEFAULT_LIMIT);
        let index = call.index()?;
        let page = index
            .search_by_property(call.who, &arguments.key, &arguments.value, folder.as_ref(), part)
            .map_err(|error| call.search_error(&error))?;
        NoteList::reply(call, "vault_search_by_property", &index, page, part)
    }
}
