//! The lanes of a board in a note that has been read already.

use super::board::is_complete_mark;
use crate::document::Document;
use crate::sections::SectionKind;

/// Which headings of a board are lanes whose cards count as done: those marked with `Complete`, else those
/// that are called `Done`. Indices into the document's headings.
#[must_use]
pub fn done_lanes(text: &str, document: &Document) -> Vec<usize> {
    let mut lanes = complete_lanes(text, document);
    if lanes.is_empty() {
        let named = document.headings.iter().enumerate();
        let named = named.filter(|(_, heading)| heading.text.trim().eq_ignore_ascii_case("done"));
        lanes.extend(named.map(|(index, _)| index));
    }
    lanes
}

/// Which headings of a board are lanes marked with `Complete`: a card that is moved into one is done then.
/// Indices into the document's headings.
#[must_use]
pub fn complete_lanes(text: &str, document: &Document) -> Vec<usize> {
    let mut marked = Vec::new();
    let mut heading = None;
    let mut next_heading = 0;
    let mut has_list = false;
    for section in &document.structure.sections {
        match section.kind {
            SectionKind::Heading => {
                heading = Some(next_heading);
                next_heading += 1;
                has_list = false;
            }
            SectionKind::List => has_list = true,
            SectionKind::Paragraph if !has_list => {
                let paragraph = text.get(section.span.clone()).unwrap_or_default();
                marked.extend(heading.filter(|_| is_complete_mark(paragraph)));
                // A second mark says nothing new.
                has_list = marked.last().copied() == heading && heading.is_some();
            }
            _ => {}
        }
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let document = crate::document::parse(text);
        let found: Vec<&str> = done_lanes(text, &document)
            .into_iter()
            .map(|index| document.headings[index].text.as_str())
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn marked_lanes_else_those_named_done() {
        check("## A\n\n- [ ] x\n\n## Shipped\n\n**Complete**\n- [x] y\n\n## Done\n", &["Shipped"]);
        check("## A\n\n## done\n\n- [x] y\n", &["done"]);
        check("## A\n\n- [ ] x\n\n**Complete**\n", &[]);
        check("## A\n\n**Complete**\n\n**Complete**\n\n## B\n\n*Complete*\n", &["A", "B"]);
    }
}
