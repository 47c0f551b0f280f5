//! The symbols of a query in FTS5 syntax.

use crate::text::fields::Field;

/// A symbol of the query language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Symbol {
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
    pub(super) fn is_syntax(&self) -> bool {
        match self {
            Self::Text(_, quoted) => *quoted,
            Self::Star | Self::And | Self::Or | Self::Not | Self::Near | Self::Fields(..) => true,
            Self::Open | Self::Close | Self::Comma | Self::Plus | Self::Caret => false,
        }
    }
}

/// The symbols of a query; `None` when a quote or a brace is left open.
pub(super) fn symbols(query: &str) -> Option<Vec<Symbol>> {
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
