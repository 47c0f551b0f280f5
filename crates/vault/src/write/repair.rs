//! After a crash: what became of the changes that were begun.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use crate::error::VaultError;
use crate::folder::Folder;
use crate::hash::ContentHash;
use crate::journal::Stored;
use crate::journal::{ChangeId, ChangeKind, Journal, JournalError, Outcome, Trashed};
use crate::path::VaultPath;
use crate::read::{Content, Existing, Vault};
use crate::traits::Change;
use crate::trash::{self, TRASH_FOLDER};
use crate::write::commit::failed;
use crate::write::displace::{self, Displaced};
use crate::write::edit::or_nothing;
use crate::write::error::WriteError;
use crate::write::place::Place;
use crate::write::respell::{bring_on, respell};
use crate::write::steps::Steps;
use crate::write::temporary::{Permissions, Temporary, sync_folder};

/// What is said of a change that was not made.
const NOT_MADE: &str = "interrupted before it was made";
/// What is said of a change whose file is neither what it was nor what it was to become.
const CHANGED_SINCE: &str = "interrupted, and the file was changed by another program since: it is not known \
    whether this change was made";

/// Looks at the files of every call that was begun and writes down what was made of it. A call whose files
/// cannot be looked at stays open for the next start.
///
/// Another process may be in the middle of a call. It holds the locks on the files of its call from before
/// it writes the call down until after it has written down what became of it; so who gets those locks and
/// then still finds the call open knows that nobody is at it.
///
/// Answers the files of the calls that were settled, as they are now: an index that has read the vault before
/// has to be told of what was made of them since.
pub(crate) fn repair(vault: &Vault, journal: &Journal, steps: &Steps) -> Result<Vec<Change>, JournalError> {
    let begun = journal.begun()?;
    let calls: BTreeSet<ChangeId> = begun.iter().map(|stored| stored.record.batch).collect();
    let (mut settled, mut changes) = (0, Vec::new());
    for batch in calls {
        let paths = begun
            .iter()
            .filter(|stored| stored.record.batch == batch)
            .flat_map(|stored| std::iter::once(&stored.record.path).chain(&stored.record.new_path));
        let keys: Vec<String> = paths.map(VaultPath::key).collect();
        let Some(_lock) = journal.lock_keys(&keys, false)? else { continue };
        let mut call = journal.begun_of(batch)?;
        call.reverse();
        let is_move = call.iter().any(|stored| stored.record.kind == ChangeKind::Move);
        let paths: BTreeSet<VaultPath> = call
            .iter()
            .flat_map(|stored| std::iter::once(&stored.record.path).chain(&stored.record.new_path))
            .cloned()
            .collect();
        let outcomes = if is_move {
            match bring_to_an_end(vault, journal, &call, steps) {
                Ok(outcomes) => outcomes,
                Err(error) => {
                    tracing::warn!(call = batch.0, error = %error, "an interrupted move could not be brought to its end");
                    continue;
                }
            }
        } else {
            call.iter().filter_map(|stored| look_at(vault, stored)).collect()
        };
        settled += outcomes.len();
        if !outcomes.is_empty() {
            journal.finish(outcomes);
        }
        changes.extend(paths.into_iter().map(|path| as_it_is(vault, path)));
    }
    if settled > 0 {
        tracing::info!(changes = settled, "interrupted changes settled");
    }
    Ok(changes)
}

/// What an index is told of a file whose state it may not know.
fn as_it_is(vault: &Vault, path: VaultPath) -> Change {
    match vault.stat(&path) {
        Err(error) if error.is_not_found() => Change::Removed(path),
        _ => Change::Written(path),
    }
}

/// What became of one change that is no part of a move; `None` when its file cannot be looked at.
fn look_at(vault: &Vault, stored: &Stored) -> Option<Outcome> {
    let found = match vault.read(&stored.record.path) {
        Ok(content) => Some(content),
        Err(VaultError::NotFound { .. }) => None,
        Err(error) => {
            let change = stored.record.id.0;
            tracing::warn!(change, error = %error, "it cannot be found out whether a change was made");
            return None;
        }
    };
    let is_empty = found.as_ref().is_some_and(|content| content.bytes.is_empty());
    Some(judge(vault.root(), stored, found.as_ref().map(Content::hash), is_empty))
}

/// Carries out to its end a call of which a moved file is at its new place: the journal has what every file
/// was to become. A call that has not come so far was not begun. `call` is in the order it was made.
fn bring_to_an_end(
    vault: &Vault,
    journal: &Journal,
    call: &[Stored],
    steps: &Steps,
) -> Result<Vec<Outcome>, WriteError> {
    let read = |path: &VaultPath| or_nothing(vault.read_to_change(path));
    let mut begun = false;
    for stored in call {
        bring_on_respelling(vault, stored, steps)?;
        if let Some(new) = &stored.record.new_path {
            begun |= hash_of(read(new)?.as_ref()) == stored.record.after;
        }
    }
    let mut outcomes = Vec::with_capacity(call.len());
    for stored in call {
        let record = &stored.record;
        let found = read(record.new_path.as_ref().unwrap_or(&record.path))?;
        let hash = hash_of(found.as_ref());
        let is_to_do = begun
            && match record.kind {
                ChangeKind::Move => hash.is_none() && hash_of(read(&record.path)?.as_ref()) == record.before,
                _ => hash == record.before && hash != record.after,
            };
        if is_to_do {
            carry_out(vault, journal, stored, found, steps)?;
            outcomes.push(outcome(stored, true, None));
        } else if record.kind == ChangeKind::Move && hash != record.after {
            let note = if begun { CHANGED_SINCE } else { NOT_MADE };
            outcomes.push(outcome(stored, false, Some(note)));
        } else {
            outcomes.push(judge(vault.root(), stored, hash, found.is_some_and(|file| file.bytes.is_empty())));
        }
    }
    // The old files last.
    for (stored, outcome) in call.iter().zip(&mut outcomes) {
        let record = &stored.record;
        if record.kind != ChangeKind::Move || !outcome.done {
            continue;
        }
        match read(&record.path)? {
            None => {}
            Some(old) if is_respelling(stored, &old, read(now_at(stored))?.as_ref()) => {
                let failed = |error| failed(&old.path, error);
                let folder = old.folder().map_err(failed)?;
                respell(&folder, &old.name, OsStr::new(now_at(stored).file_name()), steps).map_err(failed)?;
            }
            Some(old) if hash_of(Some(&old)) == record.before => remove(&old, steps)?,
            // Written again by somebody: it is another file now, and stays.
            Some(_) => outcome.note = Some("there is a new file at the old path".to_owned()),
        }
    }
    Ok(outcomes)
}

