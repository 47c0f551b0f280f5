//! What callers are told when a change is not made: the writer's own words, and how to repair a properties
//! block that stands in the way, with the tools that are served.

use markdown::edit::properties::{BlockError, PropertiesError};
use vault::{VaultPath, WriteError};

use crate::mcp::error::ToolError;
use crate::mcp::tool::Call;

/// What was to be done, for the advice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A part of the note changed.
    Edit,
    /// A new body.
    Overwrite,
}

impl Call<'_> {
    /// An error of the writer as callers see it.
    pub(super) fn write_error(&self, path: &VaultPath, error: WriteError, wanted: Wanted) -> ToolError {
        match error {
            WriteError::Vault(error) if error.is_not_found() => self.note_not_found(path),
            WriteError::Vault(error) => error.into(),
            error => {
                let hint = self.hint(&error, wanted);
                let error = shortened(error);
                ToolError::Write { error: Box::new(error), hint }
            }
        }
    }

    fn hint(&self, error: &WriteError, wanted: Wanted) -> String {
        match error {
            WriteError::Properties(_) => WAYS_AROUND.to_owned(),
            WriteError::LinkSource { error, .. } => self.repair(error, Wanted::Edit),
            WriteError::Refused(refused) => match refused.0.downcast_ref::<PropertiesError>() {
                Some(PropertiesError::Block(block)) => self.repair(block, wanted),
                Some(PropertiesError::Guard(_)) => WAYS_AROUND.to_owned(),
                _ => String::new(),
            },
            WriteError::Exists { .. } if wanted == Wanted::Overwrite => {
                " (overwrite: true replaces the body)".to_owned()
            }
            _ => String::new(),
        }
    }

    /// How a block that is in the vault is repaired.
    fn repair(&self, block: &BlockError, wanted: Wanted) -> String {
        let served = |tools: &[&str]| tools.iter().all(|tool| self.app.tools.serves(tool));
        let replaces = served(&["vault_read_note", "vault_update_properties"]);
        let prose = block.may_hold_prose() && wanted == Wanted::Edit;
        match (replaces, prose) {
            (true, false) if wanted == Wanted::Overwrite => {
                ". To repair: read the note with vault_read_note, replace the block with \
                 vault_update_properties and replace: true, then overwrite again"
            }
            (true, false) => {
                ". To repair: read the note with vault_read_note, then replace the block with \
                 vault_update_properties and replace: true"
            }
            (true, true) if served(&["vault_patch_note"]) => {
                ". To repair: read the note with vault_read_note, replace the block with \
                 vault_update_properties and replace: true, then put prose that was in it back with \
                 vault_patch_note"
            }
            _ => ". Repair the block in Obsidian",
        }
        .to_owned()
    }
}

/// A refusal that quotes what it was sent is kept short.
fn shortened(error: WriteError) -> WriteError {
    const MOST: usize = 4_000;
    match error {
        WriteError::Refused(refused) if refused.to_string().chars().count() > MOST => {
            let text: String = refused.to_string().chars().take(MOST).chain("…".chars()).collect();
            WriteError::Refused(text.into())
        }
        error => error,
    }
}

const WAYS_AROUND: &str = ". Ways around it: give the note a property, put text above the --- lines, or take \
                           them out";
