//! Entries of a block in block style, changed in place.

use super::error::PropertiesError;
use super::same::same_value;
use super::{list, map};
use crate::Span;
use crate::edit::{Edit, Edited, line_break, line_number};
use crate::frontmatter::{self, Block, Properties};
use crate::yaml::layout::{Entry, Layout};
use crate::yaml::write::{self, Written};
use serde_json::{Map, Value};

/// What is asked for.
pub(super) struct Request<'a> {
    pub(super) source: &'a str,
    pub(super) block: &'a Block,
    /// The properties as they are.
    pub(super) old: &'a Map<String, Value>,
    /// Those to change, by the spelling they have or get; null removes.
    pub(super) wanted: &'a Map<String, Value>,
    /// Whether no property is left afterwards.
    pub(super) is_last: bool,
}

impl<'a> Request<'a> {
    pub(super) fn yaml(&self) -> &'a str {
        self.source.get(self.block.yaml.clone()).unwrap_or_default()
    }

    /// Edits of the block's YAML as edits of the note.
    pub(super) fn in_note(&self, edits: Vec<Edit>) -> Edited {
        let start = self.block.yaml.start;
        let shifted = edits
            .into_iter()
            .map(|edit| Edit { span: edit.span.start + start..edit.span.end + start, ..edit });
        let mut edits: Vec<Edit> = shifted.collect();
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        Edited::new(self.source, edits)
    }

    /// The whole block taken out.
    pub(super) fn without_block(&self) -> Edited {
        Edited::new(self.source, vec![Edit::new(self.block.span.clone(), "")])
    }
}

/// How new values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// As Obsidian writes them.
    Nice,
    /// On one line each, for a place where further lines would be read differently.
    OneLine,
}

/// Refuses to take away a value that another property repeats.
pub(super) fn check_anchors(request: &Request<'_>, layout: &Layout) -> Result<(), PropertiesError> {
    let is_wanted = |entry: &Entry| entry.name.as_ref().is_some_and(|name| request.wanted.contains_key(name));
    for user in layout.entries.iter().filter(|entry| !is_wanted(entry)) {
        let defined = user.aliases.iter().filter_map(|alias| layout.anchors.get(alias));
        let mut gone =
            defined.filter_map(|entry| layout.entries.get(*entry)).filter(|entry| is_wanted(entry));
        if let Some(entry) = gone.next() {
            return Err(PropertiesError::AnchorInUse {
                key: entry.name.clone().unwrap_or_default(),
                user: user.name.clone().unwrap_or_default(),
                line: line_number(request.source, request.block.yaml.start + user.key.start),
            });
        }
    }
    Ok(())
}

/// The note with the changes made in place. Whether it says what was asked for is for [`holds`] to find out.
pub(super) fn edit(request: &Request<'_>, layout: &Layout, how: How) -> Edited {
    let yaml = request.yaml();
    let own = line_break(request.source);
    let indent = layout.entries.first().map_or("", |entry| indent_of(yaml, entry.key.start));
    let (mut edits, mut added) = (Vec::new(), Vec::new());
    let index = layout.index();
    for (name, value) in request.wanted {
        let entry = index.get(name.as_str()).and_then(|index| layout.entries.get(*index));
        match (entry, value) {
            (Some(entry), Value::Null) => edits.push(remove(yaml, layout, entry, how)),
            (Some(entry), value) => {
                let old = request.old.get(name).unwrap_or(&Value::Null);
                let edit = Change { yaml, layout, entry, indent, own, how };
                edits.extend(edit.value(old, value));
            }
            (None, Value::Null) => {}
            (None, value) if how == How::OneLine => {
                let key = write::key(name);
                added.push(format!("{indent}{key}: {}", write::one_line(value)).trim_end().to_owned());
            }
            (None, value) => added.extend(write::entry(name, value, indent)),
        }
    }
    if !added.is_empty() {
        let at = end_of_entries(yaml, layout);
        edits.push(Edit::new(at..at, joined(&added, own)));
    }
    let edited = request.in_note(edits);
    // Comments stay, and with them the block; blank lines alone do not.
    let is_bare = request.is_last
        && frontmatter::locate(&edited.text)
            .and_then(|block| edited.text.get(block.yaml))
            .is_some_and(|yaml| yaml.trim().is_empty());
    if is_bare { request.without_block() } else { edited }
}

