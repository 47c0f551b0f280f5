//! `vault_get_backlinks`: what links to a file.

use ::search::Backlink;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::support::Indexing;
use crate::mcp::answer::{LeftOut, Shorten, fit};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct GetBacklinks;

/// Of which file.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Path of the note or other file, with its extension.
    #[schemars(length(min = 1, max = 4096))]
    path: String,
    /// Links to skip, to continue a list that was cut.
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

/// The links.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// The path asked for.
    path: String,
    /// Files that link to it, by path.
    backlinks: Vec<Row>,
    /// How many there are.
    count: usize,
    /// The same.
    total: usize,
    /// True when the vault has no such file.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<bool>,
    /// What is not in this part.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
    /// Set while the index is being built.
    #[serde(skip_serializing_if = "Option::is_none")]
    indexing: Option<Indexing>,
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
links and links in properties, resolved as Obsidian resolves them.\
{vault_get_outgoing_links? For the other direction use vault_get_outgoing_links.}

Example: {\"path\": \"Projects/alpha.md\"}

Returns {path, backlinks: [{path, title, bytes}], count}. A path that is not in the vault has no \
backlinks and is marked missing.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let path = call.path(&arguments.path)?;
        let index = call.index()?;
        let links = index.backlinks(call.who, &path).map_err(|error| call.search_error(&error))?;
        let total = links.len();
        let offset = arguments.offset.unwrap_or(0);
        let rows = links.into_iter().skip(offset).map(Row::from).collect();
        let fitted = fit(rows, offset, total, call.app.max_answer_chars, "backlinks");
        let real = call.app.vault.real_path(&path);
        let exists = call.who.sees(&path) && real.is_ok_and(|real| call.who.sees(&real));
        Reply::json(Answer {
            path: path.as_str().to_owned(),
            backlinks: fitted.rows,
            count: total,
            total,
            missing: (!exists).then_some(true),
            left_out: fitted.left_out,
            indexing: index.progress().map(Indexing::from),
        })
        .map_err(|error| ToolError::Internal { tool: "vault_get_backlinks", cause: error.to_string() })
    }
}
