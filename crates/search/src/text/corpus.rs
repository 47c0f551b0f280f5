//! The documents in memory: vocabulary, postings, token streams, and the sums that scores need.
//!
//! Documents live in slots, small numbers that are given again when a document goes, so that a
//! query can count in plain arrays. Nothing here knows the database.

use std::sync::mpsc;

use super::doc::{Doc, Totals};
use super::docset::Scope;
use super::fields::DocKind;
use super::holdings::{Edit, Holdings};
use super::language::Language;
use super::postings::PostingList;
use super::prepare::{Document, Prepared};
use super::stems::Stems;
use super::words::Words;

/// A change of one document: its new content, or `None` when it goes.
pub(crate) type Change = (u32, Option<Prepared>);

/// Everything that is searched.
#[derive(Debug, Default)]
pub(crate) struct Corpus {
    pub(crate) words: Words,
    pub(crate) stems: Stems,
    holdings: Holdings,
}

impl Corpus {
    pub(crate) fn new(languages: &[Language]) -> Self {
        Self { stems: Stems::new(languages), ..Self::default() }
    }

    /// Number of slots, empty ones included.
    pub(crate) fn slots(&self) -> usize {
        self.holdings.docs.len()
    }

    /// Number of documents.
    pub(crate) fn len(&self) -> usize {
        self.holdings.slots.len()
    }

    /// The document in a slot.
    pub(crate) fn doc(&self, slot: u32) -> Option<&Doc> {
        self.holdings.docs.get(slot as usize).and_then(Option::as_ref)
    }

    /// The postings of a word.
    pub(crate) fn list(&self, word: u32) -> Option<&PostingList> {
        self.holdings.lists.get(word as usize).filter(|list| !list.is_empty())
    }

    /// Number of documents that are no notes.
    fn files(&self) -> usize {
        self.len() - usize::try_from(self.holdings.totals.documents).unwrap_or(0).min(self.len())
    }

    /// Whether every document is in the scope: then none has to be looked at.
    fn is_open(&self, scope: &Scope) -> bool {
        scope.visible.is_none() && !(scope.notes_only && self.files() > 0)
    }

    /// Documents of the scope that hold a word.
    pub(crate) fn frequency(&self, word: u32, scope: &Scope) -> usize {
        let Some(list) = self.list(word) else { return 0 };
        if self.is_open(scope) {
            return list.len();
        }
        list.iter().filter(|posting| self.sees(posting.slot, scope)).count()
    }

    /// Notes of the scope that hold a word.
    pub(crate) fn note_frequency(&self, word: u32, scope: &Scope) -> usize {
        if self.files() == 0 {
            return self.frequency(word, scope);
        }
        let Some(list) = self.list(word) else { return 0 };
        list.iter().filter(|posting| self.is_note(posting.slot) && self.sees(posting.slot, scope)).count()
    }

    /// How many of the documents in these slots are notes.
    pub(crate) fn notes_among(&self, slots: impl ExactSizeIterator<Item = u32>) -> usize {
        if self.files() == 0 { slots.len() } else { slots.filter(|slot| self.is_note(*slot)).count() }
    }

    fn is_note(&self, slot: u32) -> bool {
        self.doc(slot).is_some_and(|doc| doc.kind == DocKind::Note)
    }

    /// Whether some document of the scope holds a word.
    pub(crate) fn occurs(&self, word: u32, scope: &Scope) -> bool {
        let Some(list) = self.list(word) else { return false };
        self.is_open(scope) || list.iter().any(|posting| self.sees(posting.slot, scope))
    }

    /// Whether the document in a slot can be a result, filters aside.
    pub(crate) fn sees(&self, slot: u32, scope: &Scope) -> bool {
        self.is_open(scope) || self.doc(slot).is_some_and(|doc| doc.is_in(scope))
    }

    /// Sums over the notes of the scope.
    pub(crate) fn totals(&self, scope: &Scope) -> Totals {
        if scope.visible.is_none() {
            return self.holdings.totals;
        }
        let mut totals = Totals::default();
        for doc in self.holdings.docs.iter().flatten().filter(|doc| scope.sees(doc.id)) {
            totals.add(doc);
        }
        totals
    }

    /// Takes changes in, the last one of a document wins.
    pub(crate) fn apply(&mut self, changes: Vec<Change>) {
        let mut edits: Vec<Edit> = Vec::new();
        for (id, prepared) in changes {
            match prepared {
                Some(prepared) => {
                    let numbers = self.numbers(prepared.document());
                    self.holdings.put(id, prepared.document(), &numbers, &mut edits);
                }
                None => self.holdings.remove(id, &mut edits),
            }
        }
        self.holdings.merge(edits);
    }

    /// Takes in the documents that `read` passes on, each one once, into a corpus without any.
    /// Half of the work is done on another thread: a start waits for this.
    pub(crate) fn fill<E>(
        &mut self,
        read: impl FnOnce(&mut dyn FnMut(u32, Prepared)) -> Result<(), E>,
    ) -> Result<(), E> {
        const BATCH: usize = 64;
        let mut holdings = std::mem::take(&mut self.holdings);
        let (sender, receiver) = mpsc::sync_channel::<Vec<(u32, Prepared, Vec<u32>)>>(4);
        let read = std::thread::scope(|scope| {
            let holdings = &mut holdings;
            scope.spawn(move || {
                for (id, prepared, numbers) in receiver.into_iter().flatten() {
                    holdings.append(id, prepared.document(), &numbers);
                }
            });
            let mut batch = Vec::with_capacity(BATCH);
            let read = read(&mut |id, prepared| {
                let numbers = self.numbers(prepared.document());
                batch.push((id, prepared, numbers));
                if batch.len() == BATCH {
                    // The other end is there until this one goes.
                    let _ = sender.send(std::mem::replace(&mut batch, Vec::with_capacity(BATCH)));
                }
            });
            let _ = sender.send(batch);
            drop(sender);
            read
        });
        self.holdings = holdings;
        self.shrink();
        read
    }

    /// The numbers of a document's own words; new ones are added to the vocabulary.
    fn numbers(&mut self, document: &Document) -> Vec<u32> {
        document
            .words()
            .map(|word| {
                let known = self.words.len();
                let number = self.words.add(word);
                if number as usize == known {
                    self.stems.add(number, word);
                }
                number
            })
            .collect()
    }

    /// Gives back what growing has set aside.
    fn shrink(&mut self) {
        self.words.shrink();
        self.holdings.lists.iter_mut().for_each(PostingList::shrink);
        self.holdings.lists.shrink_to_fit();
        self.holdings.docs.shrink_to_fit();
    }

    /// Bytes of memory, about.
    pub(crate) fn bytes(&self) -> usize {
        let holdings = &self.holdings;
        let docs: usize = holdings.docs.iter().flatten().map(|doc| doc.path.len() + doc.stream.len()).sum();
        let lists: usize = holdings.lists.iter().map(PostingList::bytes).sum();
        self.words.bytes()
            + self.stems.bytes()
            + lists
            + docs
            + holdings.docs.capacity() * size_of::<Option<Doc>>()
            + holdings.slots.capacity() * 9
    }

    /// Number of words that stand in some document.
    pub(crate) fn terms(&self) -> usize {
        self.holdings.lists.iter().filter(|list| !list.is_empty()).count()
    }
}
