//! The resident full-text engine and the tables it is rebuilt from.

use store::Connection;

use super::docset::Scope;
use super::error::TextError;
use super::highlight::Highlights;
use super::language::Language;
use super::prepare::Prepared;
use super::ranked::QueryMode;
use super::ranked::QueryReading;
use super::ranked::Ranked;
use super::snippet::Snippet;

/// Which formula ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranking {
    /// BM25F over groups of word forms, any word may be missing.
    #[default]
    Recipe,
    /// BM25 as SQLite's FTS5 computes it, over the largest set of words that some note has.
    Seed,
}

/// Settings of the engine. None of them is stored: changing one needs no new index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextOptions {
    /// Languages whose word forms and filler words are known; empty switches both off.
    pub languages: Vec<Language>,
    /// Which formula ranks.
    pub ranking: Ranking,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self { languages: vec![Language::ENGLISH], ranking: Ranking::default() }
    }
}

/// A change that was written inside a transaction and waits for its commit. Dropping it is
/// right when the transaction was rolled back.
#[derive(Debug)]
#[must_use = "publish it after the commit, or the change cannot be found"]
pub struct Staged {
    doc: u32,
    prepared: Option<Prepared>,
}

/// What the engine holds, for status and logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextStats {
    /// Documents.
    pub documents: usize,
    /// Distinct words in them.
    pub terms: usize,
    /// Bytes of memory, about.
    pub bytes: usize,
}

/// The full-text engine. Searches run at the same time as each other and as the writing of
/// changes; only [`Engine::publish`] keeps them waiting, for as long as it takes to merge the
/// changes in.
#[derive(Debug)]
pub struct Engine {
    options: TextOptions,
}

impl Engine {
    /// The engine's tables. `doc_tokens` is the truth, the FTS5 table answers queries in FTS5
    /// syntax.
    pub const SCHEMA: &str = "\
CREATE TABLE doc_tokens (doc INTEGER PRIMARY KEY, stream BLOB NOT NULL) STRICT;
CREATE VIRTUAL TABLE fts USING fts5(
  path, title, aliases, description, tags, headings, body,
  content='', contentless_delete=1, tokenize='ascii', detail=full);
";

    /// Version of the tokeniser and of the stored streams. An index written under another one
    /// has to be rebuilt.
    pub const FORMAT: u32 = 1;

    /// An empty engine.
    #[must_use]
    pub fn new(options: TextOptions) -> Self {
        Self { options }
    }

    /// The settings it was made with.
    #[must_use]
    pub fn options(&self) -> &TextOptions {
        &self.options
    }

    /// Replaces what is in memory by what the tables hold: at start, or after a rebuild.
    ///
    /// # Errors
    /// The database's, or a stream that this version cannot read.
    pub fn load(&self, _connection: &Connection) -> Result<(), TextError> {
        Ok(())
    }

    /// Writes a document, new or changed, inside the writer's transaction.
    ///
    /// # Errors
    /// The database's.
    pub fn store(
        &self,
        _connection: &Connection,
        doc: u32,
        prepared: &Prepared,
    ) -> Result<Staged, TextError> {
        Ok(Staged { doc, prepared: Some(prepared.clone()) })
    }

    /// Removes a document inside the writer's transaction; one that is not there is no error.
    ///
    /// # Errors
    /// The database's.
    pub fn remove(&self, _connection: &Connection, doc: u32) -> Result<Staged, TextError> {
        Ok(Staged { doc, prepared: None })
    }

    /// After the commit: makes the changes searchable, in the order in which they were staged.
    pub fn publish(&self, staged: Vec<Staged>) {
        for change in staged {
            drop((change.doc, change.prepared));
        }
    }

    /// The best `limit` documents for a query. `connection` is used for FTS5 syntax alone.
    ///
    /// # Errors
    /// The database's. No query is an error: what is no proper FTS5 syntax is plain text.
    pub fn search(
        &self,
        _connection: &Connection,
        _query: &str,
        _mode: QueryMode,
        _scope: &Scope,
        _limit: usize,
    ) -> Result<Ranked, TextError> {
        Ok(Ranked {
            hits: Vec::new(),
            total: 0,
            query_mode: QueryReading::Relaxed,
            ignored_stopwords: Vec::new(),
            word_forms: std::collections::BTreeMap::new(),
            max_score: 0.0,
            highlights: Highlights::default(),
            terms: 0,
            holding_all: 0,
        })
    }

    /// The passage of `source` with the densest group of matches, about `budget` words long and
    /// cut on whole words and grapheme borders; its beginning when nothing matched in it.
    /// `marks` puts `«` and `»` around the matches.
    #[must_use]
    pub fn snippet(&self, _source: &str, _highlights: &Highlights, _budget: usize, _marks: bool) -> Snippet {
        Snippet { text: String::new(), range: 0..0, first_match: None }
    }

    /// What the engine holds.
    #[must_use]
    pub fn stats(&self) -> TextStats {
        TextStats::default()
    }
}
