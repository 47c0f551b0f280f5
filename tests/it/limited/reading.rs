//! What a caller sees that is limited to a folder: the vault as if it were that folder alone.

use std::collections::BTreeSet;

use harness::{TestServer, TestVault};
use serde_json::{Value, json};

use super::{Client, HIDDEN, SECRET, events, open_part, reading_calls, settings, tells_nothing};
use crate::tools::{READERS, tools};

/// Calls that feel for what is hidden.
fn feeling() -> Vec<(&'static str, Value)> {
    // Nearly right, so that help with spelling would show the rest; the word itself is in none of them.
    let near = &SECRET[..SECRET.len() - 1];
    vec![
        ("vault_search", json!({"query": near})),
        ("vault_search", json!({"query": format!("{near}*")})),
        ("vault_search", json!({"query": "carpenter namesake callout text about the plan", "limit": 50})),
        ("vault_search", json!({"query": "plan", "filters": {"tags": [near]}})),
        ("vault_search", json!({"query": "plan", "filters": {"type": near}})),
        ("vault_search", json!({"query": "plan", "filters": {"related": ["Vault 7"]}})),
        ("vault_search", json!({"query": "plan", "filters": {"properties": {near: "x"}}})),
        ("vault_fts_search", json!({"query": near})),
        ("vault_fts_search", json!({"query": format!("{near}*")})),
        ("vault_fts_search", json!({"query": "namesake OR callout OR carpenter", "max_results": 50})),
        ("vault_search_by_tag", json!({"tag": near})),
        ("vault_search_by_tag", json!({"tag": "visible"})),
        ("vault_search_by_property", json!({"key": "owner", "value": near})),
        ("vault_search_by_property", json!({"key": near, "value": near})),
        ("vault_list_property_values", json!({"key": "owner"})),
        ("vault_list_property_values", json!({"key": format!("{near}-key")})),
        ("vault_list_property_values", json!({"key": "type"})),
        ("vault_search_by_folder", json!({"folder": ""})),
        ("vault_list_notes", json!({"glob": "**/*"})),
        ("vault_list_notes", json!({"glob": format!("{near}*")})),
        ("vault_list_files", json!({"extensions": ["csv", "png", "canvas"], "limit": 100})),
        ("vault_read_note", json!({"path": format!("Projects/{near}.md")})),
        ("vault_read_note", json!({"path": "Projects/Vault 7.md"})),
        ("vault_read_file", json!({"path": format!("Projects/{near}.csv")})),
        ("vault_get_backlinks", json!({"path": "Projects/Open two.md"})),
        ("vault_get_backlinks", json!({"path": "Projects/pic.png"})),
        ("vault_get_backlinks", json!({"path": format!("Projects/{near}.md")})),
        ("vault_get_outgoing_links", json!({"path": "Projects/Open two.md"})),
        ("vault_list_tasks", json!({"due": {"on": "2026-01-15"}, "limit": 200})),
        ("vault_memory_recall", json!({"query": format!("{near} entry tools"), "limit": 50})),
        ("vault_recent_notes", json!({"limit": 100})),
        ("vault_find_orphans", json!({"exclude_folders": [], "limit": 100})),
    ]
}

#[test]
fn nothing_hidden_is_in_any_answer_of_any_reading_tool() {
    let server = settings().ready();
    // The owner's changes, so that the journal has something to hide.
    server.call("vault_write_note", json!({"path": format!("{HIDDEN}/{SECRET} new.md"), "body": SECRET}));
    server.call(
        "vault_move_note",
        json!({"old_path": format!("{HIDDEN}/{SECRET} new.md"), "new_path": "Projects/Moved in.md"}),
    );
    server.call(
        "vault_move_note",
        json!({"old_path": "Projects/Moved in.md", "new_path": format!("{HIDDEN}/{SECRET} out.md")}),
    );
    server.vault().accept();
    let client = Client::new(&server, &["--name", "phone", "--read-only", "--folder", "Projects"]);
    let mut called = BTreeSet::new();
    for (tool, arguments) in reading_calls().into_iter().chain(feeling()) {
        called.insert(tool);
        let answer = client.call(tool, arguments.clone());
        tells_nothing(&format!("{tool} {arguments}"), answer.result());
    }
    // The owner's move of an open note rewrites links of hidden ones: how many is not told.
    let to = json!({"old_path": "Projects/Open two.md", "new_path": "Projects/Open 2.md"});
    let moved = server.call("vault_move_note", to);
    assert!(!moved.is_error(), "{}", moved.text());
    server.vault().accept();
    let history = client.call("vault_history", json!({}));
    let changes = history.structured()["changes"].as_array().unwrap().clone();
    let moves: Vec<&Value> = changes.iter().filter(|change| change["kind"] == "move").collect();
    assert_eq!(moves.len(), 1, "{}", history.text());
    assert_eq!(moves[0]["summary"], "moved", "{}", history.text());
    for change in 1..=6 {
        let answer = client.call("vault_diff", json!({"change": change}));
        tells_nothing(&format!("vault_diff {change}"), answer.result());
    }
    assert_eq!(called, READERS.into_iter().collect(), "every reading tool is called");
    for method in ["tools/list", "prompts/list"] {
        tells_nothing(method, &client.rpc(method, json!({})));
    }
    let listed = client.rpc("tools/list", json!({}));
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), tools().len());
}

