//! CORS for `/mcp`: pages on the allowed origins may call the server from a browser.

use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderName, Method, header};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

use super::host_check::AllowedNames;

/// The layer, before authentication: a preflight carries no token.
pub(super) fn layer(names: Arc<AllowedNames>) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(move |origin, _| names.allows_origin(origin)))
        .allow_methods([Method::POST])
        // `*` would not cover Authorization.
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([
            header::WWW_AUTHENTICATE,
            HeaderName::from_static("mcp-session-id"),
            HeaderName::from_static("mcp-protocol-version"),
        ])
        .max_age(Duration::from_secs(600))
}
