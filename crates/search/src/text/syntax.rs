//! Queries in the syntax of SQLite's FTS5.
//!
//! `"exact phrase"`, `"word"`, `pre*`, `a AND b`, `a OR b`, `a NOT b`, `NEAR(a b, 3)`,
//! `title: word`, `{title body}: word`, `-tags: word`, parentheses, `^first` and `"a" + "b"`. A
//! query is read as syntax when it uses one of the first seven properly; whatever does not parse
//! is plain text, so that `C++`, `10:30` and a lone quote are searched for and never an error.
//! Each word goes through the tokeniser and what comes out is quoted, so that the engine gets
//! nothing but well-formed queries.

use super::fields::Field;
use super::query::Term;
use super::tokenize::tokens;

/// Deepest nesting; the parser of FTS5 has a stack of a hundred symbols.
const MAX_DEPTH: usize = 12;
/// Most phrases; more is no query that a person or a model writes.
const MAX_PHRASES: usize = 128;
/// Distance of `NEAR` without a number, as in FTS5.
const DEFAULT_NEAR: u32 = 10;

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
    let mut parser = Parser { symbols: &symbols, phrases: 0 };
    let node = parser.or(0)?;
    parser.symbols.is_empty().then_some(node)?
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

/// A symbol of the query language.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Symbol {
    /// A word or several, and whether it was quoted.
    Text(String, bool),
    /// `*` right behind a word.
    Star,
    And,
    Or,
    Not,
    /// `NEAR` with its parenthesis.
    Near,
    Open,
    Close,
    Comma,
    Plus,
    /// `^` right before a word.
    Caret,
    /// `title:`, `{title body}:`, `-title:`.
    Fields(Vec<Field>, bool),
}

impl Symbol {
    /// Whether it makes a query syntax; the others are punctuation as well.
    fn is_syntax(&self) -> bool {
        match self {
            Self::Text(_, quoted) => *quoted,
            Self::Star | Self::And | Self::Or | Self::Not | Self::Near | Self::Fields(..) => true,
            Self::Open | Self::Close | Self::Comma | Self::Plus | Self::Caret => false,
        }
    }
}

/// The symbols of a query; `None` when a quote or a brace is left open.
fn symbols(query: &str) -> Option<Vec<Symbol>> {
    let mut symbols = Vec::new();
    let mut rest = query;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            _ if c.is_whitespace() => rest = after,
            '"' => {
                let (text, behind) = quoted(after)?;
                symbols.push(Symbol::Text(text, true));
                rest = starred(behind, &mut symbols);
            }
            '(' | ')' | ',' => {
                symbols.push(match c {
                    '(' => Symbol::Open,
                    ')' => Symbol::Close,
                    _ => Symbol::Comma,
                });
                rest = after;
            }
            '^' if after.starts_with(|next: char| next == '"' || next.is_alphanumeric()) => {
                symbols.push(Symbol::Caret);
                rest = after;
            }
            '+' if after.is_empty() || after.starts_with(char::is_whitespace) => {
                symbols.push(Symbol::Plus);
                rest = after;
            }
            '{' | '-' if braces(rest).is_some() => {
                let (fields, others, behind) = braces(rest)?;
                symbols.push(Symbol::Fields(fields, others));
                rest = behind;
            }
            _ => rest = bare(rest, &mut symbols),
        }
    }
    Some(symbols)
}

/// The text up to the closing quote, `""` being a quote in it, and what is behind.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut inside = String::new();
    let mut rest = text;
    loop {
        let (before, behind) = rest.split_once('"')?;
        inside.push_str(before);
        match behind.strip_prefix('"') {
            Some(behind) => {
                inside.push('"');
                rest = behind;
            }
            None => return Some((inside, behind)),
        }
    }
}

