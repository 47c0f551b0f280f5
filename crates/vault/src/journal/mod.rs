//! The journal: every change to the vault, before and after it is made, outside the vault.
//!
//! A change is written down before the first byte of the vault is touched, with copies of the file before
//! and after, and again when it is done. So whatever happens in between can be found out afterwards, and
//! whatever was done can be taken back.
//!
//! Several processes may have one journal open: a server, and one process for each client that starts its
//! own. SQLite puts their rows in order; a lock that each of them holds tells a process that starts whether
//! it is alone; and locks on the paths that are being changed keep two of them from changing one file.

mod contents;
mod error;
mod history;
mod record;
mod retain;
mod schema;
mod trashed;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use store::{Connection, Database, KeyGuard, KeyLocks, Lane, Options, SharedLock, StoreError, params};

use crate::folder::Folder;
use crate::hash::ContentHash;
use crate::path::VaultPath;
use contents::Copy;

pub use error::JournalError;
pub(crate) use history::Stored;
pub use record::{
    ChangeId, ChangeKind, ChangeRecord, ChangeState, HistoryFilter, HistoryPage, JournalStatus,
};
pub(crate) use trashed::Trashed;

/// How much the journal keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalOptions {
    /// Changes older than this many days are dropped.
    pub retention_days: u32,
    /// The oldest changes are dropped when the copies take more bytes than this.
    pub max_bytes: u64,
}

impl Default for JournalOptions {
    fn default() -> Self {
        Self { retention_days: 90, max_bytes: 1024 * 1024 * 1024 }
    }
}

/// The journal of a vault. Clones share it.
#[derive(Debug, Clone)]
pub struct Journal {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    database: Database,
    options: JournalOptions,
    /// Outcomes that could not be written down yet; tried again before the next change.
    unwritten: Mutex<Vec<Outcome>>,
    /// Bytes of copies since it was last seen to that there are not too many.
    grown: AtomicU64,
    /// When that was, in milliseconds since 1970.
    retained_ms: AtomicI64,
    /// `None` for reading only.
    locks: Option<ProcessLocks>,
}

/// What keeps the processes with this journal from getting into each other's way.
#[derive(Debug)]
struct ProcessLocks {
    shared: Mutex<SharedLock>,
    keys: KeyLocks,
}

/// How long another process's row in the journal is waited for. A row takes milliseconds; a slow disk and
/// many writers may make that seconds.
const BUSY: Duration = Duration::from_secs(30);
/// How long another process's change to the same file is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// What is about to be done to one file.
#[derive(Debug, Clone)]
pub(crate) struct Intent {
    pub(crate) kind: ChangeKind,
    pub(crate) path: VaultPath,
    pub(crate) new_path: Option<VaultPath>,
    pub(crate) before: Option<Arc<[u8]>>,
    pub(crate) after: Option<Arc<[u8]>>,
    /// Permissions of the file before.
    pub(crate) mode: Option<u32>,
    pub(crate) summary: String,
    /// Where a deleted file goes, when it is one that the sweep may remove: its name in the trash.
    pub(crate) trash: Option<String>,
    /// The changes that this one takes back.
    pub(crate) undoes: Vec<ChangeId>,
}

/// Who is about to do it, and when.
#[derive(Debug, Clone)]
pub(crate) struct By {
    pub(crate) principal: String,
    pub(crate) tool: String,
    pub(crate) at_ms: i64,
}

/// What became of a change.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    pub(crate) id: ChangeId,
    pub(crate) done: bool,
    pub(crate) note: Option<String>,
    pub(crate) trashed: Option<Trashed>,
}

