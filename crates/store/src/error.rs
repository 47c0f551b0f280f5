//! Error policy: one enum for the whole crate. A caller decides by variant, never by text:
//! [`StoreError::is_corrupt`] means "put the file aside and rebuild", `Busy` and `TimedOut` mean
//! "try again later", `Full`, `Io` and `ReadOnly` mean "tell the person who runs the host". Messages of
//! the engine are kept as text for the log; SQL text is kept where it says which statement failed,
//! parameters never (they hold note text).

use std::path::PathBuf;

/// Anything that can go wrong between a caller and its database file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file could not be opened or created, or its folder or permissions could not be set.
    #[error("cannot open the database {}: {reason}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system or the engine said.
        reason: String,
    },
    /// The file is damaged or is no database at all (`SQLITE_CORRUPT`, `SQLITE_NOTADB`).
    #[error("the database file is damaged: {0}")]
    Corrupt(String),
    /// Another process or connection held the file for longer than the busy timeout
    /// (`SQLITE_BUSY`, `SQLITE_LOCKED`).
    #[error("the database is locked by someone else: {0}")]
    Busy(String),
    /// The database was opened for reading only, or the file or its folder cannot be written.
    #[error("the database is read-only: {0}")]
    ReadOnly(String),
    /// No room: the disk, a quota or `max_page_count` (`SQLITE_FULL`). The transaction was rolled back.
    #[error("no room left for the database: {0}")]
    Full(String),
    /// The disk failed under the engine (`SQLITE_IOERR`), or a file beside the database could not be
    /// written.
    #[error("disk error under the database: {0}")]
    Io(String),
    /// A read took longer than [`crate::Options::read_timeout`] and was interrupted, or no reader
    /// became free within it.
    #[error("the database read took too long and was stopped")]
    TimedOut,
    /// The database was closed.
    #[error("the database is closed")]
    Closed,
    /// A write job panicked; its transaction was rolled back and the writer goes on.
    #[error("a database write failed inside the program: {0}")]
    Panicked(String),
    /// A write was asked for from inside a write job, which could only wait for itself.
    #[error("a database write was started from inside another one")]
    Reentrant,
    /// A statement was given too few or too many parameters.
    #[error("the statement takes {expected} parameters and was given {given}: {sql}")]
    Parameters {
        /// How many the statement has.
        expected: usize,
        /// How many were passed.
        given: usize,
        /// The statement.
        sql: String,
    },
    /// A text or blob is longer than the engine stores (1,000,000,000 bytes).
    #[error("a value of {bytes} bytes is too long for the database")]
    TooBig {
        /// Its length in bytes.
        bytes: usize,
    },
    /// A column does not hold what the caller asked for, or does not exist.
    #[error("column {index} holds {found}, not {wanted}")]
    Column {
        /// Zero-based column.
        index: usize,
        /// What was asked for.
        wanted: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// Any other answer of the engine: a constraint, a malformed statement, a malformed FTS5 query.
    #[error("database error {code}: {message}")]
    Sql {
        /// SQLite's extended result code.
        code: i32,
        /// SQLite's message.
        message: String,
        /// The statement that failed, without its parameters; empty when there is none.
        sql: String,
    },
}

impl StoreError {
    /// Whether the file itself is damaged, so that only putting it aside and rebuilding helps.
    #[must_use]
    pub fn is_corrupt(&self) -> bool {
        matches!(self, Self::Corrupt(_))
    }

    /// Whether a constraint (unique, not null, foreign key, check) refused the write.
    #[must_use]
    pub fn is_constraint(&self) -> bool {
        const SQLITE_CONSTRAINT: i32 = 19;
        matches!(self, Self::Sql { code, .. } if code & 0xff == SQLITE_CONSTRAINT)
    }
}

/// Why [`crate::IndexLock::acquire`] gave no lock.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process (or another part of this one) holds it.
    #[error("{} is in use by a running server", path.display())]
    AlreadyLocked {
        /// The database the lock belongs to.
        path: PathBuf,
    },
    /// The lock file could not be made or locked at all.
    #[error("cannot make the lock file {}: {reason}", path.display())]
    Io {
        /// The lock file.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
}
