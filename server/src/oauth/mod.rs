//! The OAuth 2.1 server: how a client that knows nothing but the URL is let in by the owner.
//!
//! [`Oauth::router`] shows the whole surface. Everything that is sent out (issuer, endpoints, redirects) comes
//! from `PUBLIC_URL`, never from a request's `Host`.

mod client;
mod consent;
mod error;
mod form;
mod metadata;
mod pkce;
mod redirect_uri;
mod register;
mod store;

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::routing::post;
use jiff::Timestamp;
use token::{AccessKey, KeyError, PublicOrigin, Secret};

use self::error::{Code, OauthError};
use crate::http::Limiter;

pub(crate) use self::store::{OauthStore, OauthStoreError, Standing, principal};

/// What the OAuth server is made from.
pub(crate) struct OauthSettings {
    /// Its state.
    pub(crate) store: OauthStore,
    /// `MCP_AUTH_TOKEN`: what the owner types, and the key of access tokens.
    pub(crate) auth_token: Secret,
    /// `PUBLIC_URL`.
    pub(crate) origin: PublicOrigin,
    /// `ACCESS_TOKEN_TTL`, whole seconds.
    pub(crate) access_token_ttl: Duration,
    /// `REFRESH_GRACE`, whole seconds.
    pub(crate) refresh_grace: Duration,
    /// `SERVICE_DOCUMENTATION_URL`.
    pub(crate) service_documentation: Option<String>,
    /// The clock.
    pub(crate) now: fn() -> Timestamp,
}

/// The OAuth server. Clones share it.
#[derive(Clone)]
pub(crate) struct Oauth {
    inner: Arc<Inner>,
}

struct Inner {
    settings: OauthSettings,
    access_key: AccessKey,
    limiter: Limiter,
}

impl Oauth {
    /// Puts it together.
    ///
    /// # Errors
    /// [`KeyError`] for an empty token.
    pub(crate) fn new(settings: OauthSettings) -> Result<Self, KeyError> {
        let access_key = AccessKey::new(&settings.auth_token, &settings.origin)?;
        Ok(Self { inner: Arc::new(Inner { settings, access_key, limiter: Limiter::default() }) })
    }

    /// Its state, for whoever judges tokens.
    pub(crate) fn store(&self) -> &OauthStore {
        &self.inner.settings.store
    }

    /// The key of access tokens.
    pub(crate) fn access_key(&self) -> &AccessKey {
        &self.inner.access_key
    }

    /// How often somebody may call.
    fn limiter(&self) -> &Limiter {
        &self.inner.limiter
    }

    /// The time, in seconds since 1970.
    fn now(&self) -> i64 {
        (self.inner.settings.now)().as_second()
    }

    /// Runs a job on the state where blocking is allowed.
    async fn blocking<T: Send + 'static>(
        &self,
        job: impl FnOnce(&OauthStore) -> Result<T, OauthStoreError> + Send + 'static,
    ) -> Result<T, OauthError> {
        let store = self.store().clone();
        match tokio::task::spawn_blocking(move || job(&store)).await {
            Ok(outcome) => Ok(outcome?),
            Err(_) => Err(OauthError::new(Code::ServerError, "the server failed: its log says how")),
        }
    }

    /// Every route, and what stands before it.
    pub(crate) fn router(&self) -> Router {
        Router::new()
            .merge(metadata::router(&self.inner.settings))
            .route("/register", post(register::register))
            .with_state(self.clone())
    }
}

/// The address that a call is counted for.
struct ClientAddress(IpAddr);

impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        Ok(Self(peer.map_or(Ipv4Addr::UNSPECIFIED.into(), |ConnectInfo(address)| address.ip())))
    }
}
