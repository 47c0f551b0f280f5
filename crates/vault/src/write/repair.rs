//! After a crash: what became of the changes that were begun.

use std::ffi::OsStr;
use std::path::Path;

use rustix::fs::{AtFlags, unlinkat};

use crate::error::VaultError;
use crate::folder::Folder;
use crate::hash::ContentHash;
use crate::journal::Stored;
use crate::journal::{ChangeKind, Journal, JournalError, Outcome, Trashed};
use crate::read::{Content, Existing, Vault};
use crate::trash::{self, TRASH_FOLDER};
use crate::write::commit::failed;
use crate::write::edit::or_nothing;
use crate::write::error::WriteError;
use crate::write::steps::Steps;
use crate::write::temporary::{Permissions, Temporary, sync_folder};

/// What is said of a change whose file is neither what it was nor what it was to become.
const CHANGED_SINCE: &str = "interrupted, and the file was changed by another program since: it is not known \
    whether this change was made";

/// Looks at the file of every change that was begun and writes down whether it was made. A file that cannot
/// be looked at leaves its change open for the next start.
pub(crate) fn repair(vault: &Vault, journal: &Journal) -> Result<(), JournalError> {
    let begun = journal.begun()?;
    let mut outcomes = Vec::with_capacity(begun.len());
    // Of a call the move comes last: newest first, and a move is its call's first change.
    for stored in &begun {
        if begun.iter().any(|other| is_move_of(other, stored)) {
            continue;
        }
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
    for stored in begun.iter().filter(|stored| stored.record.kind == ChangeKind::Move) {
        let call: Vec<&Stored> =
            begun.iter().filter(|other| other.record.batch == stored.record.batch).collect();
        match bring_to_an_end(vault, journal, stored, &call) {
            Ok(more) => outcomes.extend(more),
            Err(error) => {
                let change = stored.record.id.0;
                tracing::warn!(change, error = %error, "an interrupted move could not be brought to its end");
            }
        }
    }
    if !outcomes.is_empty() {
        tracing::info!(changes = outcomes.len(), "interrupted changes settled");
        journal.finish(outcomes);
    }
    Ok(())
}

/// Whether `other` is the move of the call that `stored` is a part of.
fn is_move_of(other: &Stored, stored: &Stored) -> bool {
    other.record.kind == ChangeKind::Move && other.record.batch == stored.record.batch
}

/// A move whose new file is there is carried out to the end: the journal has what every note was to become.
/// One whose new file is not there was not begun.
fn bring_to_an_end(
    vault: &Vault,
    journal: &Journal,
    moved: &Stored,
    call: &[&Stored],
) -> Result<Vec<Outcome>, WriteError> {
    let outcome = |stored: &Stored, done: bool, note: Option<&str>| Outcome {
        id: stored.record.id,
        done,
        note: note.map(str::to_owned),
        trashed: None,
    };
    let hash_of = |existing: &Option<Existing>| existing.as_ref().map(|file| ContentHash::of(&file.bytes));
    let new = moved.record.new_path.as_ref().unwrap_or(&moved.record.path);
    if hash_of(&or_nothing(vault.read_to_change(new))?) != moved.record.after {
        let note = Some("interrupted before it was made");
        return Ok(call.iter().map(|stored| outcome(stored, false, note)).collect());
    }
    let steps = Steps::default();
    let mut outcomes = Vec::with_capacity(call.len());
    for stored in call.iter().filter(|stored| stored.record.kind != ChangeKind::Move) {
        let found = or_nothing(vault.read_to_change(&stored.record.path))?;
        let hash = hash_of(&found);
        if hash != stored.record.after && hash == stored.record.before {
            if let (Some(existing), Some(after)) = (&found, stored.record.after) {
                let bytes = journal.content(stored.record.id, after)?;
                let failed = |error| failed(&existing.path, error);
                let like = Permissions::of(&existing.parent, &existing.name).map_err(failed)?;
                Temporary::write(&existing.parent, &bytes, Some(like), &steps)
                    .and_then(|temporary| temporary.replace(&existing.name))
                    .map_err(failed)?;
            }
        } else if hash != stored.record.after {
            outcomes.push(outcome(stored, false, Some(CHANGED_SINCE)));
            continue;
        }
        outcomes.push(outcome(stored, true, None));
    }
    let old = or_nothing(vault.read_to_change(&moved.record.path))?;
    match old {
        None => outcomes.push(outcome(moved, true, None)),
        Some(old) if Some(ContentHash::of(&old.bytes)) == moved.record.before => {
            unlinkat(&old.parent, &old.name, AtFlags::empty())
                .map_err(|error| failed(&old.path, error.into()))?;
            sync_folder(&old.parent, &steps);
            outcomes.push(outcome(moved, true, None));
        }
        // Written again by somebody: it is another file now, and stays.
        Some(_) => outcomes.push(outcome(moved, true, Some("a new file was made at the old path since"))),
    }
    Ok(outcomes)
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
