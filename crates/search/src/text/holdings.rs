//! Documents and their postings, in numbers of the vocabulary.

use std::collections::HashMap;

use super::doc::{Doc, Totals};
use super::fields::Part;
use super::postings::{Counts, PostingList};
use super::prepare::Document;
use super::varint;

/// Documents in numbers of the vocabulary, which is beside them: the two are filled at the same
/// time.
#[derive(Debug, Default)]
pub(super) struct Holdings {
    /// Postings by word.
    pub(super) lists: Vec<PostingList>,
    /// Documents by slot.
    pub(super) docs: Vec<Option<Doc>>,
    pub(super) free: Vec<u32>,
    /// Slots by document.
    pub(super) slots: HashMap<u32, u32>,
    pub(super) totals: Totals,
}

impl Holdings {
    /// Takes a document in, in the place of an older one of the same number.
    pub(super) fn put(&mut self, id: u32, document: &Document, numbers: &[u32], edits: &mut Vec<Edit>) {
        let used = match self.slots.get(&id).copied() {
            Some(slot) => {
                self.take_out(slot, edits);
                Some(slot)
            }
            None => self.free.pop(),
        };
        let Some(slot) = used else {
            self.append(id, document, numbers);
            return;
        };
        let (doc, counts) = read(id, document, numbers);
        let words = numbers.iter().zip(counts);
        edits.extend(words.map(|(word, counts)| Edit {
            word: *word,
            slot,
            before: None,
            after: Some(counts),
        }));
        self.settle(slot, doc);
    }

    /// Takes a document in behind all others, where its postings need no merging.
    pub(super) fn append(&mut self, id: u32, document: &Document, numbers: &[u32]) {
        let slot = u32::try_from(self.docs.len()).unwrap_or(u32::MAX);
        self.docs.push(None);
        let (doc, counts) = read(id, document, numbers);
        let most = numbers.iter().max().map_or(0, |word| *word as usize + 1);
        if most > self.lists.len() {
            self.lists.resize_with(most, PostingList::default);
        }
        for (word, counts) in numbers.iter().zip(counts) {
            if let Some(list) = self.lists.get_mut(*word as usize) {
                list.push(slot, counts);
            }
        }
        self.settle(slot, doc);
    }

    fn settle(&mut self, slot: u32, doc: Doc) {
        self.totals.add(&doc);
        self.slots.insert(doc.id, slot);
        if let Some(place) = self.docs.get_mut(slot as usize) {
            *place = Some(doc);
        }
    }

    pub(super) fn remove(&mut self, id: u32, edits: &mut Vec<Edit>) {
        if let Some(slot) = self.slots.remove(&id) {
            self.take_out(slot, edits);
            self.free.push(slot);
        }
    }

    /// Empties a slot and asks for its postings to go.
    fn take_out(&mut self, slot: u32, edits: &mut Vec<Edit>) {
        let Some(doc) = self.docs.get_mut(slot as usize).and_then(Option::take) else { return };
        self.totals.subtract(&doc);
        let lengths = Part::ALL.into_iter().zip(doc.lengths);
        let parts = lengths.flat_map(|(part, length)| std::iter::repeat_n(part, length as usize));
        let mut tokens: Vec<(u32, Part)> = doc.tokens().zip(parts).collect();
        tokens.sort_unstable_by_key(|(word, _)| *word);
        for same in tokens.chunk_by(|one, other| one.0 == other.0) {
            let mut counts = Counts::default();
            for (_, part) in same {
                if let Some(count) = counts.0.get_mut(part.index()) {
                    *count += 1;
                }
            }
            if let Some((word, _)) = same.first() {
                edits.push(Edit { word: *word, slot, before: Some(counts), after: None });
            }
        }
    }

    /// Merges edits into the lists, each list once. Of the edits of a word and slot the first
    /// knows what was there and the last what shall be; most words of a changed note stay as
    /// they were, and their lists are left alone.
    pub(super) fn merge(&mut self, mut edits: Vec<Edit>) {
        // Stable: edits of one word and slot stay in the order in which they came.
        edits.sort_by_key(|edit| (edit.word, edit.slot));
        let mut changes: Vec<(u32, Option<Counts>)> = Vec::new();
        for word in edits.chunk_by(|one, other| one.word == other.word) {
            changes.clear();
            for slot in word.chunk_by(|one, other| one.slot == other.slot) {
                let (Some(first), Some(last)) = (slot.first(), slot.last()) else { continue };
                if first.before != last.after {
                    changes.push((last.slot, last.after));
                }
            }
            let Some(word) = word.first().filter(|_| !changes.is_empty()) else { continue };
            if word.word as usize >= self.lists.len() {
                self.lists.resize_with(word.word as usize + 1, PostingList::default);
            }
            if let Some(list) = self.lists.get_mut(word.word as usize) {
                list.merge(&changes);
            }
        }
    }
}

/// A document in numbers of the vocabulary, and how often it holds each of its words.
fn read(id: u32, document: &Document, numbers: &[u32]) -> (Doc, Vec<Counts>) {
    let mut counts = vec![Counts::default(); numbers.len()];
    let mut stream = Vec::with_capacity(document.tokens.len() * 2);
    for part in Part::ALL {
        for token in document.part(part) {
            let Some(count) = counts.get_mut(*token as usize) else { continue };
            if let Some(count) = count.0.get_mut(part.index()) {
                *count += 1;
            }
            varint::write(&mut stream, numbers.get(*token as usize).copied().unwrap_or(0));
        }
    }
    let doc = Doc {
        id,
        kind: document.kind,
        name_is_title: document.name_is_title,
        path: document.path.as_str().into(),
        lengths: document.lengths,
        stream: stream.into_boxed_slice(),
    };
    (doc, counts)
}

/// A posting to set or to take out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edit {
    word: u32,
    slot: u32,
    /// What is there; `None` where that is nothing, or known to an earlier edit.
    before: Option<Counts>,
    /// What shall be there.
    after: Option<Counts>,
}
