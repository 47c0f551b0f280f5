//! New content appears whole or not at all: it is written beside its place under a hidden name, brought to
//! the disk, and takes the place in one step.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::os::fd::AsFd;

use rustix::fs::{
    AtFlags, Gid, Mode, OFlags, RenameFlags, Stat, Timespec, Timestamps, UTIME_OMIT, Uid, fchmod, fchown,
    fstat, fsync, futimens, linkat, openat, renameat, renameat_with, statat, unlinkat,
};
use rustix::io::Errno;

use crate::folder::{FileStat, Folder, entry_of};
use crate::write::attributes::Attributes;
use crate::write::displace::{Displaced, exchange};
use crate::write::steps::{Step, Steps};

/// How the names of temporary files begin. Hidden, so that neither walk nor watcher nor Obsidian sees one.
pub(crate) const PREFIX: &str = ".vault-cortex-";
/// How they end.
pub(crate) const SUFFIX: &str = ".tmp";

/// The mode of new files, less the process's umask.
const NEW_FILE: u32 = 0o666;
/// Nobody else reads a file that is not finished.
const UNFINISHED: u32 = 0o600;

/// Whose a new file is and who may do what with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Permissions {
    /// The lowest twelve bits of a mode.
    pub(crate) mode: u32,
    /// User and group; `None` for the server's own.
    pub(crate) owner: Option<(u32, u32)>,
    /// When it was last modified; `None` for now.
    pub(crate) modified: Option<Timespec>,
    /// Attributes and access list; `None` when nothing is known of them.
    pub(crate) attributes: Option<Attributes>,
}

impl Permissions {
    /// Those of a file.
    pub(crate) fn of(folder: &Folder, name: &OsStr) -> io::Result<Self> {
        let stat = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let (owner, attributes) = (Some((stat.st_uid, stat.st_gid)), Some(Attributes::of(folder, name)));
        Ok(Self { mode: mode_of(&stat), owner, modified: None, attributes })
    }

    /// Those of a file, for the same content elsewhere: it has not been modified by that.
    pub(crate) fn with_time(folder: &Folder, name: &OsStr) -> io::Result<Self> {
        let stat = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
        #[allow(clippy::unnecessary_cast, reason = "the widths of these fields differ between systems")]
        let modified = Timespec { tv_sec: stat.st_mtime as _, tv_nsec: stat.st_mtime_nsec as _ };
        Ok(Self { modified: Some(modified), ..Self::of(folder, name)? })
    }

    /// Those the journal knows of a file that is gone.
    pub(crate) fn known(mode: u32) -> Self {
        Self { mode, owner: None, modified: None, attributes: None }
    }
}

#[allow(clippy::unnecessary_cast, reason = "the width of the field differs between systems")]
fn mode_of(stat: &Stat) -> u32 {
    stat.st_mode as u32 & 0o7777
}

/// New content on the disk, not yet in its place. Dropped, it is gone.
pub(crate) struct Temporary<'a> {
    folder: &'a Folder,
    name: OsString,
    steps: &'a Steps,
    /// Whether the name is still there.
    exists: bool,
    /// What it is, once it is written.
    pub(crate) stat: FileStat,
}

/// Whether a name is one of ours.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX))
}

impl<'a> Temporary<'a> {
    /// Writes `bytes` into a new file in `folder`, which gets the owner and permissions of `like`.
    pub(crate) fn write(
        folder: &'a Folder,
        bytes: &[u8],
        like: Option<Permissions>,
        steps: &'a Steps,
    ) -> io::Result<Self> {
        let (mut file, name) = make(folder, if like.is_some() { UNFINISHED } else { NEW_FILE }, steps)?;
        let stat = entry_of(&file)?.stat;
        let mut temporary = Self { folder, name, steps, exists: true, stat };
        steps.before(Step::WriteTemporary)?;
        let (first, rest) = bytes.split_at(bytes.len() / 2);
        file.write_all(first)?;
        steps.before(Step::WriteRest)?;
        file.write_all(rest)?;
        if let Some(like) = like {
            steps.before(Step::CopyPermissions)?;
            copy_permissions(&file, &like)?;
        }
        steps.before(Step::SyncTemporary)?;
        file.sync_all()?;
        temporary.stat = entry_of(&file)?.stat;
        Ok(temporary)
    }

    /// Takes the place of the file called `name`, if that holds `expected`.
    pub(crate) fn replace(mut self, name: &OsStr, expected: &[u8]) -> io::Result<Displaced> {
        let displaced = exchange(self.folder, &self.name, self.stat.identity, name, expected, self.steps)?;
        if displaced == Displaced::Gone {
            self.exists = false;
        }
        sync_folder(self.folder, self.steps);
        Ok(displaced)
    }

    /// Takes `name`, which must be free: [`io::ErrorKind::AlreadyExists`] when it is not.
    pub(crate) fn create(mut self, name: &OsStr) -> io::Result<FileStat> {
        match self.take(name) {
            Err(error) if cannot(&error) => match self.link(name) {
                Err(error) if cannot(&error) => self.take_placeholder(name)?,
                other => other?,
            },
            other => other?,
        }
        sync_folder(self.folder, self.steps);
        Ok(self.stat)
    }

    fn take(&mut self, name: &OsStr) -> io::Result<()> {
        self.steps.before(Step::TakeName)?;
        renameat_with(self.folder, &self.name, self.folder, name, RenameFlags::NOREPLACE)?;
        self.exists = false;
        Ok(())
    }

    fn link(&self, name: &OsStr) -> io::Result<()> {
        self.steps.before(Step::LinkName)?;
        Ok(linkat(self.folder, &self.name, self.folder, name, AtFlags::empty())?)
    }

