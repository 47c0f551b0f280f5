//! What can be asked of the index.

use jiff::civil::Date;
use vault::VaultPath;

/// A ranked search over the vault (`vault_search`).
#[derive(Debug, Clone, PartialEq)]
pub struct SearchQuery {
    /// The words, or an FTS5 expression.
    pub query: String,
    /// What narrows the results. Applied before any limit.
    pub filters: Filters,
    /// How many hits come back at most.
    pub limit: usize,
    /// Length of each snippet in tokens.
    pub snippet_tokens: usize,
    /// Whether hits carry the callout that opens the note.
    pub include_leading_callout: bool,
}

impl SearchQuery {
    /// A search with the default limit (20) and snippet length (30), without filters.
    #[must_use]
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            filters: Filters::default(),
            limit: 20,
            snippet_tokens: 30,
            include_leading_callout: false,
        }
    }
}

/// Conditions a note must meet, all of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filters {
    /// In this folder or below it: whole segments, compared without case. `""` or `/` is the root.
    pub folder: Option<String>,
    /// Carries each of these tags or one nested below it (folded; a leading `#` is dropped).
    pub tags: Vec<String>,
    /// Names each of these in its `related` property, as a path, a name or a link.
    pub related: Vec<String>,
    /// Its `type` property is this text.
    pub type_: Option<String>,
    /// Has each of these properties with this value: text, a finite number or a boolean. A list
    /// matches when one of its items does.
    pub properties: serde_json::Map<String, serde_json::Value>,
    /// The day of the `created` property; a note without a readable one never matches.
    pub created: DateRange,
    /// The day of the last change on disk.
    pub modified: DateRange,
}

impl Filters {
    /// Whether nothing is asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Days, in the index's time zone. Bounds that are set hold together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DateRange {
    /// Strictly before this day.
    pub before: Option<Date>,
    /// On this very day.
    pub on: Option<Date>,
    /// Strictly after this day.
    pub after: Option<Date>,
}

impl DateRange {
    /// Whether no bound is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A search for dated entries of the memory files (`vault_memory_recall`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecallQuery {
    /// The words.
    pub query: String,
    /// The folder of the memory files; only notes directly in it are looked at.
    pub folder: String,
    /// Only entries of this file.
    pub file: Option<VaultPath>,
    /// How many of the most relevant entries are passed over.
    pub offset: usize,
    /// How many entries come back at most.
    pub limit: usize,
}

impl RecallQuery {
    /// A search of every memory file in `folder`, with the default limit, 50.
    #[must_use]
    pub fn new(query: impl Into<String>, folder: impl Into<String>) -> Self {
        Self { query: query.into(), folder: folder.into(), file: None, offset: 0, limit: 50 }
    }
}

/// What notes are sorted by, latest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SortBy {
    /// The `created` property; notes without a readable one come last, by their last change.
    Created,
    /// The last change on disk.
    #[default]
    Modified,
}

/// A full-text search over notes (`vault_fts_search`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FtsQuery {
    /// The words, or an FTS5 expression.
    pub query: String,
    /// A prefix of the path as text: `daily` also matches `daily-archive/`, `daily/` is the folder.
    pub path_prefix: Option<String>,
    /// How many hits come back; at most [`FtsQuery::MAX_RESULTS`] whatever is asked.
    pub max_results: usize,
}

impl FtsQuery {
    /// Most hits that one answer holds.
    pub const MAX_RESULTS: usize = 50;

    /// A search for `query` over the whole vault with the default limit, 20.
    #[must_use]
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), path_prefix: None, max_results: 20 }
    }
}

/// Which rows of a list are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Rows to pass over.
    pub offset: usize,
    /// Most rows.
    pub limit: usize,
}

impl Part {
    /// The values of `LIMIT ? OFFSET ?`.
    pub(crate) fn params(self) -> [store::Value; 2] {
        [self.limit, self.offset].map(|number| i64::try_from(number).unwrap_or(i64::MAX).into())
    }
}

/// The first rows.
impl From<usize> for Part {
    fn from(limit: usize) -> Self {
        Self { offset: 0, limit }
    }
}
