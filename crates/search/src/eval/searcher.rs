//! What is measured: anything that answers a query with documents in order.

use std::collections::HashMap;

use serde_json::json;
use vault::Principal;

use crate::text::{Engine, Fields, Highlights, Scope, TextOptions, prepare};
use crate::{FtsHit, FtsQuery, Index};

use super::dataset::Dataset;
use super::error::EvalError;

/// What a caller gets for one query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// The documents, best first, each once.
    pub documents: Vec<String>,
    /// Bytes that the caller has to read, about.
    pub bytes: usize,
    /// Calls that it took.
    pub calls: usize,
}

/// Something that searches.
pub trait Searcher {
    /// Answers a query with at most `limit` documents.
    ///
    /// # Errors
    /// Whatever keeps it from answering.
    fn answer(&self, query: &str, limit: usize) -> Result<Answer, EvalError>;
}

/// The full-text engine alone, in memory, without a database.
#[derive(Debug)]
pub struct EngineSearcher {
    engine: Engine,
    /// Names and texts of the documents, by number.
    documents: HashMap<u32, (String, String)>,
}

/// Words of a snippet.
const SNIPPET: usize = 30;

impl EngineSearcher {
    /// An engine over documents, each with the name that the judgements know it by.
    #[must_use]
    pub fn new(options: TextOptions, documents: impl IntoIterator<Item = (String, Fields)>) -> Self {
        let engine = Engine::new(options);
        let mut kept = HashMap::new();
        let mut prepared = Vec::new();
        for (number, (name, fields)) in (1..).zip(documents) {
            prepared.push((number, prepare(&fields)));
            kept.insert(number, (name, fields.body));
        }
        engine.fill(prepared);
        Self { engine, documents: kept }
    }

    /// An engine over a labelled set.
    #[must_use]
    pub fn over(options: TextOptions, dataset: &Dataset) -> Self {
        let documents = dataset.documents.iter().map(|document| {
            let fields =
                Fields { title: document.title.clone(), body: document.text.clone(), ..Fields::default() };
            (document.id.clone(), fields)
        });
        Self::new(options, documents)
    }

    /// The size of a hit as `vault_fts_search` writes it.
    fn size(&self, name: &str, body: &str, highlights: &Highlights) -> usize {
        const FRAME: usize = 120;
        FRAME + 2 * name.len() + self.engine.snippet(body, highlights, SNIPPET, true).text.len()
    }
}

impl Searcher for EngineSearcher {
    fn answer(&self, query: &str, limit: usize) -> Result<Answer, EvalError> {
        let ranked = self.engine.search_plain(query, &Scope::all(), limit);
        let mut answer = Answer { calls: 1, ..Answer::default() };
        for hit in &ranked.hits {
            if let Some((name, body)) = self.documents.get(&hit.doc) {
                answer.bytes += self.size(name, body, &ranked.highlights);
                answer.documents.push(name.clone());
            }
        }
        Ok(answer)
    }
}

/// The whole index, asked as `vault_fts_search` asks it.
pub struct IndexSearcher<'a> {
    index: &'a Index,
    who: Principal,
}

impl<'a> IndexSearcher<'a> {
    /// An index as a caller sees it.
    #[must_use]
    pub fn new(index: &'a Index, who: Principal) -> Self {
        Self { index, who }
    }
}

impl Searcher for IndexSearcher<'_> {
    fn answer(&self, query: &str, limit: usize) -> Result<Answer, EvalError> {
        let query = FtsQuery { query: query.to_owned(), path_prefix: None, max_results: limit };
        let found =
            self.index.fts_search(&self.who, &query).map_err(|error| EvalError::Search(error.to_string()))?;
        Ok(Answer {
            bytes: found.results.iter().map(size).sum(),
            documents: found.results.iter().map(|hit| hit.path.as_str().to_owned()).collect(),
            calls: 1,
        })
    }
}

/// The size of a hit in the answer of the tool.
fn size(hit: &FtsHit) -> usize {
    let fields: Vec<&str> = hit.matched_fields.iter().map(|field| field.name()).collect();
    json!({
        "path": hit.path.as_str(),
        "title": hit.title,
        "score": hit.score,
        "matched_fields": fields,
        "snippet": hit.snippet,
        "description": hit.description,
        "tags": hit.tags,
        "match": hit.match_.name(),
        "section": hit.section,
    })
    .to_string()
    .len()
}
