//! The state of the OAuth server: clients, consents, codes, what was revoked, limited tokens. The only place
//! of SQL for them.
//!
//! Nothing that could be presented is stored: refresh tokens and codes are there as hashes keyed by
//! `MCP_AUTH_TOKEN` (so that replacing it makes every row unreachable), secrets of clients as SHA-256 of 256
//! random bits (so that clients outlive it). Every method blocks: async code calls it from a thread where
//! blocking is allowed.

mod clients;
mod codes;
mod connections;
mod error;
mod grants;
mod limited;
mod refresh;
mod retain;
mod schema;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use store::{Database, Lane, Options, StoreError};
use token::{Claims, DerivedKey, RefreshKeys, Right, Secret};
use vault::{FolderScope, Principal, Rights};

pub(super) use clients::{NEW_WINDOW, Registered, StoredDocument};
pub(super) use codes::{NewCode, Presented};
pub(crate) use connections::Connected;
pub(crate) use error::OauthStoreError;
pub(super) use grants::{Grant, Outcome};
pub(crate) use limited::{LimitedToken, ListedToken};

/// The open file. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct OauthStore {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// `None` when the file could not be opened.
    database: Option<Database>,
    refresh: RefreshKeys,
    codes: DerivedKey,
    /// Tells one `MCP_AUTH_TOKEN` from the next, and nothing of either.
    key_mark: String,
    now: fn() -> Timestamp,
}

/// What a token with our signature is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Its grant, or the row of the limited token, is there and was not revoked.
    Live(Principal),
    /// It or its grant was revoked.
    Revoked,
    /// Nothing is known of it: the grant has expired, or the file is another one.
    Unknown,
}

impl OauthStore {
    /// Opens the file, or makes it with mode 0600. `auth_token` is `MCP_AUTH_TOKEN`.
    ///
    /// # Errors
    /// [`OauthStoreError::Damaged`] and [`OauthStoreError::Newer`] when the file is not one of ours; it is
    /// never thrown away. [`OauthStoreError::Key`] for an empty token, else the engine's.
    pub(crate) fn open(
        path: &Path,
        auth_token: &Secret,
        now: fn() -> Timestamp,
    ) -> Result<Self, OauthStoreError> {
        let damaged = |error: OauthStoreError| match error {
            OauthStoreError::Store(StoreError::Corrupt(reason)) => {
                OauthStoreError::Damaged { path: path.to_owned(), reason }
            }
            other => other,
        };
        let options = Options { durable: true, ..Options::default() };
        let database = Database::open(path, &options).map_err(|error| damaged(error.into()))?;
        let file = path.to_owned();
        database
            .write(Lane::Interactive, move |connection| schema::prepare(connection, &file))
            .map_err(damaged)?;
        let opened = Self::over(Some(database), auth_token, now)?;
        opened.purge(opened.now())?;
        opened.sweep_clients(opened.now())?;
        Ok(opened)
    }

    /// A state that is not there: every question to it is an error, and whoever has the static token does not
    /// notice. For a server whose data folder cannot be used.
    ///
    /// # Errors
    /// [`OauthStoreError::Key`].
    pub(crate) fn unopened(auth_token: &Secret, now: fn() -> Timestamp) -> Result<Self, OauthStoreError> {
        Self::over(None, auth_token, now)
    }

    fn over(
        database: Option<Database>,
        auth_token: &Secret,
        now: fn() -> Timestamp,
    ) -> Result<Self, OauthStoreError> {
        let refresh = RefreshKeys::new(auth_token)?;
        let codes = DerivedKey::new(auth_token, "authorization code hash")?;
        let mark = DerivedKey::new(auth_token, "mark of the key")?.hash(&[]);
        let key_mark = URL_SAFE_NO_PAD.encode(mark.get(..6).unwrap_or_default());
        Ok(Self { inner: Arc::new(Inner { database, refresh, codes, key_mark, now }) })
    }

    /// The file.
    fn database(&self) -> Result<&Database, OauthStoreError> {
        self.inner.database.as_ref().ok_or(OauthStoreError::Unopened)
    }

    /// What a token is worth whose signature, binding and expiry were found right.
    ///
    /// # Errors
    /// The engine's.
    pub(crate) fn judge(&self, claims: &Claims) -> Result<Standing, OauthStoreError> {
        match &claims.grant {
            Some(grant) => self.judge_grant(claims, grant),
            None => self.judge_limited(claims),
        }
    }

    /// The time, in seconds since 1970.
    fn now(&self) -> i64 {
        (self.inner.now)().as_second()
    }
}

/// Who calls with these claims: the subject, with all that the limits leave.
pub(crate) fn principal(claims: &Claims) -> Principal {
    let rights = match &claims.limits.rights {
        None => Rights { read: true, write: true, delete: true },
        Some(rights) => Rights {
            read: rights.contains(&Right::Read),
            write: rights.contains(&Right::Write),
            delete: rights.contains(&Right::Delete),
        },
    };
    let folders = claims.limits.folders.clone().map_or(FolderScope::All, FolderScope::Only);
    Principal { name: claims.subject.clone(), rights, folders }
}

/// Whole seconds, as the tables have them.
fn seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)
}

/// So many random bytes of the system, as base64url.
pub(super) fn random_text<const BYTES: usize>() -> Result<String, OauthStoreError> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| OauthStoreError::Random(error.to_string()))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
