//! One word's documents, compressed: which documents hold it, and how often in which part.
//!
//! A posting is the distance to the slot before it, then a byte. Most words stand in bodies alone,
//! a few times: there the byte is the count. Otherwise it is 0x80, followed by a mask of parts and
//! a count for each. About two bytes and a half a posting.

use super::fields::{PARTS, Part};
use super::varint;

/// How often a word stands in the parts of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts(pub(crate) [u32; PARTS]);

impl Counts {
    /// The parts that hold the word.
    pub(crate) fn mask(&self) -> u8 {
        (0..).zip(self.0).fold(0, |mask, (bit, count)| mask | (u8::from(count > 0) << bit))
    }
}

/// A document of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Posting {
    /// The document's slot.
    pub(crate) slot: u32,
    /// The parts that hold the word.
    pub(crate) mask: u8,
    /// How often, by part.
    pub(crate) counts: Counts,
}

/// The postings of one word, by slot.
#[derive(Debug, Clone, Default)]
pub(crate) struct PostingList {
    bytes: Vec<u8>,
    len: u32,
    /// The highest slot; meaningless while the list is empty.
    last: u32,
}

const BODY: usize = Part::Body as usize;
const SEVERAL_PARTS: u8 = 0x80;

impl PostingList {
    /// Number of documents.
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.capacity() + size_of::<Self>()
    }

    /// Adds a document behind all others.
    pub(crate) fn push(&mut self, slot: u32, counts: Counts) {
        debug_assert!(self.is_empty() || slot > self.last);
        let gap = if self.is_empty() { slot } else { slot.wrapping_sub(self.last) };
        // Doubling would leave a third of the memory unused: most lists never grow again.
        if self.bytes.capacity() - self.bytes.len() < 16 && self.bytes.len() > 16 {
            self.bytes.reserve_exact(self.bytes.len() / 2 + 16);
        }
        varint::write(&mut self.bytes, gap);
        let mask = counts.mask();
        let body = counts.0[BODY];
        if mask == Part::Body.bit() && body < u32::from(SEVERAL_PARTS) {
            self.bytes.push(body as u8);
        } else {
            self.bytes.push(SEVERAL_PARTS);
            self.bytes.push(mask);
            for count in counts.0.into_iter().filter(|count| *count > 0) {
                varint::write(&mut self.bytes, count);
            }
        }
        self.last = slot;
        self.len += 1;
    }

    /// Merges changes, ordered by slot and at most one a slot: `None` takes a document out. What
    /// lies between the changes is copied as it is.
    pub(crate) fn merge(&mut self, changes: &[(u32, Option<Counts>)]) {
        let old = std::mem::take(self);
        self.bytes = Vec::with_capacity(old.bytes.len() + changes.len() * 4);
        let mut rest = old.iter();
        let mut next = rest.next();
        for (slot, counts) in changes {
            next = self.copy_before(*slot, next, &mut rest);
            if next.is_some_and(|posting| posting.slot == *slot) {
                next = rest.next();
            }
            if let Some(counts) = counts {
                self.push(*slot, *counts);
            }
        }
        self.copy_before(u32::MAX, next, &mut rest);
    }

    /// Appends the postings before a slot; `next` is the one that `rest` gave last, and so is the
    /// answer. Only the first of them needs a new distance, the others are copied unread.
    fn copy_before(&mut self, slot: u32, next: Option<Posting>, rest: &mut Postings<'_>) -> Option<Posting> {
        let Some(first) = next.filter(|posting| posting.slot < slot) else { return next };
        self.push(first.slot, first.counts);
        let unread = rest.bytes;
        let mut here = rest.clone();
        while let Some(skipped) = here.skip_one() {
            if skipped >= slot {
                break;
            }
            *rest = here.clone();
            self.last = skipped;
            self.len += 1;
        }
        let copied = unread.len() - rest.bytes.len();
        self.bytes.extend_from_slice(unread.get(..copied).unwrap_or_default());
        rest.next()
    }

    /// Gives back what growing has set aside.
    pub(crate) fn shrink(&mut self) {
        if self.bytes.capacity() > self.bytes.len() + self.bytes.len() / 8 {
            self.bytes.shrink_to_fit();
        }
    }

    /// The postings by slot.
    pub(crate) fn iter(&self) -> Postings<'_> {
        Postings { bytes: &self.bytes, slot: 0 }
    }
}

/// Iterator over the postings of a list.
#[derive(Debug, Clone)]
pub(crate) struct Postings<'a> {
    bytes: &'a [u8],
    slot: u32,
}

impl Postings<'_> {
    /// Steps over a posting; its slot.
    #[inline]
    fn skip_one(&mut self) -> Option<u32> {
        self.slot = self.slot.wrapping_add(varint::read(&mut self.bytes)?);
        let (head, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        if *head >= SEVERAL_PARTS {
            let (mask, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            for _ in 0..mask.count_ones() {
                varint::read(&mut self.bytes)?;
            }
        }
        Some(self.slot)
    }
}

impl Iterator for Postings<'_> {
    type Item = Posting;

    #[inline]
    fn next(&mut self) -> Option<Posting> {
        self.slot = self.slot.wrapping_add(varint::read(&mut self.bytes)?);
        let (head, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        let mut counts = Counts::default();
        if *head < SEVERAL_PARTS {
            counts.0[BODY] = u32::from(*head);
            return Some(Posting { slot: self.slot, mask: Part::Body.bit(), counts });
        }
        let (mask, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        for (bit, count) in counts.0.iter_mut().enumerate() {
            if mask & (1 << bit) != 0 {
                *count = varint::read(&mut self.bytes)?;
            }
        }
        Some(Posting { slot: self.slot, mask: *mask, counts })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn counts(seed: u32) -> Counts {
        let mut counts = Counts::default();
        counts.0[BODY] = seed % 300 + 1;
        if seed.is_multiple_of(3) {
            counts.0[Part::Title.index()] = 1 + seed % 2;
        }
        if seed.is_multiple_of(7) {
            counts.0[BODY] = 0;
            counts.0[Part::Tags.index()] = 2;
        }
        counts
    }

    proptest! {
        #[test]
        fn merging_is_what_a_map_would_do(
            first in prop::collection::btree_map(0_u32..2_000, 0_u32..10_000, 0..80),
            changes in prop::collection::btree_map(0_u32..2_000, prop::option::of(0_u32..10_000), 0..80),
        ) {
            let mut list = PostingList::default();
            for (slot, seed) in &first {
                list.push(*slot, counts(*seed));
            }
            let edits: Vec<_> = changes.iter().map(|(slot, seed)| (*slot, seed.map(counts))).collect();
            list.merge(&edits);
            let mut expected: BTreeMap<u32, Counts> =
                first.into_iter().map(|(slot, seed)| (slot, counts(seed))).collect();
            for (slot, seed) in changes {
                match seed {
                    Some(seed) => expected.insert(slot, counts(seed)),
                    None => expected.remove(&slot),
                };
            }
            let found: BTreeMap<u32, Counts> =
                list.iter().map(|posting| (posting.slot, posting.counts)).collect();
            prop_assert_eq!(list.len(), expected.len());
            prop_assert!(list.iter().all(|posting| posting.mask == posting.counts.mask()));
            prop_assert_eq!(found, expected);
        }
    }
}
