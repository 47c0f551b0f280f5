//! Taking changes back.
//!
//! What is to be taken back is played backwards in memory first, newest first; then every file is changed
//! once, from what it is to what it was. So nothing is changed when any of it cannot be taken back.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::hash::ContentHash;
use crate::journal::{ChangeId, ChangeKind, ChangeState, Stored};
use crate::path::VaultPath;
use crate::read::Existing;
use crate::settings::TrashOption;
use crate::write::commit::{Operation, What, permissions};
use crate::write::error::WriteError;
use crate::write::locks::Lock;
use crate::write::merge::{self, MergeFailed};
use crate::write::place::Place;
use crate::write::temporary::Permissions;
use crate::write::{Caller, Writer, Written, diff};

/// What is taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undo {
    /// One change.
    Change(ChangeId),
    /// Every change of the call that this one was part of.
    Call(ChangeId),
    /// Everything a principal has changed at or after a time, as far as it was not taken back yet.
    Since {
        /// The principal's name.
        principal: String,
        /// The time.
        since: Timestamp,
    },
}

/// How it is taken back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UndoOptions {
    /// Answer with the differences and change nothing.
    pub dry_run: bool,
    /// Where a note has changed since, keep that as well, line by line; refused when both touch the same
    /// lines.
    pub merge: bool,
}

/// What was taken back.
#[derive(Debug)]
pub struct Undone {
    /// The files, each once.
    pub written: Vec<Written>,
    /// The changes, newest first.
    pub changes: Vec<ChangeId>,
}

/// A file while the past is played backwards.
struct Slot {
    path: VaultPath,
    existing: Option<Existing>,
    bytes: Option<Arc<[u8]>>,
    mode: Option<u32>,
    /// Where the file that these bytes come from is now.
    origin: Option<VaultPath>,
    undoes: Vec<ChangeId>,
}

impl Slot {
    /// Whether this is the other slot's file by a name that is spelt otherwise.
    fn is_respelling_of(&self, other: &Self) -> bool {
        let identity = |slot: &Self| slot.existing.as_ref().map(|existing| existing.stat.identity);
        let (this, that) = (identity(self), identity(other));
        this.is_some() && this == that && self.path.key() == other.path.key()
    }
}

impl Writer {
    /// Takes changes back. That is a change like any other, and can be taken back itself.
    ///
    /// # Errors
    /// [`WriteError::UndoConflict`] with the difference when a file is not what the change had left it;
    /// [`WriteError::MergeConflict`] when it cannot be merged. Nothing was changed then.
    pub fn undo(&self, caller: Caller<'_>, what: &Undo, options: UndoOptions) -> Result<Undone, WriteError> {
        if !caller.who.rights.write {
            return Err(WriteError::Forbidden { action: "change" });
        }
        let chosen = self.chosen(caller, what)?;
        let keys = chosen.iter().flat_map(paths).map(VaultPath::key).collect();
        let _lock = self.lock(keys, Lock::Wait)?;
        // Again under the lock: somebody may have taken it back meanwhile.
        let chosen = self.chosen(caller, what)?;
        let mut slots: BTreeMap<VaultPath, Slot> = BTreeMap::new();
        for stored in &chosen {
            // Where a file is now before where it was: of two spellings of one name the latter is none.
            for path in stored.record.new_path.iter().chain([&stored.record.path]) {
                self.check_scope(caller, path)?;
                if !slots.contains_key(path) {
                    let mut slot = self.slot(caller, path)?;
                    if slots.values().any(|other| slot.is_respelling_of(other)) {
                        slot = Slot { existing: None, bytes: None, origin: None, ..slot };
                    }
                    slots.insert(path.clone(), slot);
                }
            }
            self.play_back(&mut slots, stored, options.merge)?;
        }
        let mut operations = self.moves_back(&mut slots)?;
        for slot in slots.into_values() {
            operations.push(self.operation(caller, slot)?);
        }
        let nothing = |operation: &Operation| matches!(operation.what, What::Nothing { .. });
        if matches!(what, Undo::Since { .. }) && operations.iter().all(nothing) {
            return Err(WriteError::NothingToUndo);
        }
        // Files go last: whatever comes between, there are two copies of a moved one rather than none.
        operations.sort_by_key(|operation| match &operation.what {
            What::Create { .. } | What::Move { .. } => 0,
            What::Delete { .. } => 2,
            _ => 1,
        });
        let changes = chosen.iter().map(|stored| stored.record.id).collect();
        let written = if options.dry_run {
            operations.iter().map(|operation| self.rehearse(operation)).collect()
        } else {
            self.commit(caller, &operations)?.into_iter().map(|(written, _)| written).collect()
        };
        Ok(Undone { written, changes })
    }