impl Journal {
    /// Opens the journal in the file `path` and makes it (readable by nobody else) when it is missing. Other
    /// processes may have it open as well. The first of them is alone with it until [`crate::Writer::open`]
    /// has tidied up; the others wait for that here.
    ///
    /// # Errors
    /// [`JournalError::Locked`] when another process does not stop being alone, [`JournalError::Newer`], and
    /// the store's. The file is never replaced: it holds what nothing else does.
    pub fn open(path: &Path, options: JournalOptions) -> Result<Self, JournalError> {
        let shared = Mutex::new(SharedLock::acquire(path)?);
        let keys = KeyLocks::new(path)?;
        // Durable: what the journal says was written must outlast what was then done to the vault.
        let durable = Options { durable: true, busy_timeout: BUSY, ..Options::default() };
        let database = Database::open(path, &durable)?;
        database.write(Lane::Interactive, schema::prepare)?;
        Ok(Self::of(database, options, Some(ProcessLocks { shared, keys })))
    }

    /// Opens a journal that is there for looking into it, beside the process that writes it.
    ///
    /// # Errors
    /// As [`Self::open`], and when there is none.
    pub fn open_read_only(path: &Path) -> Result<Self, JournalError> {
        let database = Database::open(path, &Options { read_only: true, ..Options::default() })?;
        database.read(schema::check)?;
        Ok(Self::of(database, JournalOptions::default(), None))
    }

    fn of(database: Database, options: JournalOptions, locks: Option<ProcessLocks>) -> Self {
        let inner = Inner {
            database,
            options,
            unwritten: Mutex::default(),
            grown: AtomicU64::new(0),
            retained_ms: AtomicI64::new(i64::MIN),
            locks,
        };
        Self { inner: Arc::new(inner) }
    }

    /// Whether no other process writes to this journal, nor can begin to before [`Self::share`].
    pub(crate) fn is_alone(&self) -> bool {
        let alone =
            |locks: &ProcessLocks| locks.shared.lock().unwrap_or_else(PoisonError::into_inner).is_alone();
        self.inner.locks.as_ref().is_some_and(alone)
    }

    /// Whether this is the journal of the vault in the folder `root`, which has this device and inode. One
    /// that nobody has open goes with a vault that was moved, which is one that is not where it was any more:
    /// what was deleted in one vault is nothing to be brought back in another.
    pub(crate) fn belong_to(&self, root: &str, identity: (u64, u64)) -> Result<(), JournalError> {
        let (root, alone) = (root.to_owned(), self.is_alone());
        let identity = (identity.0.cast_signed(), identity.1.cast_signed());
        self.inner.database.write(Lane::Interactive, move |connection| {
            let sql = "SELECT root, device, inode FROM vault";
            let known = connection.query_one(sql, &[], |row| {
                Ok::<_, StoreError>((row.get::<String>(0)?, (row.get::<i64>(1)?, row.get::<i64>(2)?)))
            })?;
            if let Some((known_root, known_identity)) = known {
                let same = (known_root == root, known_identity == identity);
                match same {
                    (true, true) => return Ok(()),
                    // Another mount of it, or a copy in its place.
                    (true, false) | (false, true) => {}
                    (false, false) if alone && !is_there(&known_root, known_identity) => {
                        tracing::warn!(before = known_root, now = root, "the journal's vault was moved");
                    }
                    (false, false) => {
                        tracing::error!(other = known_root, own = root, "the journal is another vault's");
                        return Err(JournalError::OtherVault);
                    }
                }
            }
            connection.execute(
                "INSERT OR REPLACE INTO vault (id, root, device, inode) VALUES (1, ?1, ?2, ?3)",
                params![&root, identity.0, identity.1],
            )?;
            Ok(())
        })
    }

    /// Lets other processes write as well.
    pub(crate) fn share(&self) -> Result<(), JournalError> {
        if let Some(locks) = &self.inner.locks {
            locks.shared.lock().unwrap_or_else(PoisonError::into_inner).share()?;
        }
        Ok(())
    }

    /// Keeps every other process from changing the files of `keys`; `None` when one of them is at it for
    /// longer than it is waited for.
    pub(crate) fn lock_keys(&self, keys: &[String], wait: bool) -> Result<Option<KeyGuard>, JournalError> {
        let Some(locks) = &self.inner.locks else { return Ok(None) };
        let patience = if wait { PATIENCE } else { Duration::ZERO };
        Ok(locks.keys.take(keys.iter().map(String::as_str), patience)?)
    }

