//! The engine's answer.

use std::collections::BTreeMap;

use super::fields::Field;
use super::highlight::Highlights;

/// How a caller wants its query read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QueryMode {
    /// FTS5 syntax where the query uses it, plain words otherwise.
    #[default]
    Auto,
    /// Plain words, whatever they look like.
    Plain,
}

/// How a query was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryReading {
    /// Plain words, and the first result holds every one of them.
    All,
    /// Plain words, and no result holds every one of them.
    Relaxed,
    /// FTS5 syntax, run as written.
    Syntax,
}

impl QueryReading {
    /// The name in answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Relaxed => "relaxed",
            Self::Syntax => "syntax",
        }
    }
}

/// Whether a hit holds the words as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchKind {
    /// Every word that matched did so as typed.
    Exact,
    /// Some word matched only in another form.
    WordForms,
}

impl MatchKind {
    /// The name in answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::WordForms => "word_forms",
        }
    }
}

/// A document found.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedHit {
    /// The document.
    pub doc: u32,
    /// The score of the ranking in force; only its order and ratio mean something.
    pub score: f64,
    /// The score as a share of the best one, in [0, 1].
    pub normalised: f64,
    /// Where the words were found.
    pub matched_fields: Vec<Field>,
    /// As typed, or in other forms.
    pub match_kind: MatchKind,
    /// Whether every term of the query is in the document, in some form.
    pub all_terms: bool,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The best documents, best first; equal scores by path.
    pub hits: Vec<RankedHit>,
    /// Documents that hold every term when there are any, else those that hold some; with FTS5
    /// syntax, the documents that match.
    pub total: usize,
    /// How the query was read.
    pub query_mode: QueryReading,
    /// Filler words that were left out, as typed.
    pub ignored_stopwords: Vec<String>,
    /// Word of the query, as typed, to the other words it also stood for.
    pub word_forms: BTreeMap<String, Vec<String>>,
    /// The best score, 0 without hits.
    pub max_score: f64,
    /// What to mark in snippets.
    pub highlights: Highlights,
    /// Number of distinct terms that were searched for.
    pub terms: usize,
    /// Documents, among those the scope leaves, that hold every term in some form.
    pub holding_all: usize,
}
