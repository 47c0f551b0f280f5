//! Which words of a source to mark, learned by a search and used by the snippets.

use hashbrown::HashMap;

/// The words a search matched, by the query word they stand for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Highlights {
    /// Folded words and the group each belongs to.
    words: HashMap<String, usize>,
    /// How much each group says; a passage with the rarer words is the better one.
    weights: Vec<f64>,
}

impl Highlights {
    /// Whether nothing is to be marked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Adds a group of words.
    pub(crate) fn add<'a>(&mut self, words: impl Iterator<Item = &'a str>, weight: f64) {
        for word in words {
            self.words.entry_ref(word).or_insert(self.weights.len());
        }
        self.weights.push(weight);
    }

    /// The group of a folded word.
    pub(crate) fn group(&self, word: &str) -> Option<usize> {
        self.words.get(word).copied()
    }

    /// How much a group says.
    pub(crate) fn weight(&self, group: usize) -> f64 {
        self.weights.get(group).copied().unwrap_or(0.0)
    }

    /// Number of groups.
    pub(crate) fn groups(&self) -> usize {
        self.weights.len()
    }
}
