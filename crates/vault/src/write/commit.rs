//! Making changes: journal, file, journal, listener.

use std::io;
use std::sync::Arc;

use crate::hash::ContentHash;
use crate::journal::{By, ChangeId, ChangeKind, Intent, JournalError, Outcome, Trashed};
use crate::path::VaultPath;
use crate::read::Existing;
use crate::settings::TrashOption;
use crate::traits::{Change, ListenerError};
use crate::trash;
use crate::write::displace::{self, Displaced};
use crate::write::edit::or_nothing;
use crate::write::error::WriteError;
use crate::write::locks::{Guard, Lock};
use crate::write::place::Place;
use crate::write::steps::Step;
use crate::write::temporary::{Permissions, Temporary, sync_folder};
use crate::write::{Caller, Writer, Written, diff};

/// How often a folder that others remove while it is needed is made.
const ATTEMPTS: usize = 4;

/// What is to be done to one file.
pub(crate) struct Operation {
    pub(crate) what: What,
    pub(crate) summary: Option<String>,
    /// The changes that this one takes back.
    pub(crate) undoes: Vec<ChangeId>,
}

/// The same, by kind.
pub(crate) enum What {
    /// A new file.
    Create { place: Place, bytes: Arc<[u8]>, permissions: Option<Permissions> },
    /// Other content for a file.
    Edit { existing: Existing, bytes: Arc<[u8]> },
    /// Another path for a file, perhaps with other content. The old one goes when everything else is done.
    Move { from: Existing, place: Place, bytes: Arc<[u8]>, permissions: Option<Permissions> },
    /// No file.
    Delete { existing: Existing, trash: TrashOption },
    /// Nothing, of which the journal takes note all the same: changes that cancel each other out.
    Nothing { path: VaultPath, bytes: Option<Arc<[u8]>> },
}

impl What {
    fn kind(&self) -> ChangeKind {
        match self {
            Self::Create { .. } => ChangeKind::Create,
            Self::Edit { .. } | Self::Nothing { .. } => ChangeKind::Edit,
            Self::Delete { .. } => ChangeKind::Delete,
            Self::Move { .. } => ChangeKind::Move,
        }
    }

    pub(crate) fn path(&self) -> &VaultPath {
        match self {
            Self::Create { place, .. } | Self::Move { place, .. } => &place.path,
            Self::Edit { existing, .. } | Self::Delete { existing, .. } => &existing.path,
            Self::Nothing { path, .. } => path,
        }
    }

    fn old_path(&self) -> &VaultPath {
        match self {
            Self::Move { from, .. } => &from.path,
            other => other.path(),
        }
    }

    fn before(&self) -> Option<&[u8]> {
        match self {
            Self::Create { .. } => None,
            Self::Edit { existing, .. }
            | Self::Delete { existing, .. }
            | Self::Move { from: existing, .. } => Some(&existing.bytes),
            Self::Nothing { bytes, .. } => bytes.as_deref(),
        }
    }

    fn after(&self) -> Option<&[u8]> {
        match self {
            Self::Create { bytes, .. } | Self::Edit { bytes, .. } | Self::Move { bytes, .. } => Some(bytes),
            Self::Delete { .. } => None,
            Self::Nothing { bytes, .. } => bytes.as_deref(),
        }
    }
}

impl Writer {
    /// What `operation` would do.
    pub(crate) fn rehearse(&self, operation: &Operation) -> Written {
        let what = &operation.what;
        Written {
            path: what.path().clone(),
            before: what.before().map(ContentHash::of),
            after: what.after().map(ContentHash::of),
            change: None,
            diff: Some(diff::moved(what.old_path(), what.path(), what.before(), what.after())),
            index: Ok(()),
        }
    }

