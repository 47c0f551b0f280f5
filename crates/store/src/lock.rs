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
    /// Open as long as the lock is held; closing it lets go.
    _file: File,
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
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(LockError::AlreadyLocked { path: path.to_owned() }),
            Err(TryLockError::Error(reason)) => Err(failed(reason)),
        }
    }
}
