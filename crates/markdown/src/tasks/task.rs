//! A task as a value, and the line the plugin writes for it.
//!
//! Order of writing: text, id, depends on, priority, recurrence, on completion, created, start, scheduled,
//! due, cancelled, done, block id.

use super::date::TaskDate;
use super::fields;
use super::fields::Fields;
use super::line;
use super::line::Parts;
use super::recurrence::Occurrence;
use super::recurrence::Recurrence;
use super::settings::Settings;
use super::tags::tags;
use super::text::trim;
use super::{Dropped, Field, Format, OnCompletion, Priority, Reading};

/// One task line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// White space and quote marks before the list marker, kept as written.
    pub indentation: String,
    /// The list marker, kept as written.
    pub marker: String,
    /// The character in the check box. Empty only for a line made from a status without a next symbol.
    pub symbol: String,
    /// The text before the fields; tags that stood between fields are at its end.
    pub description: String,
    /// Tags of the description with `#`, without the global filter.
    pub tags: Vec<String>,
    /// Priority; `None` is "normal".
    pub priority: Option<Priority>,
    /// When the task was made.
    pub created: Option<TaskDate>,
    /// When work can begin.
    pub start: Option<TaskDate>,
    /// When it is planned for.
    pub scheduled: Option<TaskDate>,
    /// Whether `scheduled` was guessed from the file name; a guess is never written.
    pub scheduled_inferred: bool,
    /// When it has to be finished.
    pub due: Option<TaskDate>,
    /// When it was finished.
    pub done: Option<TaskDate>,
    /// When it was given up.
    pub cancelled: Option<TaskDate>,
    /// The repeat rule. `None` too when the text after 🔁 is no rule; see `dropped`.
    pub recurrence: Option<Recurrence>,
    /// What happens on completion.
    pub on_completion: Option<OnCompletion>,
    /// The id that others depend on.
    pub id: Option<String>,
    /// Ids of the tasks that have to be finished first.
    pub depends_on: Vec<String>,
    /// The block id at the end of the line, without `^`.
    pub block_id: Option<String>,
    /// Two or more spaces at the end of the line.
    pub hard_break: String,
    /// Pieces of the line that were read but would not be written back: a date that does not exist, a repeat
    /// rule that is none, an unknown word after 🏁, the other ones of a repeated field, text after a stray
    /// line separator.
    pub dropped: Vec<Dropped>,
    /// Whether emoji fields were read.
    pub has_emoji_fields: bool,
    /// Whether Dataview fields were read.
    pub has_dataview_fields: bool,
}

impl Task {
    /// Reads a line (without its line break) as the plugin does with these settings: `None` when it is no
    /// task or lacks the global filter.
    ///
    /// `file_date` is the date in the note's name (see [`super::date_in_path`]); it becomes the scheduled
    /// date of a task that has neither start, scheduled nor due.
    pub fn read(line: &str, settings: &Settings, file_date: Option<jiff::civil::Date>) -> Option<Self> {
        let parts = line::split(line)?;
        settings
            .includes(parts.body)
            .then(|| Self::from_parts(&parts, settings.format.into(), settings, file_date))
    }

    /// Reads the parts of a task line in a format of the caller's choice, without asking for the global
    /// filter.
    pub fn from_parts(
        parts: &Parts<'_>,
        reading: Reading,
        settings: &Settings,
        file_date: Option<jiff::civil::Date>,
    ) -> Self {
        let fields = fields::read(parts.body, reading);
        let start = fields.date(Field::Start);
        let scheduled = fields.date(Field::Scheduled);
        let due = fields.date(Field::Due);
        let reference =
            Occurrence { start, scheduled, due }.reference(settings.remove_scheduled_date_on_recurrence);
        let recurrence =
            fields.value(Field::Recurrence).and_then(|rule| Recurrence::parse(trim(rule), reference));
        let on_completion = fields.value(Field::OnCompletion).and_then(OnCompletion::from_word);
        let guessed = file_date.filter(|_| start.is_none() && scheduled.is_none() && due.is_none());
        let mut tags = tags(&fields.description);
        tags.retain(|tag| *tag != settings.global_filter);
        let mut task = Self {
            indentation: parts.indentation.to_owned(),
            marker: parts.marker.to_owned(),
            symbol: parts.symbol.to_owned(),
            tags,
            priority: fields.value(Field::Priority).and_then(Priority::from_name),
            created: fields.date(Field::Created),
            start,
            scheduled: scheduled.or(guessed.map(TaskDate::Day)),
            scheduled_inferred: guessed.is_some(),
            due,
            done: fields.date(Field::Done),
            cancelled: fields.date(Field::Cancelled),
            recurrence,
            on_completion,
            id: fields.value(Field::Id).map(str::to_owned),
            depends_on: fields.value(Field::DependsOn).map(fields::split_ids).unwrap_or_default(),
            block_id: parts.block_id.map(str::to_owned),
            hard_break: parts.hard_break.to_owned(),
            dropped: Vec::new(),
            has_emoji_fields: fields.has(Format::Emoji),
            has_dataview_fields: fields.has(Format::Dataview),
            description: String::new(),
        };
        task.dropped = dropped(&fields, &task, parts);
        task.description = fields.description;
        task
    }

