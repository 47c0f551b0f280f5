//! `serve --stdio`: the same tools for a client that starts its server itself.

use harness::{TestServer, TestVault};
use serde_json::{Value, json};

use crate::fixtures;
use crate::tools::{calls_about, tools};

#[test]
fn the_handshake_and_every_tool_work() {
    let mut server = TestServer::start().with_vault(fixtures::full()).without_token().over_stdio();
    let result = server.initialize();
    assert_eq!(result["result"]["serverInfo"]["name"], "vault-cortex");
    let listed = server.rpc("tools/list", json!({}));
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), tools().len());
    for (tool, arguments) in calls_about("Projects/Cluster.md") {
        let answer = server.call(tool, arguments.clone());
        assert!(!answer.is_error(), "{tool} {arguments}: {}", answer.text());
    }
    server.finish();
}

/// A client reads standard output as JSON-RPC; a log line there would break it.
#[test]
fn standard_output_holds_nothing_but_json_rpc() {
    let vault = fixtures::full().note("worse.md", "---\n: [\n---\n");
    let mut server = TestServer::start().with_vault(vault).with_env("LOG_LEVEL", "debug").over_stdio();
    server.initialize();
    server.call("vault_read_note", json!({"path": "../x"}));
    server.call("vault_read_note", json!({"path": "nope.md"}));
    server.send_line("this is no JSON");
    server.send_line("");
    server.send_line("[]");
    server.send_line(&json!({"jsonrpc": "2.0", "method": "notifications/unheard-of"}).to_string());
    assert!(server.rpc("nonsense", json!({}))["error"]["code"].is_i64());
    assert_eq!(server.rpc("ping", json!({}))["result"], json!({}));
    assert!(!server.stderr().is_empty(), "the log is on standard error");
    // `finish` checks every line of standard output.
    server.finish();
}

#[test]
fn it_ends_when_its_client_ends() {
    let mut server = TestServer::start().with_vault(TestVault::new().note("a.md", "x")).over_stdio();
    server.initialize();
    server.finish();
}

#[test]
fn it_answers_what_was_asked_before_its_input_ended() {
    let mut server = TestServer::start().with_vault(fixtures::full()).over_stdio();
    server.initialize();
    for id in 100..120 {
        server.send_line(&harness::tool_call(id, "vault_search", json!({"query": "traefik"})).to_string());
    }
    let lines = server.finish_with_output();
    let mut answered: Vec<u64> = lines
        .iter()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|message| message["id"].as_u64())
        .filter(|id| *id >= 100)
        .collect();
    answered.sort_unstable();
    assert_eq!(answered, (100..120).collect::<Vec<_>>());
}

#[test]
fn an_edit_is_seen_over_stdio_too() {
    let mut server = TestServer::start().with_vault(TestVault::new().note("a.md", "alphaword")).over_stdio();
    server.initialize();
    server.settings().vault().write("b.md", "betaword");
    harness::eventually("the edit is found", std::time::Duration::from_secs(5), || {
        let answer = server.call("vault_fts_search", json!({"query": "betaword"}));
        (answer.structured()["total"] == 1).then_some(())
    });
    server.finish();
}
