//! The default ranking: BM25F over groups of word forms.
//!
//! Every word of the query with all its forms is one group with one document frequency, and the
//! fields of a document are added up before saturation (Robertson, Zaragoza and Taylor, 2004).
//! Scoring forms as words of their own would let a rare form outweigh the common one. Any word
//! may be missing; how much that costs depends on how few words the query has. Notes that hold
//! the words as typed, in the title, or close together, come first among their like.

use super::corpus::Corpus;
use super::doc::{Doc, Totals};
use super::docset::Scope;
use super::fields::{PARTS, Part};
use super::gather::Gatherer;
use super::groups::Group;
use super::postings::Posting;
use super::proximity::Nearness;
use super::query::PlainQuery;
use super::stopwords::Stopwords;
use super::top::{Outcome, Scored, best, order};

/// The constants that depend on how long documents are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Recipe {
    /// Saturation: how soon more of the same word stops counting.
    k1: f64,
    /// How much a long body is held against a document, and a long other field.
    b_body: f64,
    b_other: f64,
    /// Share of the score that is added when all neighbours of the query stand side by side.
    nearness: f64,
}

impl Recipe {
    /// For notes.
    pub(crate) const NOTES: Self = Self { k1: 2.0, b_body: 0.75, b_other: 0.375, nearness: 0.2 };
    /// For entries of one or two sentences: in those a word hardly ever stands twice, length says little,
    /// and words side by side say much.
    pub(crate) const ENTRIES: Self = Self { k1: 1.2, b_body: 0.2, b_other: 0.1, nearness: 0.4 };
}

/// Share of the score that goes when all words are other forms.
const DAMPING: f64 = 0.2;
/// Bonus for a title that holds every word, as a share of the words' weight.
const TITLE_BONUS: f64 = 0.3;
/// Documents whose words are looked at for nearness.
const NEARNESS_DOCUMENTS: usize = 50;

/// Weight of each part, in the order of [`Part::ALL`]: title 4, body 1, aliases 4, description 3,
/// path 2, tags 2, headings 2, markup of the body a quarter.
const WEIGHTS: [f64; PARTS] = [4.0, 1.0, 4.0, 3.0, 2.0, 2.0, 2.0, 0.25];

/// A query as the ranking sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) recipe: Recipe,
    pub(crate) query: &'a PlainQuery,
    /// The group of each term of the query.
    pub(crate) groups: &'a [Group],
    pub(crate) stopwords: Stopwords,
}

/// What is known of a document while the groups are gone through.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    score: f64,
    /// Weight of the groups that matched.
    weight: f64,
    /// Words of the query that matched, repeats counted, and those that did as typed.
    matched: u32,
    exact: u32,
    /// Groups that matched, and those that did in the title.
    groups: u32,
    in_title: u32,
    mask: u8,
}