    /// The journal's file.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.inner.database.path().to_owned()
    }

    /// Writes down what is about to be done, all of it or nothing; it is on the disk when this returns.
    pub(crate) fn begin(&self, by: &By, intents: &[Intent]) -> Result<Vec<ChangeId>, JournalError> {
        match self.try_begin(by, intents, Known::Trusted) {
            // A copy that was there a moment ago was dropped with the last change that needed it.
            Err(BeginError::CopyGone) => self.try_begin(by, intents, Known::Ignored),
            other => other,
        }
        .map_err(|error| match error {
            BeginError::Journal(error) => error,
            BeginError::CopyGone => JournalError::Damaged(ChangeId(0)),
        })
    }

    fn try_begin(&self, by: &By, intents: &[Intent], known: Known) -> Result<Vec<ChangeId>, BeginError> {
        let rows: Vec<NewRow> =
            intents.iter().map(|intent| self.row(by, intent, known)).collect::<Result<_, _>>()?;
        let bytes = rows.iter().flat_map(NewRow::copies).filter_map(|copy| copy.deflated.as_ref());
        let grown: usize = bytes.map(Vec::len).sum();
        let unwritten = self.unwritten().clone();
        let settled: Vec<ChangeId> = unwritten.iter().map(|outcome| outcome.id).collect();
        let ids = self.inner.database.write(Lane::Interactive, move |connection| {
            settle(connection, &unwritten)?;
            let mut batch = None;
            let mut ids = Vec::with_capacity(rows.len());
            for row in &rows {
                let id = row.insert(connection, batch)?;
                batch.get_or_insert(id);
                ids.push(ChangeId(id));
            }
            Ok::<_, BeginError>(ids)
        })?;
        self.unwritten().retain(|outcome| !settled.contains(&outcome.id));
        self.inner.grown.fetch_add(grown as u64, Ordering::Relaxed);
        Ok(ids)
    }

    /// Writes down what became of changes. What cannot be written now is written before the next change,
    /// or found out at the next start.
    pub(crate) fn finish(&self, outcomes: Vec<Outcome>) {
        let job = outcomes.clone();
        let written =
            self.inner.database.write(Lane::Interactive, move |connection| settle(connection, &job));
        if let Err(error) = written {
            self.postpone(outcomes, &error.to_string());
        }
    }

    /// Keeps outcomes that could not be written down.
    pub(crate) fn postpone(&self, outcomes: Vec<Outcome>, reason: &str) {
        tracing::warn!(
            error = reason,
            "the journal could not take note of what was done; it will be tried again"
        );
        self.unwritten().extend(outcomes);
    }

    fn unwritten(&self) -> std::sync::MutexGuard<'_, Vec<Outcome>> {
        self.inner.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of a file as the journal has them.
    pub(crate) fn content(&self, change: ChangeId, hash: ContentHash) -> Result<Vec<u8>, JournalError> {
        let found = self.inner.database.read(|connection| contents::get(connection, hash))?;
        found.ok_or(JournalError::Damaged(change))
    }

    fn row(&self, by: &By, intent: &Intent, known: Known) -> Result<NewRow, JournalError> {
        let copy = |bytes: &Option<Arc<[u8]>>| match bytes {
            Some(bytes) => self.copy(bytes, known).map(Some),
            None => Ok(None),
        };
        let (before, after) = (copy(&intent.before)?, copy(&intent.after)?);
        Ok(NewRow { by: by.clone(), intent: intent.clone(), before, after })
    }

    /// Deflates bytes, unless the journal has them.
    fn copy(&self, bytes: &[u8], known: Known) -> Result<Copy, JournalError> {
        let hash = ContentHash::of(bytes);
        let has = known == Known::Trusted
            && self.inner.database.read(|connection| contents::has(connection, hash))?;
        let deflated = (!has).then(|| contents::deflate(bytes));
        Ok(Copy { hash, size: bytes.len() as u64, deflated })
    }
}

/// Whether a copy that the journal has is made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Trusted,
    Ignored,
}

