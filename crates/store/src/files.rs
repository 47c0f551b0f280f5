//! The files of a database: who may read them, and putting a bad one aside.
//!
//! An existing database is never opened here with the standard library. Closing such a handle would drop
//! the POSIX locks that SQLite holds on the same file in this process, and another process could then
//! take the write-ahead log away under it.

#![expect(clippy::disallowed_methods, reason = "this module owns the database's files")]

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::error::StoreError;

/// Only the owner reads an index: it holds the text of every note.
const FILE_MODE: u32 = 0o600;
/// Folders that are made on the way.
const FOLDER_MODE: u32 = 0o700;
/// What SQLite puts beside a database.
const SIDECARS: [&str; 2] = ["-wal", "-shm"];
/// How many bad files are kept beside the good one.
const KEPT_ASIDE: u32 = 3;

/// Makes the file (empty, which is a valid empty database) and its folder where they are missing, and
/// gives its absolute path. SQLite copies the mode of the database to the files it puts beside it.
pub(crate) fn prepare(path: &Path) -> Result<PathBuf, StoreError> {
    let failed = |error: io::Error| StoreError::Open { path: path.to_owned(), reason: error.to_string() };
    make_folder(path).map_err(failed)?;
    match OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(path) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(failed(error)),
    }
    let absolute = existing(path)?;
    make_private(&absolute);
    for sidecar in SIDECARS {
        make_private(&beside(&absolute, sidecar));
    }
    Ok(absolute)
}

/// Makes the folder of the file at `path`, and what is missing above it.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder),
        None => Ok(()),
    }
}

/// The absolute path of a database that must be there.
pub(crate) fn existing(path: &Path) -> Result<PathBuf, StoreError> {
    let failed = |reason: String| StoreError::Open { path: path.to_owned(), reason };
    let absolute = fs::canonicalize(path).map_err(|error| failed(error.to_string()))?;
    let is_file = fs::metadata(&absolute).map_err(|error| failed(error.to_string()))?.is_file();
    if is_file { Ok(absolute) } else { Err(failed("it is not a file".to_owned())) }
}

/// An empty file at `target` for a copy, which must not be there yet.
pub(crate) fn reserve(target: &Path) -> Result<PathBuf, StoreError> {
    let failed = |error: io::Error| StoreError::Io(format!("{}: {error}", target.display()));
    OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(target).map_err(failed)?;
    fs::canonicalize(target).map_err(failed)
}

/// Waits until a finished copy and its name are on the disk.
pub(crate) fn sync(target: &Path) -> Result<(), StoreError> {
    let failed = |error: io::Error| StoreError::Io(format!("{}: {error}", target.display()));
    fs::File::open(target).and_then(|file| file.sync_all()).map_err(failed)?;
    let folder = target.parent().unwrap_or(Path::new("/"));
    fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)
}

/// Removes a copy that failed.
pub(crate) fn discard(target: &Path) {
    if let Err(error) = fs::remove_file(target) {
        tracing::warn!(path = %target.display(), error = %error, "an unfinished copy could not be removed");
    }
}

/// Puts a closed database and its log aside as `<name>.bad-<n>` (n from 1, the last one is overwritten)
/// and answers where it is now. The next [`crate::Database::open`] starts with an empty file.
///
/// # Errors
/// [`StoreError::Io`] when a file cannot be renamed.
pub fn put_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let failed = |error: io::Error| StoreError::Io(format!("{}: {error}", path.display()));
    let aside = (1..=KEPT_ASIDE)
        .map(|number| beside(path, &format!(".bad-{number}")))
        .find(|candidate| !candidate.exists())
        .unwrap_or_else(|| beside(path, &format!(".bad-{KEPT_ASIDE}")));
    // The log first: a database without its log is old, a log beside a new database would be wrong.
    for sidecar in SIDECARS {
        match fs::rename(beside(path, sidecar), beside(&aside, sidecar)) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                match fs::remove_file(beside(&aside, sidecar)) {
                    Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
                    _ => {}
                }
            }
            other => other.map_err(failed)?,
        }
    }
    fs::rename(path, &aside).map_err(failed)?;
    Ok(aside)
}

/// `path` with `suffix` appended to its last segment.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Takes everyone else's access away. A file system without modes is no reason not to start.
fn make_private(path: &Path) {
    let Ok(metadata) = fs::metadata(path) else { return };
    if metadata.permissions().mode() & 0o777 == FILE_MODE {
        return;
    }
    if let Err(error) = fs::set_permissions(path, Permissions::from_mode(FILE_MODE)) {
        tracing::warn!(path = %path.display(), error = %error, "others may be able to read the database");
    }
}
