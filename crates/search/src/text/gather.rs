//! From a word of the query to the documents that hold it.

use super::corpus::Corpus;
use super::docset::Scope;
use super::groups::Group;
use super::postings::Posting;

/// A document that holds a word of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    pub(crate) slot: u32,
    /// The parts that hold it.
    pub(crate) mask: u8,
    /// It holds the word as typed.
    pub(crate) exact: bool,
    /// How much it holds of it, over all words of the group.
    pub(crate) frequency: f64,
}

/// Collects documents group by group. Its table of places is made once a query.
#[derive(Debug)]
pub(crate) struct Gatherer<'a> {
    corpus: &'a Corpus,
    scope: &'a Scope,
    /// By slot, one more than the place in the list being made.
    places: Vec<u32>,
}

impl<'a> Gatherer<'a> {
    pub(crate) fn new(corpus: &'a Corpus, scope: &'a Scope) -> Self {
        Self { corpus, scope, places: Vec::new() }
    }

    /// The documents of the scope that hold any word of the group, each once. `weigh` says how
    /// much one posting is worth.
    pub(crate) fn gather(&mut self, group: &Group, weigh: impl Fn(&Posting) -> f64) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        let several = group.words().nth(1).is_some();
        if several {
            self.places.resize(self.corpus.slots(), 0);
        }
        for word in group.words() {
            let Some(list) = self.corpus.list(word) else { continue };
            let exact = group.others_exact || group.exact == Some(word);
            if found.is_empty() {
                found.reserve(list.len());
            }
            for posting in list.iter() {
                if !self.corpus.sees(posting.slot, self.scope) {
                    continue;
                }
                let frequency = weigh(&posting);
                let new = Found { slot: posting.slot, mask: posting.mask, exact, frequency };
                let Some(place) = self.places.get_mut(posting.slot as usize).filter(|_| several) else {
                    found.push(new);
                    continue;
                };
                match place.checked_sub(1).and_then(|before| found.get_mut(before as usize)) {
                    Some(old) => {
                        old.mask |= posting.mask;
                        old.exact |= exact;
                        old.frequency += frequency;
                    }
                    None => {
                        found.push(new);
                        *place = u32::try_from(found.len()).unwrap_or(0);
                    }
                }
            }
        }
        if several {
            for found in &found {
                if let Some(place) = self.places.get_mut(found.slot as usize) {
                    *place = 0;
                }
            }
        }
        found
    }
}
