//! Exact text for exact text, in the body of a note.
//!
//! Error policy: a text that is there more than once is never guessed at; the error lists the places so that
//! the caller can quote more of the one that is meant.

use super::apply::with_line_breaks;
use super::{Edit, Edited, MAX_PLACES, Place, excerpt, line_at, line_break, line_number, list_places};
use crate::{Span, frontmatter};

/// Why a text cannot be replaced.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplaceError {
    /// There is nothing to look for.
    #[error("the text to replace is empty")]
    Empty,
    /// The body does not hold the text.
    #[error("the text is not in the body of the note: \"{excerpt}\"{}", hint(*.in_properties))]
    NotFound {
        /// Its beginning.
        excerpt: String,
        /// Whether the properties block holds it, which this edit never touches.
        in_properties: bool,
    },
    /// The body holds the text more than once.
    #[error(
        "the text is there {count} times ({}): quote more of the place that is meant, or replace all occurrences",
        list_places(.places, *.count)
    )]
    Ambiguous {
        /// The first of them.
        places: Vec<Place>,
        /// How many there are.
        count: usize,
    },
}

fn hint(in_properties: bool) -> &'static str {
    if in_properties { " (the properties hold it: change them as properties)" } else { "" }
}

/// A note after a replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The note.
    pub edited: Edited,
    /// How often the text was there.
    pub count: usize,
    /// The first place.
    pub first: Place,
}

/// Replaces a text in the body by another one, letter for letter: nothing in the new text is a pattern. Line
/// breaks in the text match those of the note, LF or CRLF. The properties block is never searched.
///
/// # Errors
/// See [`ReplaceError`]: the text must be there, and without `all` only once (places may overlap).
pub fn replace_text(source: &str, old: &str, new: &str, all: bool) -> Result<Replaced, ReplaceError> {
    if old.is_empty() {
        return Err(ReplaceError::Empty);
    }
    let body_start = frontmatter::locate(source).map_or(0, |block| block.span.end);
    let body_start = body_start.max(if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 });
    let body = Unified::new(source.get(body_start..).unwrap_or_default());
    let wanted = with_line_breaks(old, "\n");
    let found = body.find_all(&wanted);
    let place = |span: &Span| {
        let offset = body_start + span.start;
        Place { line: line_number(source, offset), excerpt: excerpt(line_at(source, offset)) }
    };
    let Some(first) = found.first().map(place) else {
        let block = Unified::new(source.get(..body_start).unwrap_or_default());
        let in_properties = !block.find_all(&wanted).is_empty();
        return Err(ReplaceError::NotFound { excerpt: excerpt(old), in_properties });
    };
    if !all {
        let places: Vec<Place> = body.first_places(&wanted).iter().map(place).collect();
        if places.len() > 1 {
            return Err(ReplaceError::Ambiguous { count: found.len().max(places.len()), places });
        }
    }
    let new = with_line_breaks(new, line_break(source));
    let edits = found
        .iter()
        .map(|span| Edit::new(span.start + body_start..span.end + body_start, new.clone()))
        .collect();
    Ok(Replaced { edited: Edited::new(source, edits), count: found.len(), first })
}

/// A text with LF as its only line end, and the way back to the text as it was.
struct Unified {
    text: String,
    /// Where in `text` a LF stands that had a CR before it.
    removed: Vec<usize>,
}

impl Unified {
    fn new(source: &str) -> Self {
        let mut text = String::with_capacity(source.len());
        let mut removed = Vec::new();
        let mut pieces = source.split("\r\n");
        text.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            removed.push(text.len());
            text.push('\n');
            text.push_str(piece);
        }
        Self { text, removed }
    }

    /// The places of a text from left to right, apart from each other, as ranges of the source.
    fn find_all(&self, wanted: &str) -> Vec<Span> {
        let found = memchr::memmem::find_iter(self.text.as_bytes(), wanted);
        found.map(|start| self.source(start)..self.source(start + wanted.len())).collect()
    }

    /// The first places of a text, those that overlap an earlier one too: any of them may be meant.
    fn first_places(&self, wanted: &str) -> Vec<Span> {
        let finder = memchr::memmem::Finder::new(wanted);
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = self.text.as_bytes().get(from..).and_then(|rest| finder.find(rest)) {
            let start = from + at;
            found.push(self.source(start)..self.source(start + wanted.len()));
            if found.len() >= MAX_PLACES {
                break;
            }
            from =
                start + self.text.get(start..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        }
        found
    }

    fn source(&self, offset: usize) -> usize {
        offset + self.removed.partition_point(|removed| *removed < offset)
    }
}
