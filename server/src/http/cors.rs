//! CORS: which pages may call the server from a browser, and what they may read of its answers.

use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderName, Method, header};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

use super::host_check::AllowedNames;

/// How long a browser may keep the answer to a preflight.
const KEEP: Duration = Duration::from_secs(600);

/// For `/mcp`: pages on the allowed origins. Stands before authentication: a preflight carries no token.
pub(super) fn layer(names: Arc<AllowedNames>) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(move |origin, _| names.allows_origin(origin)))
        // Of these only POST is served; a client that tries the others must be able to read the 405.
        .allow_methods([Method::POST, Method::GET, Method::DELETE])
        // `*` would not cover Authorization.
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED)
        .max_age(KEEP)
}

/// What pages may read beside the body.
const EXPOSED: [HeaderName; 4] = [
    header::WWW_AUTHENTICATE,
    header::RETRY_AFTER,
    HeaderName::from_static("mcp-session-id"),
    HeaderName::from_static("mcp-protocol-version"),
];
