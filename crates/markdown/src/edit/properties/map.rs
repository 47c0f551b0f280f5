//! Maps in maps: members that stay keep their text.

use super::block::{self, Change, How, Request, after_line, line_end, value_end};
use super::flow;
use super::same::same_value;
use crate::Span;
use crate::edit::{Edit, Edited};
use crate::frontmatter::{self, Block, Properties};
use crate::yaml::layout::{Layout, layout};
use serde_json::{Map, Value};

/// A map changed member by member, and so on down the maps in it; `None` when its text does not show the
/// members plainly enough, or when they are to stand in another order.
pub(super) fn edit(
    change: &Change<'_>,
    colon: usize,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
) -> Option<Vec<Edit>> {
    let kept = old.keys().filter(|name| new.contains_key(*name));
    let added = new.keys().filter(|name| !old.contains_key(*name));
    let keeps_order = kept.clone().chain(added).eq(new.keys());
    if !keeps_order || kept.count() == 0 {
        return None;
    }
    let mut wanted = Map::new();
    for (name, value) in new {
        if old.get(name).is_some_and(|old| same_value(old, value)) {
            continue;
        }
        // Null takes a member out; one that is to be null is written with the whole map.
        if value.is_null() {
            return None;
        }
        wanted.insert(name.clone(), value.clone());
    }
    let gone = old.keys().filter(|name| !new.contains_key(*name));
    wanted.extend(gone.map(|name| (name.clone(), Value::Null)));

    let span = place(change, colon)?;
    let text = change.yaml.get(span.clone())?;
    let block = Block { span: 0..text.len(), yaml: 0..text.len() };
    let request = Request { source: text, block: &block, old, wanted: &wanted, is_last: false };
    let layout: Layout = layout(text)?;
    let edited = if layout.flow.is_some() {
        flow::edit(&request, &layout)
    } else {
        block::edit(&request, &layout, How::Nice)
    };
    let shifted =
        |edit: Edit| Edit { span: edit.span.start + span.start..edit.span.end + span.start, ..edit };
    says(&edited, new).then(|| edited.edits.into_iter().map(shifted).collect())
}

/// Where the members stand: the lines below the key, or what is written in braces behind it.
fn place(change: &Change<'_>, colon: usize) -> Option<Span> {
    let Change { yaml, layout, entry, .. } = change;
    let end = line_end(yaml, colon);
    let cut = layout.comment_in(&(colon..end)).map_or(end, |comment| comment.start);
    if yaml.get(colon..cut)?.trim().is_empty() {
        return Some(after_line(yaml, colon)..value_end(yaml, layout, entry));
    }
    let start = entry.start.filter(|start| yaml.get(*start..).is_some_and(|rest| rest.starts_with('{')))?;
    Some(start..entry.end)
}

/// Whether a text, read alone, is a map with these members.
fn says(edited: &Edited, expected: &Map<String, Value>) -> bool {
    let text = format!("---\n{}\n---\n", edited.text.trim_end_matches(['\n', '\r']));
    let Properties::Map(map) = frontmatter::properties(&text) else { return false };
    let values = map.into_values();
    values.len() == expected.len()
        && values
            .iter()
            .zip(expected)
            .all(|((name, value), (wanted, expected))| name == wanted && same_value(value, expected))
}
