//! Clients that registered themselves, and documents of clients that did not.

use std::time::Duration;

use serde_json::Value;
use sha2::{Digest, Sha256};
use store::{Connection, Lane, StoreError, params};
use subtle::ConstantTimeEq;
use token::Secret;

use super::{OauthStore, OauthStoreError, random_text, seconds};
use crate::oauth::client::{AuthMethod, Client, ClientMetadata};
use crate::oauth::redirect_uri::RedirectUri;

/// How long a client is kept that never got so far as a consent, or whose last refresh token has expired.
const UNUSED_KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How many unused clients there may be at once; of more, the oldest go, but none that was used within
/// [`SPARED`]. A row is at most some 6 KB (ten redirect URIs of 512 bytes), so a flood of registrations costs
/// at most 12 MB.
const MOST_UNUSED: i64 = 2_000;

/// How many clients may be new within [`NEW_WINDOW`], whoever registers them: addresses can be many. What comes
/// in within [`SPARED`] is then less than [`MOST_UNUSED`].
const MOST_NEW: i64 = 30;

/// The time over which new clients are counted.
pub(in crate::oauth) const NEW_WINDOW: Duration = Duration::from_secs(60);

/// How long a client is safe from being put out by newer ones: longer than a log-in takes.
const SPARED: Duration = Duration::from_secs(60 * 60);

/// How many metadata documents are kept.
const MOST_DOCUMENTS: i64 = 200;

/// A registration.
#[derive(Debug)]
pub(in crate::oauth) struct Registered {
    /// The client's id.
    pub(in crate::oauth) id: String,
    /// Its secret, told this once; `None` for a public client.
    pub(in crate::oauth) secret: Option<Secret>,
    /// When it registered first, in seconds since 1970.
    pub(in crate::oauth) issued_at: i64,
}

/// A client that registered.
#[derive(Debug)]
pub(in crate::oauth) struct StoredClient {
    /// What it may do.
    pub(in crate::oauth) client: Client,
    secret_hash: Option<Vec<u8>>,
}

impl StoredClient {
    /// Whether it has to prove itself.
    pub(in crate::oauth) fn has_secret(&self) -> bool {
        self.secret_hash.is_some()
    }

    /// Whether this is its secret.
    pub(in crate::oauth) fn is_secret(&self, guess: &str) -> bool {
        self.secret_hash
            .as_ref()
            .is_some_and(|hash| Sha256::digest(guess.as_bytes()).as_slice().ct_eq(hash.as_slice()).into())
    }
}

/// A metadata document as it was fetched last. Times in seconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::oauth) struct StoredDocument {
    /// The JSON text.
    pub(in crate::oauth) body: String,
    /// When it was fetched.
    pub(in crate::oauth) fetched_at: i64,
    /// Until when nobody asks for it again.
    pub(in crate::oauth) fresh_until: i64,
}

