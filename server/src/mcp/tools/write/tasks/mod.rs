//! `vault_create_task` and `vault_update_task`: what they share.
//!
//! The Tasks plugin's settings are read for every call, so that a change in Obsidian applies to the next
//! one. One read, change and write of the note is made under one lock.

mod create;
mod fields;
#[cfg(test)]
mod tests;
mod update;

use markdown::document;
use markdown::tasks;
use markdown::tasks::edit::{Context, Difference, Edited};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vault::{EditRefused, Lock, WriteOptions};

use self::fields::FormatName;
use super::Frame;
use super::error::Wanted;
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply};
use crate::mcp::tools::list_tasks::settings_problem;
use crate::mcp::tools::note_row::shorten_text;

pub(crate) use create::CreateTask;
pub(crate) use update::UpdateTask;

/// What became of a task.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    #[serde(flatten)]
    frame: Frame,
    /// Its line, from 1; absent when the task was removed on completion.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// Its text, without its fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// Its block id.
    #[serde(skip_serializing_if = "Option::is_none")]
    block_id: Option<String>,
    /// The heading it stands under; on a board its lane.
    #[serde(skip_serializing_if = "Option::is_none")]
    heading: Option<String>,
    /// True when it was to be deleted on completion and is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<bool>,
    /// What is different now, each as "what: before → after". Empty when it was so already.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<String>>,
    /// Line of the next occurrence, when completing the task has made one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_line: Option<usize>,
    /// What is wrong with the settings of the Tasks plugin, and which were used instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    settings_problem: Option<String>,
}

/// A slot among the top-level tasks of a section.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Position {
    End(End),
    Slot(#[schemars(range(min = 1))] usize),
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum End {
    Top,
    Bottom,
}

impl From<Position> for tasks::edit::Position {
    fn from(position: Position) -> Self {
        match position {
            Position::End(End::Top) => Self::Top,
            Position::End(End::Bottom) => Self::Bottom,
            Position::Slot(slot) => Self::At(slot),
        }
    }
}

/// What an edit found out of the note it made.
struct Found {
    edited: Edited,
    description: Option<String>,
    block_id: Option<String>,
    heading: Option<String>,
}

/// A change of a note's tasks.
struct Change<'a> {
    tool: &'static str,
    path: &'a str,
    format: Option<FormatName>,
    options: WriteOptions,
}

impl Call<'_> {
    /// Changes tasks of a note by `edit` and tells what became of the one it was about.
    fn change_tasks<E: std::error::Error + Send + Sync + 'static>(
        &self,
        change: Change<'_>,
        edit: impl FnOnce(&str, &Context<'_>) -> Result<Edited, E>,
    ) -> Result<Answer, ToolError> {
        let Change { tool, path, format, options } = change;
        let path = self.path(path)?;
        self.only_notes(&path)?;
        let writer = self.writer()?;
        let vault_settings = self.app.vault.settings();
        let settings = vault_settings.tasks().or_default();
        let app = vault_settings.app().or_default();
        let indent = if app.use_tab { "\t".to_owned() } else { " ".repeat(usize::from(app.tab_size)) };
        let context = Context {
            settings: &settings,
            today: self.app.today(),
            indent: &indent,
            format: format.map(tasks::Format::from),
        };
        let edited = writer.edit(self.caller(tool), &path, &options, Lock::FailFast, |text| {
            let edited = edit(text, &context).map_err(|error| EditRefused(Box::new(error)))?;
            let mut found = look(edited, &settings);
            Ok((std::mem::take(&mut found.edited.text), found))
        });
        let (written, found) = edited.map_err(|error| self.write_error(&path, error, Wanted::Edit))?;
        Ok(Answer {
            frame: Frame::of(self, written),
            line: found.edited.line.map(|line| line + 1),
            description: found.description.map(shortened),
            block_id: found.block_id.map(shortened),
            heading: found.heading.map(shortened),
            removed: found.edited.line.is_none().then_some(true),
            changes: Some(in_few_words(&found.edited.changes)),
            next_line: found.edited.next_line.map(|line| line + 1),
            settings_problem: settings_problem(self),
        })
    }
}

/// Reads the task of an edited note as `vault_list_tasks` will.
fn look(edited: Edited, settings: &tasks::Settings) -> Found {
    let document = document::parse(&edited.text);
    let tasks = tasks::in_note(&edited.text, &document, settings, None);
    let task = edited.line.and_then(|line| tasks.iter().find(|task| task.line == line));
    let heading = task.and_then(|task| task.heading).and_then(|heading| document.headings.get(heading));
    let removed = || edited.changes.iter().find(|change| change.what == "removed");
    let description = match task {
        Some(task) => Some(task.task.description.clone()),
        None => removed().map(|change| change.before.clone()),
    };
    Found {
        description,
        block_id: task.and_then(|task| task.task.block_id.clone()),
        heading: heading.map(|heading| heading.text.clone()),
        edited,
    }
}

/// The changes as the answer tells them.
fn in_few_words(changes: &[Difference]) -> Vec<String> {
    /// More than a task has fields: what is left out is sub-tasks that were added.
    const MOST: usize = 40;
    let mut words: Vec<String> = changes.iter().take(MOST).map(in_words).collect();
    if changes.len() > MOST {
        words.push(format!("and {} more", changes.len() - MOST));
    }
    words
}

fn shortened(mut text: String) -> String {
    shorten_text(&mut text);
    text
}

/// A change as the answer tells it.
fn in_words(change: &Difference) -> String {
    let Difference { what, before, after } = change;
    let (before, after) = (shortened(before.clone()), shortened(after.clone()));
    match (before.as_str(), after.as_str()) {
        ("", "") => (*what).to_owned(),
        ("", after) => format!("{what}: {after}"),
        (before, "") if *what == "removed" => format!("{what}: {before}"),
        (before, "") => format!("{what}: {before} → none"),
        (before, after) => format!("{what}: {before} → {after}"),
    }
}

/// The answer, whose text is the same as JSON.
fn reply(tool: &'static str, answer: Answer) -> Result<Reply<Answer>, ToolError> {
    Reply::json(answer).map_err(|error| ToolError::Internal { tool, cause: error.to_string() })
}
