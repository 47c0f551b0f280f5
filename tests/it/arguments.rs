//! Arguments as models send them, for every tool: what is put right, and what is refused by name.
//!
//! Driven by the advertised schemas, so that a new tool or argument is covered the day it appears.

use harness::{Server, TestServer};
use serde_json::{Map, Value, json};

use crate::fixtures;

/// Arguments that every tool accepts on the full vault.
fn valid(tool: &str) -> Map<String, Value> {
    let arguments = match tool {
        "vault_read_note" | "vault_get_backlinks" | "vault_get_outgoing_links" => json!({"path": "Inbox.md"}),
        "vault_search" | "vault_fts_search" | "vault_memory_recall" => json!({"query": "renewal"}),
        "vault_search_by_tag" => json!({"tag": "project"}),
        "vault_search_by_folder" => json!({"folder": "Projects"}),
        "vault_search_by_property" => json!({"key": "type", "value": "howto"}),
        "vault_list_property_values" => json!({"key": "tags"}),
        "vault_read_file" => json!({"path": "Boards/plan.canvas"}),
        "vault_list_notes"
        | "vault_list_tags"
        | "vault_list_files"
        | "vault_list_tasks"
        | "vault_list_property_keys"
        | "vault_recent_notes"
        | "vault_find_orphans"
        | "vault_get_daily_note"
        | "vault_list_memory_files"
        | "vault_get_memory"
        | "vault_history"
        | "index_status" => json!({}),
        "vault_diff" => json!({"change": 1}),
        // What writes is rehearsed.
        "vault_undo" => json!({"change": 1, "dry_run": true}),
        "vault_write_note" => json!({"path": "New.md", "body": "x", "dry_run": true}),
        "vault_create_task" => {
            json!({"path": "Inbox.md", "description": "x", "block_id": "x", "heading": "Inbox", "dry_run": true})
        }
        "vault_update_task" => json!({"path": TASKS, "line": 1, "priority": "low", "dry_run": true}),
        "vault_update_memory" => json!({"file": "Me", "section": "A", "entry": "x", "dry_run": true}),
        "vault_delete_memory" => {
            json!({"file": "Me", "section": "A", "date": "2026-01-01", "entry": "x", "dry_run": true})
        }
        "vault_patch_note" => json!({"path": TASKS, "operation": "append", "content": "x", "dry_run": true}),
        "vault_replace_in_note" => {
            json!({"path": TASKS, "old_text": "[ ] a", "new_text": "[ ] b", "dry_run": true})
        }
        "vault_delete_span" => json!({"path": TASKS, "start_anchor": "[ ] a", "dry_run": true}),
        "vault_replace_span" => {
            json!({"path": TASKS, "start_anchor": "[ ] a", "content": "x", "dry_run": true})
        }
        "vault_insert_at_anchor" => {
            json!({"path": TASKS, "anchor": "[ ] a", "position": "after", "content": "x", "dry_run": true})
        }
        "vault_update_properties" => json!({"path": TASKS, "properties": {"a": 1}, "dry_run": true}),
        "vault_delete_note" => json!({"path": TASKS, "dry_run": true}),
        "vault_move_note" => json!({"old_path": TASKS, "new_path": "Moved.md", "dry_run": true}),
        _ => panic!("say here which arguments {tool} accepts"),
    };
    arguments.as_object().unwrap().clone()
}

/// A note of the tests' own.
const TASKS: &str = "Tasks of arguments.md";

/// The full vault with what every tool needs in it: a task, a memory, a change in the journal.
fn serve() -> Server {
    let vault =
        fixtures::full().note("About Me/Me.md", "## A\n\n- **2026-01-01**: x\n").note(TASKS, "- [ ] a\n");
    let server = TestServer::start().with_vault(vault).ready();
    let change = json!({"path": TASKS, "line": 1, "due": "2026-07-01"});
    assert_eq!(server.call("vault_update_task", change).structured()["change"], 1);
    server.vault().accept();
    server
}

struct Argument {
    tool: String,
    /// The names of the objects it stands in; none at the top.
    within: Vec<String>,
    name: String,
    schema: Value,
    required: bool,
}

/// Every top-level argument of every tool.
fn arguments(server: &Server) -> Vec<Argument> {
    let mut all = every_argument(server);
    all.retain(|argument| argument.within.is_empty());
    assert!(all.len() > 15, "{} arguments", all.len());
    all
}

/// Every argument of every tool, those within objects included.
fn every_argument(server: &Server) -> Vec<Argument> {
    let mut all = Vec::new();
    for tool in server.tools() {
        collect(tool["name"].as_str().unwrap(), &[], &tool["inputSchema"], &mut all);
    }
    all
}

