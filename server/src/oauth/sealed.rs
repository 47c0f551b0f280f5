//! The request that the owner decides on, carried by the consent page itself.
//!
//! What was checked when the page was made is signed into it, so that nothing has to be remembered between
//! the page and the answer: any number of pages stay valid side by side, over a restart, on any host with the
//! same `MCP_AUTH_TOKEN`; and nobody who does not have that can change where the code goes.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use token::DerivedKey;

/// How long the owner may look at the page, in seconds.
const LIFE: i64 = 60 * 60;

/// A request that was found right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ConsentRequest {
    /// The client's id.
    pub(super) client_id: String,
    /// What the client calls itself.
    pub(super) client_name: Option<String>,
    /// The host of its metadata document.
    pub(super) client_host: Option<String>,
    /// Where the answer goes.
    pub(super) redirect_uri: String,
    /// Whether the request named it.
    pub(super) redirect_uri_named: bool,
    /// The S256 challenge.
    pub(super) code_challenge: String,
    /// The client's own word, given back to it.
    pub(super) state: Option<String>,
    /// When the page becomes worthless, in seconds since 1970.
    pub(super) expires_at: i64,
}

/// Why a sealed request is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SealError {
    /// Not ours, or changed, or sealed under another `MCP_AUTH_TOKEN`.
    Broken,
    /// Too old.
    Expired,
}

impl ConsentRequest {
    /// A request of now.
    pub(super) fn new(now: i64) -> Self {
        Self {
            client_id: String::new(),
            client_name: None,
            client_host: None,
            redirect_uri: String::new(),
            redirect_uri_named: true,
            code_challenge: String::new(),
            state: None,
            expires_at: now.saturating_add(LIFE),
        }
    }

    /// The text that the page carries. `issuer` is this server's: a page of another deployment with the same
    /// `MCP_AUTH_TOKEN` is none of ours.
    pub(super) fn seal(&self, key: &DerivedKey, issuer: &str) -> String {
        let json = serde_json::to_vec(self).unwrap_or_default();
        let mac = key.hash(&[issuer.as_bytes(), &json]);
        format!("{}.{}", URL_SAFE_NO_PAD.encode(json), URL_SAFE_NO_PAD.encode(mac))
    }

    /// The request in a text that the page carried.
    ///
    /// # Errors
    /// [`SealError`].
    pub(super) fn open(sealed: &str, key: &DerivedKey, issuer: &str, now: i64) -> Result<Self, SealError> {
        let decode = |text| URL_SAFE_NO_PAD.decode(text).map_err(|_| SealError::Broken);
        let (json, mac) = sealed.split_once('.').ok_or(SealError::Broken)?;
        let (json, mac) = (decode(json)?, decode(mac)?);
        if !key.matches(&[issuer.as_bytes(), &json], &mac) {
            return Err(SealError::Broken);
        }
        let request: Self = serde_json::from_slice(&json).map_err(|_| SealError::Broken)?;
        if now >= request.expires_at { Err(SealError::Expired) } else { Ok(request) }
    }
}

#[cfg(test)]
mod tests {
    use token::Secret;

    use super::*;

    const ISSUER: &str = "https://vault.example.com/";

    fn key(secret: &str) -> DerivedKey {
        DerivedKey::new(&Secret::new(secret), "consent request").unwrap()
    }

    fn request() -> ConsentRequest {
        ConsentRequest {
            client_id: "client".to_owned(),
            redirect_uri: "https://a.example/cb".to_owned(),
            state: Some("\"<>&'ü".to_owned()),
            ..ConsentRequest::new(1_000)
        }
    }

    #[test]
    fn a_sealed_request_comes_back_as_it_was_and_only_under_its_key_and_in_time() {
        let sealed = request().seal(&key("a"), ISSUER);
        assert_eq!(ConsentRequest::open(&sealed, &key("a"), ISSUER, 1_000 + LIFE - 1), Ok(request()));
        assert_eq!(ConsentRequest::open(&sealed, &key("a"), ISSUER, 1_000 + LIFE), Err(SealError::Expired));
        assert_eq!(ConsentRequest::open(&sealed, &key("b"), ISSUER, 1_001), Err(SealError::Broken));
        let elsewhere = ConsentRequest::open(&sealed, &key("a"), "https://other.example/", 1_001);
        assert_eq!(elsewhere, Err(SealError::Broken));
        assert!(sealed.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)));
    }

    #[test]
    fn a_changed_request_is_broken() {
        let sealed = request().seal(&key("a"), ISSUER);
        let (json, mac) = sealed.split_once('.').unwrap();
        let other = URL_SAFE_NO_PAD.encode(
            String::from_utf8(URL_SAFE_NO_PAD.decode(json).unwrap())
                .unwrap()
                .replace("a.example", "b.example"),
        );
        for changed in [
            "",
            ".",
            json,
            &format!("{json}."),
            &format!("{other}.{mac}"),
            &format!("{json}.{mac}.x"),
            &format!("{json}.{}", &mac[1..]),
            &format!("{json}={mac}"),
        ] {
            assert_eq!(
                ConsentRequest::open(changed, &key("a"), ISSUER, 1_001),
                Err(SealError::Broken),
                "{changed}"
            );
        }
    }
}
