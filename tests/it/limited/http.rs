//! Over the wire: headers that every answer has, pages of other origins, whose request it is.

use harness::{Request, Response, TestServer, request};
use serde_json::json;

use super::{PUBLIC_URL, events, settings};

#[track_caller]
fn hardened(what: &str, response: &Response) {
    for (name, value) in
        [("x-content-type-options", "nosniff"), ("x-frame-options", "DENY"), ("cache-control", "no-store")]
    {
        assert_eq!(response.header(name), Some(value), "{what}: {name}");
    }
    assert!(response.header("referrer-policy").is_some(), "{what}");
    assert!(response.header("content-security-policy").unwrap().contains("frame-ancestors 'none'"), "{what}");
}

#[test]
fn every_answer_has_the_headers() {
    let server = settings().ready();
    let ping = request(1, "ping", json!({}));
    for (what, http) in [
        ("a call", server.post().json(&ping)),
        ("401", Request::new("POST", "/mcp").json(&ping)),
        ("405", server.post().json(&ping).header("x", "y")),
        ("404", Request::new("GET", "/nothing")),
        ("health", Request::new("GET", "/healthz")),
        ("400", server.post().body("{")),
        ("403", server.post().header("origin", "https://evil.example").json(&ping)),
        ("token", Request::new("POST", "/token").body("grant_type=x")),
        ("consent", Request::new("GET", "/authorize")),
    ] {
        let response = server.send(&http);
        hardened(what, &response);
        assert_eq!(response.header("strict-transport-security"), Some("max-age=31536000"), "{what}");
    }
    let plain = TestServer::start().ready();
    let response = plain.send(&Request::new("GET", "/healthz"));
    hardened("health", &response);
    assert_eq!(response.header("strict-transport-security"), None, "not when the public URL is http");
}

#[test]
fn pages_of_allowed_origins_may_call_and_read_the_challenge() {
    let server = settings().with_env("ALLOWED_ORIGINS", "https://app.example.com").ready();
    let ping = request(1, "ping", json!({}));
    for origin in ["https://app.example.com", PUBLIC_URL] {
        let preflight = Request::new("OPTIONS", "/mcp")
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization,content-type,mcp-protocol-version");
        let response = server.send(&preflight);
        assert_eq!(response.status, 200, "a preflight has no token");
        assert_eq!(response.header("access-control-allow-origin"), Some(origin));
        let allowed = response.header("access-control-allow-headers").unwrap().to_lowercase();
        assert!(allowed.contains("authorization"), "{allowed}: named, since * would not cover it");
        let refused = server.send(&Request::new("POST", "/mcp").header("origin", origin).json(&ping));
        assert_eq!(refused.status, 401);
        assert_eq!(
            refused.header("access-control-allow-origin"),
            Some(origin),
            "or the page cannot read the 401"
        );
        let exposed = refused.header("access-control-expose-headers").unwrap().to_lowercase();
        assert!(exposed.contains("www-authenticate") && exposed.contains("mcp-session-id"), "{exposed}");
    }
    let foreign = server.send(&server.post().header("origin", "https://evil.example").json(&ping));
    assert_eq!(foreign.status, 403);
    assert_eq!(foreign.header("access-control-allow-origin"), None);
}

#[test]
fn endpoints_of_the_log_in_may_be_called_by_any_page_under_our_name_alone() {
    let server = settings().ready();
    let metadata = Request::new("GET", "/.well-known/oauth-protected-resource/mcp");
    let response = server.send(&metadata.clone().header("origin", "https://any.example"));
    assert_eq!(response.status, 200, "{}", response.text());
    assert_eq!(response.header("access-control-allow-origin"), Some("*"));
    // DNS rebinding: a page that reaches us by a name of its own.
    let rebound = server.send(&metadata.header("host", "evil.example"));
    assert_eq!(rebound.status, 403, "{}", rebound.text());
}

