//! Changing the fields of one task line.

use jiff::civil::Date;

use super::error::EditError;
use crate::tasks::dependencies::is_task_id;
use crate::tasks::fields;
use crate::tasks::line::{Parts, split};
use crate::tasks::task::Task;
use crate::tasks::text::{is_line_end, trim};
use crate::tasks::toggle::{Change, apply};
use crate::tasks::{
    Dropped, Field, Format, OnCompletion, Priority, Reading, Recurrence, Settings, StatusType, TaskDate,
};

/// What to change. `None` leaves a field as it is; `Some(None)` clears it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edit {
    /// The text before the fields.
    pub description: Option<String>,
    /// Priority.
    pub priority: Option<Option<Priority>>,
    /// Repeat rule, as the plugin reads it.
    pub recurrence: Option<Option<String>>,
    /// What happens on completion.
    pub on_completion: Option<Option<OnCompletion>>,
    /// Created date.
    pub created: Option<Option<Date>>,
    /// Start date.
    pub start: Option<Option<Date>>,
    /// Scheduled date.
    pub scheduled: Option<Option<Date>>,
    /// Due date.
    pub due: Option<Option<Date>>,
    /// The id that others depend on.
    pub id: Option<Option<String>>,
    /// Ids of the tasks to be finished first; an empty list clears them.
    pub depends_on: Option<Vec<String>>,
    /// Block id without `^`.
    pub block_id: Option<Option<String>>,
    /// The new status, by what it means; the registry says which symbol that is.
    pub status: Option<StatusType>,
}

impl Edit {
    /// Whether nothing is asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether this edit is about nothing that two readings of a line differ in.
    fn leaves_what_differs(&self, one: &Task, other: &Task) -> bool {
        let same = |set: bool, same: bool| !set || same;
        self.description.is_none()
            && same(self.priority.is_some(), one.priority == other.priority)
            && same(self.recurrence.is_some(), one.recurrence == other.recurrence)
            && same(self.on_completion.is_some(), one.on_completion == other.on_completion)
            && same(self.created.is_some(), one.created == other.created)
            && same(self.start.is_some(), one.start == other.start)
            && same(self.scheduled.is_some(), one.scheduled == other.scheduled)
            && same(self.due.is_some(), one.due == other.due)
            && same(self.id.is_some(), one.id == other.id)
            && same(self.depends_on.is_some(), one.depends_on == other.depends_on)
    }

    /// Whether this edit says anew what a field holds.
    fn sets(&self, field: Field) -> bool {
        match field {
            Field::Description => self.description.is_some(),
            Field::Priority => self.priority.is_some(),
            Field::Due => self.due.is_some(),
            Field::Scheduled => self.scheduled.is_some(),
            Field::Start => self.start.is_some(),
            Field::Created => self.created.is_some(),
            Field::Recurrence => self.recurrence.is_some(),
            Field::OnCompletion => self.on_completion.is_some(),
            Field::Id => self.id.is_some(),
            Field::DependsOn => self.depends_on.is_some(),
            // Status changes set these dates, but only ever to their own.
            Field::Done | Field::Cancelled => self.status.is_some(),
        }
    }
}

/// A new task with the fields of the edit, not yet placed: no indent, marker `-`, the registry's symbol for
/// "to do". The created date is today's where the settings want one.
///
/// # Errors
/// A text or value that cannot be written so that it reads back the same.
pub fn draft(edit: &Edit, settings: &Settings, format: Format, today: Date) -> Result<Task, EditError> {
    let symbol = todo_symbol(settings)?;
    let parts = split("- [ ] ").ok_or(EditError::NotReadThere)?;
    let mut task = Task::from_parts(&parts, Reading::Only(format), settings, None);
    task.symbol = symbol;
    task.created = settings.set_created_date.then_some(TaskDate::Day(today));
    set_fields(&mut task, edit, settings)?;
    if trim(&task.description).is_empty() {
        return Err(EditError::EmptyDescription);
    }
    reads_back(&task, format, settings)?;
    Ok(task)
}

