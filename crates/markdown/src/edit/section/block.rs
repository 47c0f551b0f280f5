//! A block that has an id.

use super::{SectionError, trimmed};
use crate::blocks::{BlockId, match_key, trailing_id};
use crate::document::{self, Document};
use crate::edit::apply::with_line_breaks;
use crate::edit::{Edit, Edited, Place, excerpt, line_at, line_break, without_mark};
use crate::tasks::marker_length;

/// A note after a block was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockReplaced {
    /// The note.
    pub edited: Edited,
    /// The beginning of the text that is gone, without what stayed of it.
    pub replaced: String,
}

/// Puts new text in the place of the block with an id (`^id`, compared without case).
///
/// The id stays, at the end of a content that ends with it already too. So do, unless the content has its
/// own, the hashes of a heading and the marker of a list item, a task's box with it.
///
/// # Errors
/// [`SectionError::NoBlock`], [`SectionError::AmbiguousBlock`], [`SectionError::EmptyContent`],
/// [`SectionError::OtherBlockId`]; [`SectionError::BlockLost`] when the id would not name the new text.
pub fn replace_block(source: &str, id: &str, content: &str) -> Result<BlockReplaced, SectionError> {
    let wanted = id.trim().trim_start_matches(['#', '^']);
    let rest = without_mark(source);
    let document = document::parse(rest);
    let block = find(rest, &document, wanted)?;
    let content = without_id(trimmed(content), &block.id)?;
    if content.is_empty() {
        return Err(SectionError::EmptyContent);
    }
    let old = rest.get(block.block.start..block.span.start).unwrap_or_default();
    // An id on a line of its own names a whole list, table or quote.
    let is_alone = old.trim_end_matches([' ', '\t']).ends_with('\n');
    let is_item = document.structure.list_items.iter().any(|item| item.span.start == block.block.start);
    let is_heading = document.headings.iter().any(|heading| heading.span.start == block.block.start);
    let is_underlined = is_heading && hashes(old.trim_start()).is_none();
    if is_heading && (content.contains('\n') || (is_underlined && hashes(content).is_some())) {
        return Err(SectionError::BlockLost { id: block.id.clone() });
    }
    let marker =
        if is_item { item_marker(old, content, is_alone) } else { heading_marker(old, content, is_heading) };
    let kept = old.get(..marker).unwrap_or_default();
    let text = with_line_breaks(content, line_break(source));
    let text = if marker > 0 && is_item { indented(rest, block.block.start, kept, &text) } else { text };
    let span = block.block.start + marker..block.block.start + old.trim_end().len().max(marker);
    let replaced = excerpt(rest.get(span.clone()).unwrap_or_default());
    let edited = Edited::new(rest, vec![Edit::new(span, text)]);
    let again = document::parse(&edited.text);
    let mut named = again.block_ids.iter().filter(|found| match_key(&found.id) == match_key(&block.id));
    let starts_there = named.next().is_some_and(|found| found.block.start == block.block.start);
    if !starts_there || named.next().is_some() || document.headings.len() > again.headings.len() {
        return Err(SectionError::BlockLost { id: block.id.clone() });
    }
    Ok(BlockReplaced { edited: edited.with_mark(source, rest), replaced })
}

/// The only block with an id.
fn find<'a>(source: &str, document: &'a Document, wanted: &str) -> Result<&'a BlockId, SectionError> {
    let key = match_key(wanted);
    let found: Vec<&BlockId> =
        document.block_ids.iter().filter(|block| match_key(&block.id) == key).collect();
    match found.as_slice() {
        [only] => Ok(only),
        [] => Err(SectionError::NoBlock { id: wanted.to_owned() }),
        several => {
            let place = |block: &&BlockId| Place {
                line: block.line + 1,
                excerpt: excerpt(line_at(source, block.span.start)),
            };
            let places = several.iter().map(place).collect();
            Err(SectionError::AmbiguousBlock { id: wanted.to_owned(), places })
        }
    }
}

/// The content without the id of the block at its end, which stays where it is.
fn without_id<'a>(content: &'a str, id: &str) -> Result<&'a str, SectionError> {
    match trailing_id(content) {
        Some((caret, found)) if match_key(found) == match_key(id) => {
            Ok(content.get(..caret).unwrap_or_default().trim_end())
        }
        Some((_, found)) => Err(SectionError::OtherBlockId { id: id.to_owned(), found: found.to_owned() }),
        None => Ok(content),
    }
}

/// How much of a list item stays: its marker, and the box of a task, unless the content brings its own.
fn item_marker(old: &str, content: &str, keeps_no_box: bool) -> usize {
    if marker(content).is_some() {
        return 0;
    }
    let length = marker(old).unwrap_or(0);
    let box_of = |text: &str| -> Option<usize> {
        let inside = text.strip_prefix('[')?;
        let symbol = inside.chars().next()?;
        let after = inside.get(symbol.len_utf8()..)?.strip_prefix(']')?;
        let spaces = after.len() - after.trim_start_matches(' ').len();
        (after.is_empty() || spaces > 0).then_some(symbol.len_utf8() + 2 + spaces)
    };
    let has_box = keeps_no_box || box_of(content).is_some();
    let own = old.get(length..).and_then(box_of).filter(|_| length > 0 && !has_box);
    length + own.unwrap_or(0)
}

/// How much of a heading stays: its hashes, unless the content brings its own.
fn heading_marker(old: &str, content: &str, is_heading: bool) -> usize {
    if !is_heading || hashes(content).is_some() {
        return 0;
    }
    let before = old.len() - old.trim_start_matches(' ').len();
    old.get(before..).and_then(hashes).map_or(0, |length| before + length)
}

/// The length of a heading's hashes with the white space after them.
fn hashes(text: &str) -> Option<usize> {
    let length = text.len() - text.trim_start_matches('#').len();
    let rest = text.get(length..)?;
    let space = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    ((1..=6).contains(&length) && space > 0).then_some(length + space)
}

/// The length of a list marker with the white space after it.
fn marker(text: &str) -> Option<usize> {
    let length = marker_length(text)?;
    let rest = text.get(length..)?;
    let space = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    (space > 0).then_some(length + space)
}

/// Further lines of a list item, indented so that they belong to it. In a quote they stay as they are.
fn indented(source: &str, start: usize, kept: &str, text: &str) -> String {
    let before = source.get(..start).unwrap_or_default();
    let before = before.rsplit('\n').next().unwrap_or_default();
    if !before.trim().is_empty() {
        return text.to_owned();
    }
    let width = marker(kept).unwrap_or(kept.len());
    let mut lines = text.split('\n');
    let mut written = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        written.push('\n');
        if !line.trim().is_empty() {
            written.push_str(before);
            written.push_str(&" ".repeat(width));
        }
        written.push_str(line);
    }
    written
}
