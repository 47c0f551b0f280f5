//! Changing a task: its fields, its status with all that follows, its sub-items, its place.

use super::answer::{Edited, difference, differences};
use super::error::EditError;
use super::extent::{columns, extent};
use super::ground::{Context, is_free, is_task_line, line_at, lines_before, subtask_lines};
use super::join::conform_all;
use super::line::{Edit, edit_line, written_rule};
use super::place::{Below, Ground, Placed, Position, Splice, apply};
use crate::document::{Document, parse};
use crate::kanban;
use crate::sections::ListItem;
use crate::tasks::line::split;
use crate::tasks::toggle::Change;
use crate::tasks::{Reading, Settings, StatusType, Task};

/// Which task is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The one on a zero-based line.
    Line(usize),
    /// The one whose line ends with this block id.
    BlockId(String),
}

/// What to do with a task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Update {
    /// Changes of its line.
    pub fields: Edit,
    /// Texts of check-list items to add below the ones it has.
    pub add_subtasks: Vec<String>,
    /// The heading (on a board: the lane) to move it to.
    pub heading: Option<String>,
    /// The slot there; without a heading the slot in its own section.
    pub position: Option<Position>,
}

/// Changes a task: its fields, its status with all that follows, its sub-items, its place.
///
/// # Errors
/// See [`EditError`].
pub fn update(
    text: &str,
    target: &Target,
    update: &Update,
    context: &Context<'_>,
) -> Result<Edited, EditError> {
    let moves = update.heading.is_some() || update.position.is_some();
    let rewrites = !update.fields.is_empty() || context.format.is_some();
    if !rewrites && update.add_subtasks.is_empty() && !moves {
        return Err(EditError::Nothing);
    }
    let document = parse(text);
    let ground = Ground::new(text, &document);
    let line = find(&ground, target)?;
    let written = ground.line(line);
    let before = task_at(written, line, context.settings)?;
    let is_subtask = is_subtask(&ground, line, context.settings);
    let indented = is_subtask || !before.indentation.is_empty();
    if is_subtask && moves {
        return Err(EditError::SubTaskStays);
    }
    if ground.is_board && indented && matches!(update.fields.block_id, Some(Some(_))) {
        return Err(EditError::BlockIdOnBoard);
    }
    if let Some(Some(id)) = &update.fields.block_id {
        is_free(&document, id, Some(line))?;
    }
    let target = update.heading.as_deref().map(|name| ground.heading(name)).transpose()?;
    let own = document.headings.iter().rposition(|heading| heading.line < line);
    let mut fields = update.fields.clone();
    // A card that comes into a lane whose cards count as done is done, as in the Kanban plugin.
    if target.is_some_and(|lane| own != Some(lane) && ground.is_complete_lane(lane))
        && fields.status.is_none()
        && !ground.in_quote(line)
        && context.settings.status_of(&before) != StatusType::Done
    {
        fields.status = Some(StatusType::Done);
    }
    let change = if fields.is_empty() && !rewrites {
        // Only moved or added to: the line stays as it is written.
        Change::single(written.to_owned())
    } else {
        edit_line(written, &fields, context.settings, context.format, context.today).map_err(|error| {
            match error {
                EditError::NoTask { .. } => EditError::NoTask { line },
                error => error,
            }
        })?
    };
    let completed =
        fields.status == Some(StatusType::Done) && context.settings.status_of(&before) != StatusType::Done;
    let destination = match target {
        Some(heading) => {
            // Asked to be where it is, without a slot: nothing moves.
            let stays = own == Some(heading) && update.position.is_none();
            (!stays).then_some((heading, update.position.unwrap_or_default()))
        }
        None => destination(&ground, line, own, completed && !is_subtask, update.position)?,
    };
    // Where the next occurrence comes to stand beside it, its slot is another one than before.
    let destination = destination
        .filter(|(heading, position)| change.next.is_some() || !ground.holds(*heading, *position, line));
    let lines = extent(text, &document.lines, line);
    if change.changed.is_none() && change.next.is_none() && lines.len() > 1 {
        return Err(EditError::WouldOrphan);
    }

    // The line itself.
    let replaced = replace_line(&ground, line, &change.lines);
    let task_line = change.changed.map(|index| line + index);
    let next_line = change.next.map(|index| line + index);
    let mut edited = Edited { text: replaced, line: task_line, next_line, changes: Vec::new() };
    let after = task_line.map(|line| task_in(&edited.text, line, context.settings)).transpose()?;
    let rules = (
        written_rule(written, context.settings),
        task_line.and_then(|line| {
            written_rule(edited.text.lines().nth(line).unwrap_or_default(), context.settings)
        }),
    );
    edited.changes = differences((&before, rules.0), (after.as_ref(), rules.1), context.settings);
    if next_line.is_some() {
        edited.changes.push(difference("next occurrence", "", next_text(&edited.text, next_line)));
    }
    let Some(task_line) = task_line else {
        ground.stays_whole(&edited.text)?;
        return Ok(edited);
    };

    if !update.add_subtasks.is_empty() {
        edited = add_subtasks(edited, task_line, &update.add_subtasks, context)?;
    }
    if let Some((heading, position)) = destination {
        let from = document_heading(&document, line);
        edited = relocate(edited, heading, position)?;
        if from.as_deref() != Some(heading_name(&document, heading)) {
            let before = from.unwrap_or_default();
            edited.changes.push(difference("heading", before, heading_name(&document, heading)));
        } else {
            edited.changes.push(difference("position", "", ""));
        }
    }
    if let Some(line) = edited.line {
        task_in(&edited.text, line, context.settings)?;
    }
    ground.stays_whole(&edited.text)?;
    Ok(edited)
}

