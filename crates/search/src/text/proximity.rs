//! How near the words of a query stand to each other in a document.
//!
//! Title and body are one text with a gap between them. For every two neighbouring words of the
//! query the closest places they have there count, up to eight words apart.

use super::corpus::Corpus;
use super::doc::Doc;
use super::fields::Part;
use super::groups::Group;
use super::query::PlainQuery;

/// Furthest apart that still counts, and the gap between title and body.
const REACH: usize = 8;

/// Nearness of the words of one query.
#[derive(Debug)]
pub(crate) struct Nearness {
    /// By word of the vocabulary, one more than the place in `sets`; 0 for all other words.
    set_of: Vec<u16>,
    /// The groups that a word belongs to.
    sets: Vec<Vec<usize>>,
    /// Neighbouring groups of the query.
    pairs: Vec<(usize, usize)>,
    /// By group, the pairs it is in.
    pairs_of: Vec<Vec<usize>>,
    /// By group, its last place in the document at hand.
    last: Vec<Option<usize>>,
    /// By pair, the closest distance in the document at hand.
    closest: Vec<usize>,
    /// Share of the score that is added when all neighbours stand side by side.
    bonus: f64,
}

impl Nearness {
    /// `None` for a query of one word, which has no neighbours.
    pub(crate) fn new(corpus: &Corpus, query: &PlainQuery, groups: &[Group], bonus: f64) -> Option<Self> {
        let pairs: Vec<(usize, usize)> =
            query.order.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?))).collect();
        if pairs.is_empty() {
            return None;
        }
        let mut nearness = Self {
            set_of: vec![0; corpus.words.len()],
            sets: Vec::new(),
            pairs_of: vec![Vec::new(); groups.len()],
            last: vec![None; groups.len()],
            closest: vec![usize::MAX; pairs.len()],
            pairs,
            bonus,
        };
        for (place, (one, other)) in nearness.pairs.iter().enumerate() {
            for group in [one, other] {
                if let Some(pairs) = nearness.pairs_of.get_mut(*group) {
                    pairs.push(place);
                }
            }
        }
        for (place, group) in groups.iter().enumerate() {
            for word in group.words() {
                nearness.add(word, place);
            }
        }
        Some(nearness)
    }

    fn add(&mut self, word: u32, group: usize) {
        let Some(set) = self.set_of.get_mut(word as usize) else { return };
        if let Some(groups) = set.checked_sub(1).and_then(|place| self.sets.get_mut(usize::from(place))) {
            groups.push(group);
            return;
        }
        // More words than that come from a prefix that is half the vocabulary; the rest go without.
        if let Ok(place) = u16::try_from(self.sets.len() + 1) {
            self.sets.push(vec![group]);
            *set = place;
        }
    }

    /// The factor on a document's score, at least 1.
    pub(crate) fn factor(&mut self, doc: &Doc) -> f64 {
        self.last.fill(None);
        self.closest.fill(usize::MAX);
        let title = doc.length(Part::Title) as usize;
        let end = title + doc.length(Part::Body) as usize;
        for (place, word) in doc.tokens().take(end).enumerate() {
            let Some(set) = self.set_of.get(word as usize).and_then(|set| set.checked_sub(1)) else {
                continue;
            };
            let Some(groups) = self.sets.get(usize::from(set)) else { continue };
            let place = if place < title { place } else { place + REACH };
            for group in groups {
                for pair in self.pairs_of.get(*group).into_iter().flatten() {
                    let Some((one, other)) = self.pairs.get(*pair) else { continue };
                    let partner = if one == group { other } else { one };
                    let before = self.last.get(*partner).copied().flatten();
                    if let (Some(before), Some(closest)) = (before, self.closest.get_mut(*pair)) {
                        *closest = (*closest).min(place - before);
                    }
                }
            }
            // Only now: two groups may share a word, and one place is no pair.
            for group in groups {
                if let Some(last) = self.last.get_mut(*group) {
                    *last = Some(place);
                }
            }
        }
        let near: f64 = self
            .closest
            .iter()
            .filter(|closest| **closest <= REACH)
            .map(|closest| 1.0 / (*closest).max(1) as f64)
            .sum();
        1.0 + self.bonus * near / self.pairs.len() as f64
    }
}
