//! What all edits share: pieces of text that take the place of ranges.
//!
//! Error policy: the edits of this crate are sorted and apart by construction, so [`ApplyError`] shows a
//! mistake of whoever made them, never of the note's author.

use crate::Span;

/// A piece of text that takes the place of a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The range of the text before the edit; empty to insert.
    pub span: Span,
    /// What stands there afterwards; empty to delete.
    pub text: String,
}

impl Edit {
    pub(crate) fn new(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }
}

/// Why edits cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// A range reaches beyond the text, runs backwards, or cuts a character in two.
    #[error("edit {index} covers {start}..{end}, which is no range of the text")]
    NoRange {
        /// Which edit, counted from 0.
        index: usize,
        /// Its start.
        start: usize,
        /// Its end.
        end: usize,
    },
    /// An edit starts before the one in front of it ends.
    #[error("edit {index} starts at {start}, before the end of the one in front of it")]
    Overlap {
        /// Which edit, counted from 0.
        index: usize,
        /// Its start.
        start: usize,
    },
}

/// Applies edits, sorted by start and apart from each other, in one pass. Two insertions at one place are
/// made in their order.
///
/// # Errors
/// [`ApplyError`] when an edit lies outside of the text or over another one; nothing is applied then.
pub fn apply(source: &str, edits: &[Edit]) -> Result<String, ApplyError> {
    let added: usize = edits.iter().map(|edit| edit.text.len()).sum();
    let mut text = String::with_capacity(source.len() + added);
    let mut done = 0;
    for (index, edit) in edits.iter().enumerate() {
        let Span { start, end } = edit.span;
        if source.get(start..end).is_none() {
            return Err(ApplyError::NoRange { index, start, end });
        }
        let Some(kept) = source.get(done..start) else { return Err(ApplyError::Overlap { index, start }) };
        text.push_str(kept);
        text.push_str(&edit.text);
        done = end;
    }
    text.push_str(source.get(done..).unwrap_or_default());
    Ok(text)
}

/// The edits that undo edits: applied to the text after them, they give back the text before.
///
/// # Errors
/// As [`apply`].
pub fn invert(source: &str, edits: &[Edit]) -> Result<Vec<Edit>, ApplyError> {
    apply(source, edits)?;
    let (mut inverse, mut added, mut removed) = (Vec::with_capacity(edits.len()), 0, 0);
    for edit in edits {
        let start = edit.span.start + added - removed;
        let old = source.get(edit.span.clone()).unwrap_or_default();
        inverse.push(Edit::new(start..start + edit.text.len(), old));
        added += edit.text.len();
        removed += old.len();
    }
    Ok(inverse)
}

/// The line end of a text: the one most of its lines have, of equally many that of the first line. LF for a
/// text without any.
#[must_use]
pub fn line_break(source: &str) -> &'static str {
    let bytes = source.as_bytes();
    let (mut windows, mut unix, mut first_is_windows) = (0_usize, 0_usize, None);
    for end in memchr::memchr_iter(b'\n', bytes) {
        let is_windows = end > 0 && bytes.get(end - 1) == Some(&b'\r');
        if is_windows {
            windows += 1;
        } else {
            unix += 1;
        }
        first_is_windows.get_or_insert(is_windows);
    }
    let is_windows = windows > unix || (windows == unix && first_is_windows == Some(true));
    if is_windows { "\r\n" } else { "\n" }
}

/// A text with every line ended by `line_break`, whichever way its lines end.
pub(crate) fn with_line_breaks(text: &str, line_break: &str) -> String {
    let unix = text.replace("\r\n", "\n");
    if line_break == "\n" { unix } else { unix.replace('\n', line_break) }
}

/// A control character in a text that is to be written: only tab, LF and CR may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "contains a control character (U+{code_point:04X} at position {position}): of the control characters only tab, LF and CR can be written"
)]
pub struct ControlCharacter {
    /// The character.
    pub code_point: u32,
    /// Which character of the text it is, counted from 0.
    pub position: usize,
}

/// Refuses control characters (C0, DEL, C1) other than tab, LF and CR: they hide in a note, and no person
/// types them.
///
/// # Errors
/// The first such character.
pub fn check_characters(text: &str) -> Result<(), ControlCharacter> {
    let bad = |character: char| character.is_control() && !matches!(character, '\t' | '\n' | '\r');
    match text.chars().enumerate().find(|(_, character)| bad(*character)) {
        None => Ok(()),
        Some((position, character)) => Err(ControlCharacter { code_point: u32::from(character), position }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_apply_in_one_pass() {
        #[track_caller]
        fn check(edits: &[(Span, &str)], expected: Result<&str, ApplyError>) {
            let edits: Vec<Edit> = edits.iter().map(|(span, text)| Edit::new(span.clone(), *text)).collect();
            assert_eq!(apply("aéc", &edits), expected.map(str::to_owned));
        }
        check(&[], Ok("aéc"));
        check(&[(0..0, "x"), (0..0, "y"), (1..3, "e"), (4..4, "!")], Ok("xyaec!"));
        check(&[(1..3, ""), (3..4, "")], Ok("a"));
        check(&[(2..3, "")], Err(ApplyError::NoRange { index: 0, start: 2, end: 3 }));
        check(&[(0..5, "")], Err(ApplyError::NoRange { index: 0, start: 0, end: 5 }));
        check(&[(1..3, ""), (0..1, "")], Err(ApplyError::Overlap { index: 1, start: 0 }));
    }

    #[test]
    fn the_line_end_of_most_lines_wins() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(line_break(text), expected, "{text:?}");
        }
        check("", "\n");
        check("a", "\n");
        check("a\r", "\n");
        check("a\r\n", "\r\n");
        check("a\nb\r\n", "\n");
        check("a\r\nb\n", "\r\n");
        check("a\r\nb\nc\n", "\n");
        assert_eq!(with_line_breaks("a\nb\r\nc\r", "\r\n"), "a\r\nb\r\nc\r");
        assert_eq!(with_line_breaks("a\nb\r\n", "\n"), "a\nb\n");
    }

    #[test]
    fn control_characters_are_found() {
        #[track_caller]
        fn check(text: &str, expected: Option<(u32, usize)>) {
            let found = check_characters(text).err().map(|found| (found.code_point, found.position));
            assert_eq!(found, expected, "{text:?}");
        }
        check("a\tb\r\n", None);
        check("é\u{0}", Some((0, 1)));
        check("\u{1b}[31m", Some((0x1b, 0)));
        check("a\u{7f}", Some((0x7f, 1)));
        check("\u{85}", Some((0x85, 0)));
        check("\u{200b}\u{feff}", None);
    }
}
