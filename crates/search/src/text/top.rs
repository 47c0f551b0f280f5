//! The best documents out of all that scored.

use std::cmp::Ordering;

use super::corpus::Corpus;

/// A document with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scored {
    pub(crate) slot: u32,
    pub(crate) score: f64,
    /// Parts that hold a word of the query.
    pub(crate) mask: u8,
    /// Every word that matched did so as typed.
    pub(crate) exact: bool,
    /// Every word of the query matched.
    pub(crate) all: bool,
}

/// What a ranking found.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Outcome {
    /// The best documents, best first.
    pub(crate) top: Vec<Scored>,
    /// Documents that hold some word.
    pub(crate) holding_some: usize,
    /// Documents that hold every word.
    pub(crate) holding_all: usize,
}

/// Better first: higher score, then path.
pub(crate) fn order(corpus: &Corpus, one: &Scored, other: &Scored) -> Ordering {
    other.score.total_cmp(&one.score).then_with(|| {
        let key = |scored: &Scored| corpus.doc(scored.slot).map(|doc| (&*doc.path, doc.id));
        key(one).cmp(&key(other))
    })
}

/// The best `count`, best first.
pub(crate) fn best(corpus: &Corpus, mut scored: Vec<Scored>, count: usize) -> Vec<Scored> {
    if count == 0 {
        return Vec::new();
    }
    if scored.len() > count {
        scored.select_nth_unstable_by(count - 1, |one, other| order(corpus, one, other));
        scored.truncate(count);
    }
    scored.sort_unstable_by(|one, other| order(corpus, one, other));
    scored
}