impl OauthStore {
    /// Registers a client. A public one with the same metadata as an earlier one is that one. `None` when too
    /// many others have just become known; one that is known already is not counted.
    ///
    /// # Errors
    /// The engine's; no random numbers.
    pub(in crate::oauth) fn register(
        &self,
        metadata: &ClientMetadata,
    ) -> Result<Option<Registered>, OauthStoreError> {
        let now = self.now();
        self.sweep_clients(now)?;
        let public = metadata.auth_method == AuthMethod::None;
        let echoed = Value::Object(metadata.echoed.clone()).to_string();
        let fingerprint = public.then(|| Sha256::digest(echoed.as_bytes()).to_vec());
        let id = format!("client_{}", random_text::<16>()?);
        let secret = if public { None } else { Some(Secret::new(random_text::<32>()?)) };
        let secret_hash = secret.as_ref().map(|secret| Sha256::digest(secret.expose().as_bytes()).to_vec());
        let name = metadata.name.clone();
        let uris: Vec<_> = metadata.redirect_uris.iter().map(RedirectUri::as_str).collect();
        let uris = serde_json::json!(uris).to_string();
        let auth_method = metadata.auth_method.name();
        self.database()?.write(Lane::Interactive, move |connection| {
            if let Some(fingerprint) = &fingerprint {
                let known = connection.query_one(
                    "SELECT id, registered_at FROM clients WHERE fingerprint = ?1",
                    params![fingerprint],
                    |row| Ok::<_, OauthStoreError>((row.get::<String>(0)?, row.get::<i64>(1)?)),
                )?;
                if let Some((id, issued_at)) = known {
                    touch(connection, &id, now)?;
                    return Ok(Some(Registered { id, secret: None, issued_at }));
                }
            }
            // Rows of a later time are those of a clock that was set back: they must not close the door.
            let new = connection.query_one(
                "SELECT count(*) FROM clients WHERE registered_at > ?1 AND registered_at <= ?2",
                params![now - seconds(NEW_WINDOW), now],
                |row| row.get::<i64>(0),
            )?;
            if new.unwrap_or(0) >= MOST_NEW {
                return Ok(None);
            }
            connection.execute(
                "INSERT INTO clients (id, name, redirect_uris, auth_method, fingerprint, secret_hash,
                     registered_at, last_used_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)",
                params![&id, name, uris, auth_method, fingerprint, secret_hash, now],
            )?;
            Ok::<_, OauthStoreError>(Some(Registered { id, secret, issued_at: now }))
        })
    }

    /// The client with this id.
    ///
    /// # Errors
    /// The engine's.
    pub(in crate::oauth) fn client(&self, id: &str) -> Result<Option<StoredClient>, OauthStoreError> {
        self.database()?.read(|connection| {
            connection.query_one(
                "SELECT id, name, redirect_uris, secret_hash FROM clients WHERE id = ?1",
                params![id],
                |row| {
                    let uris: Vec<String> = serde_json::from_str(row.str(2)?).unwrap_or_default();
                    let client = Client {
                        id: row.get(0)?,
                        name: row.get(1)?,
                        redirect_uris: uris.iter().filter_map(|uri| RedirectUri::parse(uri).ok()).collect(),
                        host: None,
                    };
                    Ok(StoredClient { client, secret_hash: row.get(3)? })
                },
            )
        })
    }

    /// Removes clients that nobody uses.
    pub(super) fn sweep_clients(&self, now: i64) -> Result<(), OauthStoreError> {
        const UNUSED: &str = "NOT EXISTS (
            SELECT 1 FROM grants JOIN refresh_tokens ON grant_id = grants.id
            WHERE grants.client_id = clients.id AND refresh_tokens.expires_at > ?1)";
        let oldest = now - seconds(UNUSED_KEPT);
        let swept = self.database()?.write(Lane::Interactive, move |connection| {
            let old = connection.execute(
                &format!("DELETE FROM clients WHERE last_used_at < ?2 AND {UNUSED}"),
                params![now, oldest],
            )?;
            let many = connection.execute(
                &format!(
                    "DELETE FROM clients WHERE last_used_at <= ?3 AND id IN (
                         SELECT id FROM clients WHERE {UNUSED}
                         ORDER BY last_used_at DESC, id LIMIT -1 OFFSET ?2)"
                ),
                params![now, MOST_UNUSED, now - seconds(SPARED)],
            )?;
            Ok::<_, StoreError>(old + many)
        })?;
        if swept > 0 {
            tracing::info!(clients.swept = swept, "oauth_clients_swept");
        }
        Ok(())
    }

    /// The metadata document of this URL, if it was fetched before.
    ///
    /// # Errors
    /// The engine's.
    pub(in crate::oauth) fn document(&self, url: &str) -> Result<Option<StoredDocument>, OauthStoreError> {
        self.database()?.read(|connection| {
            connection.query_one(
                "SELECT body, fetched_at, fresh_until FROM metadata_documents WHERE url = ?1",
                params![url],
                |row| {
                    Ok(StoredDocument {
                        body: row.get(0)?,
                        fetched_at: row.get(1)?,
                        fresh_until: row.get(2)?,
                    })
                },
            )
        })
    }

    /// Keeps a document that was fetched, or one that could not be fetched anew for a while longer.
    ///
    /// # Errors
    /// The engine's.
    pub(in crate::oauth) fn keep_document(
        &self,
        url: &str,
        document: &StoredDocument,
    ) -> Result<(), OauthStoreError> {
        let (url, document) = (url.to_owned(), document.clone());
        self.database()?.write(Lane::Interactive, move |connection| {
            connection.execute(
                "INSERT INTO metadata_documents (url, body, fetched_at, fresh_until) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (url) DO UPDATE SET body = ?2, fetched_at = ?3, fresh_until = ?4",
                params![url, document.body, document.fetched_at, document.fresh_until],
            )?;
            connection.execute(
                "DELETE FROM metadata_documents WHERE url IN (
                     -- Those of clients that were let in go last: anybody can name documents of his own.
                     SELECT url FROM metadata_documents
                     ORDER BY EXISTS (SELECT 1 FROM grants WHERE client_id = url) DESC, fetched_at DESC, url
                     LIMIT -1 OFFSET ?1)",
                params![MOST_DOCUMENTS],
            )?;
            Ok::<_, OauthStoreError>(())
        })
    }
}

/// Notes that a client was used. A client of a metadata document has no row.
pub(super) fn touch(connection: &Connection, id: &str, now: i64) -> Result<(), StoreError> {
    connection.execute("UPDATE clients SET last_used_at = ?2 WHERE id = ?1", params![id, now])?;
    Ok(())
}
