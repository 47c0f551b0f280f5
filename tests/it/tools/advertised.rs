//! What `tools/list` shows: names, annotations, schemas, size.

use std::collections::BTreeSet;

use harness::TestServer;
use serde_json::{Value, json};

use super::{READERS, tools as every_tool};

/// The most that the tools may cost a client before its first question, output schemas not counted.
const MOST_BYTES: usize = 40_000;

#[test]
fn the_tools_of_this_version_are_served_in_a_fixed_order() {
    let server = TestServer::start().ready();
    let names = |tools: &[Value]| {
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let first = names(&server.tools());
    let unordered: BTreeSet<_> = first.iter().map(String::as_str).collect();
    assert_eq!(unordered, BTreeSet::from_iter(every_tool()));
    assert_eq!(first, names(&server.tools()));
    assert_eq!(first, names(&server.stop().ready().tools()), "the same after a restart");
}

#[test]
fn the_list_is_small() {
    let server = TestServer::start().ready();
    let mut tools = server.tools();
    for tool in &mut tools {
        tool.as_object_mut().unwrap().remove("outputSchema");
    }
    let bytes = json!({"tools": tools}).to_string().len();
    println!("tool list without output schemas: {bytes} bytes");
    assert!(bytes <= MOST_BYTES, "{bytes} bytes");
}

#[test]
fn every_tool_is_described_and_annotated() {
    let server = TestServer::start().ready();
    for tool in server.tools() {
        let name = tool["name"].as_str().unwrap();
        let reads = READERS.contains(&name);
        assert_eq!(tool["annotations"]["readOnlyHint"], reads, "{name}");
        assert_eq!(tool["annotations"]["openWorldHint"], false, "{name}");
        if reads {
            assert_eq!(tool["annotations"]["destructiveHint"], false, "{name}");
            assert_eq!(tool["annotations"]["idempotentHint"], true, "{name}");
        }
        let title = tool["title"].as_str().or(tool["annotations"]["title"].as_str());
        assert!(title.is_some_and(|title| !title.is_empty()), "{name} has a title");
        assert!(tool["description"].as_str().is_some_and(|text| text.len() > 40), "{name} is described");
        for (argument, schema) in tool["inputSchema"]["properties"].as_object().into_iter().flatten() {
            // Of the others the name says it, or the server's instructions do once for all of them.
            let plain = !reads || ["vault_history", "vault_diff"].contains(&name);
            assert!(plain || schema["description"].is_string(), "{name}.{argument} is described");
        }
    }
}

#[test]
fn schemas_hold_only_what_every_client_reads() {
    let server = TestServer::start().ready();
    for tool in server.tools() {
        let name = tool["name"].as_str().unwrap();
        for side in ["inputSchema", "outputSchema"] {
            let schema = &tool[side];
            assert_eq!(schema["type"], "object", "{name}.{side}");
            plain(schema, &format!("{name}.{side}"));
        }
        assert_eq!(
            tool["inputSchema"]["additionalProperties"], false,
            "{name}: unknown arguments are an error"
        );
    }
}

/// No references, no format that only one generator knows; no list of types, but for null where it clears.
fn plain(schema: &Value, at: &str) {
    match schema {
        Value::Object(keywords) => {
            for (keyword, value) in keywords {
                let named = at.ends_with("/properties");
                assert!(named || !matches!(keyword.as_str(), "$ref" | "$defs" | "format"), "{at}: {keyword}");
                if keyword == "type" && !named {
                    let clears = at.starts_with("vault_update_task.inputSchema")
                        && value.as_array().is_some_and(|types| types.len() == 2 && types[1] == "null");
                    assert!(value.is_string() || clears, "{at}: a list of types");
                    assert_ne!(value, "null", "{at}");
                }
                plain(value, &format!("{at}/{keyword}"));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| plain(item, at)),
        _ => {}
    }
}

#[test]
fn the_list_is_the_known_one() {
    let server = TestServer::start().ready();
    let mut lines = String::new();
    for tool in server.tools() {
        lines.push_str(tool["name"].as_str().unwrap());
        lines.push('\n');
        let required: Vec<&Value> =
            tool["inputSchema"]["required"].as_array().into_iter().flatten().collect();
        for (argument, schema) in tool["inputSchema"]["properties"].as_object().into_iter().flatten() {
            let kind = schema["type"].as_str().unwrap_or("any of several");
            let mark = if required.iter().any(|name| *name == argument) { "*" } else { "" };
            lines.push_str(&format!("  {argument}{mark}: {kind}\n"));
        }
    }
    insta::assert_snapshot!("tool_list", lines);
}
