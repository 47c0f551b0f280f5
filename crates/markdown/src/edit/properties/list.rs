//! Lists: items at both ends that stay keep their text.

use super::block::{Change, after_line, joined, lines_of, value_end};
use super::same::same_value;
use crate::Span;
use crate::edit::Edit;
use crate::yaml::layout::{Entry, Layout, Style};
use crate::yaml::write;
use serde_json::Value;

/// A list changed item by item; `None` when its text does not show the items plainly enough.
pub(super) fn edit(change: &Change<'_>, colon: usize, old: &[Value], new: &[Value]) -> Option<Vec<Edit>> {
    if old.is_empty() || new.is_empty() {
        return None;
    }
    let start = old.iter().zip(new).take_while(|(old, new)| same_value(old, new)).count();
    let rest = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| same_value(old, new));
    let end = end.count();
    let gone = start..old.len() - end;
    let added = new.get(start..new.len() - end)?;
    match &change.entry.style {
        Style::BlockList => in_block(change, colon, old, gone, added),
        Style::FlowList(items) => in_flow(items, old, gone, added),
        Style::Other => None,
    }
}

fn in_block(
    change: &Change<'_>,
    colon: usize,
    old: &[Value],
    gone: Span,
    added: &[Value],
) -> Option<Vec<Edit>> {
    let (indent, items) = block_items(change.yaml, change.layout, change.entry, colon)?;
    if items.len() != old.len() {
        return None;
    }
    let lines: Vec<String> = added.iter().flat_map(|item| write::item(item, indent)).collect();
    let at = match gone.start.checked_sub(1) {
        Some(before) => items.get(before)?.end,
        None => items.first()?.start,
    };
    let mut edits = vec![Edit::new(at..at, joined(&lines, change.own))];
    edits.extend(items.get(gone)?.iter().map(|item| Edit::new(item.clone(), "")));
    Some(edits)
}

/// The items of a block list as whole lines, comments and blank lines below each left out, and what stands
/// before their dashes.
fn block_items<'a>(
    yaml: &'a str,
    layout: &Layout,
    entry: &Entry,
    colon: usize,
) -> Option<(&'a str, Vec<Span>)> {
    let mut items: Vec<Span> = Vec::new();
    let mut indent = None;
    for line in lines_of(yaml, after_line(yaml, colon)..value_end(yaml, layout, entry)) {
        let text = yaml.get(line.clone())?;
        let content = text.trim_start_matches(' ');
        let own = text.get(..text.len() - content.len())?;
        let is_dash = content.strip_prefix('-').is_some_and(|rest| rest.starts_with([' ', '\t', '\n', '\r']));
        if is_dash && *indent.get_or_insert(own) == own {
            items.push(line);
        } else if let Some(item) = items.last_mut() {
            item.end = line.end;
        }
    }
    Some((indent?, shortened(yaml, layout, items)))
}

/// Items without the comments and blank lines at their end.
fn shortened(yaml: &str, layout: &Layout, mut items: Vec<Span>) -> Vec<Span> {
    for item in &mut items {
        let lines = lines_of(yaml, item.clone());
        for line in lines.iter().skip(1).rev() {
            let text = yaml.get(line.clone()).unwrap_or_default();
            let at = line.start + text.len() - text.trim_start().len();
            if !layout.is_comment(at) && !text.trim().is_empty() {
                break;
            }
            item.end = line.start;
        }
    }
    items
}

fn in_flow(items: &[Span], old: &[Value], gone: Span, added: &[Value]) -> Option<Vec<Edit>> {
    let is_scalar = |item: &Value| !matches!(item, Value::Array(_) | Value::Object(_));
    let fits = items.len() == old.len() && added.iter().all(is_scalar);
    // A text of several lines reads better in block style.
    if !fits || added.iter().any(|item| item.as_str().is_some_and(|text| text.contains('\n'))) {
        return None;
    }
    let written: Vec<String> = added.iter().map(write::flow_item).collect();
    let before = gone.start.checked_sub(1).and_then(|before| items.get(before));
    let after = items.get(gone.end);
    let mut text = written.join(", ");
    if before.is_some() && !text.is_empty() {
        text.insert_str(0, ", ");
    }
    if after.is_some() && (before.is_some() || !text.is_empty()) {
        text.push_str(", ");
    }
    let start = before.map_or_else(|| items.first().map(|item| item.start), |item| Some(item.end))?;
    let end = after.map_or_else(|| items.last().map(|item| item.end), |item| Some(item.start))?;
    Some(vec![Edit::new(start..end, text)])
}
