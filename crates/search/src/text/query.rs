//! A query of plain words: its terms in order, and the filler words it can do without.

use super::stopwords::Stopwords;
use super::tokenize::tokens;

/// Most words of a query that are looked for. Whoever pastes a page gets an answer to its
/// beginning.
const MAX_WORDS: usize = 256;

/// A distinct word of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    /// Folded.
    pub(crate) text: String,
    /// As it stood in the query the first time.
    pub(crate) typed: String,
    /// How often the query says it: a question that repeats a word means it.
    pub(crate) count: u32,
}

/// A query of plain words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PlainQuery {
    pub(crate) terms: Vec<Term>,
    /// The term of each word of the query, in order.
    pub(crate) order: Vec<usize>,
    /// Filler words left out, as typed, each once.
    pub(crate) ignored: Vec<String>,
}

impl PlainQuery {
    /// Reads a query. A query of nothing but filler words is taken at its word.
    pub(crate) fn read(query: &str, stopwords: Stopwords) -> Self {
        let mut read = Self::default();
        let mut words = 0;
        for token in tokens(query).take(MAX_WORDS) {
            words += 1;
            let typed = query.get(token.span).unwrap_or_default();
            if stopwords.contains(&token.text) {
                if !read.ignored.iter().any(|word| word == typed) {
                    read.ignored.push(typed.to_owned());
                }
            } else {
                read.add(&token.text, typed);
            }
        }
        if read.terms.is_empty() && words > 0 {
            return Self::read(query, Stopwords::default());
        }
        read
    }

    /// Adds a word at the end.
    pub(crate) fn add(&mut self, text: &str, typed: &str) {
        let found = self.terms.iter_mut().enumerate().find(|(_, term)| term.text == text);
        let place = match found {
            Some((place, term)) => {
                term.count += 1;
                place
            }
            None => {
                self.terms.push(Term { text: text.to_owned(), typed: typed.to_owned(), count: 1 });
                self.terms.len() - 1
            }
        };
        self.order.push(place);
    }
}

#[cfg(test)]
mod tests {
    use super::super::language::Language;
    use super::*;

    fn read(query: &str) -> PlainQuery {
        PlainQuery::read(query, Stopwords::new(&[Language::ENGLISH]))
    }

    #[test]
    fn filler_words_are_left_out_as_typed() {
        let query = read("how do I renew the certificates? I do");
        let texts: Vec<_> = query.terms.iter().map(|term| term.text.as_str()).collect();
        assert_eq!(texts, ["renew", "certificates"]);
        assert_eq!(query.ignored, ["how", "do", "I", "the"]);
    }

    #[test]
    fn nothing_but_filler_words_are_words() {
        let query = read("to be or not to be");
        assert_eq!(query.terms.len(), 4);
        assert_eq!(query.order, [0, 1, 2, 3, 0, 1]);
        assert!(query.ignored.is_empty());
    }

    #[test]
    fn repeats_count() {
        let query = read("Library catalogs, library use");
        assert_eq!(query.terms[0].count, 2);
        assert_eq!(query.terms[0].typed, "Library");
        assert_eq!(query.order, [0, 1, 0, 2]);
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(read(" +-*/ "), PlainQuery::default());
    }
}
