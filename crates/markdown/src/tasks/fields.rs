//! The fields at the end of a task's text, read from right to left.
//!
//! Source: the Tasks plugin 8.3.0. A field counts only when everything after it is fields or tags too, so
//! reading starts at the end of the line and goes on until nothing more matches. In a round the fields are
//! tried in a fixed order, each at the end of what the ones before it left. Tags met on the way move to the
//! end of the text. Where a field is repeated, the leftmost one in that zone wins.

use super::date::TaskDate;
use super::tags::tag_at_end;
use super::text::{tail_start, trim};
use super::{Field, Format, Priority, Reading};

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
    /// The fields that count, each once.
    pub found: Vec<Found<'a>>,
    /// Further fields of a kind that is there already.
    pub repeated: Vec<Found<'a>>,
}

/// What a round looks for, in order; `None` is a tag.
const ROUND: [Option<Field>; 12] = [
    Some(Field::Priority),
    Some(Field::Done),
    Some(Field::Cancelled),
    Some(Field::Due),
    Some(Field::Scheduled),
    Some(Field::Start),
    Some(Field::Created),
    Some(Field::Recurrence),
    Some(Field::OnCompletion),
    None,
    Some(Field::Id),
    Some(Field::DependsOn),
];

/// Reads the fields at the end of a task's body (already trimmed, without its block id).
pub(super) fn read(body: &str, reading: Reading) -> Fields<'_> {
    let mut fields = Fields::default();
    let mut rest = body;
    let mut trailing_tags: Vec<&str> = Vec::new();
    for _ in 0..=MAX_ROUNDS {
        let mut matched = false;
        for field in ROUND {
            let Some(field) = field else {
                if let Some((start, tag)) = tag_at_end(rest) {
                    trailing_tags.push(tag);
                    rest = trim(rest.get(..start).unwrap_or_default());
                    matched = true;
                }
                continue;
            };
            if let Some((start, value, format)) = field_at_end(rest, field, reading) {
                let text = rest.get(start..).unwrap_or_default();
                fields.add(Found { field, format, text, value }, reading);
                rest = trim(rest.get(..start).unwrap_or_default());
                matched = true;
            }
        }
        if !matched {
            break;
        }
    }
    fields.description = rest.to_owned();
    for tag in trailing_tags.iter().rev() {
        if !fields.description.is_empty() {
            fields.description.push(' ');
        }
        fields.description.push_str(tag);
    }
    fields
}

/// A field met at the end of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found<'a> {
    pub field: Field,
    pub format: Format,
    /// The whole field as written.
    pub text: &'a str,
    pub value: &'a str,
}

impl<'a> Fields<'a> {
    /// Takes in a field that stands left of all others so far. It replaces one of its kind, unless that one
    /// is in the vault's own format and this is not.
    fn add(&mut self, found: Found<'a>, reading: Reading) {
        let Some(earlier) = self.found.iter_mut().find(|earlier| earlier.field == found.field) else {
            self.found.push(found);
            return;
        };
        let own = |format: Format| reading == Reading::Either(format);
        let (kept, lost) =
            if own(earlier.format) && !own(found.format) { (*earlier, found) } else { (found, *earlier) };
        *earlier = kept;
        self.repeated.push(lost);
    }

    /// The value of a field, if it is there.
    pub(super) fn value(&self, field: Field) -> Option<&'a str> {
        self.found.iter().find(|found| found.field == field).map(|found| found.value)
    }

    /// The date of a field, if it is there.
    pub(super) fn date(&self, field: Field) -> Option<TaskDate> {
        self.value(field).and_then(TaskDate::parse)
    }

    /// Whether a field of this format was met.
    pub(super) fn has(&self, format: Format) -> bool {
        self.found.iter().any(|found| found.format == format)
    }
}

/// The ids of a `depends on` value, which may have spaces around its commas.
pub(super) fn split_ids(value: &str) -> Vec<String> {
    value.split(',').map(|id| id.replace(' ', "")).filter(|id| !id.is_empty()).collect()
}

