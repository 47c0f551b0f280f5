//! What several tools share.

use std::collections::BTreeSet;

use ::search::{Index, SearchError};
use schemars::JsonSchema;
use serde::Serialize;
use vault::{Decoding, FileKind, VaultPath};

use crate::mcp::answer::LeftOut;
use crate::mcp::error::ToolError;
use crate::mcp::nearest::nearest;
use crate::mcp::tool::Call;

/// How far the index is while it is being built.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(super) struct Indexing {
    /// Files dealt with.
    pub(super) done: u64,
    /// Files to deal with.
    pub(super) total: u64,
}

impl From<::search::Progress> for Indexing {
    fn from(progress: ::search::Progress) -> Self {
        Self { done: progress.done, total: progress.total }
    }
}

impl Call<'_> {
    /// The index, or why there is none.
    pub(super) fn index(&self) -> Result<Index, ToolError> {
        self.app.search.index().map_err(ToolError::Search)
    }

    /// An error of the index as callers see it.
    pub(super) fn search_error(&self, error: &SearchError) -> ToolError {
        match error {
            SearchError::InvalidQuery(_) | SearchError::InvalidFilter(_) | SearchError::InvalidTag(_) => {
                ToolError::Refused(error.to_string())
            }
            _ => ToolError::Search(format!("search failed: {}", self.app.search.for_clients(error))),
        }
    }

    /// A path of a note, as a caller wrote it.
    pub(super) fn path(&self, raw: &str) -> Result<VaultPath, ToolError> {
        Ok(VaultPath::parse(raw)?)
    }

    /// The error for a note that does not exist or that the caller may not see, with names near it.
    pub(super) fn note_not_found(&self, path: &VaultPath) -> ToolError {
        self.not_found("note", path, |kind| kind == FileKind::Note)
    }

    /// The same for a file that is not a note.
    pub(super) fn file_not_found(&self, path: &VaultPath) -> ToolError {
        self.not_found("file", path, |kind| kind != FileKind::Note)
    }

    fn not_found(&self, what: &str, path: &VaultPath, among: fn(FileKind) -> bool) -> ToolError {
        let near = self.names_near(path, among);
        let hint = match near.as_slice() {
            [] => String::new(),
            names => {
                let quoted: Vec<_> = names.iter().map(|name| format!("{name:?}")).collect();
                format!(". Did you mean {}?", quoted.join(" or "))
            }
        };
        ToolError::NotFound(format!("{what} not found: {:?}{hint}", path.as_str()))
    }

    /// Up to three files of some kinds that the caller sees and may have meant.
    fn names_near(&self, path: &VaultPath, among: fn(FileKind) -> bool) -> Vec<String> {
        const MOST: usize = 3;
        let Ok(walk) = self.app.vault.walk() else { return Vec::new() };
        let notes: Vec<&VaultPath> = walk
            .files
            .iter()
            .map(|file| &file.path)
            .filter(|found| among(found.kind()) && self.who.sees(found))
            .collect();
        let key = path.key();
        let with_extension = format!("{key}.md");
        let mut near: Vec<String> = notes
            .iter()
            .filter(|note| [key.as_str(), with_extension.as_str()].contains(&note.key().as_str()))
            .map(|note| note.as_str().to_owned())
            .collect();
        let name = VaultPath::fold(path.file_name());
        let name_with_extension = format!("{name}.md");
        for note in &notes {
            let found = VaultPath::fold(note.file_name());
            if (found == name || found == name_with_extension)
                && !near.iter().any(|known| known == note.as_str())
            {
                near.push(note.as_str().to_owned());
            }
        }
        if near.is_empty() {
            near.extend(nearest(path.as_str(), notes.iter().map(|note| note.as_str())).map(str::to_owned));
            let by_name = nearest(path.stem(), notes.iter().map(|note| note.stem()));
            let named = notes.iter().find(|note| by_name == Some(note.stem()));
            near.extend(named.map(|note| note.as_str().to_owned()));
            let stem = VaultPath::fold(path.stem());
            if stem.chars().count() >= 3 {
                let holding = notes.iter().filter(|note| VaultPath::fold(note.stem()).contains(&stem));
                near.extend(holding.take(MOST).map(|note| note.as_str().to_owned()));
            }
            let mut seen = BTreeSet::new();
            near.retain(|name| seen.insert(name.clone()));
        }
        near.truncate(MOST);
        near
    }
}

/// How a file is encoded, when it is not UTF-8; an error when it holds no text.
pub(super) fn encoding(path: &VaultPath, decoding: Decoding) -> Result<Option<&'static str>, ToolError> {
    match decoding {
        Decoding::Utf8 | Decoding::Utf8Bom => Ok(None),
        Decoding::Utf16 => Ok(Some("utf-16")),
        Decoding::Latin1 => Ok(Some("windows-1252")),
        Decoding::Binary => Err(ToolError::Refused(format!("not text: {:?} holds NUL bytes", path.as_str()))),
    }
}

/// The text blocks of a list: the list itself, and what is left out in a block after it.
pub(super) fn list_blocks(list: String, left_out: Option<&LeftOut>) -> Vec<String> {
    let mut blocks = vec![list];
    blocks.extend(left_out.map(LeftOut::in_words));
    blocks
}

/// JSON of a value that always serialises; a failure is a fault of ours.
pub(super) fn json(tool: &'static str, value: &impl Serialize) -> Result<String, ToolError> {
    serde_json::to_string(value).map_err(|error| ToolError::Internal { tool, cause: error.to_string() })
}