/// Where the file of a change is afterwards.
fn now_at(stored: &Stored) -> &VaultPath {
    stored.record.new_path.as_ref().unwrap_or(&stored.record.path)
}

/// Whether the old and the new name of a move are one file's, which letter case does not tell apart here.
fn is_respelling(stored: &Stored, old: &Existing, new: Option<&Existing>) -> bool {
    let is_it = |new: &Existing| new.stat.identity == old.stat.identity && old.stat.links == 1;
    stored.record.path.key() == now_at(stored).key() && new.is_some_and(is_it)
}

/// Brings a file on that was about to get another spelling, to where the rest can be judged as of any move:
/// out of a name in between, and to its new content.
fn bring_on_respelling(vault: &Vault, stored: &Stored, steps: &Steps) -> Result<(), WriteError> {
    let record = &stored.record;
    if record.kind != ChangeKind::Move || record.path.key() != now_at(stored).key() {
        return Ok(());
    }
    let new = now_at(stored);
    let failed = |error| failed(new, error);
    let read = |path: &VaultPath| or_nothing(vault.read_to_change(path));
    if read(new)?.is_none() && read(&record.path)?.is_none() {
        let is_it = |hash| record.after == Some(hash) || record.before == Some(hash);
        let place = Place::of(vault, new)?;
        let made = place.make(vault.root(), steps).map_err(failed)?;
        if !bring_on(&made.folder, &place.name, is_it, steps).map_err(failed)? {
            made.undo();
        }
    }
    Ok(())
}

/// Makes one change that was begun, from what the journal has of it.
fn carry_out(
    vault: &Vault,
    journal: &Journal,
    stored: &Stored,
    found: Option<Existing>,
    steps: &Steps,
) -> Result<(), WriteError> {
    let record = &stored.record;
    let path = record.new_path.as_ref().unwrap_or(&record.path);
    let failed = |error| failed(path, error);
    let bytes = record.after.map(|after| journal.content(record.id, after)).transpose()?;
    match (found, bytes) {
        (Some(existing), Some(bytes)) => {
            let folder = existing.folder().map_err(failed)?;
            let like = Permissions::of(&folder, &existing.name).map_err(failed)?;
            Temporary::write(&folder, &bytes, Some(like), steps)
                .and_then(|temporary| temporary.replace(&existing.name, &existing.bytes))
                .map_err(failed)
                .and_then(|displaced| gone(displaced, path))
        }
        (None, Some(bytes)) => {
            let place = Place::of(vault, path)?;
            let made = place.make(vault.root(), steps).map_err(failed)?;
            let permissions = stored.mode.map(Permissions::known);
            Temporary::write(&made.folder, &bytes, permissions, steps)
                .and_then(|temporary| temporary.create(&place.name))
                .map(drop)
                .map_err(failed)
        }
        (Some(existing), None) => remove(&existing, steps),
        (None, None) => Ok(()),
    }
}

fn remove(existing: &Existing, steps: &Steps) -> Result<(), WriteError> {
    let failed = |error| failed(&existing.path, error);
    let folder = existing.folder().map_err(failed)?;
    let removed = displace::remove(&folder, &existing.name, &existing.bytes, steps).map_err(failed)?;
    sync_folder(&folder, steps);
    gone(removed, &existing.path)
}

/// What another program has changed at this very moment stays for the next start to judge.
fn gone(displaced: Displaced, path: &VaultPath) -> Result<(), WriteError> {
    match displaced {
        Displaced::Gone => Ok(()),
        Displaced::Changed => Err(WriteError::ChangedMeanwhile { path: path.as_str().to_owned() }),
    }
}

fn hash_of(existing: Option<&Existing>) -> Option<ContentHash> {
    existing.map(|file| ContentHash::of(&file.bytes))
}

fn outcome(stored: &Stored, done: bool, note: Option<&str>) -> Outcome {
    Outcome { id: stored.record.id, done, note: note.map(str::to_owned), trashed: None }
}

/// What became of one change, by the file it was about.
fn judge(root: &Path, stored: &Stored, hash: Option<ContentHash>, is_empty: bool) -> Outcome {
    let record = &stored.record;
    if hash == record.after {
        let trashed = if record.kind == ChangeKind::Delete { in_trash(root, stored) } else { None };
        return Outcome { trashed, ..outcome(stored, true, None) };
    }
    if hash == record.before {
        return outcome(stored, false, Some(NOT_MADE));
    }
    if record.kind == ChangeKind::Create && is_empty {
        // The placeholder of a file system that can neither rename without replacing nor link, or an empty
        // note of somebody's. It stays: an empty file too many is better than one too few.
        return outcome(stored, false, Some("interrupted; an empty file may be left of it"));
    }
    outcome(stored, false, Some(CHANGED_SINCE))
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
