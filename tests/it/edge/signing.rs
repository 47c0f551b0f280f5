//! Access tokens made by hand, so that no fault of the code that makes ours is met by the same fault here.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

/// A time before and after now, whenever the tests run.
pub(super) const PAST: u64 = 1_700_000_001;
pub(super) const FUTURE: u64 = 4_000_000_000;

/// Header and claims, signed with HS256 whatever they say.
pub(super) fn sign(secret: &str, header: &Value, claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let message = format!("{}.{}", part(header), part(claims));
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(message.as_bytes());
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
}

/// The header of every token of ours.
pub(super) fn header() -> Value {
    json!({"alg": "HS256", "typ": "JWT"})
}

/// Claims bound to the deployment at `url`, with some of them set to something else; `null` takes a claim away.
pub(super) fn claims(url: &str, exp: u64, changes: Value) -> Value {
    let mut claims = json!({
        "sub": "client-1", "scope": "vault", "iat": 1_700_000_000, "exp": exp,
        "iss": format!("{url}/"), "aud": format!("{url}/mcp"),
    });
    for (name, value) in changes.as_object().unwrap() {
        if value.is_null() {
            claims.as_object_mut().unwrap().remove(name);
        } else {
            claims[name] = value.clone();
        }
    }
    claims
}
