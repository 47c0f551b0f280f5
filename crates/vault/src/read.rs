//! Opening a vault and reading from it.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rustix::io::Errno;

use crate::decode::{Decoding, decode};
use crate::error::VaultError;
use crate::folder::{Entry, FileStat, Folder, Kind, entry_of};
use crate::hard_links::{HardLinks, Names};
use crate::hash::ContentHash;
use crate::locate::{Hidden, Located, locate, root_lost, unreadable};
use crate::path::{FileKind, VaultPath};
use crate::principal::Principal;
use crate::settings::{Settings, SettingsCache};
use crate::walk::{FoundFile, SkipReason, Skipped, Walk};
use crate::walker::{Which, look_at_names, walk, walk_kinds};

/// The longest file that is read into memory, in bytes.
pub const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;

/// Where Obsidian keeps a vault's settings.
const CONFIG_FOLDER: &str = ".obsidian";
/// How often a file that changes under the reader is read before what was read last is taken.
const ATTEMPTS: usize = 3;

/// How a vault is opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VaultOptions {
    /// Read files with hard links outside the vault (for vaults under a backup tool that makes them).
    pub allow_hard_links: bool,
}

/// How a file is read.
#[derive(Debug, Clone, Copy)]
struct Reading {
    /// Hard links outside the vault are refused.
    check_links: bool,
    /// The most bytes.
    limit: u64,
    /// Bytes of a file that does not hold still are refused; otherwise what was read last is taken.
    whole: bool,
}

impl Reading {
    const NOTE: Self = Self { check_links: true, limit: MAX_FILE_BYTES, whole: false };
    const CONFIG: Self = Self { check_links: false, ..Self::NOTE };
}

/// A vault on disk. Clones share it.
#[derive(Debug, Clone)]
pub struct Vault {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// Absolute, free of links.
    root: PathBuf,
    options: VaultOptions,
    hard_links: HardLinks,
    settings: SettingsCache,
}

/// A file's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Every byte.
    pub bytes: Vec<u8>,
    /// The file's state just before these bytes were read.
    pub stat: FileStat,
    /// Where the file really is: differs from the path asked for when a symbolic link led to it.
    pub path: VaultPath,
}

/// A file that is about to be changed.
pub(crate) struct Existing {
    /// The vault's folder. No handle is held: a move may read more files than a process may have open.
    root: PathBuf,
    /// Its name there.
    pub(crate) name: OsString,
    /// Its real path on disk, relative to the vault.
    pub(crate) real: PathBuf,
    /// Its real path.
    pub(crate) path: VaultPath,
    /// Every byte.
    pub(crate) bytes: Vec<u8>,
    /// Its state just before they were read.
    pub(crate) stat: FileStat,
}

impl Existing {
    /// The folder it is in, reached without following a link.
    pub(crate) fn folder(&self) -> io::Result<Folder> {
        let folder = self.real.parent().unwrap_or(Path::new(""));
        Folder::open(&self.root)?.enter_below(folder)
    }

