//! From symbols to a query; NOT binds stronger than AND, AND stronger than OR, as in FTS5.

use super::symbols::Symbol;
use super::{Node, Phrase};

/// Deepest nesting; the parser of FTS5 has a stack of a hundred symbols.
const MAX_DEPTH: usize = 12;
/// Most phrases; more is no query that a person or a model writes.
const MAX_PHRASES: usize = 128;
/// Distance of `NEAR` without a number, as in FTS5.
const DEFAULT_NEAR: u32 = 10;

/// What a part of a query came to: nothing when it has no word in it (`""`, `++`).
type Part = Option<Node>;

/// Recursive descent; every function answers `None` when the query is not well formed.
pub(super) struct Parser<'a> {
    symbols: &'a [Symbol],
    phrases: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(symbols: &'a [Symbol]) -> Self {
        Self { symbols, phrases: 0 }
    }

    /// The whole query.
    pub(super) fn query(&mut self) -> Option<Node> {
        let node = self.or(0)?;
        self.symbols.is_empty().then_some(node)?
    }

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
