//! The tables of the journal's file.

use store::{Connection, StoreError};

use crate::journal::error::JournalError;

/// Format of the tables; a file of a later one is not touched.
const FORMAT: i64 = 2;

/// Makes the tables of an empty file and refuses a file of a later format.
pub(crate) fn prepare(connection: &Connection) -> Result<(), JournalError> {
    if check(connection)? == FORMAT {
        return Ok(());
    }
    // AUTOINCREMENT: a number is never given again, although old changes are dropped.
    connection.batch(
        "CREATE TABLE IF NOT EXISTS changes (
             id INTEGER PRIMARY KEY AUTOINCREMENT,
             batch INTEGER NOT NULL,
             at_ms INTEGER NOT NULL,
             principal TEXT NOT NULL,
             tool TEXT NOT NULL,
             kind INTEGER NOT NULL,
             path TEXT NOT NULL,
             key TEXT NOT NULL,
             new_path TEXT,
             new_key TEXT,
             before_hash BLOB,
             after_hash BLOB,
             mode INTEGER,
             summary TEXT NOT NULL,
             state INTEGER NOT NULL,
             note TEXT,
             undone_by INTEGER,
             trash TEXT
         ) STRICT;
         CREATE INDEX IF NOT EXISTS changes_by_key ON changes (key, id);
         CREATE INDEX IF NOT EXISTS changes_by_new_key ON changes (new_key, id) WHERE new_key IS NOT NULL;
         CREATE INDEX IF NOT EXISTS changes_by_principal ON changes (principal, at_ms);
         CREATE INDEX IF NOT EXISTS changes_by_time ON changes (at_ms);
         CREATE INDEX IF NOT EXISTS changes_begun ON changes (id) WHERE state = 0;
         CREATE INDEX IF NOT EXISTS changes_undone ON changes (undone_by) WHERE undone_by IS NOT NULL;
         CREATE TABLE IF NOT EXISTS undoing (
             undo INTEGER NOT NULL,
             change INTEGER NOT NULL,
             PRIMARY KEY (undo, change)
         ) STRICT, WITHOUT ROWID;
         CREATE TABLE IF NOT EXISTS contents (
             id INTEGER PRIMARY KEY,
             hash BLOB NOT NULL UNIQUE,
             size INTEGER NOT NULL,
             data BLOB NOT NULL
         ) STRICT;
         CREATE TABLE IF NOT EXISTS trashed (
             name TEXT PRIMARY KEY,
             change INTEGER NOT NULL,
             at_ms INTEGER NOT NULL,
             device INTEGER NOT NULL,
             inode INTEGER NOT NULL,
             hash BLOB NOT NULL
         ) STRICT;
         CREATE TABLE IF NOT EXISTS vault (
             id INTEGER PRIMARY KEY CHECK (id = 1),
             root TEXT NOT NULL,
             device INTEGER NOT NULL,
             inode INTEGER NOT NULL
         ) STRICT;
         PRAGMA user_version = 2;",
    )?;
    Ok(())
}

/// The format of a file; one of a later format is refused.
pub(crate) fn check(connection: &Connection) -> Result<i64, JournalError> {
    let found = connection.query_one("PRAGMA user_version", &[], |row| row.get::<i64>(0))?;
    match found.ok_or(StoreError::Closed)? {
        found if found > FORMAT => Err(JournalError::Newer { found, known: FORMAT }),
        found => Ok(found),
    }
}
