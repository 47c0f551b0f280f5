//! `index_status`: how the index is doing.

use std::collections::BTreeMap;

use ::search::{Problem, ProblemKind, Rebuilt, ReconcileSummary, SkippedFile, Status, WatcherState};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::note_row::shorten_text;
use super::support::Indexing;
use crate::changes::show_time;
use crate::mcp::answer::{ContinueWith, LeftOut, Shorten, fit};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct IndexStatus;

/// Which part of the lists.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Entries of each list to skip.
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

/// The state of the index.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// ready, or indexing while it is being built.
    state: String,
    /// Why the vault cannot be read at this moment: the index then tells of the vault as it last was.
    #[serde(skip_serializing_if = "Option::is_none")]
    vault_error: Option<String>,
    /// How far it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    indexing: Option<Indexing>,
    /// Notes.
    notes: u64,
    /// Other files.
    files: u64,
    /// Links, each occurrence.
    links: u64,
    /// Links that reach nothing.
    unresolved_links: u64,
    /// Tags.
    tags: u64,
    /// Tasks.
    tasks: u64,
    /// Different words.
    terms: u64,
    /// Size of the index on disk.
    database_bytes: u64,
    /// How changes made outside are noticed.
    watcher: Watcher,
    /// The last comparison with the vault.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_reconcile: Option<Reconcile>,
    /// Why the index was built anew at this start.
    #[serde(skip_serializing_if = "Option::is_none")]
    rebuilt: Option<String>,
    /// Files that could be indexed only in part, by path.
    problems: Vec<ProblemRow>,
    /// How many there are.
    problems_total: usize,
    /// Files that rules keep out, by path.
    skipped: Vec<SkippedRow>,
    /// How many there are.
    skipped_total: usize,
    /// How many each rule keeps out.
    skipped_by_reason: BTreeMap<String, u64>,
    /// What is not in this part.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
    /// The journal of changes; absent when the server is read-only, and while it is being opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    journal: Option<Changes>,
}

/// The journal of changes.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct Changes {
    /// How many changes it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<u64>,
    /// Bytes of its copies of notes on disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// When the oldest change was made: earlier ones cannot be undone any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    oldest: Option<String>,
    /// Why nothing can be changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// How changes made outside are noticed.
#[derive(Debug, Serialize, JsonSchema)]
struct Watcher {
    /// off, watching or polling.
    state: String,
    /// Seconds between two looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    interval_seconds: Option<f64>,
    /// Why it looks instead of being told.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// A comparison of the index with the vault.
#[derive(Debug, Serialize, JsonSchema)]
struct Reconcile {
    notes: u64,
    files: u64,
    indexed: u64,
    unchanged: u64,
    removed: u64,
    skipped: u64,
    problems: u64,
    /// When it ended.
    finished: String,
    /// How long it took.
    duration_seconds: f64,
}

/// A file that is indexed only in part.
#[derive(Debug, Serialize, JsonSchema)]
struct ProblemRow {
    path: String,
    /// What kind of problem.
    kind: String,
    /// What is wrong and where.
    message: String,
}

/// A file that is kept out.
#[derive(Debug, Serialize, JsonSchema)]
struct SkippedRow {
    path: String,
    /// The rule.
    reason: String,
}

impl Shorten for ProblemRow {
    fn shorten(&mut self) {
        shorten_text(&mut self.message);
    }
}

impl Shorten for SkippedRow {
    fn shorten(&mut self) {
        shorten_text(&mut self.path);
    }
}

impl From<Problem> for ProblemRow {
    fn from(problem: Problem) -> Self {
        Self {
            path: problem.path.as_str().to_owned(),
            kind: problem_name(problem.kind).to_owned(),
            message: problem.message,
        }
    }
}

fn problem_name(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::InvalidYaml => "invalid_yaml",
        ProblemKind::UnclosedFrontmatter => "unclosed_frontmatter",
        ProblemKind::Latin1 => "latin1",
        ProblemKind::Binary => "binary",
        ProblemKind::TooLarge => "too_large",
        ProblemKind::SearchedInPart => "searched_in_part",
        ProblemKind::InvalidCanvas => "invalid_canvas",
        ProblemKind::Unreadable => "unreadable",
        ProblemKind::Internal => "internal",
    }
}

impl From<SkippedFile> for SkippedRow {
    fn from(skipped: SkippedFile) -> Self {
        Self { path: skipped.path, reason: skipped.reason }
    }
}

impl From<WatcherState> for Watcher {
    fn from(state: WatcherState) -> Self {
        let plain = |state: &str| Self { state: state.to_owned(), interval_seconds: None, reason: None };
        match state {
            WatcherState::Off => plain("off"),
            WatcherState::Watching => plain("watching"),
            WatcherState::Polling { interval_seconds, reason } => Self {
                state: "polling".to_owned(),
                interval_seconds: Some(interval_seconds),
                reason: Some(reason),
            },
        }
    }
}

