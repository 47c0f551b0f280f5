//! Whole notes.

use serde_json::{Map, Value, json};
use vault_cortex_markdown::edit::apply;
use vault_cortex_markdown::edit::write_note::{create, overwrite};

fn map(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).expect("an object")
}

#[test]
fn new_notes() {
    #[track_caller]
    fn check(body: &str, properties: Value, expected: &str) {
        assert_eq!(create(body, &map(properties)).expect("written").edited.text, expected);
    }
    check(
        "# Hi\n\nText",
        json!({"tags": ["t"], "due": "2026-01-01", "n": 1, "nul": null}),
        "---\ntags:\n  - t\ndue: 2026-01-01\nn: 1\n---\n# Hi\n\nText\n",
    );
    check("", json!({}), "");
    check("", json!({"a": 1}), "---\na: 1\n---\n");
    check("a\r\nb", json!({"a": 1}), "---\r\na: 1\r\n---\r\na\r\nb\r\n");
    check("\u{feff}a\n", json!({"a": 1}), "\u{feff}---\na: 1\n---\na\n");
    check("---\na: 1\n---\nx", json!({}), "---\na: 1\n---\nx\n");
    check("---\na: b: c\n---\nx", json!({"k": 1}), "---\nk: 1\n---\n---\na: b: c\n---\nx\n");
    assert!(create("---\na: 1\n---\n", &Map::new()).expect("written").block_from_body);
    assert!(create("---\na: b: c\n---\n", &Map::new()).is_err());
    assert!(create("---\n- a\n---\n", &map(json!({"gone": null}))).is_err());
}

#[test]
fn new_bodies() {
    #[track_caller]
    fn check(source: &str, body: &str, properties: Value, expected: &str) {
        let written = overwrite(source, body, &map(properties)).expect("written");
        assert_eq!(written.edited.text, expected, "{source:?}");
        assert_eq!(apply(source, &written.edited.edits).as_deref(), Ok(expected));
    }
    check(
        "---\n# c\na: 'x'\nb: 2\n---\n\nold",
        "new",
        json!({"b": null, "z": "[[L]]"}),
        "---\n# c\na: 'x'\nz: \"[[L]]\"\n---\nnew\n",
    );
    check("old", "new", json!({}), "new\n");
    check("old", "", json!({}), "");
    check("\u{feff}a\r\nb\r\n", "x\ny", json!({}), "\u{feff}x\r\ny\r\n");
    check("---\na: 1\n---", "x", json!({}), "---\na: 1\n---\nx\n");
    check("---\na: 1\n---", "", json!({}), "---\na: 1\n---");
    check("---\na: 1\n---\n---\nb: 2\n---\nold", "new", json!({"a": null}), "new\n");
    check("---\na: 1\n---\nold", "---\nb: 2\n---\nnew", json!({}), "---\na: 1\n---\n---\nb: 2\n---\nnew\n");
    check("---\na: 1\n---\nold", "---\nb: 2\n---\nnew", json!({"a": null}), "---\nb: 2\n---\nnew\n");
    check("old", "---\nb: 2\n---\n", json!({}), "---\nb: 2\n---\n");
    check("---\n---\nold", "new", json!({}), "---\n---\nnew\n");
    assert!(overwrite("---\na: b: c\n---\nold", "new", &Map::new()).is_err());
    assert!(overwrite("---\na: !t b\n---\nold", "new", &Map::new()).is_err());
    assert!(overwrite("old", "---\nprose\n---\nnew", &Map::new()).is_err());
    let written = overwrite("---\na: 1\n---\nold\n", "old\n", &Map::new()).expect("written");
    assert!(written.edited.edits.is_empty(), "nothing changed");
}