    /// The changes to take back, newest first.
    fn chosen(&self, caller: Caller<'_>, what: &Undo) -> Result<Vec<Stored>, WriteError> {
        let chosen = match what {
            Undo::Change(id) | Undo::Call(id) => {
                let mut call = self.journal.call_of(caller.who, *id)?;
                // A move and the links rewritten for it are one thing, and so is what one undo took back: half
                // of it would leave the other half both undone and not.
                let is_one = |stored: &Stored| {
                    stored.record.kind == ChangeKind::Move || !stored.record.undoes.is_empty()
                };
                let whole = matches!(what, Undo::Call(_)) || call.iter().any(is_one);
                let is_it = |stored: &Stored| stored.record.id == *id;
                call.retain(|stored| is_it(stored) || (whole && stored.record.state != ChangeState::Aborted));
                call
            }
            Undo::Since { principal, since } => {
                let all = self.journal.done_since(caller.who, principal, *since)?;
                // What was taken back by somebody else is done with. What they took back themselves is played
                // back with the change that took it back: between the two, others may have come.
                let by_them = |id: ChangeId| all.iter().any(|stored| stored.record.id == id);
                let keep: Vec<bool> =
                    all.iter().map(|stored| stored.record.undone_by.is_none_or(by_them)).collect();
                all.into_iter().zip(keep).filter_map(|(stored, keep)| keep.then_some(stored)).collect()
            }
        };
        for stored in &chosen {
            let record = &stored.record;
            if let Some(by) = record.undone_by
                && !matches!(what, Undo::Since { .. })
            {
                return Err(WriteError::AlreadyUndone { change: record.id, by });
            }
            if record.state != ChangeState::Done {
                return Err(WriteError::NotMade { change: record.id });
            }
        }
        if chosen.is_empty() { Err(WriteError::NothingToUndo) } else { Ok(chosen) }
    }

    fn slot(&self, caller: Caller<'_>, path: &VaultPath) -> Result<Slot, WriteError> {
        let existing = self.read_settled_or_nothing(path)?;
        if let Some(existing) = &existing {
            self.check_real(caller, &existing.path, path)?;
            if existing.stat.links > 1 {
                let (path, links) = (path.as_str().to_owned(), existing.stat.links);
                return Err(WriteError::HardLinked { path, links });
            }
        }
        let bytes = existing.as_ref().map(|existing| Arc::from(existing.bytes.as_slice()));
        let origin = existing.is_some().then(|| path.clone());
        Ok(Slot { path: path.clone(), existing, bytes, mode: None, origin, undoes: Vec::new() })
    }

    /// The files as they were before the change.
    fn play_back(
        &self,
        slots: &mut BTreeMap<VaultPath, Slot>,
        stored: &Stored,
        merge: bool,
    ) -> Result<(), WriteError> {
        let record = &stored.record;
        let now_at = record.new_path.as_ref().unwrap_or(&record.path);
        let now = slots.get(now_at).and_then(|slot| slot.bytes.clone());
        let was = self.before(stored, now_at, now.as_deref(), merge)?;
        if let (Some(_), Some(old)) = (&record.new_path, slots.get(&record.path)) {
            // Somebody has made a new file where the moved one was.
            if old.bytes.is_some() {
                let diff = diff::unified(&record.path, None, old.bytes.as_deref());
                let path = record.path.as_str().to_owned();
                return Err(WriteError::UndoConflict { change: record.id, path, diff, mergeable: false });
            }
        }
        let origin = slots.get_mut(now_at).and_then(|slot| slot.origin.take());
        for path in paths(stored) {
            let Some(slot) = slots.get_mut(path) else { continue };
            let is_it = *path == record.path;
            slot.bytes = if is_it { was.clone() } else { None };
            slot.origin = if is_it && was.is_some() { origin.clone() } else { None };
            slot.mode = stored.mode.or(slot.mode);
            slot.undoes.push(record.id);
        }
        Ok(())
    }

