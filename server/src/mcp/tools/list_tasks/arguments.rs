//! The arguments, and the question that they are.

use std::collections::BTreeMap;

use ::search::{DateField, DateRange, Direction, StatusFilter, TaskQuery, TaskSort};
use markdown::tasks::Priority;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use vault::{FileKind, VaultPath};

use super::super::search::parse_day;
use crate::mcp::error::ToolError;

/// Which tasks, in which order.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Default not_done.
    status: Option<Vec<Status>>,
    /// {before, on, after}: days as YYYY-MM-DD; before and after exclude the day.
    due: Option<Bounds>,
    /// As due.
    scheduled: Option<Bounds>,
    /// As due.
    start: Option<Bounds>,
    /// As due.
    created: Option<Bounds>,
    /// As due; ask for status done too.
    done: Option<Bounds>,
    /// As due; likewise.
    cancelled: Option<Bounds>,
    /// Any of these.
    priority: Option<Vec<PriorityName>>,
    /// In this folder or below it.
    folder: Option<String>,
    /// In the task's line; nested ones count.
    tag: Option<String>,
    /// Under any of these, or lanes.
    heading: Option<Vec<String>>,
    /// One note.
    path: Option<String>,
    /// No sub-tasks.
    top_level_only: Option<bool>,
    /// Default due; position is path and line.
    sort_by: Option<SortBy>,
    /// Default desc for created, done, note_mtime. priority asc: highest first.
    sort_direction: Option<SortDirection>,
    /// Default 50.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    /// Tasks to skip.
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

/// Days by `before`, `on` and `after`. Six schemas with these names would cost every client more than
/// they tell it, so the names are checked here.
type Bounds = BTreeMap<String, String>;

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    NotDone,
    Todo,
    InProgress,
    Done,
    Cancelled,
    All,
}

// A priority as every task tool takes it. No doc comment: that would stand in each schema that has one.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PriorityName {
    Highest,
    High,
    Medium,
    Low,
    Lowest,
    None,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SortBy {
    Due,
    Scheduled,
    Start,
    Created,
    Done,
    Priority,
    NoteMtime,
    Position,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SortDirection {
    Asc,
    Desc,
}

impl Arguments {
    /// The question.
    pub(super) fn into_query(self) -> Result<TaskQuery, ToolError> {
        let default = TaskQuery::default();
        let mut dates = Vec::new();
        for (field, bounds) in [
            (DateField::Due, &self.due),
            (DateField::Scheduled, &self.scheduled),
            (DateField::Start, &self.start),
            (DateField::Created, &self.created),
            (DateField::Done, &self.done),
            (DateField::Cancelled, &self.cancelled),
        ] {
            if let Some(bounds) = bounds {
                dates.push((field, range(field.name(), bounds)?));
            }
        }
        Ok(TaskQuery {
            statuses: self.status.unwrap_or_default().into_iter().map(StatusFilter::from).collect(),
            dates,
            priorities: self.priority.unwrap_or_default().into_iter().map(PriorityName::read).collect(),
            folder: self.folder,
            tag: self.tag,
            headings: headings(self.heading.unwrap_or_default())?,
            path: self.path.map(|path| note(&path)).transpose()?,
            top_level_only: self.top_level_only.unwrap_or(false),
            sort: self.sort_by.map(TaskSort::from).unwrap_or_default(),
            direction: self.sort_direction.map(|direction| match direction {
                SortDirection::Asc => Direction::Ascending,
                SortDirection::Desc => Direction::Descending,
            }),
            limit: self.limit.unwrap_or(default.limit),
            offset: self.offset.unwrap_or(0),
        })
    }
}

/// Names of headings. An empty one would match nothing, and the answer would look as if there were no tasks.
fn headings(names: Vec<String>) -> Result<Vec<String>, ToolError> {
    match names.iter().position(|name| name.trim().is_empty()) {
        Some(index) => {
            let empty = names.get(index).cloned().unwrap_or_default();
            Err(ToolError::argument(&format!("heading[{index}]"), "a heading", &Value::String(empty)))
        }
        None => Ok(names),
    }
}

/// The path of a note.
fn note(raw: &str) -> Result<VaultPath, ToolError> {
    let path = VaultPath::parse(raw)?;
    if path.kind() == FileKind::Note {
        return Ok(path);
    }
    Err(ToolError::argument("path", "a path that ends in .md", &Value::String(raw.to_owned())))
}

fn range(name: &str, bounds: &Bounds) -> Result<DateRange, ToolError> {
    let mut range = DateRange::default();
    for (bound, text) in bounds {
        let place = match bound.as_str() {
            "before" => &mut range.before,
            "on" => &mut range.on,
            "after" => &mut range.after,
            _ => {
                return Err(ToolError::UnknownArgument {
                    name: format!("{name}.{bound}"),
                    hint: "give before, on or after".to_owned(),
                });
            }
        };
        *place = Some(parse_day(&format!("{name}.{bound}"), text)?);
    }
    Ok(range)
}

impl PriorityName {
    /// The priority; none for `none`.
    pub(crate) fn read(self) -> Option<Priority> {
        match self {
            Self::Highest => Some(Priority::Highest),
            Self::High => Some(Priority::High),
            Self::Medium => Some(Priority::Medium),
            Self::Low => Some(Priority::Low),
            Self::Lowest => Some(Priority::Lowest),
            Self::None => None,
        }
    }
}

impl From<Status> for StatusFilter {
    fn from(status: Status) -> Self {
        match status {
            Status::NotDone => Self::NotDone,
            Status::Todo => Self::Todo,
            Status::InProgress => Self::InProgress,
            Status::Done => Self::Done,
            Status::Cancelled => Self::Cancelled,
            Status::All => Self::All,
        }
    }
}

impl From<SortBy> for TaskSort {
    fn from(sort: SortBy) -> Self {
        match sort {
            SortBy::Due => Self::Due,
            SortBy::Scheduled => Self::Scheduled,
            SortBy::Start => Self::Start,
            SortBy::Created => Self::Created,
            SortBy::Done => Self::Done,
            SortBy::Priority => Self::Priority,
            SortBy::NoteMtime => Self::NoteModified,
            SortBy::Position => Self::Position,
        }
    }
}
