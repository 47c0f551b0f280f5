//! `/authorize`: what is redirected, what never is, and what a request may leave out.

use harness::Request;
use serde_json::json;

use super::client::{
    Client, OTHER_VERIFIER, PUBLIC_URL, REDIRECT, answer_in, error, from_somewhere, get, post, server,
    settings, tokens_in,
};

/// RFC 6749 section 4.1.2.1: the client is told, with its state, by whom (RFC 9207).
#[test]
fn what_is_wrong_with_a_request_goes_to_the_client() {
    let server = settings().with_env("PUBLIC_URL", PUBLIC_URL).listening();
    let client = Client::public(&server);
    for (changes, code) in [
        (&[("response_type", "")][..], "invalid_request"),
        (&[("response_type", "token")], "unsupported_response_type"),
        (&[("response_type", "code id_token")], "unsupported_response_type"),
        (&[("response_mode", "fragment")], "invalid_request"),
        (&[("code_challenge", "")], "invalid_request"),
        (&[("code_challenge", "short")], "invalid_request"),
        (&[("code_challenge_method", "")], "invalid_request"),
        (&[("code_challenge_method", "plain")], "invalid_request"),
        (&[("code_challenge_method", "s256")], "invalid_request"),
        (&[("resource", "https://other.example/mcp")], "invalid_target"),
        (&[("resource", "https://vault.example.com/mcp/../x")], "invalid_target"),
        (&[("request", "eyJhbGciOiJub25lIn0.e30.")], "request_not_supported"),
        (&[("request_uri", "https://evil.example/")], "request_uri_not_supported"),
    ] {
        let response = client.authorize(changes);
        let answer = answer_in(&response, REDIRECT);
        assert_eq!(answer.get("error"), code, "{changes:?}");
        assert_eq!(answer.get("state"), "st&te=1");
        assert_eq!(answer.get("iss"), format!("{PUBLIC_URL}/"));
        assert!(answer.find("code").is_none() && response.body.is_empty());
    }
    // A parameter twice, but not one on which the redirect depends.
    let twice = client.authorize_request(&[]);
    let target = format!("/authorize?{}&scope=vault&scope=vault", query_of(&twice));
    let answer = server.send(&from_somewhere(Request::new("GET", &target)));
    assert_eq!(answer_in(&answer, REDIRECT).get("error"), "invalid_request");
    let without_state = client.authorize(&[("state", ""), ("response_type", "token")]);
    assert!(answer_in(&without_state, REDIRECT).find("state").is_none());
}

fn query_of(request: &Request) -> String {
    let bytes = request.to_bytes("localhost");
    let text = String::from_utf8(bytes).unwrap();
    text.split(' ').nth(1).unwrap().split_once('?').unwrap().1.to_owned()
}

/// Until client and redirect URI are known to belong together, nothing is redirected.
#[test]
fn what_is_wrong_with_client_or_redirect_goes_nowhere() {
    let server = server();
    let client = Client::public(&server);
    for (changes, code) in [
        (&[("client_id", "")][..], "invalid_request"),
        (&[("client_id", "client_unknown")], "invalid_client"),
        (&[("redirect_uri", "https://evil.example/callback")], "invalid_request"),
        (&[("client_id", "client_unknown"), ("redirect_uri", "https://evil.example/")], "invalid_client"),
    ] {
        error(&client.authorize(changes), 400, code);
    }
    for name in ["client_id", "redirect_uri"] {
        let request = client.authorize_request(&[]);
        let target = format!("/authorize?{}&{name}=https%3A%2F%2Fevil.example%2F", query_of(&request));
        error(&server.send(&from_somewhere(Request::new("GET", &target))), 400, "invalid_request");
    }
    error(&server.send(&get("/authorize", &[])), 400, "invalid_request");
    let long = "a".repeat(40_000);
    error(&client.authorize(&[("state", &long)]), 400, "invalid_request");
}

