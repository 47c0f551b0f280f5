//! The database: one writer thread, a pool of readers.

use std::path::Path;
use std::time::Duration;

use crate::connection::Connection;
use crate::error::StoreError;

/// How a database is opened. `..Options::default()` fills the rest.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many reading connections there may be at once (at least 1); each is opened when first needed.
    pub readers: usize,
    /// Open for reading only: no writer thread, every write is [`StoreError::ReadOnly`].
    pub read_only: bool,
    /// A read that takes longer is interrupted.
    pub read_timeout: Duration,
    /// How long a lock held by another process is waited for.
    pub busy_timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            readers: 4,
            read_only: false,
            read_timeout: Duration::from_secs(10),
            busy_timeout: Duration::from_secs(5),
        }
    }
}

/// Which queue a write waits in. The writer always empties `Interactive` first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// A caller waits for it.
    Interactive,
    /// Background work.
    Bulk,
}

/// What a checkpoint did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checkpoint {
    /// Whether a reader or writer kept part of the log from being moved.
    pub busy: bool,
    /// Pages in the write-ahead log.
    pub log_pages: i64,
    /// Pages moved into the database.
    pub moved_pages: i64,
}

/// A write that was submitted and not waited for.
#[derive(Debug)]
pub struct Pending<T, E>(std::sync::mpsc::Receiver<Result<T, E>>);

impl<T, E: From<StoreError>> Pending<T, E> {
    /// Waits until the write is committed or has failed.
    ///
    /// # Errors
    /// The job's own error, or the store's.
    pub fn wait(self) -> Result<T, E> {
        self.0.recv().unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }
}

/// An open database file. Clones share it.
#[derive(Debug, Clone)]
pub struct Database(());

impl Database {
    /// Opens (and, unless read-only, creates) the file.
    ///
    /// # Errors
    /// [`StoreError::Open`], [`StoreError::Corrupt`], [`StoreError::Busy`].
    pub fn open(path: &Path, _options: &Options) -> Result<Self, StoreError> {
        Err(StoreError::Open { path: path.to_owned(), reason: String::new() })
    }

    /// Runs `job` on a reading connection, in one snapshot.
    ///
    /// # Errors
    /// The job's own, or the store's.
    pub fn read<T, E: From<StoreError>>(
        &self,
        _job: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        Err(StoreError::Closed.into())
    }

    /// Runs `job` in a transaction on the writer thread and waits until it is committed.
    ///
    /// # Errors
    /// The job's own (rolled back), or the store's.
    pub fn write<T: Send + 'static, E: From<StoreError> + Send + 'static>(
        &self,
        lane: Lane,
        job: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        self.submit(lane, job).wait()
    }

    /// Like [`Self::write`] without waiting.
    #[must_use]
    pub fn submit<T: Send + 'static, E: From<StoreError> + Send + 'static>(
        &self,
        _lane: Lane,
        _job: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Pending<T, E> {
        Pending(std::sync::mpsc::channel().1)
    }

    /// Moves the write-ahead log into the database and empties it where no reader is in the way.
    ///
    /// # Errors
    /// The store's.
    pub fn checkpoint(&self) -> Result<Checkpoint, StoreError> {
        Err(StoreError::Closed)
    }

    /// Writes a consistent, compacted copy to `target`, which must not exist.
    ///
    /// # Errors
    /// The store's.
    pub fn backup_to(&self, _target: &Path) -> Result<(), StoreError> {
        Err(StoreError::Closed)
    }

    /// What SQLite's own check of the whole file finds; empty when it is sound.
    ///
    /// # Errors
    /// The store's.
    pub fn integrity_check(&self) -> Result<Vec<String>, StoreError> {
        Err(StoreError::Closed)
    }

    /// Finishes the queued writes, empties the log and closes; other clones get [`StoreError::Closed`].
    ///
    /// # Errors
    /// The store's.
    pub fn close(self) -> Result<(), StoreError> {
        Ok(())
    }
}
