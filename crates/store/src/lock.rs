//! Locks between processes: the one a running server holds on its index, the one that all who write a
//! shared database hold together, and short ones on single things.
//!
//! All of them are advisory (`flock`) and belong to an open file: the system lets go of them when the
//! process dies, however it dies. Lock files stay when their locks are gone: removing one would let two
//! processes hold "the" lock on two files of one name.

#![expect(clippy::disallowed_methods, reason = "this module owns the lock files")]

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::LockError;
use crate::files::{beside, make_folder};

/// How long a start waits for another one to be through with what it does alone.
const SHARE_PATIENCE: Duration = Duration::from_secs(60);
/// How often a lock that somebody else holds is tried.
const PAUSE: Duration = Duration::from_millis(1);
/// How many lock files there are for single things.
const STRIPES: u64 = 64;

/// The lock on `<database>.lock`, held as long as the value lives.
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
        let file = open(&lock_path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file }),
            Err(TryLockError::WouldBlock) => Err(LockError::AlreadyLocked { path: path.to_owned() }),
            Err(TryLockError::Error(reason)) => Err(failed(reason)),
        }
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        let_go(&self.file);
    }
}

/// A lock on `<database>.lock` that any number of processes hold at once. The first of them begins alone:
/// nobody else gets it before that one says that it is through with what must be done alone.
#[derive(Debug)]
pub struct SharedLock {
    file: File,
    path: PathBuf,
    alone: bool,
}

impl SharedLock {
    /// Takes the lock of the database at `path`, alone if nobody has it; makes its folder when it is
    /// missing. Waits while another process is alone.
    ///
    /// # Errors
    /// [`LockError::AlreadyLocked`] when that one is not through within a minute (or holds an
    /// [`IndexLock`]), [`LockError::Io`] when no lock file can be made.
    pub fn acquire(path: &Path) -> Result<Self, LockError> {
        let lock_path = beside(path, ".lock");
        let failed = |reason| LockError::Io { path: lock_path.clone(), reason };
        make_folder(path).map_err(failed)?;
        let file = open(&lock_path).map_err(failed)?;
        let alone = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(reason)) => return Err(failed(reason)),
        };
        let mut lock = Self { file, path: path.to_owned(), alone };
        if !alone {
            lock.share()?;
        }
        Ok(lock)
    }

    /// Whether nobody else has it.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// Lets others have it as well. The system lets go of the lock for a moment on the way: another process
    /// may be alone in that moment, and is waited for.
    ///
    /// # Errors
    /// As for [`Self::acquire`].
    pub fn share(&mut self) -> Result<(), LockError> {
        let busy = || LockError::AlreadyLocked { path: self.path.clone() };
        let failed = |reason| LockError::Io { path: beside(&self.path, ".lock"), reason };
        let deadline = Instant::now() + SHARE_PATIENCE;
        patiently(deadline, || self.file.try_lock_shared()).map_err(failed)?.ok_or_else(busy)?;
        self.alone = false;
        Ok(())
    }
}

impl Drop for SharedLock {
    fn drop(&mut self) {
        let_go(&self.file);
    }
}

/// Short locks between processes on single things that have a key. Two keys may share a lock.
#[derive(Debug)]
pub struct KeyLocks {
    folder: PathBuf,
}

/// Keys held until this is dropped.
#[derive(Debug)]
pub struct KeyGuard {
    files: Vec<File>,
}

impl KeyLocks {
    /// The locks beside the database at `path`, whose folder is made when it is missing.
    ///
    /// # Errors
    /// [`LockError::Io`] when it cannot be.
    pub fn new(path: &Path) -> Result<Self, LockError> {
        let folder = beside(path, ".locks");
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
        made.map_err(|reason| LockError::Io { path: folder.clone(), reason })?;
        Ok(Self { folder })
    }

    /// All of `keys`; `None` when that takes longer than `patience`. Who holds some of them must not ask for
    /// more: two who do could wait for each other.
    ///
    /// # Errors
    /// [`LockError::Io`] when a lock file cannot be made or locked.
    pub fn take<'a>(
        &self,
        keys: impl IntoIterator<Item = &'a str>,
        patience: Duration,
    ) -> Result<Option<KeyGuard>, LockError> {
        let deadline = Instant::now() + patience;
        // Everybody takes them in the same order.
        let mut numbers: Vec<u64> = keys.into_iter().map(stripe).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut guard = KeyGuard { files: Vec::with_capacity(numbers.len()) };
        for number in numbers {
            let path = self.folder.join(format!("{number:02}"));
            let failed = |reason| LockError::Io { path: path.clone(), reason };
            // A file opened anew: so the threads of one process exclude each other as well.
            let file = open(&path).map_err(failed)?;
            if patiently(deadline, || file.try_lock()).map_err(failed)?.is_none() {
                return Ok(None);
            }
            guard.files.push(file);
        }
        Ok(Some(guard))
    }
}

impl Drop for KeyGuard {
    fn drop(&mut self) {
        self.files.iter().for_each(let_go);
    }
}

/// The lock of a key, the same in every process whatever it was built from: FNV-1a.
fn stripe(key: &str) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    key.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step) % STRIPES
}

fn open(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// Tries until it works; `None` when it has not by `deadline`.
fn patiently(deadline: Instant, lock: impl Fn() -> Result<(), TryLockError>) -> std::io::Result<Option<()>> {
    loop {
        match lock() {
            Ok(()) => return Ok(Some(())),
            Err(TryLockError::Error(reason)) => return Err(reason),
            Err(TryLockError::WouldBlock) if Instant::now() >= deadline => return Ok(None),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
        }
    }
}

/// Said rather than left to closing: a child that was being started at this moment still has the file open
/// until it becomes another program, and with it the lock.
fn let_go(file: &File) {
    if let Err(error) = file.unlock() {
        tracing::warn!(error = %error, "a lock could not be let go");
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

    #[test]
    fn one_begins_alone_and_the_others_wait_until_it_shares() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let mut first = SharedLock::acquire(&path).unwrap();
        assert!(first.is_alone());
        std::thread::scope(|scope| {
            let second = scope.spawn(|| SharedLock::acquire(&path).unwrap());
            std::thread::sleep(Duration::from_millis(50));
            assert!(!second.is_finished());
            first.share().unwrap();
            let second = second.join().unwrap();
            assert!(!second.is_alone());
            drop(first);
            // As long as one of them has it, nobody is alone.
            assert!(!SharedLock::acquire(&path).unwrap().is_alone());
            drop(second);
        });
        assert!(SharedLock::acquire(&path).unwrap().is_alone());
    }

    #[test]
    fn keys_are_held_once_and_all_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let locks = KeyLocks::new(&folder.path().join("new/journal.db")).unwrap();
        let other = "0123456789".split("").find(|key| !key.is_empty() && stripe(key) != stripe("a")).unwrap();
        let held = locks.take(["a"], Duration::ZERO).unwrap().unwrap();
        assert!(locks.take(["a", other], Duration::ZERO).unwrap().is_none());
        drop(locks.take([other], Duration::ZERO).unwrap().unwrap());
        drop(held);
        drop(locks.take(["a", other, "a"], Duration::ZERO).unwrap().unwrap());
    }
}
