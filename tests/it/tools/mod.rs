//! Each tool over the wire: its answers on a sparse and on a full vault, and the shape of its text.
//!
//! That every answer keeps the advertised schema is checked by the harness on every call.

mod advertised;
mod browse;
mod fts_search;
mod index_status;
mod links;
mod list_notes;
mod properties;
mod read_note;
mod search;
mod tags;

use harness::{Answer, Server, TestServer};
use serde_json::{Value, json};

use crate::fixtures;

/// The tools that only read.
pub(crate) const READERS: [&str; 24] = [
    "vault_read_note",
    "vault_list_notes",
    "vault_search",
    "vault_fts_search",
    "vault_list_tags",
    "vault_search_by_tag",
    "vault_search_by_folder",
    "vault_search_by_property",
    "vault_list_property_keys",
    "vault_list_property_values",
    "vault_recent_notes",
    "vault_get_backlinks",
    "vault_get_outgoing_links",
    "vault_find_orphans",
    "vault_get_daily_note",
    "vault_list_tasks",
    "vault_list_files",
    "vault_read_file",
    "vault_list_memory_files",
    "vault_get_memory",
    "vault_memory_recall",
    "index_status",
    "vault_history",
    "vault_diff",
];

/// The tools that change the vault.
pub(crate) const WRITERS: [&str; 14] = [
    "vault_create_task",
    "vault_update_task",
    "vault_update_memory",
    "vault_delete_memory",
    "vault_write_note",
    "vault_patch_note",
    "vault_replace_in_note",
    "vault_delete_span",
    "vault_replace_span",
    "vault_insert_at_anchor",
    "vault_update_properties",
    "vault_delete_note",
    "vault_move_note",
    "vault_undo",
];

/// Every tool of this version.
pub(crate) fn tools() -> Vec<&'static str> {
    READERS.into_iter().chain(WRITERS).collect()
}

/// Calls that succeed on a vault with this note, one or more for every tool but the ones that need
/// a file of another kind.
pub(crate) fn calls_about(note: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("vault_read_note", json!({"path": note})),
        ("vault_read_note", json!({"path": note, "properties_only": true})),
        ("vault_read_note", json!({"path": note, "outline": true})),
        ("vault_read_note", json!({"path": note, "start_line": 1, "limit": 5})),
        ("vault_list_notes", json!({})),
        ("vault_list_notes", json!({"folder": "no/such/folder"})),
        ("vault_search", json!({"query": "the quick brown wildcard"})),
        ("vault_search", json!({"query": "zzzunfindable"})),
        ("vault_search", json!({"query": "note", "include_leading_callout": true, "limit": 50})),
        ("vault_fts_search", json!({"query": "how do I renew the wildcard certificates"})),
        ("vault_fts_search", json!({"query": "zzzunfindable"})),
        ("vault_fts_search", json!({"query": "note*", "max_results": 50})),
        ("vault_list_tags", json!({})),
        ("vault_search_by_tag", json!({"tag": "project"})),
        ("vault_search_by_tag", json!({"tag": "nosuchtag", "exact": true})),
        ("vault_search_by_folder", json!({"folder": "/"})),
        ("vault_search_by_folder", json!({"folder": "no/such/folder", "recursive": false})),
        ("vault_search_by_property", json!({"key": "type", "value": "howto"})),
        ("vault_search_by_property", json!({"key": "no such key", "value": "1", "folder": "Projects"})),
        ("vault_list_property_keys", json!({})),
        ("vault_list_property_keys", json!({"folder": "Projects"})),
        ("vault_list_property_values", json!({"key": "tags"})),
        ("vault_list_property_values", json!({"key": "no such key"})),
        ("vault_recent_notes", json!({})),
        ("vault_recent_notes", json!({"sort_by": "created", "limit": 1})),
        ("vault_find_orphans", json!({})),
        ("vault_find_orphans", json!({"exclude_folders": []})),
        ("vault_get_backlinks", json!({"path": note})),
        ("vault_get_outgoing_links", json!({"path": note})),
        ("vault_get_daily_note", json!({})),
        ("vault_get_daily_note", json!({"date": "2026-01-15"})),
        ("vault_list_tasks", json!({})),
        ("vault_list_tasks", json!({"status": "all", "path": note, "sort_by": "position"})),
        ("vault_list_files", json!({})),
        ("vault_list_files", json!({"extensions": ["png"], "limit": 1})),
        ("vault_list_memory_files", json!({})),
        ("vault_get_memory", json!({})),
        ("vault_get_memory", json!({"on_or_after": "2026-01-15"})),
        ("vault_memory_recall", json!({"query": "what do I prefer"})),
        ("vault_memory_recall", json!({"query": "zzzunfindable", "limit": 1})),
        ("index_status", json!({})),
    ]
}

