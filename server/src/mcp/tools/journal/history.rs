//! `vault_history`: who changed what, when.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vault::{HistoryFilter, VaultPath};

use super::journal_error;
use crate::changes::ChangeRow;
use crate::mcp::answer::{LeftOut, Shorten, fit};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct History;

/// Which changes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// A note, or a folder.
    path: Option<String>,
    /// By whom, exactly as a row says it.
    principal: Option<String>,
    /// A day or time; its own moment included.
    since: Option<String>,
    until: Option<String>,
    #[schemars(range(min = 1, max = 500))]
    limit: Option<usize>,
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

/// The changes.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Newest first.
    changes: Vec<ChangeRow>,
    /// How many there are.
    total: usize,
    /// What is not in this part.
    left_out: Option<LeftOut>,
}

impl Shorten for ChangeRow {
    fn shorten(&mut self) {
        self.undoes.truncate(20);
        self.summary = self.summary.chars().take(200).collect();
    }
}

impl Tool for History {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Lists the changes made through this server, newest first: when, by whom, with which tool, to which note.\
{vault_diff? vault_diff shows one.}{vault_undo? vault_undo takes it back.}

Example: {\"path\": \"Projects\", \"since\": \"2026-01-15\"}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let path = arguments.path.as_deref().map(VaultPath::parse_folder).transpose()?.flatten();
        let offset = arguments.offset.unwrap_or(0);
        let filter = HistoryFilter {
            path,
            principal: arguments.principal,
            since: call.time("since", arguments.since.as_deref())?,
            until: call.time("until", arguments.until.as_deref())?,
            limit: arguments.limit.unwrap_or(20),
            offset,
            ..HistoryFilter::default()
        };
        let page = match call.journal()? {
            Some(journal) => {
                let page = journal.history(call.who, &filter);
                let page = page.map_err(|error| journal_error(call, error))?;
                (page.changes, page.total)
            }
            None => (Vec::new(), 0),
        };
        let rows = page.0.iter().map(|record| ChangeRow::of(record, &call.app.time_zone)).collect();
        let fitted = fit(rows, offset, page.1, call.app.max_answer_chars, "changes");
        let answer = Answer { changes: fitted.rows, total: page.1, left_out: fitted.left_out };
        Reply::json(answer)
            .map_err(|error| ToolError::Internal { tool: "vault_history", cause: error.to_string() })
    }
}
