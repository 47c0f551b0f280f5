//! The decision table: what comes, what the gateway is told, and on what grounds.

use authorizer::{Authorizer, Settings, read_event};
use serde_json::{Value, json};

use crate::signing::{SECRET, URL, claims, header, sign, token_with};

/// A time before and after now, whenever the tests run.
const PAST: u64 = 1_700_000_001;
const FUTURE: u64 = 4_000_000_000;

/// One row: a name, the event, whether it passes, and the grounds.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) event: String,
    pub(crate) allowed: bool,
    pub(crate) grounds: &'static str,
}

/// An event as API Gateway sends it, with these headers.
pub(crate) fn event(path: &str, headers: &Value) -> Value {
    json!({
        "version": "2.0",
        "type": "REQUEST",
        "routeArn": "arn:aws:execute-api:eu-central-1:123456789012:abcdef1234/$default/POST/mcp",
        "identitySource": ["(the header)"],
        "routeKey": "ANY /mcp",
        "rawPath": path,
        "rawQueryString": "",
        "headers": headers,
        "requestContext": {
            "accountId": "123456789012", "apiId": "abcdef1234", "domainName": "vault.example.com",
            "domainPrefix": "vault", "requestId": "JKJaXmPLvHcESHA=", "routeKey": "ANY /mcp",
            "stage": "$default", "time": "10/Mar/2026:05:16:23 +0000", "timeEpoch": 1_773_119_783_000_u64,
            "http": {"method": "POST", "path": path, "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1", "userAgent": "test"},
        },
    })
}

fn with_authorization(value: &str) -> Value {
    event("/mcp", &json!({"authorization": value, "content-type": "application/json"}))
}

fn without(name: &str) -> Value {
    let mut event = with_authorization(&format!("Bearer {SECRET}"));
    event.as_object_mut().unwrap().remove(name);
    event
}

fn set(name: &str, value: Value) -> Value {
    let mut event = with_authorization(&format!("Bearer {SECRET}"));
    event[name] = value;
    event
}