/// Makes all calls; each must succeed, and its text must have the shape that clients know.
#[track_caller]
pub(crate) fn answers_everything(server: &Server, note: &str) {
    for (tool, arguments) in calls_about(note) {
        let answer = server.call(tool, arguments.clone());
        assert!(!answer.is_error(), "{tool} {arguments}: {}", answer.text());
        assert_text_shape(tool, &arguments, &answer);
    }
}

/// The text block keeps the shape of the servers that came before: a bare array or object, or the
/// note itself.
#[track_caller]
pub(crate) fn assert_text_shape(tool: &str, arguments: &Value, answer: &Answer) {
    let structured = answer.structured();
    match tool {
        "vault_read_note" if arguments["properties_only"] == true => {
            assert_eq!(answer.text_json(), structured["properties"], "{tool}");
        }
        "vault_read_note" if arguments["outline"] == true => {
            assert_eq!(answer.text_json()["headings"], structured["headings"], "{tool}");
        }
        "vault_read_note" => {
            let blocks = answer.blocks();
            assert_eq!(*blocks.last().unwrap(), structured["text"].as_str().unwrap(), "{tool}");
        }
        "vault_list_notes"
        | "vault_search_by_tag"
        | "vault_search_by_folder"
        | "vault_search_by_property"
        | "vault_recent_notes"
        | "vault_find_orphans" => same_list(tool, answer, "notes"),
        "vault_list_property_keys" => same_list(tool, answer, "keys"),
        "vault_list_property_values" => same_list(tool, answer, "values"),
        "vault_list_tags" => same_list(tool, answer, "tags"),
        "vault_search" | "vault_fts_search" => same_list_in_object(tool, answer, "results"),
        "vault_get_backlinks" => same_list_in_object(tool, answer, "backlinks"),
        "vault_get_outgoing_links" => same_list_in_object(tool, answer, "outgoing_links"),
        "vault_list_memory_files" => same_list(tool, answer, "files"),
        "vault_get_memory" => {
            let shown = structured.get("message").unwrap_or(&structured["text"]);
            assert_eq!(*answer.blocks().last().unwrap(), shown.as_str().unwrap(), "{tool}");
        }
        "vault_memory_recall" => same_list_in_object(tool, answer, "entries"),
        "vault_list_tasks" => same_list_in_object(tool, answer, "tasks"),
        "vault_list_files" => same_list_in_object(tool, answer, "files"),
        "vault_get_daily_note" => assert_eq!(answer.text_json()["exists"], structured["exists"], "{tool}"),
        "vault_read_file" => {
            assert_eq!(*answer.blocks().last().unwrap(), structured["text"].as_str().unwrap(), "{tool}");
        }
        "index_status" => assert_eq!(answer.text_json()["notes"], structured["notes"], "{tool}"),
        _ => panic!("no text shape is known for {tool}: add it here and to docs/TOOLS.md"),
    }
}

#[track_caller]
fn same_list(tool: &str, answer: &Answer, name: &str) {
    // A second block, when there is one, says how to continue.
    let text: Value = serde_json::from_str(answer.blocks()[0]).unwrap();
    let texts = text.as_array().unwrap_or_else(|| panic!("{tool}: a bare array, not {text}"));
    assert_eq!(texts.len(), answer.structured()[name].as_array().unwrap().len(), "{tool}");
}

#[track_caller]
fn same_list_in_object(tool: &str, answer: &Answer, name: &str) {
    let text = answer.text_json();
    let texts = text[name].as_array().unwrap_or_else(|| panic!("{tool}: no {name:?} in {text}"));
    let list = answer.structured()[name].as_array().unwrap();
    let paths = |list: &[Value]| list.iter().map(|item| item["path"].clone()).collect::<Vec<_>>();
    assert_eq!(paths(texts), paths(list), "{tool}");
}

#[test]
fn every_tool_answers_on_an_empty_vault() {
    let server = TestServer::start().ready();
    for (tool, arguments) in calls_about("Empty.md") {
        let answer = server.call(tool, arguments.clone());
        let needs_a_note = tool == "vault_read_note";
        assert_eq!(answer.is_error(), needs_a_note, "{tool} {arguments}: {}", answer.text());
    }
}

#[test]
fn every_tool_answers_on_a_sparse_vault() {
    let server = TestServer::start().with_vault(fixtures::sparse()).ready();
    answers_everything(&server, "Empty.md");
    answers_everything(&server, "One.md");
}

#[test]
fn every_tool_answers_on_a_full_vault() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    for note in [
        "howto/renew-wildcard-certificate.md",
        "Projects/Cluster.md",
        "People/Jonas Müller.md",
        "日本語/会議.md",
        "Twice.md",
    ] {
        answers_everything(&server, note);
    }
    for arguments in
        [json!({"path": "Boards/plan.canvas"}), json!({"path": "Boards/plan.canvas", "raw": true})]
    {
        let answer = server.call("vault_read_file", arguments.clone());
        assert!(!answer.is_error(), "{arguments}: {}", answer.text());
        assert_text_shape("vault_read_file", &arguments, &answer);
    }
}
