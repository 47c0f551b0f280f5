//! Where a new file goes: its folder, made where it is missing.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, mkdirat, unlinkat};
use rustix::io::Errno;

use crate::error::VaultError;
use crate::folder::{Folder, Kind};
use crate::locate::{Hidden, find, locate, root_lost};
use crate::path::VaultPath;
use crate::read::{Existing, Vault, relative_vault_path};
use crate::write::error::WriteError;
use crate::write::steps::{Step, Steps};
use crate::write::temporary::sync_folder;

/// The mode of new folders, less the process's umask.
const NEW_FOLDER: u32 = 0o777;

/// A name that is free, and the folders on the way to it.
pub(crate) struct Place {
    /// The deepest folder that is there, on disk, relative to the vault.
    there: PathBuf,
    /// The folders that are missing below it.
    missing: Vec<OsString>,
    /// The file's name.
    pub(crate) name: OsString,
    /// The real path it will have.
    pub(crate) path: VaultPath,
    /// Whether it is the name of the very file that is to go there, spelt otherwise: the file system takes
    /// the two for one.
    pub(crate) respells: bool,
}

/// The folder of a new file, and which folders were made for it.
pub(crate) struct Made {
    pub(crate) folder: Folder,
    /// The folder that holds the first one made, and the names of those made, from the top.
    made: Option<(Folder, Vec<OsString>)>,
}

impl Place {
    /// The place of `path`; [`WriteError::Exists`] when anything has that name.
    pub(crate) fn of(vault: &Vault, path: &VaultPath) -> Result<Self, WriteError> {
        let taken = || WriteError::Exists { path: path.as_str().to_owned() };
        match locate(vault.root(), path.as_str(), Hidden::Refused) {
            Ok(_) => return Err(taken()),
            Err(VaultError::NotFound { .. }) => {}
            // Of a link on the way to it, or of a link that has the name itself.
            Err(error) => return Err(error.into()),
        }
        let (mut there, mut missing) = (path.folder(), Vec::new());
        let real = loop {
            if there.is_empty() {
                break PathBuf::new();
            }
            match locate(vault.root(), there, Hidden::Refused) {
                Ok(located) if located.entry.kind == Kind::Folder => break located.real,
                Ok(_) => {
                    let (path, parent) = (path.as_str().to_owned(), there.to_owned());
                    return Err(WriteError::NotAFolder { path, parent });
                }
                Err(VaultError::NotFound { .. }) => {
                    let (above, name) = there.rsplit_once('/').unwrap_or(("", there));
                    missing.push(OsString::from(name));
                    there = above;
                }
                Err(error) => return Err(error.into()),
            }
        };
        missing.reverse();
        let name = OsString::from(path.file_name());
        let mut whole = real.clone();
        whole.extend(&missing);
        whole.push(&name);
        let path = relative_vault_path(&whole).unwrap_or_else(|| path.clone());
        Ok(Self { there: real, missing, name, path, respells: false })
    }

    /// The place of `path` for a file that is there already. Where letter case makes no other name, it may
    /// be taken by that file itself.
    pub(crate) fn to_move(vault: &Vault, file: &Existing, path: &VaultPath) -> Result<Self, WriteError> {
        let taken = match Self::of(vault, path) {
            Err(taken @ WriteError::Exists { .. }) if file.path.key() == path.key() => taken,
            other => return other,
        };
        let located = locate(vault.root(), path.as_str(), Hidden::Refused)?;
        if located.linked || located.entry.stat.identity != file.stat.identity {
            return Err(taken);
        }
        let name = OsString::from(path.file_name());
        if name == file.name {
            // Only its folders are spelt otherwise, and they stay as they are.
            return Err(WriteError::SamePath { path: path.as_str().to_owned() });
        }
        let there = file.real.parent().unwrap_or(Path::new("")).to_owned();
        let path = relative_vault_path(&there.join(&name)).unwrap_or_else(|| path.clone());
        Ok(Self { there, missing: Vec::new(), name, path, respells: true })
    }

    /// The deepest folder that is there, and the first name that is new in it.
    pub(crate) fn first_new(&self) -> (&Path, &OsStr) {
        (&self.there, self.missing.first().unwrap_or(&self.name))
    }

    /// Removes the folders that were missing, as far as nothing is in them: for a file that was taken back.
    pub(crate) fn unmake(&self, root: &Path) {
        if let Ok(there) = Folder::open(root).and_then(|root| root.enter_below(&self.there)) {
            undo(Some((there, self.missing.clone())));
        }
    }

    /// Opens the folder, making what is missing.
    pub(crate) fn make(&self, root: &Path, steps: &Steps) -> io::Result<Made> {
        let mut folder = Folder::open(root)?.enter_below(&self.there)?;
        let mut made: Option<(Folder, Vec<OsString>)> = None;
        for name in &self.missing {
            let made_it = match make_folder(&folder, name, steps) {
                Ok(made_it) => made_it,
                Err(error) => {
                    undo(made);
                    return Err(error);
                }
            };
            let inner = folder.enter(name)?;
            match (&mut made, made_it) {
                (Some((_, names)), true) => names.push(name.clone()),
                (None, true) => made = Some((folder, vec![name.clone()])),
                _ => {}
            }
            folder = inner;
        }
        Ok(Made { folder, made })
    }
}

impl Made {
    /// Removes the folders that were made, for a file that could not be.
    pub(crate) fn undo(self) {
        undo(self.made);
    }
}

fn undo(made: Option<(Folder, Vec<OsString>)>) {
    let Some((parent, names)) = made else { return };
    for depth in (1..=names.len()).rev() {
        let path: PathBuf = names.iter().take(depth).collect();
        // Somebody may have put something into it meanwhile; then it stays.
        if unlinkat(&parent, &path, AtFlags::REMOVEDIR).is_err() {
            return;
        }
    }
}

/// Makes a folder; whether it was not there.
pub(crate) fn make_folder(parent: &Folder, name: &OsStr, steps: &Steps) -> io::Result<bool> {
    steps.before(Step::MakeFolder)?;
    match mkdirat(parent, name, Mode::from_raw_mode(NEW_FOLDER)) {
        Ok(()) => {
            // The file in it is brought to the disk with its own folder; so must the way to it be.
            sync_folder(parent, steps);
            Ok(true)
        }
        Err(Errno::EXIST) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Whether the last name of a path is a symbolic link.
pub(crate) fn is_link(vault: &Vault, path: &VaultPath) -> Result<bool, VaultError> {
    let root = || Folder::open(vault.root()).map_err(|error| root_lost(&error));
    let folder = match path.folder() {
        "" => root()?,
        folder => {
            let located = locate(vault.root(), folder, Hidden::Refused)?;
            let opened = located.parent.enter(&located.name);
            opened.map_err(|error| crate::locate::unreadable(path.as_str(), error))?
        }
    };
    Ok(find(&folder, path.file_name()).is_ok_and(|(_, entry)| entry.kind == Kind::Link))
}
