//! The whole way in, and what stays over a restart.

use harness::{Request, form};
use serde_json::json;

use super::client::{
    Client, PUBLIC_URL, REDIRECT, answer_in, call, error, from_somewhere, not_logged, refused, server,
    settings, tokens_in, works,
};

#[test]
fn a_client_that_knows_only_the_url_gets_in_by_the_owners_word() {
    let server = server();
    // No token: a 401 that says where to begin.
    let response = server.send(&server.post().without_header("authorization"));
    assert_eq!(response.status, 401);
    let challenge = response.header("www-authenticate").unwrap().to_owned();
    let (_, url) = challenge.split_once("resource_metadata=\"").unwrap();
    let path = url.split('"').next().unwrap().split_once("//").unwrap().1;
    let path = &path[path.find('/').unwrap()..];
    let resource = server.send(&Request::new("GET", path)).json();
    let issuer = resource["authorization_servers"][0].as_str().unwrap().to_owned();
    let metadata = server.send(&Request::new("GET", "/.well-known/oauth-authorization-server")).json();
    assert_eq!(metadata["issuer"], issuer.as_str());

    let client = Client::public(&server);
    let sealed = client.sealed(&[("resource", resource["resource"].as_str().unwrap()), ("scope", "vault")]);
    let response = client.decide(&sealed, &[]);
    let answer = answer_in(&response, REDIRECT);
    assert_eq!((answer.get("state"), answer.get("iss")), ("st&te=1", issuer.as_str()));
    let code = answer.get("code").to_owned();
    let tokens = tokens_in(&client.exchange(&code, &[]));
    works(&server, &tokens.access);
    let next = tokens_in(&client.refresh(&tokens.refresh, &[]));
    assert_ne!(next.access, tokens.access);
    assert_ne!(next.refresh, tokens.refresh);
    works(&server, &next.access);
    works(&server, &tokens.access);
    not_logged(&server, &[&code, &tokens.access, &tokens.refresh, &next.access, &next.refresh, &sealed]);
}

#[test]
fn a_client_with_a_secret_sends_it_in_the_body_or_by_basic() {
    let server = server();
    for method in ["client_secret_post", "client_secret_basic"] {
        let client = Client::register(&server, json!({"token_endpoint_auth_method": method}));
        let secret = client.secret.clone().unwrap();
        tokens_in(&client.exchange(&client.code(), &[]));
        let fields = form(&[
            ("grant_type", "authorization_code"),
            ("code", &client.code()),
            ("redirect_uri", REDIRECT),
            ("code_verifier", super::client::VERIFIER),
        ]);
        let by_basic = from_somewhere(Request::new("POST", "/token"))
            .header("content-type", "application/x-www-form-urlencoded; charset=UTF-8")
            .header("authorization", &basic(&client.id, &secret))
            .body(fields);
        tokens_in(&server.send(&by_basic));
        not_logged(&server, &[&secret]);
    }
}

#[test]
fn a_code_and_a_session_outlive_a_restart() {
    let server = settings().with_env("PUBLIC_URL", PUBLIC_URL).listening();
    let client = Client::confidential(&server);
    let tokens = client.tokens();
    let (sealed, code) = (client.sealed(&[]), client.code());
    let (id, secret) = (client.id.clone(), client.secret.clone());
    let server = server.kill().listening();
    let client = Client { server: &server, id, secret, redirect: REDIRECT.to_owned() };
    // The page that was open, the code on its way, the access token and the refresh token.
    answer_in(&client.decide(&sealed, &[]), REDIRECT).get("code");
    tokens_in(&client.exchange(&code, &[]));
    works(&server, &tokens.access);
    works(&server, &tokens_in(&client.refresh(&tokens.refresh, &[])).access);
}

#[test]
fn a_refresh_whose_answer_was_lost_in_a_restart_is_answered_again() {
    let server = settings().with_env("PUBLIC_URL", PUBLIC_URL).listening();
    let client = Client::public(&server);
    let tokens = client.tokens();
    let lost = tokens_in(&client.refresh(&tokens.refresh, &[]));
    let id = client.id.clone();
    let server = server.kill().listening();
    let client = Client { server: &server, id, secret: None, redirect: REDIRECT.to_owned() };
    assert_eq!(tokens_in(&client.refresh(&tokens.refresh, &[])).refresh, lost.refresh);
}

#[test]
fn a_new_auth_token_ends_every_session_and_clients_ask_the_owner_again() {
    let server = settings().with_env("PUBLIC_URL", PUBLIC_URL).listening();
    let client = Client::public(&server);
    let tokens = client.tokens();
    let (sealed, code, id) = (client.sealed(&[]), client.code(), client.id.clone());
    let server = server.stop().with_token("another-token-for-this-test").listening();
    let client = Client { server: &server, id, secret: None, redirect: REDIRECT.to_owned() };
    refused(&server, &tokens.access);
    error(&client.refresh(&tokens.refresh, &[]), 400, "invalid_grant");
    error(&client.exchange(&code, &[]), 400, "invalid_grant");
    error(&client.decide(&sealed, &[]), 400, "invalid_request");
    works(&server, &client.tokens().access);
}

#[test]
fn an_expired_access_token_is_a_401_and_is_renewed() {
    let server = settings().with_env("ACCESS_TOKEN_TTL", "1s").listening();
    let client = Client::public(&server);
    let tokens = client.tokens();
    harness::eventually("the token expires", std::time::Duration::from_secs(10), || {
        (call(&server, &tokens.access).status == 401).then_some(())
    });
    refused(&server, &tokens.access);
    tokens_in(&client.refresh(&tokens.refresh, &[]));
}

#[test]
fn a_state_of_another_program_or_a_later_release_stops_the_start() {
    let settings = settings();
    let path = settings.data().join("state.db");
    std::fs::write(&path, "no database at all, but longer than the header of one would be: ".repeat(20))
        .unwrap();
    let output = settings.clone().with_env("OAUTH_DB_PATH", &path).refused();
    let text = format!("{}{}", output.stdout, output.stderr);
    assert!(text.contains("state.db") && text.contains("Put back a copy"), "{text}");
}

/// A disk that cannot be written costs the log-in, not the notes of whoever has the token itself.
#[test]
fn a_state_that_cannot_be_opened_costs_only_the_log_in() {
    let settings = settings();
    let blocked = settings.data().join("file");
    std::fs::write(&blocked, "").unwrap();
    let server = settings.with_env("OAUTH_DB_PATH", blocked.join("oauth.db")).listening();
    works(&server, server.token());
    assert_eq!(server.send(&Request::new("GET", "/.well-known/oauth-authorization-server")).status, 200);
    let registration = super::client::register_request(&json!({"redirect_uris": [REDIRECT]}));
    error(&server.send(&registration), 503, "temporarily_unavailable");
}

/// HTTP Basic; ids and secrets here need no encoding of their own.
fn basic(id: &str, secret: &str) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes = format!("{id}:{secret}").into_bytes();
    let mut text = String::from("Basic ");
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte))
            << (8 * (3 - chunk.len()));
        for index in 0..4 {
            let letter = char::from(ALPHABET[bits >> (18 - 6 * index) & 63]);
            text.push(if index <= chunk.len() { letter } else { '=' });
        }
    }
    text
}
