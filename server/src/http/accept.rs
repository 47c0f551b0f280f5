//! `Accept`: the protocol wants both types named; clients that name one, `*/*` or nothing are
//! helped, since they get JSON either way.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use super::body::McpBody;
use super::problem;

const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// Completes the header, or refuses a client that wants something else altogether.
pub(super) async fn repair(mut request: Request, next: Next) -> Response {
    if !acceptable(request.headers()) {
        let id = request.extensions().get::<McpBody>().and_then(|body| body.id.as_ref());
        return problem::json_rpc(
            StatusCode::NOT_ACCEPTABLE,
            problem::INVALID_REQUEST,
            "Not Acceptable: answers are application/json",
            id,
        );
    }
    request.headers_mut().insert(header::ACCEPT, BOTH);
    next.run(request).await
}

/// Whether JSON or an event stream would be taken. A type with `q=0` is not.
fn acceptable(headers: &HeaderMap) -> bool {
    let mut named = false;
    for value in headers.get_all(header::ACCEPT) {
        let Ok(value) = value.to_str() else { continue };
        for range in value.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let Some(essence) = parts.next().filter(|essence| !essence.is_empty()) else { continue };
            named = true;
            let refused = parts.any(|parameter| {
                parameter.split_once('=').is_some_and(|(name, weight)| {
                    name.trim().eq_ignore_ascii_case("q")
                        && weight.trim().parse::<f32>().is_ok_and(|weight| weight == 0.0)
                })
            });
            let ours = ["*/*", "application/*", "application/json", "text/*", "text/event-stream"];
            if !refused && ours.iter().any(|range| range.eq_ignore_ascii_case(essence)) {
                return true;
            }
        }
    }
    !named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(accept: &[&'static str], expected: bool) {
        let mut headers = HeaderMap::new();
        for value in accept {
            headers.append(header::ACCEPT, HeaderValue::from_static(value));
        }
        assert_eq!(acceptable(&headers), expected, "{accept:?}");
    }

    #[test]
    fn what_is_helped_and_what_is_refused() {
        case(&[], true);
        case(&[""], true);
        case(&["*/*"], true);
        case(&["application/json"], true);
        case(&["text/event-stream"], true);
        case(&["application/json, text/event-stream"], true);
        case(&["text/html", "application/json;q=0.5"], true);
        case(&["Application/JSON; charset=utf-8"], true);
        case(&["text/html"], false);
        case(&["application/json;q=0"], false);
        case(&["application/json;q=0, text/html"], false);
        case(&["image/png, application/xml"], false);
    }
}
