//! What several tools share.

use std::collections::BTreeSet;

use ::search::{Index, SearchError};
use schemars::JsonSchema;
use serde::Serialize;
use vault::{Decoding, FileKind, VaultPath};

use crate::mcp::answer::LeftOut;
use crate::mcp::error::ToolError;
use crate::mcp::nearest::alike;
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
    pub(in crate::mcp) fn search_error(&self, error: &SearchError) -> ToolError {
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

    /// Refuses a path that is no note's.
    pub(super) fn only_notes(&self, path: &VaultPath) -> Result<(), ToolError> {
        if path.kind() == FileKind::Note {
            return Ok(());
        }
        Err(ToolError::Refused(format!("path must end in \".md\" (received {:?})", path.as_str())))
    }

    /// The error for a note that does not exist or that the caller may not see, with names near it.
    pub(super) fn note_not_found(&self, path: &VaultPath) -> ToolError {
        self.not_found("note", path, |kind| kind == FileKind::Note)
    }

    /// The same for a file that is not a note.
    pub(super) fn file_not_found(&self, path: &VaultPath) -> ToolError {
        self.not_found("file", path, |kind| kind != FileKind::Note)
    }

    /// The file of some kinds that a path means: itself, else the one that differs from it in letter case
    /// alone. An error is the names near it.
    pub(super) fn file_meant(
        &self,
        path: &VaultPath,
        among: fn(FileKind) -> bool,
    ) -> Result<VaultPath, Vec<String>> {
        if self.knows(path) {
            return Ok(path.clone());
        }
        let files = self.files_seen(among);
        let key = path.key();
        match files.iter().find(|file| self.who.sees(path) && file.key() == key) {
            Some(file) => Ok(file.clone()),
            None => Err(near(path, &files)),
        }
    }

    fn not_found(&self, what: &str, path: &VaultPath, among: fn(FileKind) -> bool) -> ToolError {
        let near = near(path, &self.files_seen(among));
        let hint = match near.as_slice() {
            [] => String::new(),
            names => {
                let quoted: Vec<_> = names.iter().map(|name| format!("{name:?}")).collect();
                format!(". Did you mean {}?", quoted.join(" or "))
            }
        };
        ToolError::NotFound(format!("{what} not found: {:?}{hint}", path.as_str()))
    }

    /// The files of some kinds that the caller sees; none when the vault cannot be read.
    fn files_seen(&self, among: fn(FileKind) -> bool) -> Vec<VaultPath> {
        let files = self.app.vault.walk_kinds(among).unwrap_or_default();
        files.into_iter().map(|file| file.path).filter(|path| self.who.sees(path)).collect()
    }
}

/// Up to three of some files that may be meant by a path that is none of them: those of the same path or
/// name but for letter case or `.md`, else those with nearly the same name, then those whose name holds it.
fn near(path: &VaultPath, files: &[VaultPath]) -> Vec<String> {
    const MOST: usize = 3;
    let (key, name) = (path.key(), VaultPath::fold(path.file_name()));
    let is = |found: &str, wanted: &str| found == wanted || found.strip_suffix(".md") == Some(wanted);
    let mut near: Vec<&str> =
        files.iter().filter(|file| is(&file.key(), &key)).map(VaultPath::as_str).collect();
    let same_name = files.iter().filter(|file| is(&VaultPath::fold(file.file_name()), &name));
    near.extend(same_name.map(VaultPath::as_str));
    if near.is_empty() {
        let folder = VaultPath::fold(path.folder());
        let found = alike(path.stem(), files.iter().map(VaultPath::stem), MOST).found.into_iter();
        let mut alike: Vec<(usize, bool, &str)> = found
            .filter_map(|(difference, index)| Some((difference, files.get(index)?)))
            .map(|(difference, file)| (difference, VaultPath::fold(file.folder()) != folder, file.as_str()))
            .collect();
        alike.sort_unstable();
        near.extend(alike.into_iter().take(MOST).map(|(_, _, file)| file));
        let stem = VaultPath::fold(path.stem());
        if near.len() < MOST && stem.chars().count() >= 3 {
            let holding = files.iter().filter(|file| VaultPath::fold(file.stem()).contains(&stem));
            near.extend(holding.take(MOST).map(VaultPath::as_str));
        }
    }
    let mut seen = BTreeSet::new();
    near.into_iter().filter(|name| seen.insert(*name)).take(MOST).map(str::to_owned).collect()
}

/// UTF-8 behind a byte order mark.
pub(super) const UTF8_BOM: &str = "utf-8-bom";

/// How a file is encoded, when it is not plain UTF-8; an error when it holds no text.
pub(in crate::mcp) fn encoding(
    path: &VaultPath,
    decoding: Decoding,
) -> Result<Option<&'static str>, ToolError> {
    match decoding {
        Decoding::Utf8 => Ok(None),
        // The text comes without the mark: a client that writes it back must know that the file has one.
        Decoding::Utf8Bom => Ok(Some(UTF8_BOM)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(asked: &str, expected: &[&str]) {
        let files: Vec<VaultPath> = [
            "Projects/alpha.md",
            "Archive/alpah.md",
            "a.md",
            "b.md",
            "x/b.md",
            "x/c.md",
            "ab.md",
            "Gamma plan.md",
            "pictures/Plan.png",
        ]
        .iter()
        .map(|path| VaultPath::parse(path).unwrap())
        .collect();
        assert_eq!(near(&VaultPath::parse(asked).unwrap(), &files), expected, "{asked}");
    }

    #[test]
    fn names_that_may_be_meant_and_no_others() {
        case("Projects/alpha", &["Projects/alpha.md"]);
        case("projects/ALPHA.md", &["Projects/alpha.md"]);
        case("alpha.md", &["Projects/alpha.md"]);
        case("Projects/alhpa.md", &["Projects/alpha.md"]);
        case("Archive/alhpah.md", &["Archive/alpah.md"]);
        case("Archive/alphaa.md", &["Projects/alpha.md"]);
        case("plan.md", &["pictures/Plan.png", "Gamma plan.md"]);
        // One letter is as good as any other: nothing is near it but itself.
        case("c.md", &["x/c.md"]);
        case("d.md", &[]);
        case("x/d.md", &[]);
        case("ac.md", &[]);
        case("B", &["b.md", "x/b.md"]);
        case("entirely else.md", &[]);
    }
}