    /// Makes the changes, one after the other; whoever calls holds the locks. The first that cannot be made
    /// ends it.
    pub(crate) fn commit(
        &self,
        caller: Caller<'_>,
        operations: &[Operation],
    ) -> Result<Vec<(Written, Option<String>)>, WriteError> {
        let ids = self.begin(caller, operations)?;
        let mut outcomes = Vec::with_capacity(operations.len());
        let mut failed = None;
        for (operation, id) in operations.iter().zip(&ids) {
            if failed.is_some() {
                outcomes.push(Outcome { id: *id, done: false, note: None, trashed: None });
                continue;
            }
            match self.apply(&operation.what) {
                Ok(trashed) => outcomes.push(Outcome { id: *id, done: true, note: None, trashed }),
                Err(error) => {
                    let note = Some(error.to_string());
                    outcomes.push(Outcome { id: *id, done: false, note, trashed: None });
                    failed = Some(error);
                }
            }
        }
        if failed.is_none() {
            failed = self.finish_moves(operations, &mut outcomes);
        }
        if failed.is_some() && operations.iter().any(|operation| matches!(operation.what, What::Move { .. }))
        {
            self.take_back(operations, &mut outcomes);
        }
        let done: Vec<bool> = outcomes.iter().map(|outcome| outcome.done).collect();
        let trashed: Vec<Option<Trashed>> = outcomes.iter().map(|outcome| outcome.trashed.clone()).collect();
        self.finish(operations, outcomes);
        let mut index = self.announce(operations, &done);
        if let Some(error) = failed {
            let made = done.iter().filter(|done| **done).count();
            return Err(match made {
                0 => error,
                _ => WriteError::Incomplete { done: made, all: operations.len(), source: Box::new(error) },
            });
        }
        self.journal.retain_if_due(self.now_ms());
        let written = operations.iter().zip(ids).zip(trashed).map(|((operation, id), trashed)| {
            let what = &operation.what;
            let written = Written {
                path: what.path().clone(),
                before: what.before().map(ContentHash::of),
                after: what.after().map(ContentHash::of),
                change: Some(id),
                diff: None,
                index: std::mem::replace(&mut index, Ok(())),
            };
            (written, trashed.map(|trashed| trashed.name))
        });
        Ok(written.collect())
    }

    fn begin(&self, caller: Caller<'_>, operations: &[Operation]) -> Result<Vec<ChangeId>, WriteError> {
        let by =
            By { principal: caller.who.name.clone(), tool: caller.tool.to_owned(), at_ms: self.now_ms() };
        let intents: Vec<Intent> = operations
            .iter()
            .map(|operation| {
                let what = &operation.what;
                let (mode, trash) = match what {
                    What::Edit { existing, .. }
                    | What::Delete { existing, .. }
                    | What::Move { from: existing, .. } => {
                        let trash = matches!(what, What::Delete { trash: TrashOption::System, .. });
                        let name = || trash::free_name(self.vault.root(), existing);
                        (mode_of(existing), trash.then(name).flatten())
                    }
                    _ => (None, None),
                };
                let from = match what {
                    What::Move { from, .. } => Some(&from.path),
                    _ => None,
                };
                let summary = || diff::summary(what.before(), what.after());
                Intent {
                    kind: what.kind(),
                    path: from.unwrap_or(what.path()).clone(),
                    new_path: from.is_some().then(|| what.path().clone()),
                    before: what.before().map(Arc::from),
                    after: what.after().map(Arc::from),
                    mode,
                    summary: operation.summary.clone().unwrap_or_else(summary),
                    trash,
                    undoes: operation.undoes.clone(),
                }
            })
            .collect();
        let fault = |error: io::Error| JournalError::Store(store::StoreError::Io(error.to_string()));
        self.steps.before(Step::Begin).map_err(fault)?;
        Ok(self.journal.begin(&by, &intents)?)
    }

    fn finish(&self, operations: &[Operation], outcomes: Vec<Outcome>) {
        debug_assert_eq!(operations.len(), outcomes.len(), "every change has an outcome");
        match self.steps.before(Step::Finish) {
            Ok(()) => self.journal.finish(outcomes),
            Err(error) => self.journal.postpone(outcomes, &error.to_string()),
        }
    }

    fn announce(&self, operations: &[Operation], done: &[bool]) -> Result<(), ListenerError> {
        let made = operations.iter().zip(done).filter(|(_, done)| **done);
        let changes: Vec<Change> = made
            .flat_map(|(operation, _)| match &operation.what {
                What::Create { place, .. } => vec![Change::Written(place.path.clone())],
                What::Edit { existing, .. } => vec![Change::Written(existing.path.clone())],
                What::Delete { existing, .. } => vec![Change::Removed(existing.path.clone())],
                What::Move { from, place, .. } => {
                    let (new, old) =
                        (Change::Written(place.path.clone()), Change::Removed(from.path.clone()));
                    // One file: that its old name is gone is not said of the new one.
                    if place.respells { vec![old, new] } else { vec![new, old] }
                }
                What::Nothing { .. } => Vec::new(),
            })
            .collect();
        if changes.is_empty() {
            return Ok(());
        }
        self.steps.before(Step::Announce).map_err(|error| ListenerError(Box::new(error)))?;
        self.listener.changed(&changes)
    }

