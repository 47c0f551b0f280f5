//! Values as YAML, in the style that Obsidian saves properties in.
//!
//! Block style with lists indented under their key, no folding, null as nothing, quotes only where the text
//! would be read as something else, double ones unless it holds double quotes itself.

use super::{parse, scalar};
use serde_json::{Map, Number, Value};
use std::fmt::Write as _;

/// A value as it follows its key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Written {
    /// What stands on the line of the key, after the colon and a space; may be empty.
    pub(crate) inline: String,
    /// Further lines, indented, without line breaks.
    pub(crate) lines: Vec<String>,
}

/// Where a text stands, which decides whether it needs quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    Key,
    Value,
    Flow,
}

/// The lines of a key with its value.
pub(crate) fn entry(name: &str, value: &Value, indent: &str) -> Vec<String> {
    let Written { inline, mut lines } = self::value(value, indent);
    let space = if inline.is_empty() { "" } else { " " };
    lines.insert(0, format!("{indent}{}:{space}{inline}", key(name)));
    lines
}

/// A value that follows a key with this indent.
pub(crate) fn value(value: &Value, indent: &str) -> Written {
    let deeper = format!("{indent}  ");
    match value {
        Value::Null => Written::default(),
        Value::Array(items) if !items.is_empty() => {
            let lines = items.iter().flat_map(|item| self::item(item, &deeper)).collect();
            Written { inline: String::new(), lines }
        }
        Value::Object(values) if !values.is_empty() => {
            Written { inline: String::new(), lines: entries(values, &deeper) }
        }
        Value::String(text) if is_block(text) => block(text, &deeper),
        value => Written { inline: flow(value, Position::Value), lines: Vec::new() },
    }
}

/// A value on one line, whatever it is: for places where further lines would be read differently.
pub(crate) fn one_line(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.contains('\n') => double_quoted(text),
        value => flow(value, Position::Value),
    }
}

/// The lines of a list item, its dash at this indent.
pub(crate) fn item(value: &Value, indent: &str) -> Vec<String> {
    let deeper = format!("{indent}  ");
    let mut lines = match value {
        Value::Array(items) if !items.is_empty() => {
            items.iter().flat_map(|item| self::item(item, &deeper)).collect()
        }
        Value::Object(values) if !values.is_empty() => entries(values, &deeper),
        value => {
            // A text of several lines is indented from the dash, as a list below a key is from the key.
            let Written { inline, mut lines } = self::value(value, indent);
            lines.insert(0, format!("{deeper}{inline}"));
            lines
        }
    };
    if let Some(first) = lines.first_mut() {
        let rest = first.get(deeper.len()..).unwrap_or_default();
        *first = format!("{indent}- {rest}");
    }
    lines
}

/// A scalar inside of a flow list, or any value in flow style.
pub(crate) fn flow_item(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        value => flow(value, Position::Flow),
    }
}

fn entries(values: &Map<String, Value>, indent: &str) -> Vec<String> {
    values.iter().flat_map(|(name, value)| entry(name, value, indent)).collect()
}

fn flow(value: &Value, position: Position) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => self::number(number),
        Value::String(text) => self::text(text, position),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| flow(item, Position::Flow)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(values) => {
            let pair = |(name, value): (&String, &Value)| {
                format!("{}: {}", text(name, Position::Flow), flow(value, Position::Flow))
            };
            format!("{{{}}}", values.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
    }
}

/// A key as it is written before its colon.
pub(crate) fn key(name: &str) -> String {
    text(name, Position::Key)
}

fn text(text: &str, position: Position) -> String {
    if !needs_quotes(text, position) && reads_back(text, position) {
        return text.to_owned();
    }
    let may_be_single = text.contains('"') && !text.contains('\'');
    if may_be_single && !text.chars().any(is_escaped) {
        return format!("'{text}'");
    }
    double_quoted(text)
}

/// A text in double quotes.
pub(crate) fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            character if is_escaped(character) => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            character => out.push(character),
        }
    }
    out.push('"');
    out
}

