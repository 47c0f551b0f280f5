//! Real vaults, answered by every tool to a real client: the Python package `mcp`, over HTTP and
//! over stdio, in every mode it has.

use std::ffi::OsString;

use harness::{TestServer, TestVault, python_client, server_binary, shared_vault};
use serde_json::Value;

#[track_caller]
fn answers_a_real_client(vault: TestVault) {
    let server = TestServer::start().with_vault(vault).ready();
    let url = OsString::from(server.endpoint());
    let token = OsString::from(server.token());
    for mode in ["auto", "legacy", "2026-07-28"] {
        let Some(report) =
            python_client("every_tool.py", &["http".into(), mode.into(), url.clone(), token.clone()])
        else {
            return;
        };
        check(&report, mode);
    }
    let settings = server.stop();
    for mode in ["legacy", "auto"] {
        let mut arguments: Vec<OsString> = vec!["stdio".into(), mode.into(), server_binary().into()];
        arguments.extend(settings.environment_for_a_client());
        let Some(report) = python_client("every_tool.py", &arguments) else { return };
        check(&report, mode);
    }
}

/// The client's own report: every tool called, each answer validated against its output schema.
#[track_caller]
fn check(report: &Value, mode: &str) {
    assert_eq!(report["faults"], serde_json::json!([]), "{mode}: {report}");
    assert_eq!(report["tools_called"], report["tools_served"], "{mode}: every served tool is called");
    assert!(report["calls"].as_u64().unwrap() >= 30, "{mode}: {report}");
    println!("{mode}: {} calls, protocol {}", report["calls"], report["protocol"]);
}

/// Every note of the vault can be read, outlined and asked for its links.
#[track_caller]
fn every_note_is_read(vault: TestVault, at_least: usize) {
    let server = TestServer::start().with_vault(vault).ready();
    let mut notes = Vec::new();
    let mut offset = 0;
    loop {
        let page = server.call("vault_list_notes", serde_json::json!({"offset": offset}));
        let rows = page.structured()["notes"].as_array().unwrap().clone();
        offset += rows.len();
        notes.extend(rows.iter().map(|path| path.as_str().unwrap().to_owned()));
        if page.structured().get("left_out").is_none() {
            break;
        }
    }
    assert!(notes.len() >= at_least, "{} notes", notes.len());
    for note in &notes {
        for arguments in
            [serde_json::json!({"path": note}), serde_json::json!({"path": note, "outline": true})]
        {
            let answer = server.call("vault_read_note", arguments);
            assert!(!answer.is_error(), "{note}: {}", answer.text());
        }
        for tool in ["vault_get_backlinks", "vault_get_outgoing_links"] {
            assert!(!server.call(tool, serde_json::json!({"path": note})).is_error(), "{tool} {note}");
        }
    }
    let status = server.call("index_status", serde_json::json!({}));
    assert_eq!(status.structured()["notes"], notes.len());
}

#[test]
fn the_help_vault_is_answered_to_a_real_client() {
    let Some(path) = shared_vault("obsidian-help-en") else { return };
    answers_a_real_client(TestVault::at(&path));
}

#[test]
fn the_tasks_vault_is_answered_to_a_real_client() {
    let Some(path) = shared_vault("tasks-demo") else { return };
    answers_a_real_client(TestVault::at(&path));
}

#[test]
fn the_kepano_vault_is_answered_to_a_real_client() {
    let Some(path) = shared_vault("kepano-obsidian") else { return };
    answers_a_real_client(TestVault::at(&path));
}

/// The repository's own sample vault, which is always there.
#[test]
fn the_sample_vault_is_answered_to_a_real_client() {
    answers_a_real_client(TestVault::at(&harness::repository_root().join("examples/vault")));
}

#[test]
fn every_note_of_the_help_vault_is_read() {
    let Some(path) = shared_vault("obsidian-help-en") else { return };
    every_note_is_read(TestVault::at(&path), 170);
}

#[test]
fn every_note_of_the_tasks_vault_is_read() {
    let Some(path) = shared_vault("tasks-demo") else { return };
    every_note_is_read(TestVault::at(&path), 200);
}

#[test]
fn every_note_of_the_kepano_vault_is_read() {
    let Some(path) = shared_vault("kepano-obsidian") else { return };
    every_note_is_read(TestVault::at(&path), 100);
}
