//! Reading the fields of a settings file the way Obsidian does: what is null or of another type is absent.

use serde_json::{Map, Value};

use super::error::SettingsError;
use crate::path::VaultPath;

/// A settings file's object.
pub(super) fn parse(bytes: &[u8]) -> Result<Map<String, Value>, SettingsError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(SettingsError::NotAnObject),
        Err(error) => Err(SettingsError::NotJson(error.to_string())),
    }
}

/// A text without white space around it; `None` when nothing is left.
pub(super) fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    fields.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// True or false; anything else is `default`.
pub(super) fn flag(fields: &Map<String, Value>, name: &str, default: bool) -> bool {
    fields.get(name).and_then(Value::as_bool).unwrap_or(default)
}

/// A folder as Obsidian normalises it: runs of either slash as one, none at the ends, no-break spaces as
/// spaces, NFC. `Ok(None)` is the vault itself, written as `/` or as nothing.
pub(super) fn folder(raw: &str) -> Result<Option<VaultPath>, crate::PathError> {
    VaultPath::parse_folder(raw.trim().trim_start_matches(['/', '\\']))
}
