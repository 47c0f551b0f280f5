//! A task as it is answered: what has no value is not there.

use ::search::TaskItem;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::note_row::{shorten_list, shorten_text};
use crate::mcp::answer::Shorten;

/// A task.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    /// The note.
    path: String,
    /// Line of the file, from 1.
    line: u32,
    /// todo, in_progress, done or cancelled.
    status: String,
    /// The character in the box.
    status_char: String,
    /// Its text, tags included, without its fields.
    description: String,
    /// The nearest heading above it; on a board its lane.
    #[serde(skip_serializing_if = "Option::is_none")]
    heading: Option<String>,
    /// Full parent folder of the note; absent at the root.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    /// Day it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<String>,
    /// Day it is planned for.
    #[serde(skip_serializing_if = "Option::is_none")]
    scheduled: Option<String>,
    /// True when that is taken from the name of the note.
    #[serde(skip_serializing_if = "Option::is_none")]
    scheduled_inferred: Option<bool>,
    /// Day work can begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// Day it has to be finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    due: Option<String>,
    /// Day it was finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<String>,
    /// Day it was given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    cancelled: Option<String>,
    /// Fields whose date does not exist, as 2026-02-30.
    #[serde(skip_serializing_if = "Option::is_none")]
    invalid_dates: Option<Vec<String>>,
    /// highest, high, medium, low or lowest.
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<String>,
    /// The repeat rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    recurrence: Option<String>,
    /// keep or delete.
    #[serde(skip_serializing_if = "Option::is_none")]
    on_completion: Option<String>,
    /// The id that others depend on.
    #[serde(skip_serializing_if = "Option::is_none")]
    task_id: Option<String>,
    /// Ids of the tasks to be finished first.
    #[serde(skip_serializing_if = "Option::is_none")]
    depends_on: Option<Vec<String>>,
    /// Tags of its line, without #.
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<String>>,
    /// How many tags there are, when they are too many to be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    tags_total: Option<usize>,
    /// The block id at its end, without ^.
    #[serde(skip_serializing_if = "Option::is_none")]
    block_id: Option<String>,
    /// How many tasks it lies in, when it is a sub-task.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    /// Block id of the task it lies in.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_block_id: Option<String>,
    /// Its direct sub-tasks, whatever was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    subtask_progress: Option<Progress>,
    /// True on a Kanban board.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_kanban_task: Option<bool>,
    /// Lanes of the board whose cards count as done.
    #[serde(skip_serializing_if = "Option::is_none")]
    done_lanes: Option<Vec<String>>,
}

/// How far sub-tasks are.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Progress {
    /// Those that are done.
    done: u32,
    /// All.
    total: u32,
}

impl From<TaskItem> for Row {
    fn from(task: TaskItem) -> Self {
        let day = |date: Option<Date>| date.map(|date| date.to_string());
        let list = |items: Vec<String>| (!items.is_empty()).then_some(items);
        Self {
            path: task.path,
            line: task.line,
            status: task.status,
            status_char: task.status_char,
            description: task.description,
            heading: task.heading,
            folder: (!task.folder.is_empty()).then_some(task.folder),
            created: day(task.created),
            scheduled: day(task.scheduled),
            scheduled_inferred: task.scheduled_inferred.then_some(true),
            start: day(task.start),
            due: day(task.due),
            done: day(task.done),
            cancelled: day(task.cancelled),
            invalid_dates: list(task.invalid_dates),
            priority: task.priority.map(|priority| priority.name().to_owned()),
            recurrence: task.recurrence,
            on_completion: task.on_completion,
            task_id: task.task_id,
            depends_on: list(task.depends_on),
            tags: list(task.tags),
            tags_total: None,
            block_id: task.block_id,
            depth: (task.depth > 0).then_some(task.depth),
            parent_block_id: task.parent_block_id,
            subtask_progress: task
                .subtasks
                .map(|subtasks| Progress { done: subtasks.done, total: subtasks.total }),
            is_kanban_task: task.is_kanban_task.then_some(true),
            done_lanes: list(task.done_lanes),
        }
    }
}

impl Shorten for Row {
    fn shorten(&mut self) {
        shorten_text(&mut self.description);
        for text in [&mut self.heading, &mut self.recurrence].into_iter().flatten() {
            shorten_text(text);
        }
        if let Some(tags) = &mut self.tags {
            self.tags_total = shorten_list(tags);
        }
        for list in [&mut self.depends_on, &mut self.done_lanes].into_iter().flatten() {
            shorten_list(list);
        }
    }
}