    /// The start, scheduled and due date together.
    pub const fn occurrence(&self) -> Occurrence {
        Occurrence { start: self.start, scheduled: self.scheduled, due: self.due }
    }

    /// The line as the plugin writes it, without a line break.
    pub fn to_line(&self, format: Format) -> String {
        let mut line = String::with_capacity(self.description.len() + 64);
        line.push_str(&self.indentation);
        line.push_str(&self.marker);
        line.push_str(" [");
        line.push_str(&self.symbol);
        line.push_str("] ");
        line.push_str(&self.description);
        self.write_fields(format, &mut line);
        if let Some(block_id) = &self.block_id {
            line.push_str(" ^");
            line.push_str(block_id);
        }
        line.push_str(&self.hard_break);
        line
    }

    fn write_fields(&self, format: Format, line: &mut String) {
        if let Some(id) = &self.id {
            push_field(line, format, '🆔', "id", id);
        }
        if !self.depends_on.is_empty() {
            push_field(line, format, '⛔', "dependsOn", &self.depends_on.join(","));
        }
        match (self.priority, format) {
            (Some(priority), Format::Emoji) => {
                line.push(' ');
                line.push(priority.emoji());
            }
            (Some(priority), Format::Dataview) => push_field(line, format, ' ', "priority", priority.name()),
            (None, _) => {}
        }
        if let Some(recurrence) = &self.recurrence {
            push_field(line, format, '🔁', "repeat", &recurrence.to_string());
        }
        if let Some(action) = self.on_completion {
            push_field(line, format, '🏁', "onCompletion", action.word());
        }
        let scheduled = self.scheduled.filter(|_| !self.scheduled_inferred);
        for (emoji, key, date) in [
            ('➕', "created", self.created),
            ('🛫', "start", self.start),
            ('⏳', "scheduled", scheduled),
            ('📅', "due", self.due),
            ('❌', "cancelled", self.cancelled),
            ('✅', "completion", self.done),
        ] {
            if let Some(date) = date {
                push_field(line, format, emoji, key, &date.to_string());
            }
        }
    }
}

/// What a rewriting of the line would lose.
fn dropped(fields: &Fields<'_>, task: &Task, parts: &Parts<'_>) -> Vec<Dropped> {
    let meaningless = fields.found.iter().filter(|found| match found.field {
        Field::Recurrence => task.recurrence.is_none(),
        Field::OnCompletion => task.on_completion.is_none(),
        field => fields.date(field) == Some(TaskDate::Invalid),
    });
    let pieces = meaningless.chain(&fields.repeated);
    let mut dropped: Vec<Dropped> =
        pieces.map(|found| Dropped { field: found.field, text: found.text.to_owned() }).collect();
    if !parts.unread.is_empty() {
        dropped.push(Dropped { field: Field::Description, text: parts.unread.to_owned() });
    }
    dropped
}

/// Appends one field: one space before an emoji field, two before a Dataview one (with a single space every
/// other field would not be shown).
fn push_field(line: &mut String, format: Format, emoji: char, key: &str, value: &str) {
    match format {
        Format::Emoji => {
            line.push(' ');
            line.push(emoji);
            line.push(' ');
            line.push_str(value);
        }
        Format::Dataview => {
            line.push_str("  [");
            line.push_str(key);
            line.push_str(":: ");
            line.push_str(value);
            line.push(']');
        }
    }
}
