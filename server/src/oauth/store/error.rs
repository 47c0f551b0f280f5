//! Error policy: what a client did wrong is an outcome of the question it asked (each has an enum of its
//! own), never an error. An [`OauthStoreError`] is the host's trouble: the caller answers 500 or 503, and the
//! log says which. Nothing in it quotes a token.

use std::path::PathBuf;

use store::StoreError;

/// Why the state of the OAuth server cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OauthStoreError {
    /// The file is damaged or something else. It is never put aside by itself: it holds every consent.
    #[error(
        "{} is damaged or no database of this program: {reason}. Put back a copy, or move it away; \
         every client then has to be let in again", path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What the engine said.
        reason: String,
    },
    /// A newer release wrote the file.
    #[error(
        "{} was written by a newer release (its format is {found}, this one knows {known}): update this \
         program, or set OAUTH_DB_PATH to another file", path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The latest format that is known here.
        known: i64,
    },
    /// `MCP_AUTH_TOKEN` is empty.
    #[error(transparent)]
    Key(#[from] token::KeyError),
    /// The system gave no random bytes.
    #[error("the system gives no random numbers: {0}")]
    Random(String),
    /// The file could not be opened when the server started.
    #[error("the file of the OAuth server could not be opened at start")]
    Unopened,
    /// The engine's, by kind.
    #[error(transparent)]
    Store(#[from] StoreError),
}
