//! Headers that every answer has, whatever it answers. What a handler has set itself stays.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

/// The headers of one deployment.
#[derive(Debug, Clone, Copy)]
pub(super) struct StandardHeaders {
    /// Whether clients reach the server by https: only then may it ask browsers never to come without.
    pub(super) https: bool,
}

/// A year, as preload lists ask for at least. Not for subdomains: they may be somebody else's.
const STRICT_TRANSPORT: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// What browsers are told of answers that are no pages of ours: show nothing in a frame, run nothing, send
/// nobody the URL, keep nothing. Answers hold notes or tokens, or may.
const ALWAYS: [(HeaderName, HeaderValue); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; base-uri 'none'"),
    ),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// Adds what is missing.
pub(super) async fn add(State(standard): State<StandardHeaders>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    standard.complete(response.headers_mut());
    response
}

impl StandardHeaders {
    fn complete(self, headers: &mut HeaderMap) {
        for (name, value) in ALWAYS {
            headers.entry(name).or_insert(value);
        }
        if self.https {
            headers.entry(header::STRICT_TRANSPORT_SECURITY).or_insert(STRICT_TRANSPORT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_handler_set_stays_and_the_rest_is_added() {
        let mut headers = HeaderMap::new();
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("max-age=60"));
        StandardHeaders { https: true }.complete(&mut headers);
        for (name, value) in [
            ("referrer-policy", "same-origin"),
            ("cache-control", "max-age=60"),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("strict-transport-security", "max-age=31536000"),
        ] {
            assert_eq!(headers.get_all(name).iter().collect::<Vec<_>>(), [value], "{name}");
        }
    }

    #[test]
    fn without_https_nothing_is_asked_of_transport() {
        let mut headers = HeaderMap::new();
        StandardHeaders { https: false }.complete(&mut headers);
        assert!(!headers.contains_key(header::STRICT_TRANSPORT_SECURITY));
        assert_eq!(headers[header::CACHE_CONTROL], "no-store");
    }
}
