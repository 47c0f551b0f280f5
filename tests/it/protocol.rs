//! The protocol: every revision on one stateless endpoint.

use harness::{
    LATEST_HANDSHAKE, LATEST_REVISION, REVISIONS, Request, Response, Server, TestServer, modern_meta, request,
};
use serde_json::{Value, json};

use crate::fixtures;

/// A request of the handshake-less revision, with the headers it requires.
fn modern(server: &Server, method: &str, params: Value) -> Response {
    let mut params = params;
    params["_meta"] = modern_meta(LATEST_REVISION);
    let mut http = server
        .post()
        .without_header("mcp-protocol-version")
        .header("mcp-protocol-version", LATEST_REVISION)
        .header("mcp-method", method);
    if let Some(name) = params["name"].as_str() {
        http = http.header("mcp-name", name);
    }
    server.send(&http.json(&request(7, method, params)))
}

fn initialize(server: &Server, revision: &str) -> Value {
    let params = json!({
        "protocolVersion": revision,
        "capabilities": {},
        "clientInfo": {"name": "harness", "version": "0"},
    });
    let response = server.send(&server.post().without_header("mcp-protocol-version").json(&request(
        1,
        "initialize",
        params,
    )));
    assert_eq!(response.status, 200, "{revision}: {}", response.text());
    assert!(response.header("mcp-session-id").is_none(), "the endpoint is stateless");
    response.json()["result"].clone()
}

#[test]
fn every_handshake_revision_is_negotiated() {
    let server = TestServer::start().ready();
    for revision in
        REVISIONS.into_iter().filter(|revision| *revision != LATEST_REVISION).chain(["2024-11-05"])
    {
        assert_eq!(initialize(&server, revision)["protocolVersion"], revision);
    }
}

/// Found by the conformance suite (`sep-2575-http-server-method-not-found-404-initialize`): it was answered as
/// params that do not fit.
#[test]
fn the_newest_revision_has_no_handshake() {
    let server = TestServer::start().ready();
    for method in ["initialize", "ping", "logging/setLevel"] {
        let response = modern(&server, method, json!({}));
        assert_eq!((response.status, &response.json()["error"]["code"]), (404, &json!(-32601)), "{method}");
    }
    // In a revision that has one, it is the params that are wrong.
    let response = server.send(&server.post().json(&request(1, "initialize", json!({}))));
    assert_eq!(response.json()["error"]["code"], -32602, "{}", response.text());
}

#[test]
fn an_unknown_revision_is_answered_with_one_that_is_served() {
    let server = TestServer::start().ready();
    let offered = initialize(&server, "1999-12-31")["protocolVersion"].as_str().unwrap().to_owned();
    assert!(REVISIONS.contains(&offered.as_str()), "{offered}");
}

