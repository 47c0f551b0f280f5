//! Signing and checking access tokens: JWT (RFC 7519), HS256 and nothing else, bound to one deployment.
//!
//! Error policy: whatever is wrong with a token is a [`Refusal`], never a panic, and quotes nothing of it.
//! A token that has merely expired is no refusal but a [`Verdict`] of its own, because the edge must let it
//! pass: only the host can answer with the 401 upon which clients refresh.

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};

use crate::bearer::MAX_TOKEN_BYTES;
use crate::claims::{Claims, WireClaims};
use crate::origin::PublicOrigin;
use crate::secret::Secret;

/// How many seconds a token outlives its `exp`. None: the host judges by the clock it signed with, and the
/// edge passes expired tokens on, so there is no second clock to be lenient with.
pub const LEEWAY_SECONDS: u64 = 0;

/// What a token is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Signed by us, for this deployment, and not expired.
    Valid(Claims),
    /// Signed by us, for this deployment, and expired. The edge passes it on; the host answers 401.
    Expired(Claims),
    /// Signed with our key and not expired, but without any audience, as releases before binding signed. The
    /// edge passes it on; the host answers 401.
    Unbound(Claims),
    /// Anything else.
    Refused(Refusal),
}

/// Why a token is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Longer than [`MAX_TOKEN_BYTES`].
    #[error("the token is too long")]
    TooLong,
    /// Not three parts in base64url (without padding) of which the first is a JSON object.
    #[error("the token is not a JWT")]
    Malformed,
    /// Its header names another algorithm than HS256, or none.
    #[error("the token is signed with another algorithm")]
    Algorithm,
    /// Its header says something beside `alg` and `typ: JWT`: keys to look up, nested tokens, extensions.
    #[error("the token's header has parameters that are not supported")]
    Header,
    /// The signature is not ours.
    #[error("the token's signature does not match")]
    Signature,
    /// A claim is missing, repeated, of another type or without sense.
    #[error("the token's claims have another shape")]
    Claims,
    /// It is for another deployment by its issuer.
    #[error("the token is from another issuer")]
    Issuer,
    /// It is for another deployment by its audience.
    #[error("the token is for another audience")]
    Audience,
    /// Not valid yet, by its `nbf`. None of ours has one.
    #[error("the token is not valid yet")]
    NotYet,
    /// Expired, and without an audience.
    #[error("the token has expired and names no audience")]
    ExpiredUnbound,
}

/// Why a secret is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// It is empty.
    #[error("an empty secret is no key")]
    Empty,
}

/// Why a token cannot be signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// Empty `rights` or `folders`, or an empty folder: no reader would accept it.
    #[error("limits must name at least one right and one folder")]
    EmptyLimits,
    /// The token would be longer than [`MAX_TOKEN_BYTES`].
    #[error("the token would be too long: name fewer folders")]
    TooLong,
    /// The claims could not be encoded.
    #[error("the token could not be encoded")]
    Encoding,
}

/// The key of access tokens and the deployment they are bound to. Make it once.
#[derive(Clone)]
pub struct AccessKey {
    encoding: EncodingKey,
    decoding: DecodingKey,
    validation: Validation,
    issuer: String,
    audience: String,
}

impl std::fmt::Debug for AccessKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("AccessKey").field("audience", &self.audience).finish_non_exhaustive()
    }
}

impl AccessKey {
    /// The key of a deployment: the bytes of `MCP_AUTH_TOKEN` themselves.
    ///
    /// # Errors
    /// [`KeyError::Empty`].
    pub fn new(auth_token: &Secret, origin: &PublicOrigin) -> Result<Self, KeyError> {
        crate::hs256::install();
        let secret = auth_token.expose().as_bytes();
        let mut validation = Validation::new(Algorithm::HS256);
        // Issuer, audience and times are judged below: the library would ask the system's clock, and it
        // cannot tell an expired token of ours from an expired token of others.
        validation.validate_exp = false;
        validation.validate_nbf = false;
        validation.validate_aud = false;
        validation.required_spec_claims.clear();
        Ok(Self {
            encoding: EncodingKey::from_secret(secret).map_err(|_| KeyError::Empty)?,
            decoding: DecodingKey::from_secret(secret).map_err(|_| KeyError::Empty)?,
            validation,
            issuer: origin.issuer(),
            audience: origin.audience(),
        })
    }