fn collect(tool: &str, within: &[String], schema: &Value, all: &mut Vec<Argument>) {
    for (name, argument) in schema["properties"].as_object().into_iter().flatten() {
        let required = schema["required"].as_array().into_iter().flatten().any(|required| required == name);
        collect(tool, &[within, std::slice::from_ref(name)].concat(), argument, all);
        all.push(Argument {
            tool: tool.to_owned(),
            within: within.to_vec(),
            name: name.clone(),
            schema: argument.clone(),
            required,
        });
    }
}

impl Argument {
    fn call(&self, server: &Server, value: Value) -> harness::Answer {
        let nested = self
            .within
            .iter()
            .skip(1)
            .rev()
            .fold(json!({&self.name: value.clone()}), |inner, name| json!({name: inner}));
        let mut arguments = valid(&self.tool);
        match self.within.first() {
            Some(outer) => arguments.insert(outer.clone(), nested),
            None => arguments.insert(self.name.clone(), value),
        };
        server.call(&self.tool, Value::Object(arguments))
    }

    fn place(&self) -> String {
        format!("{}: {}", self.tool, [&self.within[..], std::slice::from_ref(&self.name)].concat().join("."))
    }

    #[track_caller]
    fn refused(&self, server: &Server, value: Value) {
        let answer = self.call(server, value.clone());
        assert!(answer.is_error(), "{}.{} took {value}: {}", self.tool, self.name, answer.text());
        assert!(
            answer.text().contains(&self.name),
            "{}.{} = {value}: unnamed in {:?}",
            self.tool,
            self.name,
            answer.text()
        );
    }

    fn kind(&self) -> &str {
        // What null clears lists null beside its type.
        let kind = self.schema["type"].as_array().map_or(&self.schema["type"], |kinds| &kinds[0]);
        if self.schema.get("anyOf").is_some() { "one of several" } else { kind.as_str().unwrap_or_default() }
    }

    fn is_cleared_by_null(&self) -> bool {
        self.schema["type"].is_array()
    }
}

#[test]
fn wrong_types_are_refused_by_name() {
    let server = serve();
    for argument in arguments(&server) {
        let wrong = match argument.kind() {
            "string" => vec![json!({}), json!([1, 2]), json!(true)],
            "integer" | "number" => vec![json!({}), json!([]), json!("many"), json!(true)],
            "boolean" => vec![json!({}), json!([]), json!("perhaps"), json!(7)],
            "object" => vec![json!(3), json!(["a"]), json!("text")],
            "array" => vec![json!({}), json!([{}])],
            "one of several" => vec![json!({}), json!([]), json!(true), json!("perhaps")],
            other => panic!("{}.{} has the type {other:?}", argument.tool, argument.name),
        };
        for value in wrong {
            argument.refused(&server, value);
        }
    }
}

#[test]
fn numbers_out_of_range_are_refused_with_what_is_allowed() {
    let server = serve();
    for argument in arguments(&server).iter().filter(|argument| argument.kind() == "integer") {
        let minimum = argument.schema["minimum"].as_i64();
        let minimum =
            minimum.unwrap_or_else(|| panic!("{}.{} advertises no minimum", argument.tool, argument.name));
        for value in [
            json!(minimum - 1),
            json!(-1),
            json!(1.5),
            json!(i64::MIN),
            json!(1e300),
            json!("-3"),
            json!("1.5"),
        ] {
            argument.refused(&server, value);
        }
        if let Some(maximum) = argument.schema["maximum"].as_i64() {
            let answer = argument.call(&server, json!(maximum + 1));
            // A cap may be applied silently where the product says so (fifty full-text results).
            if answer.is_error() {
                assert!(answer.text().contains(&maximum.to_string()), "{}", answer.text());
            }
        }
    }
}

#[test]
fn digits_in_text_are_numbers() {
    let server = serve();
    for (tool, arguments) in [
        ("vault_search", json!({"query": "traefik", "limit": "2"})),
        ("vault_fts_search", json!({"query": "traefik", "max_results": "2"})),
        ("vault_read_note", json!({"path": "Twice.md", "start_line": "1", "limit": "2"})),
        ("vault_search_by_tag", json!({"tag": "project", "limit": "1"})),
        ("vault_search", json!({"query": "traefik", "limit": 2.0})),
    ] {
        let answer = server.call(tool, arguments.clone());
        assert!(!answer.is_error(), "{tool} {arguments}: {}", answer.text());
    }
    let answer = server.call("vault_search", json!({"query": "traefik", "limit": "2"}));
    assert_eq!(answer.structured()["results"].as_array().unwrap().len(), 2);
}

