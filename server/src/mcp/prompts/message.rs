//! A prompt's message: what the server says around pieces of the vault, kept within a length.
//!
//! What does not fit is cut between graphemes, and each piece says how much of it is missing. Room is
//! shared fairly: a long note takes none from the short lists beside it.

use super::boundary::{Label, escape, wrap};
use crate::mcp::answer::{cut, text_length};

/// A message in its parts.
#[derive(Debug, Default)]
pub(super) struct Message {
    /// What is to be done; the server's own words.
    pub(super) head: String,
    /// What there is to do it with. When not even their headings fit, the last ones go first.
    pub(super) parts: Vec<Part>,
    /// How to go about it; the server's own words.
    pub(super) tail: String,
}

/// A part under a heading.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// The heading; the server's own words.
    pub(super) title: String,
    /// Lines of the server's own, or what [`super::boundary::wrap_words`] made.
    pub(super) said: Vec<String>,
    /// A piece of the vault.
    pub(super) data: Option<Data>,
}

/// A piece of the vault.
#[derive(Debug)]
pub(super) struct Data {
    label: Label,
    /// Escaped.
    body: String,
    /// What its lines are.
    unit: &'static str,
    /// Lines of it, and those that were never looked up.
    total: usize,
    /// How to see the rest; the server's own words.
    rest: String,
}

impl Data {
    /// A text as it is.
    pub(super) fn text(label: Label, text: &str, rest: String) -> Self {
        let body = escape(text.trim_end());
        let total = body.split_inclusive('\n').count();
        Self { label, body, unit: "lines", total, rest }
    }

    /// The first rows of a list of `total`, one a line.
    pub(super) fn rows(
        label: Label,
        rows: &[String],
        total: usize,
        unit: &'static str,
        rest: String,
    ) -> Self {
        let body = escape(&rows.join("\n"));
        Self { label, body, unit, total: total.max(rows.len()), rest }
    }

    /// As much of it as fits into `room`, and how many lines are not whole.
    fn shown(&self, room: usize) -> (&str, usize) {
        let Some(end) = cut_within(&self.body, room) else {
            return (&self.body, self.total.saturating_sub(self.body.split_inclusive('\n').count()));
        };
        let shown = self.body.get(..end).unwrap_or_default();
        (shown, self.total.saturating_sub(shown.matches('\n').count()))
    }

    fn render(&self, room: usize) -> String {
        let (shown, missing) = self.shown(room);
        let mut text = String::new();
        if !shown.is_empty() {
            text = wrap(&self.label, shown);
        }
        if missing > 0 {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&self.left_out(missing));
        }
        text
    }

    fn left_out(&self, missing: usize) -> String {
        let space = if self.rest.is_empty() { "" } else { " " };
        format!("Left out: {missing} of {} {}.{space}{}", self.total, self.unit, self.rest)
    }

    /// Everything but the text itself, at its longest.
    fn frame(&self) -> usize {
        text_length(&wrap(&self.label, "x")) + text_length(&self.left_out(self.total)) + 2
    }
}

/// Where a text is cut: after a line when that leaves most of the room in use, else within one, between
/// graphemes. `None` when all of it fits.
fn cut_within(text: &str, room: usize) -> Option<usize> {
    let after_a_line = cut(text, room)?;
    let head = text.get(..after_a_line)?;
    let left = room.saturating_sub(text_length(head));
    if left * 4 < room || !head.ends_with('\n') {
        return Some(after_a_line);
    }
    let line = text.get(after_a_line..)?.split('\n').next()?;
    Some(after_a_line + cut(line, left)?)
}

impl Part {
    /// A part that only says something.
    pub(super) fn saying(title: &str, said: impl Into<String>) -> Self {
        Self { title: title.to_owned(), said: vec![said.into()], data: None }
    }

    /// A part that shows something.
    pub(super) fn showing(title: &str, data: Data) -> Self {
        Self { title: title.to_owned(), said: Vec::new(), data: Some(data) }
    }

    /// The same with a line before what it shows.
    pub(super) fn with(mut self, said: impl Into<String>) -> Self {
        self.said.push(said.into());
        self
    }

    fn render(&self, room: usize) -> String {
        let mut text = format!("## {}\n\n{}", self.title, self.said.join("\n"));
        if let Some(data) = &self.data {
            if !self.said.is_empty() {
                text.push_str("\n\n");
            }
            text.push_str(&data.render(room));
        }
        text
    }

    /// Characters it takes at most without the text of its data.
    fn frame(&self) -> usize {
        let said: usize = self.said.iter().map(|line| text_length(line) + 2).sum();
        let data = self.data.as_ref().map_or(0, Data::frame);
        text_length(&self.title) + said + data + 16
    }
}

impl Message {
    /// The message as text: at most `limit` characters, and `most` of them from the vault. Lengths are those
    /// of JSON, as everywhere.
    pub(super) fn compose(&self, most: usize, limit: usize) -> String {
        let mut kept = self.parts.len();
        loop {
            let (shown, dropped) = self.parts.split_at_checked(kept).unwrap_or_default();
            let note = left_out(dropped);
            let around = text_length(&self.head) + text_length(&self.tail) + text_length(&note) + 12;
            let frames: usize = shown.iter().map(Part::frame).sum();
            let room = limit.checked_sub(around + frames);
            // A part whose heading fits and whose text does not is worth nothing.
            let least = 40 * shown.iter().filter(|part| part.data.is_some()).count();
            match room {
                Some(room) if room >= least => return self.render(shown, &note, room.min(most)),
                _ if kept == 0 => return self.render(&[], &note, 0),
                _ => kept -= 1,
            }
        }
    }

