//! What can go wrong in the index.
//!
//! Policy: a bad *note* is never an error here. What cannot be read of it is recorded as a
//! [`Problem`](crate::Problem) and the rest of the vault goes on. An error means that the question
//! could not be answered at all: the index file is unusable, the vault's root is gone, or the
//! caller asked for something that has no meaning. Errors the caller can mend (`InvalidQuery`,
//! `InvalidFilter`, `InvalidTag`) say what is allowed; the others say what happened to the file and
//! never quote text of a note.

use std::path::PathBuf;

use store::StoreError;
use vault::VaultError;

use crate::text::TextError;

/// Why the index could not answer or change.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The index file would lie inside the vault, where a sync tool would copy it everywhere.
    #[error("the index must not lie inside the vault: {}", .0.display())]
    InsideVault(PathBuf),
    /// Another process holds the index: a server is running on it.
    #[error("the index is in use by another process: {}", .0.display())]
    InUse(PathBuf),
    /// Opened for reading only, and there is nothing to read: no file, or one of another version.
    #[error("there is no usable index at {}: {reason}", .path.display())]
    NotBuilt {
        /// The file that was looked for.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The index was opened for reading only and was asked to change.
    #[error("the index is open for reading only")]
    ReadOnly,
    /// The index was closed.
    #[error("the index is closed")]
    Closed,
    /// The words asked for cannot be searched (a malformed FTS5 expression, for example).
    #[error("{0}")]
    InvalidQuery(String),
    /// A filter has no meaning as given; the text names it and says what is allowed.
    #[error("{0}")]
    InvalidFilter(String),
    /// A tag that is empty, or only `#`.
    #[error("a tag needs at least one character beside `#`: {0:?}")]
    InvalidTag(String),
    /// A row of the index does not read as what it should be.
    #[error("the index holds a row that cannot be read: {0}")]
    Row(String),
    /// The file of the index could not be prepared or put aside.
    #[error("cannot use the index file {}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file watcher could not start.
    #[error("cannot watch the vault: {0}")]
    Watcher(String),
    /// The vault could not be read at all.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The full-text engine could not read what it stored.
    #[error(transparent)]
    Text(TextError),
    /// The database said no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SearchError {
    /// Whether the file of the index is damaged and has to be built anew.
    #[must_use]
    pub fn is_corrupt(&self) -> bool {
        match self {
            Self::Store(error) => error.is_corrupt(),
            Self::Row(_) | Self::Text(_) => true,
            _ => false,
        }
    }
}

impl From<TextError> for SearchError {
    fn from(error: TextError) -> Self {
        match error {
            TextError::Store(error) => Self::Store(error),
            error @ TextError::Format { .. } => Self::Text(error),
        }
    }
}