/// RFC 9700 section 4.11.2: anybody can register any address, so nothing leads there before the owner answered.
#[test]
fn what_is_wrong_with_a_request_of_a_self_registered_client_elsewhere_goes_nowhere() {
    let server = server();
    for uri in ["https://evil.example/phish", "cursor://anysphere.cursor-mcp/oauth/callback"] {
        let client =
            Client::register(&server, json!({"redirect_uris": [uri], "token_endpoint_auth_method": "none"}));
        for (changes, code) in [
            (&[("response_type", "token")][..], "unsupported_response_type"),
            (&[("code_challenge", "")], "invalid_request"),
            (&[("resource", "https://other.example/mcp")], "invalid_target"),
        ] {
            error(&client.authorize(changes), 400, code);
            let request = client.authorize_request(changes).header("accept", "text/html");
            let page = server.send(&request);
            assert_eq!((page.status, page.header("location")), (400, None));
            assert!(page.text().contains("Nothing was sent to it"), "{}", page.text());
        }
        // What the owner says is sent, a no as well as a yes.
        let denied = client.decide(&client.sealed(&[]), &[("action", "deny")]);
        assert_eq!(answer_in(&denied, uri).get("error"), "access_denied");
        answer_in(&client.decide(&client.sealed(&[]), &[]), uri).get("code");
    }
    // One on loopback is told in the same request, whatever else the client registered.
    let uris = json!(["https://evil.example/phish", REDIRECT]);
    let both =
        Client::register(&server, json!({"redirect_uris": uris, "token_endpoint_auth_method": "none"}));
    let wrong = ("response_type", "token");
    error(&both.authorize(&[wrong]), 400, "unsupported_response_type");
    answer_in(&both.authorize(&[wrong, ("redirect_uri", REDIRECT)]), REDIRECT).get("error");
}

/// A person is shown a page, with nothing of the request in it.
#[test]
fn a_browser_is_told_in_words_that_nothing_was_sent() {
    let server = server();
    let client = Client::public(&server);
    let evil = "https://evil.example/<script>";
    let request = client.authorize_request(&[("redirect_uri", evil)]).header("accept", "text/html,*/*;q=0.8");
    let response = server.send(&request);
    assert_eq!((response.status, response.header("location")), (400, None));
    assert!(response.header("content-type").unwrap().starts_with("text/html"));
    assert!(response.header("content-security-policy").unwrap().contains("default-src 'none'"));
    assert!(
        response.text().contains("redirect_uri") && !response.text().contains("evil"),
        "{}",
        response.text()
    );
}

#[test]
fn a_request_may_be_posted() {
    let server = server();
    let client = Client::public(&server);
    let fields = [
        ("response_type", "code"),
        ("client_id", client.id.as_str()),
        ("redirect_uri", REDIRECT),
        ("code_challenge", super::client::CHALLENGE),
        ("code_challenge_method", "S256"),
    ];
    let response = server.send(&post("/authorize", &fields));
    assert_eq!(response.status, 200, "{}", response.text());
    let sealed = super::client::sealed_in(response.text());
    answer_in(&client.decide(&sealed, &[]), REDIRECT).get("code");
}

/// Clients send the origin, or add a slash, or say nothing at all.
#[test]
fn trap_the_resource_comes_in_several_spellings_or_not_at_all() {
    let server = settings().with_env("PUBLIC_URL", PUBLIC_URL).listening();
    let client = Client::public(&server);
    for resource in [
        "",
        PUBLIC_URL,
        "https://vault.example.com/",
        "https://vault.example.com/mcp",
        "https://vault.example.com/mcp/",
        "https://VAULT.example.com:443/mcp",
    ] {
        let sealed = client.sealed(&[("resource", resource)]);
        let code = answer_in(&client.decide(&sealed, &[]), REDIRECT).get("code").to_owned();
        let tokens = tokens_in(&client.exchange(&code, &[("resource", resource)]));
        super::client::works(&server, &tokens.access);
        tokens_in(&client.refresh(&tokens.refresh, &[("resource", resource)]));
    }
}

/// A wrong resource costs the client nothing: code and refresh token stay good.
#[test]
fn another_resource_at_the_token_endpoint_uses_nothing_up() {
    let server = server();
    let client = Client::public(&server);
    let code = client.code();
    let elsewhere = [("resource", "https://other.example/mcp")];
    error(&client.exchange(&code, &elsewhere), 400, "invalid_target");
    let tokens = tokens_in(&client.exchange(&code, &[]));
    error(&client.refresh(&tokens.refresh, &elsewhere), 400, "invalid_target");
    let first = tokens_in(&client.refresh(&tokens.refresh, &[]));
    assert_ne!(first.refresh, tokens.refresh);
}

#[test]
fn trap_unknown_scopes_are_dropped_and_none_is_the_usual_one() {
    let server = server();
    let client = Client::public(&server);
    for scope in ["", "vault", "offline_access", "vault offline_access", "admin openid", "  "] {
        let sealed = client.sealed(&[("scope", scope)]);
        let code = answer_in(&client.decide(&sealed, &[]), REDIRECT).get("code").to_owned();
        // `tokens_in` sees to it that the answer names the scope.
        super::client::works(&server, &tokens_in(&client.exchange(&code, &[])).access);
    }
}

