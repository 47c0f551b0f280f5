//! Properties as rows that filters can compare, and the rest as answers show it.

use markdown::frontmatter::PropertyMap;
use serde_json::{Map, Number, Value};

/// One value, or one item of a list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PropertyRow {
    pub(crate) key: String,
    pub(crate) key_fold: String,
    /// Place in a list.
    pub(crate) item: Option<u32>,
    pub(crate) kind: &'static str,
    /// As answers print it; `None` for null.
    pub(crate) text: Option<String>,
    pub(crate) number: Option<f64>,
}

/// Properties that have a column or rows of their own and are left out of `additional_properties`.
/// Names are compared without case, and of several the first written counts, as Obsidian does.
const PROMOTED: [&str; 5] = ["title", "tags", "type", "created", "related"];

/// The folded name of a property.
pub(crate) fn fold_key(key: &str) -> String {
    vault::VaultPath::fold(key)
}

/// Every property as rows. Lists give a row an item; what is nested deeper is kept as JSON text of
/// kind `other`, which is listed, and matched by the very text that is listed.
pub(crate) fn rows(map: &PropertyMap) -> Vec<PropertyRow> {
    let mut rows = Vec::new();
    // Of several keys that are spelt like it the first counts.
    let mut tags = Some(Value::from(map.tags()));
    for (key, value) in map.values() {
        let key_fold = fold_key(key);
        // Tags as Obsidian shows them: without `#`, and only what can be a tag.
        let tags = if key_fold == "tags" { tags.take() } else { None };
        let value = tags.as_ref().unwrap_or(value);
        let mut push = |item: Option<u32>, value: &Value| {
            let (kind, text, number) = scalar(value);
            rows.push(PropertyRow { key: key.clone(), key_fold: key_fold.clone(), item, kind, text, number });
        };
        match value {
            // The note has the property all the same.
            Value::Array(items) if items.is_empty() => push(None, &Value::Null),
            Value::Array(items) => {
                for (item, value) in (0..).zip(items) {
                    push(Some(item), value);
                }
            }
            value => push(None, value),
        }
    }
    rows
}

fn scalar(value: &Value) -> (&'static str, Option<String>, Option<f64>) {
    match value {
        Value::Null => ("null", None, None),
        Value::Bool(flag) => ("boolean", Some(flag.to_string()), None),
        Value::Number(number) => ("number", Some(number_text(number)), number.as_f64()),
        Value::String(text) => ("text", Some(text.clone()), None),
        Value::Array(_) | Value::Object(_) => ("other", Some(value.to_string()), None),
    }
}

/// A number as Obsidian shows it: `1.0` and `1e0` are `1`.
fn number_text(number: &Number) -> String {
    const MOST: f64 = 1e21;
    match number.as_f64() {
        Some(0.0) => "0".to_owned(),
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < MOST => format!("{float:.0}"),
        _ => number.to_string(),
    }
}

/// The properties without a column, in the order of the file.
pub(crate) fn additional(map: &PropertyMap) -> Map<String, Value> {
    let mut promoted = PROMOTED.map(Some);
    map.values()
        .iter()
        .filter(|(key, _)| {
            let folded = fold_key(key);
            // Taken once: a second spelling of the same name is an ordinary property.
            match promoted.iter_mut().find(|name| name.is_some_and(|name| name == folded)) {
                Some(name) => name.take().is_none(),
                None => true,
            }
        })
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// The texts of a list property, or its single text.
pub(crate) fn texts(map: &PropertyMap, name: &str) -> Vec<String> {
    let items = match map.get_ci(name) {
        Some(Value::Array(items)) => items.as_slice(),
        Some(value) => std::slice::from_ref(value),
        None => &[],
    };
    items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// A text property, trimmed; `None` when it is missing, empty, or a list or map.
pub(crate) fn text(map: &PropertyMap, name: &str) -> Option<String> {
    let text = map.text(name)?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// A number as the YAML 1.2 core schema spells it: `4`, `-0.5`, `1e3`, `0x1F`, `0o17`. Finite only.
pub(crate) fn core_number(text: &str) -> Option<f64> {
    let digits = |digits: &str, radix: u32| {
        let valid = !digits.is_empty() && digits.chars().all(|character| character.is_digit(radix));
        valid.then(|| {
            digits
                .chars()
                .filter_map(|character| character.to_digit(radix))
                .fold(0.0, |number, digit| number * f64::from(radix) + f64::from(digit))
        })
    };
    let digits = |text: &str, radix| digits(text, radix).filter(|number: &f64| number.is_finite());
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        return digits(hexadecimal, 16);
    }
    if let Some(octal) = text.strip_prefix("0o") {
        return digits(octal, 8);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    // Rust also reads `inf`, `nan` and `infinity`.
    let plain = unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && unsigned.contains(|character: char| character.is_ascii_digit());
    plain.then(|| text.parse::<f64>().ok().filter(|number| number.is_finite())).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_without_what_does_not_count() {
        for (written, shown) in [
            ("1", "1"),
            ("1.0", "1"),
            ("-0.0", "0"),
            ("0.50", "0.5"),
            ("1e3", "1000"),
            ("-2.0", "-2"),
            ("1e-7", "1e-7"),
            ("1e300", "1e+300"),
            ("9007199254740993", "9007199254740993"),
        ] {
            let number: Number = written.parse().unwrap();
            assert_eq!(number_text(&number), shown, "{written}");
        }
    }

    #[test]
    fn a_property_without_a_value_has_a_row_all_the_same() {
        let map = markdown::document::parse("---\na: []\nb:\nc: [x, [y], {z: 1}]\n---\n");
        let rows = rows(map.properties.map().unwrap());
        let shown: Vec<_> =
            rows.iter().map(|row| (row.key.as_str(), row.item, row.kind, row.text.as_deref())).collect();
        assert_eq!(
            shown,
            [
                ("a", None, "null", None),
                ("b", None, "null", None),
                ("c", Some(0), "text", Some("x")),
                ("c", Some(1), "other", Some("[\"y\"]")),
                ("c", Some(2), "other", Some("{\"z\":1}")),
            ]
        );
    }

    #[track_caller]
    fn number(text: &str, expected: Option<f64>) {
        assert_eq!(core_number(text), expected, "{text:?}");
    }

    #[test]
    fn numbers_are_those_of_yaml_core() {
        number("4", Some(4.0));
        number("04", Some(4.0));
        number("-0.5", Some(-0.5));
        number("+7", Some(7.0));
        number(".5", Some(0.5));
        number("5.", Some(5.0));
        number("1e3", Some(1000.0));
        number("0x1F", Some(31.0));
        number("0o17", Some(15.0));
        number(&format!("0x{}", "F".repeat(300)), None);
        for text in [
            "", "-", ".", "e3", "1e", "0x", "0o8", "0xG", "1_000", "12:30", ".inf", "inf", "nan", "1e999",
            " 4", "4 ",
        ] {
            number(text, None);
        }
    }
}