/// Every row of the table.
#[expect(clippy::too_many_lines, reason = "it is a table")]
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row = |name, event: Value, allowed, grounds| {
        rows.push(Row { name, event: event.to_string(), allowed, grounds });
    };
    let bearer = |token: &str| with_authorization(&format!("Bearer {token}"));
    let bound = |changes: Value| bearer(&token_with(FUTURE, &changes));
    let expired = |changes: Value| bearer(&token_with(PAST, &changes));
    let headed = |header: Value| bearer(&sign(SECRET, &header, &claims(FUTURE)));

    // The static token.
    row("static token", bearer(SECRET), true, "static_token");
    row(
        "static token, scheme in capitals",
        with_authorization(&format!("BEARER   {SECRET}")),
        true,
        "static_token",
    );
    row(
        "static token, header in capitals",
        event("/mcp", &json!({"Authorization": format!("Bearer {SECRET}")})),
        true,
        "static_token",
    );
    row(
        "static token on another protected path",
        event("/other", &json!({"authorization": format!("Bearer {SECRET}")})),
        true,
        "static_token",
    );
    row("nearly the static token", bearer(&SECRET[1..]), false, "token_malformed");
    row("static token and more", bearer(&format!("{SECRET}x")), false, "token_malformed");
    row("static token in other case", bearer(&SECRET.to_uppercase()), false, "token_malformed");

    // Signed tokens of this deployment.
    row("bound and valid", bound(json!({})), true, "signed");
    row(
        "limited: read-only, one folder",
        bound(json!({"jti": "t1", "grant": "g1", "rights": ["read"], "folders": ["Projects"]})),
        true,
        "signed",
    );
    row("without the scope vault: the host's to refuse", bound(json!({"scope": "other"})), true, "signed");
    row("bound and expired", expired(json!({})), true, "signed_expired");
    row("limited and expired", expired(json!({"rights": ["read"]})), true, "signed_expired");

    // Tokens from before binding.
    row("no audience, not expired", bound(json!({"aud": null})), true, "signed_unbound");
    row(
        "no audience, issuer or time of issue",
        bound(json!({"aud": null, "iss": null, "iat": null})),
        true,
        "signed_unbound",
    );
    row("no audience, expired", expired(json!({"aud": null})), false, "token_expired_unbound");

    // Any other audience or issuer.
    row("another audience", bound(json!({"aud": "https://other.example/mcp"})), false, "token_audience");
    row(
        "another audience, expired",
        expired(json!({"aud": "https://other.example/mcp"})),
        false,
        "token_audience",
    );
    row("the origin as audience", bound(json!({"aud": URL})), false, "token_audience");
    row("an empty audience", bound(json!({"aud": ""})), false, "token_audience");
    row(
        "several audiences",
        bound(json!({"aud": [format!("{URL}/mcp"), "https://other.example/mcp"]})),
        false,
        "token_claims",
    );
    row("another issuer", bound(json!({"iss": "https://other.example/"})), false, "token_issuer");
    row("another issuer, expired", expired(json!({"iss": "https://other.example/"})), false, "token_issuer");
    row("no issuer", bound(json!({"iss": null})), false, "token_issuer");

    // Any other signature or algorithm.
    row("another key", bearer(&sign("another", &header(), &claims(FUTURE))), false, "token_signature");
    row("another key, expired", bearer(&sign("another", &header(), &claims(PAST))), false, "token_signature");
    let token = token_with(FUTURE, &json!({}));
    let (message, _) = token.rsplit_once('.').unwrap();
    row("no signature", bearer(&format!("{message}.")), false, "token_signature");
    row("signature cut off", bearer(message), false, "token_malformed");
    row("truncated", bearer(&token[..token.len() - 4]), false, "token_signature");
    row("alg none", headed(json!({"alg": "none", "typ": "JWT"})), false, "token_algorithm");
    row("alg HS384", headed(json!({"alg": "HS384", "typ": "JWT"})), false, "token_algorithm");
    row("alg RS256", headed(json!({"alg": "RS256", "typ": "JWT"})), false, "token_algorithm");
    row("no alg", headed(json!({"typ": "JWT"})), false, "token_algorithm");
    row(
        "a key to look up",
        headed(json!({"alg": "HS256", "jku": "https://evil.example/"})),
        false,
        "token_header",
    );
    row("another type", headed(json!({"alg": "HS256", "typ": "at+jwt"})), false, "token_header");

    // Any other shape.
    row("no subject", bound(json!({"sub": null})), false, "token_claims");
    row("no scope", bound(json!({"scope": null})), false, "token_claims");
    row("no expiry", bound(json!({"exp": null})), false, "token_claims");
    row("expiry as text", bound(json!({"exp": "4000000000"})), false, "token_claims");
    row("an unknown right", bound(json!({"rights": ["admin"]})), false, "token_claims");
    row("no folder at all", bound(json!({"folders": []})), false, "token_claims");
    row("garbage", bearer("abc.def.ghi"), false, "token_malformed");
    row("oversized token", bearer(&"a".repeat(8193)), false, "bearer_too_long");

    // No bearer token.
    row("no authorization header", event("/mcp", &json!({})), false, "bearer_missing");
    row("an empty one", with_authorization(""), false, "bearer_missing");
    row("basic", with_authorization("Basic dXNlcjpwYXNz"), false, "bearer_other_scheme");
    row("the bare token", with_authorization(SECRET), false, "bearer_other_scheme");
    row("bearer without token", with_authorization("Bearer"), false, "bearer_malformed");
    row(
        "two joined by a comma",
        with_authorization(&format!("Bearer {SECRET},Bearer {SECRET}")),
        false,
        "bearer_malformed",
    );
    row(
        "two in two spellings",
        event("/mcp", &json!({"authorization": format!("Bearer {SECRET}"), "Authorization": "Bearer x"})),
        false,
        "bearer_repeated",
    );
    row("control bytes", with_authorization(&format!("Bearer {SECRET}\u{1}")), false, "bearer_malformed");
    row("a header that is null", event("/mcp", &json!({"authorization": null})), false, "bearer_malformed");
    row(
        "a header that is a list",
        event("/mcp", &json!({"authorization": [format!("Bearer {SECRET}")]})),
        false,
        "bearer_malformed",
    );

    // Routes that are open anyway.
    for path in [
        "/.well-known/oauth-protected-resource/mcp",
        "/authorize",
        "/token",
        "/register",
        "/revoke",
        "/oauth/decide",
        "/healthz",
        "/",
        "/setup",
        "/status/index",
        "/files/a.pdf",
    ] {
        row("open route", event(path, &json!({})), true, "open_route");
    }
    row(
        "open route, wrong token",
        event("/token", &json!({"authorization": "Bearer wrong"})),
        true,
        "open_route",
    );
    row("a way out of an open route", event("/.well-known/../mcp", &json!({})), false, "bearer_missing");
    row("an escaped way out", event("/.well-known/%2e%2e/mcp", &json!({})), false, "bearer_missing");

    // Odd events.
    row("null", Value::Null, false, "no_request");
    row("a list", json!([]), false, "no_request");
    row("a text", json!("event"), false, "no_request");
    row("a number", json!(1), false, "no_request");
    row("empty", json!({}), false, "no_request");
    row("headers are null", set("headers", Value::Null), false, "bearer_missing");
    row("headers are a list", set("headers", json!(["authorization"])), false, "bearer_missing");
    row("no headers", without("headers"), false, "bearer_missing");
    row("no path", without("rawPath"), false, "no_request");
    row("path is null", set("rawPath", Value::Null), false, "no_request");
    row("no version", without("version"), false, "no_request");
    row("format 1.0", set("version", json!("1.0")), false, "no_request");
    row("a token authorizer's event", set("type", json!("TOKEN")), false, "no_request");
    row("no type", without("type"), false, "no_request");
    row("cookies are null", set("cookies", Value::Null), true, "static_token");
    row("no request context", without("requestContext"), true, "static_token");
    row("no identity source", without("identitySource"), true, "static_token");

    // Bodies that are no JSON, which no gateway sends.
    for body in ["", "{", "not json", "{}{}", "\"\\ud800\"", "\u{0}"] {
        rows.push(Row { name: "no JSON", event: body.to_owned(), allowed: false, grounds: "no_request" });
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    rows.push(Row { name: "deeply nested", event: deep, allowed: false, grounds: "no_request" });
    rows
}

#[test]
fn every_row_against_the_library() {
    let settings = Settings::new(Some(SECRET), Some(URL)).unwrap();
    let authorizer = Authorizer::new(&settings).unwrap();
    for row in rows() {
        let grounds = authorizer.decide(&read_event(row.event.as_bytes()), 1_900_000_000);
        assert_eq!((grounds.allows(), grounds.name()), (row.allowed, row.grounds), "{}", row.name);
    }
}

#[test]
fn another_deployment_with_the_same_secret_takes_none_of_its_tokens() {
    let settings = Settings::new(Some(SECRET), Some("https://other.example")).unwrap();
    let authorizer = Authorizer::new(&settings).unwrap();
    for row in rows().into_iter().filter(|row| matches!(row.grounds, "signed" | "signed_expired")) {
        let grounds = authorizer.decide(&read_event(row.event.as_bytes()), 1_900_000_000);
        assert_eq!((grounds.allows(), grounds.name()), (false, "token_audience"), "{}", row.name);
    }
}
