//! What clients discover: the protected resource (RFC 9728) and the authorization server (RFC 8414), at the
//! places where clients look for them.

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use serde_json::{Value, json};
use token::SCOPE;

use super::{Oauth, OauthSettings};

/// Asked for by clients that want to stay connected; they get refresh tokens with or without it.
pub(super) const OFFLINE_ACCESS: &str = "offline_access";

/// How a client may prove itself at `/token` and `/revoke`.
const AUTH_METHODS: [&str; 3] = ["none", "client_secret_post", "client_secret_basic"];

/// The routes of both documents.
pub(super) fn router(settings: &OauthSettings) -> Router<Oauth> {
    let origin = settings.origin.as_str();
    let document = |value: Value| -> MethodRouter<Oauth> {
        let value = Arc::new(value);
        get(move |State(_): State<Oauth>| std::future::ready(cached(&value)))
    };
    let resource = |path: &str| document(protected_resource(settings, &format!("{origin}{path}")));
    let server = || document(authorization_server(settings));
    Router::new()
        // A client derives the place from the URL it was given and holds `resource` against that URL, byte
        // for byte: so each spelling has a document of its own.
        .route("/.well-known/oauth-protected-resource", resource("/"))
        .route("/.well-known/oauth-protected-resource/mcp", resource("/mcp"))
        .route("/.well-known/oauth-protected-resource/mcp/", resource("/mcp/"))
        .route("/.well-known/oauth-authorization-server", server())
        .route("/.well-known/openid-configuration", server())
        // Where clients look that take the endpoint's URL for the issuer's. Not below `/mcp`: a gateway that
        // asks for a token there would not let them through.
        .route("/.well-known/oauth-authorization-server/mcp", server())
        .route("/.well-known/openid-configuration/mcp", server())
}

fn cached(document: &Value) -> Response {
    let mut response = Json(document).into_response();
    let value = HeaderValue::from_static("public, max-age=300");
    response.headers_mut().insert(header::CACHE_CONTROL, value);
    response
}

/// RFC 9728 section 2. `offline_access` is not among the scopes: it is nothing the resource asks for.
fn protected_resource(settings: &OauthSettings, resource: &str) -> Value {
    let mut document = json!({
        "resource": resource,
        "authorization_servers": [settings.origin.issuer()],
        "scopes_supported": [SCOPE],
        "bearer_methods_supported": ["header"],
        "resource_name": "Vault Cortex",
    });
    if let (Some(url), Some(fields)) = (&settings.service_documentation, document.as_object_mut()) {
        fields.insert("resource_documentation".to_owned(), json!(url));
    }
    document
}

/// RFC 8414 section 2.
fn authorization_server(settings: &OauthSettings) -> Value {
    let at = |path: &str| format!("{}{path}", settings.origin.as_str());
    let mut document = json!({
        "issuer": settings.origin.issuer(),
        "authorization_endpoint": at("/authorize"),
        "token_endpoint": at("/token"),
        "registration_endpoint": at("/register"),
        "revocation_endpoint": at("/revoke"),
        "scopes_supported": [SCOPE, OFFLINE_ACCESS],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": AUTH_METHODS,
        "revocation_endpoint_auth_methods_supported": AUTH_METHODS,
        "client_id_metadata_document_supported": true,
        "authorization_response_iss_parameter_supported": true,
    });
    if let (Some(url), Some(fields)) = (&settings.service_documentation, document.as_object_mut()) {
        fields.insert("service_documentation".to_owned(), json!(url));
    }
    document
}
