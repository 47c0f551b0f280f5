//! Tasks: which, in what order, and how far their sub-tasks are.

use std::sync::Arc;

use jiff::civil::Date;
use markdown::tasks::Priority;
use store::{Connection, Row, Value, params};
use vault::{Principal, VaultPath};

use super::condition::{Condition, in_folder};
use super::filters::{tag_key, tagged};
use super::meta::{id_of, stored_json, stored_path};
use super::scope::Visible;
use crate::answer::Page;
use crate::core::Core;
use crate::error::SearchError;
use crate::note::tasks::heading_key;
use crate::tasks::{DateField, Direction, StatusFilter, Subtasks, TaskItem, TaskQuery, TaskSort};

impl Core {
    /// See [`Index::tasks`](crate::Index::tasks).
    pub(crate) fn tasks(
        self: &Arc<Self>,
        who: &Principal,
        query: &TaskQuery,
    ) -> Result<Page<TaskItem>, SearchError> {
        self.follow_rules()?;
        let Some(query) = &self.indexed_tasks(who, query)? else {
            return Ok(Page { items: Vec::new(), total: 0 });
        };
        self.ask(|connection| {
            let visible = Visible::to(who);
            let condition = condition(connection, &visible, query)?;
            let source = Source::of(&visible, query).in_order_of_days(connection, query)?;
            let statement = format!("SELECT count(*) FROM {} WHERE {}", source.to_count(), condition.sql());
            let total: Option<u64> = connection
                .query_one(&statement, condition.params(), |row| Ok::<_, SearchError>(row.get(0)?))?;
            let items = page(connection, source, &condition, query)?;
            Ok(Page { items, total: usize::try_from(total.unwrap_or(0)).unwrap_or(usize::MAX) })
        })
    }
}

/// Which table a question begins with: nobody keeps statistics that would tell SQLite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// With the tasks, and no condition is on files.
    Tasks,
    /// The same in the order of an index, which SQLite would rather not take: for the first tasks of many it
    /// is a hundred times quicker than sorting them all.
    TasksByDue,
    /// With the tasks; a condition is on files.
    TasksInFiles,
    /// With the files: those of a folder.
    Files,
    /// With the files, all in the order asked for; no condition is on them.
    FilesInOrder,
}

impl Source {
    fn of(visible: &Visible, query: &TaskQuery) -> Self {
        let few = finds_few(query);
        let in_files = !visible.is_whole() || query.folder.is_some();
        let by_file = matches!(query.sort, TaskSort::Position | TaskSort::NoteModified);
        match (few, in_files, by_file) {
            (false, true, _) => Self::Files,
            (false, false, true) => Self::FilesInOrder,
            (true, true, _) => Self::TasksInFiles,
            (true, false, _) | (false, false, false) => Self::Tasks,
        }
    }

    /// Takes the index of the usual order when it serves; a first build makes it at its end.
    fn in_order_of_days(self, connection: &Connection, query: &TaskQuery) -> Result<Self, SearchError> {
        if self != Self::Tasks || query.sort != TaskSort::Due || finds_few(query) {
            return Ok(self);
        }
        let there: Option<i64> = connection.query_one(
            "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = 'tasks_by_due'",
            &[],
            |row| Ok::<_, SearchError>(row.get(0)?),
        )?;
        Ok(if there.is_some() { Self::TasksByDue } else { self })
    }

    /// The tables, files too: what is sorted by ends in their path.
    fn to_sort(self) -> &'static str {
        match self {
            Self::Tasks | Self::TasksInFiles => "tasks CROSS JOIN files ON files.id = tasks.note_id",
            Self::TasksByDue => "tasks INDEXED BY tasks_by_due CROSS JOIN files ON files.id = tasks.note_id",
            Self::Files | Self::FilesInOrder => "files CROSS JOIN tasks ON tasks.note_id = files.id",
        }
    }

    fn to_count(self) -> &'static str {
        match self {
            Self::Tasks | Self::TasksByDue | Self::FilesInOrder => "tasks",
            Self::TasksInFiles | Self::Files => self.to_sort(),
        }
    }
}

/// Whether an index finds the tasks.
fn finds_few(query: &TaskQuery) -> bool {
    query.tag.is_some() || !query.headings.is_empty() || query.path.is_some()
}

