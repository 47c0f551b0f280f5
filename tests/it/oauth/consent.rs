//! What the owner is shown and decides. The page itself is tested in a browser.

use harness::Request;
use serde_json::{Value, json};

use super::client::{
    Client, REDIRECT, answer_in, call, error, get, logs, not_logged, post, server, settings, tokens_in, works,
};

/// The claims of an access token; the signature is somebody else's test.
fn claims(access: &str) -> Value {
    let payload = access.split('.').nth(1).unwrap();
    let mut bits = 0_u32;
    let (mut count, mut bytes) = (0, Vec::new());
    for letter in payload.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'-' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).unwrap());
        }
    }
    serde_json::from_slice(&bytes).unwrap()
}

#[test]
fn the_owner_narrows_what_a_client_may_do_and_a_refresh_never_widens_it() {
    let server = server();
    let client = Client::public(&server);
    for (changes, rights, folders) in [
        (&[][..], Value::Null, Value::Null),
        (&[("access", "edit")], json!(["read", "write"]), Value::Null),
        (
            &[
                ("access", "read"),
                ("folders", "Projects/\n\n Daily Notes "),
                ("missing", "Projects\r\nDaily Notes"),
            ],
            json!(["read"]),
            json!(["Projects", "Daily Notes"]),
        ),
    ] {
        let response = client.decide(&client.sealed(&[]), changes);
        let code = answer_in(&response, REDIRECT).get("code").to_owned();
        let mut tokens = tokens_in(&client.exchange(&code, &[("scope", "vault admin")]));
        for _ in 0..2 {
            let found = claims(&tokens.access);
            assert_eq!((&found["rights"], &found["folders"]), (&rights, &folders), "{found}");
            assert_eq!((&found["scope"], &found["sub"]), (&json!("vault"), &json!(client.id)));
            let widening = [("scope", "vault admin write"), ("rights", "delete"), ("folders", "")];
            tokens = tokens_in(&client.refresh(&tokens.refresh, &widening));
        }
        works(&server, &tokens.access);
    }
}

#[test]
fn a_folder_that_no_vault_has_is_asked_for_again_with_the_rest_of_the_form() {
    let server = server();
    let client = Client::public(&server);
    for folders in ["../outside", "/etc", "Projects\n/", "a\0b"] {
        let response = client.decide(&client.sealed(&[]), &[("access", "read"), ("folders", folders)]);
        assert_eq!(response.status, 200, "{}", response.text());
        // Sent off again as it is, it is refused again: nothing was silently widened.
        let again = client.decide(&super::client::sealed_in(response.text()), &[("folders", folders)]);
        assert_eq!(again.status, 200);
    }
}

/// `Cookng` for `Cooking` would let the client in and show it nothing.
#[test]
fn a_folder_that_this_vault_has_not_is_allowed_by_a_second_yes() {
    let vault = harness::TestVault::new().note("Cooking/Bread.md", "# Bread\n");
    let server = settings().with_vault(vault).listening();
    let client = Client::public(&server);
    let folders = ("folders", "Cooking\nCookng");
    let first = client.decide(&client.sealed(&[]), &[folders]);
    assert_eq!((first.status, first.header("location")), (200, None));
    assert!(first.text().contains("The vault has no folder “Cookng”."), "{}", first.text());
    let sealed = super::client::sealed_in(first.text());
    // The second yes is for the folder that was named, and for no other.
    let other = client.decide(&sealed, &[("folders", "Cokking"), ("missing", "Cookng")]);
    assert!(other.status == 200 && other.text().contains("“Cokking”"), "{}", other.text());
    let second = client.decide(&sealed, &[folders, ("missing", "Cookng")]);
    answer_in(&second, REDIRECT).get("code");
    // One that is there is asked for once, and nobody learns which there are without the token.
    answer_in(&client.decide(&client.sealed(&[]), &[("folders", "Cooking")]), REDIRECT).get("code");
    let stranger = client.decide(&client.sealed(&[]), &[folders, ("token", "wrong")]);
    assert!(!stranger.text().contains("no folder"), "{}", stranger.text());
}

#[test]
fn a_wrong_token_lets_nobody_in_and_may_be_corrected() {
    let server = server();
    let client = Client::public(&server);
    let sealed = client.sealed(&[]);
    let right = server.token().to_owned();
    for wrong in ["", "wrong", &right[1..], &right.to_uppercase()] {
        let response = client.decide(&sealed, &[("token", wrong)]);
        assert_eq!((response.status, response.header("location")), (200, None));
        assert!(!response.text().contains(&right));
    }
    logs(&server, "oauth_consent_wrong_token");
    // White space comes with pasting.
    let (start, end) = right.split_at(5);
    let pasted = format!("  {start}\n {end}\t");
    answer_in(&client.decide(&sealed, &[("token", &pasted)]), REDIRECT).get("code");
    not_logged(&server, &[&right[3..], &sealed]);
}

