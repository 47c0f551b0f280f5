//! The task rows of a note, and the rules they are made by.
//!
//! Which lines are tasks, and what their boxes mean, depends on the settings of the Tasks plugin, which
//! change while notes do not. So every note remembers a fingerprint of the rules that its rows were made
//! by, and rows made by other rules are made anew.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use markdown::document::{self, Document};
use markdown::moment::{self, Locale};
use markdown::tasks::{self, NoteTask, Settings, StatusType, TaskDate};
use markdown::{headings, kanban, resolve};
use vault::{Content, ContentHash, FileKind, Vault, VaultPath};

/// How tasks are read: the Tasks plugin's settings at one moment.
#[derive(Debug)]
pub(crate) struct TaskRules {
    settings: Arc<Settings>,
    /// Fills in what a date format leaves out.
    today: Date,
    fingerprint: i64,
}

/// A task as its row has it.
pub(crate) struct TaskRow {
    pub(crate) line: usize,
    pub(crate) status: &'static str,
    pub(crate) status_char: String,
    pub(crate) description: String,
    pub(crate) created: Option<String>,
    pub(crate) scheduled: Option<String>,
    pub(crate) scheduled_inferred: bool,
    pub(crate) start: Option<String>,
    pub(crate) due: Option<String>,
    pub(crate) done: Option<String>,
    pub(crate) cancelled: Option<String>,
    /// Names of the fields whose date does not exist, as JSON; `None` when there are none.
    pub(crate) invalid_dates: Option<String>,
    pub(crate) priority: u8,
    pub(crate) recurrence: Option<String>,
    pub(crate) on_completion: Option<&'static str>,
    pub(crate) task_id: Option<String>,
    /// As JSON; `None` when there are none.
    pub(crate) depends_on: Option<String>,
    /// Tags without `#`, as JSON; `None` when there are none.
    pub(crate) tags: Option<String>,
    /// What its tags are compared by, each once.
    pub(crate) tag_keys: Vec<String>,
    pub(crate) block_id: Option<String>,
    pub(crate) heading: Option<String>,
    pub(crate) heading_key: Option<String>,
    /// What its lane's title without the card limit is compared by, when it has a limit.
    pub(crate) lane_key: Option<String>,
    pub(crate) depth: usize,
    /// Place of the task it lies in directly.
    pub(crate) parent: Option<usize>,
    pub(crate) subtasks: usize,
    pub(crate) subtasks_done: usize,
}

impl TaskRules {
    /// Reads the settings as they are now.
    pub(crate) fn read(vault: &Vault, now: Timestamp, zone: &TimeZone) -> Self {
        let settings = vault.settings().tasks().or_default();
        let today = zone.to_datetime(now).date();
        Self { fingerprint: fingerprint(&settings, today), settings, today }
    }

    /// What `files.rules` holds for a file whose rows were made by these rules. Only notes have tasks.
    pub(crate) fn of(&self, kind: FileKind) -> i64 {
        if kind == FileKind::Note { self.fingerprint } else { 0 }
    }

    /// The tasks of a note.
    pub(crate) fn tasks(&self, path: &VaultPath, source: &str, document: &Document) -> Vec<TaskRow> {
        if document.structure.list_items.iter().all(|item| item.task.is_none()) {
            return Vec::new();
        }
        let file_date = tasks::date_in_path(path.as_str(), &self.settings, Locale::english(), self.today);
        let found = tasks::in_note(source, document, &self.settings, file_date);
        let board = kanban::is_board(&document.properties);
        let mut progress = vec![(0, 0); found.len()];
        for task in &found {
            if let Some((all, done)) = task.parent.and_then(|parent| progress.get_mut(parent)) {
                *all += 1;
                *done += usize::from(task.status == StatusType::Done);
            }
        }
        found.into_iter().zip(progress).map(|(task, progress)| row(task, progress, document, board)).collect()
    }

    /// The tasks of a note whose other rows are known already.
    pub(crate) fn tasks_of(&self, path: &VaultPath, content: &Content) -> Vec<TaskRow> {
        let (source, _) = content.text();
        self.tasks(path, &source, &document::parse(&source))
    }
}

/// The same for the same rules in every process; never 0. Settings that only matter for writing do not
/// count.
fn fingerprint(settings: &Settings, today: Date) -> i64 {
    let statuses = settings.statuses.statuses().iter();
    let statuses: Vec<_> = statuses.map(|status| (&status.symbol, status.status_type.name())).collect();
    let format = &settings.filename_as_scheduled_date_format;
    let by_name = settings.use_filename_as_scheduled_date.then(|| {
        // A format that leaves out a part of the date means another day tomorrow.
        let today = (!format.is_empty() && !is_whole_date(format)).then(|| today.to_string());
        (format, &settings.filename_as_date_folders, today)
    });
    let rules = serde_json::json!([
        settings.format.name(),
        settings.global_filter,
        settings.remove_scheduled_date_on_recurrence,
        statuses,
        by_name,
    ]);
    let hash = ContentHash::of(rules.to_string().as_bytes());
    let [a, b, c, d, e, f, g, h, ..] = *hash.as_bytes();
    (i64::from_be_bytes([a, b, c, d, e, f, g, h]) & i64::MAX).max(1)
}

/// Whether a moment format names a day without help from the calendar on the wall.
fn is_whole_date(format: &str) -> bool {
    let (day, other) = (jiff::civil::date(2013, 11, 28), jiff::civil::date(1999, 1, 1));
    let text = moment::format(day, format, Locale::english());
    moment::parse_date(&text, format, Locale::english(), other) == Some(day)
}

