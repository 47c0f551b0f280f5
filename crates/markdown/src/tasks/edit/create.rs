//! Adding a task to a note.

use super::answer::Edited;
use super::answer::difference;
use super::error::EditError;
use super::ground::{Context, is_free, is_task_line, line_at, lines_before, subtask_lines};
use super::join::{Beside, conform};
use super::line::{Edit, draft, symbol_of};
use super::place::{Ground, Place, Placed, apply};
use crate::document::parse;
use crate::tasks::{Format, OnCompletion, StatusType, Task, TaskDate};

/// A new task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTask {
    /// Its fields; the status does not count: a new task is to be done, but for a card in a lane that is
    /// marked `Complete`.
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
    let placed = match &new.place {
        Place::Heading { heading, position } => {
            let heading = ground.heading(heading)?;
            if ground.is_complete_lane(heading) {
                task = done_at_once(task, context)?;
            }
            let lines = with_subtasks(&task, format, below(context.indent)?);
            ground.under_heading(heading, *position, &lines)
        }
        Place::End if ground.is_board => {
            return Err(EditError::BoardNeedsLane { available: ground.heading_names() });
        }
        Place::End => ground.at_end(&with_subtasks(&task, format, below(context.indent)?)),
        Place::Under { line } => {
            if ground.is_board && task.block_id.is_some() {
                return Err(EditError::BlockIdOnBoard);
            }
            let place = ground.below(*line, context.indent)?;
            let deeper = format!("{}{}", place.indentation, context.indent);
            task.indentation.clone_from(&place.indentation);
            let mut lines = with_subtasks(&task, format, below(&deeper)?);
            if let Some((last, earlier)) = place.last {
                lines = conform(&lines, Beside::Below { last, earlier });
            }
            let first = lines.first().cloned().unwrap_or_default();
            Placed { splice: ground.at_line(place.at, &lines), first }
        }
    };
    let Placed { splice, first } = placed;
    let written = apply(text, &splice);
    let line = line_at(text, splice.span.start) + lines_before(&splice.text, &first);
    let changes = vec![difference("created", "", first.trim())];
    is_task_line(&written, line, &first)?;
    ground.stays_whole(&written)?;
    Ok(Edited { text: written, line: Some(line), next_line: None, changes })
}

/// A new task for a lane whose cards count as done.
fn done_at_once(task: Task, context: &Context<'_>) -> Result<Task, EditError> {
    if task.recurrence.is_some() || task.on_completion == Some(OnCompletion::Delete) {
        return Err(EditError::DoneAtOnce);
    }
    let done = context.settings.set_done_date.then_some(TaskDate::Day(context.today));
    Ok(Task { symbol: symbol_of(StatusType::Done, context.settings)?, done, ..task })
}

fn with_subtasks(task: &Task, format: Format, below: Vec<String>) -> Vec<String> {
    std::iter::once(task.to_line(format)).chain(below).collect()
}
