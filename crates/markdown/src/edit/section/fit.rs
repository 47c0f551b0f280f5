//! Whether two texts can stand line by line.

use crate::document;
use crate::sections::SectionKind;

/// Whether a blank line has to part two texts. Paragraph and paragraph, list and list go without, and so
/// does any text right below a heading.
pub(super) fn needs_blank(above: &str, below: &str) -> bool {
    if above.trim().is_empty() || below.trim().is_empty() {
        return false;
    }
    let (upper, lower) =
        (document::parse(above).structure.sections, document::parse(below).structure.sections);
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
    let names = |text: &str| -> Vec<(u8, String)> {
        let headings = document::parse(text).headings;
        headings.into_iter().map(|heading| (heading.level, heading.text)).collect()
    };
    let joined = format!("{}\n{below}", above.trim_end_matches(['\n', '\r']));
    let mut apart = names(above);
    apart.extend(names(below));
    names(&joined) != apart
}
