//! The fields at the end of a task's text, read from right to left.
//!
//! Source: the Tasks plugin 8.3.0. A field counts only when everything after it is fields or tags too, so
//! reading starts at the end of the line and goes on until nothing more matches. In a round the fields are
//! tried in a fixed order, each at the end of what the ones before it left. Tags met on the way move to the
//! end of the text. Where a field is repeated, the leftmost one in that zone wins.

use super::date::TaskDate;
use super::tags::tag_at_end;
use super::text::{tail_start, trim};
use super::{Format, OnCompletion, Priority, Reading};

/// The plugin stops after this many further rounds, so that a line of more fields than that keeps the
/// earlier ones in its text.
const MAX_ROUNDS: usize = 20;

/// The variation selector that may follow an emoji.
const VARIATION_SELECTOR: char = '\u{fe0f}';

/// What the end of a task's text says, as written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fields<'a> {
    /// The text before the fields, with the tags that stood between fields appended.
    pub description: String,
    pub priority: Option<Priority>,
    pub created: Option<TaskDate>,
    pub start: Option<TaskDate>,
    pub scheduled: Option<TaskDate>,
    pub due: Option<TaskDate>,
    pub done: Option<TaskDate>,
    pub cancelled: Option<TaskDate>,
    /// The rule's text without white space at its ends.
    pub recurrence: Option<&'a str>,
    /// The whole recurrence field as written.
    pub recurrence_field: &'a str,
    pub on_completion: Option<OnCompletion>,
    pub id: Option<&'a str>,
    pub depends_on: Vec<String>,
    /// Length of the text before the first field or moved tag, in bytes of the body.
    pub text_length: usize,
    /// Fields that were matched and will not be written back: an earlier one of the same kind, or a value
    /// that means nothing.
    pub dropped: Vec<&'a str>,
    /// Whether emoji and Dataview fields were met.
    pub formats: (bool, bool),
}

/// The kinds of fields in the order in which a round tries them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Priority,
    Done,
    Cancelled,
    Due,
    Scheduled,
    Start,
    Created,
    Recurrence,
    OnCompletion,
    Tag,
    Id,
    DependsOn,
}

const ROUND: [Kind; 12] = [
    Kind::Priority,
    Kind::Done,
    Kind::Cancelled,
    Kind::Due,
    Kind::Scheduled,
    Kind::Start,
    Kind::Created,
    Kind::Recurrence,
    Kind::OnCompletion,
    Kind::Tag,
    Kind::Id,
    Kind::DependsOn,
];

/// Reads the fields at the end of a task's body (already trimmed, without its block id).
pub(super) fn read(body: &str, reading: Reading) -> Fields<'_> {
    let mut fields = Fields::default();
    let mut rest = body;
    let mut trailing_tags: Vec<&str> = Vec::new();
    let mut seen: Vec<(Kind, &str)> = Vec::new();
    for _ in 0..=MAX_ROUNDS {
        let mut matched = false;
        for kind in ROUND {
            let Some((start, value, format)) = field_at_end(rest, kind, reading) else {
                continue;
            };
            let raw = rest.get(start..).unwrap_or_default();
            rest = trim(rest.get(..start).unwrap_or_default());
            matched = true;
            match format {
                Some(Format::Emoji) => fields.formats.0 = true,
                Some(Format::Dataview) => fields.formats.1 = true,
                None => {}
            }
            if kind == Kind::Tag {
                trailing_tags.push(value);
                continue;
            }
            // Reading goes right to left, so the later match, further left, replaces the earlier one.
            if let Some(earlier) = seen.iter_mut().find(|(seen_kind, _)| *seen_kind == kind) {
                fields.dropped.push(earlier.1);
                earlier.1 = raw;
            } else {
                seen.push((kind, raw));
            }
            if kind == Kind::Recurrence {
                fields.recurrence_field = raw;
            }
            fields.set(kind, value);
        }
        if !matched {
            break;
        }
    }
    if fields.on_completion.is_none()
        && let Some((_, raw)) = seen.iter().find(|(kind, _)| *kind == Kind::OnCompletion)
    {
        fields.dropped.push(raw);
    }
    fields.text_length = rest.len();
    fields.description = rest.to_owned();
    for tag in trailing_tags.iter().rev() {
        if !fields.description.is_empty() {
            fields.description.push(' ');
        }
        fields.description.push_str(tag);
    }
    fields
}

impl<'a> Fields<'a> {
    fn set(&mut self, kind: Kind, value: &'a str) {
        match kind {
            Kind::Priority => self.priority = Priority::from_name(value),
            Kind::Done => self.done = TaskDate::parse(value),
            Kind::Cancelled => self.cancelled = TaskDate::parse(value),
            Kind::Due => self.due = TaskDate::parse(value),
            Kind::Scheduled => self.scheduled = TaskDate::parse(value),
            Kind::Start => self.start = TaskDate::parse(value),
            Kind::Created => self.created = TaskDate::parse(value),
            Kind::Recurrence => self.recurrence = Some(trim(value)),
            Kind::OnCompletion => self.on_completion = OnCompletion::from_word(value),
            Kind::Tag => {}
            Kind::Id => self.id = Some(value),
            Kind::DependsOn => self.depends_on = split_ids(value),
        }
    }
}

/// The ids of a `depends on` value, which may have spaces around its commas.
fn split_ids(value: &str) -> Vec<String> {
    value.split(',').map(|id| id.replace(' ', "")).filter(|id| !id.is_empty()).collect()
}