/// The tasks of a page: what is sorted is small, and whole rows are read for the page alone.
fn page(
    connection: &Connection,
    source: Source,
    condition: &Condition,
    query: &TaskQuery,
) -> Result<Vec<TaskItem>, SearchError> {
    // A few tasks are found and sorted; walking an index in order would pass by all the others. With a
    // `+` before it a column is no column of an index.
    let unordered = if finds_few(query) { "+" } else { "" };
    let statement = format!(
        "SELECT tasks.note_id, tasks.ordinal FROM {} WHERE {} ORDER BY {unordered}{} LIMIT ? OFFSET ?",
        source.to_sort(),
        condition.sql(),
        order(query.sort, query.direction)
    );
    let number = |number: usize| Value::from(i64::try_from(number).unwrap_or(i64::MAX));
    let params = condition.params_between(&[], &[number(query.limit), number(query.offset)]);
    let keys: Vec<(u32, i64)> =
        connection.query(&statement, &params, |row| Ok::<_, SearchError>((row.get(0)?, row.get(1)?)))?;
    let statement = format!(
        "SELECT {COLUMNS} FROM tasks
         JOIN files ON files.id = tasks.note_id
         LEFT JOIN notes ON notes.id = tasks.note_id
         LEFT JOIN tasks AS parents ON parents.note_id = tasks.note_id AND parents.ordinal = tasks.parent
         WHERE tasks.note_id = ?1 AND tasks.ordinal = ?2"
    );
    let mut items = Vec::with_capacity(keys.len());
    for (note, ordinal) in keys {
        items.extend(connection.query_one(&statement, params![note, ordinal], read)?);
    }
    Ok(items)
}

fn condition(
    connection: &Connection,
    visible: &Visible,
    query: &TaskQuery,
) -> Result<Condition, SearchError> {
    let mut condition = visible.condition();
    statuses(&mut condition, &query.statuses);
    for (field, range) in &query.dates {
        for (operator, day) in [("<", range.before), ("=", range.on), (">", range.after)] {
            if let Some(day) = day {
                condition.and(&format!("tasks.{} {operator} ?", field.name()), [day.to_string().into()]);
            }
        }
    }
    if !query.priorities.is_empty() {
        let ranks = query.priorities.iter().map(|priority| i64::from(Priority::rank(*priority)).into());
        condition.and(&among("tasks.priority", query.priorities.len()), ranks);
    }
    if let Some(folder) = &query.folder {
        let folder = VaultPath::parse_folder(folder)
            .map_err(|error| SearchError::InvalidFilter(format!("folder: {error}")))?;
        if let Some(folder) = folder {
            let (piece, bounds) = in_folder("files.path_key", &folder.key());
            condition.and(&piece, bounds);
        }
    }
    if let Some(tag) = &query.tag {
        let (piece, params) = tagged(&tag_key(tag)?, false);
        condition.and(
            &format!(
                "(tasks.note_id, tasks.ordinal) IN
                 (SELECT tags.note_id, tags.ordinal FROM task_tags AS tags WHERE {piece})"
            ),
            params,
        );
    }
    if !query.headings.is_empty() {
        under(&mut condition, &query.headings);
    }
    if let Some(path) = &query.path {
        condition.and("tasks.note_id = ?", [id_of(connection, path)?.into()]);
    }
    if query.top_level_only {
        condition.and("tasks.depth = 0", []);
    }
    Ok(condition)
}

fn statuses(condition: &mut Condition, wanted: &[StatusFilter]) {
    let wanted = if wanted.is_empty() { &[StatusFilter::NotDone][..] } else { wanted };
    let mut names = Vec::new();
    for status in wanted {
        names.extend_from_slice(match status {
            StatusFilter::All => return,
            StatusFilter::NotDone => &["todo", "in_progress"],
            StatusFilter::Todo => &["todo"],
            StatusFilter::InProgress => &["in_progress"],
            StatusFilter::Done => &["done"],
            StatusFilter::Cancelled => &["cancelled"],
        });
    }
    condition.and(&among("tasks.status", names.len()), names.into_iter().map(Value::from));
}

fn under(condition: &mut Condition, headings: &[String]) {
    let keys = headings.iter().map(|heading| heading_key(heading.trim().trim_start_matches('#').trim()));
    let keys: Vec<Value> = keys.map(Value::from).collect();
    // No `UNION`: SQLite looks nothing up by the rows of one.
    let piece = format!(
        "(tasks.note_id, tasks.ordinal) IN
         (SELECT under.note_id, under.ordinal FROM tasks AS under WHERE {} OR {})",
        among("under.heading_key", keys.len()),
        among("under.lane_key", keys.len())
    );
    condition.and(&piece, [keys.as_slice(), &keys].concat());
}

fn among(column: &str, count: usize) -> String {
    format!("{column} IN ({})", vec!["?"; count].join(", "))
}

