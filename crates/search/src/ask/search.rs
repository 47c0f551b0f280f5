//! Ranked search: what the engine finds among what may be seen, with everything an answer shows.

use store::{Connection, params};
use vault::{Principal, VaultPath};

use super::condition::{Condition, begins_with};
use super::filters;
use super::meta::{stored_callout, stored_path, tags};
use super::passage::passage;
use super::scope::{Visible, documents};
use crate::answer::{FtsAnswer, FtsHit, Kind, LeadingCallout, SearchAnswer, SearchHit};
use crate::core::Core;
use crate::error::SearchError;
use crate::note::dates::show_nanoseconds;
use crate::query::{FtsQuery, SearchQuery};
use crate::text::{QueryMode, Scope};

/// Length of the snippets of [`Index::fts_search`](crate::Index::fts_search), in tokens.
const FTS_SNIPPET_TOKENS: usize = 32;

/// What hits show of a file beside its passage.
struct Shown {
    path: VaultPath,
    kind: Kind,
    bytes: u64,
    modified_ns: i64,
    title: Option<String>,
    type_: Option<String>,
    created: Option<String>,
    description: Option<String>,
    leading_callout: Option<LeadingCallout>,
}

impl Core {
    /// See [`Index::search`](crate::Index::search).
    pub(crate) fn search(&self, who: &Principal, query: &SearchQuery) -> Result<SearchAnswer, SearchError> {
        let visible = Visible::to(who);
        let indexing = visible.progress(self.report().progress);
        let zone = &self.options.time_zone;
        let filters = self.indexed_filters(who, &query.filters)?;
        self.ask(|connection| {
            let allowed = filters::allowed(connection, who, &filters, zone)?;
            let scope = Scope { visible: visible.documents(connection)?, allowed, notes_only: false };
            let ranked =
                self.engine.search(connection, &query.query, QueryMode::Auto, &scope, query.limit)?;
            let mut hits = Vec::with_capacity(ranked.hits.len());
            for hit in &ranked.hits {
                // A file that went while the engine was asked has no row any more.
                let Some(shown) = shown(connection, hit.doc)? else { continue };
                let passage = passage(
                    connection,
                    &self.engine,
                    hit.doc,
                    &ranked.highlights,
                    query.snippet_tokens,
                    false,
                )?;
                hits.push(SearchHit {
                    title: shown.title.unwrap_or_else(|| shown.path.file_name().to_owned()),
                    snippet: passage.text,
                    score: hit.normalised,
                    tags: tags(connection, hit.doc)?,
                    folder: shown.path.folder().to_owned(),
                    type_: shown.type_,
                    kind: shown.kind,
                    extension: (shown.kind == Kind::File).then(|| shown.path.extension()).flatten(),
                    created: shown.created,
                    modified: show_nanoseconds(shown.modified_ns, zone),
                    bytes: shown.bytes,
                    leading_callout: shown.leading_callout.filter(|_| query.include_leading_callout),
                    section: passage.section,
                    lines: passage.lines,
                    matched_fields: hit.matched_fields.clone(),
                    path: shown.path,
                });
            }
            Ok(SearchAnswer {
                hits,
                total: ranked.total,
                search_mode: "fts",
                reranked: false,
                query_mode: ranked.query_mode,
                indexing,
            })
        })
    }

    /// See [`Index::fts_search`](crate::Index::fts_search).
    pub(crate) fn fts_search(&self, who: &Principal, query: &FtsQuery) -> Result<FtsAnswer, SearchError> {
        let visible = Visible::to(who);
        let indexing = visible.progress(self.report().progress);
        let limit = query.max_results.min(FtsQuery::MAX_RESULTS);
        self.ask(|connection| {
            let prefix = query.path_prefix.as_deref().filter(|prefix| !prefix.is_empty());
            let allowed = prefix.map(|prefix| {
                let (piece, bounds) = begins_with("files.path_key", &VaultPath::fold(prefix));
                let mut condition = Condition::default();
                condition.and(&piece, bounds);
                documents(connection, &condition)
            });
            let scope = Scope {
                visible: visible.documents(connection)?,
                allowed: allowed.transpose()?,
                notes_only: true,
            };
            let ranked = self.engine.search(connection, &query.query, QueryMode::Auto, &scope, limit)?;
            let mut results = Vec::with_capacity(ranked.hits.len());
            for hit in &ranked.hits {
                let Some(shown) = shown(connection, hit.doc)? else { continue };
                let passage =
                    passage(connection, &self.engine, hit.doc, &ranked.highlights, FTS_SNIPPET_TOKENS, true)?;
                results.push(FtsHit {
                    title: shown.title.unwrap_or_else(|| shown.path.file_name().to_owned()),
                    path: shown.path,
                    score: (hit.score * 1000.0).round() / 1000.0,
                    matched_fields: hit.matched_fields.clone(),
                    snippet: passage.text,
                    description: shown.description,
                    tags: tags(connection, hit.doc)?,
                    match_: hit.match_kind,
                    section: passage.section,
                    lines: passage.lines,
                });
            }
            Ok(FtsAnswer {
                truncated: ranked.total > results.len(),
                results,
                total: ranked.total,
                query_mode: ranked.query_mode,
                ignored_stopwords: ranked.ignored_stopwords,
                word_forms: ranked.word_forms,
                indexing,
            })
        })
    }
}

fn shown(connection: &Connection, doc: u32) -> Result<Option<Shown>, SearchError> {
    connection.query_one(
        "SELECT files.path, files.kind, files.size, files.modified_ns, notes.title, notes.type, notes.created,
                notes.description, notes.leading_callout
         FROM files LEFT JOIN notes ON notes.id = files.id WHERE files.id = ?1",
        params![doc],
        |row| {
            Ok(Shown {
                path: stored_path(row.str(0)?)?,
                kind: kind(row.str(1)?),
                bytes: row.get(2)?,
                modified_ns: row.get(3)?,
                title: row.get(4)?,
                type_: row.get(5)?,
                created: row.get(6)?,
                description: row.get(7)?,
                leading_callout: stored_callout(row.get(8)?)?,
            })
        },
    )
}

/// Note or other file, by `files.kind`.
pub(crate) fn kind(name: &str) -> Kind {
    if name == "note" { Kind::Note } else { Kind::File }
}