#[test]
fn a_loopback_redirect_has_any_port_and_nothing_else() {
    let server = server();
    let uris = ["http://localhost/callback", "http://127.0.0.1/callback"];
    let client =
        Client::register(&server, json!({"redirect_uris": uris, "token_endpoint_auth_method": "none"}));
    for uri in
        ["http://localhost:50000/callback", "http://127.0.0.1:50001/callback", "http://localhost/callback"]
    {
        let sealed = client.sealed(&[("redirect_uri", uri)]);
        let code = answer_in(&client.decide(&sealed, &[]), uri).get("code").to_owned();
        error(
            &client.exchange(&code, &[("redirect_uri", "http://localhost:50002/callback")]),
            400,
            "invalid_grant",
        );
        tokens_in(&client.exchange(&code, &[("redirect_uri", uri)]));
    }
    for uri in [
        "http://localhost:50000/other",
        "https://localhost:50000/callback",
        "http://[::1]:50000/callback",
        "http://localhost:50000/callback?x=1",
        "http://localhost:50000@evil.example/callback",
    ] {
        error(&client.authorize(&[("redirect_uri", uri)]), 400, "invalid_request");
    }
}

/// RFC 6749 section 4.1.3: named in the request, named in the exchange; the only one may go unnamed in both.
#[test]
fn a_redirect_uri_that_is_the_only_one_may_be_left_out() {
    let server = server();
    let client = Client::public(&server);
    let sealed = client.sealed(&[("redirect_uri", "")]);
    let code = answer_in(&client.decide(&sealed, &[]), REDIRECT).get("code").to_owned();
    tokens_in(&client.exchange(&code, &[("redirect_uri", "")]));
    error(&client.exchange(&client.code(), &[("redirect_uri", "")]), 400, "invalid_grant");
    let several = Client::register(
        &server,
        json!({"redirect_uris": [REDIRECT, "https://a.example/"], "token_endpoint_auth_method": "none"}),
    );
    error(&several.authorize(&[("redirect_uri", "")]), 400, "invalid_request");
}

/// A redirect URI with parameters of its own keeps them.
#[test]
fn parameters_of_the_redirect_uri_are_kept() {
    let server = server();
    let uri = "https://client.example/callback?tenant=a%20b";
    let client =
        Client::register(&server, json!({"redirect_uris": [uri], "token_endpoint_auth_method": "none"}));
    let response = client.decide(&client.sealed(&[]), &[]);
    let location = response.header("location").unwrap();
    assert!(location.starts_with(&format!("{uri}&code=")), "{location}");
    tokens_in(&client.exchange(&client.code(), &[]));
}

/// The answers of the token endpoint are JSON that no cache keeps, whatever is wrong.
#[test]
fn errors_of_the_token_endpoint() {
    let server = server();
    let client = Client::public(&server);
    let code = client.code();
    for (changes, status, name) in [
        (&[("grant_type", "")][..], 400, "invalid_request"),
        (&[("grant_type", "password")], 400, "unsupported_grant_type"),
        (&[("grant_type", "client_credentials")], 400, "unsupported_grant_type"),
        (&[("code", "")], 400, "invalid_request"),
        (&[("code", "vcc_unknown")], 400, "invalid_grant"),
        (&[("code_verifier", "")], 400, "invalid_request"),
        (&[("code_verifier", OTHER_VERIFIER)], 400, "invalid_grant"),
        (&[("code_verifier", "short")], 400, "invalid_grant"),
        (&[("client_id", "")], 401, "invalid_client"),
        (&[("client_id", "client_unknown")], 401, "invalid_client"),
        (&[("client_secret", "made up")], 401, "invalid_client"),
    ] {
        error(&client.exchange(&code, changes), status, name);
    }
    let form = "grant_type=authorization_code&grant_type=refresh_token";
    let post = |content_type: &str, body: String| {
        let request = from_somewhere(Request::new("POST", "/token")).header("content-type", content_type);
        server.send(&request.body(body))
    };
    error(&post("application/x-www-form-urlencoded", form.to_owned()), 400, "invalid_request");
    error(
        &post("application/json", json!({"grant_type": "refresh_token"}).to_string()),
        400,
        "invalid_request",
    );
    error(&post("application/x-www-form-urlencoded", "a".repeat(70_000)), 400, "invalid_request");
    let basic = from_somewhere(Request::new("POST", "/token"))
        .header("content-type", "application/x-www-form-urlencoded")
        .header("authorization", "Basic Y2xpZW50OnNlY3JldA==")
        .body("grant_type=refresh_token&refresh_token=x");
    let response = server.send(&basic);
    error(&response, 401, "invalid_client");
    assert!(response.header("www-authenticate").unwrap().starts_with("Basic "));
    // After all of these the code is still good.
    tokens_in(&client.exchange(&code, &[]));
}
