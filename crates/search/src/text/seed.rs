//! The other ranking: BM25 as SQLite's FTS5 computes it, over the largest set of words that some
//! note has.
//!
//! Every form of a word is a word of its own here, a hit counts by the field it is in, and a
//! note that lacks one of the words searched for is no result. Where no note has every word, the
//! largest set of words that some note does have is searched instead, and among equally large
//! ones that with the rarest words. The numbers equal those of `bm25()` in FTS5 with the same
//! column weights; they are computed here because FTS5 would count notes that the caller may not
//! see.

use super::corpus::Corpus;
use super::doc::{Doc, Totals};
use super::docset::Scope;
use super::fields::{DocKind, PARTS, Part};
use super::groups::Group;
use super::postings::Posting;
use super::recipe::inverse_frequency;
use super::top::{Outcome, Scored, best};

/// Weight of each part, in the order of [`Part::ALL`]: title 10, body 1, aliases 8, description 5,
/// path 4, tags 3, headings 3; the markup of the body is body.
const WEIGHTS: [f64; PARTS] = [10.0, 1.0, 8.0, 5.0, PATH_WEIGHT, 3.0, 3.0, 1.0];
const PATH_WEIGHT: f64 = 4.0;

const K1: f64 = 1.2;
const B: f64 = 0.75;
/// The least a word can weigh, as in FTS5: words in more than half of all notes would count
/// against a note otherwise.
const LEAST_WEIGHT: f64 = 1e-6;
/// Share of the score that goes when all words are other forms.
const DAMPING: f64 = 0.5;
/// Words that can be told apart in a set; what a longer query has beyond them is left out.
const MAX_TERMS: usize = 64;

#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    score: f64,
    /// Groups that matched, a bit each, and those that did as typed.
    matched: u64,
    exact: u64,
    mask: u8,
}

/// Ranks the documents of the scope that hold the largest set of words any of them holds.
pub(crate) fn rank(corpus: &Corpus, groups: &[Group], scope: &Scope, limit: usize) -> Outcome {
    let groups = groups.get(..MAX_TERMS).unwrap_or(groups);
    let totals = corpus.totals(scope);
    let mut tallies = vec![Tally::default(); corpus.slots()];
    let mut weights = Vec::with_capacity(groups.len());
    for (bit, group) in (0..).zip(groups) {
        let mut holding = 0;
        for word in group.words() {
            for posting in corpus.list(word).into_iter().flat_map(|list| list.iter()) {
                let Some(doc) = corpus.doc(posting.slot).filter(|doc| doc.is_in(scope)) else { continue };
                let Some(tally) = tallies.get_mut(posting.slot as usize) else { continue };
                let note = doc.kind == DocKind::Note;
                holding += usize::from(note && tally.matched & (1 << bit) == 0);
                tally.matched |= 1 << bit;
                if group.others_exact || group.exact == Some(word) {
                    tally.exact |= 1 << bit;
                }
                tally.mask |= posting.mask | name_bit(doc, &posting);
            }
        }
        weights.push(inverse_frequency(totals.documents, holding));
    }
    let allowed = |slot: u32| corpus.doc(slot).is_some_and(|doc| doc.is_in(scope) && scope.allows(doc.id));
    let searched = largest(
        (0..)
            .zip(&tallies)
            .filter(|(slot, tally)| tally.matched != 0 && allowed(*slot))
            .map(|(_, tally)| tally.matched),
        &weights,
    );
    if searched == 0 {
        return Outcome::default();
    }
    for (bit, group) in (0..).zip(groups) {
        if searched & (1_u64 << bit) != 0 {
            add_scores(corpus, group, scope, &totals, &mut tallies);
        }
    }
    let complete = searched.count_ones() as usize == groups.len();
    let mut outcome = Outcome::default();
    let mut scored = Vec::new();
    for (slot, tally) in (0..).zip(&tallies) {
        if tally.matched & searched != searched || !allowed(slot) {
            continue;
        }
        let exact = (tally.exact & searched).count_ones();
        let terms = searched.count_ones();
        outcome.holding_some += 1;
        outcome.holding_all += usize::from(complete);
        scored.push(Scored {
            slot,
            score: tally.score * (1.0 - DAMPING * f64::from(terms - exact) / f64::from(terms)),
            mask: tally.mask,
            exact: exact == terms,
            all: complete,
        });
    }
    outcome.top = best(corpus, scored, limit);
    outcome
}

