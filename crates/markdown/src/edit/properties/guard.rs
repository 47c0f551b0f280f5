//! The check of every write: properties are never lost in silence.

use super::error::{BlockError, GuardError};
use crate::frontmatter::{self, Block, Properties};
use crate::yaml;
use crate::yaml::layout::{Layout, layout};
use serde_json::Value;

/// Whether the block of a note can be read and kept. A note without one has nothing to lose.
///
/// # Errors
/// See [`BlockError`].
pub fn check(source: &str) -> Result<(), BlockError> {
    match frontmatter::locate(source) {
        None => Ok(()),
        Some(block) => match frontmatter::read(source, &block) {
            Properties::None => Ok(()),
            Properties::Map(_) => check_tags(source, &block, layout(yaml_of(source, &block)).as_ref()),
            Properties::Invalid(error) => Err(BlockError::Invalid(error)),
            Properties::Other => Err(other(yaml_of(source, &block))),
        },
    }
}

/// Refuses a text that would open with a block that cannot be read or kept.
///
/// # Errors
/// See [`BlockError`].
pub fn guard(after: &str) -> Result<(), GuardError> {
    Ok(check(after)?)
}

/// [`guard`] for an edit of the body: a block that stays byte for byte as it was is none of its business.
///
/// # Errors
/// See [`BlockError`].
pub fn guard_change(before: &str, after: &str) -> Result<(), GuardError> {
    let written =
        |text: &str| frontmatter::locate(text).and_then(|block| text.get(block.span).map(str::to_owned));
    match written(after) {
        Some(block) if written(before).as_deref() == Some(block.as_str()) => Ok(()),
        _ => guard(after),
    }
}

pub(super) fn check_tags(source: &str, block: &Block, layout: Option<&Layout>) -> Result<(), BlockError> {
    let Some((at, entry)) = layout.and_then(|layout| layout.tag) else { return Ok(()) };
    let entry = entry.and_then(|entry| layout?.entries.get(entry));
    let offset = block.yaml.start + at;
    let before = source.get(..offset).unwrap_or_default();
    let column = 1 + before.chars().rev().take_while(|character| *character != '\n').count();
    Err(BlockError::Tagged {
        key: entry.and_then(|entry| entry.name.clone()).unwrap_or_default(),
        line: crate::edit::line_number(source, offset),
        column,
    })
}

pub(super) fn other(yaml: &str) -> BlockError {
    match yaml::parse(yaml) {
        Ok(Value::Array(_)) => BlockError::List,
        _ => BlockError::SingleValue,
    }
}

pub(super) fn yaml_of<'a>(source: &'a str, block: &Block) -> &'a str {
    source.get(block.yaml.clone()).unwrap_or_default()
}
