//! Links that are the value of a property: written in quotes, which stay.

use super::note::Change;
use crate::edit::{Edit, apply};
use crate::links::{Link, whole};
use crate::yaml::{LinkText, write};

/// The link that a text value is, with spans of the decoded value.
pub(super) fn link(text: &LinkText) -> Option<Link> {
    whole(&text.value)
}

/// Edits of the decoded value as edits of the note. `source` is the value as written, quotes included.
pub(super) fn in_source(change: Change, text: &LinkText, source: &str) -> Change {
    let Change::Edits(edits) = change else { return change };
    let quoted: fn(&str) -> String = match source.chars().next() {
        Some('"') => |piece| {
            let quoted = write::double_quoted(piece);
            quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
        },
        Some('\'') => |piece| piece.replace('\'', "''"),
        _ => str::to_owned,
    };
    // Without escapes in it the value stands in the text as it is.
    let mut places = source.match_indices(&text.value);
    if let (Some((offset, _)), None) = (places.next(), places.next()) {
        let start = text.span.start + offset;
        let place =
            |edit: Edit| Edit::new(edit.span.start + start..edit.span.end + start, quoted(&edit.text));
        return Change::Edits(edits.into_iter().map(place).collect());
    }
    let is_quoted = source.starts_with(['"', '\'']);
    match apply(&text.value, &edits) {
        Ok(value) if is_quoted => {
            let quote = source.get(..1).unwrap_or_default();
            Change::Edits(vec![Edit::new(text.span.clone(), format!("{quote}{}{quote}", quoted(&value)))])
        }
        _ => Change::Unwritable(text.value.clone()),
    }
}
