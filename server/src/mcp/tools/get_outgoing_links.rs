//! `vault_get_outgoing_links`: what a file links to.

use ::search::{Kind, OutgoingLink};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vault::{DailyNotes, VaultPath};

use super::support::Indexing;
use crate::mcp::answer::{LeftOut, Shorten, fit};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct GetOutgoingLinks;

/// Of which file.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Path of the note or canvas, with its extension.
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
    /// What it links to, each target once, by path.
    outgoing_links: Vec<Row>,
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

/// A target.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    /// The file it reaches, or the link as written when it reaches none.
    path: String,
    /// Title of a note that exists.
    title: Option<String>,
    /// Whether it reaches a file.
    exists: bool,
    /// Whether it is a note or another file.
    kind: RowKind,
    /// Size on disk of what it reaches.
    bytes: Option<u64>,
    /// A link to a daily note that is not written yet.
    daily_note_forward_ref: bool,
    /// A note that has the unresolved text as an alias and is probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    alias_of: Option<String>,
}

/// Note or other file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RowKind {
    /// A note.
    Note,
    /// Another file.
    File,
}

impl From<Kind> for RowKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Note => Self::Note,
            Kind::File => Self::File,
        }
    }
}

impl Row {
    fn new(link: OutgoingLink, daily: &DailyNotes) -> Self {
        Self {
            daily_note_forward_ref: !link.exists && daily.holds(&link.path),
            path: link.path,
            title: link.title,
            exists: link.exists,
            kind: link.kind.into(),
            bytes: link.bytes,
            alias_of: link.alias_of.as_ref().map(VaultPath::as_str).map(str::to_owned),
        }
    }
}

impl Shorten for Row {
    fn shorten(&mut self) {
        super::note_row::shorten_text(&mut self.path);
        if let Some(title) = &mut self.title {
            super::note_row::shorten_text(title);
        }
    }
}

impl Tool for GetOutgoingLinks {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Lists what a note or canvas links to, each target once, by path: wikilinks, embeds, Markdown links, \
links in properties, and the files on a canvas, resolved as Obsidian resolves them.\
{vault_get_backlinks? For the other direction use vault_get_backlinks.}

Example: {\"path\": \"Projects/alpha.md\"}

Returns {path, outgoing_links: [{path, title, exists, kind: note|file, bytes, \
daily_note_forward_ref, alias_of?}], count}. A link that reaches nothing has exists: false and its \
path as written; alias_of names a note that has this text as an alias.\
{vault_read_file? Files that are not notes are read with vault_read_file.}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let path = call.path(&arguments.path)?;
        let index = call.index()?;
        let links = index.outgoing_links(call.who, &path).map_err(|error| call.search_error(&error))?;
        let total = links.len();
        let offset = arguments.offset.unwrap_or(0);
        let daily = call.app.daily_notes();
        let rows = links.into_iter().skip(offset).map(|link| Row::new(link, &daily)).collect();
        let fitted = fit(rows, offset, total, call.app.max_answer_chars, "links");
        let real = call.app.vault.real_path(&path);
        let exists = call.who.sees(&path) && real.is_ok_and(|real| call.who.sees(&real));
        Reply::json(Answer {
            path: path.as_str().to_owned(),
            outgoing_links: fitted.rows,
            count: total,
            total,
            missing: (!exists).then_some(true),
            left_out: fitted.left_out,
            indexing: index.progress().map(Indexing::from),
        })
        .map_err(|error| ToolError::Internal { tool: "vault_get_outgoing_links", cause: error.to_string() })
    }
}
