//! The shape of a task line: indent, list marker, check box, body, block id.
//!
//! Source: the Tasks plugin 8.3.0. A task is `indent marker box body`, where the indent is any white
//! space or `>`, the marker `-`, `*`, `+`, `12.` or `12)`, then one or more spaces, then `[`, exactly
//! one character, `]`. A tab after the marker makes no task; the body may follow the box directly.

use super::text::{is_line_end, is_space, tail_start, trim};

/// A task line cut into its parts. Every part is a slice of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts<'a> {
    /// White space and quote marks before the list marker.
    pub indentation: &'a str,
    /// The list marker: `-`, `*`, `+`, `12.` or `12)`.
    pub marker: &'a str,
    /// The one character between the brackets, as written.
    pub symbol: &'a str,
    /// Byte offset of `symbol` in the line, for an edit that touches nothing else.
    pub symbol_start: usize,
    /// The text after the box without white space at its ends and without the block id.
    pub body: &'a str,
    /// The block id at the end of the line, without `^`.
    pub block_id: Option<&'a str>,
    /// Two or more spaces at the end of the line: a Markdown line break that rewriting keeps.
    pub hard_break: &'a str,
    /// What stands after a line separator inside the line (a stray CR, U+2028, U+2029). The plugin does
    /// not read it and loses it on rewriting.
    pub unread: &'a str,
}

/// Cuts a line (without its line break) into the parts of a task, or `None` when it is no task.
pub fn split(line: &str) -> Option<Parts<'_>> {
    let indentation_end = line.len() - line.trim_start_matches(|c| is_space(c) || c == '>').len();
    let (indentation, rest) = line.split_at(indentation_end);
    let marker_length = marker_length(rest)?;
    let (marker, rest) = rest.split_at(marker_length);
    let spaced = rest.trim_start_matches(' ');
    if spaced.len() == rest.len() {
        return None;
    }
    let inside = spaced.strip_prefix('[')?;
    let character = inside.chars().next().filter(|&c| !is_line_end(c))?;
    let (symbol, after) = inside.split_at(character.len_utf8());
    let after = after.strip_prefix(']')?;
    let symbol_start = line.len() - inside.len();

    let read_length = after.find(is_line_end).unwrap_or(after.len());
    let (read, unread) = after.split_at(read_length);
    let (body, block_id) = cut_block_id(trim(read));
    let hard_break_start = tail_start(line, |c| c == ' ');
    let trailing = line.get(hard_break_start..).unwrap_or_default();
    let hard_break = if trailing.len() >= 2 { trailing } else { "" };
    Some(Parts {
        indentation,
        marker,
        symbol,
        symbol_start,
        body,
        block_id,
        hard_break,
        unread: unread.trim(),
    })
}

/// Length in bytes of the list marker at the start of `text`: `-`, `*`, `+`, or digits and `.` or `)`.
pub fn marker_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if matches!(bytes.first(), Some(b'-' | b'*' | b'+')) {
        return Some(1);
    }
    let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    (digits > 0 && matches!(bytes.get(digits), Some(b'.' | b')'))).then_some(digits + 1)
}

/// Cuts ` ^id` off the end of a trimmed body; the id needs text, or at least a space, before it.
fn cut_block_id(body: &str) -> (&str, Option<&str>) {
    let start = tail_start(body, |c| c.is_ascii_alphanumeric() || c == '-');
    let (before, id) = body.split_at(start);
    match before.strip_suffix(" ^") {
        Some(text) if !id.is_empty() => (trim(text), Some(id)),
        _ => (body, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Indent, marker, symbol, body, block id, hard break.
    type Shape<'a> = (&'a str, &'a str, &'a str, &'a str, Option<&'a str>, &'a str);

    #[track_caller]
    fn check(line: &str, expected: Option<Shape<'_>>) {
        let parts =
            split(line).map(|p| (p.indentation, p.marker, p.symbol, p.body, p.block_id, p.hard_break));
        assert_eq!(parts, expected, "{line:?}");
    }

    #[test]
    fn shapes_of_a_task_line() {
        check("- [ ] x", Some(("", "-", " ", "x", None, "")));
        check("> - [x] x", Some(("> ", "-", "x", "x", None, "")));
        check("\t12) [é]  x y ^a-1", Some(("\t", "12)", "é", "x y", Some("a-1"), "")));
        check("- []] x", Some(("", "-", "]", "x", None, "")));
        check("- [ ]x  ", Some(("", "-", " ", "x", None, "  ")));
        check("- [ ] ^a", Some(("", "-", " ", "^a", None, "")));
        check("- [ ] x ^a_b", Some(("", "-", " ", "x ^a_b", None, "")));
    }

    #[test]
    fn lines_that_are_no_tasks() {
        for line in
            ["", "-[ ] x", "1.[ ] x", "[ ] x", "• [ ] x", "-\t[ ] x", "- [] x", "- [ab] x", "12 [ ] x"]
        {
            check(line, None);
        }
    }

    #[test]
    fn text_after_a_line_separator_is_not_read() {
        let parts = split("- [ ] a\u{2028}b").expect("a task");
        assert_eq!((parts.body, parts.unread), ("a", "b"));
        assert_eq!(split("- [ ] a\r").map(|p| (p.body, p.unread)), Some(("a", "")));
    }

    #[test]
    fn symbol_start_points_at_the_character() {
        let line = "> 1. [🔥] x";
        let parts = split(line).expect("a task");
        assert_eq!(line.get(parts.symbol_start..parts.symbol_start + parts.symbol.len()), Some("🔥"));
    }
}