/// Ranks the documents of the scope. With `only`, exactly the documents for which it is true are
/// results, whether they hold a word or not.
pub(crate) fn rank(
    corpus: &Corpus,
    asked: Asked<'_>,
    scope: &Scope,
    only: Option<&dyn Fn(u32) -> bool>,
    limit: usize,
) -> Outcome {
    let totals = corpus.totals(scope);
    let recipe = asked.recipe;
    let lengths = LengthNorm::new(&totals, recipe);
    let mut gatherer = Gatherer::new(corpus, scope);
    let mut tallies = vec![Tally::default(); corpus.slots()];
    let mut all_weight = 0.0;
    for group in asked.groups {
        let found = gatherer.gather(group, |posting| lengths.frequency(corpus, posting));
        let holding = corpus.notes_among(found.iter().map(|found| found.slot));
        let weight = group.weight * inverse_frequency(totals.documents, holding);
        all_weight += weight;
        for found in found {
            let Some(tally) = tallies.get_mut(found.slot as usize) else { continue };
            let count = f64::from(group.count);
            tally.score +=
                count * weight * found.frequency * (recipe.k1 + 1.0) / (found.frequency + recipe.k1);
            tally.weight += weight;
            tally.matched += group.count;
            tally.exact += if found.exact { group.count } else { 0 };
            tally.groups += 1;
            tally.in_title += u32::from(found.mask & Part::Title.bit() != 0);
            tally.mask |= found.mask;
        }
    }
    let groups = asked.groups.len();
    let mut outcome = Outcome::default();
    let mut scored = Vec::new();
    for (slot, tally) in (0..).zip(&tallies) {
        if tally.groups == 0 && only.is_none() {
            continue;
        }
        let Some(doc) = corpus.doc(slot).filter(|doc| doc.is_in(scope) && scope.allows(doc.id)) else {
            continue;
        };
        if only.is_some_and(|only| !only(doc.id)) {
            continue;
        }
        let all = tally.groups as usize == groups;
        outcome.holding_some += 1;
        outcome.holding_all += usize::from(all);
        let mut score = tally.score;
        if tally.matched > 0 {
            score *= 1.0 - DAMPING * f64::from(tally.matched - tally.exact) / f64::from(tally.matched);
            score *= coverage(tally.weight / all_weight, groups);
        }
        if groups > 0 && tally.in_title as usize == groups {
            let words = title_words(corpus, doc, asked.stopwords).max(1);
            score += TITLE_BONUS * all_weight * (groups as f64 / words as f64).min(1.0);
        }
        // A file name that is the title has matched with it.
        let named = doc.name_is_title && tally.mask & Part::Title.bit() != 0;
        scored.push(Scored {
            slot,
            score: score * doc.kind.weight(),
            mask: tally.mask | if named { Part::Path.bit() } else { 0 },
            exact: tally.exact == tally.matched,
            all,
        });
    }
    let mut top = best(corpus, scored, limit.max(NEARNESS_DOCUMENTS));
    if let Some(mut nearness) = Nearness::new(corpus, asked.query, asked.groups, recipe.nearness) {
        for scored in top.iter_mut().take(NEARNESS_DOCUMENTS) {
            if let Some(doc) = corpus.doc(scored.slot) {
                scored.score *= nearness.factor(doc);
            }
        }
        top.sort_by(|one, other| order(corpus, one, other));
    }
    top.truncate(limit);
    outcome.top = top;
    outcome
}

/// How much a word says, by how few documents hold it.
pub(crate) fn inverse_frequency(documents: u64, holding: usize) -> f64 {
    let (documents, holding) = (documents as f64, holding as f64);
    (1.0 + (documents - holding + 0.5) / (holding + 0.5)).ln()
}

/// The factor for missing words: two words belong together, of three one may be missing at a
/// price, and a longer question is not about each of its words.
fn coverage(share: f64, groups: usize) -> f64 {
    match groups {
        2 => share,
        3 => share.sqrt(),
        _ => 1.0,
    }
}

/// Words of a document's title that are no fillers.
fn title_words(corpus: &Corpus, doc: &Doc, stopwords: Stopwords) -> usize {
    doc.tokens()
        .take(doc.length(Part::Title) as usize)
        .filter(|word| !stopwords.contains(corpus.words.get(*word)))
        .count()
}

/// Lengths of parts against their averages, prepared so that a posting costs one division a part.
#[derive(Debug)]
struct LengthNorm {
    /// By part, the divisor of a document without length, and what a token adds to it; the
    /// part's weight is in both.
    parts: [(f64, f64); PARTS],
}

impl LengthNorm {
    fn new(totals: &Totals, recipe: Recipe) -> Self {
        let mut parts = [(1.0, 0.0); PARTS];
        for ((part, weight), norm) in Part::ALL.into_iter().zip(WEIGHTS).zip(&mut parts) {
            let b = if part == Part::Body { recipe.b_body } else { recipe.b_other };
            *norm = ((1.0 - b) / weight, b / totals.average(part) / weight);
        }
        Self { parts }
    }

    /// The weighted frequency of a word in a document.
    fn frequency(&self, corpus: &Corpus, posting: &Posting) -> f64 {
        let Some(doc) = corpus.doc(posting.slot) else { return 0.0 };
        let mut sum = 0.0;
        for ((count, length), (fixed, slope)) in posting.counts.0.into_iter().zip(doc.lengths).zip(self.parts)
        {
            if count > 0 {
                sum += f64::from(count) / (fixed + slope * f64::from(length));
            }
        }
        sum
    }
}