#[test]
fn no_is_no_without_a_token() {
    let server = server();
    let client = Client::public(&server);
    let response = client.decide(&client.sealed(&[]), &[("action", "deny"), ("token", "")]);
    let answer = answer_in(&response, REDIRECT);
    assert_eq!((answer.get("error"), answer.get("state")), ("access_denied", "st&te=1"));
    assert!(answer.find("code").is_none() && !answer.get("iss").is_empty());
}

/// A page is as good when it was opened twice, and stays so until it is used, and after.
#[test]
fn every_page_that_was_shown_stays_valid_and_showing_one_changes_nothing() {
    let server = server();
    let client = Client::public(&server);
    let (one, other) = (client.sealed(&[("state", "one")]), client.sealed(&[("state", "other")]));
    for (sealed, state) in [(&one, "one"), (&other, "other"), (&one, "one")] {
        let answer = client.decide(sealed, &[]);
        let answer = answer_in(&answer, REDIRECT);
        assert_eq!(answer.get("state"), state);
        tokens_in(&client.exchange(answer.get("code"), &[]));
    }
}

#[test]
fn a_form_that_is_not_the_pages_is_refused_without_a_redirect() {
    let server = server();
    let client = Client::public(&server);
    let sealed = client.sealed(&[]);
    let half = &sealed[..sealed.len() / 2];
    let swapped: String = sealed.chars().rev().collect();
    for request in ["", "x", "x.y", half, &swapped] {
        for action in ["approve", "deny"] {
            error(&client.decide(request, &[("action", action)]), 400, "invalid_request");
        }
    }
    for action in ["", "allow", "APPROVE"] {
        error(&client.decide(&sealed, &[("action", action)]), 400, "invalid_request");
    }
    let query =
        get("/oauth/decide", &[("request", &sealed), ("token", server.token()), ("action", "approve")]);
    assert_eq!(server.send(&query).status, 405);
}

/// The one thing that protects against guessing is how often one may.
#[test]
fn defect_guesses_of_the_token_are_limited() {
    let server = server();
    let client = Client::public(&server);
    let sealed = client.sealed(&[]);
    let guess = |token: &str| {
        let request = post("/oauth/decide", &[("request", &sealed), ("token", token), ("action", "approve")])
            .without_header("forwarded")
            .header("forwarded", "for=192.0.2.1");
        server.send(&request)
    };
    for attempt in 0..5 {
        assert_eq!(guess(&format!("guess {attempt}")).status, 200);
    }
    // The right one is not looked at either.
    for token in ["guess", server.token()] {
        let response = guess(token);
        error(&response, 429, "too_many_requests");
        let wait: u64 = response.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
    }
    logs(&server, "oauth_rate_limited");
    // Somebody else is not held up.
    answer_in(&client.decide(&sealed, &[]), REDIRECT).get("code");
}

/// Headers of the page: what may frame it, read it and keep it.
#[test]
fn defect_the_page_can_be_framed_by_nobody_and_loads_nothing() {
    let server = server();
    let client = Client::public(&server);
    let page = client.authorize(&[]);
    let policy = page.header("content-security-policy").unwrap();
    let directive = |name: &str| {
        policy.split(';').map(str::trim).find_map(|directive| directive.strip_prefix(name)).map(str::trim)
    };
    assert_eq!(directive("default-src "), Some("'none'"), "{policy}");
    assert_eq!(directive("frame-ancestors "), Some("'none'"), "{policy}");
    // Chromium would hold against it where a client sends the browser on.
    assert_eq!(directive("form-action "), None, "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    for (name, value) in [
        ("x-frame-options", "DENY"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "no-store"),
        ("content-type", "text/html; charset=utf-8"),
        ("referrer-policy", "same-origin"),
    ] {
        assert_eq!(page.header(name), Some(value), "{name}");
    }
    assert!(page.text().contains("localhost:51234"), "the redirect's host is shown: {}", page.text());
}

/// The name is the client's own word: it must stay text.
#[test]
fn what_a_client_calls_itself_is_shown_as_text() {
    let server = server();
    let name = "<script>alert(1)</script>\"'&\u{202e}evil";
    let client =
        Client::register(&server, json!({"client_name": name, "token_endpoint_auth_method": "none"}));
    let page = client.authorize(&[("state", "\"><img src=x onerror=alert(1)>")]);
    assert!(!page.text().contains("<script>alert") && !page.text().contains("<img"), "{}", page.text());
    assert!(!page.text().contains('\u{202e}'));
    assert!(page.text().contains("&lt;script&gt;"), "{}", page.text());
    answer_in(&client.decide(&super::client::sealed_in(page.text()), &[]), REDIRECT).get("code");
}

/// Nothing without the owner: a registered client alone has no way to a token.
#[test]
fn registration_alone_opens_nothing() {
    let server = server();
    let client = Client::confidential(&server);
    for token in [client.id.as_str(), client.secret.as_deref().unwrap()] {
        assert_eq!(call(&server, token).status, 401);
    }
    let response = server.send(&Request::new("POST", "/oauth/decide").header("forwarded", "for=10.9.9.9"));
    error(&response, 400, "invalid_request");
}
