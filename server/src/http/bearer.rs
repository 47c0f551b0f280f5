//! The bearer token: who calls is decided here and nowhere else.
//!
//! | token | answer |
//! | --- | --- |
//! | `MCP_AUTH_TOKEN` | the owner |
//! | ours, for this deployment, not expired, its grant or row living, with scope `vault` | who it says, with its rights and folders |
//! | the same without scope `vault` | 403 `insufficient_scope` |
//! | none, expired, revoked, unknown, for nobody or somebody else, anything else | 401, upon which clients get a new one |
//! | any that cannot be looked up, since the file cannot be read | 503 |
//!
//! The owner's token is compared in constant time and asks no database.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use token::{BearerError, Refusal, SCOPE, Secret, Verdict};
use vault::Principal;

use super::access_log::{Caller, Denied};
use super::problem;
use crate::app;
use crate::config::AccessConfig;
use crate::oauth::{Oauth, Standing};

/// What a token is checked against, and what a caller without one is told.
pub(super) struct Guard {
    token: Secret,
    oauth: Oauth,
    /// RFC 9728: where a client learns how to get a token.
    missing: HeaderValue,
    /// The same, for a token that was refused (RFC 6750 section 3).
    refused: HeaderValue,
    /// The same, for a token that is right and does not reach.
    insufficient: HeaderValue,
}

/// Why a caller is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum Rejection {
    #[error("{0}: send Bearer and the token")]
    Missing(BearerError),
    #[error("{0}")]
    Header(BearerError),
    #[error("this token is not valid here")]
    NotOurs,
    #[error("{0}")]
    Refused(Refusal),
    #[error("the token has expired: get a new one")]
    Expired,
    #[error("the token names no audience: get a new one")]
    Unbound,
    #[error("the token was revoked")]
    Revoked,
    #[error("the token is not known here any more: connect again")]
    Unknown,
    #[error("the token lacks the scope \"{SCOPE}\"")]
    Scope,
    #[error("the server cannot look tokens up at the moment: try again shortly")]
    Unavailable,
}

impl Rejection {
    /// Its short name in the log.
    fn code(self) -> &'static str {
        match self {
            Self::Missing(_) => "missing",
            Self::Header(_) => "malformed",
            Self::NotOurs | Self::Refused(_) => "refused",
            Self::Expired => "expired",
            Self::Unbound => "unbound",
            Self::Revoked => "revoked",
            Self::Unknown => "unknown",
            Self::Scope => "insufficient_scope",
            Self::Unavailable => "unavailable",
        }
    }
}

impl Guard {
    pub(super) fn new(access: &AccessConfig, oauth: Oauth) -> Self {
        // RFC 9728 section 3.1: the well-known part goes between the host and the resource's path.
        let metadata = format!("{}/.well-known/oauth-protected-resource/mcp", oauth.public_origin().as_str());
        let challenge = |error: &str| {
            let error = if error.is_empty() { String::new() } else { format!("error=\"{error}\", ") };
            let text = format!("Bearer {error}resource_metadata=\"{metadata}\", scope=\"{SCOPE}\"");
            HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static("Bearer"))
        };
        Self {
            token: access.token.clone(),
            oauth,
            missing: challenge(""),
            refused: challenge("invalid_token"),
            insufficient: challenge("insufficient_scope"),
        }
    }

    /// Who presents this token.
    async fn judge(&self, presented: &Secret) -> Result<Principal, Rejection> {
        if self.token.matches(presented) {
            return Ok(Principal::owner("static-token"));
        }
        // A clock before 1970 makes nothing valid for longer.
        let now = u64::try_from(app::now().as_second()).unwrap_or(u64::MAX);
        let claims = match self.oauth.access_key().verify(presented.expose(), now) {
            Verdict::Valid(claims) => claims,
            Verdict::Expired(_) => return Err(Rejection::Expired),
            Verdict::Unbound(_) => return Err(Rejection::Unbound),
            // Not even of the form of ours: a mistyped static token, mostly.
            Verdict::Refused(Refusal::Malformed) => return Err(Rejection::NotOurs),
            Verdict::Refused(refusal) => return Err(Rejection::Refused(refusal)),
        };
        let in_scope = claims.has_scope(SCOPE);
        let store = self.oauth.store().clone();
        let standing = tokio::task::spawn_blocking(move || store.judge(&claims)).await;
        let principal = match standing {
            Ok(Ok(Standing::Live(principal))) => principal,
            Ok(Ok(Standing::Revoked)) => return Err(Rejection::Revoked),
            Ok(Ok(Standing::Unknown)) => return Err(Rejection::Unknown),
            Ok(Err(error)) => {
                tracing::error!(error.message = error.to_string(), "tokens cannot be looked up");
                return Err(Rejection::Unavailable);
            }
            // A panic is in the log already.
            Err(_) => return Err(Rejection::Unavailable),
        };
        if in_scope { Ok(principal) } else { Err(Rejection::Scope) }
    }

    fn answer(&self, rejection: Rejection) -> Response {
        let text = rejection.to_string();
        let (status, error, challenge) = match rejection {
            Rejection::Scope => (StatusCode::FORBIDDEN, "insufficient_scope", Some(&self.insufficient)),
            Rejection::Unavailable => (StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable", None),
            // RFC 6750 section 3.1: who sent nothing is told no error code in the challenge.
            Rejection::Missing(_) => (StatusCode::UNAUTHORIZED, "invalid_token", Some(&self.missing)),
            _ => (StatusCode::UNAUTHORIZED, "invalid_token", Some(&self.refused)),
        };
        let mut response = problem::plain(status, error, &text);
        let headers = response.headers_mut();
        match challenge {
            Some(challenge) => headers.insert(header::WWW_AUTHENTICATE, challenge.clone()),
            None => headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5")),
        };
        response.extensions_mut().insert(Denied(rejection.code()));
        response
    }
}

