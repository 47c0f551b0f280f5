//! Filler words: what a question is made of and a note is never about.
//!
//! English and German have a list, the other languages none: where labelled sets exist, lists for
//! other languages made results worse. Words are in their folded form. Words that are content in
//! the other language (`war`, `man`, `hat`, `art`) are in no list.

use super::language::Language;

const ENGLISH: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by",
    "can", "could", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "his", "how", "i",
    "if", "in", "into", "is", "it", "its", "me", "my", "no", "not", "of", "on", "or", "our", "she", "should",
    "so", "some", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "to", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will", "with", "would",
    "you", "your",
];

const GERMAN: &[&str] = &[
    "aber", "als", "auch", "auf", "aus", "bei", "beim", "da", "das", "dass", "dem", "den", "der", "des",
    "die", "dies", "diese", "dieser", "dieses", "du", "durch", "ein", "eine", "einem", "einen", "einer",
    "eines", "er", "es", "fur", "ich", "ihr", "im", "ist", "kann", "mein", "meine", "mich", "mir", "mit",
    "nach", "nicht", "noch", "oder", "sein", "seine", "sich", "sie", "sind", "uber", "um", "und", "uns",
    "vom", "von", "vor", "wann", "warum", "welche", "welcher", "welches", "wer", "wie", "wieso", "wird",
    "wo", "wurde", "wurden", "zu", "zum", "zur",
];

/// The filler words of the active languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stopwords {
    english: bool,
    german: bool,
}

impl Stopwords {
    pub(crate) fn new(languages: &[Language]) -> Self {
        Self {
            english: languages.contains(&Language::ENGLISH),
            german: languages.contains(&Language::GERMAN),
        }
    }

    /// Whether a folded word is a filler.
    pub(crate) fn contains(self, word: &str) -> bool {
        self.english && ENGLISH.binary_search(&word).is_ok()
            || self.german && GERMAN.binary_search(&word).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_folded() {
        for list in [ENGLISH, GERMAN] {
            assert!(list.is_sorted());
            for word in list {
                let tokens: Vec<_> = super::super::tokens(word).collect();
                assert_eq!(tokens.len(), 1);
                assert_eq!(tokens[0].text, *word);
            }
        }
    }

    #[test]
    fn a_language_brings_its_list() {
        let both = Stopwords::new(&[Language::ENGLISH, Language::GERMAN]);
        for word in ["how", "the", "wie", "warum"] {
            assert!(both.contains(word), "{word}");
        }
        assert!(!both.contains("certificate"));
        assert!(!Stopwords::new(&[Language::ENGLISH]).contains("wie"));
        assert!(!Stopwords::new(&[]).contains("the"));
    }
}
