//! What the log says of calls, and what never stands in it, wherever a client puts it.

use std::time::Duration;

use harness::{Request, eventually, request, tool_call};
use serde_json::json;

use super::{Client, events, settings};

#[test]
fn a_call_is_logged_with_caller_tool_status_and_duration() {
    let server = settings().ready();
    let client = Client::new(&server, &["--name", "phone", "--read-only"]);
    client.call("vault_list_tags", json!({}));
    let record = eventually("the record of the call", Duration::from_secs(10), || {
        events(&server, "request").into_iter().find(|record| record["tool.name"] == "vault_list_tags")
    });
    assert_eq!(record["caller.name"], "phone", "{record}");
    assert_eq!((&record["http.status"], &record["http.path"]), (&json!(200), &json!("/mcp")), "{record}");
    assert!(record["duration.us"].is_u64() && record["client.ip"] == "127.0.0.1", "{record}");
    server.settings().command(&["token", "revoke", "phone"]).success();
    client.send(&request(1, "ping", json!({})));
    let denied = eventually("the record of the refusal", Duration::from_secs(10), || {
        events(&server, "request").into_iter().find(|record| record["http.status"] == 401)
    });
    assert_eq!(denied["auth.denied"], "revoked", "{denied}");
}

#[test]
fn no_secret_gets_into_the_log_from_wherever_it_comes() {
    let server = settings().with_env("LOG_LEVEL", "debug").ready();
    let client = Client::new(&server, &["--name", "phone", "--folder", "Projects"]);
    let token = client.token.clone();
    let owner = server.token().to_owned();
    let text = "hunter2-in-a-note";
    // What lies beyond a caller is refused and written down: not with the caller's words.
    let beyond = |secret: &str| {
        [
            client.call("vault_search", json!({"query": "a", "filters": {"folder": secret}})),
            client.call("vault_read_note", json!({"path": secret})),
            client.call("vault_list_notes", json!({"folder": format!("{secret} and the diary")})),
            client.call("vault_write_note", json!({"path": format!("{secret}.md"), "body": "x"})),
            client.call(
                "vault_move_note",
                json!({"old_path": "Projects/Open.md", "new_path": format!("{secret}.md")}),
            ),
            client.call("vault_get_memory", json!({"file": secret})),
        ]
    };
    for secret in [token.as_str(), owner.as_str(), text] {
        for answer in beyond(secret) {
            assert!(answer.is_error(), "{}", answer.text());
        }
    }
    for secret in [token.as_str(), owner.as_str(), text] {
        let bearer = format!("Bearer {owner}");
        let post = || Request::new("POST", "/mcp").header("authorization", &bearer);
        let ping = request(1, "ping", json!({}));
        let wherever = [
            Request::new("GET", &format!("/{secret}")),
            Request::new("GET", &format!("/mcp/{secret}")),
            Request::new("POST", &format!("/mcp?token={secret}")).json(&ping),
            Request::new("GET", &format!("/healthz?token={secret}")),
            Request::new("GET", &format!("/authorize?client_id={secret}&state={secret}")),
            Request::new(&secret.replace('.', "-"), "/mcp"),
            Request::new("POST", "/mcp").header("authorization", secret).json(&ping),
            Request::new("POST", "/mcp").header("authorization", &format!("Basic {secret}")).json(&ping),
            Request::new("POST", "/mcp").header("authorization", &format!("Bearer {secret}x")).json(&ping),
            post().header("user-agent", secret).header("cookie", secret).json(&ping),
            post().header("origin", &format!("https://{secret}")).json(&ping),
            post().header("mcp-protocol-version", secret).json(&ping),
            post().header("mcp-session-id", secret).json(&ping),
            post().header("forwarded", &format!("for={secret}")).json(&ping),
            post().header("content-type", secret).body(secret),
            post().body(secret),
            post().json(&request(1, secret, json!({}))),
            post().json(&tool_call(1, secret, json!({}))),
            post().json(&tool_call(1, "vault_search", json!({"query": secret}))),
            post().json(&tool_call(1, "vault_search", json!({"query": "a", secret: secret}))),
            post().json(&tool_call(1, "vault_search_by_tag", json!({"tag": secret}))),
            post().json(&tool_call(
                1,
                "vault_write_note",
                json!({"path": "Projects/s.md", "body": secret, "overwrite": true}),
            )),
            post().json(&tool_call(
                1,
                "vault_replace_in_note",
                json!({"path": "Projects/s.md", "old_text": secret, "new_text": "x"}),
            )),
            post().json(&request(1, "prompts/get", json!({"name": secret}))),
            Request::new("POST", "/token").body(format!("grant_type=refresh_token&refresh_token={secret}")),
            Request::new("POST", "/register")
                .json(&json!({"client_name": secret, "redirect_uris": ["http://localhost/x"]})),
            Request::new("POST", "/oauth/decide")
                .body(format!("token={secret}&request={secret}&action=approve")),
        ];
        for http in wherever {
            let response = server.send(&http);
            assert!(response.status < 500, "{} {}", response.status, response.text());
        }
    }
    std::thread::sleep(Duration::from_secs(1));
    let log = server.log();
    assert!(log.len() > 60);
    for line in log {
        for secret in [token.as_str(), owner.as_str(), text] {
            assert!(!line.text.to_lowercase().contains(&secret.to_lowercase()), "{}", line.text);
        }
    }
    server.vault().accept();
}
