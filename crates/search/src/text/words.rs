//! A list of distinct words with numbers, as compact as it gets: one buffer, one array of ends,
//! one table of numbers.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Distinct words, numbered from 0 in the order of their arrival. Words are never removed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Words {
    /// Every word, one after the other.
    text: String,
    /// Where each word ends in `text`.
    ends: Vec<u32>,
    /// Numbers by the hash of their word.
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Words {
    /// Number of words.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The word of this number; empty for a number that was never given.
    pub(crate) fn get(&self, number: u32) -> &str {
        word(&self.text, &self.ends, number)
    }

    /// The number of a word.
    pub(crate) fn find(&self, wanted: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(wanted);
        self.table.find(hash, |number| self.get(*number) == wanted).copied()
    }

    /// The number of a word, which is added when it is new.
    pub(crate) fn add(&mut self, wanted: &str) -> u32 {
        let hash = self.hasher.hash_one(wanted);
        if let Some(number) = self.table.find(hash, |number| self.get(*number) == wanted) {
            return *number;
        }
        // Four billions of words or of bytes do not fit into the memory this runs in.
        let number = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        self.text.push_str(wanted);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        let (text, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        self.table.insert_unique(hash, number, |number| hasher.hash_one(word(text, ends, *number)));
        number
    }

    /// Every word with its number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        let mut start = 0;
        (0..).zip(&self.ends).map(move |(number, end)| {
            let end = *end as usize;
            let text = self.text.get(start..end).unwrap_or_default();
            start = end;
            (number, text)
        })
    }

    /// The buffer and the ends of the words in it, without the table.
    pub(crate) fn into_parts(self) -> (String, Vec<u32>) {
        (self.text, self.ends)
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * 4 + self.table.capacity() * 5
    }

    /// Gives back what growing has set aside.
    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

fn word<'a>(text: &'a str, ends: &[u32], number: u32) -> &'a str {
    let at = number as usize;
    let start = at.checked_sub(1).and_then(|before| ends.get(before)).map_or(0, |end| *end as usize);
    ends.get(at).and_then(|end| text.get(start..*end as usize)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_numbers() {
        let mut words = Words::default();
        for number in 0..5_000_u32 {
            assert_eq!(words.add(&format!("word{number}")), number);
        }
        assert_eq!(words.add("word17"), 17);
        assert_eq!(words.find("word4999"), Some(4999));
        assert_eq!(words.find("word5000"), None);
        assert_eq!(words.get(0), "word0");
        assert_eq!(words.get(5000), "");
        assert_eq!(words.len(), 5_000);
        assert!(words.iter().all(|(number, text)| text == format!("word{number}")));
    }
}