/// Characters that only double quotes can hold, or that nobody can see.
fn is_escaped(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Whether a plain text would be read as something else.
fn needs_quotes(text: &str, position: Position) -> bool {
    let space = |character: char| matches!(character, ' ' | '\t' | '\n');
    let Some(first) = text.chars().next() else { return true };
    let second = text.chars().nth(1);
    if space(first) || ",[]{}#&*!|>'\"%@`".contains(first) {
        return true;
    }
    if position == Position::Key && (text.starts_with("---") || text.starts_with("...")) {
        return true;
    }
    if matches!(first, '?' | '-') && second.is_none_or(space) {
        return true;
    }
    if text.ends_with(space) || text.ends_with(':') || text.contains('\n') {
        return true;
    }
    let mut before = '\0';
    for character in text.chars() {
        if (before == ':' && space(character)) || (space(before) && character == '#') {
            return true;
        }
        // A tab is plain within a text; other control characters must be escaped.
        if character.is_control() && character != '\t' {
            return true;
        }
        before = character;
    }
    (position == Position::Flow && text.contains(['[', ']', '{', '}', ','])) || !scalar::is_text(text)
}

/// Whether a plain text is read as itself. What the rules above do not know, the reader does.
fn reads_back(text: &str, position: Position) -> bool {
    let (yaml, expected) = match position {
        Position::Key => (format!("{text}: 1\n"), serde_json::json!({ text: 1 })),
        Position::Value => (format!("a: {text}\n"), serde_json::json!({ "a": text })),
        Position::Flow => (format!("a: [{text}]\n"), serde_json::json!({ "a": [text] })),
    };
    parse(&yaml) == Ok(expected)
}

/// Whether a text is written over several lines. One that starts with white space would need its indent in
/// numbers, and one whose last line is white space cannot be told from the lines after it.
fn is_block(text: &str) -> bool {
    let last = text.trim_end_matches('\n').rsplit('\n').next().unwrap_or_default();
    text.contains('\n')
        && !text.starts_with([' ', '\t', '\n'])
        && !last.trim_matches([' ', '\t']).is_empty()
        && !text.chars().any(|character| is_escaped(character) && !matches!(character, '\n' | '\t'))
}

fn block(text: &str, indent: &str) -> Written {
    let header = if text.ends_with("\n\n") {
        "|+"
    } else if text.ends_with('\n') {
        "|"
    } else {
        "|-"
    };
    let content = text.strip_suffix('\n').unwrap_or(text);
    let line = |line: &str| if line.is_empty() { String::new() } else { format!("{indent}{line}") };
    Written { inline: header.to_owned(), lines: content.split('\n').map(line).collect() }
}

/// A number as JavaScript prints it.
fn number(number: &Number) -> String {
    const LARGEST_PLAIN: f64 = 1e21;
    const SMALLEST_PLAIN: f64 = 1e-6;
    let Some(float) = number.as_f64().filter(|_| number.is_f64()) else { return number.to_string() };
    if float == 0.0 {
        return "0".to_owned();
    }
    if (SMALLEST_PLAIN..LARGEST_PLAIN).contains(&float.abs()) {
        return float.to_string();
    }
    let written = format!("{float:e}");
    if written.contains("e-") { written } else { written.replace('e', "e+") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn entries_as_the_library_of_the_app_writes_them() {
        #[track_caller]
        fn check(name: &str, value: &Value, expected: &str) {
            assert_eq!(entry(name, value, "").join("\n"), expected);
        }
        check("a", &json!("- \n#x"), "a: |-\n  - \n  #x");
        check("a", &json!(", - \n\n"), "a: |+\n  , - \n");
        check("a", &json!("x\n  "), "a: \"x\\n  \"");
        check("a", &json!(" x\ny"), "a: \" x\\ny\"");
        check("---", &json!(".."), "\"---\": ..");
        check("... x", &json!("---"), "\"... x\": ---");
        check("'a'", &json!("say \"x\": 'y'"), "\"'a'\": \"say \\\"x\\\": 'y'\"");
        check("a", &json!("\"x\": y"), "a: '\"x\": y'");
        check("a", &json!("b\u{0}\u{85}\r"), "a: \"b\\u0000\\u0085\\r\"");
        check(
            "a",
            &json!([[["x\ny"]], { "b": [{}], "c": { "d": null } }]),
            "a:\n  - - - |-\n        x\n        y\n  - b:\n      - {}\n    c:\n      d:",
        );
        check(
            "a",
            &json!([1.5, 1e21, 1e-7, -0.0, 100.0, 1e20]),
            "a:\n  - 1.5\n  - 1e+21\n  - 1e-7\n  - 0\n  - 100\n  - 100000000000000000000",
        );
    }

    #[test]
    fn items_in_brackets() {
        #[track_caller]
        fn check(value: &Value, expected: &str) {
            assert_eq!(flow_item(value), expected);
        }
        check(&json!("a, b"), "\"a, b\"");
        check(&json!("x: y"), "\"x: y\"");
        check(&json!("a]"), "\"a]\"");
        check(&json!("https://x.y"), "https://x.y");
        check(&json!(null), "null");
        check(&json!({ "k": ["v", null] }), "{k: [v, null]}");
    }
}
