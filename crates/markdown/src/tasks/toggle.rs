//! Status changes and everything that follows from them: dates, the next occurrence, removal.
//!
//! Source: the commands "Toggle task done" and the status menus of the Tasks plugin 8.3.0.

use jiff::civil::Date;

use super::date::TaskDate;
use super::line;
use super::settings::Settings;
use super::status::Status;
use super::status::StatusType;
use super::task::Task;
use super::text::is_space;
use super::{Format, OnCompletion, Parts};

/// The lines that take the place of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The new lines, without line breaks. None at all: the line is removed.
    pub lines: Vec<String>,
    /// Which of the lines is the changed one; `None` when it is removed (🏁 delete).
    pub changed: Option<usize>,
    /// Which of the lines is the new occurrence of a recurring task.
    pub next: Option<usize>,
    /// Whether a line lost its status character, because a status names an empty next symbol: `- [] job` is
    /// no task any more. A caller should refuse such a change.
    pub unboxed: bool,
}

impl Change {
    /// One line for the one there was.
    pub(super) fn single(line: String) -> Self {
        Self { lines: vec![line], changed: Some(0), next: None, unboxed: false }
    }
}

/// What "Toggle task done" makes of a line (without its line break), be it a task or not.
///
/// A task moves to the next symbol of its status. A task without the global filter only flips between `[ ]`
/// and `[x]`, a list item gets a box, any other line becomes a task.
pub fn toggle(line: &str, settings: &Settings, today: Date) -> Change {
    if let Some(task) = Task::read(line, settings, None) {
        let status = settings.statuses.next(&settings.statuses.status(&task.symbol));
        return apply(&task, &status, settings, settings.format, today);
    }
    if let Some(parts) = line::split(line) {
        return Change::single(flip(line, &parts));
    }
    let indentation_end = line.len() - line.trim_start_matches(|c| is_space(c) || c == '>').len();
    let (indentation, rest) = line.split_at(indentation_end);
    let changed = match line::marker_length(rest) {
        Some(length) => {
            let (marker, text) = rest.split_at(length);
            format!("{indentation}{marker} [ ]{text}")
        }
        None => format!("{indentation}- [ ] {rest}"),
    };
    Change::single(changed)
}

/// Gives a task the status of `symbol`; `None` when the line is no task (or lacks the global filter).
pub fn set_status(line: &str, symbol: &str, settings: &Settings, today: Date) -> Option<Change> {
    let task = Task::read(line, settings, None)?;
    Some(apply(&task, &settings.statuses.status(symbol), settings, settings.format, today))
}

/// Obsidian's own toggle, which the plugin uses on check boxes that are none of its tasks.
fn flip(line: &str, parts: &Parts<'_>) -> String {
    let symbol = if parts.symbol == " " { "x" } else { " " };
    let after_box = line.get(parts.symbol_start + parts.symbol.len() + 1..).unwrap_or_default();
    let text = after_box.trim_start_matches(' ');
    format!("{}{} [{symbol}] {text}", parts.indentation, parts.marker)
}

/// Writes a task with a new status, in a format.
pub(super) fn apply(
    task: &Task,
    status: &Status,
    settings: &Settings,
    format: Format,
    today: Date,
) -> Change {
    let old = settings.statuses.status(&task.symbol);
    if *status == old {
        return Change::single(task.to_line(format));
    }
    let stamp = |wanted: StatusType, old_date: Option<TaskDate>, enabled: bool| {
        if status.status_type != wanted {
            None
        } else if old.status_type == wanted {
            old_date
        } else {
            enabled.then_some(TaskDate::Day(today))
        }
    };
    let changed = Task {
        symbol: status.symbol.clone(),
        done: stamp(StatusType::Done, task.done, settings.set_done_date),
        cancelled: stamp(StatusType::Cancelled, task.cancelled, settings.set_cancelled_date),
        ..task.clone()
    };
    let completed = status.status_type == StatusType::Done && old.status_type != StatusType::Done;
    let next = task.recurrence.as_ref().filter(|_| completed).map(|recurrence| {
        let remove_scheduled = settings.remove_scheduled_date_on_recurrence;
        let dates = recurrence.next(&task.occurrence(), today, remove_scheduled);
        Task {
            symbol: settings.statuses.next_for_recurrence(status).symbol,
            start: dates.start,
            scheduled: dates.scheduled,
            due: dates.due,
            created: settings.set_created_date.then_some(TaskDate::Day(today)),
            done: None,
            cancelled: None,
            block_id: None,
            id: None,
            depends_on: Vec::new(),
            ..task.clone()
        }
    });
    let kept = Some(changed).filter(|_| !(completed && task.on_completion == Some(OnCompletion::Delete)));
    arrange(next, kept, settings.recurrence_on_next_line, format)
}

/// The next occurrence goes above the changed line, or below with `recurrenceOnNextLine`.
fn arrange(next: Option<Task>, changed: Option<Task>, below: bool, format: Format) -> Change {
    let unboxed = next.iter().chain(&changed).any(|task| task.symbol.is_empty());
    let next_line = next.map(|task| task.to_line(format));
    let changed_line = changed.map(|task| task.to_line(format));
    let both = next_line.is_some() && changed_line.is_some();
    let (next_index, changed_index) = match (both, below) {
        (true, true) => (Some(1), Some(0)),
        (true, false) => (Some(0), Some(1)),
        (false, _) => (next_line.is_some().then_some(0), changed_line.is_some().then_some(0)),
    };
    let mut lines: Vec<String> = next_line.into_iter().chain(changed_line).collect();
    if below {
        lines.reverse();
    }
    Change { lines, changed: changed_index, next: next_index, unboxed }
}
