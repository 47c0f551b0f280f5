//! How the vault and the index speak to each other without knowing each other.

use crate::path::VaultPath;
use crate::walk::FoundFile;

/// What happened to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It was made or its content changed.
    Written(VaultPath),
    /// It is gone.
    Removed(VaultPath),
}

/// A failure on the other side of a trait, whatever its type.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ListenerError(pub Box<dyn std::error::Error + Send + Sync>);

/// Told of every change made through the vault, before the call that made it returns: so a client's next
/// call finds its own write.
pub trait ChangeListener: Send + Sync {
    /// Takes note of `changes`, in the order they were made.
    ///
    /// # Errors
    /// When the listener could not; the change itself stays.
    fn changed(&self, changes: &[Change]) -> Result<(), ListenerError>;
}

/// Knows which files may link to a file.
pub trait LinkSource: Send + Sync {
    /// Candidates that may link to `path`; the caller verifies them on disk.
    ///
    /// # Errors
    /// When the source cannot tell.
    fn backlinks(&self, path: &VaultPath) -> Result<Vec<VaultPath>, ListenerError>;

    /// Of the files of a vault those whose present state it has not read, so that they may have links that
    /// [`Self::backlinks`] does not know. Who keeps no states has read none.
    ///
    /// # Errors
    /// When the source cannot tell.
    fn unread(&self, files: &[FoundFile]) -> Result<Vec<VaultPath>, ListenerError> {
        Ok(files.iter().map(|file| file.path.clone()).collect())
    }
}