    /// Changes one file, or leaves it as it is.
    fn apply(&self, what: &What) -> Result<Option<Trashed>, WriteError> {
        match what {
            What::Nothing { .. } => Ok(None),
            What::Move { from, place, bytes, .. } if place.respells => {
                self.apply_respelling(from, place, bytes).map(|()| None)
            }
            What::Create { place, bytes, permissions } | What::Move { place, bytes, permissions, .. } => {
                self.apply_create(place, bytes, permissions.as_ref()).map(|()| None)
            }
            What::Edit { existing, bytes } => self.apply_edit(existing, bytes).map(|()| None),
            What::Delete { existing, trash } => self.apply_delete(existing, *trash),
        }
    }

    /// Removes the old files of moves, when all else is done.
    fn finish_moves(&self, operations: &[Operation], outcomes: &mut [Outcome]) -> Option<WriteError> {
        for (operation, outcome) in operations.iter().zip(outcomes) {
            let What::Move { from, place, .. } = &operation.what else { continue };
            if place.respells {
                continue;
            }
            if let Err(error) = self.apply_delete(from, TrashOption::None) {
                outcome.done = false;
                outcome.note =
                    Some(format!("the copy at the new path is there, the old file as well: {error}"));
                return Some(error);
            }
        }
        None
    }

    /// Takes back what was done of a call with a move that could not be carried out to its end: links first,
    /// so that they never lead nowhere. Where even that cannot be done, both copies stay.
    fn take_back(&self, operations: &[Operation], outcomes: &mut [Outcome]) {
        let mut whole = true;
        for (operation, outcome) in operations.iter().zip(outcomes).rev() {
            let what = &operation.what;
            let is_move = matches!(what, What::Move { .. });
            if !outcome.done && !is_move {
                continue;
            }
            let taken_back = self.take_back_one(what, whole);
            outcome.done = taken_back.is_err() && !is_move;
            outcome.note = Some(match taken_back {
                Ok(()) if is_move && !whole => "both copies are there".to_owned(),
                Ok(()) => "taken back, because the move could not be carried out to its end".to_owned(),
                Err(error) => format!("it could not be taken back: {error}"),
            });
            whole &= !outcome.done;
        }
    }

