//! Notes nobody writes, in sizes at which anything that is not linear would take minutes.

use serde_json::{Map, Value};
use vault_cortex_markdown::edit::anchor::{Anchors, delete_span};
use vault_cortex_markdown::edit::links::{LinkFormat, Moves, rewrite_note};
use vault_cortex_markdown::edit::memory::{NewEntry, Position, add};
use vault_cortex_markdown::edit::properties::update;
use vault_cortex_markdown::edit::replace::replace_text;
use vault_cortex_markdown::edit::section::{Operation, Patch, patch};

const MANY: usize = 50_000;

fn changes(pairs: impl Iterator<Item = (String, Value)>) -> Map<String, Value> {
    pairs.collect()
}

#[test]
fn blocks_of_many_keys_and_comments() {
    let lines: String = (0..20_000).map(|line| format!("k{line}: {line}\n# {line}\n")).collect();
    let source = format!("---\n{lines}---\nbody\n");
    let all = changes((0..20_000).map(|line| (format!("K{line}"), Value::from(line + 1))));
    assert_eq!(update(&source, &all).expect("set").set.len(), 20_000);
    let none = changes((0..20_000).map(|line| (format!("k{line}"), Value::Null)));
    let removed = update(&source, &none).expect("removed").edited.text;
    assert!(removed.starts_with("---\n# 0\n# 1\n"), "comments stay");
    let items: String = (0..30_000).map(|item| format!("  - {item}\n  # {item}\n")).collect();
    let source = format!("---\nl:\n{items}---\n");
    let list: Vec<Value> = (0..30_001).map(Value::from).collect();
    let added = update(&source, &changes([("l".to_owned(), Value::from(list))].into_iter())).expect("added");
    assert_eq!(added.edited.edits.len(), 1);
    let comments = format!("---\n{}a: 1\n---\n", "# c\n".repeat(100_000));
    update(&comments, &changes([("a".to_owned(), Value::Null)].into_iter())).expect("removed");
}

#[test]
fn what_is_there_very_often() {
    let source = "a".repeat(1_000_000);
    assert!(replace_text(&source, "aa", "b", false).is_err());
    assert!(replace_text(&source, &source[1..], "b", false).is_err());
    assert_eq!(replace_text(&source, "a", "b", true).expect("replaced").count, 1_000_000);
    let lines = "a\n".repeat(500_000);
    assert!(delete_span(&lines, &Anchors { start: "a", end: None, first_match: false }).is_err());
    let headings = "# A\n".repeat(MANY);
    let request = |operation, heading| Patch {
        operation,
        content: "x",
        heading,
        heading_level: None,
        include_children: None,
    };
    let error = patch(&headings, &request(Operation::Append, Some("A"))).expect_err("ambiguous").to_string();
    assert!(error.len() < 2_000, "{} bytes", error.len());
    let error = patch(&headings, &request(Operation::Append, Some("B"))).expect_err("none").to_string();
    assert!(error.len() < 2_000, "{} bytes", error.len());
    for operation in [Operation::Append, Operation::Prepend] {
        patch(&headings, &request(operation, None)).expect("patched");
    }
    let entries = "- **2026-03-10**: x\n".repeat(MANY);
    let date = jiff::civil::date(2026, 3, 10);
    let new = NewEntry { section: "A", text: "y", date, position: Position::Bottom };
    add(&format!("# A\n{entries}"), &new).expect("added");
}

#[test]
fn notes_of_many_links() {
    let source = format!(
        "---\nl:\n{}---\n{}",
        "  - \"[[Old]]\"\n".repeat(10_000),
        "[[Old]] [x](Old.md) ".repeat(MANY)
    );
    let moves = Moves::new(["n.md", "Old.md"], [("Old.md", "New.md")]);
    let result = rewrite_note(&source, "n.md", "n.md", LinkFormat::Shortest, &moves).expect("rewritten");
    assert_eq!(result.links, 10_000 + 2 * MANY);
}
