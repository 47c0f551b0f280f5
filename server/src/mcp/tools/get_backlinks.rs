//! `vault_get_backlinks`: what links to a file.

use ::search::{Backlink, Index};
use schemars::JsonSchema;
use serde::Serialize;
use vault::VaultPath;

use super::links::{self, Arguments, Frame, Links};
use crate::mcp::answer::Shorten;
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct GetBacklinks;

/// The links.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// The path asked for.
    path: String,
    /// Files that link to it, by path.
    backlinks: Vec<Row>,
    #[serde(flatten)]
    frame: Frame,
}

/// A file that links.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    /// Its path.
    path: String,
    /// Its title.
    title: String,
    /// Its size on disk.
    bytes: u64,
}

impl From<Backlink> for Row {
    fn from(link: Backlink) -> Self {
        Self { path: link.path.as_str().to_owned(), title: link.title, bytes: link.bytes }
    }
}

impl Shorten for Row {
    fn shorten(&mut self) {
        super::note_row::shorten_text(&mut self.title);
    }
}

impl Tool for GetBacklinks {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Lists the notes and canvases that link to a file, by path, each once: wikilinks, embeds, Markdown \
links and links in properties, resolved as Obsidian does.\
{vault_get_outgoing_links? For the other direction use vault_get_outgoing_links.}

Example: {\"path\": \"Projects/alpha.md\"}

Returns {path, backlinks: [{path, title, bytes}], count}. A path that is not in the vault is marked missing.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let find = |index: &Index, path: &VaultPath| index.backlinks(call.who, path);
        let Links { path, rows, frame } = links::list(call, &arguments, "backlinks", find, Row::from)?;
        Reply::json(Answer { path, backlinks: rows, frame })
            .map_err(|error| ToolError::Internal { tool: "vault_get_backlinks", cause: error.to_string() })
    }
}