/// Changes fields of a task line (without its line break) and then its status, with everything that follows
/// from that: dates, the next occurrence, removal.
///
/// The line is written in `format`, its fields of the other one with it; `None`: in the format it is written
/// in, else that of the settings.
///
/// # Errors
/// [`EditError::NoTask`] with line 0 when the line is none; see the other variants for what is refused.
pub fn edit_line(
    line: &str,
    edit: &Edit,
    settings: &Settings,
    format: Option<Format>,
    today: Date,
) -> Result<Change, EditError> {
    let parts =
        split(line).filter(|parts| settings.includes(parts.body)).ok_or(EditError::NoTask { line: 0 })?;
    let (mut task, format) = read_for(&parts, edit, settings, format);
    let lost: Vec<Dropped> = task.dropped.iter().filter(|piece| !edit.sets(piece.field)).cloned().collect();
    if !lost.is_empty() {
        return Err(EditError::WouldDrop { pieces: lost });
    }
    set_fields(&mut task, edit, settings)?;
    reads_back(&task, format, settings)?;
    let status = match edit.status {
        Some(wanted) if settings.statuses.status_type(&task.symbol) != wanted => {
            settings.statuses.status(&symbol_of(wanted, settings)?)
        }
        _ => settings.statuses.status(&task.symbol),
    };
    let change = apply(&task, &status, settings, format, today);
    if change.unboxed { Err(EditError::EmptySymbol) } else { Ok(change) }
}

/// The task of a line as an edit takes it, and the format to write it in.
///
/// A line with fields of one format is read in that one. On a line with fields of both the plugin reads those
/// of its own at the end and takes the others for text. An edit does so too as long as it is about nothing
/// that the others say; else it reads both, as an index of tasks does, and writes all in one format, so that
/// no field becomes text and none speaks against the one that was set.
fn read_for(parts: &Parts<'_>, edit: &Edit, settings: &Settings, wanted: Option<Format>) -> (Task, Format) {
    let read = |reading| Task::from_parts(parts, reading, settings, None);
    let has_fields = |task: &Task| task.has_emoji_fields || task.has_dataview_fields;
    let own = settings.format;
    let other = match own {
        Format::Emoji => Format::Dataview,
        Format::Dataview => Format::Emoji,
    };
    let both = read(Reading::Either(own));
    let (plain, format) = match read(Reading::Only(own)) {
        task if has_fields(&task) => (task, own),
        task => match read(Reading::Only(other)) {
            task if has_fields(&task) => (task, other),
            _ => (task, own),
        },
    };
    if plain.description == both.description && plain.dropped == both.dropped {
        return (plain, wanted.unwrap_or(format));
    }
    if format == own && wanted.is_none() && edit.leaves_what_differs(&plain, &both) {
        return (plain, own);
    }
    (both, wanted.unwrap_or(own))
}

/// The repeat rule of a task line in its own words: of one that is read in part only, written anew it has
/// fewer.
pub(super) fn written_rule(line: &str, settings: &Settings) -> Option<String> {
    let parts = split(line)?;
    let fields = fields::read(parts.body, Reading::Either(settings.format));
    fields.value(Field::Recurrence).map(|rule| trim(rule).to_owned())
}

fn set_fields(task: &mut Task, edit: &Edit, settings: &Settings) -> Result<(), EditError> {
    if let Some(description) = &edit.description {
        task.description = one_line(description)?.to_owned();
    }
    if !settings.includes(&task.description) {
        // Without the global filter the line would be no task for the plugin.
        task.description = format!("{} {}", settings.global_filter, task.description);
    }
    if let Some(priority) = edit.priority {
        task.priority = priority;
    }
    for (wanted, date) in [
        (edit.created, &mut task.created),
        (edit.start, &mut task.start),
        (edit.scheduled, &mut task.scheduled),
        (edit.due, &mut task.due),
    ] {
        if let Some(wanted) = wanted {
            *date = wanted.map(TaskDate::Day);
        }
    }
    if let Some(rule) = &edit.recurrence {
        let reference = task.occurrence().reference(settings.remove_scheduled_date_on_recurrence);
        task.recurrence = match rule {
            Some(rule) => {
                let no_rule = || EditError::NoRule { rule: rule.clone() };
                Some(Recurrence::parse(trim(rule), reference).ok_or_else(no_rule)?)
            }
            None => None,
        };
    }
    if let Some(action) = edit.on_completion {
        task.on_completion = action;
    }
    if let Some(id) = &edit.id {
        let valid = id.as_deref().is_none_or(is_task_id);
        task.id = id.clone();
        if !valid {
            return Err(EditError::NoTaskId { id: id.clone().unwrap_or_default() });
        }
    }
    if let Some(ids) = &edit.depends_on {
        if let Some(id) = ids.iter().find(|id| !is_task_id(id)) {
            return Err(EditError::NoTaskId { id: id.clone() });
        }
        task.depends_on = ids.clone();
    }
    if let Some(block_id) = &edit.block_id {
        if let Some(id) = block_id.as_deref().filter(|id| !is_block_id(id)) {
            return Err(EditError::NoBlockId { id: id.to_owned() });
        }
        task.block_id = block_id.clone();
    }
    Ok(())
}

