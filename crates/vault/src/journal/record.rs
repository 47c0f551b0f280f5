//! What the journal knows of a change.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;

use crate::hash::ContentHash;
use crate::path::VaultPath;

/// The number of a change; later changes have higher numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(transparent)]
pub struct ChangeId(pub i64);

impl fmt::Display for ChangeId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl FromStr for ChangeId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// What was done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// It was made.
    Create,
    /// Its content changed.
    Edit,
    /// It was deleted.
    Delete,
    /// It got another path, perhaps with other content.
    Move,
}

/// How far a change came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeState {
    /// It was about to be made when last heard of; the next start finds out what became of it.
    Begun,
    /// It was made.
    Done,
    /// It was not made.
    Aborted,
}

/// One change to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeRecord {
    /// Its number.
    pub id: ChangeId,
    /// The first change of the call it was part of; its own number when it was the only one.
    pub batch: ChangeId,
    /// When.
    pub at: Timestamp,
    /// By whom: [`crate::Principal::name`].
    pub principal: String,
    /// By which tool.
    pub tool: String,
    /// What was done.
    pub kind: ChangeKind,
    /// The file. Of a move, where it was before.
    pub path: VaultPath,
    /// Of a move, where the file is afterwards.
    pub new_path: Option<VaultPath>,
    /// The file's hash before; `None` when there was none.
    pub before: Option<ContentHash>,
    /// The file's hash afterwards; `None` when there is none.
    pub after: Option<ContentHash>,
    /// What changed, in a few words.
    pub summary: String,
    /// How far it came.
    pub state: ChangeState,
    /// What a start after a crash found, when that was not plain.
    pub note: Option<String>,
    /// The change that took this one back.
    pub undone_by: Option<ChangeId>,
    /// The changes that this one takes back.
    pub undoes: Vec<ChangeId>,
}

impl ChangeKind {
    pub(crate) const fn code(self) -> i64 {
        match self {
            Self::Create => 0,
            Self::Edit => 1,
            Self::Delete => 2,
            Self::Move => 3,
        }
    }

    pub(crate) const fn of(code: i64) -> Self {
        match code {
            0 => Self::Create,
            2 => Self::Delete,
            3 => Self::Move,
            _ => Self::Edit,
        }
    }

    /// The kind as a word, such as `edit`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Edit => "edit",
            Self::Delete => "delete",
            Self::Move => "move",
        }
    }
}

impl ChangeState {
    pub(crate) const fn code(self) -> i64 {
        match self {
            Self::Begun => 0,
            Self::Done => 1,
            Self::Aborted => 2,
        }
    }

    pub(crate) const fn of(code: i64) -> Self {
        match code {
            0 => Self::Begun,
            1 => Self::Done,
            _ => Self::Aborted,
        }
    }
}

/// Which changes a list shows. `..HistoryFilter::default()` fills the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryFilter {
    /// Only those of this file, under this path or away from or to it, or of the files in this folder and
    /// below it (letter case does not matter).
    pub path: Option<VaultPath>,
    /// Only those by this principal.
    pub principal: Option<String>,
    /// Only those made at or after this time.
    pub since: Option<Timestamp>,
    /// Only those made before this time.
    pub until: Option<Timestamp>,
    /// Only those of this call.
    pub batch: Option<ChangeId>,
    /// Also those that were not made in the end.
    pub aborted: bool,
    /// At most this many.
    pub limit: usize,
    /// After leaving out this many.
    pub offset: usize,
}

impl Default for HistoryFilter {
    fn default() -> Self {
        Self {
            path: None,
            principal: None,
            since: None,
            until: None,
            batch: None,
            aborted: false,
            limit: 50,
            offset: 0,
        }
    }
}

/// How big a journal is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JournalStatus {
    /// How many changes it has.
    pub changes: u64,
    /// The room that the copies of files take, in bytes.
    pub bytes: u64,
    /// When the oldest change was begun.
    pub oldest: Option<Timestamp>,
}

/// A part of a list, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryPage {
    /// The changes.
    pub changes: Vec<ChangeRecord>,
    /// How many the filter lets through, those left out included.
    pub total: usize,
}