/// Lets a request with the right token through, with its [`Principal`].
pub(super) async fn authenticate(
    State(guard): State<Arc<Guard>>,
    mut request: Request,
    next: Next,
) -> Response {
    let headers = request.headers().get_all(header::AUTHORIZATION);
    let presented = token::bearer(headers.iter().map(HeaderValue::as_bytes)).map_err(|error| match error {
        BearerError::Missing => Rejection::Missing(error),
        _ => Rejection::Header(error),
    });
    let judged = match presented {
        Ok(presented) => guard.judge(&presented).await,
        Err(rejection) => Err(rejection),
    };
    let principal = match judged {
        Ok(principal) => principal,
        Err(rejection) => return guard.answer(rejection),
    };
    let caller = Caller(principal.name.clone());
    request.extensions_mut().insert(principal);
    let mut response = next.run(request).await;
    response.extensions_mut().insert(caller);
    response
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::body::to_bytes;
    use token::{AccessKey, Claims, Limits, PublicOrigin, Right};
    use vault::FolderScope;

    use super::*;
    use crate::oauth::{LimitedToken, OauthSettings, OauthStore};

    const AUTH: &str = "s3cret-token";

    struct Fixture {
        guard: Guard,
        key: AccessKey,
        now: u64,
        folder: tempfile::TempDir,
    }

    fn fixture(public_url: &str) -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let auth_token = Secret::new(AUTH);
        let origin = PublicOrigin::parse(public_url).unwrap();
        let store = OauthStore::open(&folder.path().join("oauth.db"), &auth_token, app::now).unwrap();
        let key = AccessKey::new(&auth_token, &origin).unwrap();
        let settings = OauthSettings {
            store,
            auth_token: auth_token.clone(),
            origin,
            access_token_ttl: Duration::from_secs(3_600),
            refresh_grace: Duration::from_secs(30),
            service_documentation: None,
            missing_folders: std::sync::Arc::new(|_| Vec::new()),
            now: app::now,
        };
        let guard = Guard::new(&AccessConfig { token: auth_token }, Oauth::new(settings).unwrap());
        Fixture { guard, key, now: u64::try_from(app::now().as_second()).unwrap(), folder }
    }

    impl Fixture {
        /// Claims that are right as far as the signature goes, of a limited token.
        fn claims(&self) -> Claims {
            let mut claims = Claims::new("phone", self.now, self.now + 600);
            claims.id = Some("jti-1".to_owned());
            claims.limits =
                Limits { rights: Some(vec![Right::Read]), folders: Some(vec!["Projects".to_owned()]) };
            claims
        }

        /// Makes the row of those claims.
        fn register(&self) {
            let claims = self.claims();
            let token = LimitedToken {
                id: claims.id.unwrap(),
                name: claims.subject,
                limits: claims.limits,
                created_at: i64::try_from(self.now).unwrap(),
                expires_at: i64::try_from(claims.expires_at).ok(),
            };
            self.guard.oauth.store().add_limited(&token).unwrap();
        }

        async fn judge(&self, claims: &Claims) -> Result<Principal, Rejection> {
            self.guard.judge(&self.key.sign(claims).unwrap()).await
        }
    }

    #[test]
    fn the_challenge_names_the_metadata_of_the_endpoint() {
        assert_eq!(
            fixture("https://example.com").guard.missing,
            "Bearer resource_metadata=\"https://example.com/.well-known/oauth-protected-resource/mcp\", scope=\"vault\""
        );
        assert_eq!(
            fixture("http://192.168.1.20:8000/").guard.refused,
            "Bearer error=\"invalid_token\", resource_metadata=\"http://192.168.1.20:8000/.well-known/oauth-protected-resource/mcp\", scope=\"vault\""
        );
    }

    #[tokio::test]
    async fn a_living_limited_token_calls_with_its_rights_and_folders() {
        let fixture = fixture("https://example.com");
        assert_eq!(fixture.judge(&fixture.claims()).await, Err(Rejection::Unknown));
        fixture.register();
        let principal = fixture.judge(&fixture.claims()).await.unwrap();
        assert_eq!(principal.name, "phone");
        assert!(principal.rights.read && !principal.rights.write && !principal.rights.delete);
        assert_eq!(principal.folders, FolderScope::Only(vec!["Projects".to_owned()]));
        fixture.guard.oauth.store().revoke_limited("phone").unwrap();
        assert_eq!(fixture.judge(&fixture.claims()).await, Err(Rejection::Revoked), "on the next call");
    }

    #[tokio::test]
    async fn what_is_no_living_token_of_this_deployment_is_rejected() {
        let fixture = fixture("https://example.com");
        fixture.register();
        let claims = || fixture.claims();
        let expired = Claims { expires_at: fixture.now, ..claims() };
        assert_eq!(fixture.judge(&expired).await, Err(Rejection::Expired));
        let of_nobody = Claims { id: None, ..claims() };
        assert_eq!(fixture.judge(&of_nobody).await, Err(Rejection::Unknown));
        let renamed = Claims { subject: "other".to_owned(), ..claims() };
        assert_eq!(fixture.judge(&renamed).await, Err(Rejection::Unknown));
        let of_a_grant = Claims { grant: Some("no-such-grant".to_owned()), ..claims() };
        assert_eq!(fixture.judge(&of_a_grant).await, Err(Rejection::Unknown));
        let no_scope = Claims { scope: "vaults other".to_owned(), ..claims() };
        assert_eq!(fixture.judge(&no_scope).await, Err(Rejection::Scope));
        let unknown_without_scope = Claims { id: None, ..no_scope };
        assert_eq!(fixture.judge(&unknown_without_scope).await, Err(Rejection::Unknown));

        let elsewhere = PublicOrigin::parse("https://other.example").unwrap();
        let elsewhere = AccessKey::new(&Secret::new(AUTH), &elsewhere).unwrap().sign(&claims()).unwrap();
        assert_eq!(fixture.guard.judge(&elsewhere).await, Err(Rejection::Refused(Refusal::Audience)));
        let forged = AccessKey::new(&Secret::new("guess"), fixture.guard.oauth.public_origin()).unwrap();
        let forged = forged.sign(&claims()).unwrap();
        assert_eq!(fixture.guard.judge(&forged).await, Err(Rejection::Refused(Refusal::Signature)));
        for odd in ["x", "a.b.c", "..", "s3cret-toke", "S3CRET-TOKEN", "eyJhbGciOiJub25lIn0.e30."] {
            let judged = fixture.guard.judge(&Secret::new(odd)).await;
            assert!(matches!(judged, Err(Rejection::NotOurs | Rejection::Refused(_))), "{odd}: {judged:?}");
        }
    }

    #[tokio::test]
    async fn the_owners_token_asks_no_database() {
        let fixture = fixture("https://example.com");
        fixture.register();
        let owner = fixture.guard.judge(&Secret::new(AUTH)).await.unwrap();
        assert_eq!(owner, Principal::owner("static-token"));
    }

    #[tokio::test]
    async fn a_file_that_cannot_be_read_is_said_so_and_stops_no_owner() {
        let fixture = fixture("https://example.com");
        fixture.register();
        let path = fixture.folder.path().join("oauth.db");
        let other = store::Database::open(&path, &store::Options::default()).unwrap();
        let spoil = |connection: &store::Connection| connection.batch("DROP TABLE limited_tokens");
        other.write(store::Lane::Interactive, spoil).unwrap();
        assert_eq!(fixture.judge(&fixture.claims()).await, Err(Rejection::Unavailable));
        assert!(fixture.guard.judge(&Secret::new(AUTH)).await.is_ok());
    }

    #[tokio::test]
    async fn each_rejection_has_its_status_and_its_challenge() {
        let fixture = fixture("https://example.com");
        for (rejection, status, challenge) in [
            (Rejection::Missing(BearerError::Missing), 401, Some(&fixture.guard.missing)),
            (Rejection::Header(BearerError::Repeated), 401, Some(&fixture.guard.refused)),
            (Rejection::NotOurs, 401, Some(&fixture.guard.refused)),
            (Rejection::Refused(Refusal::Algorithm), 401, Some(&fixture.guard.refused)),
            (Rejection::Expired, 401, Some(&fixture.guard.refused)),
            (Rejection::Unbound, 401, Some(&fixture.guard.refused)),
            (Rejection::Revoked, 401, Some(&fixture.guard.refused)),
            (Rejection::Unknown, 401, Some(&fixture.guard.refused)),
            (Rejection::Scope, 403, Some(&fixture.guard.insufficient)),
            (Rejection::Unavailable, 503, None),
        ] {
            let response = fixture.guard.answer(rejection);
            assert_eq!(response.status(), status, "{rejection:?}");
            assert_eq!(response.headers().get(header::WWW_AUTHENTICATE), challenge, "{rejection:?}");
            let body = to_bytes(response.into_body(), 1_000).await.unwrap();
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert!(body["error"].is_string() && body["error_description"].is_string(), "{body}");
        }
        assert!(fixture.guard.insufficient.to_str().unwrap().contains("error=\"insufficient_scope\""));
        drop(fixture.folder);
    }
}