/// Whether the text can be a block id.
pub(super) fn is_block_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The text without white space at its ends, if it is one line.
pub(super) fn one_line(text: &str) -> Result<&str, EditError> {
    let text = trim(text);
    if text.contains(is_line_end) { Err(EditError::LineBreak { text: text.to_owned() }) } else { Ok(text) }
}

/// Refuses a task whose line would be read as another one: a text that ends like a field, a tag that would
/// move, a block id in the text.
fn reads_back(task: &Task, format: Format, settings: &Settings) -> Result<(), EditError> {
    let line = task.to_line(format);
    let read = split(&line).map(|parts| Task::from_parts(&parts, Reading::Only(format), settings, None));
    let same = read.as_ref().is_some_and(|read| {
        read.description == task.description
            && read.priority == task.priority
            && read.id == task.id
            && read.depends_on == task.depends_on
            && read.recurrence == task.recurrence
            && read.on_completion == task.on_completion
            && read.block_id == task.block_id
            && (read.created, read.start, read.scheduled) == (task.created, task.start, task.scheduled)
            && (read.due, read.done, read.cancelled) == (task.due, task.done, task.cancelled)
    });
    if same {
        return Ok(());
    }
    let rule = |task: &Task| task.recurrence.as_ref().map(ToString::to_string);
    if let Some(read) = &read
        && read.description == task.description
        && read.recurrence != task.recurrence
        && let Some(written) = rule(task)
    {
        return Err(EditError::RuleChanges { written });
    }
    let kept = read.map_or(0, |read| shared_start(&read.description, &task.description));
    let piece = task.description.get(kept..).map(trim).filter(|piece| !piece.is_empty());
    Err(EditError::ReadsAsField { piece: piece.unwrap_or(&task.description).to_owned() })
}

fn shared_start(one: &str, other: &str) -> usize {
    let pairs = one.chars().zip(other.chars());
    pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
}

/// The symbol of a new task: a space where that means "to do", else the registry's first symbol that does.
pub(super) fn todo_symbol(settings: &Settings) -> Result<String, EditError> {
    symbol_of(StatusType::Todo, settings)
}

