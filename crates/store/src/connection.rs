//! A connection: opening one with its settings, and what a job may do with it.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::engine::{open_error, ready, store_error};
use crate::error::StoreError;
use crate::row::Row;
use crate::statements::Statements;
use crate::value::Value;

/// A connection inside the read or write job that was given it.
///
/// A connection belongs to one thread at a time and is never cloned: a clone would be the same
/// connection, and a statement through it would fall into the other's transaction.
pub struct Connection {
    // Before `raw`: statements must be finalised before their connection is closed.
    statements: Statements,
    raw: libsql::Connection,
    /// Set by the watchdog when a read has lasted too long. An interrupt that falls between two
    /// statements is lost in SQLite, so every statement and every row looks here as well.
    expired: Arc<AtomicBool>,
}

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The one that writes.
    Writer {
        /// Whether a commit is on the disk before it is answered.
        durable: bool,
    },
    /// One of those that read.
    Reader,
}

impl Connection {
    /// Opens `path`, which must be absolute: SQLite would read `file:…` as a URI.
    pub(crate) fn open(path: &Path, role: Role, busy_timeout: Duration) -> Result<Self, StoreError> {
        let flags = match role {
            Role::Writer { .. } => libsql::OpenFlags::SQLITE_OPEN_READ_WRITE,
            Role::Reader => libsql::OpenFlags::SQLITE_OPEN_READ_ONLY,
        };
        let database = ready(libsql::Builder::new_local(path).flags(flags).build())
            .map_err(|error| open_error(error, path))?;
        let raw = database.connect().map_err(|error| open_error(error, path))?;
        raw.busy_timeout(busy_timeout).map_err(|error| open_error(error, path))?;
        let connection = Self { statements: Statements::default(), raw, expired: Arc::default() };
        connection.configure(role).map_err(|error| match error {
            StoreError::Sql { code, message, .. } => {
                StoreError::Open { path: path.to_owned(), reason: format!("{message} ({code})") }
            }
            other => other,
        })?;
        Ok(connection)
    }

    /// States every setting that matters: libsql's defaults differ from SQLite's (foreign keys are on)
    /// and from what a server wants.
    fn configure(&self, role: Role) -> Result<(), StoreError> {
        if matches!(role, Role::Writer { .. }) {
            let mode: Option<String> = self.query_one("PRAGMA journal_mode = WAL", &[], |row| row.get(0))?;
            if mode.as_deref() != Some("wal") {
                // File systems without shared memory. All still works, but reads and writes exclude
                // each other.
                tracing::warn!(store.journal_mode = mode, "the database cannot use a write-ahead log here");
            }
        }
        // NORMAL: a power cut may lose the last commits, never consistency; a killed process loses none.
        // The memory map covers the first pages, which every question walks through; all connections
        // share it, so their own caches can stay small. More of it would count as memory of this process.
        // journal_size_limit: a log that one big batch has blown up shrinks again.
        self.batch(
            "PRAGMA synchronous = NORMAL;
             PRAGMA foreign_keys = ON;
             PRAGMA mmap_size = 16777216;
             PRAGMA temp_store = MEMORY;
             PRAGMA wal_autocheckpoint = 1000;
             PRAGMA journal_size_limit = 16777216;",
        )?;
        match role {
            Role::Writer { durable: false } => self.batch("PRAGMA cache_size = -16384"),
            // FULL: the log is brought to the disk with every commit.
            Role::Writer { durable: true } => {
                self.batch("PRAGMA cache_size = -16384; PRAGMA synchronous = FULL")
            }
            Role::Reader => self.batch("PRAGMA cache_size = -4096; PRAGMA query_only = ON"),
        }?;
        // The first page is read here, so that a file that is no database is told at once.
        self.query_one("PRAGMA schema_version", &[], |row| row.get::<i64>(0)).map(|_| ())
    }

    /// Runs one statement that returns no rows; answers how many rows it changed (for a statement that
    /// changes none by its nature, such as `CREATE`, the number is meaningless).
    ///
    /// # Errors
    /// The engine's, by kind; a statement that returns rows is an error.
    pub fn execute(&self, sql: &str, params: &[Value]) -> Result<usize, StoreError> {
        self.check_time()?;
        let (lease, values) = self.statements.lease(&self.raw, sql, params)?;
        ready(lease.statement()?.execute(values)).map_err(|error| store_error(error, sql))
    }

