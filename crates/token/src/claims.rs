//! What an access token says.

use serde::{Deserialize, Deserializer, Serialize};

/// The only OAuth scope there is. Rights and folders are claims of ours ([`Limits`]).
pub const SCOPE: &str = "vault";

/// One thing that a limited token may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Right {
    /// Read and search.
    Read,
    /// Create and change notes.
    Write,
    /// Delete notes.
    Delete,
}

/// To what a token is limited; the host enforces it. Absent means "not limited": tokens of the reference
/// deployment have neither. Present and empty is no limit anybody can mean, and refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    /// Claim `rights`: all that the holder may do.
    pub rights: Option<Vec<Right>>,
    /// Claim `folders`: all that the holder sees, as vault paths without a trailing `/`.
    pub folders: Option<Vec<String>>,
}

impl Limits {
    /// Whether both lists, where there are any, say something.
    pub(crate) fn are_sensible(&self) -> bool {
        self.rights.as_ref().is_none_or(|rights| !rights.is_empty())
            && self
                .folders
                .as_ref()
                .is_none_or(|folders| !folders.is_empty() && folders.iter().all(|folder| !folder.is_empty()))
    }
}

/// The claims of an access token, without issuer and audience: those are the key's
/// ([`AccessKey`](crate::AccessKey)), so that nobody can sign for somewhere else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    /// `sub`: the OAuth client's id, or the name of a limited token.
    pub subject: String,
    /// `scope`: names separated by spaces (RFC 6749, 3.3).
    pub scope: String,
    /// `iat`, in seconds since 1970. Tokens of old releases have none; the host refuses those where a
    /// revocation could be meant for them.
    pub issued_at: Option<u64>,
    /// `exp`, in seconds since 1970: the first second at which it is not valid.
    pub expires_at: u64,
    /// `jti`: the token's own id, by which it is revoked. Tokens of the reference deployment have none.
    pub id: Option<String>,
    /// `grant`: the consent it came from, by which all its tokens are revoked.
    pub grant: Option<String>,
    /// `rights` and `folders`.
    pub limits: Limits,
}

impl Claims {
    /// Claims for the whole vault, without id or grant. Times in seconds since 1970.
    #[must_use]
    pub fn new(subject: impl Into<String>, issued_at: u64, expires_at: u64) -> Self {
        Self {
            subject: subject.into(),
            scope: SCOPE.to_owned(),
            issued_at: Some(issued_at),
            expires_at,
            id: None,
            grant: None,
            limits: Limits::default(),
        }
    }

    /// Whether `name` is among the scopes. Without [`SCOPE`] the host answers `insufficient_scope`.
    #[must_use]
    pub fn has_scope(&self, name: &str) -> bool {
        self.scope.split(' ').any(|scope| scope == name)
    }
}

/// The claims as they stand in the token. Unknown ones are passed over, a known one that is repeated, `null`
/// or of another type spoils the token.
#[derive(Serialize, Deserialize)]
pub(crate) struct WireClaims {
    pub(crate) sub: String,
    pub(crate) scope: String,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) iat: Option<u64>,
    pub(crate) exp: u64,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) nbf: Option<u64>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) iss: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) aud: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) jti: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) grant: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) rights: Option<Vec<Right>>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) folders: Option<Vec<String>>,
}

/// A value that is there, be it `null`, is one of its type: `aud: null` is not the absence of an audience.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl WireClaims {
    /// What is signed: `claims`, for this issuer and audience.
    pub(crate) fn bound(claims: &Claims, issuer: &str, audience: &str) -> Self {
        let claims = claims.clone();
        Self {
            sub: claims.subject,
            scope: claims.scope,
            iat: claims.issued_at,
            exp: claims.expires_at,
            nbf: None,
            iss: Some(issuer.to_owned()),
            aud: Some(audience.to_owned()),
            jti: claims.id,
            grant: claims.grant,
            rights: claims.limits.rights,
            folders: claims.limits.folders,
        }
    }

    pub(crate) fn into_claims(self) -> Claims {
        Claims {
            subject: self.sub,
            scope: self.scope,
            issued_at: self.iat,
            expires_at: self.exp,
            id: self.jti,
            grant: self.grant,
            limits: Limits { rights: self.rights, folders: self.folders },
        }
    }
}
