//! `vault_update_task`: a task's fields, status, sub-tasks and place.

use markdown::tasks::edit::{self, Edit, Target, Update};
use schemars::JsonSchema;
use serde::Deserialize;

use super::fields::{Action, FormatName, StatusName, bare, ids, new_day};
use super::{Answer, Change, Position, reply};
use crate::mcp::clearable::Clearable;
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};
use crate::mcp::tools::list_tasks::PriorityName;
use crate::mcp::tools::write::Safety;

/// The tool.
pub(crate) struct UpdateTask;

const NAME: &str = "vault_update_task";

/// Which task, and what to do with it.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    #[schemars(length(min = 1))]
    path: String,
    /// The task's, or give line.
    block_id: Option<String>,
    #[schemars(range(min = 1))]
    line: Option<usize>,
    status: Option<StatusName>,
    #[serde(default)]
    priority: Clearable<PriorityName>,
    #[serde(default)]
    recurrence: Clearable<String>,
    #[serde(default)]
    on_completion: Clearable<Action>,
    /// Without fields.
    description: Option<String>,
    /// YYYY-MM-DD.
    #[serde(default)]
    due: Clearable<String>,
    #[serde(default)]
    scheduled: Clearable<String>,
    #[serde(default)]
    start: Clearable<String>,
    #[serde(default)]
    created: Clearable<String>,
    #[serde(default)]
    task_id: Clearable<String>,
    #[serde(default)]
    depends_on: Clearable<Vec<String>>,
    /// Texts.
    add_subtasks: Option<Vec<String>>,
    #[serde(default)]
    assign_block_id: Clearable<String>,
    /// To move it to.
    heading: Option<String>,
    /// Alone: in its own section.
    position: Option<Position>,
    format: Option<FormatName>,
    #[serde(flatten)]
    safety: Safety,
}

impl Tool for UpdateTask {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Changes a task in one step: everything given is applied, null clears, the rest stays. Done works as in the \
Tasks plugin: dates, the next occurrence of a recurring task, deletion when on_completion says so; on a Kanban \
board the card goes to the done lane, and a card moved there is done. Sub-tasks stay put.

Example: {\"path\": \"Board.md\", \"block_id\": \"room\", \"status\": \"done\", \"due\": null}

Returns {path, line, description, changes, next_line?, removed?, …}.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let refused = |reason: &str| Err(ToolError::Refused(reason.to_owned()));
        let target = match (&arguments.block_id, arguments.line) {
            (Some(_), Some(_)) => return refused("block_id and line are mutually exclusive: give one"),
            (Some(id), None) => Target::BlockId(bare(id)),
            (None, Some(line)) => Target::Line(line.saturating_sub(1)),
            (None, None) => return refused("which task? Give its block_id or its line"),
        };
        let fields = Edit {
            description: arguments.description,
            priority: arguments.priority.into_option().map(|priority| priority.and_then(PriorityName::read)),
            recurrence: arguments.recurrence.into_option(),
            on_completion: arguments.on_completion.into_option().map(|action| action.map(Into::into)),
            created: new_day("created", arguments.created)?,
            start: new_day("start", arguments.start)?,
            scheduled: new_day("scheduled", arguments.scheduled)?,
            due: new_day("due", arguments.due)?,
            id: arguments.task_id.into_option().map(|id| id.map(|id| id.trim().to_owned())),
            depends_on: arguments.depends_on.into_option().map(|list| list.map(ids).unwrap_or_default()),
            block_id: arguments.assign_block_id.into_option().map(|id| id.map(|id| bare(&id))),
            status: arguments.status.map(Into::into),
        };
        let update = Update {
            fields,
            add_subtasks: arguments.add_subtasks.unwrap_or_default(),
            heading: arguments.heading,
            position: arguments.position.map(Into::into),
        };
        let change = Change {
            tool: NAME,
            path: &arguments.path,
            format: arguments.format,
            options: arguments.safety.options()?,
        };
        let answer =
            call.change_tasks(change, |text, context| edit::update(text, &target, &update, context))?;
        reply(NAME, answer)
    }
}
