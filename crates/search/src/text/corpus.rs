//! The documents in memory: vocabulary, postings, token streams, and the sums that scores need.
//!
//! Documents live in slots, small numbers that are given again when a document goes, so that a
//! query can count in plain arrays. Nothing here knows the database.

use std::collections::HashMap;

use super::docset::Scope;
use super::fields::{DocKind, PARTS, Part};
use super::language::Language;
use super::postings::{Counts, PostingList};
use super::prepare::{Document, Prepared};
use super::stems::Stems;
use super::varint;
use super::words::Words;

/// A document in its slot.
#[derive(Debug, Clone)]
pub(crate) struct Doc {
    /// The caller's number.
    pub(crate) id: u32,
    pub(crate) kind: DocKind,
    /// The file name says the same as the title.
    pub(crate) name_is_title: bool,
    pub(crate) path: Box<str>,
    /// Number of tokens of each part.
    pub(crate) lengths: [u32; PARTS],
    /// The tokens of all parts, as numbers of the vocabulary.
    stream: Box<[u8]>,
}

impl Doc {
    /// Number of tokens of a part.
    pub(crate) fn length(&self, part: Part) -> u32 {
        self.lengths.get(part.index()).copied().unwrap_or(0)
    }

    /// Number of tokens of the document's row in FTS5, which has the file name in every case.
    pub(crate) fn row_length(&self) -> u64 {
        let own: u64 = self.lengths.iter().map(|length| u64::from(*length)).sum();
        own + if self.name_is_title { u64::from(self.length(Part::Title)) } else { 0 }
    }

    /// The tokens of all parts, one after the other, as numbers of the vocabulary.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = u32> + '_ {
        let mut bytes = &*self.stream;
        std::iter::from_fn(move || varint::read(&mut bytes))
    }
}

/// Sums over documents, exact because they are whole numbers: however the documents came, the
/// same ones give the same score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Totals {
    /// Documents.
    pub(crate) documents: u64,
    /// Tokens by part.
    pub(crate) tokens: [u64; PARTS],
    /// Documents where the part is not empty.
    pub(crate) filled: [u64; PARTS],
    /// Tokens of all rows in FTS5.
    pub(crate) row_tokens: u64,
}

impl Totals {
    fn add(&mut self, doc: &Doc) {
        self.documents += 1;
        self.row_tokens += doc.row_length();
        for ((tokens, filled), length) in self.tokens.iter_mut().zip(&mut self.filled).zip(doc.lengths) {
            *tokens += u64::from(length);
            *filled += u64::from(length > 0);
        }
    }

    fn subtract(&mut self, doc: &Doc) {
        self.documents -= 1;
        self.row_tokens -= doc.row_length();
        for ((tokens, filled), length) in self.tokens.iter_mut().zip(&mut self.filled).zip(doc.lengths) {
            *tokens -= u64::from(length);
            *filled -= u64::from(length > 0);
        }
    }

    /// Mean length of a part over the documents where it is not empty.
    pub(crate) fn average(&self, part: Part) -> f64 {
        let tokens = self.tokens.get(part.index()).copied().unwrap_or(0);
        let filled = self.filled.get(part.index()).copied().unwrap_or(0);
        if filled == 0 { 1.0 } else { tokens as f64 / filled as f64 }
    }
}

/// A change of one document: its new content, or `None` when it goes.
pub(crate) type Change = (u32, Option<Prepared>);

/// Everything that is searched.
#[derive(Debug, Default)]
pub(crate) struct Corpus {
    pub(crate) words: Words,
    /// Postings by word.
    lists: Vec<PostingList>,
    pub(crate) stems: Stems,
    /// Documents by slot.
    docs: Vec<Option<Doc>>,
    free: Vec<u32>,
    /// Slots by document.
    slots: HashMap<u32, u32>,
    totals: Totals,
}

impl Corpus {
    pub(crate) fn new(languages: &[Language]) -> Self {
        Self { stems: Stems::new(languages), ..Self::default() }
    }

    /// Number of slots, empty ones included.
    pub(crate) fn slots(&self) -> usize {
        self.docs.len()
    }

    /// Number of documents.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The document in a slot.
    pub(crate) fn doc(&self, slot: u32) -> Option<&Doc> {
        self.docs.get(slot as usize).and_then(Option::as_ref)
    }

    /// The postings of a word.
    pub(crate) fn list(&self, word: u32) -> Option<&PostingList> {
        self.lists.get(word as usize).filter(|list| !list.is_empty())
    }

    /// Documents of the scope that hold a word.
    pub(crate) fn frequency(&self, word: u32, scope: &Scope) -> usize {
        let Some(list) = self.list(word) else { return 0 };
        if scope.visible.is_none() {
            return list.len();
        }
        list.iter().filter(|posting| self.sees(posting.slot, scope)).count()
    }

