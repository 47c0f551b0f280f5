//! Errors as JSON: a JSON-RPC error on `/mcp`, `{"error", "error_description"}` elsewhere.

use axum::Json;
use axum::body::to_bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// JSON-RPC: the text is not JSON.
pub(super) const PARSE_ERROR: i32 = -32_700;
/// JSON-RPC: the JSON is not a request.
pub(super) const INVALID_REQUEST: i32 = -32_600;
/// MCP: a protocol revision that this server does not speak.
const UNSUPPORTED_VERSION: i32 = -32_022;

/// An error of the HTTP layer, in the form that OAuth gave to such errors.
pub(super) fn plain(status: StatusCode, error: &str, description: &str) -> Response {
    (status, Json(json!({"error": error, "error_description": description}))).into_response()
}

/// An error of the protocol. `id` is that of the request, when it could be read.
pub(super) fn json_rpc(status: StatusCode, code: i32, message: &str, id: Option<&Value>) -> Response {
    let body = json!({
        "jsonrpc": "2.0",
        "id": id,
        "error": {"code": code, "message": message},
    });
    (status, Json(body)).into_response()
}

/// rmcp answers some refusals in plain text; clients that parse every body as JSON trip over that.
pub(super) async fn as_json(response: Response, id: Option<Value>) -> Response {
    let status = response.status();
    let is_json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"application/json"));
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    // The content type was checked before: this is a message that does not have the protocol's form.
    let status = if status == StatusCode::UNSUPPORTED_MEDIA_TYPE { StatusCode::BAD_REQUEST } else { status };
    // These bodies are one sentence.
    let body = to_bytes(response.into_body(), 4_096).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&body);
    let message =
        if text.trim().is_empty() { status.canonical_reason().unwrap_or("error") } else { text.trim() };
    let code = if message.contains("Unsupported MCP-Protocol-Version") {
        UNSUPPORTED_VERSION
    } else {
        INVALID_REQUEST
    };
    json_rpc(status, code, message, id.as_ref())
}
