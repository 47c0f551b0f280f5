//! `vault-cortex token`, beside a running server.

use harness::{Edge, Request, Server, TestServer, request};
use serde_json::{Value, json};

use super::{Client, PUBLIC_URL, create, settings, whole};

fn ping(client: &Client<'_>) -> u16 {
    client.send(&request(1, "ping", json!({}))).status
}

fn list(server: &Server) -> Vec<Value> {
    let output = server.settings().command(&["token", "list", "--json"]).success();
    output.json().as_array().unwrap().clone()
}

#[test]
fn a_token_works_until_it_is_revoked_and_no_longer() {
    let server = settings().ready();
    let phone = Client::new(&server, &["--name", "phone", "--read-only", "--folder", "Projects"]);
    let desk = Client::new(&server, &["--name", "desk"]);
    assert_eq!((ping(&phone), ping(&desk)), (200, 200));
    let rows = list(&server);
    let phone_row = rows.iter().find(|row| row["name"] == "phone").unwrap();
    assert_eq!(phone_row["rights"], json!(["read"]));
    assert_eq!(phone_row["folders"], json!(["Projects"]));
    assert_eq!(phone_row["state"], "in use");
    assert!(phone_row["expires"].is_string());
    let desk_row = rows.iter().find(|row| row["name"] == "desk").unwrap();
    assert_eq!(desk_row["rights"], json!(["read", "write", "delete"]));
    assert_eq!(desk_row["folders"], Value::Null);

    let table = server.settings().command(&["token", "list"]).success();
    assert!(table.stdout.contains("phone") && table.stdout.contains("Projects"), "{}", table.stdout);
    for secret in [&phone.token, &desk.token] {
        assert!(
            !table.stdout.contains(secret.as_str()) && !json!(rows).to_string().contains(secret.as_str())
        );
    }

    server.settings().command(&["token", "revoke", "phone"]).success();
    let refused = phone.send(&request(1, "ping", json!({})));
    assert_eq!(refused.status, 401, "on the next call");
    let challenge = refused.header("www-authenticate").unwrap();
    assert_eq!(
        challenge,
        format!(
            "Bearer error=\"invalid_token\", \
             resource_metadata=\"{PUBLIC_URL}/.well-known/oauth-protected-resource/mcp\", scope=\"vault\""
        )
    );
    assert_eq!(refused.json()["error"], "invalid_token");
    assert_eq!(ping(&desk), 200, "others go on");
    server.settings().command(&["token", "revoke", "phone"]).fails_naming(&["phone"]);
    assert_eq!(list(&server).iter().find(|row| row["name"] == "phone").unwrap()["state"], "revoked");
    // The name is free again.
    let again = Client::new(&server, &["--name", "phone"]);
    assert_eq!((ping(&again), ping(&phone)), (200, 401));
}

#[test]
fn what_makes_no_sense_is_refused_and_makes_nothing() {
    let server = settings().ready();
    create(&server, &["--name", "phone"]);
    for (arguments, words) in [
        (&["--name", "phone"][..], &["phone", "revoke"][..]),
        (&["--name", "a b"], &["--name"]),
        (&["--name", "static-token"], &["--name"]),
        (&["--name", "x", "--rights", "write"], &["--rights", "read"]),
        (&["--name", "x", "--rights", "fly"], &["--rights"]),
        (&["--name", "x", "--read-only", "--rights", "read"], &["--read-only"]),
        (&["--name", "x", "--folder", "../out"], &["--folder"]),
        (&["--name", "x", "--folder", "/"], &["--folder", "whole vault"]),
        (&["--name", "x", "--expires", "soon"], &["--expires", "never"]),
        (&["--name", "x", "--expires", "0d"], &["--expires"]),
        (&[], &["--name"]),
    ] {
        let all: Vec<&str> = ["token", "create"].into_iter().chain(arguments.iter().copied()).collect();
        let output = server.settings().command(&all).fails_naming(words);
        assert!(output.stdout.is_empty(), "{arguments:?}: {}", output.stdout);
    }
    assert_eq!(list(&server).len(), 1);
}

