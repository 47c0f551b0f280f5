//! What an attacker tries, line by line.

use serde_json::json;

use super::client::{
    CHALLENGE, Client, OTHER_VERIFIER, PUBLIC_URL, REDIRECT, VERIFIER, answer_in, error, logs, refused,
    server, settings, tokens_in, works,
};

/// A code that was meant for another: other client, other redirect URI, other verifier. Its owner can still
/// use it afterwards.
#[test]
fn code_injection_is_refused() {
    let server = server();
    let (victim, attacker) = (Client::public(&server), Client::other(&server));
    let confidential = Client::confidential(&server);
    let code = victim.code();
    error(&attacker.exchange(&code, &[]), 400, "invalid_grant");
    error(&confidential.exchange(&code, &[]), 400, "invalid_grant");
    error(&victim.exchange(&code, &[("redirect_uri", "http://localhost:1/callback")]), 400, "invalid_grant");
    error(&victim.exchange(&code, &[("redirect_uri", "")]), 400, "invalid_grant");
    error(&victim.exchange(&code, &[("code_verifier", OTHER_VERIFIER)]), 400, "invalid_grant");
    error(&victim.exchange(&code, &[("code_verifier", CHALLENGE)]), 400, "invalid_grant");
    works(&server, &tokens_in(&victim.exchange(&code, &[])).access);
}

/// RFC 6749 section 4.1.2: a second use ends what came of the first.
#[test]
fn a_replayed_code_is_refused_and_ends_what_came_of_it() {
    let server = server();
    let client = Client::public(&server);
    let code = client.code();
    let tokens = tokens_in(&client.exchange(&code, &[]));
    works(&server, &tokens.access);
    error(&client.exchange(&code, &[]), 400, "invalid_grant");
    refused(&server, &tokens.access);
    error(&client.refresh(&tokens.refresh, &[]), 400, "invalid_grant");
    logs(&server, "oauth_code_reuse");
}

/// Without a challenge, with a plain one, or with an exchange that leaves the verifier out.
#[test]
fn pkce_cannot_be_downgraded() {
    let server = server();
    let client = Client::confidential(&server);
    for changes in [
        &[("code_challenge", ""), ("code_challenge_method", "")][..],
        &[("code_challenge", "")],
        &[("code_challenge_method", "")],
        &[("code_challenge_method", "plain")],
        &[("code_challenge", VERIFIER), ("code_challenge_method", "plain")],
        &[("code_challenge_method", "S512")],
    ] {
        let response = client.authorize(changes);
        assert_eq!(answer_in(&response, REDIRECT).get("error"), "invalid_request", "{changes:?}");
    }
    // A client with a secret needs the verifier as well.
    let code = client.code();
    error(&client.exchange(&code, &[("code_verifier", "")]), 400, "invalid_request");
    // A challenge sent again by whoever saw the first request is no verifier.
    error(&client.exchange(&code, &[("code_verifier", CHALLENGE)]), 400, "invalid_grant");
    tokens_in(&client.exchange(&code, &[]));
}

/// Nothing is sent to an address that is not registered letter by letter, not even an error.
#[test]
fn open_redirects_are_refused() {
    let server = server();
    let registered = "https://client.example/callback";
    let client = Client::register(
        &server,
        json!({"redirect_uris": [registered], "token_endpoint_auth_method": "none"}),
    );
    for uri in [
        "https://evil.example/callback",
        "https://client.example/callback/evil",
        "https://client.example/callback2",
        "https://client.example/call",
        "https://client.example/callback?next=https://evil.example",
        "https://client.example/callback#evil",
        "https://client.example/callback/../evil",
        "https://client.example/callback%2f..%2fevil",
        "https://client.example.evil.example/callback",
        "https://client.example@evil.example/callback",
        "https://client.example:443@evil.example/callback",
        "https://evil.example\\@client.example/callback",
        "https://client.example:444/callback",
        "https://client.example./callback",
        "HTTPS://client.example/callback",
        "http://client.example/callback",
        "//client.example/callback",
        "/callback",
        "javascript:alert(1)//https://client.example/callback",
        "https://client.example/callback\r\nlocation: https://evil.example",
        " https://client.example/callback",
        "https://client.example/callback\0",
    ] {
        for wrong in [("response_type", "code"), ("response_type", "token")] {
            error(&client.authorize(&[("redirect_uri", uri), wrong]), 400, "invalid_request");
        }
    }
}

/// The state is the client's own word: it comes back as it was and becomes no header.
#[test]
fn a_state_is_given_back_letter_by_letter() {
    let server = server();
    let client = Client::public(&server);
    for state in ["\r\nset-cookie: a=b", "#&=?%", "ü🦀", "a b+c", "\"><script>"] {
        let response = client.decide(&client.sealed(&[("state", state)]), &[]);
        assert_eq!(answer_in(&response, REDIRECT).get("state"), state);
        assert_eq!(response.header("set-cookie"), None);
    }
}

