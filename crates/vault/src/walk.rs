//! What a walk finds.

use std::io;

use crate::folder::FileStat;
use crate::path::VaultPath;

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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SkipReason {
    /// A symbolic link to something outside the vault.
    #[error("symbolic link that leads outside the vault")]
    LeavesVault,
    /// A symbolic link to something hidden.
    #[error("symbolic link to a hidden file or folder")]
    LeadsToHidden,
    /// A symbolic link to nothing, or to itself.
    #[error("broken symbolic link")]
    BrokenLink,
    /// A symbolic link to a file or folder that the walk meets under its own path.
    #[error("symbolic link to a part of the vault that is found under its own path")]
    LinkCycle,
    /// A file with more hard links than the vault has paths to it.
    #[error("{links} hard links, of which the vault has {seen}")]
    HardLinked {
        /// Links that the file system counts.
        links: u64,
        /// Links found in the vault.
        seen: u64,
    },
    /// A FIFO, socket or device.
    #[error("not a regular file")]
    NotRegular,
    /// A name that is not UTF-8.
    #[error("the name is not UTF-8")]
    NotUtf8Name,
    /// A name that no vault path can spell: a control character, a backslash, too long.
    #[error("the name has a control character or a backslash, or is too long")]
    BadName,
    /// The system refused, with its message.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// Another name in the same folder is the same vault path (composed and decomposed accents, plain and
    /// no-break spaces).
    #[error("another name in this folder is spelt the same")]
    Shadowed,
    /// A folder nested deeper than the walk goes.
    #[error("folders are nested too deep")]
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

impl Walk {
    /// Leaves out the files with more links than `seen` has names for.
    pub(crate) fn refuse_hard_links(&mut self, mut seen: impl FnMut(&FileStat) -> io::Result<u64>) {
        if self.files.iter().all(|file| file.stat.links <= 1) {
            return;
        }
        let skipped = &mut self.skipped;
        self.files.retain(|file| {
            let links = file.stat.links;
            let reason = match if links > 1 { seen(&file.stat) } else { Ok(links) } {
                Ok(seen) if seen >= links => return true,
                Ok(seen) => SkipReason::HardLinked { links, seen },
                Err(error) => SkipReason::Unreadable(error.to_string()),
            };
            skipped.push(Skipped { path: file.path.as_str().to_owned(), reason });
            false
        });
        skipped.sort_by(|one, other| one.path.cmp(&other.path));
    }
}
