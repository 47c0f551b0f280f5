//! What the writing tools share, seen through `vault_write_note`.

use serde_json::{Value, json};
use vault::{FolderScope, Principal, Rights};

use crate::app::App;

const MOST: usize = 60_000;

/// The text of a file on disk.
pub(in crate::mcp::tools) fn on_disk(folder: &tempfile::TempDir, path: &str) -> String {
    std::fs::read_to_string(folder.path().join("vault").join(path)).unwrap()
}

/// The answer of a call as structured content.
pub(in crate::mcp::tools) fn answer(app: &App, tool: &str, arguments: Value) -> Value {
    app.call(tool, arguments).unwrap().structured_content.unwrap()
}

#[test]
fn a_note_is_made_and_found_by_the_next_call() {
    let (app, folder) = App::over_notes(&[], MOST);
    let arguments = json!({"path": "a/b/New.md", "body": "zebra crossing", "properties": {"tags": ["x"]}});
    let written = answer(&app, "vault_write_note", arguments);
    assert_eq!(on_disk(&folder, "a/b/New.md"), "---\ntags:\n  - x\n---\nzebra crossing\n");
    assert_eq!(written["created"], true);
    assert_eq!(written["path"], "a/b/New.md");
    let read = answer(&app, "vault_read_note", json!({"path": "a/b/New.md"}));
    assert_eq!(read["hash"], written["hash"]);
    let found = answer(&app, "vault_search", json!({"query": "zebra"}));
    assert_eq!(found["results"][0]["path"], "a/b/New.md");
}

#[test]
fn an_old_note_is_overwritten_only_when_asked_and_keeps_its_properties() {
    let (app, folder) = App::over_notes(&[("A.md", "---\nkey: 1 # mine\n---\nold\n")], MOST);
    let error = app.call("vault_write_note", json!({"path": "A.md", "body": "new"})).unwrap_err();
    assert!(error.contains("already exists") && error.contains("overwrite: true"), "{error}");
    let written = answer(&app, "vault_write_note", json!({"path": "A.md", "body": "new", "overwrite": true}));
    assert_eq!(written["created"], false);
    assert_eq!(on_disk(&folder, "A.md"), "---\nkey: 1 # mine\n---\nnew\n");
    // Overwriting what is not there makes it.
    let written = answer(&app, "vault_write_note", json!({"path": "B.md", "body": "b", "overwrite": true}));
    assert_eq!(written["created"], true);
}

#[test]
fn a_body_may_be_empty_and_must_be_given() {
    let (app, folder) = App::over_notes(&[("A.md", "---\nkey: 1\n---\nold\n")], MOST);
    answer(&app, "vault_write_note", json!({"path": "New.md", "body": ""}));
    assert_eq!(on_disk(&folder, "New.md"), "");
    // A body that was forgotten must not cost the one that is there.
    for forgotten in
        [json!({"path": "A.md", "overwrite": true}), json!({"path": "A.md", "body": null, "overwrite": true})]
    {
        let error = app.call("vault_write_note", forgotten).unwrap_err();
        assert!(error.contains("argument body is missing"), "{error}");
    }
    answer(&app, "vault_write_note", json!({"path": "A.md", "body": "", "overwrite": true}));
    assert_eq!(on_disk(&folder, "A.md").trim_end(), "---\nkey: 1\n---");
}

#[test]
fn a_dry_run_answers_with_the_difference_and_writes_nothing() {
    let (app, folder) = App::over_notes(&[("A.md", "old\n")], MOST);
    let arguments = json!({"path": "A.md", "body": "new", "overwrite": true, "dry_run": true});
    let dry = app.call("vault_write_note", arguments).unwrap();
    let structured = dry.structured_content.unwrap();
    assert_eq!(structured["dry_run"], true);
    assert!(structured["diff"].as_str().unwrap().contains("-old\n+new\n"), "{structured}");
    assert!(structured.get("change").is_none());
    assert_eq!(on_disk(&folder, "A.md"), "old\n");
}

