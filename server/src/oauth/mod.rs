//! The OAuth 2.1 server: how a client that knows nothing but the URL is let in by the owner.
//!
//! [`Oauth::router`] shows the whole surface. Everything that is sent out (issuer, endpoints, redirects) comes
//! from `PUBLIC_URL`, never from a request's `Host`.

mod authorize;
mod client;
mod consent;
mod credentials;
mod decide;
mod document;
mod error;
mod form;
mod metadata;
mod pkce;
mod redirect_uri;
mod register;
mod revoke;
mod sealed;
mod store;
mod token_endpoint;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{Method, header};
use axum::routing::{get, post};
use jiff::Timestamp;
use token::{AccessKey, DerivedKey, KeyError, PublicOrigin, Secret};
use tower_http::cors::{AllowHeaders, Any, CorsLayer};

use self::document::Documents;
use self::error::{Code, OauthError};
use crate::http::{ClientAddress, Limiter};

pub(crate) use self::store::{Connected, LimitedToken, ListedToken, OauthStore, OauthStoreError, Standing};

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
    /// Tells which of these folders the vault lacks: a consent for one of them is asked for twice. Blocks.
    pub(crate) missing_folders: MissingFolders,
    /// The clock.
    pub(crate) now: fn() -> Timestamp,
}

/// The folders of a list that are not there.
pub(crate) type MissingFolders = Arc<dyn Fn(&[String]) -> Vec<String> + Send + Sync>;

/// The OAuth server. Clones share it.
#[derive(Clone)]
pub(crate) struct Oauth {
    inner: Arc<Inner>,
}

struct Inner {
    settings: OauthSettings,
    access_key: AccessKey,
    /// Seals the request that a consent page carries.
    consent_key: DerivedKey,
    documents: Documents,
    limiter: Limiter,
}

impl Oauth {
    /// Puts it together.
    ///
    /// # Errors
    /// [`KeyError`] for an empty token.
    pub(crate) fn new(settings: OauthSettings) -> Result<Self, KeyError> {
        let access_key = AccessKey::new(&settings.auth_token, &settings.origin)?;
        let consent_key = DerivedKey::new(&settings.auth_token, "consent request")?;
        let documents = Documents::new(settings.origin.as_str());
        let limiter = Limiter::default();
        Ok(Self { inner: Arc::new(Inner { settings, access_key, consent_key, documents, limiter }) })
    }

    /// Its state, for whoever judges tokens.
    pub(crate) fn store(&self) -> &OauthStore {
        &self.inner.settings.store
    }

    /// The key of access tokens.
    pub(crate) fn access_key(&self) -> &AccessKey {
        &self.inner.access_key
    }

    /// The key that seals consent requests.
    fn consent_key(&self) -> &DerivedKey {
        &self.inner.consent_key
    }

    /// Clients by their metadata documents.
    fn documents(&self) -> &Documents {
        &self.inner.documents
    }

    /// The origin of `PUBLIC_URL`.
    fn origin(&self) -> &str {
        self.inner.settings.origin.as_str()
    }

    /// What the metadata and every redirect call this server.
    fn issuer(&self) -> String {
        self.inner.settings.origin.issuer()
    }

    fn access_token_ttl(&self) -> Duration {
        self.inner.settings.access_token_ttl
    }

    fn refresh_grace(&self) -> Duration {
        self.inner.settings.refresh_grace
    }

    /// Whether this is what only the owner knows.
    fn is_owner(&self, typed: &Secret) -> bool {
        self.inner.settings.auth_token.matches(typed)
    }

    /// RFC 8707: what a client asks tokens for must be this server. One that says nothing means it too.
    fn check_resources(&self, resources: &[String]) -> Result<(), OauthError> {
        if resources.iter().all(|resource| self.inner.settings.origin.is_resource(resource)) {
            return Ok(());
        }
        Err(OauthError::new(Code::InvalidTarget, "resource is another server"))
    }

    /// `PUBLIC_URL`.
    pub(crate) fn public_origin(&self) -> &PublicOrigin {
        &self.inner.settings.origin
    }

    /// How often somebody may call.
    fn limiter(&self) -> &Limiter {
        &self.inner.limiter
    }

    /// The time, in seconds since 1970.
    fn now(&self) -> i64 {
        (self.inner.settings.now)().as_second()
    }

    /// Which of these folders the vault lacks.
    async fn missing_folders(&self, folders: &[String]) -> Result<Vec<String>, OauthError> {
        if folders.is_empty() {
            return Ok(Vec::new());
        }
        let (missing, folders) = (Arc::clone(&self.inner.settings.missing_folders), folders.to_vec());
        tokio::task::spawn_blocking(move || missing(&folders))
            .await
            .map_err(|_| OauthError::new(Code::ServerError, "the server failed: its log says how"))
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
        // Clients in a browser call these from any page: no cookie is involved, and what is presented is
        // presented by the page itself.
        let for_pages = Router::new()
            .merge(metadata::router(&self.inner.settings))
            .route("/register", post(register::register))
            .route("/token", post(token_endpoint::token))
            .route("/revoke", post(revoke::revoke))
            .layer(cors());
        // These a person opens; no page may read what they show.
        let for_people = Router::new()
            .route("/authorize", get(authorize::authorize).post(authorize::authorize))
            .route("/oauth/decide", post(decide::decide));
        for_pages.merge(for_people).with_state(self.clone())
    }
}

fn cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        // `*` would not cover Authorization.
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([header::WWW_AUTHENTICATE, header::RETRY_AFTER])
        .max_age(Duration::from_secs(600))
}
