//! Tokens: reading them from a header, comparing, signing and checking them. The edge and the host share this
//! crate, so that both judge alike. No network, no clock, no environment, no randomness: what is needed of
//! these is passed in.
//!
//! # Keys
//! All keys come from one secret, `MCP_AUTH_TOKEN`, so that replacing it ends every session:
//!
//! | Key | What |
//! | --- | --- |
//! | access tokens (JWT, HS256) | the bytes of `MCP_AUTH_TOKEN` themselves, as the reference deployment signs |
//! | everything else | HMAC-SHA256 of a label under `MCP_AUTH_TOKEN`, one label a purpose ([`DerivedKey`]) |
//!
//! A label begins with a zero byte, which no JWT can contain, so that no signature of a token is ever a key.
//!
//! ```
//! use vault_cortex_token::{AccessKey, Claims, PublicOrigin, Secret, Verdict, bearer};
//!
//! let expected = Secret::new("s3cret-token");
//! let sent = bearer([b"Bearer s3cret-token".as_slice()])?;
//! assert!(expected.matches(&sent));
//! assert_eq!(format!("{sent} {sent:?}"), "[redacted] [redacted]");
//!
//! let key = AccessKey::new(&expected, &PublicOrigin::parse("https://vault.example.com")?)?;
//! let token = key.sign(&Claims::new("client-1", 1_700_000_000, 1_700_021_600))?;
//! assert!(matches!(key.verify(token.expose(), 1_700_000_001), Verdict::Valid(_)));
//! assert!(matches!(key.verify(token.expose(), 1_700_021_600), Verdict::Expired(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod bearer;
mod claims;
mod derived;
mod hs256;
mod origin;
mod secret;

pub use access::{AccessKey, KeyError, LEEWAY_SECONDS, Refusal, SignError, Verdict};
pub use bearer::{BearerError, MAX_TOKEN_BYTES, bearer, is_token, parse_bearer};
pub use claims::{Claims, Limits, Right, SCOPE};
pub use derived::{DerivedKey, RefreshKeys};
pub use origin::{OriginError, PublicOrigin};
pub use secret::Secret;