/// Where a task without a heading to go to goes, if it is to move at all: a card that is completed to the lane
/// of such cards, any other one to the slot in its own section.
fn destination(
    ground: &Ground<'_>,
    line: usize,
    own: Option<usize>,
    completed: bool,
    position: Option<Position>,
) -> Result<Option<(usize, Position)>, EditError> {
    if ground.is_board && completed && !ground.in_quote(line) {
        let lanes = kanban::done_lanes(ground.text, ground.document);
        let is_there = own.is_some_and(|own| lanes.contains(&own));
        match lanes.as_slice() {
            [lane] if !is_there => return Ok(Some((*lane, position.unwrap_or_default()))),
            [_, _, ..] if !is_there => {
                let name = |lane: &usize| heading_name(ground.document, *lane).to_owned();
                return Err(EditError::SeveralDoneLanes { lanes: lanes.iter().map(name).collect() });
            }
            _ => {}
        }
    }
    let Some(position) = position else { return Ok(None) };
    let own = own.ok_or(EditError::NoHeadingToReorder)?;
    ground.heading(heading_name(ground.document, own))?;
    Ok(Some((own, position)))
}

/// Moves the task with everything below it under a heading of the note as it was; headings do not change
/// their order by an edit of task lines.
fn relocate(edited: Edited, heading: usize, position: Position) -> Result<Edited, EditError> {
    let Some(line) = edited.line else { return Ok(edited) };
    let document = parse(&edited.text);
    let ground = Ground::new(&edited.text, &document);
    let lines = extent(&edited.text, &document.lines, line);
    let block: Vec<String> = lines.clone().map(|number| ground.line(number).to_owned()).collect();
    let item = document.structure.list_items.iter().find(|item| item.line == line);
    let is_nested = item.is_some_and(|item| item.parent_item.is_some());
    let block = if is_nested && !ground.in_quote(line) { at_the_margin(&block) } else { block };
    let without = apply(&edited.text, &ground.remove(lines.clone()));

    let document = parse(&without);
    let ground = Ground::new(&without, &document);
    let Placed { splice, first } = ground.under_heading(heading, position, &block);
    let mut text = apply(&without, &splice);
    if !edited.text.ends_with('\n') && text.ends_with('\n') {
        // The last line moved away from below a blank one: the note still ends without a line break.
        let kept = text.len() - if text.ends_with("\r\n") { 2 } else { 1 };
        text.truncate(kept);
    }
    let at = line_at(&without, splice.span.start) + lines_before(&splice.text, &first);
    is_task_line(&text, at, &first)?;
    // The next occurrence stays where it was made; lines before it may have come or gone.
    let inserted = splice.text.bytes().filter(|byte| *byte == b'\n').count();
    let next_line = edited.next_line.map(|next| {
        let next = if next > line { next - lines.len() } else { next };
        if line_at(&without, splice.span.start) <= next { next + inserted } else { next }
    });
    Ok(Edited { text, line: Some(at), next_line, changes: edited.changes })
}

/// A list item from below a plain one as an item of its own: its lines lose the indent of the first.
fn at_the_margin(block: &[String]) -> Vec<String> {
    let indent = block.first().map_or(0, |first| columns(first));
    let width = |line: &str, end: usize| columns(line.get(..end).unwrap_or_default());
    let without = |line: &String| {
        let mut end = 0;
        while width(line, end + 1) > width(line, end) && width(line, end + 1) <= indent {
            end += 1;
        }
        line.get(end..).unwrap_or_default().to_owned()
    };
    block.iter().map(without).collect()
}