/// `""`, null and absent are one, for every argument that a tool lists, at any depth, but where null clears.
#[test]
fn nothing_given_is_as_good_as_left_out() {
    let server = serve();
    let all = every_argument(&server);
    assert!(all.iter().any(|argument| argument.within.len() == 2), "some stand two objects deep");
    // A change that is not only rehearsed would not be the same twice.
    for argument in all.iter().filter(|argument| argument.name != "dry_run") {
        let mut others = valid(&argument.tool);
        others.remove(&argument.name);
        let without = server.call(&argument.tool, Value::Object(others));
        let nothings = [json!(""), Value::Null];
        for nothing in nothings.into_iter().take(if argument.is_cleared_by_null() { 1 } else { 2 }) {
            let answer = argument.call(&server, nothing.clone());
            // A text that must be given and may be empty: only null leaves it out.
            if argument.schema["minLength"] == 0 && nothing == "" {
                continue;
            }
            if argument.required {
                assert!(answer.error().contains(&argument.name), "{} = {nothing}", argument.place());
                continue;
            }
            assert_eq!(answer.result(), without.result(), "{} = {nothing}", argument.place());
        }
    }
}

#[test]
fn a_missing_argument_is_named() {
    let server = serve();
    for argument in arguments(&server).iter().filter(|argument| argument.required) {
        let mut arguments = valid(&argument.tool);
        arguments.remove(&argument.name);
        let alone = arguments.is_empty();
        for arguments in [Value::Object(arguments), Value::Null] {
            let answer = server.call(&argument.tool, arguments.clone());
            // Of several that are missing one is named.
            let named = answer.error().contains(&argument.name) || arguments.is_null() && !alone;
            assert!(named, "{}", answer.text());
        }
    }
}

#[test]
fn an_unknown_argument_is_refused_with_the_nearest_known_one() {
    let server = serve();
    for argument in arguments(&server) {
        let mistyped = format!("{}x", argument.name);
        let mut arguments = valid(&argument.tool);
        arguments.insert(mistyped.clone(), json!("x"));
        let error = server.call(&argument.tool, Value::Object(arguments)).error();
        assert!(error.contains(&mistyped), "{}: {error}", argument.tool);
        assert!(
            error.replace(&mistyped, "").contains(&argument.name),
            "{}: names no near one: {error}",
            argument.tool
        );
    }
    for tool in server.tools() {
        let tool = tool["name"].as_str().unwrap();
        let mut arguments = valid(tool);
        arguments.insert("qqqqqqqqqq".to_owned(), json!(1));
        assert!(server.call(tool, Value::Object(arguments)).error().contains("qqqqqqqqqq"), "{tool}");
    }
}

#[test]
fn unknown_filters_are_refused_too() {
    let server = serve();
    let error = server.call("vault_search", json!({"query": "x", "filters": {"tag": "a"}})).error();
    assert!(error.contains("tag") && error.contains("tags"), "{error}");
    // Where an older client put it: inside the filters.
    let error = server.call("vault_search", json!({"query": "x", "filters": {"limit": 3}})).error();
    assert!(error.contains("limit"), "{error}");
    for filters in
        [json!({}), Value::Null, json!(""), json!({"folder": "", "tags": [], "type": null, "created": {}})]
    {
        let answer = server.call("vault_search", json!({"query": "traefik", "filters": filters}));
        assert_eq!(answer.structured()["total"], 4, "{filters}");
    }
}

#[test]
fn arguments_that_are_no_object_are_invalid_parameters() {
    let server = TestServer::start().ready();
    for arguments in [json!([]), json!("x"), json!(3)] {
        let response =
            server.send(&server.post().json(&harness::tool_call(1, "vault_list_tags", arguments.clone())));
        assert!(response.status < 500, "{arguments}: {}", response.status);
        assert!(response.json()["error"]["code"].is_i64(), "{arguments}: {}", response.text());
    }
}

/// Text of any length and kind ends in an answer or an error of the tool, never in a fault.
#[test]
fn hostile_text_is_answered() {
    let server = serve();
    let hostile = [
        "\u{0}".to_owned(),
        "\u{202e}\u{feff}\u{200d}".to_owned(),
        "a".repeat(100_000),
        "a ".repeat(20_000),
        "(".repeat(5_000),
        "\"".repeat(4_999),
        "* OR ".repeat(2_000),
        "'; DROP TABLE files; --".to_owned(),
        "%_\\".to_owned(),
        "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}".repeat(100),
        "../".repeat(2_000),
        "NEAR(a b, 999999999999)".to_owned(),
        "[[".repeat(1_000),
    ];
    for argument in arguments(&server).iter().filter(|argument| argument.kind() == "string") {
        for text in &hostile {
            let answer = argument.call(&server, json!(text));
            let message = answer.text();
            assert!(
                !message.contains("panic")
                    && !message.contains("SQL")
                    && !message.contains("syntax error near"),
                "{}.{} = {:.40}: {message:.300}",
                argument.tool,
                argument.name,
                text
            );
        }
    }
}