    /// The content of a file before the change, given what it is now.
    fn before(
        &self,
        stored: &Stored,
        path: &VaultPath,
        now: Option<&[u8]>,
        merge: bool,
    ) -> Result<Option<Arc<[u8]>>, WriteError> {
        let record = &stored.record;
        let content =
            |hash: Option<ContentHash>| hash.map(|hash| self.journal.content(record.id, hash)).transpose();
        let before = content(record.before)?;
        if now.map(ContentHash::of) == record.after {
            return Ok(before.map(Arc::from));
        }
        let after = content(record.after)?;
        let (change, path_text) = (record.id, path.as_str().to_owned());
        match (merge, &after, now, &before) {
            (true, Some(after), Some(now), Some(before)) => {
                let merged = merge::merge(after, now, before);
                merged.map(|merged| Some(Arc::from(merged))).map_err(|failed| match failed {
                    MergeFailed::Conflict(merged) => {
                        WriteError::MergeConflict { change, path: path_text, merged }
                    }
                    MergeFailed::TooDifferent => WriteError::MergeTooLarge { change, path: path_text },
                })
            }
            (_, after, now, before) => {
                let diff = diff::unified(path, after.as_deref(), now);
                let mergeable = after.is_some() && now.is_some() && before.is_some();
                Err(WriteError::UndoConflict { change, path: path_text, diff, mergeable })
            }
        }
    }

    /// Files that go back to where they were, taken out of `slots`.
    fn moves_back(&self, slots: &mut BTreeMap<VaultPath, Slot>) -> Result<Vec<Operation>, WriteError> {
        let back = slots.values().filter(|slot| slot.existing.is_none() && slot.bytes.is_some());
        let pairs: Vec<(VaultPath, VaultPath)> = back
            .filter_map(|slot| {
                let origin = slots.get(slot.origin.as_ref()?)?;
                (origin.existing.is_some() && origin.bytes.is_none())
                    .then(|| (slot.path.clone(), origin.path.clone()))
            })
            .collect();
        let mut operations = Vec::with_capacity(pairs.len());
        for (path, origin) in pairs {
            let (Some(slot), Some(from)) = (slots.remove(&path), slots.remove(&origin)) else { continue };
            let (Some(bytes), Some(existing)) = (slot.bytes, from.existing) else { continue };
            let place = Place::to_move(&self.vault, &existing, &path)?;
            let permissions = permissions(&existing, &bytes);
            let mut undoes = [slot.undoes, from.undoes].concat();
            undoes.sort();
            undoes.dedup();
            let summary = summary(&undoes);
            let what = What::Move { from: existing, place, bytes, permissions };
            operations.push(Operation { what, summary, undoes });
        }
        Ok(operations)
    }

    fn operation(&self, caller: Caller<'_>, slot: Slot) -> Result<Operation, WriteError> {
        let Slot { path, existing, bytes, mode, undoes, .. } = slot;
        let what = match (existing, bytes) {
            (Some(existing), Some(bytes)) if *existing.bytes != *bytes => What::Edit { existing, bytes },
            (Some(existing), None) => {
                if !caller.who.rights.delete {
                    return Err(WriteError::Forbidden { action: "delete" });
                }
                // The journal has it, and nobody has asked to delete it.
                What::Delete { existing, trash: TrashOption::None }
            }
            (None, Some(bytes)) => {
                let place = Place::of(&self.vault, &path)?;
                let permissions = mode.map(Permissions::known);
                What::Create { place, bytes, permissions }
            }
            (_, bytes) => What::Nothing { path, bytes },
        };
        Ok(Operation { what, summary: summary(&undoes), undoes })
    }
}

fn summary(undoes: &[ChangeId]) -> Option<String> {
    let list: Vec<String> = undoes.iter().map(ToString::to_string).collect();
    Some(format!("undo of {}", list.join(", ")))
}

/// The files a change touched.
fn paths(stored: &Stored) -> impl Iterator<Item = &VaultPath> {
    std::iter::once(&stored.record.path).chain(&stored.record.new_path)
}
