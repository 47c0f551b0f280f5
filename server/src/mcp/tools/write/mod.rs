//! The tools that change the vault: what they share. One file a tool.
//!
//! A tool reads its arguments, hands a function of `markdown::edit` or `markdown::tasks::edit` to
//! [`vault::Writer`], and answers with a sentence and a [`Frame`]. Everything else (rights, locks, hashes,
//! the journal, the index) is the writer's.

mod delete_memory;
mod delete_note;
mod delete_span;
#[cfg(test)]
mod edit_tests;
mod error;
mod insert_at_anchor;
mod memory;
#[cfg(test)]
mod memory_tests;
mod move_note;
mod patch_note;
#[cfg(test)]
mod place_tests;
#[cfg(test)]
mod property_tests;
mod replace_in_note;
mod replace_span;
mod tasks;
#[cfg(test)]
pub(super) mod tests;
mod update_memory;
mod update_properties;
mod write_note;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vault::{Caller, ContentHash, EditRefused, Lock, WriteOptions, Writer, Written};

use crate::mcp::answer::{cut, json_length, text_length};
use crate::mcp::error::ToolError;
use crate::mcp::tool::Call;

pub(crate) use delete_memory::DeleteMemory;
pub(crate) use delete_note::DeleteNote;
pub(crate) use delete_span::DeleteSpan;
pub(crate) use insert_at_anchor::InsertAtAnchor;
pub(crate) use move_note::MoveNote;
pub(crate) use patch_note::PatchNote;
pub(crate) use replace_in_note::ReplaceInNote;
pub(crate) use replace_span::ReplaceSpan;
pub(crate) use tasks::{CreateTask, UpdateTask};
pub(crate) use update_memory::UpdateMemory;
pub(crate) use update_properties::UpdateProperties;
pub(crate) use write_note::WriteNote;

use error::Wanted;

/// Arguments that every tool has which changes a note. The server's instructions say what they are.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Safety {
    #[serde(default)]
    pub(super) dry_run: Option<bool>,
    #[serde(default)]
    pub(super) expected_hash: Option<String>,
}

/// What every answer has that tells of a change.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Frame {
    /// The file.
    pub(super) path: String,
    /// SHA-256 of the file afterwards, to be given as expected_hash by the next change. Absent when the file
    /// is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hash: Option<String>,
    /// Number of the change in the journal; absent when nothing was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) change: Option<i64>,
    /// True when nothing was written, because that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dry_run: Option<bool>,
    /// What would be written, as a unified diff; of a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) diff: Option<String>,
    /// Characters of the diff that are not in this answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) diff_left_out: Option<usize>,
    /// Why the change may not be found by search yet. It stands all the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) index_problem: Option<String>,
}

impl Call<'_> {
    /// What changes the vault, or why nothing does.
    pub(super) fn writer(&self) -> Result<&Writer, ToolError> {
        let refused = |reason: &str| ToolError::Refused(format!("nothing can be changed: {reason}"));
        let Some(service) = &self.app.writes else { return Err(refused("the server is read-only")) };
        service.writer().map_err(refused)
    }

    /// Who changes something, by which tool.
    pub(super) fn caller(&self, tool: &'static str) -> Caller<'_> {
        Caller { who: self.who, tool }
    }

    /// Edits the text of a note by `change`, which is given it as it is under the lock. A change that is
    /// being made by another call at this moment is not waited for: this one was thought of before it.
    pub(super) fn edit<T, E: std::error::Error + Send + Sync + 'static>(
        &self,
        tool: &'static str,
        path: &str,
        safety: &Safety,
        change: impl FnOnce(&str) -> Result<(String, T), E>,
    ) -> Result<(Frame, T), ToolError> {
        let path = self.path(path)?;
        self.only_notes(&path)?;
        let options = safety.options()?;
        let changed = self.writer()?.edit(self.caller(tool), &path, &options, Lock::FailFast, |text| {
            change(text).map_err(|error| EditRefused(Box::new(error)))
        });
        let (written, done) = changed.map_err(|error| self.write_error(&path, error, Wanted::Edit))?;
        Ok((Frame::of(self, written), done))
    }

    /// As many rows as fit into a quarter of an answer, and how many do not.
    pub(super) fn some_of<T: Serialize>(&self, mut rows: Vec<T>) -> (Vec<T>, Option<usize>) {
        let mut room = self.app.max_answer_chars / 4;
        let fit = rows.iter().take_while(|row| {
            let rest = room.checked_sub(json_length(row));
            room = rest.unwrap_or_default();
            rest.is_some()
        });
        let fit = fit.count();
        let left_out = rows.len() - fit;
        rows.truncate(fit);
        (rows, (left_out > 0).then_some(left_out))
    }
}

impl Safety {
    /// The same for the writer.
    pub(super) fn options(&self) -> Result<WriteOptions, ToolError> {
        Ok(WriteOptions {
            dry_run: self.dry_run.unwrap_or(false),
            expected_hash: self.expected_hash.as_deref().map(hash).transpose()?,
            summary: None,
        })
    }
}

fn hash(text: &str) -> Result<ContentHash, ToolError> {
    text.trim().parse().map_err(|_| {
        ToolError::argument(
            "expected_hash",
            "the `hash` that a read answered with: 64 hexadecimal digits",
            &text.into(),
        )
    })
}

impl Frame {
    /// What became of one file.
    pub(super) fn of(call: &Call<'_>, written: Written) -> Self {
        let Written { path, after, change, diff, index, .. } = written;
        let diff = diff.as_deref().map(|diff| shortened(diff, call.app.max_answer_chars / 2));
        let (diff, diff_left_out) = diff.map_or((None, None), |(diff, rest)| (Some(diff), rest));
        if let Err(error) = &index {
            tracing::warn!(error.message = error.to_string(), "the index was not told of a change");
        }
        Self {
            path: path.as_str().to_owned(),
            hash: after.map(|hash| hash.to_string()),
            change: change.map(|change| change.0),
            dry_run: diff.is_some().then_some(true),
            diff,
            diff_left_out,
            index_problem: index.is_err().then(|| INDEX_PROBLEM.to_owned()),
        }
    }

    /// The text block of an answer: the sentence that says what was done, with what must be said beside it.
    pub(super) fn text(&self, done: &str) -> String {
        let mut text = match (self.dry_run, &self.diff) {
            (Some(true), Some(diff)) if diff.is_empty() => {
                format!("Dry run: nothing was written, and nothing would change. Without dry_run: {done}")
            }
            (Some(true), Some(diff)) => {
                format!("Dry run: nothing was written. Without dry_run: {done}\n\n{diff}")
            }
            _ if self.change.is_none() => format!("{done} (it was so already: nothing was written)"),
            _ => done.to_owned(),
        };
        if let Some(count) = self.diff_left_out {
            text.push_str(&format!("\n({count} more characters of the diff are not shown)"));
        }
        if let Some(problem) = &self.index_problem {
            text.push_str(&format!("\n{problem}"));
        }
        text
    }
}

/// What an answer says when the index was not told.
pub(super) const INDEX_PROBLEM: &str =
    "The change stands, but the search index could not take note of it: search may not find it yet.";

/// As much of a diff as fits into `most` characters of JSON, and how many characters do not.
pub(super) fn shortened(diff: &str, most: usize) -> (String, Option<usize>) {
    match cut(diff, most) {
        Some(end) => {
            let (head, rest) = diff.split_at(end);
            (head.to_owned(), Some(text_length(rest)))
        }
        None => (diff.to_owned(), None),
    }
}

/// Occurrences as a word: `1 line`, `2 lines`.
pub(super) fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}
