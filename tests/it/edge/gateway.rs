//! What the gateway answers by itself: 401, 403 and 500, and how often it asks.

use std::time::Duration;

use harness::{Access, Connection, Edge, Failure, Gateway, Request, Response, TestServer, TestVault};
use serde_json::{Value, json};

use super::listening_host::ListeningHost;

/// A gateway in front of a listening host.
pub(super) fn gateway() -> (Gateway, ListeningHost) {
    let (gateway, host) = (Gateway::open(), ListeningHost::start());
    gateway.integrate(host.address, "192.0.2.10:8000");
    (gateway, host)
}

/// The same, whose authorizer lets everything through.
pub(super) fn open_gateway() -> (Gateway, ListeningHost) {
    let (gateway, host) = gateway();
    gateway.authorize_with(|_: &Value| Ok(json!({"isAuthorized": true})));
    (gateway, host)
}

#[track_caller]
pub(super) fn send(gateway: &Gateway, request: &Request) -> Response {
    Connection::new(gateway.address()).send(request)
}

#[track_caller]
pub(super) fn own_answer(response: &Response, status: u16, message: &str) {
    assert_eq!((response.status, response.json()), (status, json!({"message": message})));
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(response.header("www-authenticate"), None);
}

#[test]
fn without_its_identity_source_a_protected_request_is_401_and_nobody_is_asked() {
    let (gateway, host) = open_gateway();
    for path in ["/mcp", "/mcp/", "/", "/tokens", "/status", "/.well-known", "/anything", "/MCP"] {
        let protected = gateway.settings().routes().iter().all(|route| route.key != format!("ANY {path}"))
            || path == "/mcp";
        for value in [None, Some(""), Some("   "), Some(" ,")] {
            let mut request = Request::new("POST", path);
            if let Some(value) = value {
                request = request.header("authorization", value);
            }
            let response = send(&gateway, &request);
            if protected {
                own_answer(&response, 401, "Unauthorized");
            } else {
                assert_eq!(response.text(), "ok", "{path}");
            }
        }
    }
    assert_eq!(gateway.invocations(), 0);
    assert_eq!(host.count(), 4, "only the open route");
}

#[test]
fn an_open_route_asks_nobody_whatever_token_comes() {
    let (gateway, host) = gateway();
    let routes = gateway.settings().routes().to_vec();
    let open: Vec<_> = routes.iter().filter(|route| route.access == Access::Open).collect();
    assert!(open.len() > 5, "{routes:?}");
    for route in &open {
        let path = route.key.trim_start_matches("ANY ").replace("{proxy+}", "below/it");
        for request in
            [Request::new("GET", &path), Request::new("GET", &path).header("authorization", "Bearer wrong")]
        {
            assert_eq!(send(&gateway, &request).text(), "ok", "{path}");
        }
    }
    assert_eq!((gateway.invocations(), host.count()), (0, 2 * open.len()));
}

#[test]
fn a_denied_request_is_a_fixed_403_and_never_reaches_the_host() {
    let (gateway, host) = gateway();
    gateway.authorize_with(|_: &Value| Ok(json!({"isAuthorized": false, "context": {"grounds": "no"}})));
    for value in ["Bearer x", "Basic dXNlcjpwYXNz", "Bearer", "nonsense"] {
        own_answer(
            &send(&gateway, &Request::new("POST", "/mcp").header("authorization", value)),
            403,
            "Forbidden",
        );
    }
    assert_eq!(
        (gateway.invocations(), host.count()),
        (4, 0),
        "a header that is malformed is asked about, too"
    );
}

#[test]
fn an_authorizer_that_does_not_answer_well_is_500() {
    let (gateway, host) = gateway();
    let request = Request::new("POST", "/mcp").header("authorization", "Bearer x");
    // Nothing is deployed yet.
    own_answer(&send(&gateway, &request), 500, "Internal Server Error");
    for answer in [
        json!(null),
        json!({}),
        json!([]),
        json!(true),
        json!("isAuthorized"),
        json!({"isAuthorized": null}),
        json!({"isAuthorized": "true"}),
        json!({"isAuthorized": 1}),
        json!({"is_authorized": true}),
        // The format of the other kind of answers.
        json!({"principalId": "x", "policyDocument": {"Version": "2012-10-17", "Statement": []}}),
    ] {
        gateway.authorize_with(move |_: &Value| Ok(answer.clone()));
        own_answer(&send(&gateway, &request), 500, "Internal Server Error");
    }
    for failure in [Failure::Ended, Failure::Reported("x".to_owned()), Failure::TimedOut] {
        gateway.authorize_with(move |_: &Value| Err(failure.clone()));
        own_answer(&send(&gateway, &request), 500, "Internal Server Error");
    }
    assert_eq!(gateway.settings().authorizer_patience, Duration::from_secs(10));
    gateway.settings().authorizer_patience = Duration::from_millis(50);
    gateway.authorize_with(|_: &Value| {
        std::thread::sleep(Duration::from_millis(100));
        Ok(json!({"isAuthorized": true}))
    });
    own_answer(&send(&gateway, &request), 500, "Internal Server Error");
    assert_eq!(host.count(), 0);
}

