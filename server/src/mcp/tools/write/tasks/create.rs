//! `vault_create_task`: a new task in a note.

use markdown::document;
use markdown::tasks::edit::{self, Context, Edit, EditError, Edited, NewTask, Place, Target};
use schemars::JsonSchema;
use serde::Deserialize;

use super::fields::{Action, FormatName, bare, day, ids};
use super::{Answer, Change, Position, reply};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};
use crate::mcp::tools::list_tasks::PriorityName;
use crate::mcp::tools::write::Safety;

/// The tool.
pub(crate) struct CreateTask;

const NAME: &str = "vault_create_task";

/// The task, and where it goes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    #[schemars(length(min = 1))]
    path: String,
    /// Its text, without fields; tags are part of it.
    #[schemars(length(min = 1))]
    description: String,
    /// To find it by. Required, except for a sub-task on a board, which takes none.
    block_id: Option<String>,
    /// Section; on a Kanban board its lane, required.
    heading: Option<String>,
    /// Task to put it below.
    parent_block_id: Option<String>,
    /// The same.
    #[schemars(range(min = 1))]
    parent_line: Option<usize>,
    /// Default bottom.
    position: Option<Position>,
    priority: Option<PriorityName>,
    /// As \"every week on Monday\".
    recurrence: Option<String>,
    on_completion: Option<Action>,
    /// YYYY-MM-DD.
    due: Option<String>,
    scheduled: Option<String>,
    start: Option<String>,
    task_id: Option<String>,
    /// task_ids.
    depends_on: Option<Vec<String>>,
    /// Texts.
    subtasks: Option<Vec<String>>,
    format: Option<FormatName>,
    #[serde(flatten)]
    safety: Safety,
}

impl Tool for CreateTask {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Adds a task to a note as the Tasks plugin writes it, to do, with its fields in order: under a heading, below \
a parent task, else at the end.

Example: {\"path\": \"Board.md\", \"description\": \"Book a room\", \"block_id\": \"room\", \"heading\": \"Next\", \
\"position\": \"top\", \"due\": \"2026-07-04\"}

Returns {path, line, description, …}.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let wanted = Wanted::read(&arguments)?;
        let change = Change {
            tool: NAME,
            path: &arguments.path,
            format: arguments.format,
            options: arguments.safety.options()?,
        };
        let answer = call.change_tasks(change, |text, context| wanted.create(text, context))?;
        // What is new is all of it.
        reply(NAME, Answer { changes: None, ..answer })
    }
}

/// The checked arguments.
struct Wanted {
    fields: Edit,
    place: Where,
    subtasks: Vec<String>,
}

enum Where {
    Place(Place),
    /// Below the task that is found so.
    Under(Target),
}

impl Wanted {
    fn read(arguments: &Arguments) -> Result<Self, ToolError> {
        let refused = |reason: &str| Err(ToolError::Refused(reason.to_owned()));
        let parent = match (&arguments.parent_block_id, arguments.parent_line) {
            (Some(_), Some(_)) => {
                return refused("parent_block_id and parent_line are mutually exclusive: give one");
            }
            (Some(id), None) => Some(Target::BlockId(bare(id))),
            (None, Some(line)) => Some(Target::Line(line.saturating_sub(1))),
            (None, None) => None,
        };
        let place = match (parent, &arguments.heading) {
            (Some(_), Some(_)) => {
                return refused(
                    "a parent and heading are mutually exclusive: a sub-task stands where its parent does",
                );
            }
            (Some(target), None) => Where::Under(target),
            (None, Some(heading)) => Where::Place(Place::Heading {
                heading: heading.clone(),
                position: arguments.position.map(Into::into).unwrap_or_default(),
            }),
            (None, None) => Where::Place(Place::End),
        };
        if arguments.position.is_some() && arguments.heading.is_none() {
            return refused("position needs a heading: it is the slot under it");
        }
        if arguments.block_id.is_none() && matches!(place, Where::Place(_)) {
            return refused(NEEDS_BLOCK_ID);
        }
        let fields = Edit {
            description: Some(arguments.description.clone()),
            priority: arguments.priority.map(PriorityName::read),
            recurrence: arguments.recurrence.clone().map(Some),
            on_completion: arguments.on_completion.map(|action| Some(action.into())),
            created: None,
            start: day("start", arguments.start.as_ref())?,
            scheduled: day("scheduled", arguments.scheduled.as_ref())?,
            due: day("due", arguments.due.as_ref())?,
            id: arguments.task_id.as_ref().map(|id| Some(id.trim().to_owned())),
            depends_on: arguments.depends_on.clone().map(ids),
            block_id: arguments.block_id.as_deref().map(|id| Some(bare(id))),
            status: None,
        };
        Ok(Self { fields, place, subtasks: arguments.subtasks.clone().unwrap_or_default() })
    }

    fn create(self, text: &str, context: &Context<'_>) -> Result<Edited, CreateError> {
        let place = match self.place {
            Where::Place(place) => place,
            Where::Under(target) => {
                let line = edit::find_task(text, &target)?;
                let is_board = markdown::kanban::is_board(&document::parse(text).properties);
                if self.fields.block_id.is_none() && !is_board {
                    return Err(CreateError::NeedsBlockId);
                }
                Place::Under { line }
            }
        };
        let new = NewTask { fields: self.fields, place, subtasks: self.subtasks };
        Ok(edit::create(text, &new, context)?)
    }
}

/// Why no task was made.
#[derive(Debug, thiserror::Error)]
enum CreateError {
    /// The task could not be found again.
    #[error("{NEEDS_BLOCK_ID}")]
    NeedsBlockId,
    /// The edit was refused.
    #[error(transparent)]
    Edit(#[from] EditError),
}

const NEEDS_BLOCK_ID: &str = "block_id is missing: every task needs one, by which it is found again, except a \
                              sub-task on a Kanban board";
