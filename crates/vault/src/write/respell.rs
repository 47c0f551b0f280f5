//! Another letter case for a name where letter case makes no other name.
//!
//! There the file with the new name is the file with the old one, so a copy cannot take the new name first.
//! The file is renamed in one step; some systems take that for nothing to do (rename(2): two names of one
//! file), and there it goes by a name in between, from which the next start brings it on.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read};

use rustix::fs::{RenameFlags, renameat, renameat_with};

use crate::folder::Folder;
use crate::hash::ContentHash;
use crate::read::{Existing, MAX_FILE_BYTES};
use crate::write::Writer;
use crate::write::commit::failed;
use crate::write::edit::or_nothing;
use crate::write::error::WriteError;
use crate::write::place::Place;
use crate::write::steps::{Step, Steps};
use crate::write::temporary::{PREFIX, cannot, sync_folder};

/// How a name in between ends. Not as those of temporary files, which the next start removes: for a moment
/// there is nothing else of the note in the vault.
const SUFFIX: &str = ".note";

impl Writer {
    /// Gives a file its new name and content.
    pub(crate) fn apply_respelling(
        &self,
        from: &Existing,
        place: &Place,
        bytes: &[u8],
    ) -> Result<(), WriteError> {
        match *bytes == *from.bytes {
            true => self.look_again(from),
            false => self.apply_edit(from, bytes),
        }?;
        let io = |error| failed(&from.path, error);
        respell(&from.folder().map_err(io)?, &from.name, &place.name, &self.steps).map_err(io)
    }

    /// Gives it the old ones back, as far as it has the new ones.
    pub(crate) fn take_back_respelling(
        &self,
        from: &Existing,
        place: &Place,
        bytes: &[u8],
    ) -> Result<(), WriteError> {
        let path = &from.path;
        let changed = || WriteError::ChangedMeanwhile { path: path.as_str().to_owned() };
        let now = or_nothing(self.vault.read_to_change(path))?.ok_or_else(changed)?;
        let io = |error| failed(path, error);
        respell(&now.folder().map_err(io)?, &place.name, &from.name, &self.steps).map_err(io)?;
        if now.bytes == from.bytes {
            return Ok(());
        }
        if *now.bytes == *bytes { self.apply_edit(&now, &from.bytes) } else { Err(changed()) }
    }
}

/// Renames `old`, which is the same file as `new` here.
pub(crate) fn respell(folder: &Folder, old: &OsStr, new: &OsStr, steps: &Steps) -> io::Result<()> {
    if is_spelt(folder, new)? {
        return Ok(());
    }
    let renamed = steps.before(Step::Replace).and_then(|()| Ok(renameat(folder, old, folder, new)?));
    match renamed {
        Ok(()) => {}
        Err(error) if cannot(&error) => {}
        Err(error) => return Err(error),
    }
    if !is_spelt(folder, new)? {
        let random = RandomState::new().hash_one(0);
        let between = OsString::from(format!("{PREFIX}{random:016x}{SUFFIX}"));
        rename(folder, old, &between)?;
        let taken = steps.before(Step::TakeName).and_then(|()| rename(folder, &between, new));
        if let Err(error) = taken {
            // Should this fail as well, the next start finds it.
            rename(folder, &between, old)?;
            return Err(error);
        }
    }
    sync_folder(folder, steps);
    Ok(())
}

/// Brings a file on that was left under a name in between; whether there was one with such a content.
pub(crate) fn bring_on(
    folder: &Folder,
    new: &OsStr,
    is_it: impl Fn(ContentHash) -> bool,
    steps: &Steps,
) -> io::Result<bool> {
    for (name, _) in folder.names()? {
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if !is_ours {
            continue;
        }
        let mut bytes = Vec::new();
        folder.open_file(&name)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
        if is_it(ContentHash::of(&bytes)) {
            rename(folder, &name, new)?;
            sync_folder(folder, steps);
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a name is spelt so in its folder.
fn is_spelt(folder: &Folder, name: &OsStr) -> io::Result<bool> {
    Ok(folder.names()?.iter().any(|(found, _)| found == name))
}

/// Without replacing anything, where the system can.
fn rename(folder: &Folder, old: &OsStr, new: &OsStr) -> io::Result<()> {
    match renameat_with(folder, old, folder, new, RenameFlags::NOREPLACE).map_err(io::Error::from) {
        Err(error) if cannot(&error) => Ok(renameat(folder, old, folder, new)?),
        other => other,
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes the files it tests with")]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use rustix::io::Errno;

    use super::*;
    use crate::write::steps::Faults;

    /// Some steps are not there, some fail.
    struct Some(Vec<Step>, Vec<Step>);

    impl Faults for Some {
        fn before(&self, step: Step) -> io::Result<()> {
            match (self.0.contains(&step), self.1.contains(&step)) {
                (true, _) => Err(Errno::OPNOTSUPP.into()),
                (_, true) => Err(Errno::NOSPC.into()),
                _ => Ok(()),
            }
        }
    }

    #[track_caller]
    fn check(without: &[Step], failing: &[Step], expected: &str) {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("note.md"), "text").unwrap();
        let folder = Folder::open(root.path()).unwrap();
        let steps = Steps(std::option::Option::Some(Arc::new(Some(without.to_vec(), failing.to_vec()))));
        let done = respell(&folder, "note.md".as_ref(), "Note.md".as_ref(), &steps);
        assert_eq!(done.is_ok(), expected == "Note.md", "{done:?}");
        let names: Vec<_> = folder.names().unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, [expected]);
        assert_eq!(fs::read(root.path().join(expected)).unwrap(), b"text");
    }

    #[test]
    fn a_name_is_spelt_anew_in_one_step_or_two_or_stays() {
        check(&[], &[], "Note.md");
        check(&[], &[Step::Replace], "note.md");
        check(&[Step::Replace], &[], "Note.md");
        check(&[Step::Replace], &[Step::TakeName], "note.md");
    }

    #[test]
    fn what_was_left_in_between_is_brought_on() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::open(root.path()).unwrap();
        fs::write(root.path().join(".vault-cortex-0.note"), "other").unwrap();
        fs::write(root.path().join(".vault-cortex-1.note"), "text").unwrap();
        let is_it = |hash| hash == ContentHash::of(b"text");
        assert!(bring_on(&folder, "Note.md".as_ref(), is_it, &Steps::default()).unwrap());
        assert_eq!(fs::read(root.path().join("Note.md")).unwrap(), b"text");
        assert!(!bring_on(&folder, "Note.md".as_ref(), is_it, &Steps::default()).unwrap());
    }
}
