//! Whole lines, found by a short piece of them: for large edits whose old text nobody wants to repeat.
//!
//! Error policy: an anchor that fits several lines is an error with the lines in it, unless the caller says
//! that the first one is meant. Only the body is searched.

use super::apply::with_line_breaks;
use super::{Edit, Edited, Place, excerpt, line_break, list_places, without_last_break};
use crate::{Span, frontmatter};

/// Which lines an edit is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchors<'a> {
    /// A piece of the first line, compared letter for letter.
    pub start: &'a str,
    /// A piece of the last line, looked for from the first line on; `None`: the first line alone.
    pub end: Option<&'a str>,
    /// Whether the first line that fits is meant when several do.
    pub first_match: bool,
}

/// On which side of its anchor a text is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Above the line.
    Before,
    /// Below the line.
    After,
}

/// Which of the two anchors an error is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Which {
    /// The first line's.
    Start,
    /// The last line's.
    End,
}

impl std::fmt::Display for Which {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Start => "start anchor",
            Self::End => "end anchor",
        })
    }
}

/// Why lines cannot be found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnchorError {
    /// An anchor is empty or only white space: it would fit nearly every line.
    #[error("the {which} is empty")]
    Empty {
        /// Which one.
        which: Which,
    },
    /// An anchor lies within one line.
    #[error("the {which} must be a piece of one line")]
    SeveralLines {
        /// Which one.
        which: Which,
    },
    /// No line holds the anchor.
    #[error("no line {}holds the {which} \"{anchor}\"{}", from(*.which), hint(*.in_properties))]
    NotFound {
        /// Which one.
        which: Which,
        /// The anchor.
        anchor: String,
        /// Whether the properties block holds it, which these edits never touch.
        in_properties: bool,
    },
    /// Several lines hold the anchor.
    #[error(
        "{} lines hold the {which} \"{anchor}\" ({}): pass a longer piece of the one that is meant, or first_match",
        .places.len(),
        list_places(.places, .places.len())
    )]
    Ambiguous {
        /// Which one.
        which: Which,
        /// The anchor.
        anchor: String,
        /// The lines, first to last.
        places: Vec<Place>,
    },
}

fn from(which: Which) -> &'static str {
    match which {
        Which::Start => "of the body ",
        Which::End => "at or after the start line ",
    }
}

fn hint(in_properties: bool) -> &'static str {
    if in_properties { " (the properties hold it: change them as properties)" } else { "" }
}

/// A note after an edit of whole lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinesEdited {
    /// The note.
    pub edited: Edited,
    /// How many lines the anchors covered.
    pub lines: usize,
    /// One-based number of the first of them, before the edit.
    pub first_line: usize,
    /// The beginning of what they held.
    pub excerpt: String,
}

/// Deletes lines with their line breaks. A note without a final line break keeps having none.
///
/// # Errors
/// See [`AnchorError`].
pub fn delete_span(source: &str, anchors: &Anchors<'_>) -> Result<LinesEdited, AnchorError> {
    replace_span(source, anchors, "")
}

/// Puts new lines in the place of old ones; an empty text deletes them. One line break at the end of the
/// text is taken as the end of its last line.
///
/// # Errors
/// See [`AnchorError`].
pub fn replace_span(source: &str, anchors: &Anchors<'_>, content: &str) -> Result<LinesEdited, AnchorError> {
    let body = Body::new(source);
    let first = body.find(anchors.start, Which::Start, 0, anchors.first_match)?;
    let last = match anchors.end {
        Some(end) => body.find(end, Which::End, first, anchors.first_match)?,
        None => first,
    };
    let span = body.start(first)..body.end(last);
    let old = source.get(span.clone()).unwrap_or_default();
    let edit = if content.is_empty() {
        Edit::new(without_last_break(source, span.clone()), "")
    } else {
        let content = one_break_less(content);
        // The break of the last line stays as it was.
        let ending = ["\r\n", "\n"].into_iter().find(|end| old.ends_with(end)).unwrap_or_default();
        Edit::new(span, with_line_breaks(content, line_break(source)) + ending)
    };
    Ok(LinesEdited {
        lines: last + 1 - first,
        first_line: body.first_number + first,
        excerpt: excerpt(old),
        edited: Edited::new(source, vec![edit]),
    })
}

