//! Sets of documents: what a caller may see, and what its filters leave.

/// A set of document ids, as a bitmap: ids are row ids of one table, so they are dense.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocSet {
    words: Vec<u64>,
    len: usize,
}

impl DocSet {
    /// The empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a document; whether it was new.
    pub fn insert(&mut self, doc: u32) -> bool {
        let (word, bit) = place(doc);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let Some(slot) = self.words.get_mut(word) else { return false };
        let new = *slot & bit == 0;
        *slot |= bit;
        self.len += usize::from(new);
        new
    }

    /// Whether the document is in the set.
    #[must_use]
    pub fn contains(&self, doc: u32) -> bool {
        let (word, bit) = place(doc);
        self.words.get(word).is_some_and(|slot| slot & bit != 0)
    }

    /// Number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no document is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

fn place(doc: u32) -> (usize, u64) {
    ((doc / 64) as usize, 1 << (doc % 64))
}

impl FromIterator<u32> for DocSet {
    fn from_iter<I: IntoIterator<Item = u32>>(docs: I) -> Self {
        let mut set = Self::new();
        for doc in docs {
            set.insert(doc);
        }
        set
    }
}

impl Extend<u32> for DocSet {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, docs: I) {
        for doc in docs {
            self.insert(doc);
        }
    }
}

/// Which documents a search is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// What the caller may see; `None` is everything. Number of documents, document frequencies
    /// and average lengths are of these: nothing outside has any influence on an answer.
    pub visible: Option<DocSet>,
    /// What the filters leave; `None` is everything visible. They choose among the results and
    /// leave the statistics alone, so that a note scores the same with and without a filter.
    pub allowed: Option<DocSet>,
    /// Only notes can be results, and only their words are known.
    pub notes_only: bool,
}

impl Scope {
    /// Every document.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    pub(crate) fn sees(&self, doc: u32) -> bool {
        self.visible.as_ref().is_none_or(|set| set.contains(doc))
    }

    pub(crate) fn allows(&self, doc: u32) -> bool {
        self.allowed.as_ref().is_none_or(|set| set.contains(doc))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let set: DocSet = [1, 63, 64, 1000, 64].into_iter().collect();
        assert_eq!(set.len(), 4);
        for doc in [1, 63, 64, 1000] {
            assert!(set.contains(doc));
        }
        for doc in [0, 2, 65, 999, 1001, u32::MAX] {
            assert!(!set.contains(doc));
        }
        assert!(DocSet::new().is_empty());
    }

    #[test]
    fn an_open_scope_sees_and_allows_everything() {
        assert!(Scope::all().sees(7) && Scope::all().allows(7));
        let scope = Scope {
            visible: Some([1, 2].into_iter().collect()),
            allowed: Some(DocSet::new()),
            notes_only: false,
        };
        assert!(scope.sees(1) && !scope.sees(3) && !scope.allows(1));
    }
}
