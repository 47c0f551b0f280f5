//! Queries in the syntax of SQLite's FTS5.
//!
//! `"exact phrase"`, `"word"`, `pre*`, `a AND b`, `a OR b`, `a NOT b`, `NEAR(a b, 3)`,
//! `title: word`, `{title body}: word`, `-tags: word`, parentheses, `^first` and `"a" + "b"`. A
//! query is read as syntax when it uses one of the first seven properly; whatever does not parse
//! is plain text, so that `C++`, `10:30` and a lone quote are searched for and never an error.
//! Each word goes through the tokeniser and what comes out is quoted, so that the engine gets
//! nothing but well-formed queries.

mod parser;
mod symbols;

use self::parser::Parser;
use self::symbols::{Symbol, symbols};
use super::fields::Field;
use super::query::Term;
use super::tokenize::tokens;

/// Words in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Phrase {
    terms: Vec<Term>,
    /// The last word may go on.
    prefix: bool,
    /// It stands at the beginning of the field.
    initial: bool,
}

/// A query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Phrase(Phrase),
    Near(Vec<Phrase>, u32),
    And(Vec<Self>),
    Or(Vec<Self>),
    Not(Box<Self>, Box<Self>),
    /// In these fields, or in all others.
    In {
        fields: Vec<Field>,
        others: bool,
        node: Box<Self>,
    },
}

/// A word that a query asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Named<'a> {
    pub(crate) term: &'a Term,
    pub(crate) prefix: bool,
}

/// Reads a query as FTS5 syntax; `None` when it uses none, or not properly.
pub(crate) fn parse(query: &str) -> Option<Node> {
    let symbols = symbols(query)?;
    if !symbols.iter().any(Symbol::is_syntax) {
        return None;
    }
    Parser::new(&symbols).query()
}

impl Node {
    /// The query for `MATCH`.
    pub(crate) fn to_match(&self) -> String {
        match self {
            Self::Phrase(phrase) => phrase.to_match(),
            Self::Near(phrases, distance) => {
                let phrases: Vec<String> = phrases.iter().map(Phrase::to_match).collect();
                format!("NEAR({}, {distance})", phrases.join(" "))
            }
            Self::And(nodes) => {
                let nodes: Vec<String> = nodes.iter().map(Self::operand).collect();
                nodes.join(" AND ")
            }
            Self::Or(nodes) => {
                let nodes: Vec<String> = nodes.iter().map(Self::operand).collect();
                nodes.join(" OR ")
            }
            // NOT binds to the left: a chain of them needs no parentheses, which FTS5 cannot nest
            // without end.
            Self::Not(one, other) => {
                let one = if matches!(**one, Self::Not(..)) { one.to_match() } else { one.operand() };
                format!("{one} NOT {}", other.operand())
            }
            Self::In { fields, others, node } => {
                let names: Vec<&str> = fields.iter().map(|field| field.name()).collect();
                let minus = if *others { "- " } else { "" };
                format!("{minus}{{{}}} : ({})", names.join(" "), node.to_match())
            }
        }
    }

    fn operand(&self) -> String {
        match self {
            Self::Phrase(_) | Self::Near(..) | Self::In { .. } => self.to_match(),
            Self::And(_) | Self::Or(..) | Self::Not(..) => format!("({})", self.to_match()),
        }
    }

    /// The words that the query wants, in order; not those it excludes.
    pub(crate) fn named(&self) -> Vec<Named<'_>> {
        let mut named = Vec::new();
        self.collect(&mut named);
        named
    }

    fn collect<'a>(&'a self, named: &mut Vec<Named<'a>>) {
        match self {
            Self::Phrase(phrase) => phrase.collect(named),
            Self::Near(phrases, _) => phrases.iter().for_each(|phrase| phrase.collect(named)),
            Self::And(nodes) | Self::Or(nodes) => nodes.iter().for_each(|node| node.collect(named)),
            Self::Not(node, _) | Self::In { node, .. } => node.collect(named),
        }
    }
}

impl Phrase {
    /// The phrase of a piece of text; `None` when no word is in it.
    fn of(text: &str) -> Option<Self> {
        let terms: Vec<Term> = tokens(text)
            .map(|token| Term {
                typed: text.get(token.span).unwrap_or_default().to_owned(),
                text: token.text.into_owned(),
                count: 1,
            })
            .collect();
        (!terms.is_empty()).then_some(Self { terms, prefix: false, initial: false })
    }

