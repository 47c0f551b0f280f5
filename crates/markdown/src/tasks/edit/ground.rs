//! What creating and updating share.

use jiff::civil::Date;

use super::error::EditError;
use super::line::{one_line, todo_symbol};
use crate::blocks;
use crate::document::{Document, parse};
use crate::tasks::line::split;
use crate::tasks::{Format, Settings};

/// What an edit goes by.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The plugin's settings, as they are now.
    pub settings: &'a Settings,
    /// Today's date.
    pub today: Date,
    /// What Obsidian indents with: a tab or some spaces.
    pub indent: &'a str,
    /// The format to write in; `None`: the line's own, else the settings'.
    pub format: Option<Format>,
}

/// Check-list items, one a line.
pub(super) fn subtask_lines(
    texts: &[String],
    indentation: &str,
    is_board: bool,
    context: &Context<'_>,
) -> Result<Vec<String>, EditError> {
    let symbol = todo_symbol(context.settings)?;
    let line = |text: &String| {
        let text = one_line(text)?;
        if text.is_empty() {
            return Err(EditError::EmptyDescription);
        }
        let line = format!("{indentation}- [{symbol}] {text}");
        let ends_with_id = split(&line).is_some_and(|parts| parts.block_id.is_some());
        if is_board && ends_with_id { Err(EditError::BlockIdOnBoard) } else { Ok(line) }
    };
    texts.iter().map(line).collect()
}

/// Refuses a new block id that a line other than `own` has already.
pub(super) fn is_free(document: &Document, id: &str, own: Option<usize>) -> Result<(), EditError> {
    let key = blocks::match_key(id);
    let taken = document
        .block_ids
        .iter()
        .find(|found| blocks::match_key(&found.id) == key && Some(found.line) != own);
    taken.map_or(Ok(()), |found| Err(EditError::BlockIdTaken { id: id.to_owned(), line: found.line }))
}

/// Refuses a note in which a line is not there, or is no list item.
pub(super) fn is_task_line(text: &str, line: usize, expected: &str) -> Result<(), EditError> {
    let document = parse(text);
    let found = document.structure.list_items.iter().any(|item| item.line == line);
    let span = document.lines.get(line).map(|line| line.span).unwrap_or_default();
    if found && text.get(span) == Some(expected) { Ok(()) } else { Err(EditError::NotReadThere) }
}

/// The zero-based line at a byte offset.
pub(super) fn line_at(text: &str, offset: usize) -> usize {
    text.get(..offset).unwrap_or_default().bytes().filter(|byte| *byte == b'\n').count()
}

/// How many line breaks a piece has before the line it was written for.
pub(super) fn lines_before(piece: &str, line: &str) -> usize {
    let before = piece.find(line).and_then(|start| piece.get(..start)).unwrap_or_default();
    before.bytes().filter(|byte| *byte == b'\n').count()
}
