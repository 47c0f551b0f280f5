//! Every route, and what stands before it.
//!
//! | route | methods | who |
//! | --- | --- | --- |
//! | `/mcp`, `/mcp/` | POST (others 405 once authenticated; OPTIONS is the CORS preflight) | bearer token |
//! | `/healthz` | GET, HEAD | anyone |
//! | `/.well-known/oauth-protected-resource`, and with `/mcp` behind it | GET | anyone, any page |
//! | `/.well-known/oauth-authorization-server`, `/.well-known/openid-configuration`, and with `/mcp` behind or before | GET | anyone, any page |
//! | `/register`, `/token`, `/revoke` | POST | clients, any page |
//! | `/authorize` | GET, POST | the owner's browser |
//! | `/oauth/decide` | POST | the owner's browser, from the page of `/authorize` |
//!
//! On the way to `/mcp`, outermost first: what is left of a refused body, the client's address, access log
//! with the request id, headers of every answer, Host and Origin, CORS, authentication, body limit, JSON,
//! `Accept`. A request that fails one never reaches the next.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{Method, StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;
use tower::Service as _;

use super::bearer::{self, Guard};
use super::body::{self, McpBody};
use super::headers::{self, StandardHeaders};
use super::host_check::{self, AllowedNames};
use super::{accept, access_log, client_address, cors, drain, health, problem};
use crate::app::App;
use crate::config::{AccessConfig, HttpConfig};
use crate::mcp::McpServer;
use crate::oauth::Oauth;

/// What the router is built from.
pub(crate) struct HttpSettings<'a> {
    /// Names, origins and the public URL.
    pub(crate) http: &'a HttpConfig,
    /// The token.
    pub(crate) access: &'a AccessConfig,
    /// The OAuth server.
    pub(crate) oauth: &'a Oauth,
    /// Cancelled when requests still running are to be given up.
    pub(crate) give_up: CancellationToken,
}

/// The service behind `/mcp`: stateless, one JSON answer per request.
type Mcp = StreamableHttpService<McpServer, NeverSessionManager>;

/// The whole surface.
pub(crate) fn router(app: &Arc<App>, settings: &HttpSettings<'_>) -> Router {
    let names = Arc::new(AllowedNames::new(settings.http));
    let hosts = Arc::clone(&names);
    let guard = Arc::new(Guard::new(settings.access, settings.oauth.clone()));
    let standard = StandardHeaders { https: settings.oauth.public_origin().as_str().starts_with("https:") };

    let mcp = Router::new()
        .route("/mcp", any(serve_mcp))
        .route("/mcp/", any(serve_mcp))
        .with_state(mcp_service(app, settings.give_up.clone()))
        .layer(from_fn(accept::repair))
        .layer(from_fn(body::check))
        .layer(from_fn(only_post))
        .layer(from_fn_with_state(guard, bearer::authenticate))
        .layer(cors::layer(Arc::clone(&names)))
        .layer(from_fn_with_state(names, host_check::check));
    Router::new()
        .route("/healthz", get(health::report).with_state(Arc::clone(app)))
        .merge(mcp)
        .merge(settings.oauth.router().layer(from_fn_with_state(hosts, host_check::only_hosts)))
        .fallback(not_found)
        .layer(from_fn_with_state(standard, headers::add))
        .layer(from_fn(access_log::record))
        .layer(from_fn_with_state(settings.http.proxy_trust, client_address::note))
        .layer(from_fn(drain::rest))
}

fn mcp_service(app: &Arc<App>, give_up: CancellationToken) -> Mcp {
    let app = Arc::clone(app);
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        // Both are checked before, with our own lists and answers.
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_max_request_body_bytes(body::MOST_BYTES)
        .with_cancellation_token(give_up);
    StreamableHttpService::new(
        move || Ok(McpServer::over_http(Arc::clone(&app))),
        Arc::new(NeverSessionManager::default()),
        config,
    )
}

async fn serve_mcp(State(mut mcp): State<Mcp>, request: axum::extract::Request) -> Response {
    let id = request.extensions().get::<McpBody>().and_then(|body| body.id.clone());
    let response = match mcp.call(request).await {
        Ok(response) => response.map(axum::body::Body::new),
        Err(never) => match never {},
    };
    problem::as_json(response, id).await
}

/// Sessions do not exist here, so neither do GET streams and DELETE. Stands behind the bearer
/// check: a caller without a token learns nothing of the surface.
async fn only_post(request: axum::extract::Request, next: axum::middleware::Next) -> Response {
    if request.method() == Method::POST {
        return next.run(request).await;
    }
    let mut response = problem::plain(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "this endpoint takes POST only: it keeps no sessions and no streams",
    );
    response.headers_mut().insert(header::ALLOW, axum::http::HeaderValue::from_static("POST"));
    response
}

async fn not_found() -> Response {
    problem::plain(StatusCode::NOT_FOUND, "not_found", "there is nothing here; the endpoint is /mcp")
        .into_response()
}