#[test]
fn the_secret_itself_finds_nothing() {
    let server = settings().ready();
    let client = Client::new(&server, &["--name", "phone", "--folder", "Projects"]);
    for (tool, arguments, list) in [
        ("vault_search", json!({"query": SECRET}), "results"),
        ("vault_fts_search", json!({"query": SECRET}), "results"),
        ("vault_search", json!({"query": "plan", "filters": {"tags": [format!("{SECRET}-tag")]}}), "results"),
        ("vault_search", json!({"query": "plan", "filters": {"type": format!("{SECRET}-type")}}), "results"),
        ("vault_search_by_tag", json!({"tag": format!("{SECRET}-tag")}), "notes"),
        ("vault_search_by_tag", json!({"tag": format!("visible/{SECRET}")}), "notes"),
        ("vault_search_by_property", json!({"key": "owner", "value": format!("{SECRET}-owner")}), "notes"),
        ("vault_list_property_values", json!({"key": format!("{SECRET}-key")}), "values"),
        ("vault_memory_recall", json!({"query": SECRET}), "entries"),
        ("vault_list_notes", json!({"glob": format!("**/*{SECRET}*")}), "notes"),
    ] {
        let answer = client.call(tool, arguments.clone());
        assert!(!answer.is_error(), "{tool} {arguments}: {}", answer.text());
        let rows = answer.structured()[list].as_array().unwrap_or_else(|| panic!("{tool}: {list}"));
        assert!(rows.is_empty(), "{tool} {arguments}: {rows:?}");
        assert!(
            !server.call(tool, arguments.clone()).structured()[list].as_array().unwrap().is_empty(),
            "{tool} {arguments}: the owner finds it"
        );
    }
}

/// The strongest of all: whatever is counted, ranked or suggested is so as if the rest did not exist.
#[test]
fn every_answer_is_that_of_a_vault_without_the_rest() {
    // Which tools there are shapes some texts: both serve the same, and no first memory files are made.
    let server = settings().with_env("READONLY_MODE", "true").ready();
    let client = Client::new(&server, &["--name", "phone", "--read-only", "--folder", "Projects"]);
    let alone =
        TestServer::start().with_vault(open_part(TestVault::new())).with_env("READONLY_MODE", "true").ready();
    for (tool, arguments) in reading_calls().into_iter().chain(feeling()) {
        let seen = client.call(tool, arguments.clone());
        // Times of the index and the journal are of the server; places beyond the token are refused.
        let of_the_server = ["index_status", "vault_history", "vault_diff"].contains(&tool);
        if of_the_server || seen.text().contains("not permitted") {
            continue;
        }
        let expected = alone.call(tool, arguments.clone());
        assert_eq!(seen.is_error(), expected.is_error(), "{tool} {arguments}: {}", seen.text());
        assert_eq!(seen.text(), expected.text(), "{tool} {arguments}");
        assert_eq!(
            seen.result().get("structuredContent"),
            expected.result().get("structuredContent"),
            "{tool} {arguments}"
        );
    }
}

/// Arguments that name this place.
type AboutAPlace = fn(&str) -> Value;

