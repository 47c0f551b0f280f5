//! `vault_get_outgoing_links`: what a file links to.

use ::search::{Index, Kind, OutgoingLink};
use schemars::JsonSchema;
use serde::Serialize;
use vault::{DailyNotes, VaultPath};

use super::links::{self, Arguments, Frame, Links};
use crate::mcp::answer::Shorten;
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct GetOutgoingLinks;

/// The links.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// The path asked for.
    path: String,
    /// What it links to, each target once, by path.
    outgoing_links: Vec<Row>,
    #[serde(flatten)]
    frame: Frame,
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
    /// The # parts of links that no heading or block of the note answers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing_subpaths: Vec<String>,
    /// How many there are, when some are left out here.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing_subpaths_total: Option<usize>,
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
            missing_subpaths: link.missing_subpaths,
            missing_subpaths_total: None,
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
        self.missing_subpaths_total = super::note_row::shorten_list(&mut self.missing_subpaths);
    }
}

impl Tool for GetOutgoingLinks {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Lists what a note or canvas links to, each target once, by path: wikilinks, embeds, Markdown links, links \
in properties, files on a canvas, resolved as Obsidian does.\
{vault_get_backlinks? For the other direction use vault_get_backlinks.}

Example: {\"path\": \"Projects/alpha.md\"}

Returns {path, outgoing_links: [{path, title, exists, kind: note|file, bytes, \
daily_note_forward_ref, alias_of?, missing_subpaths?}], count}. A link that reaches nothing has exists: \
false and its path as written; alias_of names a note with this alias. A path that is not in the vault is \
marked missing.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let daily = call.app.daily_notes();
        let find = |index: &Index, path: &VaultPath| index.outgoing_links(call.who, path);
        let row = |link| Row::new(link, &daily);
        let Links { path, rows, frame } = links::list(call, &arguments, "links", find, row)?;
        Reply::json(Answer { path, outgoing_links: rows, frame }).map_err(|error| ToolError::Internal {
            tool: "vault_get_outgoing_links",
            cause: error.to_string(),
        })
    }
}
