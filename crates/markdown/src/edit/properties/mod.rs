//! Properties: single keys changed in place, or the whole block replaced.
//!
//! Obsidian saves a block by writing all of it anew, and so loses comments and quoting. Here only the keys
//! asked for are touched. Each change is read back before it is answered: every other property must be what
//! it was, and the changed ones what was asked for.

mod block;
mod error;
mod flow;
mod guard;
mod list;
mod map;
mod same;

pub use error::{BlockError, GuardError, PropertiesError};
pub use guard::{check, guard, guard_change};
pub use same::same_value;

use super::{Edit, Edited, check_characters, line_break};
use crate::frontmatter::{self, Block, Properties};
use crate::yaml::layout::layout;
use crate::yaml::{self, write};
use block::How;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// How deep a value may nest: a block may 100 levels, and the map itself is one.
const MAX_VALUE_DEPTH: usize = yaml::MAX_DEPTH - 2;

/// A note after a change of its properties.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PropertiesEdited {
    /// The note.
    pub edited: Edited,
    /// Properties that got a new value or were added, as they are written in the note.
    pub set: Vec<String>,
    /// Properties that are gone, as they were written in the note.
    pub removed: Vec<String>,
    /// The YAML of a block that was replaced as a whole, for an answer that tells what was there.
    pub replaced: Option<String>,
}

/// Changes single properties: a value sets, null removes.
///
/// A key that is there keeps its place and its spelling (names are compared without case, the exact spelling
/// first); a new one goes to the end. A value equal to the old one leaves its text alone, and so do equal
/// items at the two ends of a list and equal members of a map. A note without a block gets one. With its last property a block goes,
/// unless comments are left in it.
///
/// # Errors
/// See [`PropertiesError`]; nothing is changed then.
pub fn update(source: &str, changes: &Map<String, Value>) -> Result<PropertiesEdited, PropertiesError> {
    check_changes(changes)?;
    let Some(block) = frontmatter::locate(source) else { return create(source, changes) };
    let old = match frontmatter::read(source, &block) {
        Properties::None => Map::new(),
        Properties::Map(map) => map.into_values(),
        Properties::Invalid(error) => return Err(BlockError::Invalid(error).into()),
        Properties::Other => return Err(guard::other(guard::yaml_of(source, &block)).into()),
    };
    let layout = layout(guard::yaml_of(source, &block));
    guard::check_tags(source, &block, layout.as_ref())?;

    let mut answer = PropertiesEdited::default();
    let wanted = wanted(&old, changes, &mut answer);
    let mut new: Map<String, Value> = Map::new();
    for (name, value) in &old {
        match wanted.get(name) {
            Some(Value::Null) => {}
            value_now => drop(new.insert(name.clone(), value_now.unwrap_or(value).clone())),
        }
    }
    new.extend(
        wanted
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name.clone(), value.clone())),
    );
    if wanted.is_empty() {
        answer.edited = Edited::new(source, Vec::new());
        return Ok(answer);
    }
    let request =
        block::Request { source, block: &block, old: &old, wanted: &wanted, is_last: new.is_empty() };
    if let Some(layout) = &layout {
        block::check_anchors(&request, layout)?;
    }
    let candidates: Vec<Edited> = match &layout {
        Some(layout) if layout.flow.is_some() => vec![flow::edit(&request, layout)],
        Some(layout) => [How::Nice, How::OneLine].map(|how| block::edit(&request, layout, how)).into(),
        None if old.is_empty() => vec![block::edit(&request, &yaml::layout::Layout::default(), How::Nice)],
        // JSON that is no YAML: it can hold no comment, so that writing it anew loses nothing.
        None => vec![Edited::new(source, vec![whole(source, &block, &new)])],
    };
    match candidates.into_iter().find(|edited| block::holds(source, &block, edited, &new)) {
        Some(edited) => {
            if new.is_empty() {
                guard(&edited.text)?;
            }
            answer.edited = edited;
            Ok(answer)
        }
        None => Err(PropertiesError::CannotKeep { keys: wanted.keys().cloned().collect() }),
    }
}

/// The changes that change something, by the names the note has.
fn wanted(
    old: &Map<String, Value>,
    changes: &Map<String, Value>,
    answer: &mut PropertiesEdited,
) -> Map<String, Value> {
    // Of several names that differ by case alone the first counts.
    let folded: HashMap<String, &str> =
        old.keys().rev().map(|name| (name.to_lowercase(), name.as_str())).collect();
    let mut wanted = Map::new();
    for (key, value) in changes {
        let exact = old.contains_key(key).then_some(key.as_str());
        let written = exact.or_else(|| folded.get(&key.to_lowercase()).copied());
        let name = written.unwrap_or(key).to_owned();
        match written.and_then(|name| old.get(name)) {
            None if value.is_null() => continue,
            Some(_) if value.is_null() => answer.removed.push(name.clone()),
            Some(old) if same_value(old, value) => continue,
            _ => answer.set.push(name.clone()),
        }
        wanted.insert(name, value.clone());
    }
    wanted
}