fn add_subtasks(
    edited: Edited,
    line: usize,
    texts: &[String],
    context: &Context<'_>,
) -> Result<Edited, EditError> {
    let document = parse(&edited.text);
    let ground = Ground::new(&edited.text, &document);
    let Below { at, indentation, last } = ground.below(line, context.indent)?;
    let mut lines = subtask_lines(texts, &indentation, ground.is_board, context)?;
    if let Some((last, earlier)) = last {
        lines = conform_all(&lines, last, earlier);
    }
    let text = apply(&edited.text, &ground.at_line(at, &lines));
    let moved = |other: usize| if other >= at { other + lines.len() } else { other };
    let mut changes = edited.changes;
    changes.extend(texts.iter().map(|text| difference("sub-task", "", text.as_str())));
    Ok(Edited { text, line: Some(line), next_line: edited.next_line.map(moved), changes })
}

/// The zero-based line of a task.
///
/// # Errors
/// [`EditError::NoTask`], [`EditError::UnknownBlockId`], [`EditError::AmbiguousBlockId`].
pub fn find_task(text: &str, target: &Target) -> Result<usize, EditError> {
    let document = parse(text);
    find(&Ground::new(text, &document), target)
}

fn find(ground: &Ground<'_>, target: &Target) -> Result<usize, EditError> {
    match target {
        Target::Line(line) => {
            let is_item = ground
                .document
                .structure
                .list_items
                .iter()
                .any(|item| item.line == *line && item.task.is_some());
            if is_item { Ok(*line) } else { Err(EditError::NoTask { line: *line }) }
        }
        Target::BlockId(id) => {
            let id = id.trim_start_matches('^');
            let items = ground.document.structure.list_items.iter().filter(|item| item.task.is_some());
            let ends = |line: usize| {
                split(ground.line(line))
                    .and_then(|parts| parts.block_id)
                    .is_some_and(|found| found.eq_ignore_ascii_case(id))
            };
            let lines: Vec<usize> = items.map(|item| item.line).filter(|line| ends(*line)).collect();
            match lines.as_slice() {
                [line] => Ok(*line),
                [] => Err(EditError::UnknownBlockId { id: id.to_owned() }),
                _ => Err(EditError::AmbiguousBlockId { id: id.to_owned(), lines }),
            }
        }
    }
}

fn task_at(written: &str, line: usize, settings: &Settings) -> Result<Task, EditError> {
    let parts = split(written).filter(|parts| {
        settings.includes(parts.body) && settings.statuses.status_type(parts.symbol) != StatusType::NonTask
    });
    let parts = parts.ok_or(EditError::NoTask { line })?;
    Ok(Task::from_parts(&parts, Reading::Either(settings.format), settings, None))
}

/// Whether the task on a line lies in another task. On a board also when it lies in a card without a box:
/// what a card holds goes with the card.
fn is_subtask(ground: &Ground<'_>, line: usize, settings: &Settings) -> bool {
    let items = &ground.document.structure.list_items;
    let above = |item: &ListItem| item.parent_item.and_then(|parent| items.get(parent));
    let mut ancestor = items.iter().find(|item| item.line == line).and_then(above);
    while let Some(item) = ancestor {
        let is_task = item.task.is_some() && task_at(ground.line(item.line), item.line, settings).is_ok();
        if is_task || ground.is_board {
            return true;
        }
        ancestor = above(item);
    }
    false
}

fn replace_line(ground: &Ground<'_>, line: usize, lines: &[String]) -> String {
    if lines.is_empty() {
        return apply(ground.text, &ground.remove(line..line + 1));
    }
    let span = ground.document.lines.get(line).map(|line| line.span).unwrap_or_default();
    apply(ground.text, &Splice { span, text: lines.join(ground.line_break) })
}

/// The task on a line of the edited note; an error when it would not be read there.
fn task_in(text: &str, line: usize, settings: &Settings) -> Result<Task, EditError> {
    let document = parse(text);
    let is_item = document.structure.list_items.iter().any(|item| item.line == line && item.task.is_some());
    let span = document.lines.get(line).map(|line| line.span).unwrap_or_default();
    let parts = text.get(span).and_then(split).filter(|_| is_item).ok_or(EditError::NotReadThere)?;
    Ok(Task::from_parts(&parts, Reading::Either(settings.format), settings, None))
}

fn heading_name(document: &Document, heading: usize) -> &str {
    document.headings.get(heading).map_or("", |heading| heading.text.as_str())
}

fn document_heading(document: &Document, line: usize) -> Option<String> {
    let heading = document.headings.iter().rfind(|heading| heading.line < line);
    heading.map(|heading| heading.text.clone())
}

fn next_text(text: &str, line: Option<usize>) -> String {
    line.and_then(|line| text.lines().nth(line)).unwrap_or_default().trim().to_owned()
}
