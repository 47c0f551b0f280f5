//! The resident full-text engine and the tables it is rebuilt from.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use store::{Connection, StoreError, Value};

use super::corpus::{Change, Corpus};
use super::docset::{DocSet, Scope};
use super::error::TextError;
use super::fields::{Part, fields_of};
use super::groups::{Group, Widening, prefix_group, resolve};
use super::highlight::Highlights;
use super::language::Language;
use super::prepare::Prepared;
use super::query::PlainQuery;
use super::ranked::{MatchKind, QueryMode, QueryReading, Ranked, RankedHit};
use super::recipe::{self, Asked, Recipe};
use super::seed;
use super::snippet::{Snippet, snippet};
use super::stopwords::Stopwords;
use super::syntax::{self, Node};
use super::top::Outcome;

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
pub struct Staged(Change);

/// What the engine holds, for status and logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextStats {
    /// Documents.
    pub documents: usize,
    /// Distinct words in them.
    pub terms: usize,
    /// Words whose stem is known, a word counting once for each language.
    pub stemmed: usize,
    /// Bytes of memory, about.
    pub bytes: usize,
}

/// The full-text engine. Searches run at the same time as each other and as the writing of
/// changes; only [`Engine::publish`] keeps them waiting, for as long as it takes to merge the
/// changes in.
#[derive(Debug)]
pub struct Engine {
    options: TextOptions,
    recipe: Recipe,
    stopwords: Stopwords,
    corpus: RwLock<Corpus>,
}

impl Engine {
    /// The engine's tables. `doc_tokens` is the truth, the FTS5 table answers queries in FTS5
    /// syntax. It gets finished tokens, so the `ascii` tokeniser, which splits at ASCII
    /// punctuation and takes every other character as part of a word, leaves them as they are.
    pub const SCHEMA: &str = "\
CREATE TABLE doc_tokens (doc INTEGER PRIMARY KEY, stream BLOB NOT NULL) STRICT;
CREATE VIRTUAL TABLE fts USING fts5(
  path, title, aliases, description, tags, headings, body,
  content='', contentless_delete=1, tokenize='ascii', detail=full);
";

    /// Version of the tokeniser and of the stored streams. An index written under another one
    /// has to be rebuilt.
    pub const FORMAT: u32 = super::stored::FORMAT as u32;

    /// An empty engine.
    #[must_use]
    pub fn new(options: TextOptions) -> Self {
        Self {
            stopwords: Stopwords::new(&options.languages),
            corpus: RwLock::new(Corpus::new(&options.languages)),
            recipe: Recipe::NOTES,
            options,
        }
    }