/// `{title body} :`, with or without a minus.
fn braces(text: &str) -> Option<(Vec<Field>, bool, &str)> {
    let (others, text) = minus(text);
    let (names, behind) = text.strip_prefix('{')?.split_once('}')?;
    let behind = behind.trim_start().strip_prefix(':')?;
    let fields = names.split_whitespace().map(Field::from_name).collect::<Option<Vec<_>>>()?;
    (!fields.is_empty()).then_some((fields, others, behind))
}

fn minus(text: &str) -> (bool, &str) {
    text.strip_prefix('-').map_or((false, text), |rest| (true, rest.trim_start()))
}

/// A bare word: up to white space, a quote or a parenthesis.
fn bare<'a>(text: &'a str, symbols: &mut Vec<Symbol>) -> &'a str {
    let end =
        text.find(|c: char| c.is_whitespace() || matches!(c, '"' | '(' | ')' | ',')).unwrap_or(text.len());
    let (word, behind) = text.split_at(end);
    if let Some((before, after)) = word.split_once(':') {
        let (others, name) = minus(before);
        if let Some(field) = Field::from_name(name) {
            symbols.push(Symbol::Fields(vec![field], others));
            return text.get(text.len() - behind.len() - after.len()..).unwrap_or_default();
        }
    } else if let Some(rest) = behind.trim_start().strip_prefix(':').filter(|_| !behind.is_empty()) {
        let (others, name) = minus(word);
        if let Some(field) = Field::from_name(name) {
            symbols.push(Symbol::Fields(vec![field], others));
            return rest;
        }
    }
    match word {
        "AND" => symbols.push(Symbol::And),
        "OR" => symbols.push(Symbol::Or),
        "NOT" => symbols.push(Symbol::Not),
        "NEAR" if behind.starts_with('(') => {
            symbols.push(Symbol::Near);
            return behind.get(1..).unwrap_or_default();
        }
        _ => match word.strip_suffix('*') {
            // A star behind a word is a prefix; stars around it are emphasis.
            Some(stem) if stem.ends_with(char::is_alphanumeric) && !stem.contains('*') => {
                symbols.push(Symbol::Text(stem.to_owned(), false));
                symbols.push(Symbol::Star);
            }
            _ => symbols.push(Symbol::Text(word.to_owned(), false)),
        },
    }
    behind
}

/// A star behind a quote.
fn starred<'a>(text: &'a str, symbols: &mut Vec<Symbol>) -> &'a str {
    match text.trim_start().strip_prefix('*') {
        Some(rest) => {
            symbols.push(Symbol::Star);
            rest
        }
        None => text,
    }
}

/// What a part of a query came to: nothing when it has no word in it (`""`, `++`).
type Part = Option<Node>;