/// The confused deputy: one client's consent is no other's, whatever they have in common.
#[test]
fn a_consent_is_for_the_client_that_was_shown() {
    let server = server();
    let (client, other) = (Client::public(&server), Client::other(&server));
    let sealed = client.sealed(&[]);
    // Fields beside the sealed request say nothing.
    let fields =
        [("client_id", other.id.as_str()), ("redirect_uri", "https://evil.example/"), ("state", "evil")];
    let response = client.decide(&sealed, &fields);
    let answer = answer_in(&response, REDIRECT);
    assert_eq!(answer.get("state"), "st&te=1");
    error(&other.exchange(answer.get("code"), &[]), 400, "invalid_grant");
    let tokens = tokens_in(&client.exchange(answer.get("code"), &[]));
    error(&other.refresh(&tokens.refresh, &[]), 400, "invalid_grant");
}

/// Another page makes the owner's browser post the form, even one that knows the sealed request.
#[test]
fn csrf_on_the_decision_is_refused() {
    let server = settings().with_env("PUBLIC_URL", PUBLIC_URL).listening();
    let client = Client::public(&server);
    let sealed = client.sealed(&[]);
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", "http://vault.example.com"),
        ("origin", "https://vault.example.com:444"),
        ("origin", "https://vault.example.com.evil.example"),
        ("sec-fetch-site", "cross-site"),
    ] {
        for action in ["approve", "deny"] {
            let request = client.decide_request(&sealed, &[("action", action)]).header(name, value);
            error(&server.send(&request), 400, "invalid_request");
        }
    }
    let own = client
        .decide_request(&sealed, &[])
        .header("origin", PUBLIC_URL)
        .header("sec-fetch-site", "same-origin");
    answer_in(&server.send(&own), REDIRECT).get("code");
}

/// Two deployments with one secret take nothing from each other.
#[test]
fn nothing_of_another_deployment_is_taken() {
    let token = "shared-token-of-two-deployments";
    let start = |url: &str| settings().with_token(token).with_env("PUBLIC_URL", url).listening();
    let (here, there) = (start(PUBLIC_URL), start("https://other.example.com"));
    let client = Client::public(&there);
    let (sealed, code, tokens) = (client.sealed(&[]), client.code(), client.tokens());
    works(&there, &tokens.access);
    refused(&here, &tokens.access);
    let known = Client::public(&here);
    error(&known.decide(&sealed, &[]), 400, "invalid_request");
    error(&known.exchange(&code, &[]), 400, "invalid_grant");
    error(&known.refresh(&tokens.refresh, &[]), 400, "invalid_grant");
    let stranger =
        Client { server: &here, id: client.id.clone(), secret: None, redirect: REDIRECT.to_owned() };
    error(&stranger.exchange(&code, &[]), 401, "invalid_client");
}

/// The file alone is worth nothing: no token in it could be presented.
#[test]
fn defect_no_token_lies_in_the_file_in_clear() {
    let server = server();
    let client = Client::confidential(&server);
    let code = client.code();
    let tokens = tokens_in(&client.exchange(&code, &[]));
    let next = tokens_in(&client.refresh(&tokens.refresh, &[]));
    let secret = client.secret.clone().unwrap();
    let token = server.token().to_owned();
    let settings = server.stop();
    let folder = settings.index_path().parent().unwrap().to_owned();
    for name in ["oauth.db", "oauth.db-wal"] {
        let Ok(bytes) = std::fs::read(folder.join(name)) else { continue };
        for hidden in [&code, &tokens.refresh, &next.refresh, &tokens.access, &secret, &token] {
            let found = bytes.windows(hidden.len()).any(|window| window == hidden.as_bytes());
            assert!(!found, "{name} holds a token");
        }
    }
    assert!(folder.join("oauth.db").exists());
}

/// A body that is long, endless or of the wrong kind costs the caller an error, not the server its memory.
#[test]
fn bodies_are_bounded() {
    let server = server();
    for path in ["/register", "/token", "/revoke", "/authorize", "/oauth/decide"] {
        let content_type =
            if path == "/register" { "application/json" } else { "application/x-www-form-urlencoded" };
        let request = super::client::from_somewhere(harness::Request::new("POST", path));
        let long = request.header("content-type", content_type).header("content-length", "99999999");
        let response = server.send(&long);
        assert_eq!(response.status, 400, "{path}");
        assert_eq!(response.json()["error"], "invalid_request", "{path}");
    }
}
