//! `daily-review`: a day, from its note, its links, its changes and its tasks.

use std::collections::HashSet;

use ::search::{DateField, DateRange, OutgoingLink, Page, StatusFilter, TaskItem, TaskQuery, TaskSort};
use jiff::civil::Date;
use vault::VaultPath;

use super::arguments::Given;
use super::ask::Ask;
use super::boundary::{Label, one_line, wrap_words};
use super::message::{Data, Message, Part};
use super::orientation::{note_row, row};
use crate::mcp::error::ToolError;
use crate::mcp::tools::{daily_settings_problem, encoding};

const MOST_LINKS: usize = 50;
const MOST_CHANGED: usize = 10;
const MOST_TASKS: usize = 20;
const MOST_OWN_TASKS: usize = 50;

const HOW: &str = "\
## How to review

1. What happened: a short account of the day from the note and the notes changed on it.
2. What is open: tasks that are due or overdue, those planned, and those left in the note; which to do, to move, to \
drop?
3. What needs following up: promises and questions in the text that no task stands for, broken links worth a note, \
notes of the day that nothing links to.

Keep what the note says apart from what you conclude. Propose first; change nothing before I agree.\
{vault_read_note? Notes: vault_read_note.}{vault_update_task? Tasks: vault_update_task.}\
{vault_create_task? New tasks: vault_create_task.}{vault_patch_note? Text in the note: vault_patch_note.}";

/// Puts the message together.
pub(super) fn assemble(ask: &Ask<'_>, given: &Given) -> Message {
    let today = ask.call.app.today();
    let date = given.date.unwrap_or(today);
    let path = daily_path(ask, date);
    let mut parts = vec![ask.part("Daily note", || daily_note(ask, &path, date))];
    if let Ok(path) = &path {
        parts.push(ask.part("Links from it", || outgoing(ask, path)));
        parts.push(ask.part("Links to it", || backlinks(ask, path)));
    }
    parts.push(ask.part("Notes changed on this day", || changed(ask, date)));
    parts.push(ask.part(DUE, || due(ask, date)));
    parts.push(ask.part(PLANNED, || planned(ask, date)));
    if let Ok(path) = &path {
        parts.push(ask.part("Tasks in the daily note", || own_tasks(ask, path)));
    }
    let past = if date == today { " It is today." } else { " Tasks are shown as they are now." };
    let task = format!("Review {}, {date}, together with me.{past}", weekday(date));
    ask.message(&task, parts, HOW)
}