/// Replaces the whole properties block, whatever it holds: the old one is not read, so that this repairs a
/// block that nothing else can. Properties that are null are left out; without any the block goes.
///
/// The block is the one that [`frontmatter::locate`] finds. A first `---` that is never closed opens none:
/// the new block goes above it, and the old lines stay as body text.
///
/// # Errors
/// See [`PropertiesError`]; without properties to write, the body must not open with a block that cannot be
/// read.
pub fn replace(source: &str, properties: &Map<String, Value>) -> Result<PropertiesEdited, PropertiesError> {
    check_changes(properties)?;
    let values: Map<String, Value> = present(properties);
    let Some(block) = frontmatter::locate(source) else { return create(source, properties) };
    let edited = Edited::new(source, vec![whole(source, &block, &values)]);
    if !block::holds(source, &block, &edited, &values) {
        return Err(PropertiesError::TooLarge);
    }
    if values.is_empty() {
        guard(&edited.text)?;
    }
    let before = match frontmatter::read(source, &block) {
        Properties::Map(map) => map.into_values(),
        _ => Map::new(),
    };
    let removed = before.keys().filter(|key| !values.contains_key(*key)).cloned().collect();
    let set =
        values.iter().filter(|(key, value)| !before.get(*key).is_some_and(|old| same_value(old, value)));
    Ok(PropertiesEdited {
        edited,
        set: set.map(|(key, _)| key.clone()).collect(),
        removed,
        replaced: Some(guard::yaml_of(source, &block).to_owned()),
    })
}

/// The text of a block with these properties, null ones left out; nothing when there are none.
pub(super) fn block_text(
    properties: &Map<String, Value>,
    line_break: &str,
) -> Result<String, PropertiesError> {
    let values = present(properties);
    let text = written(&values, line_break);
    let says = frontmatter::locate(&text).is_none_or(|block| block::says(&text, &block, &values));
    if says { Ok(text) } else { Err(PropertiesError::TooLarge) }
}

/// The text of a block with these properties.
fn written(values: &Map<String, Value>, line_break: &str) -> String {
    if values.is_empty() {
        return String::new();
    }
    let mut text = format!("---{line_break}");
    for line in values.iter().flat_map(|(key, value)| write::entry(key, value, "")) {
        text.push_str(&line);
        text.push_str(line_break);
    }
    text.push_str("---");
    text.push_str(line_break);
    text
}

/// Refuses keys and values that cannot be written.
pub(super) fn check_changes(changes: &Map<String, Value>) -> Result<(), PropertiesError> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    for (key, value) in changes {
        if key.trim().is_empty() {
            return Err(PropertiesError::EmptyKey);
        }
        if let Some(one) = seen.insert(key.to_lowercase(), key) {
            return Err(PropertiesError::SameKey { one: one.to_owned(), other: key.clone() });
        }
        let character = check_characters(key).err().or_else(|| same::control_character(value));
        if let Some(character) = character {
            return Err(PropertiesError::Character { key: key.clone(), character });
        }
        if same::is_deeper(value, MAX_VALUE_DEPTH) {
            return Err(PropertiesError::TooDeep { key: key.clone(), limit: MAX_VALUE_DEPTH });
        }
    }
    Ok(())
}

fn present(properties: &Map<String, Value>) -> Map<String, Value> {
    properties
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// A block for a note that has none; it goes after a byte order mark.
fn create(source: &str, changes: &Map<String, Value>) -> Result<PropertiesEdited, PropertiesError> {
    let at = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let text = block_text(changes, line_break(source))?;
    Ok(PropertiesEdited {
        set: present(changes).keys().cloned().collect(),
        edited: Edited::new(source, vec![Edit::new(at..at, text)]),
        ..PropertiesEdited::default()
    })
}

/// The whole block written anew. A closing line without a line break keeps having none.
fn whole(source: &str, block: &Block, values: &Map<String, Value>) -> Edit {
    let old = source.get(block.span.clone()).unwrap_or_default();
    let mut text = written(values, line_break(source));
    if !old.ends_with('\n') {
        text.truncate(text.trim_end_matches(['\n', '\r']).len());
    }
    Edit::new(block.span.clone(), text)
}