#[test]
fn a_stale_hash_is_refused_with_the_change_that_came_between() {
    let (app, folder) = App::over_notes(&[("A.md", "one\n")], MOST);
    let read = answer(&app, "vault_read_note", json!({"path": "A.md"}));
    let overwrite = |body: &str, hash: &Value| {
        app.call(
            "vault_write_note",
            json!({"path": "A.md", "body": body, "overwrite": true, "expected_hash": hash}),
        )
    };
    let second = overwrite("two", &read["hash"]).unwrap().structured_content.unwrap();
    let error = overwrite("three", &read["hash"]).unwrap_err();
    assert!(error.contains("stale") && error.contains("vault_write_note by test"), "{error}");
    assert_eq!(on_disk(&folder, "A.md"), "two\n");
    overwrite("three", &second["hash"]).unwrap();
    assert_eq!(on_disk(&folder, "A.md"), "three\n");
    let error = overwrite("four", &json!("abc")).unwrap_err();
    assert!(error.contains("argument expected_hash"), "{error}");
}

#[test]
fn a_block_that_cannot_be_kept_is_refused_with_how_to_repair_it() {
    let bad = "---\na: [\n---\ntext\n";
    let (app, folder) = App::over_notes(&[("A.md", bad)], MOST);
    let error =
        app.call("vault_write_note", json!({"path": "A.md", "body": "new", "overwrite": true})).unwrap_err();
    assert!(error.contains("not valid YAML"), "{error}");
    assert_eq!(on_disk(&folder, "A.md"), bad);
    let error =
        app.call("vault_write_note", json!({"path": "B.md", "body": "---\na: [\n---\n"})).unwrap_err();
    assert!(error.contains("Ways around it"), "{error}");
}

#[test]
fn links_that_mean_another_note_now_are_told_and_left() {
    let notes = [("deep/er/Topic.md", "old topic"), ("Link.md", "see [[Topic]]")];
    let (app, folder) = App::over_notes(&notes, MOST);
    app.ready();
    let written = answer(&app, "vault_write_note", json!({"path": "Topic.md", "body": "new topic"}));
    assert_eq!(written["retargeted_notes"], json!(["Link.md"]));
    assert_eq!(on_disk(&folder, "Link.md"), "see [[Topic]]");
    let written = answer(&app, "vault_write_note", json!({"path": "Other.md", "body": "x"}));
    assert!(written.get("retargeted_notes").is_none());
}

#[test]
fn only_what_a_token_may_is_written() {
    let (app, _folder) = App::over_notes(&[("In/A.md", "x"), ("Out/B.md", "x")], MOST);
    let limited = |write: bool| Principal {
        name: "limited".to_owned(),
        rights: Rights { read: true, write, delete: false },
        folders: FolderScope::Only(vec!["In".to_owned()]),
    };
    let write = |who: &Principal, path: &str| {
        app.call_as(who, "vault_write_note", json!({"path": path, "body": "y", "overwrite": true}))
    };
    assert!(write(&limited(true), "In/A.md").is_ok());
    assert!(write(&limited(true), "Out/B.md").unwrap_err().contains("not permitted"));
    assert!(write(&limited(true), "Out/New.md").unwrap_err().contains("not permitted"));
    assert!(write(&limited(false), "In/A.md").unwrap_err().contains("not permitted"));
}

#[test]
fn only_notes_and_only_inside_the_vault() {
    let (app, _folder) = App::over_notes(&[], MOST);
    for path in ["a.txt", "../a.md", ".obsidian/a.md", "/a.md", "a"] {
        assert!(app.call("vault_write_note", json!({"path": path, "body": "x"})).is_err(), "{path}");
    }
    let error = app.call("vault_write_note", json!({"path": "a.md", "body": "x\u{0}"})).unwrap_err();
    assert!(error.contains("control character"), "{error}");
}
