//! Dynamic registration (RFC 7591).

use harness::{Request, Response};
use serde_json::{Value, json};

use super::client::{Client, error, from_somewhere, not_logged, register_request, server};

#[track_caller]
fn registered(response: &Response) -> Value {
    assert_eq!(response.status, 201, "{}", response.text());
    assert_eq!(response.header("cache-control"), Some("no-store"));
    response.json()
}

#[test]
fn a_public_client_gets_no_secret_and_registers_only_once() {
    let server = server();
    let metadata = json!({
        "client_name": "Claude Code",
        "redirect_uris": ["http://localhost/callback", "http://127.0.0.1/callback"],
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "client_uri": "https://claude.ai",
    });
    let first = registered(&server.send(&register_request(&metadata)));
    assert!(
        first.get("client_secret").is_none() && first.get("client_secret_expires_at").is_none(),
        "{first}"
    );
    for (field, value) in metadata.as_object().unwrap() {
        assert_eq!(&first[field], value, "{field}");
    }
    assert!(first["client_id_issued_at"].is_u64());
    assert_eq!(registered(&server.send(&register_request(&metadata))), first);
    let mut other = metadata.clone();
    other["redirect_uris"] = json!(["http://localhost/callback"]);
    assert_ne!(registered(&server.send(&register_request(&other)))["client_id"], first["client_id"]);
}

#[test]
fn other_clients_get_a_secret_of_their_own_each_time() {
    let server = server();
    for method in [json!("client_secret_post"), json!("client_secret_basic"), Value::Null] {
        let mut metadata = json!({"redirect_uris": ["https://claude.ai/api/mcp/auth_callback"]});
        if !method.is_null() {
            metadata["token_endpoint_auth_method"] = method.clone();
        }
        let one = registered(&server.send(&register_request(&metadata)));
        let other = registered(&server.send(&register_request(&metadata)));
        assert_ne!(one["client_id"], other["client_id"]);
        assert_ne!(one["client_secret"], other["client_secret"]);
        assert_eq!(one["client_secret_expires_at"], 0);
        let expected = if method.is_null() { json!("client_secret_post") } else { method };
        assert_eq!(one["token_endpoint_auth_method"], expected);
        not_logged(&server, &[one["client_secret"].as_str().unwrap()]);
    }
}

/// Cursor registers three at once, and one that is refused would refuse it wholly.
#[test]
fn trap_cursor_registers_an_app_a_page_and_loopback_together() {
    let server = server();
    let uris = json!([
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback",
    ]);
    let client = Client::register(
        &server,
        json!({"client_name": "Cursor", "redirect_uris": uris, "token_endpoint_auth_method": "none"}),
    );
    for uri in uris.as_array().unwrap() {
        let page = client.authorize(&[("redirect_uri", uri.as_str().unwrap())]);
        assert_eq!(page.status, 200, "{uri}: {}", page.text());
    }
    let policy = client.authorize(&[]).header("content-security-policy").unwrap().to_owned();
    assert!(!policy.contains("form-action"), "{policy}");
}

/// VS Code lists the device grant beside those it uses here.
#[test]
fn trap_unknown_grant_types_and_scopes_are_passed_over() {
    let server = server();
    let answer = registered(&server.send(&register_request(&json!({
        "client_name": "Visual Studio Code",
        "redirect_uris": ["https://vscode.dev/redirect", "http://127.0.0.1/", "http://127.0.0.1:33418/"],
        "grant_types": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "application_type": "native",
        "scope": "vault offline_access profile",
        "unknown": {"nested": [1, 2]},
    }))));
    assert_eq!(answer["grant_types"], json!(["authorization_code", "refresh_token"]));
    assert_eq!(answer["scope"], "vault");
    assert!(answer.get("unknown").is_none());
}

#[test]
fn redirect_uris_that_would_leak_or_run_are_refused() {
    let server = server();
    for uri in [
        "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:msgbox",
        "file:///etc/passwd",
        "about:blank",
        "blob:https://a.example/1",
        "http://client.example/callback",
        "http://192.168.1.5/callback",
        "https://user@client.example/callback",
        "https://client.example/callback#fragment",
        "https://client.example\\@evil.example/",
        "https://client.example/\tcallback",
        "/callback",
        "",
    ] {
        let metadata = json!({"redirect_uris": ["https://client.example/right", uri]});
        error(&server.send(&register_request(&metadata)), 400, "invalid_redirect_uri");
    }
}

#[test]
fn what_is_no_registration_is_refused_in_json() {
    let server = server();
    let post = |content_type: &str, body: &[u8]| {
        let request = from_somewhere(Request::new("POST", "/register")).header("content-type", content_type);
        server.send(&request.body(body))
    };
    let right = br#"{"redirect_uris":["https://client.example/"]}"#;
    registered(&post("application/json; charset=utf-8", right));
    for (content_type, body) in [
        ("application/x-www-form-urlencoded", right.as_slice()),
        ("text/plain", right),
        ("application/json", b"{"),
        ("application/json", b""),
        ("application/json", b"[]"),
        ("application/json", b"null"),
        ("application/json", b"\xff"),
    ] {
        error(&post(content_type, body), 400, "invalid_client_metadata");
    }
    error(&post("application/json", b"{}"), 400, "invalid_redirect_uri");
    let method = json!({"redirect_uris": ["https://client.example/"], "token_endpoint_auth_method": "private_key_jwt"});
    error(&server.send(&register_request(&method)), 400, "invalid_client_metadata");
    let huge = json!({"redirect_uris": ["https://client.example/"], "client_name": "a".repeat(70_000)});
    error(&server.send(&register_request(&huge)), 400, "invalid_request");
    let deep = "[".repeat(30_000);
    error(&post("application/json", deep.as_bytes()), 400, "invalid_client_metadata");
}

/// Addresses can be many: what is new is counted whoever sends it, and what is known is not held up.
#[test]
fn a_flood_of_registrations_from_many_addresses_is_told_to_wait() {
    let server = server();
    let metadata = |number: u32| {
        json!({
            "client_name": format!("Client {number}"),
            "redirect_uris": ["http://localhost/callback"],
            "token_endpoint_auth_method": "none",
        })
    };
    for number in 0..30 {
        registered(&server.send(&register_request(&metadata(number))));
    }
    let refused = server.send(&register_request(&metadata(30)));
    error(&refused, 429, "too_many_requests");
    assert_eq!(refused.header("retry-after"), Some("60"));
    registered(&server.send(&register_request(&metadata(0))));
}