/// The field of one kind that ends the text: where it starts, its value and the format it is written in.
fn field_at_end(text: &str, field: Field, reading: Reading) -> Option<(usize, &str, Format)> {
    let emoji = || emoji_at_end(text, field).map(|(start, value)| (start, value, Format::Emoji));
    let dataview = || inline_at_end(text, field).map(|(start, value)| (start, value, Format::Dataview));
    match reading {
        Reading::Only(Format::Emoji) => emoji(),
        Reading::Only(Format::Dataview) => dataview(),
        Reading::Either(_) => emoji().or_else(dataview),
    }
}

// ---------------------------------------------------------------- emoji

/// The emoji that open a field of this kind; the first is the one written.
const fn emojis(field: Field) -> &'static [char] {
    match field {
        Field::Description | Field::Priority => &[],
        Field::Done => &['✅'],
        Field::Cancelled => &['❌'],
        Field::Due => &['📅', '📆', '🗓'],
        Field::Scheduled => &['⏳', '⌛'],
        Field::Start => &['🛫'],
        Field::Created => &['➕'],
        Field::Recurrence => &['🔁'],
        Field::OnCompletion => &['🏁'],
        Field::Id => &['🆔'],
        Field::DependsOn => &['⛔'],
    }
}

/// An emoji field at the end of the text: symbol, an optional U+FE0F, spaces, value.
fn emoji_at_end(text: &str, field: Field) -> Option<(usize, &str)> {
    if field == Field::Priority {
        let before = text.strip_suffix(VARIATION_SELECTOR).unwrap_or(text);
        let priority = before.chars().next_back().and_then(Priority::from_emoji)?;
        let start = before.len() - priority.emoji().len_utf8();
        return Some((start, priority.name()));
    }
    let value_start = match field {
        Field::Recurrence => tail_start(text, is_rule_character),
        Field::OnCompletion => tail_start(text, |c| c.is_ascii_alphabetic()),
        Field::Id => tail_start(text, is_id_character),
        Field::DependsOn => tail_start(text, |c| is_id_character(c) || matches!(c, ' ' | ',')),
        _ => text.len().checked_sub(DATE_LENGTH).filter(|start| text.is_char_boundary(*start))?,
    };
    let value = text.get(value_start..)?.trim_start_matches(' ');
    if !fits(field, value) {
        return None;
    }
    let before = text.get(..value_start)?.trim_end_matches(' ');
    let before = before.strip_suffix(VARIATION_SELECTOR).unwrap_or(before);
    let symbol = before.chars().next_back().filter(|c| emojis(field).contains(c))?;
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
fn fits(field: Field, value: &str) -> bool {
    match field {
        Field::Priority => Priority::from_name(value).is_some(),
        Field::Recurrence => !value.is_empty() && value.chars().all(is_rule_character),
        Field::OnCompletion => !value.is_empty() && value.chars().all(|c| c.is_ascii_alphabetic()),
        Field::Id => !value.is_empty() && value.chars().all(is_id_character),
        Field::DependsOn => value.split(',').all(|id| {
            let id = id.trim_matches(' ');
            !id.is_empty() && id.chars().all(is_id_character)
        }),
        Field::Description => false,
        _ => TaskDate::parse(value).is_some(),
    }
}

// ------------------------------------------------------------- dataview

/// The key of the Dataview field of this kind; case counts.
const fn key(field: Field) -> &'static str {
    match field {
        Field::Priority => "priority",
        Field::Done => "completion",
        Field::Cancelled => "cancelled",
        Field::Due => "due",
        Field::Scheduled => "scheduled",
        Field::Start => "start",
        Field::Created => "created",
        Field::Recurrence => "repeat",
        Field::OnCompletion => "onCompletion",
        Field::Id => "id",
        Field::DependsOn => "dependsOn",
        Field::Description => "",
    }
}

/// A Dataview field at the end of the text: `[key:: value]` or `(key:: value)`, spaces inside optional, an
/// optional comma after it.
fn inline_at_end(text: &str, field: Field) -> Option<(usize, &str)> {
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
    let value = content.strip_prefix(key(field))?.strip_prefix("::")?.trim_start_matches(' ');
    fits(field, value).then_some((start, value))
}
