//! Properties as the plugin re-emits them: YAML with two spaces of indentation, nulls as nothing, quotes only
//! where a reader would else see something different.

use serde_json::Value;

/// Writes `key: value` and a line feed.
pub(super) fn write_property(key: &str, value: &Value, out: &mut String) {
    write_entry(key, value, 0, out);
}

fn write_entry(key: &str, value: &Value, indent: usize, out: &mut String) {
    push_indent(indent, out);
    out.push_str(&scalar(key));
    out.push(':');
    match value {
        Value::Array(items) if !items.is_empty() => {
            out.push('\n');
            write_items(items, indent + 2, out);
        }
        Value::Object(map) if !map.is_empty() => {
            out.push('\n');
            for (key, value) in map {
                write_entry(key, value, indent + 2, out);
            }
        }
        Value::Null => out.push('\n'),
        value => {
            out.push(' ');
            out.push_str(&inline(value));
            out.push('\n');
        }
    }
}

fn write_items(items: &[Value], indent: usize, out: &mut String) {
    for item in items {
        push_indent(indent, out);
        out.push_str("- ");
        match item {
            Value::Array(inner) if !inner.is_empty() => {
                let mut nested = String::new();
                write_items(inner, indent + 2, &mut nested);
                out.push_str(nested.trim_start());
            }
            Value::Object(map) if !map.is_empty() => {
                let mut nested = String::new();
                for (key, value) in map {
                    write_entry(key, value, indent + 2, &mut nested);
                }
                out.push_str(nested.trim_start());
            }
            value => {
                out.push_str(&inline(value));
                out.push('\n');
            }
        }
    }
}

fn push_indent(indent: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', indent));
}

fn inline(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => scalar(text),
        value => value.to_string(),
    }
}

/// A text as it stands, or in double quotes where it would read as something else.
fn scalar(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { Value::from(text).to_string() }
}

fn is_plain(text: &str) -> bool {
    const INDICATORS: &[char] =
        &['#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`', '[', ']', '{', '}', ','];
    let starts_badly = text.starts_with(INDICATORS)
        || text.starts_with([' ', '\t'])
        || ["- ", "? ", ": "].iter().any(|start| text.starts_with(start))
        || matches!(text, "-" | "?" | ":" | "---" | "...");
    let ends_badly = text.ends_with([' ', '\t', ':']);
    let breaks = text.contains(": ") || text.contains(" #") || text.chars().any(char::is_control);
    !text.is_empty()
        && !starts_badly
        && !ends_badly
        && !breaks
        && crate::yaml::parse(text).is_ok_and(|value| value == text)
}
