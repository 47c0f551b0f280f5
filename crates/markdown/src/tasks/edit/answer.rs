//! What an edit answers: the new text, where the task is now, what changed.

use crate::tasks::{OnCompletion, Priority, Settings, Task, TaskDate};

/// A note after an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The whole text.
    pub text: String,
    /// Zero-based line of the task; `None` when it was removed on completion.
    pub line: Option<usize>,
    /// Zero-based line of the next occurrence, if one was made.
    pub next_line: Option<usize>,
    /// What changed, for the answer.
    pub changes: Vec<Difference>,
}

/// One thing that changed, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What: `status`, `due`, `heading` …
    pub what: &'static str,
    /// How it was; empty: it was not there.
    pub before: String,
    /// How it is; empty: it is gone.
    pub after: String,
}

pub(super) fn difference(
    what: &'static str,
    before: impl Into<String>,
    after: impl Into<String>,
) -> Difference {
    Difference { what, before: before.into(), after: after.into() }
}

/// What differs between a task and what became of it; all its fields when it is gone.
///
/// The repeat rules are compared as they are written, but for case: a rule that the plugin reads in part only
/// is shortened when it is written anew.
pub(super) fn differences(
    (before, rule_before): (&Task, Option<String>),
    (after, rule_after): (Option<&Task>, Option<String>),
    settings: &Settings,
) -> Vec<Difference> {
    let Some(after) = after else {
        return vec![difference("removed", before.description.clone(), "")];
    };
    let status = |task: &Task| settings.status_of(task).name().to_ascii_lowercase();
    let date = |date: Option<TaskDate>| date.map(|date| date.to_string()).unwrap_or_default();
    let priority = |task: &Task| task.priority.map_or("none", Priority::name).to_owned();
    let (rule_before, rule_after) = (rule_before.unwrap_or_default(), rule_after.unwrap_or_default());
    let same_rule = rule_before.eq_ignore_ascii_case(&rule_after);
    let rules = if same_rule { (String::new(), String::new()) } else { (rule_before, rule_after) };
    let action = |task: &Task| task.on_completion.map(OnCompletion::word).unwrap_or_default().to_owned();
    let rows = [
        ("status", status(before), status(after)),
        ("description", before.description.clone(), after.description.clone()),
        ("priority", priority(before), priority(after)),
        ("recurrence", rules.0, rules.1),
        ("on_completion", action(before), action(after)),
        ("created", date(before.created), date(after.created)),
        ("start", date(before.start), date(after.start)),
        ("scheduled", date(before.scheduled), date(after.scheduled)),
        ("due", date(before.due), date(after.due)),
        ("cancelled", date(before.cancelled), date(after.cancelled)),
        ("done", date(before.done), date(after.done)),
        ("task_id", before.id.clone().unwrap_or_default(), after.id.clone().unwrap_or_default()),
        ("depends_on", before.depends_on.join(","), after.depends_on.join(",")),
        ("block_id", before.block_id.clone().unwrap_or_default(), after.block_id.clone().unwrap_or_default()),
    ];
    let formats = (format(before), format(after));
    let converted = if formats.0.is_empty() || formats.1.is_empty() { ("", "") } else { formats };
    let converted = ("format", converted.0.to_owned(), converted.1.to_owned());
    let changed = rows.into_iter().chain([converted]).filter(|(_, before, after)| before != after);
    changed.map(|(what, before, after)| Difference { what, before, after }).collect()
}

/// The format of a task's fields; empty when it has none.
const fn format(task: &Task) -> &'static str {
    match (task.has_emoji_fields, task.has_dataview_fields) {
        (true, true) => "both",
        (true, false) => "emoji",
        (false, true) => "dataview",
        (false, false) => "",
    }
}
