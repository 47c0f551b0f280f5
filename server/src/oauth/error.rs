//! Error policy: everything that goes wrong on these endpoints is one [`OauthError`], and where it happens
//! decides how it is told.
//!
//! - `/register`, `/token`, `/revoke`: JSON `{"error", "error_description"}` with `no-store` (RFC 6749 section
//!   5.2, RFC 7591 section 3.2.2). `invalid_client` is 401 (upon which clients register anew), the host's own
//!   trouble 500 or 503, everything else 400.
//! - `/authorize`: through the redirect, with `state` and `iss` (RFC 6749 section 4.1.2.1, RFC 9207), once
//!   client and redirect URI are known to belong together. Before that, on `/oauth/decide` when the sealed
//!   request cannot be trusted, and to a client that registered itself, unless it waits on loopback, as long as
//!   the owner has not answered (RFC 9700 section 4.11.2), never: a plain answer in the browser.
//!
//! Descriptions are for whoever writes a client: they name parameters, and quote nothing that is secret. They
//! are ASCII without `"` and `\`, as RFC 6749 wants it. The log gets the host's own trouble, once, here.

use std::borrow::Cow;
use std::net::IpAddr;

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use serde_json::json;

use super::consent;
use super::store::OauthStoreError;
use crate::http::Limited;

/// What went wrong, and how it is told.
#[derive(Debug)]
pub(super) struct OauthError {
    pub(super) code: Code,
    pub(super) description: Cow<'static, str>,
    /// Whether the client tried HTTP Basic: the 401 then names that scheme (RFC 6749 section 5.2).
    basic: bool,
}

/// The registered names (IANA, OAuth extensions errors).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// A parameter is missing, repeated or malformed.
    InvalidRequest,
    /// The client is unknown or did not prove itself.
    InvalidClient,
    /// The code or refresh token is not (or no longer) good for this client.
    InvalidGrant,
    /// RFC 8707: the resource is another one.
    InvalidTarget,
    /// RFC 7591: what a client says of itself.
    InvalidClientMetadata,
    /// RFC 7591: a redirect URI.
    InvalidRedirectUri,
    /// A grant type that there is not.
    UnsupportedGrantType,
    /// A response type that there is not.
    UnsupportedResponseType,
    /// `OpenID` Connect: requests by value.
    RequestNotSupported,
    /// `OpenID` Connect: requests by reference.
    RequestUriNotSupported,
    /// The owner said no.
    AccessDenied,
    /// The host's own trouble.
    ServerError,
    /// The host has too much to do.
    TemporarilyUnavailable,
}

impl Code {
    /// The name on the wire.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::InvalidTarget => "invalid_target",
            Self::InvalidClientMetadata => "invalid_client_metadata",
            Self::InvalidRedirectUri => "invalid_redirect_uri",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::RequestNotSupported => "request_not_supported",
            Self::RequestUriNotSupported => "request_uri_not_supported",
            Self::AccessDenied => "access_denied",
            Self::ServerError => "server_error",
            Self::TemporarilyUnavailable => "temporarily_unavailable",
        }
    }

    fn status(self) -> StatusCode {
        match self {
            Self::InvalidClient => StatusCode::UNAUTHORIZED,
            Self::ServerError => StatusCode::INTERNAL_SERVER_ERROR,
            Self::TemporarilyUnavailable => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::BAD_REQUEST,
        }
    }
}

impl OauthError {
    pub(super) fn new(code: Code, description: impl Into<Cow<'static, str>>) -> Self {
        Self { code, description: description.into(), basic: false }
    }

    pub(super) fn invalid_request(description: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidRequest, description)
    }

    pub(super) fn invalid_grant(description: &'static str) -> Self {
        Self::new(Code::InvalidGrant, description)
    }

    /// `invalid_client`; `basic` when the client used HTTP Basic.
    pub(super) fn invalid_client(description: &'static str, basic: bool) -> Self {
        Self { basic, ..Self::new(Code::InvalidClient, description) }
    }

    /// Whether it says nothing about who calls: the host failed, not the caller.
    pub(super) fn is_ours(&self) -> bool {
        matches!(self.code, Code::ServerError | Code::TemporarilyUnavailable)
    }

    /// The answer in a browser, where no redirect can be trusted: a page for a person, JSON for a program.
    pub(super) fn in_browser(&self, headers: &HeaderMap) -> Response {
        // An unknown client is no failed authentication here: nothing asks the browser for credentials.
        let status = match self.code {
            Code::InvalidClient => StatusCode::BAD_REQUEST,
            code => code.status(),
        };
        if is_for_a_person(headers) { self.page(status) } else { self.json(status) }
    }

    fn page(&self, status: StatusCode) -> Response {
        notice(
            status,
            "This application cannot be connected",
            &[
                &format!("{} ({}).", self.description, self.code.name()),
                "Nothing was sent to it. Go back to the application and connect again.",
            ],
        )
    }

    fn json(&self, status: StatusCode) -> Response {
        let body = json!({"error": self.code.name(), "error_description": ascii(&self.description)});
        no_store((status, Json(body)).into_response())
    }
}

impl IntoResponse for OauthError {
    fn into_response(self) -> Response {
        let mut response = self.json(self.code.status());
        if self.code == Code::InvalidClient && self.basic {
            let challenge = HeaderValue::from_static("Basic realm=\"Vault Cortex OAuth\"");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

impl From<OauthStoreError> for OauthError {
    fn from(error: OauthStoreError) -> Self {
        tracing::error!(error.message = error.to_string(), "oauth state not available");
        match error {
            OauthStoreError::Store(store::StoreError::Busy(_) | store::StoreError::TimedOut) => {
                Self::new(Code::TemporarilyUnavailable, "the server is busy: try again")
            }
            OauthStoreError::Unopened => {
                Self::new(Code::TemporarilyUnavailable, "the server cannot keep its state: its log says why")
            }
            _ => Self::new(Code::ServerError, "the server cannot keep its state: its log says why"),
        }
    }
}

/// The answer to too many calls, where a person may be the caller.
pub(super) fn limited_in_browser(
    limited: Limited,
    address: IpAddr,
    path: &'static str,
    headers: &HeaderMap,
) -> Response {
    let json = limited.answer(address, path);
    let Some(seconds) = json.headers().get(header::RETRY_AFTER).filter(|_| is_for_a_person(headers)) else {
        return json;
    };
    let wait = format!("Wait {} seconds, then load this page again.", seconds.to_str().unwrap_or("60"));
    let mut page = notice(json.status(), "Too many attempts", &[&wait]);
    page.headers_mut().insert(header::RETRY_AFTER, seconds.clone());
    page
}

/// Whether a browser asks to show something, and not a program.
fn is_for_a_person(headers: &HeaderMap) -> bool {
    let mut accepts = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepts.any(|value| value.contains("text/html"))
}

/// A page that only says something.
fn notice(status: StatusCode, title: &str, paragraphs: &[&str]) -> Response {
    let page = consent::notice(title, paragraphs);
    let mut response = no_store((status, Html(page.html)).into_response());
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::from_str(&page.csp) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// Marks an answer as one that no cache may keep (RFC 6749 section 5.1).
pub(super) fn no_store(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
    response
}

/// The characters that RFC 6749 allows in a description; others become `?`.
pub(super) fn ascii(text: &str) -> String {
    text.chars()
        .map(
            |letter| {
                if matches!(letter, ' '..='~') && letter != '"' && letter != '\\' { letter } else { '?' }
            },
        )
        .take(300)
        .collect()
}
