//! `vault_list_notes`: the paths of notes, read from disk.

use harness::{Server, TestServer, TestVault};
use serde_json::{Value, json};

use crate::fixtures;

#[track_caller]
fn lists(server: &Server, arguments: Value, expected: &[&str]) {
    let answer = server.call("vault_list_notes", arguments.clone());
    assert_eq!(answer.text_json(), json!(expected), "{arguments}");
    assert_eq!(answer.structured()["notes"], json!(expected), "{arguments}");
    assert_eq!(answer.structured()["total"], expected.len(), "{arguments}");
}

#[test]
fn every_note_is_listed_sorted_and_nothing_hidden() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    lists(
        &server,
        json!({}),
        &[
            "Broken/bad-yaml.md",
            "Daily/2026-01-15.md",
            "Daily/2026-01-16.md",
            "Inbox.md",
            "People/Jonas Müller.md",
            "Projects/Cluster.md",
            "Twice.md",
            "daily-archive/old.md",
            "howto/renew-wildcard-certificate.md",
            "日本語/会議.md",
        ],
    );
}

#[test]
fn a_folder_is_listed_with_what_lies_below() {
    let vault = TestVault::new().note("a/1.md", "").note("a/b/2.md", "").note("ab/3.md", "").note("4.md", "");
    let server = TestServer::start().with_vault(vault).ready();
    lists(&server, json!({"folder": "a"}), &["a/1.md", "a/b/2.md"]);
    lists(&server, json!({"folder": "a/"}), &["a/1.md", "a/b/2.md"]);
    lists(&server, json!({"folder": ""}), &["4.md", "a/1.md", "a/b/2.md", "ab/3.md"]);
    lists(&server, json!({"folder": "missing"}), &[]);
}

#[test]
fn globs_know_one_star_and_two() {
    let vault =
        TestVault::new().note("a/1.md", "").note("a/b/2.md", "").note("12.md", "").note("x[1].md", "");
    let server = TestServer::start().with_vault(vault).ready();
    lists(&server, json!({"glob": "*.md"}), &["12.md", "x[1].md"]);
    lists(&server, json!({"glob": "**/*.md"}), &["12.md", "a/1.md", "a/b/2.md", "x[1].md"]);
    lists(&server, json!({"glob": "a/*"}), &["a/1.md"]);
    lists(&server, json!({"glob": "a/**"}), &["a/1.md", "a/b/2.md"]);
    lists(&server, json!({"glob": "*2*"}), &["12.md"]);
    lists(&server, json!({"glob": "x[1].md"}), &["x[1].md"]);
}

/// The list reads the disk, so a note is there before the index knows of it.
#[test]
fn a_new_note_is_listed_at_once() {
    let server = TestServer::start().ready();
    server.vault().write("new.md", "x");
    lists(&server, json!({}), &["new.md"]);
    server.vault().remove("new.md");
    lists(&server, json!({}), &[]);
}

#[test]
fn a_folder_outside_the_vault_is_refused() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    for folder in ["..", "../outside", "/etc", ".obsidian", "Projects/.hidden"] {
        let answer = server.call("vault_list_notes", json!({"folder": folder}));
        assert!(answer.is_error(), "{folder}: {}", answer.text());
    }
}
