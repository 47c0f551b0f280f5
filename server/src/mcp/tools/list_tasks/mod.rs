//! `vault_list_tasks`: the tasks of the vault, filtered and in order.

mod arguments;
mod row;

use schemars::JsonSchema;
use serde::Serialize;
use vault::{FileKind, Loaded};

use self::arguments::Arguments;
pub(super) use self::arguments::PriorityName;
use self::row::Row;
use super::support::Indexing;
use crate::mcp::answer::{LeftOut, fit, text_length};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct ListTasks;

/// The tasks.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// How many tasks match.
    total: usize,
    /// A part of them, in order.
    tasks: Vec<Row>,
    /// True when the vault has no such note.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<bool>,
    /// Notes that may have been meant, when it has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    did_you_mean: Option<Vec<String>>,
    /// What is wrong with the settings of the Tasks plugin, and which were used instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    settings_problem: Option<String>,
    /// What is not in this part.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
    /// Set while the index is being built.
    #[serde(skip_serializing_if = "Option::is_none")]
    indexing: Option<Indexing>,
}

impl Tool for ListTasks {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Lists checkbox tasks as the Obsidian Tasks plugin reads them (emoji and Dataview fields) and cards of Kanban \
boards, whose lanes are headings. Open ones by default, by due date, else scheduled, start, created.

Examples: {\"due\": {\"before\": \"2026-07-04\"}} overdue; {\"path\": \"Board.md\", \"heading\": [\"Active\", \
\"Next\"], \"top_level_only\": true, \"sort_by\": \"position\"}

Returns {total, tasks: [{path, line, status, status_char, description, heading?, due?, priority?, tags?, \
block_id?, subtask_progress?, is_kanban_task?, done_lanes?, …}], left_out?}.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let query = arguments.into_query()?;
        let index = call.index()?;
        let page = index.tasks(call.who, &query).map_err(|error| call.search_error(&error))?;
        let rows: Vec<Row> = page.items.into_iter().map(Row::from).collect();
        let settings_problem = settings_problem(call);
        let around = settings_problem.as_deref().map_or(0, text_length);
        let room = call.app.max_answer_chars.saturating_sub(around);
        let fitted = fit(rows, query.offset, page.total, room, "tasks");
        let missing = query
            .path
            .filter(|_| page.total == 0)
            .and_then(|path| call.file_meant(&path, |kind| kind == FileKind::Note).err());
        Reply::json(Answer {
            total: page.total,
            tasks: fitted.rows,
            missing: missing.as_ref().map(|_| true),
            did_you_mean: missing.filter(|near| !near.is_empty()),
            settings_problem,
            left_out: fitted.left_out,
            indexing: index.progress().map(Indexing::from),
        })
        .map_err(|error| ToolError::Internal { tool: "vault_list_tasks", cause: error.to_string() })
    }
}

/// Why the vault's own settings of the Tasks plugin do not count.
pub(super) fn settings_problem(call: &Call<'_>) -> Option<String> {
    match call.app.vault.settings().tasks() {
        Loaded::Unreadable(error) => Some(format!(
            ".obsidian/plugins/obsidian-tasks-plugin/data.json cannot be used: {error}. Used instead: the \
             defaults of the Tasks plugin, its standard statuses and no global filter"
        )),
        Loaded::Missing | Loaded::Read(_) => None,
    }
}
