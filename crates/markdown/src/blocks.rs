//! Block ids: `^id` at the end of a block, or on a line of its own after it.

use crate::Span;
use crate::block::{Blocks, Leaf, LeafKind};
use crate::inline;
use crate::sections::SectionKind;

/// A block id and the block it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockId {
    /// The id as written, without `^`. Ids compare without case.
    pub id: String,
    /// The id with its `^`.
    pub span: Span,
    /// Zero-based line of the id.
    pub line: usize,
    /// The whole block, id included.
    pub block: Span,
}

/// What block ids are compared by: their letters are Latin, their case does not count.
#[must_use]
pub fn match_key(id: &str) -> String {
    id.to_ascii_lowercase()
}

/// The block id that a link's subpath means: `#^id` → `id`. `None` for headings.
#[must_use]
pub fn of_subpath(subpath: &str) -> Option<&str> {
    subpath.trim_start_matches('#').trim().strip_prefix('^')
}

/// What a block id names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// The top-level block with this index.
    Section(usize),
    /// The list item with this index.
    Item(usize),
    /// A paragraph inside a quote or a footnote.
    Leaf,
}

/// The id at the end of a text: `^`, then Latin letters, digits and hyphens, after white space, after a link
/// (as Obsidian's own help has it), or alone. The offset of its `^` and its name.
pub(crate) fn trailing_id(text: &str) -> Option<(usize, &str)> {
    let text = text.trim_ascii_end();
    let caret = text.rfind('^')?;
    let id = text.get(caret + 1..)?;
    let valid = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let before = text.get(..caret)?;
    let parted = before.is_empty() || before.ends_with([' ', '\t', '\n', '\r']) || before.ends_with("]]");
    (valid && parted).then_some((caret, id))
}

/// The block id of a leaf, if it ends with one, and what it names. Its block is the leaf until
/// [`settle`] knows the end of what it names.
pub(crate) fn of_leaf(text: &str, blocks: &Blocks, leaf: &Leaf) -> Option<(BlockId, Named)> {
    if !matches!(leaf.kind, LeafKind::Paragraph | LeafKind::Heading(_)) {
        return None;
    }
    let line = last_line(blocks, leaf)?;
    let (caret, id) = text.get(line.clone()).and_then(trailing_id)?;
    let start = line.start + caret;
    let span = start..start + 1 + id.len();
    let alone = caret == 0 && leaf.first_line == leaf.last_line;
    let named = name(blocks, leaf, alone);
    Some((BlockId { id: id.to_owned(), span, line: leaf.last_line, block: leaf.span.clone() }, named))
}

/// Gives each id the block it names, once all blocks are known.
pub(crate) fn settle(text: &str, blocks: &Blocks, ids: &mut [(BlockId, Named)]) {
    for (id, named) in ids {
        let block = match named {
            Named::Section(index) => blocks.sections.get(*index).map(|section| &section.span),
            Named::Item(index) => blocks.items.get(*index).map(|item| &item.span),
            Named::Leaf => None,
        };
        let block = block.unwrap_or(&id.block);
        // An id on a line of its own belongs to the block it follows.
        let block = block.start.min(id.span.start)..block.end.max(id.span.end);
        let length = text.get(block.clone()).map_or(block.len(), |text| text.trim_end().len());
        id.block = block.start..block.start + length;
    }
}

/// The last line of a leaf's text.
fn last_line(blocks: &Blocks, leaf: &Leaf) -> Option<Span> {
    if matches!(leaf.kind, LeafKind::Heading(_)) {
        return Some(leaf.content.clone());
    }
    inline::last_row(blocks, leaf)
}

fn name(blocks: &Blocks, leaf: &Leaf, alone: bool) -> Named {
    if let Some(item) = leaf.item {
        return Named::Item(item);
    }
    if !leaf.root {
        return Named::Leaf;
    }
    if alone && let Some(before) = leaf.section.checked_sub(1) {
        let named = blocks.sections.get(before);
        if named.is_some_and(|section| section.kind != SectionKind::Yaml) {
            return Named::Section(before);
        }
    }
    Named::Section(leaf.section)
}