    /// Runs several statements separated by `;`, without parameters; rows are dropped.
    ///
    /// # Errors
    /// The engine's, by kind. Statements before the failing one have run (and are undone with the job's
    /// transaction).
    pub fn batch(&self, sql: &str) -> Result<(), StoreError> {
        self.check_time()?;
        ready(self.raw.execute_batch(sql)).map(|_| ()).map_err(|error| store_error(error, sql))
    }

    /// Every row, made into `T` by `each`.
    ///
    /// # Errors
    /// The engine's or `each`'s, whichever comes first.
    pub fn query<T, E: From<StoreError>>(
        &self,
        sql: &str,
        params: &[Value],
        mut each: impl FnMut(&Row<'_>) -> Result<T, E>,
    ) -> Result<Vec<T>, E> {
        let mut all = Vec::new();
        self.for_each(sql, params, |row| {
            all.push(each(row)?);
            Ok::<(), E>(())
        })?;
        Ok(all)
    }

    /// The first row made into `T`, or `None` when there is none. Later rows are not computed.
    ///
    /// # Errors
    /// The engine's or `each`'s.
    pub fn query_one<T, E: From<StoreError>>(
        &self,
        sql: &str,
        params: &[Value],
        each: impl FnOnce(&Row<'_>) -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        self.check_time()?;
        let (lease, values) = self.statements.lease(&self.raw, sql, params)?;
        let failed = |error| E::from(store_error(error, sql));
        let mut rows = ready(lease.statement()?.query(values)).map_err(failed)?;
        let columns = usize::try_from(rows.column_count()).unwrap_or(0);
        match ready(rows.next()).map_err(failed)? {
            Some(row) => each(&Row::new(&row, columns)).map(Some),
            None => Ok(None),
        }
    }

    /// Streams every row through `each`.
    ///
    /// # Errors
    /// The engine's or `each`'s, whichever comes first.
    pub fn for_each<E: From<StoreError>>(
        &self,
        sql: &str,
        params: &[Value],
        mut each: impl FnMut(&Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.check_time()?;
        let (lease, values) = self.statements.lease(&self.raw, sql, params)?;
        let failed = |error| E::from(store_error(error, sql));
        let mut rows = ready(lease.statement()?.query(values)).map_err(failed)?;
        let columns = usize::try_from(rows.column_count()).unwrap_or(0);
        // Not one step past the end: the library would run the statement again.
        while let Some(row) = ready(rows.next()).map_err(failed)? {
            self.check_time()?;
            each(&Row::new(&row, columns))?;
        }
        Ok(())
    }

    /// The row id of the last insert on this connection.
    #[must_use]
    pub fn last_insert_rowid(&self) -> i64 {
        self.raw.last_insert_rowid()
    }

    /// Whether no transaction is open.
    pub(crate) fn is_idle(&self) -> bool {
        self.raw.is_autocommit()
    }

    /// Sets how long locks of others are waited for from now on.
    pub(crate) fn set_busy_timeout(&self, timeout: Duration) -> Result<(), StoreError> {
        self.raw.busy_timeout(timeout).map_err(|error| store_error(error, ""))
    }

    /// What the watchdog needs to stop this connection from another thread.
    pub(crate) fn stopper(&self) -> Stopper {
        self.expired.store(false, Ordering::Relaxed);
        Stopper { connection: self.raw.clone(), expired: Arc::clone(&self.expired) }
    }

    fn check_time(&self) -> Result<(), StoreError> {
        if self.expired.load(Ordering::Relaxed) { Err(StoreError::TimedOut) } else { Ok(()) }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.statements.clear();
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Connection").field("idle", &self.is_idle()).finish_non_exhaustive()
    }
}

/// Stops the statement that runs on a connection. This clone never runs a statement.
pub(crate) struct Stopper {
    connection: libsql::Connection,
    expired: Arc<AtomicBool>,
}

impl Stopper {
    /// Stops what runs now and whatever the job starts next.
    pub(crate) fn stop(&self) {
        self.expired.store(true, Ordering::Relaxed);
        if let Err(error) = self.connection.interrupt() {
            tracing::warn!(error = %error, "a slow database read could not be interrupted");
        }
    }

    /// Forgets that the job was stopped, once it is over.
    pub(crate) fn pardon(&self) {
        self.expired.store(false, Ordering::Relaxed);
    }
}
