//! The bearer token: who calls is decided here and nowhere else.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use token::{BearerError, Secret};
use vault::Principal;

use super::access_log::Caller;
use super::problem;
use crate::config::AccessConfig;

/// What a token is checked against, and what a caller without one is told.
pub(super) struct Guard {
    token: Secret,
    /// RFC 9728: where a client learns how to get a token.
    missing: HeaderValue,
    /// The same, for a token that was refused (RFC 6750 section 3).
    refused: HeaderValue,
}

impl Guard {
    pub(super) fn new(access: &AccessConfig, public_url: &str) -> Self {
        // RFC 9728 section 3.1: the well-known part goes between the host and the resource's path.
        let metadata = match public_url.split_once("://").and_then(|(scheme, rest)| {
            let (host, path) = rest.split_once('/')?;
            Some(format!("{scheme}://{host}/.well-known/oauth-protected-resource/{path}/mcp"))
        }) {
            Some(url) => url,
            None => format!("{public_url}/.well-known/oauth-protected-resource/mcp"),
        };
        let challenge = |error: &str| {
            HeaderValue::try_from(format!("Bearer {error}resource_metadata=\"{metadata}\", scope=\"vault\""))
                .unwrap_or_else(|_| HeaderValue::from_static("Bearer"))
        };
        Self {
            token: access.token.clone(),
            missing: challenge(""),
            refused: challenge("error=\"invalid_token\", "),
        }
    }
}

/// Lets a request with the right token through, with its [`Principal`]; answers others with 401.
pub(super) async fn authenticate(
    State(guard): State<Arc<Guard>>,
    mut request: Request,
    next: Next,
) -> Response {
    let headers = request.headers().get_all(header::AUTHORIZATION);
    match token::bearer(headers.iter().map(HeaderValue::as_bytes)) {
        Ok(presented) if guard.token.matches(&presented) => {}
        Ok(_) => return problem::unauthorized(&guard.refused, "this token is not valid here"),
        Err(error @ BearerError::Missing) => {
            return problem::unauthorized(&guard.missing, &format!("{error}: send Bearer and the token"));
        }
        Err(error) => return problem::unauthorized(&guard.refused, &error.to_string()),
    }
    let principal = Principal::owner("static-token");
    let caller = Caller(principal.name.clone());
    request.extensions_mut().insert(principal);
    let mut response = next.run(request).await;
    response.extensions_mut().insert(caller);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(public_url: &str) -> Guard {
        Guard::new(&AccessConfig { token: Secret::new("t") }, public_url)
    }

    #[test]
    fn the_challenge_names_the_metadata_of_the_endpoint() {
        assert_eq!(
            guard("https://example.com").missing,
            "Bearer resource_metadata=\"https://example.com/.well-known/oauth-protected-resource/mcp\", scope=\"vault\""
        );
        assert_eq!(
            guard("https://example.com/cortex").refused,
            "Bearer error=\"invalid_token\", resource_metadata=\"https://example.com/.well-known/oauth-protected-resource/cortex/mcp\", scope=\"vault\""
        );
    }
}