/// The real program in every state that Lambda can meet it in.
#[test]
fn the_real_authorizer_fails_closed_and_comes_back() {
    let edge = Edge::start(TestServer::start().with_vault(TestVault::new().note("a.md", "a")));
    let (token, url) = (edge.server().token().to_owned(), edge.gateway().url());
    let request = edge.list_tools_with(&token);
    Edge::lists_tools(&edge.send(&request));

    // As it is before its first deployment with a token, and with half of its settings.
    for variables in [&[][..], &[("MCP_AUTH_TOKEN", &*token)], &[("PUBLIC_URL", &*url)]] {
        edge.function().redeploy(variables);
        own_answer(&edge.send(&request), 500, "Internal Server Error");
    }
    edge.function().redeploy(&[("MCP_AUTH_TOKEN", &token), ("PUBLIC_URL", &url)]);
    Edge::lists_tools(&edge.send(&request));

    // It hangs: the time it may take ends, and the next request finds a new one.
    edge.function().set_timeout(Duration::from_millis(300));
    edge.function().hang();
    own_answer(&edge.send(&request), 500, "Internal Server Error");
    edge.function().set_timeout(Duration::from_secs(5));
    Edge::lists_tools(&edge.send(&request));
}

#[test]
fn no_answer_is_remembered() {
    let edge = Edge::start(TestServer::start().with_vault(TestVault::new().note("a.md", "a")));
    let request = edge.list_tools_with(edge.server().token());
    for asked in 1..=2 {
        Edge::lists_tools(&edge.send(&request));
        assert_eq!(edge.gateway().invocations(), asked);
    }
    // The secret is replaced at the edge: the same token is refused with the next request.
    let url = edge.gateway().url();
    edge.function().redeploy(&[("MCP_AUTH_TOKEN", "another-token-of-the-owner"), ("PUBLIC_URL", &url)]);
    own_answer(&edge.send(&request), 403, "Forbidden");
    assert_eq!(edge.gateway().invocations(), 3);
}

#[test]
fn the_event_is_format_2_with_names_in_lower_case() {
    let (gateway, _host) = open_gateway();
    let request = Request::new("POST", "/mcp?b=2&a=1&b=3")
        .header("AUTHORIZATION", "Bearer x")
        .header("X-Twice", "one")
        .header("x-twice", "two")
        .header("Cookie", "a=1; b=2")
        .header("User-Agent", "test");
    let entrance = gateway.entrance("203.0.113.7".parse().unwrap());
    assert_eq!(Connection::new(entrance).send(&request).text(), "ok");
    let event = &gateway.events()[0];
    let expected = json!({
        "version": "2.0",
        "type": "REQUEST",
        "identitySource": ["Bearer x"],
        "routeKey": "ANY /mcp",
        "rawPath": "/mcp",
        "rawQueryString": "b=2&a=1&b=3",
        "queryStringParameters": {"b": "2,3", "a": "1"},
        "cookies": ["a=1", "b=2"],
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&event[name], value, "{name}");
    }
    let headers = event["headers"].as_object().unwrap();
    assert!(headers.keys().all(|name| *name == name.to_lowercase()), "{headers:?}");
    assert_eq!(headers["authorization"], "Bearer x");
    assert_eq!(headers["x-twice"], "one,two");
    assert_eq!(headers["x-forwarded-for"], "203.0.113.7");
    assert!(!headers.contains_key("cookie"));
    assert_eq!(event["requestContext"]["http"]["sourceIp"], "203.0.113.7");
    assert_eq!(event["requestContext"]["http"]["method"], "POST");
}
