//! What holds of every tool that changes the vault: a rehearsal touches nothing, and a change that was decided
//! on an older state is not made.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{calls, calls_that_make, changes, done, hash_of, refused, serve, vault, with};
use crate::tools::WRITERS;

/// The calls are about every tool that says it writes, `vault_undo` apart, which has tests of its own here.
#[test]
fn the_calls_of_these_tests_are_those_of_every_writing_tool() {
    let server = serve(vault());
    let served: BTreeSet<String> = server
        .tools()
        .iter()
        .filter(|tool| tool["annotations"]["readOnlyHint"] != true)
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect();
    let known = |name: &&str| *name != "vault_undo";
    assert_eq!(served, WRITERS.map(str::to_owned).into());
    let called: BTreeSet<&str> = calls().iter().map(|(tool, ..)| *tool).collect();
    assert_eq!(called, WRITERS.into_iter().filter(known).collect());
    for tool in server.tools().iter().filter(|tool| tool["annotations"]["readOnlyHint"] != true) {
        let arguments = &tool["inputSchema"]["properties"];
        assert!(arguments["dry_run"].is_object(), "{tool}");
        // What an undo expects the note to be is what the change left.
        assert_eq!(arguments["expected_hash"].is_object(), tool["name"] != "vault_undo", "{tool}");
    }
}

#[test]
fn a_dry_run_leaves_the_vault_and_the_journal_as_they_are_and_says_what_would_change() {
    let server = serve(vault());
    let first = json!({"path": "Note.md", "operation": "append", "content": "first"});
    let change = done(&server, "vault_patch_note", first).structured()["change"].as_i64().unwrap();
    let (before, in_the_journal) = (server.vault().state(), changes(&server));
    let undo = ("vault_undo", json!({"change": change}));
    let all = calls().into_iter().map(|(tool, arguments, _)| (tool, arguments));
    for (tool, arguments) in all.chain(calls_that_make()).chain([undo]) {
        let answer = server.call(tool, with(&arguments, "dry_run", true));
        let told = answer.structured();
        assert_eq!(told["dry_run"], true, "{tool} {arguments}: {told}");
        assert!(told.get("change").is_none(), "{tool} {arguments}: {told}");
        let diff = told["diff"].as_str().or(told["files"][0]["diff"].as_str()).unwrap_or_default();
        assert!(diff.contains("@@"), "{tool} {arguments}: {told}");
        assert!(server.vault().state() == before, "{tool} {arguments}: the vault was touched");
    }
    assert_eq!(changes(&server), in_the_journal);
    // Not even a number was taken for any of them.
    let next = json!({"path": "Note.md", "operation": "append", "content": "next"});
    assert_eq!(done(&server, "vault_patch_note", next).structured()["change"], change + 1);
}

#[test]
fn what_a_dry_run_shows_is_what_the_call_then_does() {
    for (tool, arguments, path) in calls() {
        let server = serve(vault());
        let dry = server.call(tool, with(&arguments, "dry_run", true)).structured().clone();
        let expected = with(&arguments, "expected_hash", hash_of(&server, path));
        let made = done(&server, tool, expected).structured().clone();
        assert_eq!(dry.get("hash"), made.get("hash"), "{tool} {arguments}");
        let diff = server.call("vault_diff", json!({"change": made["change"]})).structured().clone();
        let shown = dry["diff"].as_str().unwrap();
        let first = diff["diff"].as_str().unwrap();
        assert!(shown.starts_with(first), "{tool} {arguments}: {shown}\nbut it was {first}");
    }
}

#[test]
fn a_change_that_was_decided_on_an_older_state_is_refused_and_told_what_came_between() {
    for (tool, arguments, path) in calls() {
        let server = serve(vault());
        let stale = with(&arguments, "expected_hash", hash_of(&server, path));
        let between = json!({"path": path, "operation": "prepend", "content": "between"});
        let change = done(&server, "vault_patch_note", between).structured()["change"].clone();
        let in_the_journal = changes(&server);
        let words = [
            "stale",
            path,
            &format!("change {change} came between: vault_patch_note by static-token at "),
            "read it again",
        ];
        let error = refused(&server, tool, stale.clone(), &words);
        assert!(error.contains(&hash_of(&server, path)), "{tool}: {error}");
        // A rehearsal would tell of a change that will not be made.
        refused(&server, tool, with(&stale, "dry_run", true), &words);
        assert_eq!(changes(&server), in_the_journal, "{tool}");
        let again = with(&arguments, "expected_hash", hash_of(&server, path));
        done(&server, tool, again);
    }
}

#[test]
fn what_an_editor_changed_between_is_refused_too() {
    for (tool, arguments, path) in calls() {
        let server = serve(vault());
        let stale = with(&arguments, "expected_hash", hash_of(&server, path));
        let mut text = server.vault().read(path);
        text.extend_from_slice(b"from outside\n");
        server.vault().write(path, &text);
        let error = refused(&server, tool, stale.clone(), &["stale", path, "has changed since"]);
        assert!(!error.contains("came between"), "{tool}: no change of the journal did: {error}");
        server.vault().remove(path);
        let gone = server.call(tool, stale.clone());
        assert!(gone.is_error(), "{tool} {stale}: {}", gone.text());
        assert!(!server.vault().path(path).exists(), "{tool} {stale} made the note again");
    }
}