/// Whether a text holds exactly these properties, and the body it had.
pub(super) fn holds(source: &str, block: &Block, edited: &Edited, expected: &Map<String, Value>) -> bool {
    let body = source.get(block.span.end..).unwrap_or_default();
    let Some(new) = frontmatter::locate(&edited.text) else {
        return expected.is_empty() && edited.text.ends_with(body);
    };
    // With the block gone, the body may open with lines that are one; the guard looks at those.
    if expected.is_empty() && edited.text.trim_start_matches('\u{feff}') == body {
        return true;
    }
    edited.text.get(new.span.end..) == Some(body) && says(&edited.text, &new, expected)
}

/// Whether a block holds exactly these properties, in their order.
pub(super) fn says(text: &str, block: &Block, expected: &Map<String, Value>) -> bool {
    match frontmatter::read(text, block) {
        Properties::None => expected.is_empty(),
        Properties::Map(map) => {
            let values = map.into_values();
            values.len() == expected.len()
                && values
                    .iter()
                    .zip(expected)
                    .all(|((name, value), (wanted, expected))| name == wanted && same_value(value, expected))
        }
        Properties::Other | Properties::Invalid(_) => false,
    }
}

/// One entry that gets a new value.
pub(super) struct Change<'a> {
    pub(super) yaml: &'a str,
    pub(super) layout: &'a Layout,
    pub(super) entry: &'a Entry,
    pub(super) indent: &'a str,
    pub(super) own: &'static str,
    how: How,
}

impl Change<'_> {
    fn value(&self, old: &Value, new: &Value) -> Vec<Edit> {
        let Some(colon) = colon(self.yaml, self.entry) else { return self.whole(new) };
        if self.how == How::Nice
            && let (Value::Array(old), Value::Array(new)) = (old, new)
            && let Some(edits) = list::edit(self, colon, old, new)
        {
            return edits;
        }
        if self.how == How::Nice
            && let (Value::Object(old), Value::Object(new)) = (old, new)
            && let Some(edits) = map::edit(self, colon, old, new)
        {
            return edits;
        }
        let Written { inline, lines } = match self.how {
            How::Nice => write::value(new, self.indent),
            How::OneLine => Written { inline: write::one_line(new), lines: Vec::new() },
        };
        let first_end = line_end(self.yaml, colon);
        let below = after_line(self.yaml, colon);
        let last = value_end(self.yaml, self.layout, self.entry);
        // A comment on the line of the key stays there.
        let comment = self.layout.comment_in(&(colon..first_end));
        let cut = comment.map_or(first_end, |comment| {
            let before = self.yaml.get(colon..comment.start).unwrap_or_default();
            colon + before.trim_end().len()
        });
        let space = if inline.is_empty() { "" } else { " " };
        vec![
            Edit::new(colon..cut, format!("{space}{inline}")),
            Edit::new(below..last.max(below), joined(&lines, self.own)),
        ]
    }

    /// The entry written anew, key and all: for keys written in an unusual way.
    fn whole(&self, new: &Value) -> Vec<Edit> {
        let name = self.entry.name.as_deref().unwrap_or_default();
        let lines = write::entry(name, new, self.indent);
        let removed = remove(self.yaml, self.layout, self.entry, self.how);
        vec![Edit::new(removed.span, joined(&lines, self.own))]
    }
}

