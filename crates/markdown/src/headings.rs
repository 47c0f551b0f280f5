//! Headings, and how a link's `#heading` finds one.

use crate::Span;
use crate::block::{Blocks, Leaf, LeafKind};
use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// A heading of the note's own level: headings inside quotes, callouts and list items are not listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Raw Markdown, closing hashes dropped, trimmed.
    pub text: String,
    /// The heading itself, without indentation and line break; both lines of an underlined one.
    pub span: Span,
    /// Zero-based line of its first line.
    pub line: usize,
    /// From the start of its line to the start of the next heading of the same or a higher level, or the end.
    pub section: Span,
    /// From the start of its line to the start of the next heading of any level, or the end.
    pub own: Span,
}

/// Characters that count as a space when headings are compared; line breaks do too.
const MATCH_STRIP: &str = "!\"#$%&()*+,.:;<=>?@^`{|}~/[]\\";

/// What headings and the `#` part of links are compared by: punctuation as spaces, runs of white space as
/// one space, no case. A heading whose key is empty cannot be linked.
#[must_use]
pub fn match_key(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_whitespace() || MATCH_STRIP.contains(character) {
            push_space(&mut key);
        } else {
            key.push(character);
        }
    }
    key.truncate(key.trim_end().len());
    key.to_lowercase()
}

/// A text in Unicode's composed form (NFC): what looks the same is the same then.
#[must_use]
pub fn composed(text: &str) -> Cow<'_, str> {
    if is_nfc(text) { Cow::Borrowed(text) } else { text.nfc().collect() }
}

/// What Obsidian writes after `#` when it makes a link to a heading: fewer characters go, case stays.
#[must_use]
pub fn link_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let pair = matches!(character, '%' | '[' | ']') && characters.peek() == Some(&character);
        if pair {
            characters.next();
        }
        if pair || character.is_whitespace() || matches!(character, ':' | '#' | '|' | '^' | '\\') {
            push_space(&mut out);
        } else {
            out.push(character);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Adds a space unless the text is empty or ends with one.
fn push_space(out: &mut String) {
    if !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
}

/// Which heading a subpath such as `#A#B` means: a heading that matches `A`, then the first below it that
/// matches `B`. Levels may be skipped, empty steps do not count. The first match in document order wins.
///
/// `None` when a step finds nothing, for a block id (`#^id`), and for a subpath without steps.
#[must_use]
pub fn resolve_subpath(headings: &[Heading], subpath: &str) -> Option<usize> {
    let headings = headings.iter().map(|heading| (heading.level, match_key(&heading.text)));
    walk(headings, &subpath_steps(subpath))
}

/// The steps of a subpath such as `#A#B`, as keys ([`match_key`]); empty ones are left out. None at all for a
/// block id (`#^id`).
#[must_use]
pub fn subpath_steps(subpath: &str) -> Vec<String> {
    if subpath.trim_start_matches('#').trim_start().starts_with('^') {
        return Vec::new();
    }
    subpath.split('#').map(match_key).filter(|step| !step.is_empty()).collect()
}

/// The same as [`resolve_subpath`] for headings that are known by level and key, or by whatever stands for a
/// key on both sides.
pub fn walk<K: PartialEq>(headings: impl IntoIterator<Item = (u8, K)>, steps: &[K]) -> Option<usize> {
    let mut matched = 0;
    let mut reached = 0;
    for (index, (level, key)) in headings.into_iter().enumerate() {
        // A heading that is not below the last match means that its part of the document has ended.
        if matched > 0 && level <= reached {
            matched = 0;
        }
        if steps.get(matched).is_some_and(|step| *step == key) {
            matched += 1;
            reached = level;
            if matched == steps.len() {
                return Some(index);
            }
        }
    }
    None
}

/// The headings of a text, gathered leaf by leaf.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    headings: Vec<Heading>,
    /// Headings whose section goes on, levels rising.
    open: Vec<usize>,
}

impl Gathered {
    pub(crate) fn add(&mut self, text: &str, blocks: &Blocks, leaf: &Leaf) {
        let LeafKind::Heading(level) = leaf.kind else { return };
        if !leaf.root {
            return;
        }
        let start = blocks.lines.get(leaf.first_line).map_or(leaf.span.start, |line| line.span.start);
        if let Some(last) = self.headings.last_mut() {
            last.own.end = start;
        }
        while let Some(heading) = self.open.last().and_then(|index| self.headings.get_mut(*index)) {
            if heading.level < level {
                break;
            }
            heading.section.end = start;
            self.open.pop();
        }
        self.open.push(self.headings.len());
        let to_the_end = start..text.len();
        self.headings.push(Heading {
            level,
            text: text.get(leaf.content.clone()).unwrap_or("").trim().to_owned(),
            span: leaf.span.clone(),
            line: leaf.first_line,
            section: to_the_end.clone(),
            own: to_the_end,
        });
    }

    pub(crate) fn finish(self) -> Vec<Heading> {
        self.headings
    }
}
