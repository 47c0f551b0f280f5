//! Bearer tokens: reading them from a header and comparing them, shared by the edge and the host.
//! No network, no clock, no environment.
//!
//! ```
//! use vault_cortex_token::{Secret, bearer};
//!
//! let expected = Secret::new("s3cret-token");
//! let sent = bearer([b"Bearer s3cret-token".as_slice()]).unwrap();
//! assert!(expected.matches(&sent));
//! assert_eq!(format!("{sent} {sent:?}"), "[redacted] [redacted]");
//! ```

mod bearer;
mod secret;

pub use bearer::{BearerError, MAX_TOKEN_BYTES, bearer, is_token, parse_bearer};
pub use secret::Secret;
