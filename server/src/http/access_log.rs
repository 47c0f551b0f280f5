//! One record per request: what was asked, how it ended, how long it took. Never a token, a query
//! text or a query string.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;

use super::body::Called;
use super::client_address::ClientAddress;
use super::request_id::RequestId;

/// The methods that are named; others may be any word.
const METHODS: [Method; 7] =
    [Method::GET, Method::HEAD, Method::POST, Method::OPTIONS, Method::PUT, Method::PATCH, Method::DELETE];

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Left in the response by the bearer check: the name of the caller.
#[derive(Clone)]
pub(super) struct Caller(pub(super) String);

/// Left in the response by the bearer check: why the caller was not let in, in one word.
#[derive(Clone, Copy)]
pub(super) struct Denied(pub(super) &'static str);

/// Gives the request its id and logs its end.
pub(super) async fn record(mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = RequestId::of(request.headers().get(X_REQUEST_ID).and_then(|value| value.to_str().ok()));
    request.extensions_mut().insert(id.clone());
    let method = request.method().clone();
    // A path that is none of ours may be anything that was put into the wrong place.
    let path = request.extensions().get::<MatchedPath>().cloned();
    let path = path.as_ref().map_or("unknown", MatchedPath::as_str);
    let address =
        request.extensions().get::<ClientAddress>().map(|ClientAddress(address)| address.to_string());
    let mut response = next.run(request).await;
    if let Ok(value) = HeaderValue::from_str(id.as_str()) {
        response.headers_mut().insert(X_REQUEST_ID, value);
    }
    let status = response.status().as_u16();
    let duration = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    // Health checks come every few seconds and say nothing while they succeed.
    if path == "/healthz" && status == 200 {
        tracing::debug!(http.status = status, client.ip = address, duration.us = duration, "health checked");
        return response;
    }
    let extensions = response.extensions();
    let called = extensions.get::<Called>();
    tracing::info!(
        request.id = id.as_str(),
        http.method = METHODS.iter().find(|known| **known == method).map_or("unknown", Method::as_str),
        http.path = path,
        http.status = status,
        mcp.method = called.map(|called| called.method),
        tool.name = called.and_then(|called| called.tool.as_deref()),
        caller.name = extensions.get::<Caller>().map(|caller| caller.0.as_str()),
        auth.denied = extensions.get::<Denied>().map(|denied| denied.0),
        client.ip = address,
        duration.us = duration,
        "request"
    );
    response
}
