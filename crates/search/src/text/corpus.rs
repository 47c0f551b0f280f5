//! The documents in memory: vocabulary, postings, token streams, and the sums that scores need.
//!
//! Documents live in slots, small numbers that are given again when a document goes, so that a
//! query can count in plain arrays. Nothing here knows the database.

use std::collections::HashMap;
use std::sync::mpsc;

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
    pub(crate) stems: Stems,
    holdings: Holdings,
}

/// Documents in numbers of the vocabulary, which is beside them: the two are filled at the same
/// time.
#[derive(Debug, Default)]
struct Holdings {
    /// Postings by word.
    lists: Vec<PostingList>,
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

impl Holdings {
    /// Takes a document in, in the place of an older one of the same number.
    fn put(&mut self, id: u32, document: &Document, numbers: &[u32], edits: &mut Vec<Edit>) {
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
    fn append(&mut self, id: u32, document: &Document, numbers: &[u32]) {
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

    fn remove(&mut self, id: u32, edits: &mut Vec<Edit>) {
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
struct Edit {
    word: u32,
    slot: u32,
    /// What is there; `None` where that is nothing, or known to an earlier edit.
    before: Option<Counts>,
    /// What shall be there.
    after: Option<Counts>,
}
