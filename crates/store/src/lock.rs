//! The lock a running server holds on its index.

#![expect(clippy::disallowed_methods, reason = "this module owns the lock file")]

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::error::LockError;
use crate::files::{beside, make_folder};

/// Held as long as the value lives; the system lets go of it when the process dies, however it dies.
///
/// It is a lock on `<database>.lock`, a file of its own that stays when the lock is gone: removing it
/// would let two processes hold "the" lock on two files of one name.
#[derive(Debug)]
pub struct IndexLock {
    file: File,
}

impl IndexLock {
    /// Takes the lock of the database at `path` without waiting; makes its folder when it is missing.
    ///
    /// # Errors
    /// [`LockError::AlreadyLocked`] when someone holds it, [`LockError::Io`] when no lock file can be
    /// made.
    pub fn acquire(path: &Path) -> Result<Self, LockError> {
        let lock_path = beside(path, ".lock");
        let failed = |reason| LockError::Io { path: lock_path.clone(), reason };
        make_folder(path).map_err(failed)?;
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&lock_path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file }),
            Err(TryLockError::WouldBlock) => Err(LockError::AlreadyLocked { path: path.to_owned() }),
            Err(TryLockError::Error(reason)) => Err(failed(reason)),
        }
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        // Said rather than left to closing: a child that was being started at this moment still has
        // the file open until it becomes another program, and with it the lock.
        if let Err(error) = self.file.unlock() {
            tracing::warn!(error = %error, "the lock of the index could not be let go");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_let_go_although_its_file_is_still_open_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.db");
        let lock = IndexLock::acquire(&path).unwrap();
        // What a child has between being forked and becoming another program.
        let inherited = lock.file.try_clone().unwrap();
        drop(lock);
        IndexLock::acquire(&path).unwrap();
        drop(inherited);
    }
}
