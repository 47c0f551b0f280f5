//! The event, read leniently: what is not there or not of its type is simply not there. The types of
//! `aws_lambda_events` would fail on a null header, and a failure is a 500 for the client.

use serde_json::Value;

/// An event from the runtime's bytes; bytes that are no JSON are the event `null`.
#[must_use]
pub fn read_event(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or(Value::Null)
}

/// Whether this is a request authorizer event in format 2.0.
pub(crate) fn is_request(event: &Value) -> bool {
    event.get("version").and_then(Value::as_str) == Some("2.0")
        && event.get("type").and_then(Value::as_str) == Some("REQUEST")
}

/// The path as the client sent it.
pub(crate) fn raw_path(event: &Value) -> Option<&str> {
    event.get("rawPath")?.as_str()
}

/// All values of the `Authorization` header, whatever case its name has. `None` when one is no text.
pub(crate) fn authorization(event: &Value) -> Option<Vec<&[u8]>> {
    let Some(headers) = event.get("headers").and_then(Value::as_object) else { return Some(Vec::new()) };
    headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("authorization"))
        .map(|(_, value)| value.as_str().map(str::as_bytes))
        .collect()
}
