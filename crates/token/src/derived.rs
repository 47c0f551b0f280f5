//! Keys for everything but access tokens, and what is made with them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{KeyInit, Mac};

use crate::access::KeyError;
use crate::hs256::HmacSha256;
use crate::secret::Secret;

/// The first byte of what a key is derived from: no JWT contains it, and `MCP_AUTH_TOKEN` signs nothing else.
const LABEL_START: &[u8] = b"\0vault-cortex ";

/// A key for one purpose, derived from `MCP_AUTH_TOKEN`: HMAC-SHA256 of a label that names the purpose.
/// Who learns it learns neither the token nor any other key.
#[derive(Clone)]
pub struct DerivedKey(HmacSha256);

impl std::fmt::Debug for DerivedKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("[redacted]")
    }
}

impl DerivedKey {
    /// The key for `purpose`, a fixed name of ours.
    ///
    /// # Errors
    /// [`KeyError::Empty`].
    pub fn new(auth_token: &Secret, purpose: &str) -> Result<Self, KeyError> {
        let secret = auth_token.expose().as_bytes();
        if secret.is_empty() {
            return Err(KeyError::Empty);
        }
        let mut root = HmacSha256::new_from_slice(secret).map_err(|_| KeyError::Empty)?;
        root.update(LABEL_START);
        root.update(purpose.as_bytes());
        let key = root.finalize().into_bytes();
        HmacSha256::new_from_slice(&key).map(Self).map_err(|_| KeyError::Empty)
    }

    /// The keyed hash (HMAC-SHA256) of some parts. Each goes in with its length, so that where one part ends
    /// and the next begins is part of what is hashed.
    #[must_use]
    pub fn hash(&self, parts: &[&[u8]]) -> [u8; 32] {
        self.over(parts).finalize().into_bytes().into()
    }

    /// Whether `hash` is that of these parts, in constant time.
    #[must_use]
    pub fn matches(&self, parts: &[&[u8]], hash: &[u8]) -> bool {
        self.over(parts).verify_slice(hash).is_ok()
    }

    fn over(&self, parts: &[&[u8]]) -> HmacSha256 {
        let mut mac = self.0.clone();
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac
    }
}

/// Refresh tokens: number n of a grant is computed, not drawn, so that the same successor can be given again
/// to a client that asks twice; of what is given only keyed hashes are stored.
#[derive(Debug, Clone)]
pub struct RefreshKeys {
    make: DerivedKey,
    store: DerivedKey,
}

impl RefreshKeys {
    /// What every refresh token begins with: tools that look for leaked secrets find it by that.
    pub const PREFIX: &str = "vcr_";

    /// Both keys of a deployment.
    ///
    /// # Errors
    /// [`KeyError::Empty`].
    pub fn new(auth_token: &Secret) -> Result<Self, KeyError> {
        Ok(Self {
            make: DerivedKey::new(auth_token, "refresh token")?,
            store: DerivedKey::new(auth_token, "refresh token hash")?,
        })
    }

    /// Refresh token `number` of the grant with this id. The id must be unguessable no more than it must be
    /// unique: the key is what keeps the token secret.
    #[must_use]
    pub fn token(&self, grant: &str, number: u64) -> Secret {
        let hash = self.make.hash(&[grant.as_bytes(), &number.to_be_bytes()]);
        Secret::new(format!("{}{}", Self::PREFIX, URL_SAFE_NO_PAD.encode(hash)))
    }

    /// What is stored of a refresh token, and by which a presented one is looked up.
    #[must_use]
    pub fn stored(&self, token: &Secret) -> [u8; 32] {
        self.store.hash(&[token.expose().as_bytes()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn keys(secret: &str) -> RefreshKeys {
        RefreshKeys::new(&Secret::new(secret)).unwrap()
    }

    #[test]
    fn the_same_successor_is_given_again_and_another_for_everything_else() {
        let token = keys("key").token("grant", 1);
        assert!(token.matches(&keys("key").token("grant", 1)));
        for other in
            [keys("key").token("grant", 2), keys("key").token("grant2", 1), keys("yek").token("grant", 1)]
        {
            assert!(!token.matches(&other));
        }
        assert!(crate::is_token(token.expose()));
        assert_eq!(token.expose().len(), 47);
    }

    #[test]
    fn replacing_the_auth_token_makes_every_stored_hash_unreachable() {
        let token = keys("old").token("grant", 7);
        assert_ne!(keys("old").stored(&token), keys("new").stored(&token));
    }

    /// Computed once with Python's `hmac`: stored hashes must still be found after an update.
    #[test]
    fn derivation_does_not_change_from_release_to_release() {
        let keys = keys("s3cret-token");
        let token = keys.token("grant-1", 3);
        assert_eq!(token.expose(), "vcr_58QrBPD41NO6FZ6ceaQfd7uw6KmUcT6C6jhQA1lrFgk");
        assert_eq!(
            hex(&keys.stored(&token)),
            "3f331043fadb1b53d830b0a1693adc2851072efe38948854ba1d88c626c49efc"
        );
    }

    #[test]
    fn no_signature_of_a_token_is_a_key() {
        let secret = Secret::new("s3cret");
        let mut root = HmacSha256::new_from_slice(b"s3cret").unwrap();
        root.update(b"refresh token");
        let undivided: [u8; 32] = root.finalize().into_bytes().into();
        let mut as_key = HmacSha256::new_from_slice(&undivided).unwrap();
        as_key.update(&0u64.to_be_bytes());
        let of_undivided: [u8; 32] = as_key.finalize().into_bytes().into();
        assert_ne!(DerivedKey::new(&secret, "refresh token").unwrap().hash(&[b""]), of_undivided);
    }

    #[test]
    fn an_empty_secret_is_no_key() {
        assert_eq!(DerivedKey::new(&Secret::new(""), "anything").unwrap_err(), KeyError::Empty);
        assert_eq!(RefreshKeys::new(&Secret::new("")).unwrap_err(), KeyError::Empty);
    }

    #[test]
    fn keys_are_printed_by_nothing() {
        assert_eq!(format!("{:?}", DerivedKey::new(&Secret::new("s3cret"), "a").unwrap()), "[redacted]");
        assert!(!format!("{:?}", keys("s3cret")).contains("s3cret"));
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    proptest! {
        #[test]
        fn where_parts_end_is_part_of_the_hash(
            one in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..4), 0..4),
            other in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..4), 0..4),
        ) {
            let key = DerivedKey::new(&Secret::new("k"), "p").unwrap();
            let one: Vec<&[u8]> = one.iter().map(Vec::as_slice).collect();
            let other: Vec<&[u8]> = other.iter().map(Vec::as_slice).collect();
            prop_assert_eq!(key.hash(&one) == key.hash(&other), one == other);
            prop_assert!(key.matches(&one, &key.hash(&one)));
            prop_assert_eq!(key.matches(&one, &key.hash(&other)), one == other);
        }
    }
}
