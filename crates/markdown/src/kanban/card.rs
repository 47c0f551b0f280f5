//! One card: its box, its text, what the plugin finds in it.

use serde_json::{Map, Value};

use crate::Span;

/// A card of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// The character in its box; a space when it has none.
    pub check: char,
    /// Its text: lines joined by LF, the indentation of the card's own lines taken off, block id cut off.
    pub title: String,
    /// The block id that saving writes at the end of its first line.
    pub block_id: Option<String>,
    /// Tags with `#`.
    pub tags: Vec<String>,
    /// The date behind the date trigger, as written.
    pub date: Option<String>,
    /// The time behind the time trigger, as written.
    pub time: Option<String>,
    /// Its lines in the file, from the start of the first to the end of the last with text, line break
    /// included.
    pub span: Span,
}

impl Card {
    /// Whether the box is marked, with whatever character.
    pub const fn is_checked(&self) -> bool {
        self.check != ' '
    }
}

/// What an item of a list says as a card: `lines` are those of the item without line breaks, the first one
/// without its marker and box.
pub(super) fn card(check: Option<char>, lines: &[&str], settings: &Map<String, Value>, span: Span) -> Card {
    let mut block_id = None;
    let mut text: Vec<String> = dedent(lines);
    // An id at the end of the card's own paragraph moves to its first line; one further down, in a list
    // below the card, is copied from there.
    let paragraph = text.iter().skip(1).take_while(|line| !starts_block(line)).count() + 1;
    for (index, line) in text.iter_mut().enumerate() {
        if let Some((before, id)) = block_id_at_end(line) {
            block_id = Some(id.to_owned());
            let before = before.len();
            if index < paragraph {
                line.truncate(before);
            }
        }
    }
    let title = text.join("\n").replace("<br>", "\n").trim().to_owned();
    let (date, time) = date_and_time(&title, settings);
    Card { check: check.unwrap_or(' '), tags: tags(&title), title, block_id, date, time, span }
}

/// Takes one level of indentation off the lines after the first: a tab, or as many spaces as the first
/// indented one has, at most four.
fn dedent(lines: &[&str]) -> Vec<String> {
    let spaces = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let level = lines.iter().skip(1).map(|line| spaces(line)).find(|spaces| *spaces > 0).unwrap_or(0).min(4);
    let dedented = lines.iter().enumerate().map(|(index, line)| {
        let cut = match line.strip_prefix('\t') {
            _ if index == 0 => line.trim(),
            Some(rest) => rest,
            None => line.get(spaces(line).min(level)..).unwrap_or_default(),
        };
        cut.trim_end().to_owned()
    });
    dedented.collect()
}

/// Whether a line begins something else than the paragraph before it.
fn starts_block(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty()
        || line.starts_with('>')
        || line.starts_with("```")
        || line.starts_with("~~~")
        || crate::tasks::marker_length(line)
            .and_then(|length| line.get(length..))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Cuts ` ^id` (at the start of the line without the space) off a line.
fn block_id_at_end(line: &str) -> Option<(&str, &str)> {
    let id_start = line.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).len();
    let (before, id) = line.split_at(id_start);
    let before = before.strip_suffix('^')?;
    let free = before.is_empty() || before.ends_with([' ', '\t']);
    (free && !id.is_empty()).then(|| (before.trim_end(), id))
}

fn tags(title: &str) -> Vec<String> {
    // A blank line before keeps a title that begins with `---` from being read as properties.
    let document = crate::document::parse(&format!("\n{title}"));
    document.tags.into_iter().map(|tag| format!("#{}", tag.name)).collect()
}

/// The first date and the first time in a title: trigger, then the value in braces, or a date as a wikilink.
/// A date as a Markdown link counts only where the board links dates to daily notes.
fn date_and_time(title: &str, settings: &Map<String, Value>) -> (Option<String>, Option<String>) {
    let trigger = |key: &str, default: &'static str| {
        let set = settings.get(key).and_then(Value::as_str);
        set.filter(|trigger| !trigger.is_empty()).unwrap_or(default).to_owned()
    };
    let date_trigger = trigger("date-trigger", "@");
    let time_trigger = trigger("time-trigger", "@@");
    let linked = settings.get("link-date-to-daily-note").and_then(Value::as_bool).unwrap_or(false);
    // The date trigger may be the end of the time trigger, as it is by default.
    let is_time = |start: usize| {
        let before = title.get(..start + date_trigger.len()).unwrap_or_default();
        time_trigger.len() > date_trigger.len() && before.ends_with(&time_trigger)
    };
    let date = title.match_indices(date_trigger.as_str()).filter(|(start, _)| !is_time(*start)).find_map(
        |(start, _)| {
            let after = title.get(start + date_trigger.len()..)?;
            let linked_text = || enclosed(after, "[", "](").filter(|_| linked);
            enclosed(after, "{", "}").or_else(|| enclosed(after, "[[", "]]")).or_else(linked_text)
        },
    );
    let time = title
        .match_indices(time_trigger.as_str())
        .find_map(|(start, _)| enclosed(title.get(start + time_trigger.len()..)?, "{", "}"));
    (date.map(str::to_owned), time.map(str::to_owned))
}

/// What stands between two marks at the start of the text: a short piece of one line.
fn enclosed<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    /// No date is written longer than this; a limit keeps a row of openings without a close cheap.
    const MAX_LENGTH: usize = 128;
    let inside = text.strip_prefix(open)?;
    let inside = inside.get(..inside.floor_char_boundary(MAX_LENGTH))?;
    let (value, _) = inside.split_once(close)?;
    (!value.is_empty() && !value.contains(['\n', '[', '{'])).then_some(value)
}