#[test]
fn a_slip_in_a_folder_is_remarked_upon_without_spoiling_the_output() {
    let server = settings().ready();
    let output = server
        .settings()
        .command(&["token", "create", "--name", "x", "--folder", "Projcts", "--expires", "never"])
        .success();
    assert!(output.stderr.contains("Projcts"), "{}", output.stderr);
    assert_eq!(output.stdout.lines().count(), 1);
    assert_eq!(list(&server)[0]["expires"], Value::Null);
    let client = Client { server: &server, token: output.stdout.trim_end().to_owned() };
    assert_eq!(ping(&client), 200);
}

#[test]
fn replacing_the_auth_token_or_the_public_url_ends_every_token() {
    let server = settings().ready();
    let token = create(&server, &["--name", "phone"]);
    let settings = server.stop();
    let rotated = settings.clone().with_token("another-harness-token-77aa12").ready();
    let client = Client { server: &rotated, token: token.clone() };
    assert_eq!(ping(&client), 401);
    let row = list(&rotated).into_iter().find(|row| row["name"] == "phone").unwrap();
    assert_eq!(row["state"], "ended", "{row}");
    let again = Client::new(&rotated, &["--name", "phone"]);
    assert_eq!(ping(&again), 200, "the name is free");
    let settings_again = rotated.stop().with_token("harness-token-4e1f0c6b9a2d");
    let moved = settings_again.with_env("PUBLIC_URL", "https://other.example.com").ready();
    let client = Client { server: &moved, token };
    assert_eq!(ping(&client), 401);
}

#[test]
fn tokens_survive_a_restart() {
    let server = settings().ready();
    let token = create(&server, &["--name", "phone"]);
    let server = server.stop().ready();
    assert_eq!(ping(&Client { server: &server, token }), 200);
}

#[test]
fn a_limited_token_passes_the_edge_and_its_end_is_told_by_the_host() {
    let edge = Edge::start(TestServer::start().with_vault(whole()));
    let token = create(edge.server(), &["--name", "phone", "--read-only", "--folder", "Projects"]);
    Edge::lists_tools(&edge.send(&edge.list_tools_with(&token)));
    let read = |path: &str| {
        let call = harness::tool_call(1, "vault_read_note", json!({"path": path}));
        edge.send(&edge.list_tools_with(&token).json(&call)).json()["result"].clone()
    };
    assert_ne!(read("Projects/Open.md")["isError"], true);
    assert!(read("Hushed/Vault 7.md").to_string().contains("not permitted"));
    edge.server().settings().command(&["token", "revoke", "phone"]).success();
    let refused = edge.send(&edge.list_tools_with(&token));
    // A 403 of the gateway would strand the client.
    assert_eq!((refused.status, &refused.json()["error"]), (401, &json!("invalid_token")));
    assert_eq!(edge.gateway().invocations(), 4);
}

#[test]
fn a_spoilt_token_is_401_and_never_anything_else() {
    let server = settings().ready();
    let token = create(&server, &["--name", "phone"]);
    let parts: Vec<&str> = token.split('.').collect();
    let mut spoilt = vec![
        token[..token.len() - 1].to_owned(),
        format!("{token}x"),
        format!("{}.{}.", parts[0], parts[1]),
        format!("{}.{}", parts[0], parts[1]),
        format!("eyJhbGciOiJub25lIn0.{}.", parts[1]),
        format!("{}.e30.{}", parts[0], parts[2]),
        format!(".{}.{}", parts[1], parts[2]),
        "a.b.c".to_owned(),
        "x".repeat(8_192),
        "x".repeat(9_000),
    ];
    spoilt.extend((0..token.len()).step_by(token.len() / 20).map(|at| {
        let mut bytes = token.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        String::from_utf8(bytes).unwrap()
    }));
    for spoilt in spoilt {
        let request = Request::new("POST", "/mcp").header("authorization", &format!("Bearer {spoilt}"));
        let response = server.send(&request.json(&harness::request(1, "ping", json!({}))));
        assert_eq!(response.status, 401, "{spoilt}: {}", response.text());
        assert!(response.header("www-authenticate").unwrap().contains("error=\"invalid_token\""));
    }
}
