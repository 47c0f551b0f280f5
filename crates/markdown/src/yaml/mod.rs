//! YAML as Obsidian reads it: YAML 1.2 with the core schema, the way the npm library `yaml` composes it.
//!
//! Dates stay text, `yes` and `no` are text, a key written twice is an error, `<<` merges nothing, an
//! unknown tag makes text. JSON is read too, being YAML.
//!
//! Error policy: one kind of error, with a position and a message. A text beyond the limits below is an
//! error like any other: a properties block of that size or shape is an attack or an accident, and the note
//! around it stays readable.

mod compose;
pub(crate) mod layout;
mod scalar;
pub(crate) mod write;

use crate::Span;
use serde_json::Value;

/// The longest text that is read, in bytes.
pub const MAX_BYTES: usize = 1 << 20;
/// The deepest nesting of lists and maps, aliases followed.
pub const MAX_DEPTH: usize = 100;
/// How much aliases and anchors may copy, as nodes plus bytes of text.
pub const MAX_COPIED: usize = 1 << 20;

/// Why a text is not valid YAML.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct YamlError {
    /// One-based line.
    pub line: usize,
    /// One-based column, in characters.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// A text value that begins like a link, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinkText {
    /// Keys and list positions from the root, joined by dots.
    pub(crate) key: String,
    /// The value, decoded.
    pub(crate) value: String,
    /// The value as written, quotes included.
    pub(crate) span: Span,
    /// Zero-based line of its start.
    pub(crate) line: usize,
}

/// Reads a text that holds one YAML value; an empty one is null.
///
/// # Errors
/// [`YamlError`] when the text is not valid, holds more than one document, or exceeds a limit.
pub fn parse(yaml: &str) -> Result<Value, YamlError> {
    compose(yaml).map(|composed| composed.0)
}

/// [`parse`], with the text values that may be links.
pub(crate) fn compose(yaml: &str) -> Result<(Value, Vec<LinkText>), YamlError> {
    if yaml.len() > MAX_BYTES {
        let message = format!("the block is longer than {MAX_BYTES} bytes");
        return Err(YamlError { line: 1, column: 1, message });
    }
    match compose::Composer::new(yaml).run() {
        Ok(composed) => Ok(composed),
        // JSON indented with tabs is not always YAML, and yet the app reads it.
        Err(error) if yaml.trim_start().starts_with('{') => match serde_json::from_str(yaml) {
            Ok(value) => Ok((value, Vec::new())),
            Err(_) => Err(error),
        },
        Err(error) => Err(error),
    }
}
