//! `vault_move_note`: a note to another place, and every link to it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vault::{Moved, Written};

use super::error::Wanted;
use super::{Frame, Safety};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};
use crate::mcp::tools::support::json;

/// The tool.
pub(crate) struct MoveNote;

const NAME: &str = "vault_move_note";

/// From where to where.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    #[schemars(length(min = 1))]
    old_path: String,
    #[schemars(length(min = 1))]
    new_path: String,
    prune_empty_folders: Option<bool>,
    #[serde(flatten)]
    safety: Safety,
}

/// What was done.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    #[serde(flatten)]
    told: Told,
    #[serde(flatten)]
    frame: Frame,
}

/// The part of the answer that stands in its text too.
#[derive(Debug, Serialize, JsonSchema)]
struct Told {
    /// Where the note is now.
    moved_to: String,
    /// How many links were rewritten, those in the note itself included.
    links_updated: usize,
    /// Notes and canvases with rewritten links, the note itself left out.
    updated_notes: Vec<String>,
    /// How many folders were empty then and were removed.
    pruned_empty_folders: usize,
    /// How many more notes were rewritten.
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_notes_left_out: Option<usize>,
    /// Links to the note that stay as they were, because its new name cannot be written in them.
    #[serde(skip_serializing_if = "Option::is_none")]
    unwritable_links: Option<Vec<Row>>,
    /// How many more of them there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    unwritable_links_left_out: Option<usize>,
}

/// A link that could not be rewritten.
#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    /// The note it is in.
    path: String,
    /// Its line.
    line: usize,
    /// As it stands.
    link: String,
}

impl Tool for MoveNote {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Moves or renames a note, makes the folders it needs and rewrites every link to it in notes, properties and canvases, \
in the vault's link format. new_path must be free, with .md. Refused out of and into protected folders.

Returns {moved_to, links_updated, updated_notes, pruned_empty_folders}.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let (old, new) = (call.path(&arguments.old_path)?, call.path(&arguments.new_path)?);
        call.only_notes(&old)?;
        call.only_notes(&new)?;
        let options = arguments.safety.options()?;
        let prune = arguments.prune_empty_folders.unwrap_or(false);
        let moved = call
            .writer()?
            .move_note(call.caller(NAME), &old, &new, &options, prune)
            .map_err(|error| call.write_error(&old, error, Wanted::Edit))?;
        let Moved { mut written, updated, links, unwritable, pruned } = moved;
        let names = updated.iter().map(|updated| updated.path.as_str().to_owned()).collect();
        let (updated_notes, updated_notes_left_out) = call.some_of(names);
        let rows = unwritable.into_iter().map(|(path, unwritable)| Row {
            path: path.as_str().to_owned(),
            line: unwritable.line,
            link: unwritable.link,
        });
        let (rows, unwritable_links_left_out) = call.some_of(rows.collect());
        let told = Told {
            moved_to: written.path.as_str().to_owned(),
            links_updated: links,
            updated_notes,
            pruned_empty_folders: pruned.len(),
            updated_notes_left_out,
            unwritable_links: (!rows.is_empty()).then_some(rows),
            unwritable_links_left_out,
        };
        updated.into_iter().for_each(|updated| add(&mut written, updated));
        let frame = Frame::of(call, written);
        let mut blocks = vec![json(NAME, &told)?];
        if frame.dry_run == Some(true) {
            blocks.push(frame.text("moved as told above"));
        } else if let Some(problem) = &frame.index_problem {
            blocks.push(problem.clone());
        }
        Ok(Reply::new(blocks, Answer { told, frame }))
    }
}

/// Adds what became of a note with links to what became of the one that moved: differences one after the
/// other, and the first trouble of the index.
fn add(written: &mut Written, updated: Written) {
    if let (Some(all), Some(diff)) = (&mut written.diff, &updated.diff) {
        all.push_str(diff);
    }
    if written.index.is_ok() {
        written.index = updated.index;
    }
}
