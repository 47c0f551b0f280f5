//! The links of one note.

use super::text::{Place, Target, written};
use super::{Files, LinkFormat, Rewritten, Unwritable, property};
use crate::Span;
use crate::document;
use crate::edit::properties::{BlockError, check};
use crate::edit::{Edit, Edited, without_mark};
use crate::frontmatter::Properties;
use crate::links::{Link, LinkKind};

/// Rewrites the links of a note that the moves would break: those of its text and those of its properties.
/// `from` and `to` are its own path before and after, the same unless it moves itself.
///
/// # Errors
/// [`BlockError`] when the properties block is not valid YAML, so that its links cannot be read; and when a
/// link has to change in a note whose block cannot be kept.
pub fn rewrite_note(
    source: &str,
    from: &str,
    to: &str,
    format: LinkFormat,
    files: &dyn Files,
) -> Result<Rewritten, BlockError> {
    let (marked, source) = (source, without_mark(source));
    let document = document::parse(source);
    if let Properties::Invalid(error) = document.properties {
        return Err(BlockError::Invalid(error));
    }
    let place = Place { from, to, format, files };
    let mut found = Rewritten::default();
    let mut edits = Vec::new();
    let map = document.properties.map();
    for text in map.map(|map| map.links.as_slice()).unwrap_or_default() {
        if let Some(link) = property::link(text) {
            let change = change(&text.value, &link, &place);
            let written = source.get(text.span.clone()).unwrap_or_default();
            let change = change.map(|change| property::in_source(change, text, written));
            note_change(change, &mut found, &mut edits, text.line, &text.value);
        }
    }
    for link in &document.links {
        let change = change(source, link, &place);
        let text = source.get(link.span.clone()).unwrap_or_default();
        note_change(change, &mut found, &mut edits, link.line, text);
    }
    edits.sort_by_key(|edit| edit.span.start);
    if !edits.is_empty() {
        check(source)?;
    }
    found.edited = Edited::new(source, edits).with_mark(marked, source);
    Ok(found)
}

/// What has to be done about a link.
pub(super) enum Change {
    /// Pieces of text to replace.
    Edits(Vec<Edit>),
    /// It cannot be written; the file it means.
    Unwritable(String),
}

fn note_change(
    change: Option<Change>,
    found: &mut Rewritten,
    edits: &mut Vec<Edit>,
    line: usize,
    link: &str,
) {
    match change {
        None => {}
        Some(Change::Edits(more)) => {
            found.links += usize::from(!more.is_empty());
            edits.extend(more);
        }
        Some(Change::Unwritable(target)) => {
            found.unwritable.push(Unwritable { line: line + 1, link: link.to_owned(), target });
        }
    }
}

/// The edits of a link in the text that holds it.
fn change(text: &str, link: &Link, place: &Place<'_>) -> Option<Change> {
    let target = place.target(&link.path)?;
    let path = place.path_text(link.kind, &target.new);
    let Some(path) = path.and_then(|path| written(link.kind, link.angle, &path)) else {
        return Some(Change::Unwritable(target.new));
    };
    let span = path_span(text, link);
    let mut edits = Vec::new();
    if text.get(span.clone()) != Some(path.as_str()) {
        edits.push(Edit::new(span, path));
        edits.extend(shown(text, link, &target));
        edits.sort_by_key(|edit| edit.span.start);
    }
    Some(Change::Edits(edits))
}

/// The path as written, without its subpath.
fn path_span(text: &str, link: &Link) -> Span {
    let span = link.path_span(text);
    let written = text.get(span.clone()).unwrap_or_default();
    // The `#` of a Markdown link may be encoded.
    match written.find("%23") {
        Some(hash) if link.subpath.is_some() && span.end == link.target_span.end => {
            span.start..span.start + hash
        }
        _ => span,
    }
}

/// The text shown, when it is the old name.
fn shown(text: &str, link: &Link, target: &Target) -> Option<Edit> {
    let (old, new) = target.names()?;
    if link.display.as_deref() != Some(old) || new.contains(['[', ']', '|', '\\', '\n', '\r']) {
        return None;
    }
    let span = match link.kind {
        LinkKind::Wiki => {
            let end = link.span.end.checked_sub(2)?;
            end.checked_sub(old.len())?..end
        }
        LinkKind::Markdown => {
            let start = link.span.start + 1 + usize::from(link.embed);
            start..start + old.len()
        }
    };
    (text.get(span.clone()) == Some(old)).then(|| Edit::new(span, new))
}