    /// Whether some document of the scope holds a word.
    pub(crate) fn occurs(&self, word: u32, scope: &Scope) -> bool {
        let Some(list) = self.list(word) else { return false };
        scope.visible.is_none() || list.iter().any(|posting| self.sees(posting.slot, scope))
    }

    /// Whether the document in a slot is one that the caller may see.
    pub(crate) fn sees(&self, slot: u32, scope: &Scope) -> bool {
        scope.visible.is_none() || self.doc(slot).is_some_and(|doc| scope.sees(doc.id))
    }

    /// Sums over the documents of the scope.
    pub(crate) fn totals(&self, scope: &Scope) -> Totals {
        if scope.visible.is_none() {
            return self.totals;
        }
        let mut totals = Totals::default();
        for doc in self.docs.iter().flatten().filter(|doc| scope.sees(doc.id)) {
            totals.add(doc);
        }
        totals
    }

    /// Takes changes in, the last one of a document wins.
    pub(crate) fn apply(&mut self, changes: Vec<Change>) {
        let mut edits: Vec<Edit> = Vec::new();
        for (id, prepared) in changes {
            let old = self.slots.get(&id).copied();
            if let Some(slot) = old {
                self.take_out(slot, &mut edits);
            }
            match (prepared, old) {
                (None, None) => {}
                (None, Some(slot)) => {
                    self.slots.remove(&id);
                    self.free.push(slot);
                }
                (Some(prepared), old) => {
                    let slot = old.or_else(|| self.free.pop());
                    self.put_in(id, prepared.document(), slot, &mut edits);
                }
            }
        }
        self.merge(edits);
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

    /// Fills a slot. A new slot is behind all others, so its postings are appended at once; for a
    /// slot that was used before they are merged in with the other edits.
    fn put_in(&mut self, id: u32, document: &Document, used: Option<u32>, edits: &mut Vec<Edit>) {
        let slot = used.unwrap_or_else(|| {
            self.docs.push(None);
            u32::try_from(self.docs.len() - 1).unwrap_or(u32::MAX)
        });
        let numbers: Vec<u32> = document.words().map(|word| self.number(word)).collect();
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
        for (word, counts) in numbers.into_iter().zip(counts) {
            if used.is_some() {
                edits.push(Edit { word, slot, before: None, after: Some(counts) });
            } else if let Some(list) = self.lists.get_mut(word as usize) {
                list.push(slot, counts);
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
        self.totals.add(&doc);
        self.slots.insert(id, slot);
        if let Some(place) = self.docs.get_mut(slot as usize) {
            *place = Some(doc);
        }
    }

    /// The number of a word, which is added to the vocabulary when it is new.
    fn number(&mut self, word: &str) -> u32 {
        let number = self.words.add(word);
        if number as usize == self.lists.len() {
            self.lists.push(PostingList::default());
            self.stems.add(number, word);
        }
        number
    }

    /// Merges edits into the lists, each list once. Of the edits of a word and slot the first
    /// knows what was there and the last what shall be; most words of a changed note stay as
    /// they were, and their lists are left alone.
    fn merge(&mut self, mut edits: Vec<Edit>) {
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
            let list = word.first().and_then(|edit| self.lists.get_mut(edit.word as usize));
            if let Some(list) = list.filter(|_| !changes.is_empty()) {
                list.merge(&changes);
            }
        }
    }

    /// Gives back what growing has set aside.
    pub(crate) fn shrink(&mut self) {
        self.words.shrink();
        self.lists.iter_mut().for_each(PostingList::shrink);
        self.lists.shrink_to_fit();
        self.docs.shrink_to_fit();
    }

    /// Bytes of memory, about.
    pub(crate) fn bytes(&self) -> usize {
        let docs: usize = self.docs.iter().flatten().map(|doc| doc.path.len() + doc.stream.len()).sum();
        let lists: usize = self.lists.iter().map(PostingList::bytes).sum();
        self.words.bytes()
            + self.stems.bytes()
            + lists
            + docs
            + self.docs.capacity() * size_of::<Option<Doc>>()
            + self.slots.capacity() * 9
    }

    /// Number of words that stand in some document.
    pub(crate) fn terms(&self) -> usize {
        self.lists.iter().filter(|list| !list.is_empty()).count()
    }
}

/// A posting to set or to take out.
#[derive(Debug, Clone, Copy)]
struct Edit {
    word: u32,
    slot: u32,
    /// What is there; `None` where that is nothing, or known to an earlier edit.
    before: Option<Counts>,
    /// What shall be there.
    after: Option<Counts>,
}