/// The symbol that stands for a type: the plugin's own one where it has that type, else the first registered
/// one.
pub(super) fn symbol_of(wanted: StatusType, settings: &Settings) -> Result<String, EditError> {
    let usual = match wanted {
        StatusType::Todo => " ",
        StatusType::InProgress => "/",
        StatusType::Done => "x",
        StatusType::Cancelled => "-",
        StatusType::OnHold => "h",
        StatusType::NonTask | StatusType::Empty => "",
    };
    if !usual.is_empty() && settings.statuses.status_type(usual) == wanted {
        return Ok(usual.to_owned());
    }
    let first = settings.statuses.first_of(wanted).filter(|status| !status.symbol.is_empty());
    first.map(|status| status.symbol.clone()).ok_or(EditError::NoStatus { status: wanted })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::{Status, StatusRegistry};

    const TODAY: Date = Date::constant(2026, 3, 10);

    #[track_caller]
    fn check(line: &str, edit: &Edit, expected: &[&str]) {
        let change = edit_line(line, edit, &Settings::default(), None, TODAY).expect("an edit");
        assert_eq!(change.lines, expected);
    }

    #[track_caller]
    fn check_error(line: &str, edit: &Edit, expected: &EditError) {
        let error = edit_line(line, edit, &Settings::default(), None, TODAY).expect_err("a refusal");
        assert_eq!(error, *expected);
    }

    #[test]
    fn fields_are_set_and_cleared_in_their_places() {
        let edit = Edit {
            priority: Some(Some(Priority::High)),
            due: Some(Some(Date::constant(2026, 4, 1))),
            start: Some(None),
            id: Some(Some("q1".to_owned())),
            depends_on: Some(vec!["a".to_owned(), "b".to_owned()]),
            block_id: Some(Some("blk".to_owned())),
            ..Edit::default()
        };
        check(
            "> 1. [/] job 🛫 2026-01-01 #t",
            &edit,
            &["> 1. [/] job #t 🆔 q1 ⛔ a,b ⏫ 📅 2026-04-01 ^blk"],
        );
    }

    #[test]
    fn mutations_compose_with_a_completion() {
        let edit = Edit {
            description: Some("new text".to_owned()),
            due: Some(Some(Date::constant(2026, 3, 31))),
            recurrence: Some(Some("every month".to_owned())),
            status: Some(StatusType::Done),
            ..Edit::default()
        };
        check(
            "- [ ] old ^b",
            &edit,
            &[
                "- [ ] new text 🔁 every month 📅 2026-04-30",
                "- [x] new text 🔁 every month 📅 2026-03-31 ✅ 2026-03-10 ^b",
            ],
        );
    }

    #[test]
    fn a_status_the_task_already_has_changes_nothing() {
        let done = Edit { status: Some(StatusType::Done), ..Edit::default() };
        check("- [x] job ✅ 2026-01-01", &done, &["- [x] job ✅ 2026-01-01"]);
    }

    #[test]
    fn an_emoji_in_the_text_stays_text() {
        let edit = Edit { priority: Some(Some(Priority::Low)), ..Edit::default() };
        check("- [ ] what ⏫ means", &edit, &["- [ ] what ⏫ means 🔽"]);
    }

    #[test]
    fn what_would_vanish_is_refused_unless_it_is_replaced() {
        let edit = Edit { priority: Some(None), ..Edit::default() };
        let piece = |field, text: &str| Dropped { field, text: text.to_owned() };
        let lost = vec![piece(Field::Recurrence, "🔁 every other day")];
        check_error("- [ ] a 🔁 every other day", &edit, &EditError::WouldDrop { pieces: lost });
        let lost = vec![piece(Field::Due, "📅 2026-02-30")];
        check_error("- [ ] a 📅 2026-02-30", &edit, &EditError::WouldDrop { pieces: lost });
        let lost = vec![piece(Field::Description, "b")];
        check_error("- [ ] a\u{2028}b", &edit, &EditError::WouldDrop { pieces: lost });
        // Without the last field the block id would be one, and what stands before it a due date.
        let lost = vec![piece(Field::OnCompletion, "🏁 what")];
        let line = "- [ ] x, 📅2000-01-01 ^id-1 🏁 what";
        check_error(line, &edit, &EditError::WouldDrop { pieces: lost });
        let edit = Edit { recurrence: Some(Some("every 2 days".to_owned())), ..Edit::default() };
        check("- [ ] a 🔁 every other day", &edit, &["- [ ] a 🔁 every 2 days"]);
    }

    #[test]
    fn a_text_that_ends_like_a_field_is_refused() {
        for (text, piece) in [("call 📅 2026-01-01", "📅 2026-01-01"), ("call ⏫", "⏫"), ("x ^id", "^id")]
        {
            let edit = Edit { description: Some(text.to_owned()), ..Edit::default() };
            check_error("- [ ] a", &edit, &EditError::ReadsAsField { piece: piece.to_owned() });
        }
        let edit = Edit { description: Some("a\nb".to_owned()), ..Edit::default() };
        check_error("- [ ] a", &edit, &EditError::LineBreak { text: "a\nb".to_owned() });
    }

    #[test]
    fn the_registry_says_which_symbol_a_status_has() {
        let statuses = StatusRegistry::new([
            Status::new("t", "To do", "d", StatusType::Todo),
            Status::new("d", "Done", "t", StatusType::Done),
            Status::new("x", "Odd", "t", StatusType::NonTask),
        ]);
        let settings = Settings { statuses, ..Settings::default() };
        let edit = Edit { status: Some(StatusType::Done), ..Edit::default() };
        let change = edit_line("- [t] a", &edit, &settings, None, TODAY).expect("an edit");
        assert_eq!(change.lines, ["- [d] a ✅ 2026-03-10"]);
        let edit = Edit { status: Some(StatusType::OnHold), ..Edit::default() };
        let refused = edit_line("- [t] a", &edit, &settings, None, TODAY);
        assert_eq!(refused, Err(EditError::NoStatus { status: StatusType::OnHold }));
    }

    #[test]
    fn a_new_task_has_the_global_filter_and_a_created_date() {
        let settings =
            Settings { global_filter: "#task".to_owned(), set_created_date: true, ..Settings::default() };
        let edit = Edit {
            description: Some("buy milk #home".to_owned()),
            recurrence: Some(Some("every week".to_owned())),
            block_id: Some(Some("m1".to_owned())),
            ..Edit::default()
        };
        let line = |format| draft(&edit, &settings, format, TODAY).expect("a task").to_line(format);
        assert_eq!(line(Format::Emoji), "- [ ] #task buy milk #home 🔁 every week ➕ 2026-03-10 ^m1");
        assert_eq!(
            line(Format::Dataview),
            "- [ ] #task buy milk #home  [repeat:: every week]  [created:: 2026-03-10] ^m1"
        );
        let nothing = draft(&Edit::default(), &Settings::default(), Format::Emoji, TODAY);
        assert_eq!(nothing, Err(EditError::EmptyDescription));
    }
}