    /// An empty engine for short texts that has no tables: [`Engine::change`] fills it.
    pub(crate) fn of_entries(languages: Vec<Language>) -> Self {
        let options = TextOptions { languages, ranking: Ranking::Recipe };
        Self { recipe: Recipe::ENTRIES, ..Self::new(options) }
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
    pub fn load(&self, connection: &Connection) -> Result<(), TextError> {
        let mut corpus = Corpus::new(&self.options.languages);
        corpus.fill(|take| {
            connection.for_each("SELECT doc, stream FROM doc_tokens ORDER BY doc", &[], |row| {
                let doc: u32 = row.get(0)?;
                take(doc, Prepared::decode(&row.bytes(1)?).ok_or(TextError::Format { doc })?);
                Ok::<(), TextError>(())
            })
        })?;
        *self.corpus.write().unwrap_or_else(PoisonError::into_inner) = corpus;
        Ok(())
    }

    /// Writes a document, new or changed, inside the writer's transaction.
    ///
    /// # Errors
    /// The database's.
    pub fn store(&self, connection: &Connection, doc: u32, prepared: &Prepared) -> Result<Staged, TextError> {
        Self::delete(connection, doc)?;
        Self::insert(connection, doc, prepared)
    }

    /// Writes several documents, of which `None` goes; each may be there once only. As [`Engine::store`] and
    /// [`Engine::remove`] one by one, but all that goes goes first, so that what is gathered is written out
    /// once.
    ///
    /// # Errors
    /// The database's.
    pub(crate) fn store_all(
        &self,
        connection: &Connection,
        documents: Vec<(u32, Option<Prepared>)>,
    ) -> Result<Vec<Staged>, TextError> {
        for (doc, _) in &documents {
            Self::delete(connection, *doc)?;
        }
        let staged = documents.into_iter().map(|(doc, prepared)| match prepared {
            Some(prepared) => Self::insert(connection, doc, &prepared),
            None => Ok(Staged((doc, None))),
        });
        staged.collect()
    }

    fn delete(connection: &Connection, doc: u32) -> Result<(), TextError> {
        // Before each delete a contentless FTS5 table writes out all it has gathered since the last,
        // so only a document that is there is deleted: a first build takes a third less.
        if connection.execute("DELETE FROM doc_tokens WHERE doc = ?1", &[doc.into()])? > 0 {
            connection.execute("DELETE FROM fts WHERE rowid = ?1", &[doc.into()])?;
        }
        Ok(())
    }

    fn insert(connection: &Connection, doc: u32, prepared: &Prepared) -> Result<Staged, TextError> {
        connection.execute(
            "INSERT INTO doc_tokens (doc, stream) VALUES (?1, ?2)",
            &[doc.into(), prepared.encode().into()],
        )?;
        let document = prepared.document();
        // The column has the file name in every case.
        let path: &[Part] = if document.name_is_title { &[Part::Path, Part::Title] } else { &[Part::Path] };
        let columns: [&[Part]; 7] = [
            path,
            &[Part::Title],
            &[Part::Aliases],
            &[Part::Description],
            &[Part::Tags],
            &[Part::Headings],
            &[Part::Body, Part::Markup],
        ];
        let mut values: Vec<Value> = vec![doc.into()];
        values.extend(columns.into_iter().map(|parts| Value::from(document.joined(parts))));
        connection.execute(
            "INSERT INTO fts (rowid, path, title, aliases, description, tags, headings, body) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            &values,
        )?;
        Ok(Staged((doc, Some(prepared.clone()))))
    }

    /// Removes a document inside the writer's transaction; one that is not there is no error.
    ///
    /// # Errors
    /// The database's.
    pub fn remove(&self, connection: &Connection, doc: u32) -> Result<Staged, TextError> {
        Self::delete(connection, doc)?;
        Ok(Staged((doc, None)))
    }

    /// After the commit: makes the changes searchable, in the order in which they were staged.
    pub fn publish(&self, staged: Vec<Staged>) {
        let changes = staged.into_iter().map(|staged| staged.0).collect();
        self.corpus.write().unwrap_or_else(PoisonError::into_inner).apply(changes);
    }

    /// Takes documents in without a database: a measurement has none.
    pub(crate) fn fill(&self, documents: Vec<(u32, Prepared)>) {
        self.change(documents.into_iter().map(|(doc, prepared)| (doc, Some(prepared))).collect());
    }

    /// Takes documents in and out without a database; `None` is one that goes.
    pub(crate) fn change(&self, changes: Vec<(u32, Option<Prepared>)>) {
        self.corpus.write().unwrap_or_else(PoisonError::into_inner).apply(changes);
    }

    /// The best `limit` documents for a query. `connection` is used for FTS5 syntax alone.
    ///
    /// # Errors
    /// The database's. No query is an error: what is no proper FTS5 syntax is plain text.
    pub fn search(
        &self,
        connection: &Connection,
        query: &str,
        mode: QueryMode,
        scope: &Scope,
        limit: usize,
    ) -> Result<Ranked, TextError> {
        if mode == QueryMode::Auto
            && let Some(node) = syntax::parse(query)
            && let Some(matching) = matching(connection, &node)?
        {
            return Ok(self.search_syntax(&node, &matching, scope, limit));
        }
        Ok(self.search_plain(query, scope, limit))
    }

    /// Plain words; needs no database.
    pub(crate) fn search_plain(&self, query: &str, scope: &Scope, limit: usize) -> Ranked {
        let corpus = self.corpus.read().unwrap_or_else(PoisonError::into_inner);
        let query = PlainQuery::read(query, self.stopwords);
        let widening = match self.options.ranking {
            Ranking::Recipe => Widening::Guesses,
            Ranking::Seed => Widening::Forms,
        };
        let groups: Vec<Group> =
            query.terms.iter().map(|term| resolve(&corpus, term, widening, scope)).collect();
        let outcome = match self.options.ranking {
            Ranking::Recipe => {
                let asked =
                    Asked { recipe: self.recipe, query: &query, groups: &groups, stopwords: self.stopwords };
                recipe::rank(&corpus, asked, scope, None, limit)
            }
            Ranking::Seed => seed::rank(&corpus, &groups, scope, limit),
        };
        let mut ranked = answer(&corpus, &outcome, &groups, scope);
        ranked.query_mode = match ranked.hits.first() {
            Some(hit) if hit.all_terms => QueryReading::All,
            _ => QueryReading::Relaxed,
        };
        ranked.ignored_stopwords = query.ignored;
        ranked.word_forms = word_forms(&corpus, groups);
        ranked
    }

    fn search_syntax(&self, node: &Node, matching: &DocSet, scope: &Scope, limit: usize) -> Ranked {
        let corpus = self.corpus.read().unwrap_or_else(PoisonError::into_inner);
        let mut query = PlainQuery::default();
        let mut groups: Vec<Group> = Vec::new();
        for named in node.named() {
            query.add(&named.term.text, &named.term.typed);
            if groups.len() < query.terms.len() {
                groups.push(if named.prefix {
                    prefix_group(&corpus, named.term, scope)
                } else {
                    resolve(&corpus, named.term, Widening::None, scope)
                });
            }
        }
        let only = |doc: u32| matching.contains(doc);
        let outcome = match self.options.ranking {
            Ranking::Recipe => {
                let stopwords = Stopwords::default();
                let asked = Asked { recipe: self.recipe, query: &query, groups: &groups, stopwords };
                recipe::rank(&corpus, asked, scope, Some(&only), limit)
            }
            Ranking::Seed => seed::rank_only(&corpus, &groups, scope, &only, limit),
        };
        let total = outcome.holding_some;
        let mut ranked = answer(&corpus, &outcome, &groups, scope);
        ranked.total = total;
        ranked
    }

    /// The passage of `source` with the densest group of matches, about `budget` words long and
    /// cut on whole words and grapheme borders; its beginning when nothing matched in it.
    /// `marks` puts `«` and `»` around the matches.
    #[must_use]
    pub fn snippet(&self, source: &str, highlights: &Highlights, budget: usize, marks: bool) -> Snippet {
        snippet(source, highlights, budget, marks)
    }

    /// What the engine holds.
    #[must_use]
    pub fn stats(&self) -> TextStats {
        let corpus = self.corpus.read().unwrap_or_else(PoisonError::into_inner);
        TextStats {
            documents: corpus.len(),
            terms: corpus.terms(),
            stemmed: corpus.stems.len(),
            bytes: corpus.bytes(),
        }
    }
}

/// The documents that match a query in FTS5 syntax; `None` when FTS5 takes it for malformed
/// after all.
fn matching(connection: &Connection, node: &Node) -> Result<Option<DocSet>, TextError> {
    const SQLITE_ERROR: i32 = 1;
    let mut found = DocSet::new();
    let read =
        connection.for_each("SELECT rowid FROM fts WHERE fts MATCH ?1", &[node.to_match().into()], |row| {
            found.insert(row.get(0)?);
            Ok::<(), TextError>(())
        });
    match read {
        Ok(()) => Ok(Some(found)),
        Err(TextError::Store(StoreError::Sql { code: SQLITE_ERROR, .. })) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The answer of an outcome, but for how the query was read.
fn answer(corpus: &Corpus, outcome: &Outcome, groups: &[Group], scope: &Scope) -> Ranked {
    let max_score = outcome.top.first().map_or(0.0, |best| best.score);
    let hits = outcome
        .top
        .iter()
        .filter_map(|scored| {
            Some(RankedHit {
                doc: corpus.doc(scored.slot)?.id,
                score: scored.score,
                normalised: if max_score > 0.0 { scored.score / max_score } else { 0.0 },
                matched_fields: fields_of(scored.mask),
                match_kind: if scored.exact { MatchKind::Exact } else { MatchKind::WordForms },
                all_terms: scored.all,
            })
        })
        .collect();
    let mut highlights = Highlights::default();
    let documents = corpus.totals(scope).documents;
    for group in groups {
        let holding = group.words().map(|word| corpus.frequency(word, scope)).sum::<usize>();
        let holding = holding.min(usize::try_from(documents).unwrap_or(usize::MAX));
        let weight = recipe::inverse_frequency(documents, holding);
        highlights.add(group.words().map(|word| corpus.words.get(word)), weight);
    }
    Ranked {
        hits,
        total: if outcome.holding_all > 0 { outcome.holding_all } else { outcome.holding_some },
        query_mode: QueryReading::Syntax,
        ignored_stopwords: Vec::new(),
        word_forms: BTreeMap::new(),
        max_score,
        highlights,
        terms: groups.len(),
        holding_all: outcome.holding_all,
    }
}

/// The other words that each word of the query stood for.
fn word_forms(corpus: &Corpus, groups: Vec<Group>) -> BTreeMap<String, Vec<String>> {
    groups
        .into_iter()
        .filter(|group| !group.others.is_empty())
        .map(|group| {
            let words = group.others.iter().map(|word| corpus.words.get(*word).to_owned()).collect();
            (group.typed, words)
        })
        .collect()
}
