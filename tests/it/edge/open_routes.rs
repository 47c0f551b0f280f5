//! What is open at the edge: discovery and log-in, asked through the gateway by clients that nobody knows yet.

use harness::{Connection, Edge, Request, Response, TestServer, TestVault, form};
use serde_json::{Value, json};

fn edge() -> Edge {
    Edge::start(TestServer::start().with_vault(TestVault::new().note("a.md", "a")))
}

/// The gateway gives the host another name; no document may hand it on.
#[test]
fn discovery_names_the_gateway_and_never_the_host() {
    let edge = edge();
    let url = edge.gateway().url();
    for (path, field, value) in [
        ("/.well-known/oauth-protected-resource", "authorization_servers", json!([format!("{url}/")])),
        ("/.well-known/oauth-protected-resource/mcp", "resource", json!(format!("{url}/mcp"))),
        ("/.well-known/oauth-authorization-server", "issuer", json!(format!("{url}/"))),
        ("/.well-known/openid-configuration", "token_endpoint", json!(format!("{url}/token"))),
    ] {
        let request = Request::new("GET", path)
            .header("x-forwarded-host", "evil.example")
            .header("forwarded", "host=evil.example;proto=http");
        let response = edge.send(&request);
        assert_eq!(response.status, 200, "{path}: {}", response.text());
        assert_eq!(response.json()[field], value, "{path}");
        let text = response.text();
        assert!(!text.contains("192.0.2.10") && !text.contains("evil.example"), "{path}: {text}");
        let port = format!(":{}", edge.server().address().port());
        assert!(!text.contains(&port), "{path} names the host's port: {text}");
    }
    assert_eq!(edge.gateway().invocations(), 0);
}

/// A request with a code that does not exist: the kind of call that is counted.
fn guess(edge: &Edge, client: &str, headers: &[(&str, &str)]) -> Response {
    let entrance = edge.gateway().entrance(client.parse().unwrap());
    let mut request = Request::new("POST", "/token")
        .header("host", &edge.gateway().address().to_string())
        .header("content-type", "application/x-www-form-urlencoded")
        .body(form(&[("grant_type", "authorization_code"), ("code", "none"), ("client_id", "none")]));
    for (name, value) in headers {
        request = request.header(name, value);
    }
    Connection::new(entrance).send(&request)
}

#[test]
fn guesses_are_counted_by_the_address_that_the_gateway_saw() {
    let edge = edge();
    let mut statuses = Vec::new();
    for number in 0..6 {
        // Each pretends to be somebody else, in every way there is.
        let other = format!("198.51.100.{number}");
        let element = format!("for={other}");
        let spoofed = [
            ("forwarded", element.as_str()),
            ("x-forwarded-for", other.as_str()),
            ("x-real-ip", other.as_str()),
            ("cf-connecting-ip", other.as_str()),
        ];
        let response = guess(&edge, "203.0.113.7", &spoofed);
        statuses.push(response.status);
        if response.status == 429 {
            let after: u64 = response.header("retry-after").unwrap().parse().unwrap();
            assert!((1..=60).contains(&after), "{after}");
            assert_eq!(response.json()["error"], "too_many_requests");
        }
    }
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 1, "{statuses:?}");
    assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
    // Somebody else is not held to it, whether in the same network or in another.
    for client in ["203.0.113.8", "2001:db8::7"] {
        assert_ne!(guess(&edge, client, &[]).status, 429, "{client}");
    }
}

#[test]
fn the_log_has_the_client_s_address() {
    let edge = edge();
    let entrance = edge.gateway().entrance("203.0.113.7".parse().unwrap());
    let request = Request::new("GET", "/.well-known/oauth-authorization-server")
        .header("host", &edge.gateway().address().to_string())
        .header("forwarded", "for=198.51.100.1")
        .header("x-forwarded-for", "198.51.100.2");
    assert_eq!(Connection::new(entrance).send(&request).status, 200);
    let logged = harness::eventually("the request is logged", std::time::Duration::from_secs(10), || {
        let events = edge.server().log();
        events.iter().filter_map(harness::LogLine::json).find(|event| {
            event["message"] == "request" && event["http.path"] == "/.well-known/oauth-authorization-server"
        })
    });
    assert_eq!(logged["client.ip"], Value::from("203.0.113.7"), "{logged}");
}