/// Why a change could not be written down.
enum BeginError {
    Journal(JournalError),
    /// A copy is not there any more.
    CopyGone,
}

impl<E: Into<JournalError>> From<E> for BeginError {
    fn from(error: E) -> Self {
        Self::Journal(error.into())
    }
}

/// A change on its way into the table.
struct NewRow {
    by: By,
    intent: Intent,
    before: Option<Copy>,
    after: Option<Copy>,
}

impl NewRow {
    fn copies(&self) -> impl Iterator<Item = &Copy> {
        self.before.iter().chain(&self.after)
    }

    fn insert(&self, connection: &Connection, batch: Option<i64>) -> Result<i64, BeginError> {
        for copy in self.copies() {
            contents::put(connection, copy)?;
            if copy.deflated.is_none() && !contents::has(connection, copy.hash)? {
                return Err(BeginError::CopyGone);
            }
        }
        let hash = |copy: &Option<Copy>| copy.as_ref().map(|copy| copy.hash.as_bytes().to_vec());
        let Intent { kind, path, new_path, mode, summary, trash, undoes, .. } = &self.intent;
        connection.execute(
            "INSERT INTO changes (batch, at_ms, principal, tool, kind, path, key, new_path, new_key,
                 before_hash, after_hash, mode, summary, state, trash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 0, ?14)",
            params![
                batch.unwrap_or(0),
                self.by.at_ms,
                &self.by.principal,
                &self.by.tool,
                kind.code(),
                path.as_str(),
                path.key(),
                new_path.as_ref().map(VaultPath::as_str),
                new_path.as_ref().map(VaultPath::key),
                hash(&self.before),
                hash(&self.after),
                *mode,
                summary,
                trash.clone(),
            ],
        )?;
        let id = connection.last_insert_rowid();
        if batch.is_none() {
            connection.execute("UPDATE changes SET batch = id WHERE id = ?1", params![id])?;
        }
        for change in undoes {
            connection
                .execute("INSERT INTO undoing (undo, change) VALUES (?1, ?2)", params![id, change.0])?;
        }
        Ok(id)
    }
}

/// Writes outcomes down.
pub(crate) fn settle(connection: &Connection, outcomes: &[Outcome]) -> Result<(), StoreError> {
    for Outcome { id, done, note, trashed } in outcomes {
        let state = if *done { ChangeState::Done } else { ChangeState::Aborted };
        connection.execute(
            "UPDATE changes SET state = ?2, note = ?3 WHERE id = ?1 AND state = 0",
            params![id.0, state.code(), note.clone()],
        )?;
        if let Some(trashed) = trashed {
            trashed.put(connection, *id)?;
        }
        if *done {
            take_effect(connection, *id)?;
        }
    }
    Ok(())
}

/// What an undo takes back is undone from now on. If that was an undo itself, what it had taken back is not
/// undone any more; and if that was one, what it had taken back is undone again; and so on.
fn take_effect(connection: &Connection, undo: ChangeId) -> Result<(), StoreError> {
    let mut undos = vec![(undo.0, true)];
    while let Some((undo, stands)) = undos.pop() {
        let list = "SELECT change FROM undoing WHERE undo = ?1";
        let changes: Vec<i64> = connection.query(list, params![undo], |row| row.get::<i64>(0))?;
        for change in changes {
            let marked = if stands {
                connection
                    .execute("UPDATE changes SET undone_by = ?2 WHERE id = ?1", params![change, undo])?
            } else {
                // Another undo that took it back still stands.
                connection.execute(
                    "UPDATE changes SET undone_by = NULL WHERE id = ?1 AND undone_by = ?2",
                    params![change, undo],
                )?
            };
            if marked > 0 {
                undos.push((change, !stands));
            }
        }
    }
    Ok(())
}

/// Whether the folder with this device and inode is still at `root`.
fn is_there(root: &str, identity: (i64, i64)) -> bool {
    let found = Folder::open(Path::new(root)).and_then(|root| root.itself());
    found.is_ok_and(|found| {
        (found.stat.identity.0.cast_signed(), found.stat.identity.1.cast_signed()) == identity
    })
}
