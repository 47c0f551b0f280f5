//! Folders by handle.
//!
//! Everything below the vault is reached one name at a time, from a handle on the folder it is in, and
//! never through a symbolic link: what has been checked is what is opened, whatever is renamed or replaced
//! meanwhile.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, fstat, openat, statat};

/// A handle on a folder.
pub(crate) struct Folder(OwnedFd);

/// What kind of thing a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    /// FIFO, socket, device.
    Other,
}

/// What the file system says of a regular file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStat {
    /// Size in bytes.
    pub size: u64,
    /// Last modification, nanoseconds since 1970-01-01T00:00:00Z.
    pub modified_ns: i64,
    /// Device and inode: which content this is, whatever its name.
    pub identity: (u64, u64),
    /// How many hard links the file has.
    pub links: u64,
}

/// A name's kind and state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    pub(crate) stat: FileStat,
}

impl Folder {
    /// The folder at an absolute path; links on the way are followed.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(openat(CWD, path, OFlags::DIRECTORY | COMMON, Mode::empty())?))
    }

    /// A folder in this one, which must not be a link.
    pub(crate) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        Ok(Self(openat(&self.0, name, OFlags::DIRECTORY | OFlags::NOFOLLOW | COMMON, Mode::empty())?))
    }

    /// A file in this folder, which must not be a link. Should it have become a FIFO since it was looked
    /// at, this does not wait for somebody to write into it.
    pub(crate) fn open_file(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | COMMON;
        Ok(openat(&self.0, name, flags, Mode::empty())?.into())
    }

    /// What a name in this folder stands for; of a link, the link itself.
    pub(crate) fn entry(&self, name: &OsStr) -> io::Result<Entry> {
        Ok(entry(&statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// What this folder itself is.
    pub(crate) fn itself(&self) -> io::Result<Entry> {
        Ok(entry(&fstat(&self.0)?))
    }

    /// Every name but `.` and `..`, in no order; the kind where the file system tells it along the way.
    pub(crate) fn names(&self) -> io::Result<Vec<(OsString, Option<Kind>)>> {
        let mut names = Vec::new();
        for found in Dir::read_from(&self.0)? {
            let found = found?;
            let name = OsStr::from_bytes(found.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let kind = match found.file_type() {
                FileType::Unknown => None,
                other => Some(kind(other)),
            };
            names.push((name.to_owned(), kind));
        }
        Ok(names)
    }

    /// What a path of plain names below this folder stands for, no link followed.
    pub(crate) fn entry_below(&self, path: &Path) -> io::Result<Entry> {
        let (folder, name) = (path.parent(), path.file_name().ok_or(io::ErrorKind::InvalidInput)?);
        match folder.filter(|folder| !folder.as_os_str().is_empty()) {
            None => self.entry(name),
            Some(folder) => self.enter_below(folder)?.entry(name),
        }
    }

    /// The folder at a path of plain names below this one, no link followed.
    pub(crate) fn enter_below(&self, path: &Path) -> io::Result<Self> {
        let mut folder = Self(self.0.try_clone()?);
        for name in path {
            folder = folder.enter(name)?;
        }
        Ok(folder)
    }
}

/// For the write path, which makes, renames and removes names in folders it holds.
impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

const COMMON: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC);

/// Size, time and kind of an open file.
pub(crate) fn entry_of(file: &File) -> io::Result<Entry> {
    Ok(entry(&fstat(file)?))
}

fn kind(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        FileType::Symlink => Kind::Link,
        _ => Kind::Other,
    }
}

#[allow(
    clippy::unnecessary_cast,
    clippy::useless_conversion,
    reason = "the widths of these fields differ between systems"
)]
fn entry(stat: &Stat) -> Entry {
    let nanoseconds = i64::try_from(stat.st_mtime_nsec).unwrap_or(0);
    let modified_ns = (stat.st_mtime as i64).saturating_mul(1_000_000_000).saturating_add(nanoseconds);
    Entry {
        kind: kind(FileType::from_raw_mode(stat.st_mode)),
        stat: FileStat {
            size: u64::try_from(stat.st_size).unwrap_or(0),
            modified_ns,
            identity: (stat.st_dev as u64, stat.st_ino as u64),
            links: stat.st_nlink as u64,
        },
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes the files it tests with")]
mod tests {
    use super::*;

    /// The race that the checks before it lose: a link stands where a folder or file was.
    #[test]
    fn nothing_is_opened_through_a_link() {
        let outside = tempfile::tempdir().unwrap();
        let inside = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(outside.path().join("sub")).unwrap();
        std::fs::write(outside.path().join("file"), "secret").unwrap();
        std::fs::create_dir(inside.path().join("real")).unwrap();
        let link = |target: &Path, name: &str| {
            std::os::unix::fs::symlink(target, inside.path().join(name)).unwrap();
        };
        link(outside.path(), "folder");
        link(&outside.path().join("file"), "file");
        link(&outside.path().join("sub"), "real/folder");
        let folder = Folder::open(inside.path()).unwrap();
        assert!(folder.enter("folder".as_ref()).is_err());
        assert!(folder.open_file("file".as_ref()).is_err());
        assert!(folder.enter_below("folder/sub".as_ref()).is_err());
        assert!(folder.enter_below("real/folder".as_ref()).is_err());
        assert!(folder.entry_below("folder/file".as_ref()).is_err());
        assert_eq!(folder.entry_below("file".as_ref()).unwrap().kind, Kind::Link);
        assert!(folder.enter_below("real".as_ref()).is_ok());
    }
}