/// Puts lines above or below a line, which stays. One line break at the end of the text is taken as the end
/// of its last line; a text that is empty otherwise is an empty line.
///
/// # Errors
/// See [`AnchorError`].
pub fn insert_at_anchor(
    source: &str,
    anchor: &str,
    side: Side,
    content: &str,
    first_match: bool,
) -> Result<LinesEdited, AnchorError> {
    let body = Body::new(source);
    let line = body.find(anchor, Which::Start, 0, first_match)?;
    let own = line_break(source);
    let text = with_line_breaks(one_break_less(content), own);
    let edit = match side {
        Side::Before => Edit::new(body.start(line)..body.start(line), text + own),
        Side::After => {
            let at = body.end(line);
            let whole = source.get(..at).is_some_and(|before| before.ends_with('\n'));
            // A note that ends without a line break keeps doing so.
            Edit::new(at..at, if whole { text + own } else { format!("{own}{text}") })
        }
    };
    Ok(LinesEdited {
        lines: 1,
        first_line: body.first_number + line,
        excerpt: excerpt(body.line(line)),
        edited: Edited::new(source, vec![edit]),
    })
}

fn one_break_less(content: &str) -> &str {
    content.strip_suffix('\n').map_or(content, |rest| rest.strip_suffix('\r').unwrap_or(rest))
}

/// The lines of a body.
struct Body<'a> {
    source: &'a str,
    /// Each with its line break.
    lines: Vec<Span>,
    /// One-based number of the first of them in the note.
    first_number: usize,
}

impl<'a> Body<'a> {
    fn new(source: &'a str) -> Self {
        let block_end = frontmatter::locate(source).map_or(0, |block| block.span.end);
        let mark = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut start = block_end.max(mark);
        let first_number = super::line_number(source, start);
        let mut lines = Vec::new();
        for line in source.get(start..).unwrap_or_default().split_inclusive('\n') {
            lines.push(start..start + line.len());
            start += line.len();
        }
        Self { source, lines, first_number }
    }

    fn line(&self, index: usize) -> &'a str {
        let line = self.lines.get(index).and_then(|line| self.source.get(line.clone()));
        line.unwrap_or_default().trim_end_matches(['\n', '\r'])
    }

    fn start(&self, index: usize) -> usize {
        self.lines.get(index).map_or(self.source.len(), |line| line.start)
    }

    fn end(&self, index: usize) -> usize {
        self.lines.get(index).map_or(self.source.len(), |line| line.end)
    }

    /// The line from `from` on that an anchor means.
    fn find(&self, anchor: &str, which: Which, from: usize, first_match: bool) -> Result<usize, AnchorError> {
        if anchor.trim().is_empty() {
            return Err(AnchorError::Empty { which });
        }
        if anchor.contains(['\n', '\r']) {
            return Err(AnchorError::SeveralLines { which });
        }
        let finder = memchr::memmem::Finder::new(anchor);
        let mut fitting =
            (from..self.lines.len()).filter(|line| finder.find(self.line(*line).as_bytes()).is_some());
        let Some(first) = fitting.next() else {
            let block = self.source.get(..self.start(0)).unwrap_or_default();
            let in_properties = finder.find(block.as_bytes()).is_some();
            return Err(AnchorError::NotFound { which, anchor: anchor.to_owned(), in_properties });
        };
        if first_match {
            return Ok(first);
        }
        let others: Vec<usize> = fitting.collect();
        if others.is_empty() {
            return Ok(first);
        }
        let place = |line: usize| Place { line: self.first_number + line, excerpt: excerpt(self.line(line)) };
        let places = std::iter::once(first).chain(others).map(place).collect();
        Err(AnchorError::Ambiguous { which, anchor: anchor.to_owned(), places })
    }
}