/// The field of one kind that ends the text: where it starts, its value and the format it is written in.
fn field_at_end(text: &str, kind: Kind, reading: Reading) -> Option<(usize, &str, Option<Format>)> {
    if kind == Kind::Tag {
        return tag_at_end(text).map(|(start, tag)| (start, tag, None));
    }
    let emoji = || emoji_at_end(text, kind).map(|(start, value)| (start, value, Some(Format::Emoji)));
    let dataview = || inline_at_end(text, kind).map(|(start, value)| (start, value, Some(Format::Dataview)));
    match reading {
        Reading::Only(Format::Emoji) => emoji(),
        Reading::Only(Format::Dataview) => dataview(),
        Reading::Either => emoji().or_else(dataview),
    }
}

// ---------------------------------------------------------------- emoji

/// The emoji that open a field of this kind; the first is the one written.
const fn emojis(kind: Kind) -> &'static [char] {
    match kind {
        Kind::Priority | Kind::Tag => &[],
        Kind::Done => &['✅'],
        Kind::Cancelled => &['❌'],
        Kind::Due => &['📅', '📆', '🗓'],
        Kind::Scheduled => &['⏳', '⌛'],
        Kind::Start => &['🛫'],
        Kind::Created => &['➕'],
        Kind::Recurrence => &['🔁'],
        Kind::OnCompletion => &['🏁'],
        Kind::Id => &['🆔'],
        Kind::DependsOn => &['⛔'],
    }
}

/// An emoji field at the end of the text: symbol, an optional U+FE0F, spaces, value.
fn emoji_at_end(text: &str, kind: Kind) -> Option<(usize, &str)> {
    if kind == Kind::Priority {
        let before = text.strip_suffix(VARIATION_SELECTOR).unwrap_or(text);
        let priority = before.chars().next_back().and_then(Priority::from_emoji)?;
        let start = before.len() - priority.emoji().len_utf8();
        return Some((start, priority.name()));
    }
    let value_start = match kind {
        Kind::Recurrence => tail_start(text, is_rule_character),
        Kind::OnCompletion => tail_start(text, |c| c.is_ascii_alphabetic()),
        Kind::Id => tail_start(text, is_id_character),
        Kind::DependsOn => tail_start(text, |c| is_id_character(c) || matches!(c, ' ' | ',')),
        _ => text.len().checked_sub(DATE_LENGTH).filter(|start| text.is_char_boundary(*start))?,
    };
    let value = text.get(value_start..)?.trim_start_matches(' ');
    if !fits(kind, value) {
        return None;
    }
    let before = text.get(..value_start)?.trim_end_matches(' ');
    let before = before.strip_suffix(VARIATION_SELECTOR).unwrap_or(before);
    let symbol = before.chars().next_back().filter(|c| emojis(kind).contains(c))?;
    Some((before.len() - symbol.len_utf8(), value))
}

const DATE_LENGTH: usize = "2026-03-10".len();

const fn is_rule_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, ',' | ' ' | '!')
}

const fn is_id_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// Whether the whole value is one that a field of this kind can have.
fn fits(kind: Kind, value: &str) -> bool {
    match kind {
        Kind::Priority => Priority::from_name(value).is_some(),
        Kind::Recurrence => !value.is_empty() && value.chars().all(is_rule_character),
        Kind::OnCompletion => !value.is_empty() && value.chars().all(|c| c.is_ascii_alphabetic()),
        Kind::Id => !value.is_empty() && value.chars().all(is_id_character),
        Kind::DependsOn => value.split(',').all(|id| {
            let id = id.trim_matches(' ');
            !id.is_empty() && id.chars().all(is_id_character)
        }),
        Kind::Tag => false,
        _ => TaskDate::parse(value).is_some(),
    }
}

// ------------------------------------------------------------- dataview

/// The key of the Dataview field of this kind; case counts.
const fn key(kind: Kind) -> &'static str {
    match kind {
        Kind::Priority => "priority",
        Kind::Done => "completion",
        Kind::Cancelled => "cancelled",
        Kind::Due => "due",
        Kind::Scheduled => "scheduled",
        Kind::Start => "start",
        Kind::Created => "created",
        Kind::Recurrence => "repeat",
        Kind::OnCompletion => "onCompletion",
        Kind::Id => "id",
        Kind::DependsOn => "dependsOn",
        Kind::Tag => "",
    }
}

/// A Dataview field at the end of the text: `[key:: value]` or `(key:: value)`, spaces inside optional, an
/// optional comma after it.
fn inline_at_end(text: &str, kind: Kind) -> Option<(usize, &str)> {
    let without_comma = text.strip_suffix(',').map_or(text, |before| before.trim_end_matches(' '));
    let (inside, open) = match without_comma.chars().next_back()? {
        ']' => (without_comma.strip_suffix(']')?, '['),
        ')' => (without_comma.strip_suffix(')')?, '('),
        _ => return None,
    };
    // Neither key nor value holds a bracket, so the nearest character outside both must be the opening one.
    let content_start = tail_start(inside, |c| is_rule_character(c) || is_id_character(c) || c == ':');
    let start = inside.get(..content_start)?.strip_suffix(open)?.len();
    let content = inside.get(content_start..)?.trim_matches(' ');
    let value = content.strip_prefix(key(kind))?.strip_prefix("::")?.trim_start_matches(' ');
    fits(kind, value).then_some((start, value))
}
