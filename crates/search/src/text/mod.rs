//! The full-text engine: one tokeniser, resident postings, the ranking, snippets.
//!
//! Text is stored as token streams in the index file, and held in memory as compressed postings
//! that are rebuilt at start and kept current after every commit. Queries in FTS5 syntax run in
//! an FTS5 table that is fed with the same tokens.

mod corpus;
mod distance;
mod doc;
mod docset;
mod engine;
mod error;
mod fields;
mod fold;
mod gather;
mod groups;
mod highlight;
mod holdings;
mod language;
mod postings;
mod prepare;
mod proximity;
mod query;
mod ranked;
mod recipe;
mod seed;
mod snippet;
mod stems;
mod stopwords;
mod stored;
mod syntax;
mod tokenize;
mod top;
mod varint;
mod words;

pub use docset::{DocSet, Scope};
pub use engine::{Engine, Ranking, Staged, TextOptions, TextStats};
pub use error::{TextError, UnknownLanguage};
pub use fields::{DocKind, Field, Fields};
pub use highlight::Highlights;
pub use language::Language;
pub use prepare::{Prepared, markup_of, prepare};
pub use ranked::{MatchKind, QueryMode, QueryReading, Ranked, RankedHit};
pub use snippet::Snippet;
pub(crate) use stems::WordForms;
pub use tokenize::{Token, Tokens, tokens};

#[cfg(test)]
mod tests;
