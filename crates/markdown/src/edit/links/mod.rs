//! Links after a move or rename.
//!
//! A link is rewritten when it would no longer mean the file it meant, and when its bare name has come to be
//! shared with another file; every other link stays as it is written. The new text is in the vault's format,
//! whichever way the old one was written, and always leads to the file: where the format alone would not, the
//! full path does. Kind, embed mark, subpath, shown text, size, title, angle brackets, the escaped bar of a
//! table and the quotes of a property stay. Text shown that is the old name follows.

mod files;
mod note;
mod property;
mod retarget;
mod text;

pub use files::{Files, Moves};
pub use note::rewrite_note;
pub use retarget::{Retargeted, retargeted};

use super::{Edit, Edited};
use crate::canvas::{self, CanvasError};

/// How new links are written: the setting `newLinkFormat` of Obsidian's `app.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum LinkFormat {
    /// The bare name when only one file has it, else the full path.
    #[default]
    Shortest,
    /// The path from the folder of the note.
    Relative,
    /// The full path.
    Absolute,
}

impl LinkFormat {
    /// The format a setting names; anything else is the default.
    #[must_use]
    pub fn from_setting(value: Option<&str>) -> Self {
        match value {
            Some("relative") => Self::Relative,
            Some("absolute") => Self::Absolute,
            _ => Self::Shortest,
        }
    }
}

/// A file after its links were rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rewritten {
    /// The file. No edits: every link stays right as it is.
    pub edited: Edited,
    /// How many links were rewritten.
    pub links: usize,
    /// Links that should have been rewritten and cannot be, the new name having characters that no link can
    /// hold.
    pub unwritable: Vec<Unwritable>,
}

/// A link that cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unwritable {
    /// One-based line.
    pub line: usize,
    /// The link as it stands.
    pub link: String,
    /// The file it means.
    pub target: String,
}

/// Rewrites the file nodes of a canvas, which hold full paths. Everything else stays byte for byte.
///
/// # Errors
/// [`CanvasError`] when the text is no canvas.
pub fn rewrite_canvas(json: &str, files: &dyn Files) -> Result<Rewritten, CanvasError> {
    let mut edits = Vec::new();
    for node in canvas::file_nodes(json)? {
        if let Some(path) = files.moved(&node.path) {
            let written = serde_json::Value::from(path).to_string();
            let inner = written.get(1..written.len() - 1).unwrap_or_default();
            edits.push(Edit::new(node.span, inner));
        }
    }
    edits.sort_by_key(|edit| edit.span.start);
    let links = edits.len();
    Ok(Rewritten { edited: Edited::new(json, edits), links, unwritable: Vec::new() })
}