/// Scores exactly the documents for which `only` is true by the words named.
pub(crate) fn rank_only(
    corpus: &Corpus,
    groups: &[Group],
    scope: &Scope,
    only: &dyn Fn(u32) -> bool,
    limit: usize,
) -> Outcome {
    let totals = corpus.totals(scope);
    let mut tallies = vec![Tally::default(); corpus.slots()];
    for group in groups {
        add_scores(corpus, group, scope, &totals, &mut tallies);
    }
    let mut scored = Vec::new();
    for (slot, tally) in (0..).zip(&tallies) {
        let Some(doc) = corpus.doc(slot) else { continue };
        if doc.is_in(scope) && scope.allows(doc.id) && only(doc.id) {
            scored.push(Scored { slot, score: tally.score, mask: tally.mask, exact: true, all: true });
        }
    }
    let count = scored.len();
    Outcome { top: best(corpus, scored, limit), holding_some: count, holding_all: count }
}

/// The largest set of words that a document has; of equally large ones that with the most weight.
fn largest(matched: impl Iterator<Item = u64>, weights: &[f64]) -> u64 {
    let weight = |set: u64| -> f64 {
        (0..).zip(weights).filter(|(bit, _)| set & (1_u64 << bit) != 0).map(|(_, weight)| weight).sum()
    };
    let mut best = (0, 0.0, 0);
    for set in matched {
        let size = set.count_ones();
        if size < best.0 || set == best.2 {
            continue;
        }
        let weight = weight(set);
        // Equal weights: the words that come first in the query.
        let earlier = set.trailing_zeros() < best.2.trailing_zeros();
        if size > best.0 || weight > best.1 || (weight == best.1 && earlier) {
            best = (size, weight, set);
        }
    }
    best.2
}

/// Adds BM25 of every word of a group, each as a word of its own.
fn add_scores(corpus: &Corpus, group: &Group, scope: &Scope, totals: &Totals, tallies: &mut [Tally]) {
    let documents = totals.documents as f64;
    let average = totals.row_tokens as f64 / documents.max(1.0);
    for word in group.words() {
        let holding = corpus.note_frequency(word, scope) as f64;
        let weight = ((documents - holding + 0.5) / (holding + 0.5)).ln().max(LEAST_WEIGHT);
        for posting in corpus.list(word).into_iter().flat_map(|list| list.iter()) {
            let Some(doc) = corpus.doc(posting.slot).filter(|doc| doc.is_in(scope)) else { continue };
            let Some(tally) = tallies.get_mut(posting.slot as usize) else { continue };
            tally.mask |= posting.mask | name_bit(doc, &posting);
            let mut frequency: f64 = posting
                .counts
                .0
                .into_iter()
                .zip(WEIGHTS)
                .map(|(count, weight)| f64::from(count) * weight)
                .sum();
            if name_bit(doc, &posting) != 0 {
                let [in_title, ..] = posting.counts.0;
                frequency += f64::from(in_title) * PATH_WEIGHT;
            }
            let length = doc.row_length() as f64 / average;
            tally.score += doc.kind.weight() * weight * frequency * (K1 + 1.0)
                / (frequency + K1 * (1.0 - B + B * length));
        }
    }
}

/// The bit of the file name where it says the same as the title, which holds the word.
fn name_bit(doc: &Doc, posting: &Posting) -> u8 {
    if doc.name_is_title && posting.mask & Part::Title.bit() != 0 { Part::Path.bit() } else { 0 }
}