#[test]
fn the_server_says_who_it_is_and_what_it_can() {
    let server = TestServer::start().ready();
    let result = initialize(&server, LATEST_HANDSHAKE);
    assert_eq!(result["serverInfo"]["name"], "vault-cortex");
    assert_eq!(result["serverInfo"]["title"], "Vault Cortex");
    assert_eq!(result["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
    let capabilities: Vec<_> = result["capabilities"].as_object().unwrap().keys().collect();
    assert_eq!(capabilities, ["completions", "prompts", "tools"]);
    assert_ne!(result["capabilities"]["tools"]["listChanged"], true, "the list never changes while it runs");
    let instructions = result["instructions"].as_str().unwrap();
    for name in ["vault_search", "vault_read_note"] {
        assert!(instructions.contains(name), "{instructions}");
    }
}

#[test]
fn the_newest_revision_needs_no_handshake() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    let discovered = modern(&server, "server/discover", json!({}));
    assert_eq!(discovered.status, 200, "{}", discovered.text());
    let discovered = &discovered.json()["result"];
    for revision in REVISIONS {
        let all = discovered["supportedVersions"].as_array().unwrap();
        assert!(all.iter().any(|known| known == revision), "{revision} not in {all:?}");
    }
    assert!(discovered["capabilities"]["tools"].is_object());
    assert_ne!(discovered["capabilities"]["tools"]["listChanged"], true);

    let listed = modern(&server, "tools/list", json!({})).json()["result"].clone();
    assert_eq!(listed["resultType"], "complete");
    assert_eq!(listed["cacheScope"], "private", "what is served depends on the caller");
    assert!(listed["ttlMs"].is_number(), "{listed}");
    assert!(!listed["tools"].as_array().unwrap().is_empty());

    let called = modern(&server, "tools/call", json!({"name": "vault_list_tags", "arguments": {}}));
    assert_eq!(called.status, 200);
    assert_eq!(called.json()["result"]["resultType"], "complete");
    assert_ne!(called.json()["result"]["isError"], true);
}

#[test]
fn the_newest_revision_checks_headers_against_the_body() {
    let server = TestServer::start().ready();
    let mut params = json!({"name": "vault_list_tags", "arguments": {}});
    params["_meta"] = modern_meta(LATEST_REVISION);
    let base =
        server.post().without_header("mcp-protocol-version").header("mcp-protocol-version", LATEST_REVISION);
    let other_name = base.clone().header("mcp-method", "tools/call").header("mcp-name", "vault_search");
    let other_method = base.header("mcp-method", "tools/list").header("mcp-name", "vault_list_tags");
    for http in [other_name, other_method] {
        let response = server.send(&http.json(&request(1, "tools/call", params.clone())));
        assert_eq!(
            (response.status, &response.json()["error"]["code"]),
            (400, &json!(-32020)),
            "{}",
            response.text()
        );
    }
}

#[test]
fn a_client_without_a_handshake_is_answered_in_every_revision() {
    let server = TestServer::start().ready();
    for revision in REVISIONS.into_iter().filter(|revision| *revision != LATEST_REVISION) {
        let http =
            server.post().without_header("mcp-protocol-version").header("mcp-protocol-version", revision);
        let response = server.send(&http.json(&request(1, "tools/list", json!({}))));
        assert_eq!(response.status, 200, "{revision}: {}", response.text());
        assert!(response.json()["result"]["tools"].is_array(), "{revision}");
    }
    let headerless = server.post().without_header("mcp-protocol-version");
    assert_eq!(server.send(&headerless.json(&request(1, "ping", json!({})))).status, 200);
}

#[test]
fn answers_are_json_and_no_event_stream() {
    let server = TestServer::start().ready();
    let response = server.send(&server.post().json(&request(1, "ping", json!({}))));
    assert!(
        response.header("content-type").unwrap().starts_with("application/json"),
        "{:?}",
        response.headers
    );
    assert_eq!(response.json(), json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
}

#[test]
fn the_endpoint_has_a_second_spelling_with_a_slash() {
    let server = TestServer::start().ready();
    let http = Request::new("POST", "/mcp/")
        .header("authorization", &format!("Bearer {}", server.token()))
        .header("accept", "application/json, text/event-stream");
    let response = server.send(&http.json(&request(1, "ping", json!({}))));
    assert_eq!(response.status, 200, "not a redirect, which clients follow without their token");
}

#[test]
fn ids_come_back_as_they_were_sent() {
    let server = TestServer::start().ready();
    for id in [json!(0), json!(9_007_199_254_740_991_u64), json!("text"), json!("")] {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
        assert_eq!(server.send(&server.post().json(&message)).json()["id"], id);
    }
}

#[test]
fn a_stale_session_id_is_ignored() {
    let server = TestServer::start().ready();
    let http = server.post().header("mcp-session-id", "3f1c0000-0000-4000-8000-000000000000");
    assert_eq!(server.send(&http.json(&request(1, "ping", json!({})))).status, 200);
}

#[test]
fn notifications_are_accepted_without_a_body() {
    let server = TestServer::start().ready();
    for method in ["notifications/initialized", "notifications/cancelled", "notifications/unheard-of"] {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": {"requestId": 1}});
        let response = server.send(&server.post().json(&message));
        assert_eq!((response.status, response.body.len()), (202, 0), "{method}");
    }
}

#[test]
fn what_is_not_offered_is_an_unknown_method() {
    let server = TestServer::start().ready();
    for method in ["resources/list", "resources/read", "logging/setLevel", "nonsense"] {
        let params = match method {
            "resources/read" => json!({"uri": "x://y"}),
            "logging/setLevel" => json!({"level": "info"}),
            _ => json!({}),
        };
        let response = server.send(&server.post().json(&request(1, method, params)));
        assert_eq!(response.json()["error"]["code"], -32601, "{method}: {}", response.text());
    }
    let modern = modern(&server, "resources/list", json!({}));
    assert_eq!((modern.status, &modern.json()["error"]["code"]), (404, &json!(-32601)));
}

#[test]
fn an_unknown_tool_is_invalid_parameters() {
    let server = TestServer::start().ready();
    let message = server.rpc("tools/call", json!({"name": "vault_serch", "arguments": {}}));
    assert_eq!(message["error"]["code"], -32602, "{message}");
    assert!(message["error"]["message"].as_str().unwrap().contains("vault_serch"), "{message}");
}

/// Every open revision answers while others do: nothing is kept between requests.
#[test]
fn clients_of_different_revisions_share_the_endpoint() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    std::thread::scope(|scope| {
        for client in 0..8 {
            let server = &server;
            scope.spawn(move || {
                let mut connection = harness::Connection::new(server.address());
                for round in 0..20 {
                    let id = client * 100 + round;
                    let message = if client % 2 == 0 {
                        let mut params = json!({"name": "vault_list_notes", "arguments": {}});
                        params["_meta"] = modern_meta(LATEST_REVISION);
                        let http = server
                            .post()
                            .without_header("mcp-protocol-version")
                            .header("mcp-protocol-version", LATEST_REVISION)
                            .header("mcp-method", "tools/call")
                            .header("mcp-name", "vault_list_notes");
                        connection.send(&http.json(&request(id, "tools/call", params))).json()
                    } else {
                        let params = json!({"name": "vault_list_notes", "arguments": {}});
                        connection.send(&server.post().json(&request(id, "tools/call", params))).json()
                    };
                    assert_eq!(message["id"], id);
                    assert!(message["result"]["content"].is_array(), "{message}");
                }
            });
        }
    });
}
