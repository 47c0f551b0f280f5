//! Adding a task to a note.

use super::answer::Edited;
use super::answer::difference;
use super::error::EditError;
use super::ground::{Context, is_free, is_task_line, line_at, lines_before, subtask_lines};
use super::line::{Edit, draft};
use super::place::{Ground, Place, apply};
use crate::document::parse;
use crate::tasks::{Format, Task};

/// A new task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTask {
    /// Its fields; the status does not count: a new task is to be done.
    pub fields: Edit,
    /// Where it goes.
    pub place: Place,
    /// Texts of check-list items below it.
    pub subtasks: Vec<String>,
}

/// Adds a task to a note.
///
/// # Errors
/// See [`EditError`]. On a board a task needs a lane, and an indented line must not end with a block id.
pub fn create(text: &str, new: &NewTask, context: &Context<'_>) -> Result<Edited, EditError> {
    let document = parse(text);
    let ground = Ground::new(text, &document);
    let format = context.format.unwrap_or(context.settings.format);
    let mut task = draft(&new.fields, context.settings, format, context.today)?;
    if let Some(id) = &task.block_id {
        is_free(&document, id, None)?;
    }
    let below = |indentation: &str| subtask_lines(&new.subtasks, indentation, ground.is_board, context);
    let (splice, written_line) = match &new.place {
        Place::Heading { heading, position } => {
            let lines = with_subtasks(&task, format, below(context.indent)?);
            (ground.under_heading(ground.heading(heading)?, *position, &lines), task.to_line(format))
        }
        Place::End if ground.is_board => {
            return Err(EditError::BoardNeedsLane { available: ground.heading_names() });
        }
        Place::End => {
            let lines = with_subtasks(&task, format, below(context.indent)?);
            (ground.at_end(&lines), task.to_line(format))
        }
        Place::Under { line } => {
            if ground.is_board && task.block_id.is_some() {
                return Err(EditError::BlockIdOnBoard);
            }
            let (at, indentation) = ground.below(*line, context.indent)?;
            let deeper = format!("{indentation}{}", context.indent);
            task.indentation = indentation;
            let lines = with_subtasks(&task, format, below(&deeper)?);
            (ground.at_line(at, &lines), task.to_line(format))
        }
    };
    let written = apply(text, &splice);
    let line = line_at(text, splice.span.start) + lines_before(&splice.text, &written_line);
    let changes = vec![difference("created", "", written_line.trim())];
    is_task_line(&written, line, &written_line)?;
    Ok(Edited { text: written, line: Some(line), next_line: None, changes })
}

fn with_subtasks(task: &Task, format: Format, below: Vec<String>) -> Vec<String> {
    std::iter::once(task.to_line(format)).chain(below).collect()
}
