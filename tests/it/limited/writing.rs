//! What a caller may change: with which rights, and where.

use std::collections::BTreeSet;
use std::time::Duration;

use harness::eventually;
use serde_json::{Value, json};

use super::{Client, HIDDEN, SECRET, events, settings, tells_nothing};
use crate::tools::WRITERS;

/// A call of every tool that changes a note, about this one. `vault_undo` and memory are tested by themselves.
fn changes_of(note: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("vault_create_task", json!({"path": note, "description": "buy wood", "block_id": "wood"})),
        ("vault_update_task", json!({"path": note, "block_id": "call", "status": "done"})),
        ("vault_patch_note", json!({"path": note, "operation": "append", "content": "more"})),
        ("vault_replace_in_note", json!({"path": note, "old_text": "first step", "new_text": "step one"})),
        (
            "vault_insert_at_anchor",
            json!({"path": note, "anchor": "step one", "position": "after", "content": "and two"}),
        ),
        ("vault_replace_span", json!({"path": note, "start_anchor": "and two", "content": "and three"})),
        ("vault_delete_span", json!({"path": note, "start_anchor": "and three"})),
        ("vault_update_properties", json!({"path": note, "properties": {"status": "begun"}})),
        ("vault_write_note", json!({"path": note, "body": "anew", "overwrite": true})),
        ("vault_delete_note", json!({"path": note})),
    ]
}

#[test]
fn every_change_stays_in_the_folder_and_tells_nothing_of_the_rest() {
    let server = settings().ready();
    let client = Client::new(&server, &["--name", "desk", "--folder", "Projects"]);
    let mut called: BTreeSet<&str> = ["vault_update_memory", "vault_delete_memory"].into();
    let hidden = server.vault().read("Hushed/Vault 7.md");
    for (tool, arguments) in changes_of(&format!("{HIDDEN}/Vault 7.md")) {
        let answer = client.call(tool, arguments);
        assert!(answer.text().starts_with("[Forbidden]: not permitted"), "{tool}: {}", answer.text());
    }
    let to = |old: &str, new: &str| json!({"old_path": old, "new_path": new});
    for (tool, arguments) in [
        ("vault_move_note", to("Projects/deep/Lonely.md", "Hushed/Lonely.md")),
        ("vault_move_note", to("Hushed/Vault 7.md", "Projects/Vault 7.md")),
        ("vault_write_note", json!({"path": "Hushed/new.md", "body": "x"})),
        ("vault_write_note", json!({"path": "new.md", "body": "x"})),
        ("vault_update_memory", json!({"file": SECRET, "section": "A", "entry": "x"})),
        ("vault_delete_memory", json!({"file": SECRET, "section": "A", "date": "2026-01-08", "entry": "x"})),
    ] {
        let answer = client.call(tool, arguments.clone());
        assert!(
            answer.text().starts_with("[Forbidden]: not permitted"),
            "{tool} {arguments}: {}",
            answer.text()
        );
    }
    assert_eq!(server.vault().read("Hushed/Vault 7.md"), hidden);

    // A note that is linked to from the hidden part: its move would change notes out of reach.
    let moved = client.call("vault_move_note", to("Projects/Open two.md", "Projects/deep/Open two.md"));
    tells_nothing("vault_move_note", moved.result());
    called.insert("vault_move_note");
    for (tool, arguments) in changes_of("Projects/Open.md") {
        called.insert(tool);
        let answer = client.call(tool, arguments.clone());
        assert!(!answer.is_error(), "{tool} {arguments}: {}", answer.text());
        tells_nothing(&format!("{tool} {arguments}"), answer.result());
    }
    let own = client.call("vault_history", json!({}));
    tells_nothing("vault_history", own.result());
    let last = own.structured()["changes"][0]["change"].clone();
    let undone = client.call("vault_undo", json!({"change": last}));
    assert!(!undone.is_error(), "{}", undone.text());
    tells_nothing("vault_undo", undone.result());
    called.insert("vault_undo");
    assert_eq!(called, WRITERS.into_iter().collect(), "every writing tool is called");

    // What the owner does there is neither shown nor undone.
    let change =
        server.call("vault_write_note", json!({"path": format!("{HIDDEN}/{SECRET} 2.md"), "body": "x"}));
    let change = change.structured()["change"].clone();
    for tool in ["vault_diff", "vault_undo"] {
        let answer = client.call(tool, json!({"change": change}));
        assert!(answer.is_error(), "{tool}: {}", answer.text());
        tells_nothing(tool, answer.result());
    }
    server.vault().accept();
}

#[test]
fn a_reader_changes_nothing_with_any_tool() {
    let server = settings().ready();
    let client = Client::new(&server, &["--name", "reader", "--read-only"]);
    let before = server.vault().state();
    let mut calls = changes_of("Projects/Open.md");
    calls.extend([
        ("vault_move_note", json!({"old_path": "Projects/Open.md", "new_path": "Projects/b.md"})),
        ("vault_update_memory", json!({"file": SECRET, "section": "A", "entry": "x"})),
        ("vault_delete_memory", json!({"file": SECRET, "section": "A", "date": "2026-01-08", "entry": "x"})),
        ("vault_undo", json!({"change": 1})),
    ]);
    let called: BTreeSet<&str> = calls.iter().map(|(tool, _)| *tool).collect();
    assert_eq!(called, WRITERS.into_iter().collect());
    let expected = calls.len();
    for (tool, arguments) in calls {
        let answer = client.call(tool, arguments);
        let text = answer.text();
        assert!(
            answer.is_error() && text.starts_with("[Forbidden]: not permitted: this token may not"),
            "{tool}: {text}"
        );
    }
    assert!(server.vault().state() == before, "nothing has changed");
    let audit = eventually("the audit", Duration::from_secs(10), || {
        Some(events(&server, "access_denied")).filter(|records| records.len() >= expected)
    });
    assert_eq!(audit.len(), expected);
    for record in audit {
        assert_eq!(record["caller.name"], "reader", "{record}");
        assert!(["change", "delete"].contains(&record["denied.what"].as_str().unwrap()), "{record}");
        assert!(WRITERS.contains(&record["tool.name"].as_str().unwrap()), "{record}");
    }
}

#[test]
fn without_the_right_to_delete_notes_are_changed_and_stay() {
    let server = settings().ready();
    let client = Client::new(&server, &["--name", "editor", "--rights", "read,write"]);
    for (tool, arguments) in changes_of("Projects/Open.md") {
        let answer = client.call(tool, arguments);
        if tool == "vault_delete_note" {
            assert!(answer.text().starts_with("[Forbidden]: not permitted"), "{}", answer.text());
        } else {
            assert!(!answer.is_error(), "{tool}: {}", answer.text());
        }
    }
    // Taking back the making of a note would delete it.
    let made = client.call("vault_write_note", json!({"path": "Projects/New.md", "body": "x"}));
    let undone = client.call("vault_undo", json!({"change": made.structured()["change"]}));
    assert!(undone.text().starts_with("[Forbidden]: not permitted"), "{}", undone.text());
    assert!(
        server.vault().path("Projects/New.md").is_file() && server.vault().path("Projects/Open.md").is_file()
    );
    server.vault().accept();
}

#[test]
fn the_history_names_the_token() {
    let server = settings().ready();
    let client = Client::new(&server, &["--name", "desk"]);
    client.call("vault_write_note", json!({"path": "Projects/New.md", "body": "x"}));
    let history = server.call("vault_history", json!({}));
    assert_eq!(history.structured()["changes"][0]["principal"], "desk", "{}", history.text());
    server.vault().accept();
}