    fn render(&self, parts: &[Part], note: &str, room: usize) -> String {
        let wanted: Vec<usize> =
            parts.iter().map(|part| part.data.as_ref().map_or(0, |data| text_length(&data.body))).collect();
        let shares = share(room, &wanted);
        let parts = parts.iter().zip(shares).map(|(part, share)| part.render(share));
        let pieces: Vec<String> = std::iter::once(self.head.clone())
            .chain(parts)
            .chain([note.to_owned(), self.tail.clone()])
            .filter(|piece| !piece.is_empty())
            .collect();
        pieces.join("\n\n")
    }
}

/// What is said of parts that are not there.
fn left_out(parts: &[Part]) -> String {
    if parts.is_empty() {
        return String::new();
    }
    let titles: Vec<&str> = parts.iter().take(12).map(|part| part.title.as_str()).collect();
    let more = parts.len() - titles.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("Left out, since the answer may not be longer: {}{more}.", titles.join(", "))
}

/// Divides `room` fairly: nobody gets more than it wants, and what one does not need goes to the others.
fn share(room: usize, wanted: &[usize]) -> Vec<usize> {
    let mut order: Vec<(usize, usize)> = wanted.iter().copied().enumerate().collect();
    order.sort_by_key(|(_, wanted)| *wanted);
    let mut shares = vec![0; wanted.len()];
    let (mut room, mut waiting) = (room, wanted.len());
    for (index, wanted) in order {
        let granted = wanted.min(room / waiting.max(1));
        if let Some(share) = shares.get_mut(index) {
            *share = granted;
        }
        room -= granted;
        waiting -= 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_shared_fairly() {
        assert_eq!(share(100, &[10, 500, 20, 0]), [10, 70, 20, 0]);
        assert_eq!(share(100, &[300, 500]), [50, 50]);
        assert_eq!(share(100, &[30, 30]), [30, 30]);
        assert_eq!(share(0, &[3, 5]), [0, 0]);
        assert_eq!(share(5, &[]), Vec::<usize>::new());
    }

    #[track_caller]
    fn cuts(text: &str, room: usize, expected: Option<&str>) {
        assert_eq!(cut_within(text, room).map(|end| &text[..end]), expected);
    }

    #[test]
    fn cuts_fall_after_a_line_or_between_graphemes() {
        cuts("short", 5, None);
        cuts("0123456789\nabcdef", 14, Some("0123456789\n"));
        cuts("# A\na very long line indeed", 20, Some("# A\na very long lin"));
        cuts("# A\nvery long 👨‍👩‍👧‍👦 line", 18, Some("# A\nvery long "));
        cuts("# A\n👨‍👩‍👧‍👦👨‍👩‍👧‍👦 line", 14, Some("# A\n👨‍👩‍👧‍👦"));
    }

    fn message(parts: usize, lines: usize) -> Message {
        let data = |index: usize| {
            let text = (0..lines).map(|line| format!("part {index} \"line\" {line}\n")).collect::<String>();
            Data::text(Label::new(format!("{index}.md"), "note"), &text, "Read on.".to_owned())
        };
        Message {
            head: "Head.".to_owned(),
            parts: (0..parts).map(|index| Part::showing(&format!("Part {index}"), data(index))).collect(),
            tail: "Tail.".to_owned(),
        }
    }

    #[test]
    fn a_message_that_fits_is_whole() {
        let text = message(2, 3).compose(60_000, 60_000);
        assert_eq!(
            text,
            "Head.\n\n## Part 0\n\n<vault-content source=\"0.md\" type=\"note\">\npart 0 \"line\" 0\npart 0 \
             \"line\" 1\npart 0 \"line\" 2\n</vault-content>\n\n## Part 1\n\n<vault-content source=\"1.md\" \
             type=\"note\">\npart 1 \"line\" 0\npart 1 \"line\" 1\npart 1 \"line\" 2\n</vault-content>\n\nTail."
        );
    }

    #[test]
    fn lengths_hold_at_every_size_and_what_is_missing_is_said() {
        for parts in [0, 1, 3, 30] {
            let message = message(parts, 40);
            for limit in [60, 100, 200, 500, 1_000, 5_000, 40_000] {
                let text = message.compose(usize::MAX, limit);
                let length = text_length(&text);
                let bare = message.compose(0, 0);
                assert!(length <= limit.max(text_length(&bare)), "{length} of {limit}: {text}");
                assert_eq!(text.matches("<vault-content").count(), text.matches("</vault-content>").count());
                assert!(text.starts_with("Head.") && text.ends_with("Tail."));
                let whole = message.compose(usize::MAX, usize::MAX);
                assert_eq!(text != whole, text.contains("Left out"), "{parts} {limit}: {text}");
            }
        }
        let text = message(2, 40).compose(200, 60_000);
        assert!(text.contains("Left out: 35 of 40 lines. Read on."), "{text}");
    }

    #[test]
    fn nothing_from_the_vault_when_there_is_no_room_for_it() {
        let text = message(2, 3).compose(1, 60_000);
        assert!(!text.contains("line\""), "{text}");
        let text = message(1, 3).compose(0, 60_000);
        assert_eq!(text, "Head.\n\n## Part 0\n\nLeft out: 3 of 3 lines. Read on.\n\nTail.");
    }

    #[test]
    fn rows_count_those_that_were_never_looked_up() {
        let rows = ["a".to_owned(), "b".to_owned()];
        let data = Data::rows(Label::new("x", "tags"), &rows, 7, "tags", String::new());
        let message = Message { parts: vec![Part::showing("T", data)], ..Message::default() };
        assert_eq!(
            message.compose(100, 1_000),
            "## T\n\n<vault-content source=\"x\" type=\"tags\">\na\nb\n</vault-content>\nLeft out: 5 of 7 tags."
        );
    }
}
