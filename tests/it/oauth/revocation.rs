//! `/revoke` (RFC 7009).

use harness::{Request, Response};
use serde_json::json;

use super::client::{Client, error, from_somewhere, logs, refused, server, tokens_in, works};

/// The same answer for whatever was presented.
#[track_caller]
fn done(response: &Response) {
    assert_eq!((response.status, response.json()), (200, json!({})));
    assert_eq!(response.header("cache-control"), Some("no-store"));
}

#[test]
fn a_refresh_token_that_is_given_back_ends_its_grant_with_every_access_token() {
    let server = server();
    let client = Client::public(&server);
    let (tokens, other) = (client.tokens(), client.tokens());
    let next = tokens_in(&client.refresh(&tokens.refresh, &[]));
    done(&client.revoke(&next.refresh, &[("token_type_hint", "refresh_token")]));
    for access in [&tokens.access, &next.access] {
        refused(&server, access);
    }
    error(&client.refresh(&next.refresh, &[]), 400, "invalid_grant");
    works(&server, &other.access);
    logs(&server, "oauth_grant_revoked");
    done(&client.revoke(&next.refresh, &[]));
}

#[test]
fn the_owner_sees_who_is_let_in_and_ends_one_beside_the_running_server() {
    let server = server();
    let client =
        Client::register(&server, json!({"client_name": "Lost phone", "token_endpoint_auth_method": "none"}));
    let (tokens, kept) = (client.tokens(), client.tokens());
    let list = || {
        let output = server.settings().command(&["client", "list", "--json"]).success();
        output.json().as_array().unwrap().clone()
    };
    let rows = list();
    assert_eq!(rows.len(), 2, "{rows:?}");
    for row in &rows {
        assert_eq!((&row["name"], &row["client_id"]), (&json!("Lost phone"), &json!(client.id)), "{row}");
        assert_eq!(row["rights"], json!(["read", "write", "delete"]), "{row}");
        assert!(
            row["folders"].is_null() && row["since"].is_string() && row["last_used"].is_string(),
            "{row}"
        );
    }
    let table = server.settings().command(&["client", "list"]).success();
    assert!(
        table.stdout.contains("Lost phone") && table.stdout.contains("the whole vault"),
        "{}",
        table.stdout
    );
    // Which of the two is which, only the tokens tell.
    let ended = rows[0]["id"].as_str().unwrap();
    server.settings().command(&["client", "revoke", ended]).success();
    server.settings().command(&["client", "revoke", ended]).fails_naming(&[ended]);
    assert_eq!(list().len(), 1);
    let status = |access: &str| {
        let post = server.post().without_header("authorization");
        let post = post.header("authorization", &format!("Bearer {access}"));
        server.send(&post.json(&harness::request(1, "ping", json!({})))).status
    };
    let mut found = [(status(&tokens.access), &tokens), (status(&kept.access), &kept)];
    found.sort_by_key(|(status, _)| *status);
    assert_eq!([found[0].0, found[1].0], [200, 401], "on the next call, and the other goes on");
    error(&client.refresh(&found[1].1.refresh, &[]), 400, "invalid_grant");
    tokens_in(&client.refresh(&found[0].1.refresh, &[]));
}

#[test]
fn an_access_token_that_is_given_back_ends_alone() {
    let server = server();
    let client = Client::confidential(&server);
    let tokens = client.tokens();
    done(&client.revoke(&tokens.access, &[("token_type_hint", "refresh_token")]));
    refused(&server, &tokens.access);
    works(&server, &tokens_in(&client.refresh(&tokens.refresh, &[])).access);
}

#[test]
fn nobody_ends_what_is_anothers_and_nobody_is_told_whose_it_is() {
    let server = server();
    let (client, other) = (Client::public(&server), Client::other(&server));
    let tokens = client.tokens();
    for token in [tokens.refresh.as_str(), &tokens.access, "vcr_unknown", "eyJ.e30.x", server.token()] {
        done(&other.revoke(token, &[]));
    }
    works(&server, &tokens.access);
    tokens_in(&client.refresh(&tokens.refresh, &[]));
}

#[test]
fn who_gives_back_must_say_who_he_is() {
    let server = server();
    let client = Client::confidential(&server);
    let tokens = client.tokens();
    error(&client.revoke(&tokens.refresh, &[("client_secret", "")]), 401, "invalid_client");
    error(&client.revoke(&tokens.refresh, &[("client_secret", "wrong")]), 401, "invalid_client");
    error(&client.revoke(&tokens.refresh, &[("client_id", "client_unknown")]), 401, "invalid_client");
    error(&client.revoke("", &[]), 400, "invalid_request");
    let json = from_somewhere(Request::new("POST", "/revoke")).json(&json!({"token": tokens.refresh}));
    error(&server.send(&json), 400, "invalid_request");
    tokens_in(&client.refresh(&tokens.refresh, &[]));
}
