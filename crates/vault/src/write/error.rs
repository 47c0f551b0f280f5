//! Error policy: one variant per reason a change is not made; unless a variant says otherwise nothing was
//! changed. Texts are shown to clients as they are: they name vault-relative paths only and say what to do.

use crate::decode::Decoding;
use crate::error::VaultError;
use crate::hash::ContentHash;

/// What a change function says when it does not want to change the text.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct EditRefused(pub Box<dyn std::error::Error + Send + Sync>);

impl From<String> for EditRefused {
    fn from(reason: String) -> Self {
        Self(reason.into())
    }
}

impl From<&str> for EditRefused {
    fn from(reason: &str) -> Self {
        Self(reason.into())
    }
}

/// Why a change was not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// What is on disk, or the path, does not allow it.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The caller's token does not have the right.
    #[error("not permitted: this token may not {action} notes")]
    Forbidden {
        /// `change` or `delete`.
        action: &'static str,
    },
    /// The caller's token is limited to other folders.
    #[error("not permitted: {path:?} is outside the folders of this token")]
    OutOfScope {
        /// The path asked for.
        path: String,
    },
    /// A new name has a character that Obsidian does not take.
    #[error("invalid name: {path:?} has a {character:?}, which no name in a vault may have: take it out")]
    Name {
        /// The path asked for.
        path: String,
        /// The character.
        character: char,
    },
    /// The text has a control character other than tab, line feed and carriage return.
    #[error("control character blocked: the text for {path:?} has U+{code:04X} in line {line}: take it out")]
    ControlCharacter {
        /// The path asked for.
        path: String,
        /// The character's code point.
        code: u32,
        /// The line it is in, counted from 1.
        line: usize,
    },
    /// A create found the name taken.
    #[error("already exists: {path:?} is there already and was not overwritten")]
    Exists {
        /// The path asked for.
        path: String,
    },
    /// Somebody else is changing the file at this moment.
    #[error(
        "concurrent write in progress: {path:?} is being changed by another call: read it again, then retry"
    )]
    Busy {
        /// The path, as locks compare it.
        path: String,
    },
    /// The file is not UTF-8, so an edit could not keep what it was not asked to change.
    #[error("not editable: {path:?} is not UTF-8 text ({decoding:?}): convert it first")]
    NotText {
        /// The path asked for.
        path: String,
        /// What it is instead.
        decoding: Decoding,
    },
    /// The file has several names: a new file in its place would part them.
    #[error("hard link blocked: {path:?} is one of {links} names of the same file and is not changed")]
    HardLinked {
        /// The path asked for.
        path: String,
        /// How many names it has.
        links: u64,
    },
    /// A delete or move asked for a symbolic link.
    #[error("symbolic link blocked: {path:?} is a link to {real:?}: name that file instead")]
    Linked {
        /// The path asked for.
        path: String,
        /// Where it leads.
        real: String,
    },
    /// The file is not what the caller had read.
    #[error(
        "stale: {path:?} has changed since it was read (expected {expected}, found {}){}: read it again, then retry",
        found.map_or_else(|| "no file".to_owned(), |hash| hash.to_string()),
        by.as_ref().map_or_else(String::new, |by| format!("; {by}"))
    )]
    Stale {
        /// The path asked for.
        path: String,
        /// What the caller expected.
        expected: ContentHash,
        /// What is there.
        found: Option<ContentHash>,
        /// The journal's change that came between, when there is one.
        by: Option<String>,
    },
    /// Somebody outside changed the file while the change was being made.
    #[error(
        "changed meanwhile: {path:?} was changed by another program at this moment and was left as it is: retry"
    )]
    ChangedMeanwhile {
        /// The path asked for.
        path: String,
    },
    /// The change function refused.
    #[error(transparent)]
    Refused(#[from] EditRefused),
    /// The system refused a step.
    #[error("cannot write {path:?}: {source}; the vault is as it was")]
    Io {
        /// The path asked for.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
}