    /// The name is taken by an empty file first, which is then replaced. Only a process that dies between
    /// the two leaves it empty; the next start sees to that.
    fn take_placeholder(&mut self, name: &OsStr) -> io::Result<()> {
        self.steps.before(Step::MakePlaceholder)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        drop(openat(self.folder, name, flags, Mode::from_raw_mode(NEW_FILE))?);
        let replaced = self
            .steps
            .before(Step::Replace)
            .and_then(|()| Ok(renameat(self.folder, &self.name, self.folder, name)?));
        match replaced {
            Ok(()) => self.exists = false,
            Err(error) => {
                remove_quietly(self.folder, name);
                return Err(error);
            }
        }
        Ok(())
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if self.exists {
            remove_quietly(self.folder, &self.name);
        }
    }
}

fn remove_quietly(folder: &Folder, name: &OsStr) {
    if let Err(error) = unlinkat(folder, name, AtFlags::empty()) {
        tracing::warn!(name = %name.display(), error = %error, "a temporary file could not be removed");
    }
}

/// A new file under a name of ours that nobody has.
fn make(folder: &Folder, mode: u32, steps: &Steps) -> io::Result<(File, OsString)> {
    const ATTEMPTS: usize = 8;
    steps.before(Step::MakeTemporary)?;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    for _ in 0..ATTEMPTS {
        // A hasher's keys are random; nothing more is needed of a name that is made exclusively.
        let random = RandomState::new().hash_one(0);
        let name = OsString::from(format!("{PREFIX}{random:016x}{SUFFIX}"));
        match openat(folder, &name, flags, Mode::from_raw_mode(mode as _)) {
            Ok(file) => return Ok((file.into(), name)),
            Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Errno::EXIST.into())
}

/// Who is not root cannot give files away: then the new file stays its own, with the same permissions.
fn copy_permissions(file: &File, like: &Permissions) -> io::Result<()> {
    let now = fstat(file)?;
    if let Some((user, group)) = like.owner
        && (now.st_uid, now.st_gid) != (user, group)
    {
        let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
        if let Err(error) = fchown(file, Some(user), Some(group)) {
            tracing::debug!(error = %error, "a changed note belongs to the server from now on");
        }
    }
    if let Some(modified) = like.modified {
        let last_access = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
        let times = Timestamps { last_access, last_modification: modified };
        if let Err(error) = futimens(file, &times) {
            tracing::debug!(error = %error, "a moved note counts as modified now");
        }
    }
    // Before the mode, whose bits for the group are the most that a list allows.
    if let Some(attributes) = &like.attributes {
        attributes.give(file)?;
    }
    match fchmod(file, Mode::from_raw_mode(like.mode as _)) {
        // File systems without permissions.
        Ok(()) | Err(Errno::PERM | Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Brings the names of a folder to the disk. What was done stands even when this cannot be, so it is not an
/// error of the change.
pub(crate) fn sync_folder(folder: &Folder, steps: &Steps) {
    let synced = steps.before(Step::SyncFolder).and_then(|()| Ok(fsync(folder.as_fd())?));
    if let Err(error) = synced {
        tracing::warn!(error = %error, "a folder could not be brought to the disk; a power cut may undo the change");
    }
}

/// Whether the file system has no such operation.
pub(crate) fn cannot(error: &io::Error) -> bool {
    let errno = Errno::from_io_error(error);
    matches!(errno, Some(Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP | Errno::PERM | Errno::MLINK))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes the files it tests with")]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::sync::Arc;

    use super::*;
    use crate::write::steps::Faults;

    struct Cannot(Vec<Step>);

    impl Faults for Cannot {
        fn before(&self, step: Step) -> io::Result<()> {
            if self.0.contains(&step) { Err(Errno::OPNOTSUPP.into()) } else { Ok(()) }
        }
    }

    fn create(without: &[Step]) {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::open(root.path()).unwrap();
        let steps = Steps(Some(Arc::new(Cannot(without.to_vec()))));
        let make = |text: &[u8]| Temporary::write(&folder, text, None, &steps)?.create("note.md".as_ref());
        make(b"first").unwrap();
        assert_eq!(make(b"second").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(root.path().join("note.md")).unwrap(), b"first");
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1, "a temporary file is left");
    }

    #[test]
    fn a_name_is_taken_once_whatever_the_file_system_can_do() {
        create(&[]);
        create(&[Step::TakeName]);
        create(&[Step::TakeName, Step::LinkName]);
    }

    #[test]
    fn a_placeholder_that_could_not_be_replaced_is_taken_away() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::open(root.path()).unwrap();
        let steps = Steps(Some(Arc::new(Cannot(vec![Step::TakeName, Step::LinkName, Step::Replace]))));
        assert!(Temporary::write(&folder, b"x", None, &steps).unwrap().create("n.md".as_ref()).is_err());
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }

    #[test]
    fn permissions_are_kept() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("note.md");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        let folder = Folder::open(root.path()).unwrap();
        let like = Permissions::of(&folder, "note.md".as_ref()).unwrap();
        let steps = Steps::default();
        let temporary = Temporary::write(&folder, b"new", Some(like), &steps).unwrap();
        temporary.replace("note.md".as_ref(), b"old").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o640);
    }

    #[test]
    fn dropped_it_is_gone() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::open(root.path()).unwrap();
        let steps = Steps::default();
        let temporary = Temporary::write(&folder, b"new", None, &steps).unwrap();
        assert!(is_temporary(&temporary.name));
        drop(temporary);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }
}