#[test]
fn a_new_file_is_not_made_where_another_was_expected() {
    let server = serve(vault());
    let hash = hash_of(&server, "Note.md");
    for (tool, arguments) in calls_that_make() {
        refused(&server, tool, with(&arguments, "expected_hash", hash.as_str()), &["stale", "found no file"]);
        let in_the_journal = changes(&server);
        done(&server, tool, arguments);
        assert_eq!(changes(&server), in_the_journal + 1, "{tool}");
    }
}

#[test]
fn a_hash_that_is_none_is_refused_by_name() {
    let server = serve(vault());
    for (tool, arguments, _) in calls() {
        for wrong in ["x", "", "0123"] {
            let wrong = with(&arguments, "expected_hash", wrong);
            let answer = server.call(tool, with(&wrong, "dry_run", true));
            if wrong["expected_hash"] == "" {
                // Nothing given is as good as left out.
                assert!(!answer.is_error(), "{tool}: {}", answer.text());
            } else {
                assert!(answer.error().contains("expected_hash"), "{tool}: {}", answer.text());
            }
        }
    }
}

#[test]
fn every_change_is_in_the_journal_and_taken_back_byte_for_byte() {
    for (tool, arguments) in
        calls().into_iter().map(|(tool, arguments, _)| (tool, arguments)).chain(calls_that_make())
    {
        let server = serve(vault());
        let before = server.vault().files();
        let change = done(&server, tool, arguments.clone()).structured()["change"].clone();
        assert_ne!(server.vault().files(), before, "{tool} {arguments}");
        let rows = server.call("vault_history", json!({"limit": 500})).structured()["changes"].clone();
        let row = rows.as_array().unwrap().iter().find(|row| row["change"] == change).unwrap().clone();
        assert_eq!((&row["tool"], &row["principal"]), (&json!(tool), &json!("static-token")), "{row}");
        done(&server, "vault_undo", json!({"change": change}));
        assert_eq!(server.vault().files(), before, "{tool} {arguments}");
        // And the undo is one more change, which can be taken back.
        let undo = server.call("vault_history", json!({"limit": 1})).structured()["changes"][0].clone();
        assert_eq!(undo["tool"], "vault_undo", "{undo}");
        done(&server, "vault_undo", json!({"change": undo["change"]}));
        assert_ne!(server.vault().files(), before, "{tool} {arguments}");
    }
}

#[test]
fn an_undo_of_what_has_changed_since_is_refused_and_touches_nothing() {
    for (tool, arguments, path) in calls() {
        let server = serve(vault());
        let answer = done(&server, tool, arguments.clone()).structured().clone();
        let now = answer["path"].as_str().unwrap_or(path).to_owned();
        if server.vault().path(&now).exists() {
            let mut text = server.vault().read(&now);
            text.extend_from_slice(b"\nlater\n");
            server.vault().write(&now, &text);
        } else {
            server.vault().write(&now, "another one of this name\n");
        }
        let in_the_journal = changes(&server);
        for dry_run in [true, false] {
            let undo = json!({"change": answer["change"], "dry_run": dry_run});
            refused(&server, "vault_undo", undo, &["has changed since", &now, "@@"]);
        }
        assert_eq!(changes(&server), in_the_journal, "{tool}");
    }
}

/// Whoever changes nothing is told so, and the journal keeps quiet.
#[test]
fn a_change_that_changes_nothing_leaves_no_trace() {
    let server = serve(vault());
    let before = server.vault().state();
    let body = "# Head\n\none line\ntwo lines\n\n## Tasks\n\n- [ ] Task 📅 2026-07-01 ^task\n";
    for (tool, arguments) in [
        ("vault_write_note", json!({"path": "Note.md", "body": body, "overwrite": true})),
        ("vault_replace_in_note", json!({"path": "Note.md", "old_text": "one", "new_text": "one"})),
        ("vault_replace_span", json!({"path": "Note.md", "start_anchor": "one", "content": "one line"})),
        ("vault_update_properties", json!({"path": "Note.md", "properties": {"title": "T", "tags": ["a"]}})),
        ("vault_update_task", json!({"path": "Note.md", "block_id": "task", "due": "2026-07-01"})),
        (
            "vault_update_memory",
            json!({"file": "Me", "section": "Food", "entry": "Oat milk", "options": {"date": "2026-01-01"}}),
        ),
    ] {
        let told: Value = server.call(tool, arguments.clone()).structured().clone();
        assert!(told.get("change").is_none(), "{tool} {arguments}: {told}");
        assert!(told["hash"].is_string(), "{tool} {arguments}: {told}");
        assert!(server.vault().state() == before, "{tool} {arguments}: the vault was touched");
    }
    assert_eq!(changes(&server), 0);
}