/// Recursive descent; every function answers `None` when the query is not well formed.
struct Parser<'a> {
    symbols: &'a [Symbol],
    phrases: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Symbol> {
        self.symbols.first()
    }

    fn take(&mut self, wanted: &Symbol) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.skip();
        }
        found
    }

    fn skip(&mut self) {
        self.symbols = self.symbols.get(1..).unwrap_or_default();
    }

    /// `a OR b OR c`: the weakest bond.
    fn or(&mut self, depth: usize) -> Option<Part> {
        let mut node = self.and(depth)?;
        while self.take(&Symbol::Or) {
            node = join(node, self.and(depth)?, either);
        }
        Some(node)
    }

    fn and(&mut self, depth: usize) -> Option<Part> {
        let mut node = self.not(depth)?;
        while self.take(&Symbol::And) {
            node = join(node, self.not(depth)?, both);
        }
        Some(node)
    }

    fn not(&mut self, depth: usize) -> Option<Part> {
        let mut node = self.row(depth)?;
        while self.take(&Symbol::Not) {
            let excluded = self.row(depth)?;
            node = match (node, excluded) {
                (Some(node), Some(excluded)) => Some(Node::Not(Box::new(node), Box::new(excluded))),
                (node, _) => node,
            };
        }
        Some(node)
    }

    /// `a b c`: side by side is AND, and binds strongest.
    fn row(&mut self, depth: usize) -> Option<Part> {
        let mut node = self.item(depth)?;
        loop {
            self.commas();
            match self.peek() {
                Some(Symbol::Text(..) | Symbol::Near | Symbol::Open | Symbol::Caret | Symbol::Fields(..)) => {
                    node = join(node, self.item(depth)?, both);
                }
                _ => return Some(node),
            }
        }
    }

    /// Commas are punctuation outside of NEAR.
    fn commas(&mut self) {
        while self.take(&Symbol::Comma) {}
    }

    fn item(&mut self, depth: usize) -> Option<Part> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.commas();
        match self.peek()? {
            Symbol::Open => {
                self.skip();
                let node = self.or(depth + 1)?;
                self.take(&Symbol::Close).then_some(node)
            }
            Symbol::Fields(fields, others) => {
                let (fields, others) = (fields.clone(), *others);
                self.skip();
                let node = self.item(depth + 1)?;
                Some(node.map(|node| Node::In { fields, others, node: Box::new(node) }))
            }
            Symbol::Near => {
                self.skip();
                self.near()
            }
            Symbol::Text(..) | Symbol::Caret => Some(self.phrase()?.map(Node::Phrase)),
            Symbol::Star
            | Symbol::And
            | Symbol::Or
            | Symbol::Not
            | Symbol::Close
            | Symbol::Comma
            | Symbol::Plus => None,
        }
    }

    /// The inside of `NEAR(a b, 3)`.
    fn near(&mut self) -> Option<Part> {
        let mut phrases = Vec::new();
        while let Some(Symbol::Text(..)) = self.peek() {
            phrases.extend(self.phrase()?);
        }
        let mut distance = DEFAULT_NEAR;
        if self.take(&Symbol::Comma) {
            let Some(Symbol::Text(number, false)) = self.peek() else { return None };
            // Farther than any text is long is as good as anywhere.
            distance = number.parse::<u32>().ok()?.min(1_000_000);
            self.skip();
        }
        if !self.take(&Symbol::Close) {
            return None;
        }
        Some(match phrases.len() {
            0 => None,
            1 => phrases.pop().map(Node::Phrase),
            _ => Some(Node::Near(phrases, distance)),
        })
    }

    /// `^ "a b" + c *`
    fn phrase(&mut self) -> Option<Option<Phrase>> {
        let initial = self.take(&Symbol::Caret);
        let Some(Symbol::Text(text, _)) = self.peek() else { return None };
        self.phrases += 1;
        if self.phrases > MAX_PHRASES {
            return None;
        }
        let mut phrase = Phrase::of(text);
        self.skip();
        while self.peek() == Some(&Symbol::Plus) {
            self.skip();
            let Some(Symbol::Text(text, _)) = self.peek() else { return None };
            match (&mut phrase, Phrase::of(text)) {
                (Some(phrase), Some(more)) => phrase.terms.extend(more.terms),
                (phrase @ None, more) => *phrase = more,
                (Some(_), None) => {}
            }
            self.skip();
        }
        let prefix = self.take(&Symbol::Star);
        if let Some(phrase) = &mut phrase {
            phrase.prefix = prefix;
            phrase.initial = initial;
        }
        Some(phrase)
    }
}

fn join(one: Part, other: Part, with: impl FnOnce(Node, Node) -> Node) -> Part {
    match (one, other) {
        (Some(one), Some(other)) => Some(with(one, other)),
        (one, other) => one.or(other),
    }
}

fn either(one: Node, other: Node) -> Node {
    match one {
        Node::Or(mut nodes) => {
            nodes.push(other);
            Node::Or(nodes)
        }
        one => Node::Or(vec![one, other]),
    }
}

fn both(one: Node, other: Node) -> Node {
    match one {
        Node::And(mut nodes) => {
            nodes.push(other);
            Node::And(nodes)
        }
        one => Node::And(vec![one, other]),
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
