//! A document in memory, and the sums over documents that scores need.

use super::docset::Scope;
use super::fields::{DocKind, PARTS, Part};
use super::varint;

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
    pub(super) stream: Box<[u8]>,
}

impl Doc {
    /// Whether it can be a result in this scope, filters aside.
    pub(crate) fn is_in(&self, scope: &Scope) -> bool {
        scope.sees(self.id) && (self.kind == DocKind::Note || !scope.notes_only)
    }

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

/// Sums over notes, exact because they are whole numbers: however the notes came, the same ones
/// give the same score. Other files count nowhere: a vault's logs and tables must not change how
/// its notes rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Totals {
    /// Notes.
    pub(crate) documents: u64,
    /// Tokens by part.
    pub(crate) tokens: [u64; PARTS],
    /// Documents where the part is not empty.
    pub(crate) filled: [u64; PARTS],
    /// Tokens of all rows in FTS5.
    pub(crate) row_tokens: u64,
}

impl Totals {
    pub(crate) fn add(&mut self, doc: &Doc) {
        if doc.kind != DocKind::Note {
            return;
        }
        self.documents += 1;
        self.row_tokens += doc.row_length();
        for ((tokens, filled), length) in self.tokens.iter_mut().zip(&mut self.filled).zip(doc.lengths) {
            *tokens += u64::from(length);
            *filled += u64::from(length > 0);
        }
    }

    pub(crate) fn subtract(&mut self, doc: &Doc) {
        if doc.kind != DocKind::Note {
            return;
        }
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
