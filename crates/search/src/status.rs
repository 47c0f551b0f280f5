//! How the index is doing: what `index_status` and the health check show.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use vault::VaultPath;

/// How far a build or a reconcile has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Files dealt with.
    pub done: u64,
    /// Files to deal with. Grows while the vault is being walked.
    pub total: u64,
}

/// Why a file is indexed only in part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// The properties are not valid YAML; the note is indexed without them.
    InvalidYaml,
    /// The note opens with `---` and no line closes it: all of it is read as text.
    UnclosedFrontmatter,
    /// Not UTF-8: read as Windows-1252. Edits refuse such a note.
    Latin1,
    /// NUL bytes: no text was read.
    Binary,
    /// Larger than the limit: no text was read.
    TooLarge,
    /// A long text file or canvas: only its beginning is searched.
    SearchedInPart,
    /// A canvas that is not valid JSON: its links are unknown.
    InvalidCanvas,
    /// The system would not let it be read.
    Unreadable,
    /// Reading or parsing it failed inside the server: a fault of ours, the file is listed only.
    Internal,
}

/// A file that is indexed only in part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file.
    pub path: VaultPath,
    /// What is wrong.
    pub kind: ProblemKind,
    /// One line for a person: where, and what was expected. Names no text of the note.
    pub message: String,
}

/// A file or folder of the vault that is not indexed at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedFile {
    /// Path below the vault's root as it is on disk.
    pub path: String,
    /// The rule that keeps it out, one word: `hard_linked`.
    pub reason: String,
}

/// How changes made outside are noticed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum WatcherState {
    /// Nobody watches.
    Off,
    /// The system reports changes.
    Watching,
    /// The vault is looked over at intervals.
    Polling {
        /// Seconds between two looks.
        interval_seconds: f64,
        /// Why the system's events are not used: an error, or the setting.
        reason: String,
    },
}

/// What a reconcile found and did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReconcileSummary {
    /// Files in the vault, notes included.
    pub files: u64,
    /// Notes in the vault.
    pub notes: u64,
    /// Files that were new or changed and are indexed now.
    pub indexed: u64,
    /// Files that were as before.
    pub unchanged: u64,
    /// Files that are gone.
    pub removed: u64,
    /// Paths that rules keep out.
    pub skipped: u64,
    /// Files indexed only in part.
    pub problems: u64,
    /// When it ended, as answers show times.
    pub finished: String,
    /// How long it took.
    #[serde(serialize_with = "as_seconds")]
    pub duration: Duration,
}

/// State of the index as a caller may see it: what lies outside the caller's folders counts nowhere.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// Notes.
    pub notes: u64,
    /// Other files.
    pub files: u64,
    /// Links, each occurrence.
    pub links: u64,
    /// Links that reach nothing.
    pub unresolved_links: u64,
    /// Distinct tags, folded.
    pub tags: u64,
    /// Tasks, as the Tasks plugin counts them.
    pub tasks: u64,
    /// Distinct words of the vocabulary (of the whole vault).
    pub terms: u64,
    /// Set while a build or reconcile runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexing: Option<Progress>,
    /// Files indexed only in part, by path.
    pub problems: Vec<Problem>,
    /// Paths that rules keep out, by path.
    pub skipped: Vec<SkippedFile>,
    /// How many were kept out by each rule.
    pub skipped_by_reason: BTreeMap<String, u64>,
    /// How changes made outside are noticed.
    pub watcher: WatcherState,
    /// Set while the vault's own folder is missing or cannot be read: what was said of it. The index
    /// keeps what it had and answers from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vault_error: Option<String>,
    /// The last reconcile of this process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_reconcile: Option<ReconcileSummary>,
    /// Size of the database with its write-ahead log.
    pub database_bytes: u64,
    /// Why the index was built anew at this start, and where the old file lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rebuilt: Option<Rebuilt>,
}

/// An index file that was put aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rebuilt {
    /// What was wrong with it.
    pub reason: String,
    /// Where it lies now; `None` when it was simply replaced.
    #[serde(skip)]
    pub put_aside: Option<PathBuf>,
}

fn as_seconds<S: serde::Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(duration.as_secs_f64())
}
