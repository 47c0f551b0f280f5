//! Editing notes without losing a byte: text in, spans to replace out.
//!
//! Every function here reads a note and answers with the new text, the [`Edit`]s that lead to it, and what
//! was done. Whatever was not asked to change stays byte for byte: line ends, a byte order mark, a missing
//! final line break, comments, quoting and the order of keys in the properties block. What is inserted takes
//! the note's own line end.
//!
//! | module | what |
//! |---|---|
//! | `properties` | single keys of the properties block, or the whole of it; the guard of every write |
//! | `write_note` | a new note, or a new body for an old one |
//! | `section` | text above, below or in place of what stands under a heading |
//! | `replace` | an exact text |
//! | `anchor` | whole lines, found by a piece of them |
//! | `links` | links after a move or rename |
//! | `memory` | dated entries of memory files |
//!
//! Tasks have a module of their own, `tasks::edit`.

pub mod anchor;
mod apply;
pub mod links;
pub mod memory;
pub mod properties;
pub mod replace;
pub mod section;
pub mod write_note;

pub use apply::{ApplyError, ControlCharacter, Edit, apply, check_characters, invert, line_break};

use crate::Span;

/// A note after an edit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edited {
    /// The whole text.
    pub text: String,
    /// What was replaced, by start; ranges of the text before the edit. Empty: nothing changed.
    pub edits: Vec<Edit>,
}

impl Edited {
    /// The text with edits made by code that keeps them sorted and apart. Should it ever fail to, nothing is
    /// changed.
    pub(crate) fn new(source: &str, mut edits: Vec<Edit>) -> Self {
        edits.retain(|edit| source.get(edit.span.clone()) != Some(edit.text.as_str()));
        match apply(source, &edits) {
            Ok(text) => Self { text, edits },
            Err(_) => Self { text: source.to_owned(), edits: Vec::new() },
        }
    }
}

impl Edited {
    /// The edit of a text that had its byte order mark taken off, as an edit of the text with it: the mark is
    /// not part of the first line, and readers of lines must not meet it.
    pub(crate) fn with_mark(mut self, source: &str, rest: &str) -> Self {
        let mark = source.len() - rest.len();
        for edit in &mut self.edits {
            edit.span = edit.span.start + mark..edit.span.end + mark;
        }
        self.text.insert_str(0, source.get(..mark).unwrap_or_default());
        self
    }
}

/// A text without the byte order mark before it.
pub(crate) fn without_mark(source: &str) -> &str {
    source.strip_prefix('\u{feff}').unwrap_or(source)
}

/// A line of a note, as an error or answer shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// One-based line of the note.
    pub line: usize,
    /// The beginning of the line, trimmed.
    pub excerpt: String,
}

impl std::fmt::Display for Place {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "line {}: \"{}\"", self.line, self.excerpt)
    }
}

/// How many characters of a text an answer quotes.
const EXCERPT: usize = 80;
/// How many places an error lists.
const MAX_PLACES: usize = 20;
/// How many names an error lists.
const MAX_NAMES: usize = 50;

/// The beginning of a text, for an answer.
pub(crate) fn excerpt(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Places in one phrase; those beyond the first [`MAX_PLACES`] of so many are counted.
pub(crate) fn list_places(places: &[Place], count: usize) -> String {
    let shown: Vec<String> = places.iter().take(MAX_PLACES).map(ToString::to_string).collect();
    list(&shown, count, "; ")
}

/// Names in one phrase; those beyond the first [`MAX_NAMES`] are counted.
pub(crate) fn list_names(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_NAMES).map(|name| excerpt(name)).collect();
    list(&shown, names.len(), ", ")
}

fn list(shown: &[String], count: usize, comma: &str) -> String {
    let rest = count.saturating_sub(shown.len());
    let more = if rest > 0 { format!("{comma}and {rest} more") } else { String::new() };
    shown.join(comma) + &more
}

/// The one-based line of a byte offset.
pub(crate) fn line_number(source: &str, offset: usize) -> usize {
    1 + memchr::memchr_iter(b'\n', source.as_bytes().get(..offset).unwrap_or_default()).count()
}

/// The whole line that holds a byte offset, without its line break.
pub(crate) fn line_at(source: &str, offset: usize) -> &str {
    let start = source.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    source.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default()
}

/// A range that takes the last line break away with the text: a note without a final line break keeps
/// having none when its last lines go.
pub(crate) fn without_last_break(source: &str, span: Span) -> Span {
    if span.end < source.len() || source.ends_with('\n') {
        return span;
    }
    let before = source.get(..span.start).unwrap_or_default();
    let before = before.strip_suffix('\n').map_or(before, |rest| rest.strip_suffix('\r').unwrap_or(rest));
    before.len()..span.end
}
