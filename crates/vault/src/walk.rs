//! Finding every file of a vault.

use crate::path::VaultPath;
use crate::read::FileStat;

/// A file of the vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Its normalised path.
    pub path: VaultPath,
    /// Its size, times and identity.
    pub stat: FileStat,
}

/// Something the walk passed over, hidden files and folders aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its path relative to the vault as it is on disk; bytes that are not UTF-8 are replaced.
    pub path: String,
    /// Why.
    pub reason: SkipReason,
}

/// Why something was passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// A symbolic link to something outside the vault.
    LeavesVault,
    /// A symbolic link to something hidden.
    LeadsToHidden,
    /// A symbolic link to nothing, or to itself.
    BrokenLink,
    /// A symbolic link to a file or folder that the walk meets under its own path.
    LinkCycle,
    /// A file with more hard links than the vault has paths to it.
    HardLinked {
        /// Links that the file system counts.
        links: u64,
        /// Links found in the vault.
        seen: u64,
    },
    /// A FIFO, socket or device.
    NotRegular,
    /// A name that is not UTF-8.
    NotUtf8Name,
    /// A name that no vault path can spell: control characters, a backslash, too long.
    BadName,
    /// The system refused, with its message.
    Unreadable(String),
    /// Another name in the same folder is the same vault path (composed and decomposed accents, plain and
    /// no-break spaces).
    Shadowed,
    /// A folder nested deeper than the walk goes.
    TooDeep,
}

/// What a walk found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// Files, ordered by the bytes of their paths.
    pub files: Vec<FoundFile>,
    /// What was passed over, in the same order. Hidden files and folders are not listed.
    pub skipped: Vec<Skipped>,
}
