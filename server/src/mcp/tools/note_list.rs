//! The answer of the tools that list notes.

use ::search::{Index, NoteMeta, Page, Part};
use schemars::JsonSchema;
use serde::Serialize;
use vault::VaultPath;

use super::note_row::NoteRow;
use super::support::{Indexing, json, list_blocks};
use crate::mcp::answer::{LeftOut, fit};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply};

/// Notes.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NoteList {
    /// The notes.
    notes: Vec<NoteRow>,
    /// How many there are.
    total: usize,
    /// What is not in this part.
    left_out: Option<LeftOut>,
    /// Set while the index is being built.
    indexing: Option<Indexing>,
}

/// Which part of a list is asked for.
pub(super) fn part(offset: Option<usize>, limit: Option<usize>, default_limit: usize) -> Part {
    Part { offset: offset.unwrap_or(0), limit: limit.unwrap_or(default_limit) }
}

impl NoteList {
    /// As much of a page as fits.
    pub(super) fn reply(
        call: &Call<'_>,
        tool: &'static str,
        index: &Index,
        page: Page<NoteMeta>,
        part: Part,
    ) -> Result<Reply<Self>, ToolError> {
        Self::reply_with(call, tool, index, page, part, NoteRow::from)
    }

    /// The same with rows made by `row`.
    pub(super) fn reply_with(
        call: &Call<'_>,
        tool: &'static str,
        index: &Index,
        page: Page<NoteMeta>,
        part: Part,
        row: impl Fn(NoteMeta) -> NoteRow,
    ) -> Result<Reply<Self>, ToolError> {
        let total = page.total;
        let rows: Vec<NoteRow> = page.items.into_iter().map(row).collect();
        let fitted = fit(rows, part.offset, total, call.app.max_answer_chars, "notes");
        let blocks = list_blocks(json(tool, &fitted.rows)?, fitted.left_out.as_ref());
        let indexing = index.progress().map(Indexing::from);
        Ok(Reply::new(blocks, Self { notes: fitted.rows, total, left_out: fitted.left_out, indexing }))
    }
}

/// A folder as a caller wrote it; `None` is the whole vault.
pub(super) fn folder(raw: Option<&str>) -> Result<Option<VaultPath>, ToolError> {
    Ok(VaultPath::parse_folder(raw.unwrap_or_default())?)
}
