//! What can be asked about tasks, and what is answered.

use jiff::civil::Date;
use markdown::tasks::Priority;
use vault::VaultPath;

use crate::query::DateRange;

/// A status, or several at once, that a task may be asked to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusFilter {
    /// Neither done nor cancelled.
    NotDone,
    /// Not begun; what waits and what has a box that nobody registered counts here too.
    Todo,
    /// Begun.
    InProgress,
    /// Finished.
    Done,
    /// Given up.
    Cancelled,
    /// Any.
    All,
}

/// The dates of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateField {
    /// When it has to be finished.
    Due,
    /// When it is planned for.
    Scheduled,
    /// When work can begin.
    Start,
    /// When it was made.
    Created,
    /// When it was finished.
    Done,
    /// When it was given up.
    Cancelled,
}

impl DateField {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Due, Self::Scheduled, Self::Start, Self::Created, Self::Done, Self::Cancelled];

    /// Its name in arguments and answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Due => "due",
            Self::Scheduled => "scheduled",
            Self::Start => "start",
            Self::Created => "created",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
        }
    }
}

/// What tasks are sorted by. Of equals the one that stands first in the vault comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TaskSort {
    /// The due date, earliest first; without one: scheduled, start, created.
    #[default]
    Due,
    /// The scheduled date, earliest first; without one: due, start, created.
    Scheduled,
    /// The start date, earliest first; without one: due, scheduled, created.
    Start,
    /// When it was made, latest first; where that is unknown: due, scheduled, start.
    Created,
    /// When it was finished, latest first.
    Done,
    /// Most urgent first; none stands between medium and low. Of equals the sooner due.
    Priority,
    /// Last change of the note, latest first.
    NoteModified,
    /// Path of the note, then line: on a board the order of its cards.
    Position,
}

/// Which way the values of the first sort key run. Tasks without one are last either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Early before late, urgent before unimportant, `a` before `z`.
    Ascending,
    /// The reverse.
    Descending,
}

/// A question about tasks. Everything that is set must hold.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskQuery {
    /// One of these; empty is [`StatusFilter::NotDone`].
    pub statuses: Vec<StatusFilter>,
    /// Bounds of dates. A task without the date, or with one that does not exist, never matches.
    pub dates: Vec<(DateField, DateRange)>,
    /// One of these priorities, where `None` is that of a task without one; empty is any.
    pub priorities: Vec<Option<Priority>>,
    /// In this folder or below it: whole segments, compared without case. `""` or `/` is the root.
    pub folder: Option<String>,
    /// Carries this tag, or one nested below it, in its own line (folded; a leading `#` is dropped).
    pub tag: Option<String>,
    /// Under one of these headings, the nearest one counts, compared as links compare headings. On a
    /// board also the title of a lane without its limit of cards. Empty is any.
    pub headings: Vec<String>,
    /// In this note.
    pub path: Option<VaultPath>,
    /// Not below another task.
    pub top_level_only: bool,
    /// What they are sorted by.
    pub sort: TaskSort,
    /// Which way; `None` is the natural one of the sort key.
    pub direction: Option<Direction>,
    /// How many come back at most.
    pub limit: usize,
    /// How many are passed over first.
    pub offset: usize,
}

impl Default for TaskQuery {
    fn default() -> Self {
        Self {
            statuses: Vec::new(),
            dates: Vec::new(),
            priorities: Vec::new(),
            folder: None,
            tag: None,
            headings: Vec::new(),
            path: None,
            top_level_only: false,
            sort: TaskSort::default(),
            direction: None,
            limit: 50,
            offset: 0,
        }
    }
}

impl TaskQuery {
    /// The same, with bounds for a date.
    #[must_use]
    pub fn dated(mut self, field: DateField, range: DateRange) -> Self {
        self.dates.push((field, range));
        self
    }
}

/// A task of the vault.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskItem {
    /// The note that holds it.
    pub path: String,
    /// Its line in the file, from 1.
    pub line: u32,
    /// `todo`, `in_progress`, `done` or `cancelled`.
    pub status: String,
    /// The character in its box.
    pub status_char: String,
    /// Its text without fields; tags stay in it.
    pub description: String,
    /// Full parent folder of the note.
    pub folder: String,
    /// The nearest heading above it; on a board its lane.
    pub heading: Option<String>,
    /// When it was made.
    pub created: Option<Date>,
    /// When it is planned for.
    pub scheduled: Option<Date>,
    /// Whether that was taken from the name of the note.
    pub scheduled_inferred: bool,
    /// When work can begin.
    pub start: Option<Date>,
    /// When it has to be finished.
    pub due: Option<Date>,
    /// When it was finished.
    pub done: Option<Date>,
    /// When it was given up.
    pub cancelled: Option<Date>,
    /// Fields whose date does not exist, as `2026-02-30` does not.
    pub invalid_dates: Vec<String>,
    /// Its priority.
    pub priority: Option<Priority>,
    /// Its repeat rule as the Tasks plugin writes it.
    pub recurrence: Option<String>,
    /// `keep` or `delete`.
    pub on_completion: Option<String>,
    /// The id that others depend on.
    pub task_id: Option<String>,
    /// Ids of the tasks that have to be finished first.
    pub depends_on: Vec<String>,
    /// The tags of its line, without `#`.
    pub tags: Vec<String>,
    /// Its block id, without `^`.
    pub block_id: Option<String>,
    /// How many tasks it lies in.
    pub depth: u32,
    /// Block id of the task it lies in directly, when that has one.
    pub parent_block_id: Option<String>,
    /// The tasks that lie in it directly, whatever the question leaves out.
    pub subtasks: Option<Subtasks>,
    /// Whether its note is a Kanban board.
    pub is_kanban_task: bool,
    /// On a board, the lanes whose cards count as done.
    pub done_lanes: Vec<String>,
}

/// How far the sub-tasks of a task are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subtasks {
    /// Those that are done.
    pub done: u32,
    /// All.
    pub total: u32,
}
