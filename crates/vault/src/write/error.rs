//! Error policy: one variant per reason a change is not made; unless a variant says otherwise nothing was
//! changed. Texts are shown to clients as they are: they name vault-relative paths only and say what to do.

use markdown::edit::properties::{BlockError, GuardError};

use crate::decode::Decoding;
use crate::error::VaultError;
use crate::hash::ContentHash;
use crate::journal::{ChangeId, JournalError};
use crate::traits::ListenerError;

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
    #[error(
        "invalid name: {path:?} has a {sign:?}, which breaks links to it or is no part of a name: take it out"
    )]
    Name {
        /// The path asked for.
        path: String,
        /// The sign.
        sign: &'static str,
    },
    /// A new name differs from one that is there in letter case alone.
    #[error(
        "already exists in another spelling: {path:?} and {found:?} are one name on many systems, and a sync would keep one of them: spell it as it is there, or choose another name"
    )]
    CaseTwin {
        /// The path asked for.
        path: String,
        /// The file or folder that is there.
        found: String,
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
    /// A part of the path to a new file is a file.
    #[error("not a folder: {path:?} cannot be made, because {parent:?} is a file")]
    NotAFolder {
        /// The path asked for.
        path: String,
        /// The part that is a file.
        parent: String,
    },
    /// The note would open with a properties block that cannot be read or kept.
    #[error(transparent)]
    Properties(#[from] GuardError),
    /// The folder is protected from deletes and moves.
    #[error("cannot delete or move protected path: {path:?} lies in {folder:?}")]
    Protected {
        /// The path asked for.
        path: String,
        /// The protected folder.
        folder: String,
    },
    /// Obsidian's settings do not say which folder to protect.
    #[error(
        "cannot delete or move: .obsidian/daily-notes.json cannot be read, so the folder of the daily notes, which is protected, is unknown ({reason}): repair the file or set DAILY_NOTES_FOLDER"
    )]
    ProtectionUnknown {
        /// What is wrong with the file.
        reason: String,
    },
    /// The vault's `.trash` is not a folder of its own.
    #[error("cannot move {path:?} to the trash: .trash is not a folder of the vault")]
    NoTrash {
        /// The path asked for.
        path: String,
    },
    /// An undo found a file that is not what the change had left.
    #[error(
        "cannot undo change {change}: {path:?} has changed since; the difference to what that change left:\n{diff}"
    )]
    UndoConflict {
        /// The change to take back.
        change: ChangeId,
        /// Its file.
        path: String,
        /// From what the change left to what is there, as a unified diff.
        diff: String,
        /// Whether a merge may bring both together: not where the change, or what came later, made the file,
        /// moved it or removed it.
        mergeable: bool,
    },
    /// An undo was asked to merge, and the texts differ in too many lines.
    #[error(
        "cannot undo change {change} by merging: too many lines of {path:?} have changed since; look at the change with vault_diff and edit the note"
    )]
    MergeTooLarge {
        /// The change to take back.
        change: ChangeId,
        /// Its file.
        path: String,
    },
    /// An undo was asked to merge, and both sides changed the same lines.
    #[error(
        "cannot undo change {change} by merging: the same lines of {path:?} have changed since:\n{merged}"
    )]
    MergeConflict {
        /// The change to take back.
        change: ChangeId,
        /// Its file.
        path: String,
        /// The note with both versions of those lines between markers.
        merged: String,
    },
    /// The change was taken back already.
    #[error("change {change} was undone already by change {by}")]
    AlreadyUndone {
        /// The change.
        change: ChangeId,
        /// The change that took it back.
        by: ChangeId,
    },
    /// The change was not made, or it is not known yet whether it was.
    #[error("change {change} was not made, so there is nothing to undo")]
    NotMade {
        /// The change.
        change: ChangeId,
    },
    /// Nothing fits what was asked to be undone.
    #[error("nothing to undo")]
    NothingToUndo,
    /// Some files of the call were changed, then one could not be. The journal has what was done.
    #[error("incomplete: {done} of {all} files were changed, then: {source}")]
    Incomplete {
        /// How many were changed.
        done: usize,
        /// How many were to be.
        all: usize,
        /// Why not the next.
        source: Box<Self>,
    },
    /// A move to where the file is.
    #[error("source and destination are the same path: {path:?}")]
    SamePath {
        /// The path.
        path: String,
    },
    /// A move would have to rewrite links that the caller may not change.
    #[error(
        "not permitted: notes outside the folders of this token link to {path:?} or to its new name, and would have to change"
    )]
    LinksOutOfScope {
        /// The path asked for.
        path: String,
    },
    /// A note that links to the file that moves has a properties block that cannot be read or kept.
    #[error("move aborted: {path:?} cannot be rewritten, nothing was written: {error}")]
    LinkSource {
        /// The note.
        path: String,
        /// What is wrong with its block.
        error: BlockError,
    },
    /// Nobody can tell which notes link to the file that moves.
    #[error("move aborted: it cannot be found out which notes link to the file, nothing was written: {0}")]
    Links(ListenerError),
    /// More and more notes linked to the file while it was to be moved.
    #[error("move aborted: the notes that link to {path:?} keep changing: retry")]
    Unsteady {
        /// The path asked for.
        path: String,
    },
    /// The journal could not take note of the change.
    #[error(transparent)]
    Journal(#[from] JournalError),
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
