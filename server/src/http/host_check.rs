//! `Host` and `Origin`: a page that a browser was tricked into showing (DNS rebinding) must not
//! reach a server in one's own network.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::Response;

use super::problem;
use crate::config::{HostName, HttpConfig, parse_origin};

/// The names this server may be called by.
pub(super) struct AllowedNames {
    hosts: Vec<HostName>,
    origins: Vec<String>,
}

impl AllowedNames {
    pub(super) fn new(config: &HttpConfig) -> Self {
        let mut hosts = config.allowed_hosts.clone();
        hosts.push(config.public_url.host.clone());
        Self { hosts, origins: config.allowed_origins.clone() }
    }

    /// The host of the public URL, loopback, or an allowed one.
    pub(super) fn allows_host(&self, host: &HostName) -> bool {
        host.is_loopback() || self.hosts.iter().any(|allowed| allowed.allows(host))
    }

    /// An allowed origin, or one on an allowed host.
    pub(super) fn allows_origin(&self, origin: &HeaderValue) -> bool {
        let Some(origin) = origin.to_str().ok().and_then(parse_origin) else { return false };
        if self.origins.contains(&origin) {
            return true;
        }
        match origin.split_once("://") {
            Some(("http" | "https", host)) => {
                HostName::parse(host).is_some_and(|host| self.allows_host(&host))
            }
            _ => false,
        }
    }
}

/// Refuses names that are not ours with 403.
pub(super) async fn check(State(names): State<Arc<AllowedNames>>, request: Request, next: Next) -> Response {
    if let Some(refusal) = foreign_host(&names, &request) {
        return refusal;
    }
    if request.headers().get_all(header::ORIGIN).iter().any(|origin| !names.allows_origin(origin)) {
        return problem::plain(
            StatusCode::FORBIDDEN,
            "origin_not_allowed",
            "pages of this Origin may not call the server; the owner can allow it with ALLOWED_ORIGINS",
        );
    }
    next.run(request).await
}

/// The same for endpoints that pages of any origin may call: `Host` alone.
pub(super) async fn only_hosts(
    State(names): State<Arc<AllowedNames>>,
    request: Request,
    next: Next,
) -> Response {
    match foreign_host(&names, &request) {
        Some(refusal) => refusal,
        None => next.run(request).await,
    }
}

/// The answer to a request that calls the server by a name that is not ours.
fn foreign_host(names: &AllowedNames, request: &Request) -> Option<Response> {
    match host_of(request.uri(), request.headers()) {
        None => Some(problem::plain(
            StatusCode::BAD_REQUEST,
            "invalid_request",
            "the request needs one valid Host header",
        )),
        Some(host) if !names.allows_host(&host) => Some(problem::plain(
            StatusCode::FORBIDDEN,
            "host_not_allowed",
            "the Host header names another server; the owner can allow it with ALLOWED_HOSTS or PUBLIC_URL",
        )),
        Some(_) => None,
    }
}

/// The name a request calls the server by: of the absolute target if it has one (RFC 9112
/// section 3.2.2), else the only `Host` header.
fn host_of(uri: &Uri, headers: &HeaderMap) -> Option<HostName> {
    if let Some(authority) = uri.authority() {
        return HostName::parse(authority.as_str());
    }
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return None };
    HostName::parse(host.to_str().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Environment;

    fn names(pairs: &[(&str, &str)]) -> AllowedNames {
        AllowedNames::new(
            &HttpConfig::from_environment(&Environment::of_pairs(pairs.iter().copied())).unwrap(),
        )
    }

    #[track_caller]
    fn host(names: &AllowedNames, host: &str, allowed: bool) {
        assert_eq!(names.allows_host(&HostName::parse(host).unwrap()), allowed, "{host}");
    }

    #[track_caller]
    fn origin(names: &AllowedNames, origin: &str, allowed: bool) {
        let value = HeaderValue::from_str(origin).unwrap();
        assert_eq!(names.allows_origin(&value), allowed, "{origin}");
    }

    #[test]
    fn hosts() {
        let names = names(&[
            ("PUBLIC_URL", "https://vault.example.com"),
            ("ALLOWED_HOSTS", "origin.internal:8000,10.0.0.5"),
        ]);
        host(&names, "vault.example.com", true);
        host(&names, "vault.example.com:8000", true);
        host(&names, "VAULT.example.com", true);
        host(&names, "localhost:8000", true);
        host(&names, "127.0.0.1:1", true);
        host(&names, "[::1]:8000", true);
        host(&names, "origin.internal:8000", true);
        host(&names, "origin.internal", false);
        host(&names, "10.0.0.5:9", true);
        host(&names, "evil.example.com", false);
        host(&names, "vault.example.com.evil.com", false);
    }

    #[test]
    fn origins() {
        let names =
            names(&[("PUBLIC_URL", "https://vault.example.com"), ("ALLOWED_ORIGINS", "https://claude.ai")]);
        origin(&names, "https://claude.ai", true);
        origin(&names, "https://claude.ai:443", true);
        origin(&names, "https://claude.ai:444", false);
        origin(&names, "http://claude.ai", false);
        origin(&names, "https://vault.example.com", true);
        origin(&names, "http://localhost:6274", true);
        origin(&names, "https://evil.example.com", false);
        origin(&names, "null", false);
        origin(&names, "file://", false);
        origin(&names, "chrome-extension://localhost", false);
    }

    #[test]
    fn two_host_headers_are_none() {
        let mut headers = HeaderMap::new();
        headers.append(header::HOST, HeaderValue::from_static("localhost"));
        assert!(host_of(&Uri::from_static("/mcp"), &headers).is_some());
        headers.append(header::HOST, HeaderValue::from_static("evil.com"));
        assert_eq!(host_of(&Uri::from_static("/mcp"), &headers), None);
        assert_eq!(host_of(&Uri::from_static("/mcp"), &HeaderMap::new()), None);
    }
}
