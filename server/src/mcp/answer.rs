//! Keeping an answer within `MAX_ANSWER_CHARS`: what is left out is counted, and the exact
//! argument for the next part is given.
//!
//! Lengths are those of the text inside a JSON string (a line break counts two), so that neither
//! the text block nor the structured content goes over the limit.

use schemars::JsonSchema;
use serde::Serialize;
use unicode_segmentation::GraphemeCursor;

/// What an answer leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct LeftOut {
    /// How many entries, lines or characters are not in this answer.
    pub(crate) count: usize,
    /// What is counted.
    pub(crate) unit: &'static str,
    /// Arguments to add to the same call for the next part.
    pub(crate) continue_with: ContinueWith,
}

/// The arguments that continue an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct ContinueWith {
    /// Entries to skip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<usize>,
    /// First line of the next part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start_line: Option<usize>,
    /// First character of the next part within that line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start_char: Option<usize>,
}

impl LeftOut {
    /// The same in words, for a text block.
    pub(crate) fn in_words(&self) -> String {
        let mut arguments = Vec::new();
        for (name, value) in [
            ("offset", self.continue_with.offset),
            ("start_line", self.continue_with.start_line),
            ("start_char", self.continue_with.start_char),
        ] {
            arguments.extend(value.map(|value| format!("{name}: {value}")));
        }
        format!("{} more {} (continue with {})", self.count, self.unit, arguments.join(", "))
    }
}

/// Room kept for what stands around a list or a text: field names, totals, the words of a cut.
pub(crate) const AROUND: usize = 600;

/// The rows of a list that fit.
#[derive(Debug)]
pub(crate) struct Rows<T> {
    /// The rows of this part.
    pub(crate) rows: Vec<T>,
    /// What does not fit, when something does not.
    pub(crate) left_out: Option<LeftOut>,
}

/// A row that may be too long for any answer on its own.
pub(crate) trait Shorten {
    /// Gives up what is long and not needed to tell which entry this is.
    fn shorten(&mut self) {}
}

/// Takes the rows that fit into `most` characters of JSON.
///
/// `rows` begin at entry `offset` of a list of `total`; `unit` says what they are.
pub(crate) fn fit<T: Serialize + Shorten>(
    mut rows: Vec<T>,
    offset: usize,
    total: usize,
    most: usize,
    unit: &'static str,
) -> Rows<T> {
    let mut room = most.saturating_sub(AROUND);
    let mut kept = 0;
    for row in &mut rows {
        let mut length = json_length(row);
        if length > most / 4 {
            row.shorten();
            length = json_length(row);
        }
        // One row is always shown: an answer that shows none could not be continued.
        if length > room && kept > 0 {
            break;
        }
        room = room.saturating_sub(length);
        kept += 1;
    }
    rows.truncate(kept);
    let next = offset + kept;
    let left_out = (next < total && kept > 0).then(|| LeftOut {
        count: total - next,
        unit,
        continue_with: ContinueWith { offset: Some(next), ..ContinueWith::default() },
    });
    Rows { rows, left_out }
}

/// Characters of a value as JSON, the comma after it included.
pub(crate) fn json_length(value: &impl Serialize) -> usize {
    serde_json::to_string(value).map_or(0, |text| text.chars().count() + 1)
}

/// Where a text is cut so that its beginning takes at most `most` characters of JSON: after a
/// line if one ends there, else between two graphemes. `None` when all of it fits.
pub(crate) fn cut(text: &str, most: usize) -> Option<usize> {
    let mut room = most;
    let limit =
        text.char_indices().find_map(|(index, character)| match room.checked_sub(json_width(character)) {
            Some(rest) => {
                room = rest;
                None
            }
            None => Some(index),
        })?;
    let head = text.get(..limit)?;
    if let Some(line_break) = head.rfind('\n') {
        return Some(line_break + 1);
    }
    match grapheme_border(text, limit) {
        // A single grapheme longer than an answer is cut between its characters.
        0 => Some(limit),
        border => Some(border),
    }
}

