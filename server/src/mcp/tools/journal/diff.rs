//! `vault_diff`: what one change did.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vault::ChangeId;

use super::journal_error;
use crate::changes::ChangeRow;
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};
use crate::mcp::tools::write::shortened;

/// The tool.
pub(crate) struct Diff;

/// Which change.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    #[schemars(range(min = 1))]
    change: i64,
}

/// The change.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    #[serde(flatten)]
    change: ChangeRow,
    /// What it did to the text, as a unified diff; empty for a move that changed no text.
    diff: String,
    /// Characters of the diff that are not in this answer.
    diff_left_out: Option<usize>,
}

impl Tool for Diff {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str =
        "Shows one change as a unified diff.{vault_history? Its number is in vault_history.}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let id = ChangeId(arguments.change);
        let failed = |error| journal_error(call, error);
        let journal = call.journal()?.ok_or_else(|| failed(vault::JournalError::NoSuchChange(id)))?;
        let (record, diff) = journal.diff(call.who, id).map_err(failed)?;
        let (diff, diff_left_out) = shortened(&diff, call.app.max_answer_chars.saturating_sub(1_000));
        let change = ChangeRow::of(&record, &call.app.time_zone);
        let whither = change.new_path.as_ref().map(|path| format!(" → {path}")).unwrap_or_default();
        let mut text = format!(
            "Change {}: {} by {} at {}, {} {}{whither}\n\n{diff}",
            change.change, change.tool, change.principal, change.at, change.kind, change.path
        );
        if let Some(count) = diff_left_out {
            text.push_str(&format!("\n({count} more characters of the diff are not shown)"));
        }
        Ok(Reply::new(vec![text], Answer { change, diff, diff_left_out }))
    }
}
