//! After a crash: what became of the changes that were begun.

use std::ffi::OsStr;
use std::path::Path;

use crate::error::VaultError;
use crate::folder::Folder;
use crate::hash::ContentHash;
use crate::journal::Stored;
use crate::journal::{ChangeKind, Journal, JournalError, Outcome, Trashed};
use crate::read::{Content, Vault};
use crate::trash::{self, TRASH_FOLDER};

/// Looks at the file of every change that was begun and writes down whether it was made. A file that cannot
/// be looked at leaves its change open for the next start.
pub(crate) fn repair(vault: &Vault, journal: &Journal) -> Result<(), JournalError> {
    let begun = journal.begun()?;
    let mut outcomes = Vec::with_capacity(begun.len());
    for stored in &begun {
        let found = match vault.read(&stored.record.path) {
            Ok(content) => Some(content),
            Err(VaultError::NotFound { .. }) => None,
            Err(error) => {
                let change = stored.record.id.0;
                tracing::warn!(change, error = %error, "it cannot be found out whether a change was made");
                continue;
            }
        };
        outcomes.push(judge(vault.root(), stored, found.as_ref()));
    }
    if !outcomes.is_empty() {
        tracing::info!(changes = outcomes.len(), "interrupted changes settled");
        journal.finish(outcomes);
    }
    Ok(())
}

fn judge(root: &Path, stored: &Stored, found: Option<&Content>) -> Outcome {
    let record = &stored.record;
    let id = record.id;
    let hash = found.map(Content::hash);
    let outcome =
        |done: bool, note: Option<&str>| Outcome { id, done, note: note.map(str::to_owned), trashed: None };
    if hash == record.after {
        let trashed = if record.kind == ChangeKind::Delete { in_trash(root, stored) } else { None };
        return Outcome { trashed, ..outcome(true, None) };
    }
    if hash == record.before {
        return outcome(false, Some("interrupted before it was made"));
    }
    if record.kind == ChangeKind::Create && found.is_some_and(|content| content.bytes.is_empty()) {
        // The placeholder of a file system that can neither rename without replacing nor link, or an empty
        // note of somebody's. It stays: an empty file too many is better than one too few.
        return outcome(false, Some("interrupted; an empty file may be left of it"));
    }
    outcome(
        false,
        Some(
            "interrupted, and the file was changed by another program since: it is not known whether this change was made",
        ),
    )
}

/// The record of a file that went to the trash before its process died.
fn in_trash(root: &Path, stored: &Stored) -> Option<Trashed> {
    let (name, hash) = (stored.trash.clone()?, stored.record.before?);
    let trash = Folder::open(root).and_then(|root| root.enter(OsStr::new(TRASH_FOLDER))).ok()?;
    let identity = trash.entry(OsStr::new(&name)).ok()?.stat.identity;
    let at_ms = stored.record.at.as_millisecond();
    let trashed =
        Trashed { name, at_ms, identity, hash: ContentHash::from_bytes(*hash.as_bytes()), swept: true };
    trash::holds(&trash, &trashed).unwrap_or(false).then_some(trashed)
}