impl From<ReconcileSummary> for Reconcile {
    fn from(summary: ReconcileSummary) -> Self {
        Self {
            notes: summary.notes,
            files: summary.files,
            indexed: summary.indexed,
            unchanged: summary.unchanged,
            removed: summary.removed,
            skipped: summary.skipped,
            problems: summary.problems,
            finished: summary.finished,
            duration_seconds: summary.duration.as_secs_f64(),
        }
    }
}

impl Answer {
    /// The part of the state from entry `offset` of its lists that fits into `most` characters.
    pub(crate) fn new(status: Status, offset: usize, most: usize) -> Self {
        let (problems_total, skipped_total) = (status.problems.len(), status.skipped.len());
        let problems = status.problems.into_iter().skip(offset).map(ProblemRow::from).collect();
        let skipped = status.skipped.into_iter().skip(offset).map(SkippedRow::from).collect();
        // Half of the answer each; the counts and the reconcile take about a thousand characters.
        let half = most.saturating_sub(1_400) / 2;
        let mut problems = fit(problems, offset, problems_total, half, "entries");
        let mut skipped = fit(skipped, offset, skipped_total, half, "entries");
        let left_out = match (&problems.left_out, &skipped.left_out) {
            (None, None) => None,
            _ => {
                // One offset continues both lists, so both stop where the first one is cut.
                let shown = [&problems.left_out, &skipped.left_out]
                    .into_iter()
                    .flatten()
                    .filter_map(|left_out| left_out.continue_with.offset)
                    .min()
                    .unwrap_or(offset);
                problems.rows.truncate(shown - offset);
                skipped.rows.truncate(shown - offset);
                Some(LeftOut {
                    count: problems_total.saturating_sub(shown) + skipped_total.saturating_sub(shown),
                    unit: "entries",
                    continue_with: ContinueWith { offset: Some(shown), ..ContinueWith::default() },
                })
            }
        };
        Self {
            state: if status.indexing.is_some() { "indexing" } else { "ready" }.to_owned(),
            vault_error: None,
            indexing: status.indexing.map(Indexing::from),
            notes: status.notes,
            files: status.files,
            links: status.links,
            unresolved_links: status.unresolved_links,
            tags: status.tags,
            tasks: status.tasks,
            terms: status.terms,
            database_bytes: status.database_bytes,
            watcher: status.watcher.into(),
            last_reconcile: status.last_reconcile.map(Reconcile::from),
            rebuilt: status.rebuilt.map(|Rebuilt { reason, .. }| reason),
            problems: problems.rows,
            problems_total,
            skipped: skipped.rows,
            skipped_total,
            skipped_by_reason: status.skipped_by_reason,
            left_out,
            journal: None,
        }
    }
}

impl Tool for IndexStatus {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Tells whether the search index is complete, what it holds, which files are indexed only in part and why \
(invalid YAML, not UTF-8, …), and which rules keep out. Ask it when something that should be found is not.

Returns JSON: {state: ready|indexing, vault_error?, indexing?, notes, files, links, unresolved_links, tags, terms, \
watcher, last_reconcile?, problems: [{path, kind, message}], skipped: [{path, reason}], \
skipped_by_reason, journal?}.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let index = call.index()?;
        let status = index.status(call.who).map_err(|error| call.search_error(&error))?;
        let answer = Answer::new(status, arguments.offset.unwrap_or(0), call.app.max_answer_chars);
        Reply::json(Answer { vault_error: vault_error(call)?, journal: changes(call), ..answer })
            .map_err(|error| ToolError::Internal { tool: "index_status", cause: error.to_string() })
    }
}

/// How the journal is. Never waits for it.
fn changes(call: &Call<'_>) -> Option<Changes> {
    let failed = |error: String| Changes { error: Some(error), ..Changes::default() };
    let status = match call.app.writes.as_ref()?.opened()? {
        Ok(writer) => writer.journal().status(),
        Err(reason) => return Some(failed(reason.to_owned())),
    };
    Some(match status {
        Ok(status) => Changes {
            changes: Some(status.changes),
            bytes: Some(status.bytes),
            oldest: status.oldest.map(|time| show_time(time, &call.app.time_zone)),
            error: None,
        },
        Err(error) => failed(error.to_string()),
    })
}

/// Why the vault's folder cannot be read. Asked of the file system: the index hears of it only with the next
/// change.
fn vault_error(call: &Call<'_>) -> Result<Option<String>, ToolError> {
    // Any name will do: whatever is or is not there, the vault's own folder is opened first.
    match call.app.vault.stat(&call.path("any")?) {
        Err(error) if error.is_root() => Ok(Some(ToolError::from(error).to_string())),
        _ => Ok(None),
    }
}
