//! `vault_search_by_folder`, `vault_recent_notes` and `vault_find_orphans`.

use harness::{Server, TestServer, TestVault};
use serde_json::{Value, json};

use crate::fixtures;

#[track_caller]
fn notes(server: &Server, tool: &str, arguments: Value) -> Vec<String> {
    server.call(tool, arguments).list("notes", "path")
}

#[test]
fn a_folder_is_listed_with_the_metadata_row() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    let answer = server.call("vault_search_by_folder", json!({"folder": "howto/"}));
    let row = &answer.text_json()[0];
    assert_eq!(row["path"], "howto/renew-wildcard-certificate.md");
    assert_eq!(row["leading_callout"]["title"], "Scope");
    assert!(row["bytes"].as_u64().unwrap() > 100);
    assert_eq!(row["additional_properties"]["effort"], 3);
    assert_eq!(answer.structured()["total"], 1);
    let folder = |arguments| notes(&server, "vault_search_by_folder", arguments);
    assert_eq!(folder(json!({"folder": "daily", "recursive": false})).len(), 2);
    assert_eq!(folder(json!({"folder": "/", "recursive": false})).len(), 2);
    assert_eq!(folder(json!({"folder": "nowhere"})), [""; 0]);
    let error = server.call("vault_search_by_folder", json!({"folder": "../x"})).error();
    assert!(error.starts_with("[InvalidPath]"), "{error}");
    let error = server.call("vault_search_by_folder", json!({"folder": ""})).error();
    assert!(error.contains("argument folder is missing"), "{error}");
}

#[test]
fn recent_notes_come_latest_first_by_either_time() {
    let vault = TestVault::new()
        .note("a.md", "---\ncreated: 2026-01-01\n---\n")
        .modified("a.md", 1_700_000_300)
        .note("b.md", "---\ncreated: 2026-02-01\n---\n")
        .modified("b.md", 1_700_000_200)
        .note("c.md", "")
        .modified("c.md", 1_700_000_400);
    let server = TestServer::start().with_vault(vault).ready();
    let recent = |arguments| notes(&server, "vault_recent_notes", arguments);
    assert_eq!(recent(json!({})), ["c.md", "a.md", "b.md"]);
    assert_eq!(recent(json!({"sort_by": "modified"})), ["c.md", "a.md", "b.md"]);
    assert_eq!(recent(json!({"sort_by": "created"})), ["b.md", "a.md", "c.md"]);
    assert_eq!(recent(json!({"sort_by": "created", "limit": 1, "offset": 1})), ["a.md"]);
    let error = server.call("vault_recent_notes", json!({"sort_by": "name"})).error();
    assert!(error.contains("sort_by") && error.contains("created"), "{error}");
}

fn with_orphans() -> TestVault {
    ["Home.md", "Journal/1.md", "Daily Notes/2.md", "Templates/3.md", "About Me/4.md", "Me/5.md", "Old/6.md"]
        .iter()
        .fold(TestVault::new(), |vault, path| vault.note(path, "alone"))
}

#[track_caller]
fn orphans(server: &Server, arguments: Value) -> Vec<String> {
    let mut found = notes(server, "vault_find_orphans", arguments);
    found.sort();
    found
}

#[test]
fn default_exclusions_are_found_on_every_call() {
    let server = TestServer::start().with_vault(with_orphans()).ready();
    let found = || orphans(&server, json!({}));
    let usual = ["Home.md", "Journal/1.md", "Me/5.md", "Old/6.md"];
    assert_eq!(found(), usual, "no file: Daily Notes");
    let set = |text: &str| server.vault().write(".obsidian/daily-notes.json", text);
    set(r#"{"folder": "/Journal/"}"#);
    assert_eq!(found(), ["Daily Notes/2.md", "Home.md", "Me/5.md", "Old/6.md"]);
    for root in [r#"{"folder": "/"}"#, r#"{"folder": "  "}"#, r#"{"folder": ""}"#, "{}"] {
        set(root);
        assert_eq!(
            found(),
            ["Daily Notes/2.md", "Home.md", "Journal/1.md", "Me/5.md", "Old/6.md"],
            "{root}: daily notes beside others leave out nothing"
        );
    }
    for broken in ["{", "[]", "nonsense"] {
        set(broken);
        assert_eq!(found(), usual, "{broken}");
    }
    // A call's own folders replace the list, for that call.
    assert_eq!(orphans(&server, json!({"exclude_folders": []})).len(), 7);
    assert_eq!(orphans(&server, json!({"exclude_folders": "old/"})).len(), 6);
    assert_eq!(orphans(&server, json!({"exclude_folders": ["Old", "/", "Nowhere"]})).len(), 6);
    assert_eq!(found(), usual);
    let error = server.call("vault_find_orphans", json!({"exclude_folders": ["../x"]})).error();
    assert!(error.starts_with("[InvalidPath]"), "{error}");
}

#[test]
fn an_unreadable_file_of_daily_notes_is_warned_of() {
    let vault = with_orphans().note(".obsidian/daily-notes.json", "{");
    let server = TestServer::start().with_vault(vault).ready();
    assert_eq!(orphans(&server, json!({})), ["Home.md", "Journal/1.md", "Me/5.md", "Old/6.md"]);
    let warned = |line: &harness::LogLine| {
        line.json().is_some_and(|event| event["level"] == "warn") && line.text.contains("daily-notes.json")
    };
    assert!(server.log().iter().any(warned), "{:?}", server.log());
}

#[test]
fn settings_move_the_memory_or_replace_the_list() {
    let server = TestServer::start().with_vault(with_orphans()).with_env("MEMORY_DIR", " Me/ ").ready();
    assert_eq!(orphans(&server, json!({})), ["About Me/4.md", "Home.md", "Journal/1.md", "Old/6.md"]);
    let server = TestServer::start()
        .with_vault(with_orphans())
        .with_env("ORPHAN_EXCLUDE_FOLDERS", "old/, Journal")
        .ready();
    let replaced = ["About Me/4.md", "Daily Notes/2.md", "Home.md", "Me/5.md", "Templates/3.md"];
    assert_eq!(orphans(&server, json!({})), replaced);
    assert_eq!(orphans(&server, json!({"exclude_folders": []})).len(), 7);
}

#[test]
fn orphans_are_notes_without_incoming_links() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    assert_eq!(
        orphans(&server, json!({"exclude_folders": "Daily"})),
        ["Broken/bad-yaml.md", "Twice.md", "daily-archive/old.md", "日本語/会議.md"]
    );
}