/// Where the value of an entry ends: after its last line that is neither blank nor a comment. Items that are
/// nothing have no place of their own in the layout, so the line before the next key is what counts.
pub(super) fn value_end(yaml: &str, layout: &Layout, entry: &Entry) -> usize {
    let end = layout.after(entry).map_or(layout.end, |next| line_start(yaml, next.key.start));
    // A block text keeps the blank lines that are part of it.
    let mut last = after_line(yaml, entry.end.saturating_sub(1));
    for line in lines_of(yaml, last..end.max(last)) {
        let text = yaml.get(line.clone()).unwrap_or_default();
        let at = line.start + text.len() - text.trim_start().len();
        if !layout.is_comment(at) && !text.trim().is_empty() {
            last = line.end;
        }
    }
    last
}

/// An entry taken out, with a comment on its last line. Comments below it stay, but where a block text above
/// would take them for its own: then those that are indented like parts of the entry go with it.
fn remove(yaml: &str, layout: &Layout, entry: &Entry, how: How) -> Edit {
    let start = line_start(yaml, entry.key.start);
    let mut end = value_end(yaml, layout, entry);
    if how == How::OneLine {
        let line = yaml.get(start..).unwrap_or_default();
        let indent = line.len() - line.trim_start_matches(' ').len();
        for line in lines_of(yaml, end..layout.end.max(end)) {
            let text = yaml.get(line.clone()).unwrap_or_default();
            let own = text.len() - text.trim_start().len();
            if text.trim().is_empty() {
                continue;
            }
            if own <= indent || !text.trim_start().starts_with('#') {
                break;
            }
            end = line.end;
        }
    }
    Edit::new(start..end, "")
}

/// Where new entries go: below the last one and any comments there, above blank lines.
fn end_of_entries(yaml: &str, layout: &Layout) -> usize {
    let Some(last) = layout.entries.last() else {
        // Nothing but comments and blank lines.
        let length = yaml.trim_end().len();
        return if length == 0 { 0 } else { after_line(yaml, length - 1) };
    };
    let comments = layout.comments.iter().filter(|comment| comment.start < layout.end);
    let comments = comments.map(|comment| after_line(yaml, comment.start));
    comments.fold(value_end(yaml, layout, last), usize::max)
}

/// The place after the colon of an entry whose key is written the usual way.
fn colon(yaml: &str, entry: &Entry) -> Option<usize> {
    let after = yaml.get(entry.key.end..)?;
    let skipped = after.len() - after.trim_start_matches([' ', '\t']).len();
    let is_first = yaml.get(..entry.key.start)?.rsplit('\n').next()?.trim().is_empty();
    (is_first && after.get(skipped..)?.starts_with(':')).then_some(entry.key.end + skipped + 1)
}

fn indent_of(yaml: &str, offset: usize) -> &str {
    let line = yaml.get(..offset).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
    if line.trim().is_empty() { line } else { "" }
}

fn line_start(yaml: &str, offset: usize) -> usize {
    yaml.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}

/// The end of the line that holds an offset, its line break left out.
pub(super) fn line_end(yaml: &str, offset: usize) -> usize {
    let rest = yaml.get(offset..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    offset + line.strip_suffix('\r').filter(|_| line.len() < rest.len()).unwrap_or(line).len()
}

/// The start of the line below the one that holds an offset.
pub(super) fn after_line(yaml: &str, offset: usize) -> usize {
    let rest = yaml.as_bytes().get(offset..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(yaml.len(), |end| offset + end + 1)
}

/// Lines with their line breaks.
pub(super) fn joined(lines: &[String], line_break: &str) -> String {
    lines.iter().fold(String::new(), |text, line| text + line + line_break)
}

/// The lines of a range, each with its line break.
pub(super) fn lines_of(yaml: &str, span: Span) -> Vec<Span> {
    let mut start = span.start;
    let lines = yaml.get(span).unwrap_or_default().split_inclusive('\n');
    let place = |line: &str| {
        start += line.len();
        start - line.len()..start
    };
    lines.map(place).collect()
}
