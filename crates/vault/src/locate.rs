//! From a vault path to the thing it names: the sandbox.
//!
//! A path is followed name by name from the vault's folder. A name may be spelt otherwise on disk (NFD,
//! no-break spaces); a symbolic link is resolved by the system, its target judged, and then reached again
//! name by name without following anything.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use crate::error::VaultError;
use crate::folder::{Entry, Folder, Kind};
use crate::path::normalise;

/// Whether links may lead to hidden files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hidden {
    /// Notes and attachments: what is hidden is no part of the vault.
    Refused,
    /// The vault's own settings, which are read and never shown.
    Allowed,
}

/// Where a path leads. The vault itself has no name here.
pub(crate) struct Located {
    /// The folder that holds it.
    pub(crate) parent: Folder,
    /// Its name there.
    pub(crate) name: OsString,
    /// What it is; never a link.
    pub(crate) entry: Entry,
    /// Its real path on disk, relative to the vault.
    pub(crate) real: PathBuf,
    /// Whether a link was followed on the way.
    pub(crate) linked: bool,
}

/// Finds what `path` (normalised names with `/` between them) stands for.
pub(crate) fn locate(root: &Path, path: &str, hidden: Hidden) -> Result<Located, VaultError> {
    let failed = |error| unreadable(path, error);
    let open_root = || Folder::open(root).map_err(|error| root_lost(&error));
    let mut parent = open_root()?;
    let mut real = PathBuf::new();
    let mut linked = false;
    let mut names = path.split('/').peekable();
    while let Some(wanted) = names.next() {
        let last = names.peek().is_none();
        let (name, entry) = find(&parent, wanted).map_err(failed)?;
        let (name, entry) = if entry.kind == Kind::Link {
            linked = true;
            let Some(target) = resolve(root, &real.join(&name), path, hidden)? else {
                // The vault's own folder.
                if last {
                    return Err(VaultError::NotAFile { path: path.to_owned() });
                }
                (parent, real) = (open_root()?, PathBuf::new());
                continue;
            };
            (parent, real) = (target.parent, target.folder);
            (target.name, target.entry)
        } else {
            (name, entry)
        };
        real.push(&name);
        if last {
            return Ok(Located { parent, name, entry, real, linked });
        }
        if entry.kind != Kind::Folder {
            break;
        }
        parent = parent.enter(&name).map_err(failed)?;
    }
    Err(VaultError::NotFound { path: path.to_owned() })
}

/// Where a link leads, for the walk: its real path relative to the vault, `None` for the vault itself.
pub(crate) fn judge(root: &Path, link: &Path) -> Result<Option<PathBuf>, VaultError> {
    judge_link(root, link, &link.to_string_lossy(), Hidden::Refused)
}

struct Target {
    parent: Folder,
    folder: PathBuf,
    name: OsString,
    entry: Entry,
}

/// Follows the link at `link` (relative to the vault); `None` when it leads to the vault itself.
fn resolve(root: &Path, link: &Path, path: &str, hidden: Hidden) -> Result<Option<Target>, VaultError> {
    let Some(relative) = judge_link(root, link, path, hidden)? else { return Ok(None) };
    let changed = || VaultError::Changed { path: path.to_owned() };
    let name = relative.file_name().ok_or_else(changed)?.to_owned();
    let folder = relative.parent().unwrap_or(Path::new("")).to_owned();
    // The target was free of links a moment ago. One that is there now is somebody's attempt.
    let parent = Folder::open(root)
        .map_err(|error| root_lost(&error))?
        .enter_below(&folder)
        .map_err(|error| unreadable(path, error))?;
    let entry = parent.entry(&name).map_err(|error| unreadable(path, error))?;
    if entry.kind == Kind::Link {
        return Err(changed());
    }
    Ok(Some(Target { parent, folder, name, entry }))
}

fn judge_link(root: &Path, link: &Path, path: &str, hidden: Hidden) -> Result<Option<PathBuf>, VaultError> {
    let path = || path.to_owned();
    let target = root.join(link).canonicalize().map_err(|error| match error.kind() {
        ErrorKind::PermissionDenied => VaultError::Unreadable { path: path(), source: error },
        // Nothing is found in a vault that is not there.
        _ if !root.is_dir() => root_lost(&error),
        // Nothing there, a circle of links, a file where a folder should be.
        _ => VaultError::BrokenLink { path: path() },
    })?;
    let Ok(relative) = target.strip_prefix(root) else {
        return Err(VaultError::LeavesVault { path: path() });
    };
    if relative.as_os_str().is_empty() {
        return Ok(None);
    }
    if hidden == Hidden::Refused && relative.iter().any(is_hidden) {
        return Err(VaultError::LeadsToHidden { path: path() });
    }
    Ok(Some(relative.to_owned()))
}

/// Whether a name begins with a dot.
pub(crate) fn is_hidden(name: &OsStr) -> bool {
    name.as_bytes().starts_with(b".")
}

/// The name on disk that is `wanted` when normalised. An exact one wins, then the first by its bytes, as
/// in the walk.
pub(crate) fn find(folder: &Folder, wanted: &str) -> io::Result<(OsString, Entry)> {
    let exact = OsStr::new(wanted);
    let missing = match folder.entry(exact) {
        Ok(entry) => return Ok((exact.to_owned(), entry)),
        Err(error) => error,
    };
    if !has_spellings(wanted) || !matches!(missing.kind(), ErrorKind::NotFound | ErrorKind::InvalidFilename) {
        return Err(missing);
    }
    let spelling = folder
        .names()?
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| name.to_str().is_some_and(|name| normalise(name) == wanted))
        .min()
        .ok_or(missing)?;
    let entry = folder.entry(&spelling)?;
    Ok((spelling, entry))
}

/// Whether another name can be this one when normalised: one with accents or spaces, or with a sign that
/// has a second code point of its own (`K`, `;` and the grave accent).
pub(crate) fn has_spellings(name: &str) -> bool {
    !name.is_ascii() || name.contains([' ', 'K', ';', '`'])
}

/// What it means that the vault's own folder cannot be opened.
pub(crate) fn root_lost(error: &io::Error) -> VaultError {
    VaultError::RootLost { reason: error.to_string() }
}

/// What an error of the system on the way to `path` means.
pub(crate) fn unreadable(path: &str, error: io::Error) -> VaultError {
    let path = path.to_owned();
    match error.kind() {
        // A name longer than the file system takes cannot be there either.
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename => {
            VaultError::NotFound { path }
        }
        // A link where none was a moment ago.
        _ if error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => VaultError::Changed { path },
        _ => VaultError::Unreadable { path, source: error },
    }
}