    /// Signs a token with these claims for this deployment.
    ///
    /// # Errors
    /// One [`SignError`] per rule. A token that is signed is a token that [`Self::verify`] takes.
    pub fn sign(&self, claims: &Claims) -> Result<Secret, SignError> {
        if !claims.limits.are_sensible() {
            return Err(SignError::EmptyLimits);
        }
        let wire = WireClaims::bound(claims, &self.issuer, &self.audience);
        let token = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &wire, &self.encoding)
            .map_err(|_| SignError::Encoding)?;
        if token.len() > MAX_TOKEN_BYTES {
            return Err(SignError::TooLong);
        }
        Ok(Secret::new(token))
    }

    /// What a token is worth at `now`, in seconds since 1970. The signature is checked before a claim is read.
    #[must_use]
    pub fn verify(&self, token: &str, now: u64) -> Verdict {
        match self.read(token) {
            Ok(claims) => self.judge(claims, now),
            Err(refusal) => Verdict::Refused(refusal),
        }
    }

    /// The claims of a token that our key signed.
    fn read(&self, token: &str) -> Result<WireClaims, Refusal> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(Refusal::TooLong);
        }
        let header = jsonwebtoken::decode_header(token).map_err(|error| refusal_of_header(error.kind()))?;
        if header.alg != Algorithm::HS256 {
            return Err(Refusal::Algorithm);
        }
        let is_jwt = header.typ.as_deref().is_none_or(|kind| kind.eq_ignore_ascii_case("JWT"));
        if !is_jwt || header != (Header { typ: header.typ.clone(), ..Header::new(Algorithm::HS256) }) {
            return Err(Refusal::Header);
        }
        jsonwebtoken::decode::<WireClaims>(token, &self.decoding, &self.validation)
            .map(|data| data.claims)
            .map_err(|error| refusal_of_token(error.kind()))
    }

    /// Binding and times of claims that we signed.
    fn judge(&self, claims: WireClaims, now: u64) -> Verdict {
        let expired = now.saturating_sub(LEEWAY_SECONDS) >= claims.exp;
        let early = claims.nbf.is_some_and(|start| start > now.saturating_add(LEEWAY_SECONDS));
        let bound = match claims.aud.as_deref() {
            Some(audience) if audience != self.audience => return Verdict::Refused(Refusal::Audience),
            Some(_) if claims.iss.as_deref() != Some(self.issuer.as_str()) => {
                return Verdict::Refused(Refusal::Issuer);
            }
            Some(_) => true,
            // The host refuses it whoever issued it; there is no binding to check.
            None => false,
        };
        let claims = claims.into_claims();
        if !claims.limits.are_sensible() {
            return Verdict::Refused(Refusal::Claims);
        }
        match (bound, expired) {
            _ if early => Verdict::Refused(Refusal::NotYet),
            (true, false) => Verdict::Valid(claims),
            (true, true) => Verdict::Expired(claims),
            (false, false) => Verdict::Unbound(claims),
            (false, true) => Verdict::Refused(Refusal::ExpiredUnbound),
        }
    }
}

/// A header that could not be read: another algorithm's name is a JSON error to the library.
fn refusal_of_header(kind: &ErrorKind) -> Refusal {
    match kind {
        ErrorKind::Json(error) if error.is_data() => Refusal::Algorithm,
        _ => Refusal::Malformed,
    }
}

fn refusal_of_token(kind: &ErrorKind) -> Refusal {
    match kind {
        ErrorKind::InvalidSignature => Refusal::Signature,
        ErrorKind::InvalidAlgorithm | ErrorKind::InvalidAlgorithmName => Refusal::Algorithm,
        ErrorKind::Json(_) | ErrorKind::Utf8(_) => Refusal::Claims,
        _ => Refusal::Malformed,
    }
}
