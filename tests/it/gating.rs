//! Which tools are served: read-only mode and `DISABLED_TOOLS`, and texts that follow.

use std::collections::BTreeSet;

use harness::{LATEST_HANDSHAKE, Server, TestServer};
use serde_json::json;

use crate::tools::{READERS, tools};

fn names(server: &Server) -> BTreeSet<String> {
    server.tools().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

fn instructions(server: &Server) -> String {
    let params = json!({"protocolVersion": LATEST_HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "h", "version": "0"}});
    server.rpc("initialize", params)["result"]["instructions"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn read_only_mode_keeps_every_reader() {
    let server = TestServer::start().with_env("READONLY_MODE", "true").ready();
    assert_eq!(names(&server), READERS.map(str::to_owned).into());
    for tool in server.tools() {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
    }
    assert!(
        instructions(&server).to_lowercase().contains("no tools that"),
        "it says that nothing writes: {}",
        instructions(&server)
    );
}

#[test]
fn a_disabled_tool_is_neither_listed_nor_callable_nor_mentioned() {
    for disabled in tools() {
        let server = TestServer::start().with_env("DISABLED_TOOLS", disabled).ready();
        assert!(!names(&server).contains(disabled));
        let call = server.rpc("tools/call", json!({"name": disabled, "arguments": {}}));
        assert_eq!(call["error"]["code"], -32602, "{call}");
        let texts = format!("{}{}", json!(server.tools()), instructions(&server));
        assert!(!mentions(&texts, disabled), "{disabled} is mentioned in the texts of others");
    }
}

/// Whether the text names the tool, and not one whose name only begins so.
fn mentions(text: &str, tool: &str) -> bool {
    text.match_indices(tool).any(|(start, _)| {
        let next = text[start + tool.len()..].chars().next();
        !next.is_some_and(|letter| letter == '_' || letter.is_alphanumeric())
    })
}

#[test]
fn several_tools_are_disabled_at_once() {
    let server = TestServer::start().with_env("DISABLED_TOOLS", " vault_search , vault_list_tags,").ready();
    assert_eq!(names(&server).len(), tools().len() - 2);
}

#[test]
fn tools_of_other_versions_may_be_named() {
    let server =
        TestServer::start().with_env("DISABLED_TOOLS", "search_documentation,reindex_documentation").ready();
    assert_eq!(names(&server).len(), tools().len());
}

#[test]
fn the_instructions_follow_what_is_served() {
    let server = TestServer::start().with_env("DISABLED_TOOLS", tools().join(",")).ready();
    assert_eq!(server.tools().len(), 0);
    assert!(!instructions(&server).contains("vault_"), "{}", instructions(&server));
}
