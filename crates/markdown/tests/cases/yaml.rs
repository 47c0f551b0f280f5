//! `yaml-frontmatter.json`, the reading half.

use crate::{Failures, case_file, rows};
use serde_json::{Value, json};
use vault_cortex_markdown::frontmatter::{Properties, properties};
use vault_cortex_markdown::yaml;

/// Rows where the parsers differ about exotic YAML, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[];

/// JSON has no infinities: the rows write `{"number": "Infinity"}`, we keep the YAML text.
fn expected(value: &Value) -> Value {
    match value {
        Value::Object(map) if map.len() == 1 && map.contains_key("number") => match map["number"].as_str() {
            Some("Infinity") => json!(".inf"),
            Some("-Infinity") => json!("-.inf"),
            Some("NaN") => json!(".nan"),
            _ => value.clone(),
        },
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), expected(value))).collect(),
        value => value.clone(),
    }
}

#[test]
fn reads_as_the_library_of_the_app() {
    let Some(file) = case_file("yaml-frontmatter.json") else { return };
    let mut failures = Failures::default();
    for row in rows(&file, "read") {
        let id = row["id"].as_str().expect("id");
        let text = row["yaml"].as_str().expect("yaml");
        if EXCEPTIONS.iter().any(|(exception, _)| *exception == id) {
            continue;
        }
        let actual = yaml::parse(text);
        if row.get("error").is_some() {
            failures.check(&format!("{id} {text:?} {actual:?}"), &actual.is_err(), &true);
        } else {
            failures.check(&format!("{id} {text:?}"), &actual, &Ok(expected(&row["value"])));
        }
        // The same text as a properties block.
        let note = format!("---\n{text}\n---\nbody\n");
        let kind = match properties(&note) {
            Properties::None => "none",
            Properties::Map(_) => "map",
            Properties::Other => "other",
            Properties::Invalid(_) => "invalid",
        };
        let expected = match (row.get("error"), &row["value"]) {
            (Some(_), _) => "invalid",
            (None, Value::Null) => "none",
            (None, Value::Object(_)) => "map",
            (None, _) => "other",
        };
        failures.check(&format!("{id} as a block"), &kind, &expected);
    }
    failures.report();
}
