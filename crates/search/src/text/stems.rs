//! The forms of a word: the words of the vocabulary that share its stem in some language.
//!
//! Text is never stemmed. A table per language holds the stem of every word that was ever seen, so
//! that phrases and highlights keep working on what is written, and another setting of languages
//! needs no new index.

use frostem::Stemmer;

use super::language::{Language, Script, active};
use super::words::Words;

/// No further word.
const END: u32 = u32::MAX;

/// The words of one language by their stem.
#[derive(Clone)]
struct Table {
    language: Language,
    stemmer: Stemmer,
    stems: Words,
    /// First entry of each stem.
    heads: Vec<u32>,
    /// Word of the vocabulary, next entry of the same stem.
    entries: Vec<(u32, u32)>,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Table({}, {} words)", self.language.code(), self.entries.len())
    }
}

/// Stem tables of the active languages.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stems {
    tables: Vec<Table>,
}

impl Stems {
    /// Empty tables for the languages named, and for those that a script stands for.
    pub(crate) fn new(named: &[Language]) -> Self {
        let tables = active(named)
            .into_iter()
            .map(|language| Table {
                language,
                stemmer: Stemmer::new(language.algorithm()),
                stems: Words::default(),
                heads: Vec::new(),
                entries: Vec::new(),
            })
            .collect();
        Self { tables }
    }

    /// Notes a word of the vocabulary. Each word is noted once.
    pub(crate) fn add(&mut self, number: u32, word: &str) {
        let Some(script) = Script::of(word) else { return };
        for table in self.tables.iter_mut().filter(|table| table.language.writes(script)) {
            let stem = table.stems.add(&table.stemmer.stem(word)) as usize;
            if stem == table.heads.len() {
                table.heads.push(END);
            }
            let Some(head) = table.heads.get_mut(stem) else { continue };
            let entry = u32::try_from(table.entries.len()).unwrap_or(END);
            table.entries.push((number, *head));
            *head = entry;
        }
    }

    /// The words that share a stem with this one in some language, itself included if it is known;
    /// each once, in no certain order.
    pub(crate) fn forms(&self, word: &str) -> Vec<u32> {
        let mut forms = Vec::new();
        let Some(script) = Script::of(word) else { return forms };
        for table in self.tables.iter().filter(|table| table.language.writes(script)) {
            let Some(stem) = table.stems.find(&table.stemmer.stem(word)) else { continue };
            let mut entry = table.heads.get(stem as usize).copied().unwrap_or(END);
            while let Some((number, next)) = table.entries.get(entry as usize) {
                forms.push(*number);
                entry = *next;
            }
        }
        forms.sort_unstable();
        forms.dedup();
        forms
    }

    /// Number of words with a stem, over all languages.
    pub(crate) fn len(&self) -> usize {
        self.tables.iter().map(|table| table.entries.len()).sum()
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.tables
            .iter()
            .map(|table| table.stems.bytes() + table.heads.capacity() * 4 + table.entries.capacity() * 8)
            .sum()
    }
}

/// The forms of a fixed list of words, for measurements.
#[derive(Debug)]
pub(crate) struct WordForms {
    words: Words,
    stems: Stems,
}

impl WordForms {
    /// The words by their stems in the languages named.
    pub(crate) fn new(languages: &[Language], words: &[&str]) -> Self {
        let mut forms = Self { words: Words::default(), stems: Stems::new(languages) };
        for word in words {
            if forms.words.find(word).is_none() {
                let number = forms.words.add(word);
                forms.stems.add(number, word);
            }
        }
        forms
    }

    /// The words of the list that share a stem with this one.
    pub(crate) fn of(&self, word: &str) -> Vec<&str> {
        self.stems.forms(word).into_iter().map(|number| self.words.get(number)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn forms(languages: &str, words: &[&str], of: &str, expected: &[&str]) {
        let mut stems = Stems::new(&Language::parse_list(languages).unwrap());
        for (number, word) in (0..).zip(words) {
            stems.add(number, word);
        }
        let found: Vec<_> = stems.forms(of).into_iter().map(|number| words[number as usize]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn forms_share_a_stem() {
        let words = ["certificate", "certificates", "certify", "renewal", "renewed", "renewing"];
        forms("en", &words, "certificate", &["certificate", "certificates"]);
        forms("en", &words, "renew", &["renewal", "renewed", "renewing"]);
        forms("none", &words, "certificate", &[]);
    }

    #[test]
    fn every_active_language_counts() {
        let words = ["entscheidung", "entscheidungen", "certificates", "certificats"];
        forms("en", &words, "entscheidung", &["entscheidung"]);
        forms("en,de", &words, "entscheidung", &["entscheidung", "entscheidungen"]);
        forms("en,fr", &words, "certificat", &["certificates", "certificats"]);
    }

    #[test]
    fn the_script_chooses_the_language() {
        forms("en", &["книга", "книги", "книге"], "книгу", &["книга", "книги", "книге"]);
        forms("en", &["σπιτι", "σπιτια"], "σπιτιου", &["σπιτι", "σπιτια"]);
        forms("en", &["कितاब", "किताब", "किताबें", "किताबों"], "किताब", &["किताब", "किताबें", "किताबों"]);
        forms("en", &["الكتاب", "كتاب"], "كتاب", &["الكتاب", "كتاب"]);
    }

    #[test]
    fn numbers_and_pieces_have_no_forms() {
        forms("en", &["2024", "黑貓"], "2024", &[]);
        forms("en", &["2024", "黑貓"], "黑貓", &[]);
    }
}
