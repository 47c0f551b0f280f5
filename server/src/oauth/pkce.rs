//! Proof Key for Code Exchange (RFC 7636), S256 alone.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Whether a text can be the SHA-256 of a verifier.
pub(super) fn is_challenge(text: &str) -> bool {
    text.len() == 43 && URL_SAFE_NO_PAD.decode(text).is_ok()
}

/// Whether `verifier` is well-formed (43 to 128 unreserved characters) and the one behind `challenge`.
pub(super) fn verifies(verifier: &str, challenge: &str) -> bool {
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if !(43..=128).contains(&verifier.len()) || !verifier.bytes().all(unreserved) {
        return false;
    }
    let computed = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
    computed.as_bytes().ct_eq(challenge.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_rfc() {
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        assert!(is_challenge(challenge) && verifies(verifier, challenge));
        assert!(!verifies(challenge, challenge), "plain");
        assert!(!verifies(&verifier.to_uppercase(), challenge));
        assert!(
            !verifies("", challenge) && !verifies(verifier, "") && !verifies(&"a".repeat(129), challenge)
        );
        for wrong in ["", "short", &challenge[1..], &format!("{challenge}="), &challenge.replace('-', "+")] {
            assert!(!is_challenge(wrong), "{wrong}");
        }
    }
}
