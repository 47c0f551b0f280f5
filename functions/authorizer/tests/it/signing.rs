//! Tokens that only a test would make.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

/// The secret that the function under test is configured with.
pub(crate) const SECRET: &str = "s3cret-token-of-the-deployment";
/// Its `PUBLIC_URL`.
pub(crate) const URL: &str = "https://vault.example.com";

/// A header and claims, signed with HS256 by `secret` whatever they say.
pub(crate) fn sign(secret: &str, header: &Value, claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let message = format!("{}.{}", part(header), part(claims));
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(message.as_bytes());
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
}

/// The header of every token of ours.
pub(crate) fn header() -> Value {
    json!({"alg": "HS256", "typ": "JWT"})
}

/// Claims bound to the deployment that expire at `exp`.
pub(crate) fn claims(exp: u64) -> Value {
    json!({
        "sub": "client-1", "scope": "vault", "iat": 1_700_000_000, "exp": exp,
        "iss": format!("{URL}/"), "aud": format!("{URL}/mcp"),
    })
}

/// The same, with some of them set to something else; `null` takes a claim away.
pub(crate) fn claims_with(exp: u64, changes: &Value) -> Value {
    let mut claims = claims(exp);
    for (name, value) in changes.as_object().unwrap() {
        if value.is_null() {
            claims.as_object_mut().unwrap().remove(name);
        } else {
            claims[name] = value.clone();
        }
    }
    claims
}

/// A token of ours in all but these claims.
pub(crate) fn token_with(exp: u64, changes: &Value) -> String {
    sign(SECRET, &header(), &claims_with(exp, changes))
}
