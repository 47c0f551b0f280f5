//! Opening a vault and reading from it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::VaultError;
use crate::path::VaultPath;
use crate::walk::Walk;

/// The longest file that is read into memory, in bytes.
pub const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;

/// How a vault is opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VaultOptions {
    /// Read files with hard links outside the vault (for vaults under a backup tool that makes them).
    pub allow_hard_links: bool,
}

/// A vault on disk. Clones share it.
#[derive(Debug, Clone)]
pub struct Vault(Arc<PathBuf>);

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

/// The SHA-256 of a file's bytes; shown as `sha256sum` shows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of `bytes`.
    #[must_use]
    pub fn of(_bytes: &[u8]) -> Self {
        Self([0; 32])
    }

    /// The hash as bytes, for storage.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// A stored hash.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

/// How a file's bytes became text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decoding {
    /// Valid UTF-8.
    Utf8,
    /// Valid UTF-8 behind a byte order mark, which the text does not have.
    Utf8Bom,
    /// UTF-16 by its byte order mark.
    Utf16,
    /// Not UTF-8: read as Windows-1252. A problem to report.
    Latin1,
    /// NUL bytes: no text at all.
    Binary,
}

/// A file's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Every byte.
    pub bytes: Vec<u8>,
    /// The file's state when these bytes were read.
    pub stat: FileStat,
    /// Where the file really is: differs from the path asked for when a symbolic link led to it.
    pub path: VaultPath,
}

impl Content {
    /// The SHA-256 of the bytes.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(&self.bytes)
    }

    /// The bytes as text, and how.
    #[must_use]
    pub fn text(&self) -> (Cow<'_, str>, Decoding) {
        (Cow::Borrowed(""), Decoding::Binary)
    }
}

impl Vault {
    /// Opens the vault in the folder `root`.
    ///
    /// # Errors
    /// [`VaultError::Root`] when it is missing, no folder or unreadable.
    pub fn open(root: &Path, _options: VaultOptions) -> Result<Self, VaultError> {
        Ok(Self(Arc::new(root.to_owned())))
    }

    /// The vault's folder, absolute, without symbolic links.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.0
    }

    /// Size, times and identity of a file.
    ///
    /// # Errors
    /// As [`Self::read`], unreadable content aside.
    pub fn stat(&self, path: &VaultPath) -> Result<FileStat, VaultError> {
        Err(VaultError::not_found(path))
    }

    /// A file's bytes.
    ///
    /// # Errors
    /// One [`VaultError`] per rule; nothing is read when one is broken.
    pub fn read(&self, path: &VaultPath) -> Result<Content, VaultError> {
        Err(VaultError::not_found(path))
    }

    /// Every file of the vault.
    ///
    /// # Errors
    /// [`VaultError::Root`] when the vault itself cannot be read; anything below is reported in
    /// [`Walk::skipped`].
    pub fn walk(&self) -> Result<Walk, VaultError> {
        Ok(Walk::default())
    }

    /// Every file in `folder` and below it; `""` is the vault, a missing folder is an empty walk.
    ///
    /// # Errors
    /// As [`Self::walk`], and [`VaultError::Path`] when `folder` is no vault path.
    pub fn walk_folder(&self, _folder: &str) -> Result<Walk, VaultError> {
        Ok(Walk::default())
    }

    /// A file of `.obsidian/`, such as `app.json`; `None` when there is none.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_config(&self, _name: &str) -> Result<Option<Vec<u8>>, VaultError> {
        Ok(None)
    }

    /// The vault path of an absolute path; `None` when it is hidden, outside or no vault path.
    #[must_use]
    pub fn to_vault_path(&self, _absolute: &Path) -> Option<VaultPath> {
        None
    }
}
