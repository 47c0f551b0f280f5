//! Error policy: a journal that cannot take note of a change means that the change is not made, so every
//! variant says that nothing was changed and what to do. Messages name the journal's file only while it is
//! being opened.

use store::{LockError, StoreError};

use crate::journal::record::ChangeId;

/// Why the journal cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Another process is alone with it, or its locks cannot be made.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// The file cannot be opened, read or written; without a journal nothing is changed.
    #[error("the journal of changes cannot be used, so nothing was changed: {0}")]
    Store(#[from] StoreError),
    /// The file was made by a later version.
    #[error("the journal of changes has format {found}, this version knows {known}: update the server")]
    Newer {
        /// Format of the file.
        found: i64,
        /// The newest this version knows.
        known: i64,
    },
    /// It would lie inside the vault, where it would be synced and could be changed.
    #[error("the journal of changes must not lie inside the vault: set JOURNAL_DIR to a folder outside it")]
    InsideVault,
    /// Another process has it open for another vault. Its changes must not be taken for this one's.
    #[error("the journal of changes is in use for another vault: set another JOURNAL_DIR for this one")]
    OtherVault,
    /// There is no such change, it was dropped after its time, or the caller may not see it.
    #[error("change {0} is not in the journal")]
    NoSuchChange(ChangeId),
    /// The copy of a content is missing or damaged.
    #[error("the journal's copy for change {0} is missing or damaged")]
    Damaged(ChangeId),
}