#[test]
fn places_beyond_the_folders_are_refused_alike_whether_they_exist_or_not() {
    let server = settings().ready();
    let client = Client::new(&server, &["--name", "phone", "--folder", "Projects"]);
    let calls: Vec<(&str, AboutAPlace)> = vec![
        ("vault_read_note", |path| json!({"path": path})),
        ("vault_read_file", |path| json!({"path": path})),
        ("vault_get_backlinks", |path| json!({"path": path})),
        ("vault_get_outgoing_links", |path| json!({"path": path})),
        ("vault_list_tasks", |path| json!({"path": path})),
        ("vault_history", |path| json!({"path": path})),
        ("vault_list_notes", |path| json!({"folder": path})),
        ("vault_list_files", |path| json!({"folder": path})),
        ("vault_list_tasks", |path| json!({"folder": path})),
        ("vault_search_by_folder", |path| json!({"folder": path})),
        ("vault_search_by_property", |path| json!({"folder": path, "key": "type", "value": "x"})),
        ("vault_list_property_keys", |path| json!({"folder": path})),
        ("vault_list_property_values", |path| json!({"folder": path, "key": "type"})),
        ("vault_fts_search", |path| json!({"query": "plan", "path_prefix": path})),
        ("vault_search", |path| json!({"query": "plan", "filters": {"folder": path}})),
    ];
    let mut refused = 0;
    for (tool, arguments) in calls {
        let [there, missing] = [format!("{HIDDEN}/Vault 7.md"), format!("{HIDDEN}/Vault 8.md")].map(|path| {
            let answer = client.call(tool, arguments(&path));
            assert!(answer.is_error(), "{tool}: {}", answer.text());
            let text = answer.text();
            assert!(
                text.starts_with("[Forbidden]: not permitted") && text.contains("(Projects)"),
                "{tool}: {text}"
            );
            refused += 1;
            text.replace(&path, "PATH")
        });
        assert_eq!(there, missing, "{tool}");
    }
    for (tool, arguments) in [
        ("vault_get_memory", json!({"file": SECRET})),
        ("vault_memory_recall", json!({"file": SECRET, "query": "entry"})),
        ("vault_get_daily_note", json!({"date": "2026-01-15"})),
        ("vault_get_daily_note", json!({"date": "2026-01-16"})),
    ] {
        let answer = client.call(tool, arguments);
        assert!(answer.text().starts_with("[Forbidden]: not permitted"), "{tool}: {}", answer.text());
        refused += 1;
    }
    let audit = harness::eventually("the audit", std::time::Duration::from_secs(10), || {
        Some(events(&server, "access_denied")).filter(|records| records.len() >= refused)
    });
    assert_eq!(audit.len(), refused);
    for record in audit {
        assert_eq!((&record["caller.name"], &record["level"]), (&json!("phone"), &json!("warn")), "{record}");
        assert_eq!(record["denied.what"], "folder", "{record}");
        assert_eq!(
            (&record["denied.place"], &record["caller.folders"]),
            (&json!("outside"), &json!("Projects"))
        );
        assert!(record["tool.name"].is_string(), "{record}");
        assert!(record["request.id"].is_string(), "{record}");
    }
}

#[test]
fn prompts_and_completions_show_what_the_caller_sees() {
    let server = settings().ready();
    let client = Client::new(&server, &["--name", "phone", "--folder", "Projects"]);
    for (name, arguments) in [
        ("vault-orientation", json!({})),
        ("memory-review", json!({})),
        ("daily-review", json!({})),
        ("daily-review", json!({"date": "2026-01-15"})),
    ] {
        let answer = client.rpc("prompts/get", json!({"name": name, "arguments": arguments}));
        tells_nothing(&format!("{name} {arguments}"), &answer);
        let whole = server.rpc("prompts/get", json!({"name": name, "arguments": arguments}));
        assert!(whole.to_string().contains(SECRET), "{name} {arguments}: the owner sees it: {whole}");
    }
    for (prompt, argument, typed) in [
        ("memory-review", "file", ""),
        ("memory-review", "file", "q"),
        ("daily-review", "date", ""),
        ("daily-review", "date", "2026"),
    ] {
        let params = json!({
            "ref": {"type": "ref/prompt", "name": prompt},
            "argument": {"name": argument, "value": typed},
        });
        let answer = client.rpc("completion/complete", params);
        tells_nothing(&format!("completion of {argument} {typed:?}"), &answer);
        if argument == "file" {
            assert_eq!(answer["result"]["completion"]["values"], json!([]), "{answer}");
        } else {
            assert!(!answer.to_string().contains("2026-01-15"), "{answer}");
        }
    }
}

#[test]
fn several_folders_are_seen_in_any_letter_case_and_no_sibling() {
    let server = settings().ready();
    let client = Client::new(&server, &["--name", "both", "--folder", "projects/deep", "ABOUT ME"]);
    let paths = client.call("vault_list_notes", json!({})).structured()["notes"].to_string();
    assert!(paths.contains("Projects/deep/Lonely.md") && paths.contains("About Me/"), "{paths}");
    assert!(!paths.contains("Projects/Open.md") && !paths.contains(HIDDEN), "{paths}");
    // A folder around those seen is listed for what is seen of it.
    let around = client.call("vault_list_notes", json!({"folder": "Projects"}));
    assert_eq!(around.structured()["notes"].as_array().unwrap().len(), 1, "{}", around.text());
}
