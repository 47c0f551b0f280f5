//! A block that has an id.

use super::{SectionError, trimmed};
use crate::document;
use crate::edit::apply::with_line_breaks;
use crate::edit::{Edit, Edited, line_break, without_mark};
use crate::tasks::marker_length;

/// Puts new text in the place of the block with an id (`^id`, compared without case). The id stays, and so
/// does the marker of a list item.
///
/// # Errors
/// [`SectionError::NoBlock`], [`SectionError::EmptyContent`].
pub fn replace_block(source: &str, id: &str, content: &str) -> Result<Edited, SectionError> {
    let wanted = id.trim().trim_start_matches(['#', '^']);
    let content = trimmed(content);
    if content.is_empty() {
        return Err(SectionError::EmptyContent);
    }
    let rest = without_mark(source);
    let document = document::parse(rest);
    let found = document.block_ids.iter().find(|block| block.id.eq_ignore_ascii_case(wanted));
    let Some(block) = found else { return Err(SectionError::NoBlock { id: wanted.to_owned() }) };
    let old = rest.get(block.block.start..block.span.start).unwrap_or_default();
    let is_item = document.structure.list_items.iter().any(|item| item.span.start == block.block.start);
    let marker = if is_item && marker(content).is_none() { marker(old).unwrap_or(0) } else { 0 };
    let span = block.block.start + marker..block.block.start + old.trim_end().len().max(marker);
    let text = with_line_breaks(content, line_break(source));
    Ok(Edited::new(rest, vec![Edit::new(span, text)]).with_mark(source, rest))
}

/// The length of a list marker with the white space after it.
fn marker(text: &str) -> Option<usize> {
    let length = marker_length(text)?;
    let rest = text.get(length..)?;
    let space = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    (space > 0).then_some(length + space)
}