fn weekday(date: Date) -> &'static str {
    use jiff::civil::Weekday;
    match date.weekday() {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

/// Where the note of the day is; an error says why there is no such place.
fn daily_path(ask: &Ask<'_>, date: Date) -> Result<VaultPath, String> {
    let settings = ask.call.app.daily_notes();
    settings.path_of(date).map_err(|error| error.to_string())
}

fn daily_note(ask: &Ask<'_>, path: &Result<VaultPath, String>, date: Date) -> Result<Part, ToolError> {
    const TITLE: &str = "Daily note";
    let path = path.as_ref().map_err(|error| ToolError::Refused(error.clone()))?;
    let label = Label::new(path.as_str(), "daily-note").dated(&date);
    let part = match ask.call.read_if_there(path)? {
        None => {
            let path = wrap_words(&Label::new("vault", "path"), path.as_str());
            Part::saying(TITLE, format!("There is no note for this day. It would be {path}"))
        }
        Some(content) => {
            let (text, decoding) = content.text();
            encoding(path, decoding)?;
            if text.trim().is_empty() {
                let path = wrap_words(&label, path.as_str());
                Part::saying(TITLE, format!("It is there and says nothing: {path}"))
            } else {
                let rest = ask.say("{vault_read_note?vault_read_note with start_line reads on.}");
                Part::showing(TITLE, Data::text(label, &text, rest))
            }
        }
    };
    Ok(match daily_settings_problem(&ask.call.app.daily_notes()) {
        Some(problem) => part.with(wrap_words(&Label::new("server", "settings-problem"), &problem)),
        None => part,
    })
}

fn outgoing(ask: &Ask<'_>, path: &VaultPath) -> Result<Part, ToolError> {
    const TITLE: &str = "Links from it";
    let links = ask.found(ask.index()?.outgoing_links(ask.call.who, path))?;
    if links.is_empty() {
        return Ok(Part::saying(TITLE, "None."));
    }
    let daily = ask.call.app.daily_notes();
    let rows: Vec<String> = links
        .iter()
        .take(MOST_LINKS)
        .map(|link| link_row(link, !link.exists && daily.holds(&link.path)))
        .collect();
    let rest = ask.say("{vault_get_outgoing_links?vault_get_outgoing_links lists all.}");
    Ok(list(TITLE, path.as_str(), "links", &rows, links.len(), rest))
}

fn link_row(link: &OutgoingLink, forward: bool) -> String {
    let title = link.title.as_deref().map(|title| format!(" — {}", row(title))).unwrap_or_default();
    let state = match (link.exists, forward, &link.alias_of) {
        (true, ..) if link.missing_subpaths.is_empty() => String::new(),
        (true, ..) => format!(" (BROKEN part: {})", row(&link.missing_subpaths.join(", "))),
        (false, true, _) => " (daily note not written yet)".to_owned(),
        (false, false, Some(note)) => format!(" (BROKEN; an alias of {})", one_line(note.as_str())),
        (false, false, None) => " (BROKEN)".to_owned(),
    };
    format!("- {}{title}{state}", row(&link.path))
}

fn backlinks(ask: &Ask<'_>, path: &VaultPath) -> Result<Part, ToolError> {
    const TITLE: &str = "Links to it";
    let links = ask.found(ask.index()?.backlinks(ask.call.who, path))?;
    if links.is_empty() {
        return Ok(Part::saying(TITLE, "None."));
    }
    let shown = links.iter().take(MOST_LINKS);
    let rows: Vec<String> =
        shown.map(|link| format!("- {} — {}", one_line(link.path.as_str()), row(&link.title))).collect();
    let rest = ask.say("{vault_get_backlinks?vault_get_backlinks lists all.}");
    Ok(list(TITLE, path.as_str(), "backlinks", &rows, links.len(), rest))
}

fn changed(ask: &Ask<'_>, date: Date) -> Result<Part, ToolError> {
    const TITLE: &str = "Notes changed on this day";
    let page = ask.found(ask.index()?.modified_on(ask.call.who, date, MOST_CHANGED))?;
    if page.items.is_empty() {
        return Ok(Part::saying(TITLE, "None whose last change was on this day."));
    }
    let rows: Vec<String> = page.items.iter().map(note_row).collect();
    let rest = ask.say("{vault_search?vault_search finds them by filters.modified.}");
    Ok(list(TITLE, "index", "notes", &rows, page.total, rest))
}

const DUE: &str = "Tasks due or overdue";
const PLANNED: &str = "Tasks planned";

/// Until the end of a day.
fn until(date: Date) -> DateRange {
    match date.tomorrow() {
        Ok(next) => DateRange { before: Some(next), ..DateRange::default() },
        // There is no later day: any date there is.
        Err(_) => DateRange { after: Some(Date::constant(0, 1, 1)), ..DateRange::default() },
    }
}

fn due(ask: &Ask<'_>, date: Date) -> Result<Part, ToolError> {
    let query = TaskQuery { limit: MOST_TASKS, ..TaskQuery::default() }.dated(DateField::Due, until(date));
    tasks(ask, DUE, "index", &query, |_| true)
}

fn planned(ask: &Ask<'_>, date: Date) -> Result<Part, ToolError> {
    let query = TaskQuery { limit: MOST_TASKS, sort: TaskSort::Scheduled, ..TaskQuery::default() }
        .dated(DateField::Scheduled, until(date));
    // Those that are due as well stand above.
    let both = TaskQuery { limit: 1_000, ..query.clone() }.dated(DateField::Due, until(date));
    let both = ask.found(ask.index()?.tasks(ask.call.who, &both))?;
    let above: HashSet<(String, u32)> = both.items.into_iter().map(|task| (task.path, task.line)).collect();
    let query = TaskQuery { limit: MOST_TASKS + above.len(), ..query };
    tasks(ask, PLANNED, "index", &query, |task| !above.contains(&(task.path.clone(), task.line)))
}

fn own_tasks(ask: &Ask<'_>, path: &VaultPath) -> Result<Part, ToolError> {
    let query = TaskQuery {
        statuses: vec![StatusFilter::All],
        path: Some(path.clone()),
        sort: TaskSort::Position,
        limit: MOST_OWN_TASKS,
        ..TaskQuery::default()
    };
    tasks(ask, "Tasks in the daily note", path.as_str(), &query, |_| true)
}

fn tasks(
    ask: &Ask<'_>,
    title: &str,
    source: &str,
    query: &TaskQuery,
    wanted: impl Fn(&TaskItem) -> bool,
) -> Result<Part, ToolError> {
    let Page { items, total } = ask.found(ask.index()?.tasks(ask.call.who, query))?;
    let before = items.len();
    let most = if query.path.is_some() { MOST_OWN_TASKS } else { MOST_TASKS };
    let items: Vec<TaskItem> = items.into_iter().filter(wanted).collect();
    let total = total.saturating_sub(before - items.len());
    if items.is_empty() {
        return Ok(Part::saying(title, "None."));
    }
    let rows: Vec<String> = items.iter().take(most).map(task_row).collect();
    let rest = ask.say("{vault_list_tasks?vault_list_tasks lists all.}");
    Ok(list(title, source, "tasks", &rows, total, rest))
}

fn task_row(task: &TaskItem) -> String {
    let mut about = Vec::new();
    let dates = [
        ("due", task.due),
        ("planned for", task.scheduled),
        ("start", task.start),
        ("done", task.done),
        ("cancelled", task.cancelled),
    ];
    about.extend(dates.iter().filter_map(|(name, date)| Some(format!("{name} {}", (*date)?))));
    about.extend(task.priority.map(|priority| format!("priority {}", priority.name())));
    about.extend(task.recurrence.as_deref().map(|rule| format!("repeats {}", row(rule))));
    about.extend(task.subtasks.map(|subtasks| format!("sub-tasks {} of {}", subtasks.done, subtasks.total)));
    about.extend(task.heading.as_deref().map(|heading| format!("under {}", row(heading))));
    let place = format!("{}, line {}", one_line(&task.path), task.line);
    about.push(place);
    // A blank is a status too.
    let status =
        if task.status_char.trim().is_empty() { " ".to_owned() } else { one_line(&task.status_char) };
    format!("- [{status}] {} ({})", row(&task.description), about.join("; "))
}

fn list(title: &str, source: &str, unit: &'static str, rows: &[String], total: usize, rest: String) -> Part {
    Part::showing(title, Data::rows(Label::new(source, unit), rows, total, unit, rest))
}