    fn to_match(&self) -> String {
        let words: Vec<&str> = self.terms.iter().map(|term| term.text.as_str()).collect();
        let initial = if self.initial { "^ " } else { "" };
        let prefix = if self.prefix { " *" } else { "" };
        format!("{initial}\"{}\"{prefix}", words.join(" "))
    }

    fn collect<'a>(&'a self, named: &mut Vec<Named<'a>>) {
        let last = self.terms.len().saturating_sub(1);
        for (place, term) in self.terms.iter().enumerate() {
            named.push(Named { term, prefix: self.prefix && place == last });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(query: &str, expected: &str) {
        assert_eq!(parse(query).map(|node| node.to_match()).as_deref(), Some(expected), "{query}");
    }

    #[track_caller]
    fn is_plain(query: &str) {
        assert_eq!(parse(query), None, "{query}");
    }

    #[test]
    fn the_forms_of_the_language() {
        reads("\"wildcard certificate\"", "\"wildcard certificate\"");
        reads("\"Certificate\"", "\"certificate\"");
        reads("cert*", "\"cert\" *");
        reads("\"wildcard cert\" *", "\"wildcard cert\" *");
        reads("traefik NOT kubernetes", "\"traefik\" NOT \"kubernetes\"");
        reads("podman OR docker", "\"podman\" OR \"docker\"");
        reads("a AND b AND c", "\"a\" AND \"b\" AND \"c\"");
        reads("NEAR(müller traefik, 3)", "NEAR(\"muller\" \"traefik\", 3)");
        reads("NEAR(\"a b\" c)", "NEAR(\"a b\" \"c\", 10)");
        reads("title:certificate", "{title} : (\"certificate\")");
        reads("title : certificate", "{title} : (\"certificate\")");
        reads("{title body}: certificate", "{title body} : (\"certificate\")");
        reads("-tags:x y", "- {tags} : (\"x\") AND \"y\"");
        reads("title:(a OR b)", "{title} : (\"a\" OR \"b\")");
        reads("title:^one", "{title} : (^ \"one\")");
        reads("\"one\" + two", "\"one two\"");
    }

    #[test]
    fn bonds() {
        reads("a OR b AND c", "\"a\" OR (\"b\" AND \"c\")");
        reads("(a OR b) AND c", "(\"a\" OR \"b\") AND \"c\"");
        reads("a b NOT c", "(\"a\" AND \"b\") NOT \"c\"");
        reads("a NOT b NOT c", "\"a\" NOT \"b\" NOT \"c\"");
        reads("a OR b c", "\"a\" OR (\"b\" AND \"c\")");
    }

    #[test]
    fn every_word_goes_through_the_tokeniser() {
        reads("Müller OR file-provider", "\"muller\" OR \"file provider\"");
        reads("小黑貓 OR x", "\"小黑 黑貓\" OR \"x\"");
        reads("v1.2 AND ++", "\"v1 2\"");
        reads("foo, bar OR baz", "(\"foo\" AND \"bar\") OR \"baz\"");
    }

    #[test]
    fn what_is_no_proper_syntax_is_plain_text() {
        for query in [
            "file-provider",
            "C++",
            "10:30",
            "https://example.org/title:x",
            "un\"balanced",
            "AND",
            "a AND",
            "OR b",
            "NOT x",
            "(a OR b",
            "a) OR b",
            "*",
            "**bold** *emphasis*",
            "a * b",
            "NEAR(a b, c) x",
            "NEAR(a b",
            "\"\"",
            "\"++\"",
            "title:",
            "foo (bar)",
            "^foo",
            "what is a and or b",
            "unknown:column",
            "\"a\" + ",
            "",
        ] {
            is_plain(query);
        }
        is_plain(&format!("{}a{} OR b", "(".repeat(40), ")".repeat(40)));
        is_plain(&format!("a{}", " OR a".repeat(500)));
    }

    #[test]
    fn named_words_are_those_wanted() {
        let node = parse("title:(a OR \"b c\"*) NOT d").unwrap();
        let named: Vec<_> =
            node.named().into_iter().map(|named| (named.term.text.as_str(), named.prefix)).collect();
        assert_eq!(named, [("a", false), ("b", false), ("c", true)]);
    }
}
