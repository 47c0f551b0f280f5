//! The decision: pure, from an event and the time.

use serde::Serialize;
use serde_json::Value;
use token::{AccessKey, BearerError, Refusal, Secret, Verdict};

use crate::event;
use crate::paths;
use crate::settings::{Settings, SettingsError};

/// What a request was let through, or not, by. The name goes into logs and the gateway's access log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grounds {
    /// The route is open.
    OpenRoute,
    /// The static token.
    StaticToken,
    /// A signed token, valid and bound to this deployment.
    Signed,
    /// The same, expired: the host answers 401, upon which clients refresh.
    SignedExpired,
    /// A signed token of a release before binding, not expired: the host answers 401.
    SignedUnbound,
    /// The event is no authorizer request in format 2.0.
    NoRequest,
    /// There is no usable bearer token.
    Bearer(BearerError),
    /// The token is neither the static one nor one of ours.
    Token(Refusal),
}

impl Grounds {
    /// Whether the request goes on to the host.
    #[must_use]
    pub fn allows(self) -> bool {
        match self {
            Self::OpenRoute
            | Self::StaticToken
            | Self::Signed
            | Self::SignedExpired
            | Self::SignedUnbound => true,
            Self::NoRequest | Self::Bearer(_) | Self::Token(_) => false,
        }
    }

    /// A short name that says nothing of the token.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenRoute => "open_route",
            Self::StaticToken => "static_token",
            Self::Signed => "signed",
            Self::SignedExpired => "signed_expired",
            Self::SignedUnbound => "signed_unbound",
            Self::NoRequest => "no_request",
            Self::Bearer(BearerError::Missing) => "bearer_missing",
            Self::Bearer(BearerError::Repeated) => "bearer_repeated",
            Self::Bearer(BearerError::OtherScheme) => "bearer_other_scheme",
            Self::Bearer(BearerError::Malformed) => "bearer_malformed",
            Self::Bearer(BearerError::TooLong) => "bearer_too_long",
            Self::Token(Refusal::TooLong) => "token_too_long",
            Self::Token(Refusal::Malformed) => "token_malformed",
            Self::Token(Refusal::Algorithm) => "token_algorithm",
            Self::Token(Refusal::Header) => "token_header",
            Self::Token(Refusal::Signature) => "token_signature",
            Self::Token(Refusal::Claims) => "token_claims",
            Self::Token(Refusal::Issuer) => "token_issuer",
            Self::Token(Refusal::Audience) => "token_audience",
            Self::Token(Refusal::NotYet) => "token_not_yet",
            Self::Token(Refusal::ExpiredUnbound) => "token_expired_unbound",
        }
    }
}

/// The answer in simple format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    is_authorized: bool,
    context: Context,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Context {
    grounds: &'static str,
}

impl From<Grounds> for Decision {
    fn from(grounds: Grounds) -> Self {
        Self { is_authorized: grounds.allows(), context: Context { grounds: grounds.name() } }
    }
}

/// What tokens are checked against.
#[derive(Debug, Clone)]
pub struct Authorizer {
    static_token: Secret,
    key: AccessKey,
}

impl Authorizer {
    /// Makes the keys.
    ///
    /// # Errors
    /// [`SettingsError::Key`].
    pub fn new(settings: &Settings) -> Result<Self, SettingsError> {
        let key = AccessKey::new(&settings.auth_token, &settings.origin)?;
        Ok(Self { static_token: settings.auth_token.clone(), key })
    }

    /// Decides about an event at `now`, in seconds since 1970.
    #[must_use]
    pub fn decide(&self, event: &Value, now: u64) -> Grounds {
        if !event::is_request(event) {
            return Grounds::NoRequest;
        }
        let Some(path) = event::raw_path(event) else { return Grounds::NoRequest };
        if paths::is_open(path) {
            return Grounds::OpenRoute;
        }
        let Some(values) = event::authorization(event) else {
            return Grounds::Bearer(BearerError::Malformed);
        };
        match token::bearer(values) {
            Err(error) => Grounds::Bearer(error),
            Ok(presented) if self.static_token.matches(&presented) => Grounds::StaticToken,
            Ok(presented) => match self.key.verify(presented.expose(), now) {
                Verdict::Valid(_) => Grounds::Signed,
                Verdict::Expired(_) => Grounds::SignedExpired,
                Verdict::Unbound(_) => Grounds::SignedUnbound,
                Verdict::Refused(refusal) => Grounds::Token(refusal),
            },
        }
    }
}