    /// What is in the file now.
    pub(crate) fn read_again(&self) -> io::Result<Vec<u8>> {
        let mut file = self.folder()?.open_file(&self.name)?;
        if entry_of(&file)?.kind != Kind::File {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let mut bytes = Vec::with_capacity(self.bytes.len() + 1);
        (&mut file).take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Content {
    /// The SHA-256 of the bytes.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(&self.bytes)
    }

    /// The bytes as text, and how; empty when they are no text.
    #[must_use]
    pub fn text(&self) -> (Cow<'_, str>, Decoding) {
        decode(&self.bytes)
    }
}

impl Vault {
    /// Opens the vault in the folder `root`.
    ///
    /// # Errors
    /// [`VaultError::Root`] when it is missing, no folder or unreadable.
    pub fn open(root: &Path, options: VaultOptions) -> Result<Self, VaultError> {
        let failed = |error: io::Error| root_error(root, &error);
        let absolute = root.canonicalize().map_err(failed)?;
        // Listed once, so that a folder that cannot be read stops the start and not every call.
        Folder::open(&absolute).and_then(|folder| folder.names()).map_err(failed)?;
        let (hard_links, settings) = (HardLinks::default(), SettingsCache::default());
        let inner = Inner { root: absolute, options, hard_links, settings };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The vault's folder, absolute, without symbolic links.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.inner.root
    }

    /// Size, times and identity of a file.
    ///
    /// # Errors
    /// One [`VaultError`] per rule, as for [`Self::read`].
    pub fn stat(&self, path: &VaultPath) -> Result<FileStat, VaultError> {
        let stat = self.file(path)?.entry.stat;
        self.check_links(path.as_str(), &stat)?;
        Ok(stat)
    }

    /// Where a file really is: its own path unless a symbolic link leads to it. A caller that may see only
    /// some folders must be allowed to see this one.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn real_path(&self, path: &VaultPath) -> Result<VaultPath, VaultError> {
        Ok(real_path(path, &self.file(path)?))
    }

    /// Where a folder really is: its own path unless a symbolic link leads to it; `None` is the vault
    /// itself. A caller that may see only some folders must be allowed to see this one.
    ///
    /// # Errors
    /// As for [`Self::walk_folder`], and [`VaultError::NotFound`] for what is no folder.
    pub fn real_folder(&self, folder: &VaultPath) -> Result<Option<VaultPath>, VaultError> {
        match locate(self.root(), folder.as_str(), Hidden::Refused) {
            Ok(located) if located.entry.kind == Kind::Folder => Ok(Some(real_path(folder, &located))),
            // Only a link to the vault itself has no place in it.
            Err(VaultError::NotAFile { .. }) => Ok(None),
            Ok(_) => Err(VaultError::NotFound { path: folder.as_str().to_owned() }),
            Err(error) => Err(error),
        }
    }

    /// A file's bytes.
    ///
    /// # Errors
    /// One [`VaultError`] per rule; nothing is read when one is broken.
    pub fn read(&self, path: &VaultPath) -> Result<Content, VaultError> {
        let located = self.file(path)?;
        let (bytes, stat) = self.read_located(path.as_str(), &located, Reading::NOTE)?;
        Ok(Content { bytes, stat, path: real_path(path, &located) })
    }

    /// A file's bytes, when there are at most `limit` and they hold still: what is passed on as it is must
    /// not be half of one version and half of another. The size is known before anything is read.
    ///
    /// # Errors
    /// As for [`Self::read`], [`VaultError::TooLarge`] beyond the limit and [`VaultError::Changed`] when the
    /// file is written to again and again.
    pub fn read_whole(&self, path: &VaultPath, limit: u64) -> Result<Content, VaultError> {
        let located = self.file(path)?;
        let reading = Reading { limit: limit.min(MAX_FILE_BYTES), whole: true, ..Reading::NOTE };
        let (bytes, stat) = self.read_located(path.as_str(), &located, reading)?;
        Ok(Content { bytes, stat, path: real_path(path, &located) })
    }

    /// A file that is about to be changed: its bytes, and where it really is.
    pub(crate) fn read_to_change(&self, path: &VaultPath) -> Result<Existing, VaultError> {
        let located = self.file(path)?;
        let reading = Reading { whole: true, ..Reading::NOTE };
        let (bytes, stat) = self.read_located(path.as_str(), &located, reading)?;
        let path = real_path(path, &located);
        let root = self.root().to_owned();
        Ok(Existing { root, name: located.name, real: located.real, path, bytes, stat })
    }

    /// The folder that `who` reaches by calling it `folder`; `None` is the vault. It is `folder` itself where
    /// nothing lies (it may be spelt in another letter case), and where the caller may not see what does.
    #[must_use]
    pub fn folder_as_seen(&self, who: &Principal, folder: &VaultPath) -> Option<VaultPath> {
        match self.real_folder(folder) {
            Ok(real) if who.sees_all_in(Some(folder)) && who.sees_all_in(real.as_ref()) => real,
            _ => Some(folder.clone()),
        }
    }

    /// Every file of the vault.
    ///
    /// # Errors
    /// [`VaultError::RootLost`] when the vault itself cannot be read; anything below it that cannot is in
    /// [`Walk::skipped`].
    pub fn walk(&self) -> Result<Walk, VaultError> {
        let (mut found, names) = self.walk_all().map_err(|error| root_lost(&error))?;
        if !self.inner.options.allow_hard_links {
            found.refuse_hard_links(|stat| Ok(names.get(&stat.identity).map_or(0, Vec::len) as u64));
            self.inner.hard_links.learn(names);
        }
        Ok(found)
    }

    /// Every file of some kinds, in a fraction of the time when most files are of others.
    ///
    /// # Errors
    /// As [`Self::walk`].
    pub fn walk_kinds(&self, wanted: fn(FileKind) -> bool) -> Result<Vec<FoundFile>, VaultError> {
        let (mut found, _) = Folder::open(self.root())
            .and_then(|folder| walk_kinds(self.root(), &folder, Path::new(""), "", Some(wanted)))
            .map_err(|error| root_lost(&error))?;
        // Behind a link a file can be of any kind.
        found.files.retain(|file| wanted(file.path.kind()));
        if !self.inner.options.allow_hard_links {
            found.refuse_hard_links(|stat| self.links_seen(stat));
        }
        Ok(found.files)
    }

    /// Every file in `folder` and below it; `""` is the vault, a missing folder is an empty walk. A folder
    /// reached by a symbolic link is listed as skipped: its files are found under their own paths.
    ///
    /// # Errors
    /// As [`Self::walk`], [`VaultError::Path`] when `folder` is no vault path, and the sandbox's when it
    /// leads elsewhere.
    pub fn walk_folder(&self, folder: &str) -> Result<Walk, VaultError> {
        let Some(path) = VaultPath::parse_folder(folder)? else { return self.walk() };
        let located = match locate(self.root(), path.as_str(), Hidden::Refused) {
            Ok(located) if located.entry.kind == Kind::Folder => located,
            Ok(_) | Err(VaultError::NotFound { .. }) => return Ok(Walk::default()),
            // Only a link to the vault itself is no file and has no place in it.
            Err(VaultError::NotAFile { .. }) => return Ok(cycle(&path)),
            Err(error) => return Err(error),
        };
        if located.linked && relative_vault_path(&located.real).is_some() {
            return Ok(cycle(&path));
        }
        let (mut found, _) = located
            .parent
            .enter(&located.name)
            .and_then(|folder| walk(self.root(), &folder, &located.real, path.as_str()))
            .map_err(|error| unreadable(path.as_str(), error))?;
        if !self.inner.options.allow_hard_links {
            found.refuse_hard_links(|stat| self.links_seen(stat));
        }
        Ok(found)
    }

    /// What a walk would list as skipped at `path` itself, every spelling of it included, without a walk.
    ///
    /// # Errors
    /// [`VaultError::RootLost`]; anything else that cannot be read is in the answer.
    pub fn skipped_at(&self, path: &VaultPath) -> Result<Vec<Skipped>, VaultError> {
        self.skipped_names(path.folder(), Some(path.file_name()))
    }

    /// What a walk would list as skipped in `folder` itself because no vault path can spell its name; `""`
    /// is the vault.
    ///
    /// # Errors
    /// As for [`Self::skipped_at`], and [`VaultError::Path`] when `folder` is no vault path.
    pub fn skipped_names_in(&self, folder: &str) -> Result<Vec<Skipped>, VaultError> {
        self.skipped_names(folder, None)
    }

    /// Of the names in `folder` those spelt like `name`, or those that nothing can spell.
    fn skipped_names(&self, folder: &str, name: Option<&str>) -> Result<Vec<Skipped>, VaultError> {
        let (names, relative, prefix) = match VaultPath::parse_folder(folder)? {
            None => {
                let root = Folder::open(self.root()).map_err(|error| root_lost(&error))?;
                (Ok(root), PathBuf::new(), String::new())
            }
            Some(path) => match locate(self.root(), path.as_str(), Hidden::Refused) {
                Ok(located)
                    if located.entry.kind == Kind::Folder
                        && !(located.linked && relative_vault_path(&located.real).is_some()) =>
                {
                    (located.parent.enter(&located.name), located.real, format!("{path}/"))
                }
                Err(error) if error.is_root() => return Err(error),
                // A walk does not come here.
                Ok(_) | Err(_) => return Ok(Vec::new()),
            },
        };
        let which = name.map_or(Which::Unspellable(&prefix), Which::Spelt);
        let found = names.and_then(|names| look_at_names(self.root(), &names, &relative, &prefix, which));
        // A folder that cannot be read is listed itself, not what is in it.
        let Ok(mut found) = found else { return Ok(Vec::new()) };
        if !self.inner.options.allow_hard_links {
            found.refuse_hard_links(|stat| self.links_seen(stat));
        }
        Ok(found.skipped)
    }

    /// The other paths that the file at `path` had when its names were last found; hard links change
    /// together. Empty when it has but one, and when it was not looked at yet.
    #[must_use]
    pub fn hard_linked_with(&self, path: &VaultPath) -> Vec<VaultPath> {
        let is_it = |name: &Path| relative_vault_path(name).as_ref() == Some(path);
        let others = self.inner.hard_links.others(is_it);
        others.iter().filter_map(|name| relative_vault_path(name)).collect()
    }

    /// Paths of files whose hard links were found to be others than before, since this was last asked: a
    /// file that was read under one of them may be refused now.
    #[must_use]
    pub fn hard_links_changed(&self) -> Vec<VaultPath> {
        self.inner.hard_links.take_changed().iter().filter_map(|name| relative_vault_path(name)).collect()
    }

    /// Whether the vault's folder is there and can be read.
    ///
    /// # Errors
    /// [`VaultError::RootLost`] when not.
    pub fn check_root(&self) -> Result<(), VaultError> {
        Folder::open(self.root()).map(drop).map_err(|error| root_lost(&error))
    }

    /// Whether there is nothing in the vault's folder at all, hidden files included.
    ///
    /// # Errors
    /// [`VaultError::RootLost`] when the folder cannot be read.
    pub fn is_empty(&self) -> Result<bool, VaultError> {
        let names = Folder::open(self.root()).and_then(|folder| folder.names());
        names.map(|names| names.is_empty()).map_err(|error| root_lost(&error))
    }

    /// A file of `.obsidian/`, such as `app.json` or `plugins/x/data.json`; `None` when there is none.
    /// Hidden from everybody else, settings are read here on purpose; they decide, they are not shown.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn read_config(&self, name: &str) -> Result<Option<Vec<u8>>, VaultError> {
        let path = format!("{CONFIG_FOLDER}/{}", VaultPath::parse(name)?);
        match locate(self.root(), &path, Hidden::Allowed) {
            Ok(located) => Ok(Some(self.read_located(&path, &located, Reading::CONFIG)?.0)),
            Err(VaultError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Size and times of a file of `.obsidian/`; `None` when there is none.
    pub(crate) fn stat_config(&self, name: &str) -> Result<Option<FileStat>, VaultError> {
        let path = format!("{CONFIG_FOLDER}/{}", VaultPath::parse(name)?);
        match locate(self.root(), &path, Hidden::Allowed) {
            Ok(located) => check_kind(&path, located.entry).map(|()| Some(located.entry.stat)),
            Err(VaultError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Obsidian's own settings, as they are at this moment.
    #[must_use]
    pub fn settings(&self) -> Settings<'_> {
        Settings::of(self)
    }

    pub(crate) fn settings_cache(&self) -> &SettingsCache {
        &self.inner.settings
    }

    /// The vault path of an absolute path below [`Self::root`]; `None` when it is hidden, outside, the
    /// vault itself or no vault path. Nothing need be there.
    #[must_use]
    pub fn to_vault_path(&self, absolute: &Path) -> Option<VaultPath> {
        relative_vault_path(absolute.strip_prefix(self.root()).ok()?)
    }

    /// The regular file at `path`.
    fn file(&self, path: &VaultPath) -> Result<Located, VaultError> {
        let located = locate(self.root(), path.as_str(), Hidden::Refused)?;
        check_kind(path.as_str(), located.entry)?;
        Ok(located)
    }

    /// Reads from the handle that is checked, so that nothing can be put in its place.
    fn read_located(
        &self,
        path: &str,
        located: &Located,
        reading: Reading,
    ) -> Result<(Vec<u8>, FileStat), VaultError> {
        check_kind(path, located.entry)?;
        let failed = |error| unreadable(path, error);
        for attempt in 1.. {
            let file = located.parent.open_file(&located.name).map_err(|error| {
                // What a FIFO or socket put in the file's place answers.
                let refused = error.raw_os_error() == Some(Errno::NXIO.raw_os_error());
                if refused { VaultError::NotRegular { path: path.to_owned() } } else { failed(error) }
            })?;
            let before = entry_of(&file).map_err(failed)?;
            check_kind(path, before)?;
            if reading.check_links {
                self.check_links(path, &before.stat)?;
            }
            let size = before.stat.size;
            if size > reading.limit {
                let (path, bytes, limit) = (path.to_owned(), size, reading.limit);
                return Err(VaultError::TooLarge { path, bytes, limit });
            }
            let mut bytes = Vec::with_capacity(usize::try_from(size + 1).unwrap_or(0));
            (&file).take(reading.limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
            let after = entry_of(&file).map_err(failed)?;
            let steady = after.stat.modified_ns == before.stat.modified_ns && after.stat.size == size;
            if (steady && bytes.len() as u64 == size) || (attempt == ATTEMPTS && !reading.whole) {
                return Ok((bytes, before.stat));
            }
            if attempt == ATTEMPTS {
                break;
            }
        }
        Err(VaultError::Changed { path: path.to_owned() })
    }

    fn check_links(&self, path: &str, stat: &FileStat) -> Result<(), VaultError> {
        if stat.links <= 1 || self.inner.options.allow_hard_links {
            return Ok(());
        }
        let seen = self.links_seen(stat).map_err(|error| unreadable(path, error))?;
        if seen >= stat.links {
            return Ok(());
        }
        Err(VaultError::HardLinked { path: path.to_owned(), links: stat.links, seen })
    }

    fn links_seen(&self, stat: &FileStat) -> io::Result<u64> {
        self.inner.hard_links.seen(self.root(), stat, || Ok(self.walk_all()?.1))
    }

    fn walk_all(&self) -> io::Result<(Walk, Names)> {
        walk(self.root(), &Folder::open(self.root())?, Path::new(""), "")
    }
}

/// The vault path of a path relative to the vault.
pub(crate) fn relative_vault_path(relative: &Path) -> Option<VaultPath> {
    let mut names = Vec::new();
    for component in relative.components() {
        match component {
            // `parse` would take a backslash in a name for a separator.
            Component::Normal(name) => names.push(name.to_str().filter(|name| !name.contains('\\'))?),
            _ => return None,
        }
    }
    VaultPath::parse(&names.join("/")).ok()
}

fn real_path(path: &VaultPath, located: &Located) -> VaultPath {
    let real = located.linked.then(|| relative_vault_path(&located.real)).flatten();
    real.unwrap_or_else(|| path.clone())
}

fn check_kind(path: &str, entry: Entry) -> Result<(), VaultError> {
    let path = || path.to_owned();
    match entry.kind {
        Kind::File => Ok(()),
        Kind::Folder => Err(VaultError::NotAFile { path: path() }),
        Kind::Link => Err(VaultError::Changed { path: path() }),
        Kind::Other => Err(VaultError::NotRegular { path: path() }),
    }
}

fn cycle(path: &VaultPath) -> Walk {
    let skipped = Skipped { path: path.as_str().to_owned(), reason: SkipReason::LinkCycle };
    Walk { files: Vec::new(), skipped: vec![skipped] }
}

fn root_error(root: &Path, error: &io::Error) -> VaultError {
    VaultError::Root { root: root.to_owned(), reason: error.to_string() }
}
