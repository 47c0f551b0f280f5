//! Obsidian's trash: `.trash` in the vault, flat, the second file of a name numbered (`Note 2.md`).
//!
//! Obsidian's settings "system trash" and "Obsidian trash" both come here, since a server has no desktop.
//! What the server put here because of the former is recorded with its identity; the sweep removes that,
//! when its time is over and it is still the same file, and nothing else.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::Path;

use rustix::fs::{AtFlags, RenameFlags, renameat_with, unlinkat};
use rustix::io::Errno;

use crate::folder::{Folder, Kind, entry_of};
use crate::hash::ContentHash;
use crate::journal::Trashed;
use crate::path::{MAX_NAME_BYTES, VaultPath};
use crate::read::{Existing, MAX_FILE_BYTES};
use crate::write::displace::{self, Displaced};
use crate::write::{Permissions, Step, Temporary, WriteError, WriteSteps, make_folder, sync_folder};

/// The folder of the vault that holds what was deleted.
pub(crate) const TRASH_FOLDER: &str = ".trash";

/// How many files of one name are numbered.
const MAX_NUMBER: u32 = 100_000;

/// The name a file gets in the trash as things stand; `None` when there is none.
pub(crate) fn free_name(root: &Path, existing: &Existing) -> Option<String> {
    let trash = Folder::open(root).and_then(|root| root.enter(OsStr::new(TRASH_FOLDER)));
    let path = &existing.path;
    let Ok(trash) = trash else { return Some(path.file_name().to_owned()) };
    (1..=MAX_NUMBER).map(|number| numbered(path, number)).find(|name| is_free(&trash, name))
}

/// Moves a file into the trash and answers its name and identity there. Nothing there is ever overwritten.
pub(crate) fn put(
    root: &Path,
    existing: &Existing,
    steps: &WriteSteps,
) -> Result<(String, (u64, u64)), WriteError> {
    let path = &existing.path;
    let failed = |source: io::Error| WriteError::Io { path: path.as_str().to_owned(), source };
    let parent = existing.folder().map_err(failed)?;
    let root = Folder::open(root).map_err(failed)?;
    make_folder(&root, OsStr::new(TRASH_FOLDER), steps).map_err(failed)?;
    // Not through a link: the trash is a folder of this vault.
    let trash = root
        .enter(OsStr::new(TRASH_FOLDER))
        .map_err(|_| WriteError::NoTrash { path: path.as_str().to_owned() })?;
    for number in 1..=MAX_NUMBER {
        let name = numbered(path, number);
        if !is_free(&trash, &name) {
            continue;
        }
        match move_to(existing, &parent, &trash, OsStr::new(&name), steps) {
            Ok(()) => {
                sync_folder(&parent, steps);
                sync_folder(&trash, steps);
                // A copy on another file system has another one.
                let there = trash.entry(OsStr::new(&name)).map(|entry| entry.stat.identity);
                return Ok((name, there.unwrap_or(existing.stat.identity)));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Err(failed(io::ErrorKind::AlreadyExists.into()))
}

/// By renaming without replacing where the system can; else by a copy that takes a free name, after which
/// the file goes.
fn move_to(
    existing: &Existing,
    parent: &Folder,
    trash: &Folder,
    name: &OsStr,
    steps: &WriteSteps,
) -> io::Result<()> {
    let old = &existing.name;
    let moved = steps
        .before(Step::MoveToTrash)
        .and_then(|()| Ok(renameat_with(parent, old, trash, name, RenameFlags::NOREPLACE)?));
    match moved.as_ref().map_err(Errno::from_io_error) {
        Err(Some(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP | Errno::XDEV)) => {}
        _ => return moved,
    }
    let permissions = Permissions::of(parent, old)?;
    Temporary::write(trash, &existing.bytes, Some(permissions), steps)?.create(name)?;
    match displace::remove(parent, old, &existing.bytes, steps)? {
        Displaced::Gone => Ok(()),
        // The copy stays as well: it is what the note was.
        Displaced::Changed => Err(io::ErrorKind::ResourceBusy.into()),
    }
}

/// Removes those of `old` that are still what was put there; answers how many, and the names that need not
/// be looked at again.
pub(crate) fn sweep(root: &Path, old: &[Trashed], steps: &WriteSteps) -> (usize, Vec<String>) {
    let names = || old.iter().map(|trashed| trashed.name.clone()).collect();
    let trash = match Folder::open(root).and_then(|root| root.enter(OsStr::new(TRASH_FOLDER))) {
        Ok(trash) => trash,
        Err(error) if error.kind() == io::ErrorKind::NotFound && root.is_dir() => return (0, names()),
        Err(_) => return (0, Vec::new()),
    };
    let (mut removed, mut settled) = (0, Vec::new());
    for trashed in old {
        match remove(&trash, trashed, steps) {
            Ok(gone) => {
                removed += usize::from(gone);
                settled.push(trashed.name.clone());
            }
            Err(error) => {
                tracing::warn!(error = %error, "a file could not be removed from the trash; it will be tried again");
            }
        }
    }
    (removed, settled)
}

/// Removes one file, if it is the one that was put there.
fn remove(trash: &Folder, trashed: &Trashed, steps: &WriteSteps) -> io::Result<bool> {
    let name = OsString::from(&trashed.name);
    if trashed.name.contains('/') {
        return Ok(false);
    }
    let entry = match trash.entry(&name) {
        Ok(entry) => entry,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    if entry.kind != Kind::File || entry.stat.identity != trashed.identity || !holds(trash, trashed)? {
        return Ok(false);
    }
    steps.before(Step::Remove)?;
    unlinkat(trash, &name, AtFlags::empty())?;
    Ok(true)
}

/// Whether a file of the trash has the content that was put there.
pub(crate) fn holds(trash: &Folder, trashed: &Trashed) -> io::Result<bool> {
    let mut file = trash.open_file(OsStr::new(&trashed.name))?;
    if entry_of(&file)?.kind != Kind::File {
        return Ok(false);
    }
    let mut bytes = Vec::new();
    (&mut file).take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(ContentHash::of(&bytes) == trashed.hash)
}

/// The number-th name: ` 2` and so on before the extension.
fn numbered(path: &VaultPath, number: u32) -> String {
    if number == 1 {
        return path.file_name().to_owned();
    }
    let stem = path.stem();
    let extension = path.file_name().get(stem.len()..).unwrap_or_default();
    let ending = format!(" {number}{extension}");
    // A name that is as long as names may be gives way to its number.
    let room = stem.floor_char_boundary(MAX_NAME_BYTES.saturating_sub(ending.len()));
    let stem = stem.get(..room).unwrap_or_default();
    format!("{stem}{ending}")
}

fn is_free(trash: &Folder, name: &str) -> bool {
    trash.entry(OsStr::new(name)).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}
