//! Inline tags, and how tags compare.

use crate::Span;
use crate::inline::{Kind, Scanner, Unit};

/// An inline tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The name as written, without `#`.
    pub name: String,
    /// The tag with its `#`.
    pub span: Span,
}

/// What tags are compared by: lower case, a leading `#` dropped.
#[must_use]
pub fn fold(tag: &str) -> String {
    tag.strip_prefix('#').unwrap_or(tag).to_lowercase()
}

/// Whether a text, without `#`, is one whole tag: allowed characters only, not only digits, no `/` at the end.
#[must_use]
pub fn is_tag_name(name: &str) -> bool {
    !name.is_empty()
        && !name.ends_with('/')
        && name.chars().all(is_tag_char)
        && name.chars().any(|character| !character.is_ascii_digit())
}

/// Whether a character may stand in a tag: no white space, no general or supplemental punctuation, and of
/// ASCII punctuation only `-`, `_` and `/`.
pub(crate) fn is_tag_char(character: char) -> bool {
    match character {
        '-' | '_' | '/' => true,
        _ if character.is_ascii() => character.is_ascii_alphanumeric(),
        '\u{2000}'..='\u{206f}' | '\u{2e00}'..='\u{2e7f}' | '\u{feff}' => false,
        _ => !character.is_whitespace(),
    }
}

/// The tags of an inline text that has been scanned.
pub(crate) fn collect(unit: &Unit<'_>, scanner: &Scanner, tags: &mut Vec<Tag>) {
    for token in scanner.tokens.iter().filter(|token| token.kind == Kind::Tag) {
        let name = unit.text.get(token.start + 1..token.end).unwrap_or("").to_owned();
        tags.push(Tag { name, span: unit.source_span(&(token.start..token.end)) });
    }
}
