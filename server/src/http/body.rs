//! The body of a `POST /mcp`: how long it may be, how long it may take, and that it is one
//! JSON-RPC message. What fails here gets a JSON-RPC error and never a 500.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::problem::{self, INVALID_REQUEST, PARSE_ERROR};
use crate::mcp::registry::is_known;

/// The longest body: a note of this size can be written.
pub(super) const MOST_BYTES: usize = 10 * 1024 * 1024;

/// How long a body may take to arrive: a client that sends a byte a second holds no connection.
const PATIENCE: Duration = Duration::from_secs(30);

/// What was read of the message, for the handlers behind.
#[derive(Debug, Clone)]
pub(super) struct McpBody {
    /// The id of the request; `None` for a notification.
    pub(super) id: Option<Value>,
}

/// What was called, for the access log. Known names only; others are `unknown`.
#[derive(Debug, Clone)]
pub(super) struct Called {
    /// The protocol's method.
    pub(super) method: &'static str,
    /// The tool of a `tools/call`.
    pub(super) tool: Option<String>,
}

/// The methods and notifications that clients send, in any revision of the protocol.
const METHODS: [&str; 23] = [
    "initialize",
    "ping",
    "server/discover",
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "subscriptions/listen",
    "logging/setLevel",
    "tasks/get",
    "tasks/list",
    "tasks/cancel",
    "tasks/result",
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/progress",
    "notifications/roots/list_changed",
];

/// The parts of a message that are looked at here.
#[derive(Deserialize)]
struct Envelope<'a> {
    jsonrpc: Option<&'a str>,
    method: Option<String>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct CallParams {
    name: Option<String>,
}

/// Reads the whole body and checks that it is one message.
pub(super) async fn check(request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let declared = parts
        .headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<u64>().ok());
    if declared.is_some_and(|length| length > MOST_BYTES as u64) {
        return too_large();
    }
    let is_json =
        parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|value| {
            value.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
        });
    if !is_json {
        return problem::json_rpc(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            INVALID_REQUEST,
            "Unsupported Media Type: send Content-Type: application/json",
            None,
        );
    }
    let bytes = match tokio::time::timeout(PATIENCE, to_bytes(body, MOST_BYTES)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(error)) => {
            return if is_length_limit(&error) {
                too_large()
            } else {
                problem::json_rpc(
                    StatusCode::BAD_REQUEST,
                    INVALID_REQUEST,
                    "the body did not arrive whole",
                    None,
                )
            };
        }
        Err(_) => {
            return problem::json_rpc(
                StatusCode::REQUEST_TIMEOUT,
                INVALID_REQUEST,
                "the body took too long to arrive",
                None,
            );
        }
    };
    let (id, called) = match read_message(&bytes) {
        Ok(message) => message,
        Err((code, message)) => return problem::json_rpc(StatusCode::BAD_REQUEST, code, &message, None),
    };
    parts.extensions.insert(McpBody { id });
    let mut response = next.run(Request::from_parts(parts, Body::from(bytes))).await;
    response.extensions_mut().insert(called);
    response
}