/// The last grapheme border at or before `limit`, which is a character border.
fn grapheme_border(text: &str, limit: usize) -> usize {
    let mut cursor = GraphemeCursor::new(limit, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) => limit,
        _ => cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0),
    }
}

/// Characters that a character takes within a JSON string.
fn json_width(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        character if character < ' ' => 6,
        _ => 1,
    }
}

/// Characters of a text within a JSON string.
pub(crate) fn text_length(text: &str) -> usize {
    text.chars().map(json_width).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Serialize)]
    struct Row(String);
    impl Shorten for Row {
        fn shorten(&mut self) {
            self.0.truncate(3);
        }
    }

    fn rows(count: usize, length: usize) -> Vec<Row> {
        (0..count).map(|_| Row("x".repeat(length))).collect()
    }

    #[test]
    fn rows_that_fit_are_all_there() {
        let fitted = fit(rows(10, 10), 0, 10, 2_000, "notes");
        assert_eq!(fitted.rows.len(), 10);
        assert_eq!(fitted.left_out, None);
    }

    #[test]
    fn the_rest_is_counted_and_can_be_continued() {
        let fitted = fit(rows(100, 97), 50, 150, 2_000, "notes");
        assert_eq!(fitted.rows.len(), 14);
        let left_out = fitted.left_out.unwrap();
        assert_eq!(left_out.count, 86);
        assert_eq!(left_out.continue_with.offset, Some(64));
        assert_eq!(left_out.in_words(), "86 more notes (continue with offset: 64)");
    }

    #[test]
    fn a_limit_below_the_total_is_said_too() {
        let fitted = fit(rows(20, 3), 0, 55, 60_000, "notes");
        assert_eq!(fitted.left_out.unwrap().count, 35);
    }

    #[test]
    fn a_row_longer_than_an_answer_is_shortened_and_shown() {
        let fitted = fit(rows(2, 100_000), 0, 2, 2_000, "notes");
        assert_eq!(fitted.rows.iter().map(|row| row.0.as_str()).collect::<Vec<_>>(), ["xxx", "xxx"]);
    }

    #[test]
    fn an_offset_past_the_end_leaves_nothing_out() {
        let fitted = fit(Vec::<Row>::new(), 70, 60, 2_000, "notes");
        assert!(fitted.rows.is_empty());
        assert_eq!(fitted.left_out, None);
    }

    #[track_caller]
    fn cuts(text: &str, most: usize, expected: Option<&str>) {
        let head = cut(text, most).map(|index| text.get(..index).expect("a character border"));
        assert_eq!(head, expected, "{text:?} at {most}");
    }

    #[test]
    fn texts_are_cut_after_a_line() {
        cuts("one\ntwo\nthree", 100, None);
        cuts("one\ntwo\nthree", 11, Some("one\ntwo\n"));
        cuts("one\ntwo\nthree", 9, Some("one\n"));
        cuts("one\r\ntwo", 7, Some("one\r\n"));
        cuts("", 0, None);
    }

    #[test]
    fn a_long_line_is_cut_between_graphemes() {
        cuts("abcdef", 3, Some("abc"));
        // A family of four and a flag are one grapheme each.
        cuts("ab👨‍👩‍👧‍👦cd", 4, Some("ab"));
        cuts("a🇩🇪🇫🇷", 2, Some("a"));
        cuts("ae\u{301}x", 2, Some("a"));
        cuts("\r\nabc", 3, Some("\r"));
    }

    #[test]
    fn a_grapheme_longer_than_an_answer_is_cut_all_the_same() {
        let text = format!("e{}", "\u{301}".repeat(50));
        assert_eq!(cut(&text, 10), Some(1 + 9 * 2));
    }

    #[test]
    fn lengths_are_those_of_json() {
        for text in ["plain", "a\"b\\c\nd\te", "\u{1}\u{8}\u{c}", "müßig 漢字 👨‍👩‍👧‍👦"]
        {
            let json = serde_json::to_string(text).unwrap();
            assert_eq!(text_length(text), json.chars().count() - 2, "{text:?}");
        }
    }
}