#[test]
fn a_public_url_with_a_path_is_refused_at_the_start() {
    let output = TestServer::start().with_env("PUBLIC_URL", "https://example.com/cortex").refused();
    output.fails_naming(&["PUBLIC_URL", "without path"]);
    // The plain address of a machine in one's own network is fine.
    let server = TestServer::start().with_env("PUBLIC_URL", "http://192.168.1.20:8000").ready();
    let warned = server.log().iter().any(|line| line.text.contains("PUBLIC_URL is plain http"));
    assert!(warned, "it is warned of");
}

/// The address that a request is logged under.
#[track_caller]
fn address_of(server: &harness::Server, id: &str, headers: &[(&str, &str)]) -> String {
    let mut http = server.post().header("x-request-id", id).json(&request(1, "ping", json!({})));
    for (name, value) in headers {
        http = http.header(name, value);
    }
    server.send(&http);
    harness::eventually("the record", std::time::Duration::from_secs(10), || {
        events(server, "request").into_iter().find(|record| record["request.id"] == id)
    })["client.ip"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn the_clients_address_is_what_trusted_proxies_say() {
    let forged = ("forwarded", "for=6.6.6.6");
    let gateway = ("forwarded", "by=3.3.3.3;for=192.0.2.1;host=x;proto=https");
    let server = settings().ready();
    assert_eq!(address_of(&server, "a1", &[gateway]), "127.0.0.1", "nobody is trusted unless told");
    let server = settings().with_env("TRUST_FORWARDED_HEADER", "true").ready();
    assert_eq!(address_of(&server, "b1", &[gateway]), "192.0.2.1");
    assert_eq!(address_of(&server, "b2", &[forged, gateway]), "192.0.2.1");
    assert_eq!(address_of(&server, "b3", &[("forwarded", "for=\"6.6.6.6, for=192.0.2.1")]), "192.0.2.1");
    assert_eq!(address_of(&server, "b4", &[("x-forwarded-for", "6.6.6.6")]), "127.0.0.1");
    let server = settings().with_env("TRUST_PROXY_HOPS", "1").ready();
    assert_eq!(address_of(&server, "c1", &[("x-forwarded-for", "6.6.6.6, 192.0.2.1")]), "192.0.2.1");
    assert_eq!(address_of(&server, "c2", &[forged]), "127.0.0.1");
}

#[test]
fn unvouched_calls_are_limited_by_that_address_with_a_true_time_to_wait() {
    let server = settings().with_env("TRUST_FORWARDED_HOPS", "1").ready();
    let register = |address: &str, forged: &str| {
        let body = json!({"client_name": "x", "redirect_uris": ["http://localhost/callback"]});
        let forwarded = format!("{forged}for={address}");
        server.send(&Request::new("POST", "/register").header("forwarded", &forwarded).json(&body))
    };
    for _ in 0..5 {
        let response = register("192.0.2.1", "");
        assert!(response.status < 300, "{}", response.text());
    }
    for forged in ["", "for=6.6.6.6, ", "for=\"7.7.7.7, ", "for=8.8.8.8;x=\", "] {
        let limited = register("192.0.2.1", forged);
        assert_eq!(limited.status, 429, "{forged}: {}", limited.text());
        assert_eq!(limited.json()["error"], "too_many_requests");
        let wait: u64 = limited.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
    }
    assert!(register("192.0.2.2", "").status < 300, "others are not concerned");
    let record = harness::eventually("the record", std::time::Duration::from_secs(10), || {
        events(&server, "oauth_rate_limited").into_iter().next()
    });
    assert_eq!(
        (&record["client.ip"], &record["http.path"]),
        (&json!("192.0.2.1"), &json!("/register")),
        "{record}"
    );
    for (method, path) in [("GET", "/authorize"), ("POST", "/oauth/decide")] {
        let asked = Request::new(method, path).header("forwarded", "for=192.0.2.1");
        let page = server.send(&asked.clone().header("accept", "text/html,*/*"));
        assert_eq!(page.status, 429, "{path}");
        assert!(
            page.text().starts_with("<!DOCTYPE html>") && page.text().contains("Wait "),
            "{}",
            page.text()
        );
        assert!(page.header("retry-after").is_some(), "{:?}", page.headers);
        assert_eq!(server.send(&asked).json()["error"], "too_many_requests", "a program gets JSON");
    }
}
