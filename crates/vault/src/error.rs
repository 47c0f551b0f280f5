//! Error policy: [`PathError`] is about what a caller wrote, one variant per rule, and its text says what
//! to do; it quotes nothing but what the caller sent. [`VaultError`] is about what is on disk. Both are
//! shown to clients as they are, so their texts name vault-relative paths only; [`VaultError::Root`]
//! alone names a real folder and appears only while the vault is being opened.

use std::path::PathBuf;

/// Why a text is no vault path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// Nothing is left of it.
    #[error("the path is empty: give a path inside the vault, such as \"Folder/Note.md\"")]
    Empty,
    /// It starts at the root of a file system, a drive or a network share.
    #[error(
        "absolute path blocked: {path:?} must be written relative to the vault, without a leading slash or drive"
    )]
    Absolute {
        /// What was sent, shortened.
        path: String,
    },
    /// Its `..` climb above the vault.
    #[error("path traversal blocked: {path:?} escapes the vault: leave out the \"..\"")]
    EscapesVault {
        /// What was sent, shortened.
        path: String,
    },
    /// A segment begins with a dot.
    #[error(
        "hidden path blocked: {path:?} targets a hidden file or folder: names beginning with a dot are not part of the vault"
    )]
    Hidden {
        /// What was sent, shortened.
        path: String,
    },
    /// It holds a C0 or C1 control character.
    #[error("control character blocked: {path:?} has U+{code:04X} as its character {position}: take it out")]
    ControlCharacter {
        /// What was sent, shortened.
        path: String,
        /// The character's code point.
        code: u32,
        /// Which character it is, counted from 1.
        position: usize,
    },
    /// A segment is longer than file systems take.
    #[error("name too long: a part of {path:?} has {bytes} bytes, at most {limit} are possible: shorten it")]
    NameTooLong {
        /// What was sent, shortened.
        path: String,
        /// The segment's length in UTF-8 bytes.
        bytes: usize,
        /// The most there may be.
        limit: usize,
    },
    /// The whole path is longer than systems take.
    #[error("path too long: {path:?} has {bytes} bytes, at most {limit} are possible: shorten it")]
    TooLong {
        /// What was sent, shortened.
        path: String,
        /// Its length in UTF-8 bytes.
        bytes: usize,
        /// The most there may be.
        limit: usize,
    },
}

/// What can go wrong between a vault path and the disk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VaultError {
    /// The text is no vault path.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The vault's own folder is missing, is no folder or cannot be read.
    #[error("cannot open the vault {}: {reason}", root.display())]
    Root {
        /// The folder, as configured.
        root: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The vault's own folder is missing or cannot be read while the server runs: of no path below it
    /// can anything be said.
    #[error("the vault's folder cannot be read at this moment: {reason}")]
    RootLost {
        /// What the system said.
        reason: String,
    },
    /// Nothing has this name.
    #[error("not found: {path:?} does not exist in the vault")]
    NotFound {
        /// The path asked for.
        path: String,
    },
    /// A folder has this name.
    #[error("not a file: {path:?} is a folder")]
    NotAFile {
        /// The path asked for.
        path: String,
    },
    /// A FIFO, socket or device has this name; it was not opened.
    #[error("not a regular file: {path:?} is a device, socket or pipe and is not read")]
    NotRegular {
        /// The path asked for.
        path: String,
    },
    /// A symbolic link on the way leads out of the vault.
    #[error("symbolic link blocked: {path:?} leads outside the vault")]
    LeavesVault {
        /// The path asked for.
        path: String,
    },
    /// A symbolic link on the way leads to a hidden file or folder.
    #[error("symbolic link blocked: {path:?} leads to a hidden file or folder")]
    LeadsToHidden {
        /// The path asked for.
        path: String,
    },
    /// A symbolic link on the way leads nowhere, or in circles.
    #[error("broken symbolic link: {path:?} leads nowhere")]
    BrokenLink {
        /// The path asked for.
        path: String,
    },
    /// The file has a hard link that the vault does not see, so it may be a file from elsewhere.
    #[error(
        "hard link blocked: {path:?} has {links} hard links and the vault has only {seen} of them; ALLOW_HARD_LINKS=true permits such files"
    )]
    HardLinked {
        /// The path asked for.
        path: String,
        /// Links to the file's content that the file system counts.
        links: u64,
        /// Links found in the vault.
        seen: u64,
    },
    /// The file is longer than [`crate::MAX_FILE_BYTES`].
    #[error("file too large: {path:?} has {bytes} bytes, at most {limit} are read")]
    TooLarge {
        /// The path asked for.
        path: String,
        /// Its size.
        bytes: u64,
        /// The most that is read.
        limit: u64,
    },
    /// The file, or a folder on the way, was replaced while it was being opened.
    #[error("changed while reading: {path:?} was replaced at that moment: try again")]
    Changed {
        /// The path asked for.
        path: String,
    },
    /// The system refused.
    #[error("cannot read {path:?}: {source}")]
    Unreadable {
        /// The path asked for.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
}

impl VaultError {
    /// Whether nothing has the name asked for (as opposed to being refused or unreadable).
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }

    /// Whether the vault's own folder is what is missing: then nothing is known of what lies in it.
    #[must_use]
    pub fn is_root(&self) -> bool {
        matches!(self, Self::Root { .. } | Self::RootLost { .. })
    }
}