    fn take_back_one(&self, what: &What, whole: bool) -> Result<(), WriteError> {
        if let What::Move { from, place, bytes, .. } = what
            && place.respells
        {
            return self.take_back_respelling(from, place, bytes);
        }
        let now = or_nothing(self.vault.read_to_change(what.path()))?;
        if now.as_ref().map(|now| now.bytes.as_slice()) != what.after() {
            // Of a move that was not begun there is nothing to take back.
            let begun = now.is_some() || !matches!(what, What::Move { .. });
            let path = what.path().as_str().to_owned();
            return if begun { Err(WriteError::ChangedMeanwhile { path }) } else { Ok(()) };
        }
        match (what, now) {
            (What::Edit { existing, .. }, Some(now)) => self.apply_edit(&now, &existing.bytes),
            (What::Create { place, .. }, Some(now)) => {
                self.apply_delete(&now, TrashOption::None)?;
                place.unmake(self.vault.root());
                Ok(())
            }
            (What::Delete { existing, .. }, _) => self.put_back(existing, None),
            (What::Move { from, place, permissions, .. }, Some(now)) => {
                if or_nothing(self.vault.read_to_change(&from.path))?.is_none() {
                    self.put_back(from, permissions.as_ref())?;
                }
                if whole {
                    self.apply_delete(&now, TrashOption::None)?;
                    place.unmake(self.vault.root());
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Makes a file again that was there before.
    fn put_back(&self, existing: &Existing, permissions: Option<&Permissions>) -> Result<(), WriteError> {
        let place = Place::of(&self.vault, &existing.path)?;
        self.apply_create(&place, &existing.bytes, permissions)
    }

    fn apply_create(
        &self,
        place: &Place,
        bytes: &[u8],
        permissions: Option<&Permissions>,
    ) -> Result<(), WriteError> {
        let path = &place.path;
        let mut attempt = 1;
        loop {
            let made = place.make(self.vault.root(), &self.steps).map_err(|error| failed(path, error))?;
            let created = Temporary::write(&made.folder, bytes, permissions.cloned(), &self.steps)
                .and_then(|temporary| temporary.create(&place.name));
            let error = match created {
                Ok(stat) => {
                    self.own_writes.add(stat);
                    return Ok(());
                }
                Err(error) => error,
            };
            made.undo();
            match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    return Err(WriteError::Exists { path: path.as_str().to_owned() });
                }
                // Somebody removed the empty folder under it.
                io::ErrorKind::NotFound if attempt < ATTEMPTS => attempt += 1,
                _ => return Err(failed(path, error)),
            }
        }
    }

    pub(crate) fn apply_edit(&self, existing: &Existing, bytes: &[u8]) -> Result<(), WriteError> {
        let io = |error| failed(&existing.path, error);
        let folder = existing.folder().map_err(io)?;
        let like = Permissions::of(&folder, &existing.name).map_err(io)?;
        let temporary = Temporary::write(&folder, bytes, Some(like), &self.steps).map_err(io)?;
        self.look_again(existing)?;
        let stat = temporary.stat;
        match temporary.replace(&existing.name, &existing.bytes).map_err(io)? {
            Displaced::Gone => {
                self.own_writes.add(stat);
                Ok(())
            }
            Displaced::Changed => Err(changed_meanwhile(existing)),
        }
    }

    fn apply_delete(&self, existing: &Existing, option: TrashOption) -> Result<Option<Trashed>, WriteError> {
        self.look_again(existing)?;
        if option == TrashOption::None {
            let io = |error| failed(&existing.path, error);
            let folder = existing.folder().map_err(io)?;
            let removed =
                displace::remove(&folder, &existing.name, &existing.bytes, &self.steps).map_err(io)?;
            sync_folder(&folder, &self.steps);
            return match removed {
                Displaced::Gone => Ok(None),
                Displaced::Changed => Err(changed_meanwhile(existing)),
            };
        }
        // Two deletes of files of one name take their names in the trash one after the other.
        let _trash = self.lock_trash();
        let (name, identity) = trash::put(self.vault.root(), existing, &self.steps)?;
        Ok(Some(Trashed {
            name,
            at_ms: self.now_ms(),
            identity,
            hash: ContentHash::of(&existing.bytes),
            swept: option == TrashOption::System,
        }))
    }

    /// Whether the file is still what was read, right before it is changed.
    pub(crate) fn look_again(&self, existing: &Existing) -> Result<(), WriteError> {
        self.steps.before(Step::LookAgain).map_err(|error| failed(&existing.path, error))?;
        match existing.read_again() {
            Ok(bytes) if bytes == existing.bytes => Ok(()),
            _ => Err(changed_meanwhile(existing)),
        }
    }

    /// The lock on everything in the trash of this process. Its key is no vault path's. Not held against
    /// other processes, since those who take it hold others already: nothing in the trash is ever
    /// overwritten, and what the sweep removes it knows by its identity and content.
    pub(crate) fn lock_trash(&self) -> Option<Guard<'_>> {
        self.locks.take(vec![trash::TRASH_FOLDER.to_owned()], Lock::Wait).ok()
    }

    pub(crate) fn now_ms(&self) -> i64 {
        (self.options.clock)().as_millisecond()
    }
}

fn changed_meanwhile(existing: &Existing) -> WriteError {
    WriteError::ChangedMeanwhile { path: existing.path.as_str().to_owned() }
}

/// Permissions of a file that is about to be changed, for the journal.
fn mode_of(existing: &Existing) -> Option<u32> {
    Permissions::of(&existing.folder().ok()?, &existing.name).ok().map(|permissions| permissions.mode)
}

pub(crate) fn failed(path: &VaultPath, source: io::Error) -> WriteError {
    WriteError::Io { path: path.as_str().to_owned(), source }
}

/// The permissions of a file for its next place, and its time when it stays what it is.
pub(crate) fn permissions(existing: &Existing, bytes: &[u8]) -> Option<Permissions> {
    let same = *existing.bytes == *bytes;
    let read = if same { Permissions::with_time } else { Permissions::of };
    read(&existing.folder().ok()?, &existing.name).ok()
}
