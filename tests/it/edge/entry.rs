//! Client → gateway → authorizer → server, with the static token and with signed ones.

use harness::{Edge, Request, TestServer, TestVault, tool_call};
use serde_json::{Value, json};

use super::gateway::own_answer;
use super::signing::{FUTURE, PAST, claims, header, sign};

fn edge() -> Edge {
    Edge::start(TestServer::start().with_vault(TestVault::new().note("Bread.md", "# Bread\n\nsourdough\n")))
}

#[test]
fn the_static_token_goes_all_the_way() {
    let edge = edge();
    let token = edge.server().token();
    Edge::lists_tools(&edge.send(&edge.list_tools_with(token)));
    let call = tool_call(2, "vault_search", json!({"query": "sourdough"}));
    let answer = edge.send(&edge.list_tools_with(token).json(&call));
    assert_eq!(
        answer.json()["result"]["structuredContent"]["results"][0]["path"],
        "Bread.md",
        "{}",
        answer.text()
    );
    for scheme in ["bearer", "BEARER"] {
        let request = edge.list_tools().header("authorization", &format!("{scheme} {token}"));
        Edge::lists_tools(&edge.send(&request));
    }
    // Sessions do not exist; that is said behind both checks only.
    let get = edge.send(&Request::new("GET", "/mcp").header("authorization", &format!("Bearer {token}")));
    assert_eq!((get.status, get.header("allow")), (405, Some("POST")));
    assert_eq!(edge.send(&Request::new("GET", "/healthz")).status, 200);
    assert_eq!(edge.gateway().invocations(), 5);
}

#[test]
fn no_token_and_wrong_ones_never_reach_the_server() {
    let edge = edge();
    let token = edge.server().token().to_owned();
    let before = edge.server().log().len();
    own_answer(&edge.send(&edge.list_tools()), 401, "Unauthorized");
    for value in [
        "Bearer wrong".to_owned(),
        format!("Bearer {token}x"),
        format!("Basic {token}"),
        token.clone(),
        format!("Bearer {token},Bearer {token}"),
    ] {
        own_answer(&edge.send(&edge.list_tools().header("authorization", &value)), 403, "Forbidden");
    }
    // Twice is once, joined: neither of the two is picked.
    let twice = edge.list_tools_with(&token).header("Authorization", "Bearer wrong");
    own_answer(&edge.send(&twice), 403, "Forbidden");
    // In the query, where some look for it, it is no identity source and no token.
    let request = Request::new("POST", &format!("/mcp?access_token={token}"));
    own_answer(&edge.send(&request), 401, "Unauthorized");
    assert_eq!(edge.server().log().len(), before, "the server has seen one of them");
}

/// What the edge makes of a signed token. The host has not given it out, so what passes the edge ends in the
/// host's 401, which clients refresh or log in upon; a 403 of the edge would strand them.
#[test]
fn signed_tokens_end_where_the_table_says() {
    let edge = edge();
    let (secret, url) = (edge.server().token().to_owned(), edge.gateway().url());
    let token = |exp, changes: Value| sign(&secret, &header(), &claims(&url, exp, changes));
    let headed = |header: Value| sign(&secret, &header, &claims(&url, FUTURE, json!({})));
    for (name, token, passes) in [
        ("bound, expired", token(PAST, json!({})), true),
        (
            "bound, of a grant that does not exist",
            token(FUTURE, json!({"grant": "none", "jti": "none"})),
            true,
        ),
        ("no audience, not expired", token(FUTURE, json!({"aud": null})), true),
        ("no audience, expired", token(PAST, json!({"aud": null})), false),
        ("another audience", token(FUTURE, json!({"aud": "https://other.example/mcp"})), false),
        ("another audience, expired", token(PAST, json!({"aud": "https://other.example/mcp"})), false),
        ("another issuer", token(FUTURE, json!({"iss": "https://other.example/"})), false),
        (
            "another deployment",
            sign(&secret, &header(), &claims("https://other.example", FUTURE, json!({}))),
            false,
        ),
        ("another key", sign("another", &header(), &claims(&url, FUTURE, json!({}))), false),
        ("alg none", headed(json!({"alg": "none", "typ": "JWT"})), false),
        ("alg HS512", headed(json!({"alg": "HS512", "typ": "JWT"})), false),
        (
            "a key to fetch",
            headed(json!({"alg": "HS256", "typ": "JWT", "jku": "https://evil.example/"})),
            false,
        ),
        ("no scope", token(FUTURE, json!({"scope": null})), false),
        ("an unknown right", token(FUTURE, json!({"rights": ["admin"]})), false),
    ] {
        let response = edge.send(&edge.list_tools_with(&token));
        if passes {
            assert_eq!(response.status, 401, "{name}: {}", String::from_utf8_lossy(&response.body));
            let challenge = response.header("x-amzn-remapped-www-authenticate").unwrap_or_default();
            assert!(challenge.contains("/.well-known/oauth-protected-resource/mcp"), "{name}: {challenge:?}");
        } else {
            assert_eq!((response.status, response.json()), (403, json!({"message": "Forbidden"})), "{name}");
        }
    }
}

/// The gateway calls the host by its address, which is none of the names that `PUBLIC_URL` gives it.
#[test]
fn a_host_that_was_not_told_the_gateways_name_for_it_says_so() {
    let edge = Edge::start(TestServer::start().with_vault(TestVault::new().note("a.md", "a")));
    Edge::lists_tools(&edge.send(&edge.list_tools_with(edge.server().token())));
    edge.gateway().integrate(edge.server().address(), "192.0.2.99:8000");
    let response = edge.send(&edge.list_tools_with(edge.server().token()));
    assert_eq!((response.status, &response.json()["error"]), (403, &json!("host_not_allowed")));
    assert!(response.text().contains("ALLOWED_HOSTS"), "{}", response.text());
}

/// Through the gateway a preflight has no token, and so no answer from the host: pages of other sites cannot
/// call `/mcp` there, hosted clients and programs can.
#[test]
fn a_preflight_ends_at_the_gateway() {
    let edge = edge();
    let preflight = Request::new("OPTIONS", "/mcp")
        .header("origin", "http://localhost:6274")
        .header("access-control-request-method", "POST");
    own_answer(&edge.send(&preflight), 401, "Unauthorized");
}

#[test]
fn without_the_host_the_gateway_says_that_it_is_unavailable() {
    let edge = edge();
    let request = edge.list_tools_with(edge.server().token());
    let gateway = edge.without_host();
    own_answer(&super::gateway::send(&gateway, &request), 503, "Service Unavailable");
}