/// The `ORDER BY` of a sort key: its values, then what stands in for them, then the place in the vault.
fn order(sort: TaskSort, direction: Option<Direction>) -> String {
    let toward = |natural: Direction| match direction.unwrap_or(natural) {
        Direction::Ascending => "ASC",
        Direction::Descending => "DESC",
    };
    let date = |field: DateField| {
        let natural = match field {
            DateField::Due | DateField::Scheduled | DateField::Start => Direction::Ascending,
            DateField::Created | DateField::Done | DateField::Cancelled => Direction::Descending,
        };
        (field, natural)
    };
    let dated = |(field, natural): (DateField, Direction), first: bool| {
        let toward = match (first, natural) {
            (true, natural) => toward(natural),
            (false, Direction::Ascending) => "ASC",
            (false, Direction::Descending) => "DESC",
        };
        format!("tasks.{name} {toward} NULLS LAST", name = field.name())
    };
    let cascade = |first: Option<DateField>| {
        let actionable = [DateField::Due, DateField::Scheduled, DateField::Start, DateField::Created];
        let rest = actionable.into_iter().filter(|field| Some(*field) != first);
        let rest = rest.map(|field| dated(date(field), false));
        first.map(|field| dated(date(field), true)).into_iter().chain(rest).collect::<Vec<_>>().join(", ")
    };
    const PLACE: &str = "files.path, tasks.ordinal";
    match sort {
        TaskSort::Due => format!("{}, {PLACE}", cascade(Some(DateField::Due))),
        TaskSort::Scheduled => format!("{}, {PLACE}", cascade(Some(DateField::Scheduled))),
        TaskSort::Start => format!("{}, {PLACE}", cascade(Some(DateField::Start))),
        TaskSort::Created => format!("{}, {PLACE}", cascade(Some(DateField::Created))),
        TaskSort::Done => format!("{}, {PLACE}", dated(date(DateField::Done), true)),
        TaskSort::Priority => {
            format!("tasks.priority {}, {}, {PLACE}", toward(Direction::Ascending), cascade(None))
        }
        TaskSort::NoteModified => format!("files.modified_ns {}, {PLACE}", toward(Direction::Descending)),
        TaskSort::Position => {
            let toward = toward(Direction::Ascending);
            format!("files.path {toward}, tasks.ordinal {toward}")
        }
    }
}

/// The columns that [`read`] expects.
const COLUMNS: &str = "files.path, tasks.line, tasks.status, tasks.status_char, tasks.description, tasks.heading,
    tasks.created, tasks.scheduled, tasks.scheduled_inferred, tasks.start, tasks.due, tasks.done, tasks.cancelled,
    tasks.invalid_dates, tasks.priority, tasks.recurrence, tasks.on_completion, tasks.task_id, tasks.depends_on,
    tasks.tags, tasks.block_id, tasks.depth, parents.block_id, tasks.subtasks, tasks.subtasks_done,
    notes.done_lanes";

fn read(row: &Row<'_>) -> Result<TaskItem, SearchError> {
    let path = stored_path(row.str(0)?)?;
    let day = |column: usize| -> Result<Option<Date>, SearchError> {
        let text: Option<String> = row.get(column)?;
        text.map(|text| text.parse().map_err(|error| SearchError::Row(format!("tasks: {text}: {error}"))))
            .transpose()
    };
    let list = |column: usize, name: &str| -> Result<Vec<String>, SearchError> {
        let json: Option<String> = row.get(column)?;
        json.map_or(Ok(Vec::new()), |json| stored_json(&json, name))
    };
    let rank: u32 = row.get(14)?;
    let (total, done): (u32, u32) = (row.get(23)?, row.get(24)?);
    let done_lanes: Option<String> = row.get(25)?;
    Ok(TaskItem {
        folder: path.folder().to_owned(),
        path: path.as_str().to_owned(),
        line: row.get::<u32>(1)?.saturating_add(1),
        status: row.get(2)?,
        status_char: row.get(3)?,
        description: row.get(4)?,
        heading: row.get(5)?,
        created: day(6)?,
        scheduled: day(7)?,
        scheduled_inferred: row.get(8)?,
        start: day(9)?,
        due: day(10)?,
        done: day(11)?,
        cancelled: day(12)?,
        invalid_dates: list(13, "tasks.invalid_dates")?,
        priority: Priority::ALL
            .into_iter()
            .find(|priority| u32::from(Priority::rank(Some(*priority))) == rank),
        recurrence: row.get(15)?,
        on_completion: row.get(16)?,
        task_id: row.get(17)?,
        depends_on: list(18, "tasks.depends_on")?,
        tags: list(19, "tasks.tags")?,
        block_id: row.get(20)?,
        depth: row.get(21)?,
        parent_block_id: row.get(22)?,
        subtasks: (total > 0).then_some(Subtasks { done, total }),
        is_kanban_task: done_lanes.is_some(),
        done_lanes: done_lanes.map_or(Ok(Vec::new()), |json| stored_json(&json, "notes.done_lanes"))?,
    })
}
