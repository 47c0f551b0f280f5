//! The steps a change to the vault is made of, and the seam at which tests make them fail.

use std::fmt;
use std::io;
use std::sync::Arc;

/// One step of a change. A process can die between any two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// The journal takes note of what is about to be done.
    Begin,
    /// A missing folder is made.
    MakeFolder,
    /// The temporary file is made.
    MakeTemporary,
    /// The first half of the new content is written into it.
    WriteTemporary,
    /// The rest of the new content is written into it.
    WriteRest,
    /// It gets the old file's owner and permissions.
    CopyPermissions,
    /// Its content is brought to the disk.
    SyncTemporary,
    /// The file is looked at once more, for changes by others.
    LookAgain,
    /// The temporary file takes the old one's place.
    Replace,
    /// The old file, set aside, is looked at: another program may have written into it.
    LookAtDisplaced,
    /// The old file goes.
    RemoveDisplaced,
    /// The temporary file takes a free name.
    TakeName,
    /// As [`Self::TakeName`] by a hard link, where the file system cannot rename without replacing.
    LinkName,
    /// As [`Self::TakeName`] by an empty file, where there are no hard links either.
    MakePlaceholder,
    /// A file is moved to the trash.
    MoveToTrash,
    /// A file is removed.
    Remove,
    /// The folder's names are brought to the disk.
    SyncFolder,
    /// An empty folder is removed.
    RemoveFolder,
    /// The journal takes note that it is done, or that it is not.
    Finish,
    /// The listener is told.
    Announce,
}

/// Called before every step; an error is that step's failure. Only tests have one: it stands for a full
/// disk or a folder that may not be written, or ends the process there and then.
pub trait Faults: Send + Sync {
    /// What happens to `step`.
    ///
    /// # Errors
    /// The failure of the step.
    fn before(&self, step: Step) -> io::Result<()>;
}

/// The hook, if there is one.
#[derive(Clone, Default)]
pub(crate) struct Steps(pub(crate) Option<Arc<dyn Faults>>);

impl Steps {
    pub(crate) fn before(&self, step: Step) -> io::Result<()> {
        self.0.as_ref().map_or(Ok(()), |faults| faults.before(step))
    }
}

impl fmt::Debug for Steps {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Steps").field(&self.0.is_some()).finish()
    }
}
