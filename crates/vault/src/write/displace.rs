//! Taking a file's place, or removing it, without losing what another program writes at that very moment.
//!
//! Programs such as Obsidian save in place: they empty the file and write into it. Between our last look at a
//! file and the call that replaces or removes it they may have begun, and what they write would go into a
//! file without a name. So the file is never overwritten: it is set aside under a temporary name in the same
//! step, looked at there, and put back when it is no longer what was read.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read as _};
use std::path::Path;

use rustix::fs::{AtFlags, RenameFlags, renameat, renameat_with, unlinkat};

use crate::folder::{Folder, Kind, entry_of};
use crate::write::steps::{Step, Steps};
use crate::write::temporary::{PREFIX, SUFFIX, cannot, sync_folder};

/// What became of a file that was to be replaced or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Displaced {
    /// It is gone, and was what was expected.
    Gone,
    /// Another program has changed it; it is where it was.
    Changed,
}

/// Puts the file called `new`, whose identity is `ours`, in the place of `name`, if that holds `expected`.
/// The old file is gone then; otherwise the new one is still under its name.
pub(crate) fn exchange(
    folder: &Folder,
    new: &OsStr,
    ours: (u64, u64),
    name: &OsStr,
    expected: &[u8],
    steps: &Steps,
) -> io::Result<Displaced> {
    steps.before(Step::Replace)?;
    match renameat_with(folder, new, folder, name, RenameFlags::EXCHANGE) {
        Ok(()) => {}
        // The look before was the last.
        Err(error) if cannot(&error.into()) => {
            renameat(folder, new, folder, name)?;
            return Ok(Displaced::Gone);
        }
        Err(error) => return Err(error.into()),
    }
    let aside = new;
    let outcome = discard(folder, aside, expected, steps);
    if let Ok(Displaced::Gone) = outcome {
        return outcome;
    }
    if folder.entry(name).is_ok_and(|entry| entry.stat.identity == ours) {
        renameat_with(folder, aside, folder, name, RenameFlags::EXCHANGE)?;
    } else {
        // A third program has put its own file there: both stay.
        keep_beside(folder, aside, name)?;
    }
    outcome
}

/// Removes the file called `name`, if it holds `expected`.
pub(crate) fn remove(folder: &Folder, name: &OsStr, expected: &[u8], steps: &Steps) -> io::Result<Displaced> {
    steps.before(Step::Remove)?;
    let random = RandomState::new().hash_one(0);
    let aside = OsString::from(format!("{PREFIX}{random:016x}{SUFFIX}"));
    match renameat_with(folder, name, folder, &aside, RenameFlags::NOREPLACE) {
        Ok(()) => {}
        Err(error) if cannot(&error.into()) => {
            unlinkat(folder, name, AtFlags::empty())?;
            return Ok(Displaced::Gone);
        }
        Err(error) => return Err(error.into()),
    }
    let outcome = discard(folder, &aside, expected, steps);
    if let Ok(Displaced::Gone) = outcome {
        return outcome;
    }
    match renameat_with(folder, &aside, folder, name, RenameFlags::NOREPLACE) {
        Ok(()) => {}
        Err(_) => keep_beside(folder, &aside, name)?,
    }
    sync_folder(folder, steps);
    outcome
}

/// Whether what was set aside is a file with this content.
fn holds(folder: &Folder, aside: &OsStr, expected: &[u8], steps: &Steps) -> io::Result<bool> {
    steps.before(Step::LookAtDisplaced)?;
    let mut file = match folder.open_file(aside) {
        Ok(file) => file,
        // A link: it was a file when it was read.
        Err(_) if folder.entry(aside).is_ok_and(|entry| entry.kind != Kind::File) => return Ok(false),
        Err(error) => return Err(error),
    };
    let entry = entry_of(&file)?;
    if entry.kind != Kind::File || entry.stat.size != expected.len() as u64 {
        return Ok(false);
    }
    let mut bytes = Vec::with_capacity(expected.len() + 1);
    (&mut file).take(expected.len() as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes == expected)
}

/// Removes what was set aside, if it is what was expected.
fn discard(folder: &Folder, aside: &OsStr, expected: &[u8], steps: &Steps) -> io::Result<Displaced> {
    if !holds(folder, aside, expected, steps)? {
        return Ok(Displaced::Changed);
    }
    steps.before(Step::RemoveDisplaced)?;
    unlinkat(folder, aside, AtFlags::empty())?;
    Ok(Displaced::Gone)
}

/// Gives what was set aside a name that can be seen, beside a file that took its own.
fn keep_beside(folder: &Folder, aside: &OsStr, name: &OsStr) -> io::Result<()> {
    let path = Path::new(name);
    let stem = path.file_stem().unwrap_or(name).to_string_lossy();
    let extension = path.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
    let random = RandomState::new().hash_one(0) & 0xffff;
    let beside = format!("{stem} (conflict {random:04x}){extension}");
    renameat_with(folder, aside, folder, &beside, RenameFlags::NOREPLACE)?;
    tracing::warn!(name = beside, "two other programs wrote a note at once: both versions are kept");
    Ok(())
}
