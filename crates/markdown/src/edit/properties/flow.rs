//! A block written as one map in flow style, `{"a": 1}`: changed in place, as JSON.

use super::block::Request;
use crate::Span;
use crate::edit::{Edit, Edited};
use crate::yaml::layout::{Entry, Layout};
use serde_json::Value;

/// The note with the changes made in place. Values are written as JSON, which is YAML too.
pub(super) fn edit(request: &Request<'_>, layout: &Layout) -> Edited {
    let yaml = request.yaml();
    let Some(braces) = &layout.flow else { return Edited::default() };
    if request.is_last && layout.comments.is_empty() {
        return request.without_block();
    }
    let mut edits = Vec::new();
    let mut added = Vec::new();
    let is_gone = |entry: &Entry| {
        entry.name.as_ref().and_then(|name| request.wanted.get(name)).is_some_and(Value::is_null)
    };
    let index = layout.index();
    for (name, value) in request.wanted {
        let entry = index.get(name.as_str()).and_then(|index| layout.entries.get(*index));
        match (entry, value) {
            (_, Value::Null) => {}
            (Some(entry), value) => edits.push(set(yaml, entry, value)),
            (None, value) => added.push(format!("{}: {value}", Value::from(name.as_str()))),
        }
    }
    // Of entries that go, each takes the comma after it; the last ones also the comma before them.
    let kept = layout.entries.iter().rposition(|entry| !is_gone(entry));
    for (index, entry) in layout.entries.iter().enumerate().filter(|(_, entry)| is_gone(entry)) {
        let next = layout.entries.get(index + 1);
        let span = match (next, kept) {
            (Some(next), Some(kept)) if index < kept => entry.key.start..next.key.start,
            (_, kept) => {
                let before = index.checked_sub(1).and_then(|before| layout.entries.get(before));
                let start = if kept.is_some() { before.map(|before| before.end) } else { None };
                start.unwrap_or(entry.key.start)..entry.end
            }
        };
        edits.push(Edit::new(span, ""));
    }
    if !added.is_empty() {
        let last = kept.and_then(|kept| layout.entries.get(kept));
        let at = last.map_or(braces.start + 1, |entry| entry.end);
        let comma = if last.is_some() { ", " } else { "" };
        edits.push(Edit::new(at..at, comma.to_owned() + &added.join(", ")));
    }
    request.in_note(edits)
}

/// The value of an entry, from after its colon on.
fn set(yaml: &str, entry: &Entry, value: &Value) -> Edit {
    let after = yaml.get(entry.key.end..).unwrap_or_default();
    let colon = after.len() - after.trim_start().len();
    let has_colon = after.get(colon..).is_some_and(|rest| rest.starts_with(':'));
    let span: Span = match entry.start {
        Some(start) => start..entry.end,
        None if has_colon => entry.key.end + colon + 1..entry.key.end + colon + 1,
        None => entry.key.end..entry.key.end,
    };
    let lead = match (entry.start, has_colon) {
        (Some(_), _) => "",
        (None, true) => " ",
        (None, false) => ": ",
    };
    Edit::new(span, format!("{lead}{value}"))
}
