//! `vault_undo`: taking changes back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vault::{ChangeId, UndoOptions, WriteError};

use super::journal_error;
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};
use crate::mcp::tools::write::{INDEX_PROBLEM, count, shortened};

/// The tool.
pub(crate) struct Undo;

const NAME: &str = "vault_undo";

/// What to take back.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// One change; a move with its rewritten links.
    #[schemars(range(min = 1))]
    change: Option<i64>,
    /// Instead: all changes by this principal since `since`.
    principal: Option<String>,
    since: Option<String>,
    /// Keep later edits of the note, merging line by line.
    #[serde(default)]
    merge: Option<bool>,
    #[serde(default)]
    dry_run: Option<bool>,
}

/// What was taken back.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// The changes taken back, newest first.
    undone: Vec<i64>,
    /// The files as they are now.
    files: Vec<File>,
    /// Files that are not listed.
    files_left_out: Option<usize>,
    /// True when nothing was written, because that was asked for.
    dry_run: Option<bool>,
    /// Why the change may not be found by search yet. It stands all the same.
    index_problem: Option<String>,
}

/// A file.
#[derive(Debug, Serialize, JsonSchema)]
struct File {
    /// Its path.
    path: String,
    /// SHA-256 of it; absent when it is gone.
    hash: Option<String>,
    /// Number of the change that took it back; undoing that one brings it again.
    change: Option<i64>,
    /// What would change, of a dry run.
    diff: Option<String>,
}

/// Most files in an answer.
const MOST_FILES: usize = 100;

impl Tool for Undo {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Takes back a change{vault_history? (see vault_history)}, or all changes of a principal since a day or time; \
the files are again what they were, byte for byte. Refuses with the difference when a note has changed since, \
unless merge is true. An undo can be undone.

Examples: {\"change\": 12}; {\"principal\": \"phone\", \"since\": \"2026-01-15T09:30\"}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let what = what(call, &arguments)?;
        let dry_run = arguments.dry_run.unwrap_or(false);
        let options = UndoOptions { dry_run, merge: arguments.merge.unwrap_or(false) };
        let undone = call
            .writer()?
            .undo(call.caller(NAME), &what, options)
            .map_err(|error| undo_error(call, error))?;
        let total = undone.written.len();
        let room = call.app.max_answer_chars / 2 / total.clamp(1, MOST_FILES);
        let index_problem = undone.written.iter().find_map(|written| written.index.as_ref().err());
        let index_problem = index_problem.map(|error| {
            tracing::warn!(error.message = error.to_string(), "the index was not told of an undo");
            INDEX_PROBLEM.to_owned()
        });
        let files: Vec<File> = undone
            .written
            .iter()
            .take(MOST_FILES)
            .map(|written| File {
                path: written.path.as_str().to_owned(),
                hash: written.after.map(|hash| hash.to_string()),
                change: written.change.map(|change| change.0),
                diff: written.diff.as_deref().map(|diff| shortened(diff, room).0),
            })
            .collect();
        let answer = Answer {
            undone: undone.changes.iter().map(|change| change.0).collect(),
            files_left_out: Some(total - files.len()).filter(|count| *count > 0),
            files,
            dry_run: dry_run.then_some(true),
            index_problem,
        };
        Ok(Reply::new(vec![text(&answer, total)], answer))
    }
}

fn what(call: &Call<'_>, arguments: &Arguments) -> Result<vault::Undo, ToolError> {
    let since = call.time("since", arguments.since.as_deref())?;
    match (arguments.change, &arguments.principal, since) {
        (Some(change), None, None) => Ok(vault::Undo::Change(ChangeId(change))),
        (None, Some(principal), Some(since)) => {
            Ok(vault::Undo::Since { principal: principal.clone(), since })
        }
        _ => Err(ToolError::Refused("give either change, or principal and since".to_owned())),
    }
}

fn text(answer: &Answer, total: usize) -> String {
    let mut text =
        if answer.dry_run.is_some() { "Dry run: nothing was written. Would undo " } else { "Undid " }
            .to_owned();
    text.push_str(&format!("{} in {}:", count(answer.undone.len(), "change"), count(total, "file")));
    for file in &answer.files {
        let gone = if file.hash.is_none() { " (gone)" } else { "" };
        text.push_str(&format!("\n{}{gone}", file.path));
        if let Some(diff) = file.diff.as_deref().filter(|diff| !diff.is_empty()) {
            text.push_str(&format!("\n{diff}"));
        }
    }
    if let Some(count) = answer.files_left_out {
        text.push_str(&format!("\nand {count} more"));
    }
    if let Some(problem) = &answer.index_problem {
        text.push_str(&format!("\n{problem}"));
    }
    text
}

fn undo_error(call: &Call<'_>, error: WriteError) -> ToolError {
    match error {
        WriteError::Journal(error) => journal_error(call, error),
        WriteError::UndoConflict { change, path, diff, mergeable } => {
            let diff = shortened(&diff, call.app.max_answer_chars.saturating_sub(1_000)).0;
            let hint = if mergeable { "\nPass merge: true to keep what came later." } else { "" };
            let error = Box::new(WriteError::UndoConflict { change, path, diff, mergeable });
            ToolError::Write { error, hint: hint.to_owned() }
        }
        WriteError::MergeConflict { change, path, merged } => {
            let merged = shortened(&merged, call.app.max_answer_chars.saturating_sub(1_000)).0;
            let error = Box::new(WriteError::MergeConflict { change, path, merged });
            ToolError::Write { error, hint: String::new() }
        }
        WriteError::Vault(error) => error.into(),
        error => ToolError::Write { error: Box::new(error), hint: String::new() },
    }
}
