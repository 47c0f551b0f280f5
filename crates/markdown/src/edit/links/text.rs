//! The text of a new link.

use super::{Files, LinkFormat};
use crate::links::LinkKind;

/// A note whose links are rewritten, and what it takes to do so.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// Path of the note before the move.
    pub(super) from: &'a str,
    /// Its path after the move: often the same.
    pub(super) to: &'a str,
    pub(super) format: LinkFormat,
    pub(super) files: &'a dyn Files,
}

/// A file that a link has to be rewritten for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) old: String,
    pub(super) new: String,
}

impl Target {
    /// The old and the new name, when they differ: text shown follows it.
    pub(super) fn names(&self) -> Option<(&str, &str)> {
        let (old, new) = (shown_name(&self.old), shown_name(&self.new));
        (old != new).then_some((old, new))
    }
}

impl Place<'_> {
    /// The file a link has to be rewritten for; `None` when it stays as it is.
    pub(super) fn target(&self, path: &str) -> Option<Target> {
        let path = path.trim();
        if path.is_empty() {
            return None;
        }
        let old = self.files.before(self.from, path)?;
        let moved = self.files.moved(&old);
        let stays = moved.is_none();
        let new = moved.unwrap_or_else(|| old.clone());
        let is_right = self.files.after(self.to, path).as_ref() == Some(&new);
        // A bare name that two files have from now on: the app writes the full path.
        let is_newly_shared =
            stays && !path.contains('/') && !self.files.was_shared(&old) && self.files.is_shared(&new);
        (!is_right || is_newly_shared).then_some(Target { old, new })
    }

    /// The path to write for a file, in the vault's format when that leads to the file.
    pub(super) fn path_text(&self, kind: LinkKind, path: &str) -> Option<String> {
        let wanted = match self.format {
            LinkFormat::Shortest if !self.files.is_shared(path) => file_name(path).to_owned(),
            LinkFormat::Shortest | LinkFormat::Absolute => path.to_owned(),
            LinkFormat::Relative => relative(self.to, path),
        };
        let from_here = format!("./{}", relative(self.to, path));
        let candidates = [wanted, path.to_owned(), from_here, format!("/{path}")];
        let mut texts = candidates.iter().flat_map(|candidate| {
            let bare = (kind == LinkKind::Wiki).then(|| without_md(candidate)).flatten();
            bare.into_iter().chain([candidate.as_str()])
        });
        let text = texts.find(|text| self.files.after(self.to, text).as_deref() == Some(path))?;
        Some(text.to_owned())
    }
}

/// The path in the form a link of this kind holds it; `None` when it cannot hold it.
pub(super) fn written(kind: LinkKind, angle: bool, path: &str) -> Option<String> {
    match kind {
        LinkKind::Wiki => {
            let breaks = path.contains(['|', '#', '\n', '\r'])
                || path.contains("[[")
                || path.contains("]]")
                || path.ends_with([']', '\\']);
            (!breaks).then(|| path.to_owned())
        }
        LinkKind::Markdown if path.contains(['\n', '\r']) => None,
        LinkKind::Markdown if angle => Some(escaped(path)),
        LinkKind::Markdown => Some(encoded(path)),
    }
}

/// A destination in angle brackets: spaces are as they are.
fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path.chars();
    while let Some(character) = rest.next() {
        match character {
            '<' | '>' | '\\' => {
                out.push('\\');
                out.push(character);
            }
            '%' if is_encoded(rest.as_str()) => out.push_str("%25"),
            character => out.push(character),
        }
    }
    out
}

/// A bare destination: only what would break the link is encoded.
fn encoded(path: &str) -> String {
    let balanced = is_balanced(path);
    let mut out = String::with_capacity(path.len());
    let mut rest = path.chars();
    while let Some(character) = rest.next() {
        let breaks = match character {
            '%' => is_encoded(rest.as_str()),
            '(' | ')' => !balanced,
            '<' | '>' | '`' | ':' | '|' | '[' | ']' | '\u{7f}' => true,
            character => character <= ' ',
        };
        if character == '\\' {
            out.push_str("\\\\");
        } else if breaks {
            out.push_str(&format!("%{:02X}", u32::from(character)));
        } else {
            out.push(character);
        }
    }
    out
}

/// Whether two hexadecimal digits follow, so that a percent sign before them would be decoded.
fn is_encoded(rest: &str) -> bool {
    let mut digits = rest.chars().take(2);
    digits.next().is_some_and(|digit| digit.is_ascii_hexdigit())
        && digits.next().is_some_and(|digit| digit.is_ascii_hexdigit())
}

/// Whether every round bracket has its partner, not nested deeper than a reader may follow.
fn is_balanced(path: &str) -> bool {
    const MAX_NESTING: i32 = 8;
    let mut depth = 0;
    for character in path.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if !(0..=MAX_NESTING).contains(&depth) {
            return false;
        }
    }
    depth == 0
}

/// The path from the folder of a note to a file.
fn relative(note: &str, path: &str) -> String {
    let folders = |path: &str| -> Vec<String> {
        let mut folders: Vec<String> = path.split('/').map(str::to_owned).collect();
        folders.pop();
        folders
    };
    let (here, there) = (folders(note), folders(path));
    let common = here.iter().zip(&there).take_while(|(here, there)| here == there).count();
    let mut steps = vec!["..".to_owned(); here.len() - common];
    steps.extend(there.into_iter().skip(common));
    steps.push(file_name(path).to_owned());
    steps.join("/")
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// A path without the extension of a note.
fn without_md(path: &str) -> Option<&str> {
    let stem = path.get(..path.len().checked_sub(3)?)?;
    let is_note = path.get(stem.len()..).is_some_and(|end| end.eq_ignore_ascii_case(".md"));
    (is_note && !stem.is_empty() && !stem.ends_with('/')).then_some(stem)
}

/// The name that is shown for a file: a note's has no extension.
fn shown_name(path: &str) -> &str {
    let name = file_name(path);
    without_md(name).unwrap_or(name)
}