/// The id of the message and what it calls.
fn read_message(bytes: &[u8]) -> Result<(Option<Value>, Called), (i32, String)> {
    // RFC 8259 section 8.1: JSON is UTF-8. What the envelope skips would go unchecked otherwise.
    if std::str::from_utf8(bytes).is_err() {
        return Err((PARSE_ERROR, "the body is not JSON: it is not UTF-8".to_owned()));
    }
    if is_deep(bytes) {
        return Err((PARSE_ERROR, format!("the body nests deeper than {MOST_DEPTH} levels")));
    }
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if first == Some(&b'[') && serde_json::from_slice::<&RawValue>(bytes).is_ok() {
        return Err((INVALID_REQUEST, "batches are not part of this protocol: send one message".to_owned()));
    }
    let envelope: Envelope<'_> = match serde_json::from_slice(bytes) {
        Ok(envelope) => envelope,
        Err(error) if error.is_data() && serde_json::from_slice::<&RawValue>(bytes).is_ok() => {
            return Err((INVALID_REQUEST, "the body is not a JSON-RPC message".to_owned()));
        }
        // The error names line and column and quotes nothing.
        Err(error) => return Err((PARSE_ERROR, format!("the body is not JSON: {error}"))),
    };
    if envelope.jsonrpc != Some("2.0") {
        return Err((INVALID_REQUEST, "the message is not JSON-RPC 2.0".to_owned()));
    }
    let id: Option<Value> = envelope.id.and_then(|id| serde_json::from_str(id.get()).ok());
    match &id {
        None | Some(Value::String(_)) => {}
        Some(Value::Number(number)) if number.is_i64() || number.is_u64() => {}
        Some(_) => return Err((INVALID_REQUEST, "the id is neither a text nor a whole number".to_owned())),
    }
    let Some(method) = envelope.method else {
        return Err((INVALID_REQUEST, "the message has no method".to_owned()));
    };
    let tool = (method == "tools/call")
        .then(|| envelope.params.and_then(|params| serde_json::from_str::<CallParams>(params.get()).ok()))
        .flatten()
        .and_then(|params| params.name);
    // What is no name of ours may be anything that a client put in the wrong place.
    let method = METHODS.iter().find(|known| **known == method).copied().unwrap_or("unknown");
    let tool = tool.map(|tool| if is_known(&tool) { tool } else { "unknown".to_owned() });
    Ok((id, Called { method, tool }))
}

/// How deep arrays and objects may nest: the parser behind stops at 128.
const MOST_DEPTH: usize = 100;

/// Whether brackets outside of texts nest too deep.
fn is_deep(bytes: &[u8]) -> bool {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MOST_DEPTH {
            return true;
        }
    }
    false
}

fn too_large() -> Response {
    problem::json_rpc(StatusCode::PAYLOAD_TOO_LARGE, INVALID_REQUEST, "the body is longer than 10 MiB", None)
}

/// Whether reading stopped at the limit (and not because the client went away).
fn is_length_limit(error: &axum::Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.to_string().contains("length limit exceeded") {
            return true;
        }
        cause = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn refused(body: &str, code: i32) {
        let error = read_message(body.as_bytes()).unwrap_err();
        assert_eq!(error.0, code, "{body}: {}", error.1);
    }

    #[test]
    fn what_is_not_json_is_a_parse_error() {
        for body in ["", "   ", "{", "{]", "nope", "{\"jsonrpc\":\"2.0\"", "\u{feff}{}", "[1,", "{} x"] {
            refused(body, PARSE_ERROR);
        }
        assert_eq!(read_message(b"{\"a\":\"\xff\"}").unwrap_err().0, PARSE_ERROR);
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        refused(&format!("{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{deep}}}"), PARSE_ERROR);
    }

    #[test]
    fn json_that_is_no_message_is_an_invalid_request() {
        for body in [
            "[]",
            "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
            "1",
            "\"text\"",
            "null",
            "{}",
            "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":1}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}",
            "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
        ] {
            refused(body, INVALID_REQUEST);
        }
    }

    #[test]
    fn names_are_read_and_nothing_else() {
        let body = r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"vault_search","arguments":{"query":"secret"}}}"#;
        let (id, called) = read_message(body.as_bytes()).unwrap();
        assert_eq!(id, Some(json!("a")));
        assert_eq!((called.method, called.tool.as_deref()), ("tools/call", Some("vault_search")));
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"s3cret"}}"#;
        assert_eq!(read_message(body.as_bytes()).unwrap().1.tool.as_deref(), Some("unknown"));
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"s3cret"}"#;
        assert_eq!(read_message(body.as_bytes()).unwrap().1.method, "unknown");
        let (id, called) =
            read_message(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).unwrap();
        assert_eq!((id, called.tool), (None, None));
    }
}
