//! Whether two texts can stand line by line.

use crate::document::{self, Document};
use crate::sections::SectionKind;

/// Whether a blank line has to part two texts. Paragraph and paragraph, list and list go without, and so
/// does any text right below a heading.
pub(super) fn needs_blank(above: &str, below: &str) -> bool {
    if above.trim().is_empty() || below.trim().is_empty() {
        return false;
    }
    let (upper, lower) = (part(above).structure.sections, part_below(below).structure.sections);
    let (Some(last), Some(first)) = (upper.last(), lower.first()) else { return false };
    let is_tight = match (last.kind, first.kind) {
        (SectionKind::Heading, first) => first != SectionKind::Heading,
        (SectionKind::Paragraph, SectionKind::Paragraph) | (SectionKind::List, SectionKind::List) => true,
        // Rows without the line of hyphens are no table of their own.
        (SectionKind::Table, SectionKind::Paragraph) => below.trim_start().starts_with('|'),
        _ => false,
    };
    !is_tight || joins_badly(above, below)
}

/// Whether headings come or go when two texts stand line by line: a line above `===` becomes a heading, and
/// one above an underlined heading a part of it.
pub(super) fn joins_badly(above: &str, below: &str) -> bool {
    if below.is_empty() {
        return false;
    }
    let names = |document: Document| -> Vec<(u8, String)> {
        document.headings.into_iter().map(|heading| (heading.level, heading.text)).collect()
    };
    let joined = format!("{}\n{below}", above.trim_end_matches(['\n', '\r']));
    let mut apart = names(part(above));
    apart.extend(names(part_below(below)));
    names(part(&joined)) != apart
}

/// Reads the beginning of a body: `---` opens no properties there.
fn part(text: &str) -> Document {
    if text.starts_with("---") { part_below(text) } else { document::parse(text) }
}

/// Reads a text that stands below another one: the very first line of a body is never code, this one may be.
fn part_below(text: &str) -> Document {
    document::parse(&format!("\n{text}"))
}
