//! Values compared as the app compares them.

use crate::edit::{ControlCharacter, check_characters};
use serde_json::Value;

/// Whether two values are the same property value: numbers by what they are worth (`1.0` and `1` are one
/// number), everything else exactly, the order of keys in nested maps included.
#[must_use]
pub fn same_value(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64() && either_float(one, other)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_value(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|((name, one), (other_name, other))| name == other_name && same_value(one, other))
        }
        (one, other) => one == other,
    }
}

/// Two integers are compared exactly; a float and a number as floats.
fn either_float(one: &serde_json::Number, other: &serde_json::Number) -> bool {
    one.is_f64() || other.is_f64()
}

/// Whether a value nests deeper than so many levels. A stack of its own: the value is the caller's.
pub(super) fn is_deeper(value: &Value, limit: usize) -> bool {
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        match value {
            Value::Array(_) | Value::Object(_) if depth >= limit => return true,
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(values) => open.extend(values.values().map(|item| (item, depth + 1))),
            _ => {}
        }
    }
    false
}

/// The first control character in the names and texts of a value.
pub(super) fn control_character(value: &Value) -> Option<ControlCharacter> {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => {
                if let Err(found) = check_characters(text) {
                    return Some(found);
                }
            }
            Value::Array(items) => open.extend(items),
            Value::Object(values) => {
                if let Some(found) = values.keys().find_map(|name| check_characters(name).err()) {
                    return Some(found);
                }
                open.extend(values.values());
            }
            _ => {}
        }
    }
    None
}