fn row(
    task: NoteTask,
    (subtasks, subtasks_done): (usize, usize),
    document: &Document,
    board: bool,
) -> TaskRow {
    let NoteTask { task, status, line, depth, parent, heading, .. } = task;
    let heading = heading.and_then(|index| document.headings.get(index)).map(|heading| heading.text.clone());
    let lane = heading.as_deref().filter(|_| board).and_then(lane_title);
    let invalid: Vec<&str> = [
        ("created", task.created),
        ("scheduled", task.scheduled),
        ("start", task.start),
        ("due", task.due),
        ("done", task.done),
        ("cancelled", task.cancelled),
    ]
    .into_iter()
    .filter(|(_, date)| *date == Some(TaskDate::Invalid))
    .map(|(name, _)| name)
    .collect();
    let tags: Vec<&str> = task.tags.iter().map(|tag| tag.strip_prefix('#').unwrap_or(tag)).collect();
    let mut tag_keys: Vec<String> = tags.iter().map(|tag| markdown::tags::fold(tag)).collect();
    tag_keys.sort_unstable();
    tag_keys.dedup();
    TaskRow {
        line,
        status: status_name(status),
        created: day(task.created),
        scheduled: day(task.scheduled),
        scheduled_inferred: task.scheduled_inferred,
        start: day(task.start),
        due: day(task.due),
        done: day(task.done),
        cancelled: day(task.cancelled),
        invalid_dates: list(&invalid),
        priority: tasks::Priority::rank(task.priority),
        recurrence: task.recurrence.as_ref().map(ToString::to_string),
        on_completion: task.on_completion.map(tasks::OnCompletion::word),
        depends_on: list(&task.depends_on),
        tags: list(&tags),
        tag_keys,
        heading_key: heading.as_deref().map(heading_key),
        lane_key: lane.map(heading_key),
        heading,
        depth,
        parent,
        subtasks,
        subtasks_done,
        status_char: task.symbol,
        description: task.description,
        task_id: task.id,
        block_id: task.block_id,
    }
}

/// The four states that callers know. What waits is not begun or not going on: both are open.
fn status_name(status: StatusType) -> &'static str {
    match status {
        StatusType::InProgress => "in_progress",
        StatusType::Done => "done",
        StatusType::Cancelled => "cancelled",
        StatusType::Todo | StatusType::OnHold | StatusType::NonTask | StatusType::Empty => "todo",
    }
}

/// Text that sorts as the days do.
fn day(date: Option<TaskDate>) -> Option<String> {
    date.and_then(TaskDate::day).map(|day| day.to_string())
}

fn list<T: serde::Serialize>(items: &[T]) -> Option<String> {
    if items.is_empty() { None } else { serde_json::to_string(items).ok() }
}

/// What the headings of tasks are compared by: as links compare headings, else their text.
pub(crate) fn heading_key(text: &str) -> String {
    let key = headings::match_key(text);
    if key.is_empty() { resolve::fold(text.trim()).into_owned() } else { key }
}

/// The title of a lane without the limit of cards behind it: `Active (3)` is the lane `Active`.
fn lane_title(heading: &str) -> Option<&str> {
    let (title, digits) = heading.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let is_limit = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let title = title.trim_end();
    (is_limit && !title.is_empty()).then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(json: &str) -> Settings {
        Settings::from_json(json).expect("settings")
    }

    #[test]
    fn a_fingerprint_is_of_what_changes_rows() {
        let today = jiff::civil::date(2026, 3, 10);
        let of = |json: &str| fingerprint(&settings(json), today);
        let default = of("{}");
        assert_ne!(default, 0);
        for same in [r#"{"setDoneDate":false}"#, r#"{"filenameAsDateFolders":["x"]}"#] {
            assert_eq!(of(same), default, "{same}");
        }
        for other in [
            r#"{"taskFormat":"dataview"}"#,
            r##"{"globalFilter":"#task"}"##,
            r#"{"useFilenameAsScheduledDate":true}"#,
            r#"{"statusSettings":{"customStatuses":[{"symbol":"X","type":"DONE"}]}}"#,
        ] {
            assert_ne!(of(other), default, "{other}");
        }
    }

    #[test]
    fn fingerprints_are_as_many_as_rules() {
        let today = jiff::civil::date(2026, 3, 10);
        let filtered =
            |number: usize| Settings { global_filter: format!("#{number}"), ..Settings::default() };
        let all: std::collections::HashSet<i64> =
            (0..200).map(|number| fingerprint(&filtered(number), today)).collect();
        assert_eq!(all.len(), 200);
        assert!(all.iter().all(|fingerprint| *fingerprint > 0));
    }

    #[test]
    fn the_day_counts_when_a_format_leaves_it_to_the_calendar() {
        let on = |format: &str, day: i8| {
            let json = serde_json::json!({
                "useFilenameAsScheduledDate": true,
                "filenameAsScheduledDateFormat": format,
            });
            fingerprint(&settings(&json.to_string()), jiff::civil::date(2026, 3, day))
        };
        for whole in ["", "YYYY-MM-DD", "DD.MM.YYYY", "YYYYMMDD dddd"] {
            assert_eq!(on(whole, 10), on(whole, 11), "{whole}");
        }
        for partly in ["MM-DD", "YYYY"] {
            assert_ne!(on(partly, 10), on(partly, 11), "{partly}");
        }
    }

    #[test]
    fn lanes_without_their_limits() {
        assert_eq!(lane_title("Active (3)"), Some("Active"));
        assert_eq!(lane_title("Active(3)"), Some("Active"));
        for whole in ["Active", "(3)", "Active (x)", "Active ()"] {
            assert_eq!(lane_title(whole), None, "{whole}");
        }
    }
}
