//! Tasks 8.3.0: parsing, recurrence, toggling, setting a status.

use jiff::civil::Date;
use serde_json::{Value, json};
use vault_cortex_markdown::moment::Locale;
use vault_cortex_markdown::tasks;
use vault_cortex_markdown::tasks::{
    Recurrence, Settings, Status, StatusRegistry, StatusType, Task, TaskDate,
};

use crate::rows::{Report, list, text};
use crate::shared::case_file;

fn date(value: &Value, key: &str) -> Date {
    text(value, key).parse().expect("a date")
}

/// The settings of a row; `statuses` is the whole registry where it is given.
fn settings(row: &Value) -> Settings {
    let none = json!({});
    let value = row.get("settings").unwrap_or(&none);
    let mut settings = Settings::from_value(value);
    if value.get("statuses").is_some() {
        settings.statuses = StatusRegistry::new(list(value, "statuses").iter().map(|status| {
            let status_type = StatusType::from_name(text(status, "type")).expect("a known type");
            Status::new(text(status, "symbol"), text(status, "name"), text(status, "next"), status_type)
        }));
    }
    settings
}

fn date_text(date: Option<TaskDate>) -> Value {
    match date {
        None => Value::Null,
        Some(TaskDate::Invalid) => json!("INVALID"),
        Some(day) => json!(day.to_string()),
    }
}

fn as_row(task: &Task, settings: &Settings) -> Value {
    let status = settings.statuses.status(&task.symbol);
    json!({
        "indentation": task.indentation,
        "marker": task.marker,
        "status": {"symbol": status.symbol, "type": status.status_type.name(), "name": status.name, "next": status.next},
        "description": task.description,
        "tags": task.tags,
        "priority": task.priority.map_or("none", tasks::Priority::name),
        "created": date_text(task.created),
        "start": date_text(task.start),
        "scheduled": date_text(task.scheduled),
        "scheduled_inferred": task.scheduled_inferred,
        "due": date_text(task.due),
        "done": date_text(task.done),
        "cancelled": date_text(task.cancelled),
        "recurrence": task.recurrence.as_ref().map(ToString::to_string),
        "on_completion": task.on_completion.map(tasks::OnCompletion::word),
        "id": task.id,
        "depends_on": task.depends_on,
        "block_link": task.block_id.as_ref().map(|id| format!(" ^{id}")),
    })
}

#[test]
fn parsing_and_rewriting() {
    let Some(rows) = case_file("tasks-parse.json") else { return };
    let today = date(&rows, "clock");
    let mut report = Report::default();
    for row in list(&rows, "cases") {
        report.row();
        let id = text(row, "id");
        let settings = settings(row);
        let file_date = tasks::date_in_path(text(row, "path"), &settings, Locale::english(), today);
        let task = Task::read(text(row, "line"), &settings, file_date);
        let ours = task.as_ref().map_or(Value::Null, |task| as_row(task, &settings));
        report.compare(id, text(row, "line"), &ours, row.get("task").unwrap_or(&Value::Null));
        let rewritten = task.map(|task| task.to_line(settings.format));
        report.compare(id, "rewritten", &rewritten.as_deref(), &row.get("rewritten").and_then(Value::as_str));
    }
    report.finish(527);
}

#[test]
fn recurrence() {
    let Some(rows) = case_file("tasks-recurrence.json") else { return };
    let mut report = Report::default();
    for row in list(&rows, "cases") {
        report.row();
        let id = text(row, "id");
        let remove_scheduled = settings(row).remove_scheduled_date_on_recurrence;
        let occurrence = |value: &Value| {
            let date = |key: &str| match text(value, key) {
                "" => None,
                "INVALID" => Some(TaskDate::Invalid),
                date => Some(TaskDate::parse(date).expect("a date")),
            };
            tasks::recurrence::Occurrence {
                start: date("start"),
                scheduled: date("scheduled"),
                due: date("due"),
            }
        };
        let current = occurrence(row);
        let done_on = date(row, "done_on");
        let rule = Recurrence::parse(text(row, "rule"), current.reference(remove_scheduled));
        let canonical = rule.as_ref().map(ToString::to_string);
        report.compare(
            id,
            text(row, "rule"),
            &canonical.as_deref(),
            &row.get("canonical").and_then(Value::as_str),
        );
        let next = rule.as_ref().map(|rule| rule.next(&current, done_on, remove_scheduled));
        let theirs = row.get("next").filter(|next| !next.is_null()).map(occurrence);
        report.compare(id, text(row, "rule"), &next, &theirs);
        let Some(rule) = rule else { continue };
        let mut dates = current;
        for (step, wanted) in list(row, "chain").iter().enumerate() {
            dates = rule.next(&dates, done_on, remove_scheduled);
            report.compare(id, &format!("{} step {step}", text(row, "rule")), &dates, &occurrence(wanted));
        }
    }
    report.finish(480);
}

fn lines(row: &Value) -> Vec<String> {
    list(row, "after").iter().filter_map(|line| line.as_str().map(str::to_owned)).collect()
}

#[test]
fn toggling() {
    let Some(rows) = case_file("tasks-toggle.json") else { return };
    let mut report = Report::default();
    for row in list(&rows, "cases") {
        report.row();
        let change = tasks::toggle(text(row, "line"), &settings(row), date(row, "today"));
        report.compare(text(row, "id"), text(row, "line"), &change.lines, &lines(row));
    }
    report.finish(361);
}

#[test]
fn setting_a_status() {
    let Some(rows) = case_file("tasks-set-status.json") else { return };
    let mut report = Report::default();
    for row in list(&rows, "cases") {
        report.row();
        let symbol = text(row, "new_symbol");
        let change = tasks::set_status(text(row, "line"), symbol, &settings(row), date(row, "today"));
        let ours = change.map(|change| change.lines).unwrap_or_default();
        report.compare(text(row, "id"), &format!("{} -> [{symbol}]", text(row, "line")), &ours, &lines(row));
    }
    report.finish(251);
}
