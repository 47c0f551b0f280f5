//! Errors of the pages that a person opens, in words.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use super::page::notice;

/// The longest error that is read; ours are a few hundred bytes.
const MOST_BYTES: usize = 16 * 1024;

/// Shows an error of these endpoints as a page to who asks for pages: browsers do, programs get the JSON.
pub(crate) async fn errors_in_words(request: Request, next: Next) -> Response {
    let wants_page = request
        .headers()
        .get_all(header::ACCEPT)
        .iter()
        .any(|accept| accept.to_str().is_ok_and(|accept| accept.contains("text/html")));
    let response = next.run(request).await;
    let is_error = response.status().is_client_error() || response.status().is_server_error();
    if !wants_page || !is_error {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, MOST_BYTES).await else {
        return Response::from_parts(parts, Body::empty());
    };
    let error: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
    let Some(text) = error["error_description"].as_str() else {
        return Response::from_parts(parts, Body::from(body));
    };
    let page = notice("This did not work", &sentence(text));
    let headers = &mut parts.headers;
    headers.remove(header::CONTENT_LENGTH);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    if let Ok(policy) = HeaderValue::from_str(&page.csp) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Response::from_parts(parts, Body::from(page.html))
}

/// A description as a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return String::new() };
    // Names of parameters stay as they are.
    let is_name = text.split(' ').next().is_some_and(|word| word.contains('_'));
    let first = if is_name { first.to_string() } else { first.to_uppercase().to_string() };
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn a_description_becomes_a_sentence() {
        for (text, expected) in [
            ("this page has expired", "This page has expired."),
            ("client_id is not known here", "client_id is not known here."),
            ("done!", "Done!"),
            ("", ""),
        ] {
            assert_eq!(sentence(text), expected);
        }
    }
}
