//! `vault_delete_note`: a note into the trash, as the vault is set up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vault::{Deleted, VaultPath};

use super::error::Wanted;
use super::{Frame, Safety, count};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct DeleteNote;

/// Which note.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    #[schemars(length(min = 1))]
    path: String,
    prune_empty_folders: Option<bool>,
    #[serde(flatten)]
    safety: Safety,
}

/// What was done.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    #[serde(flatten)]
    frame: Frame,
    /// Where the note is now; absent when the vault keeps no trash. The journal has it either way.
    trashed_to: Option<String>,
    /// How many folders were empty then and were removed.
    pruned_empty_folders: usize,
    /// Notes and canvases with links to it that lead nowhere now. They were not changed.
    broken_links_in: Option<Vec<String>>,
    /// How many more of them there are.
    broken_links_left_out: Option<usize>,
}

impl Tool for DeleteNote {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Deletes a note: moves it to .trash, unless the vault is set to keep none. Links to it stay; the answer lists the \
notes they are in. Refused in protected folders.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let path = call.path(&arguments.path)?;
        call.only_notes(&path)?;
        let options = arguments.safety.options()?;
        let writer = call.writer()?;
        let prune = arguments.prune_empty_folders.unwrap_or(false);
        let before = call.linked_from(&path);
        let deleted = writer
            .delete(call.caller("vault_delete_note"), &path, &options, prune)
            .map_err(|error| call.write_error(&path, error, Wanted::Edit))?;
        let Deleted { written, trashed, pruned } = deleted;
        let broken = if options.dry_run { before } else { call.broken(&path, before) };
        let (broken, broken_links_left_out) = call.some_of(broken);
        let frame = Frame::of(call, written);
        let mut done = format!("Deleted {}", frame.path);
        match (&trashed, frame.change) {
            (Some(place), _) => done.push_str(&format!(": it is {place} now")),
            (None, Some(change)) if call.app.tools.serves("vault_undo") => {
                done.push_str(&format!(": the journal still has it (vault_undo, change {change})"));
            }
            (None, Some(_)) => done.push_str(": the journal still has it"),
            (None, None) => {}
        }
        if !pruned.is_empty() {
            done.push_str(&format!(" (removed {})", count(pruned.len(), "empty folder")));
        }
        if !broken.is_empty() {
            done.push_str(&format!(". Links to it lead nowhere now in: {}", broken.join(", ")));
        }
        if let Some(more) = broken_links_left_out {
            done.push_str(&format!(" and {more} more"));
        }
        let answer = Answer {
            trashed_to: trashed,
            pruned_empty_folders: pruned.len(),
            broken_links_in: (!broken.is_empty()).then_some(broken),
            broken_links_left_out,
            frame,
        };
        Ok(Reply::new(vec![answer.frame.text(&done)], answer))
    }
}

impl Call<'_> {
    /// The other files that link to `path`. Without an index none is known.
    fn linked_from(&self, path: &VaultPath) -> Vec<String> {
        let Ok(index) = self.index() else { return Vec::new() };
        let links = index.backlinks(self.who, path).unwrap_or_default();
        let others = links.into_iter().map(|link| link.path).filter(|other| other != path);
        others.map(|other| other.as_str().to_owned()).collect()
    }

    /// Which of the files that linked to `path` have links now that lead nowhere: another note of the name
    /// may have taken them.
    fn broken(&self, path: &VaultPath, linked: Vec<String>) -> Vec<String> {
        let Ok(index) = self.index() else { return linked };
        if index.namesakes(self.who, path).unwrap_or_default().is_empty() {
            return linked;
        }
        let stem = VaultPath::fold(path.stem());
        let is_broken = |from: &String| {
            let Ok(from) = VaultPath::parse(from) else { return false };
            let links = index.outgoing_links(self.who, &from).unwrap_or_default();
            links.iter().any(|link| {
                let name = link.path.rsplit('/').next().unwrap_or_default();
                !link.exists && VaultPath::fold(name) == stem
            })
        };
        linked.into_iter().filter(is_broken).collect()
    }
}
