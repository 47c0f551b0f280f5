//! What a client finds out before it asks for anything.

use harness::{Request, Response, Server};
use serde_json::{Value, json};

use super::client::{PUBLIC_URL, register_request, server, settings};

fn find(server: &Server, path: &str) -> Value {
    let response = server.send(&Request::new("GET", path));
    assert_eq!(response.status, 200, "{path}: {}", response.text());
    assert_eq!(response.header("content-type"), Some("application/json"), "{path}");
    response.json()
}

/// A client holds `resource` against the URL it was given, byte for byte, so each spelling has its own.
#[test]
fn the_protected_resource_is_the_url_that_was_connected() {
    let server = settings().with_env("PUBLIC_URL", PUBLIC_URL).listening();
    for (suffix, resource) in [("", "/"), ("/mcp", "/mcp"), ("/mcp/", "/mcp/")] {
        let document = find(&server, &format!("/.well-known/oauth-protected-resource{suffix}"));
        assert_eq!(
            document,
            json!({
                "resource": format!("{PUBLIC_URL}{resource}"),
                "authorization_servers": [format!("{PUBLIC_URL}/")],
                // `offline_access` is the authorization server's, none of the resource's.
                "scopes_supported": ["vault"],
                "bearer_methods_supported": ["header"],
                "resource_name": "Vault Cortex",
            })
        );
    }
}

#[test]
fn the_authorization_server_says_what_it_does_wherever_clients_look() {
    let documentation = "https://docs.example.com/";
    let server = settings()
        .with_env("PUBLIC_URL", "https://Vault.example.com:443/")
        .with_env("SERVICE_DOCUMENTATION_URL", documentation)
        .listening();
    let methods = ["none", "client_secret_post", "client_secret_basic"];
    let expected = json!({
        "issuer": format!("{PUBLIC_URL}/"),
        "authorization_endpoint": format!("{PUBLIC_URL}/authorize"),
        "token_endpoint": format!("{PUBLIC_URL}/token"),
        "registration_endpoint": format!("{PUBLIC_URL}/register"),
        "revocation_endpoint": format!("{PUBLIC_URL}/revoke"),
        "scopes_supported": ["vault", "offline_access"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": methods,
        "revocation_endpoint_auth_methods_supported": methods,
        "client_id_metadata_document_supported": true,
        "authorization_response_iss_parameter_supported": true,
        "service_documentation": documentation,
    });
    for path in [
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-authorization-server/mcp",
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/mcp",
    ] {
        assert_eq!(find(&server, path), expected, "{path}");
    }
    // What the gateway guards is no place for what a client needs before it has a token.
    for path in ["/mcp/.well-known/oauth-authorization-server", "/mcp/.well-known/openid-configuration"] {
        assert_eq!(server.send(&Request::new("GET", path)).status, 404, "{path}");
    }
    let resource = find(&server, "/.well-known/oauth-protected-resource/mcp");
    assert_eq!(resource["resource_documentation"], documentation);
}

#[test]
fn nothing_that_is_sent_out_comes_from_the_host_header() {
    let server = settings()
        .with_env("PUBLIC_URL", PUBLIC_URL)
        .with_env("ALLOWED_HOSTS", "origin.internal")
        .listening();
    for path in ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"] {
        let request = Request::new("GET", path)
            .header("host", "origin.internal")
            .header("x-forwarded-host", "evil.example")
            .header("x-forwarded-proto", "http");
        let response = server.send(&request);
        assert_eq!(response.status, 200);
        assert!(response.text().contains(PUBLIC_URL) && !response.text().contains("origin.internal"));
        assert!(!response.text().contains("evil.example"));
    }
}

/// DNS rebinding: a page under a name of its own that leads here gets nothing.
#[test]
fn a_name_that_is_not_ours_is_not_answered() {
    let server = server();
    for path in ["/.well-known/oauth-authorization-server", "/authorize?client_id=x"] {
        let response = server.send(&Request::new("GET", path).header("host", "evil.example"));
        assert_eq!((response.status, &response.json()["error"]), (403, &json!("host_not_allowed")), "{path}");
    }
}

#[track_caller]
fn readable_by_any_page(response: &Response) {
    assert_eq!(response.header("access-control-allow-origin"), Some("*"), "{}", response.text());
    assert_eq!(response.header("access-control-allow-credentials"), None);
}

#[test]
fn clients_in_a_browser_may_call_what_clients_call() {
    let server = server();
    let origin = "https://inspector.example";
    for path in [
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server",
        "/register",
        "/token",
        "/revoke",
    ] {
        let preflight = Request::new("OPTIONS", path)
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization, content-type, mcp-protocol-version");
        let response = server.send(&preflight);
        assert_eq!(response.status, 200, "{path}");
        readable_by_any_page(&response);
        // A wildcard would not cover Authorization.
        let allowed = response.header("access-control-allow-headers").unwrap();
        assert!(allowed.contains("authorization") && allowed.contains("mcp-protocol-version"), "{allowed}");
    }
    let registered = register_request(&json!({"redirect_uris": ["https://inspector.example/callback"]}));
    let response = server.send(&registered.header("origin", origin));
    assert_eq!(response.status, 201);
    readable_by_any_page(&response);
    assert!(response.header("access-control-expose-headers").unwrap().contains("www-authenticate"));
}

/// What a person is shown, no page may read.
#[test]
fn pages_may_not_read_what_the_owner_is_shown() {
    let server = server();
    for path in ["/authorize", "/oauth/decide"] {
        let preflight = Request::new("OPTIONS", path)
            .header("origin", "https://evil.example")
            .header("access-control-request-method", "POST");
        assert_eq!(server.send(&preflight).header("access-control-allow-origin"), None, "{path}");
    }
}

/// Where nothing is, there is nothing; where another method is, that is said.
#[test]
fn other_methods_and_places_are_refused() {
    let server = server();
    for path in ["/register", "/token", "/revoke", "/oauth/decide"] {
        let response = server.send(&Request::new("GET", path));
        assert_eq!((response.status, response.header("allow")), (405, Some("POST")), "{path}");
    }
    for path in ["/.well-known/oauth-protected-resource/other", "/.well-known/jwks.json", "/oauth/consent"] {
        assert_eq!(server.send(&Request::new("GET", path)).status, 404, "{path}");
    }
}
