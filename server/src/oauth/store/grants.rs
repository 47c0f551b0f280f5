//! Grants: what the owner allowed, at work. A code becomes one, its refresh tokens keep it alive.
//!
//! Each step, here and in [`codes`](super::codes) and [`refresh`](super::refresh), is one transaction, on the
//! disk before its answer goes out, so that a crash leaves the step done or not begun.

use store::{Connection, Lane, Row, StoreError, params};
use token::{Claims, Limits};

use super::{OauthStore, OauthStoreError, Standing, principal};

/// A grant at work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::oauth) struct Grant {
    /// Its id.
    pub(in crate::oauth) id: String,
    /// The number of the refresh token to hand out.
    pub(in crate::oauth) number: u64,
    /// What its access tokens may do.
    pub(in crate::oauth) limits: Limits,
}

/// What became of a code or refresh token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::oauth) enum Outcome {
    /// It was good.
    Granted(Grant),
    /// Not there, expired, revoked, or made under another `MCP_AUTH_TOKEN`.
    Unknown,
    /// It is another client's.
    OtherClient,
    /// The redirect URI is another one, or is missing.
    OtherRedirect,
    /// The verifier is not the challenge's.
    WrongVerifier,
    /// It was used before; the grant is revoked.
    Reused,
}

impl OauthStore {
    /// Ends one access token of this client. Whether it was this client's.
    ///
    /// # Errors
    /// The engine's.
    pub(in crate::oauth) fn revoke_access(
        &self,
        claims: &Claims,
        client_id: &str,
    ) -> Result<bool, OauthStoreError> {
        let (Some(id), Some(_), true) = (&claims.id, &claims.grant, claims.subject == client_id) else {
            return Ok(false);
        };
        self.purge(self.now())?;
        let (id, expires_at) = (id.clone(), i64::try_from(claims.expires_at).unwrap_or(i64::MAX));
        self.database()?.write(Lane::Interactive, move |connection| {
            connection.execute(
                "INSERT INTO revoked_tokens (jti, expires_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                params![id, expires_at],
            )?;
            Ok::<_, OauthStoreError>(true)
        })
    }

    /// What an access token of a grant is worth.
    pub(super) fn judge_grant(&self, claims: &Claims, grant: &str) -> Result<Standing, OauthStoreError> {
        let found = self.database()?.read(|connection| {
            connection.query_one(
                "SELECT client_id, revoked_at IS NOT NULL
                     OR EXISTS (SELECT 1 FROM revoked_tokens WHERE jti = ?2)
                 FROM grants WHERE id = ?1",
                params![grant, claims.id.as_deref().unwrap_or_default()],
                |row| Ok::<_, OauthStoreError>((row.get::<String>(0)?, row.get::<bool>(1)?)),
            )
        })?;
        Ok(match found {
            Some((client, false)) if client == claims.subject => Standing::Live(principal(claims)),
            Some((_, true)) => Standing::Revoked,
            _ => Standing::Unknown,
        })
    }
}

/// Ends a grant; whether it was still alive. Its refresh tokens go, its row stays as long as access tokens may
/// name it.
pub(super) fn revoke(connection: &Connection, grant: &str, now: i64) -> Result<bool, StoreError> {
    connection.execute("DELETE FROM refresh_tokens WHERE grant_id = ?1", params![grant])?;
    let changed = connection.execute(
        "UPDATE grants SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL",
        params![grant, now],
    )?;
    Ok(changed > 0)
}

pub(super) fn limits_to_text(limits: &Limits) -> (Option<String>, Option<String>) {
    let rights = limits.rights.as_ref().map(|rights| serde_json::json!(rights).to_string());
    let folders = limits.folders.as_ref().map(|folders| serde_json::json!(folders).to_string());
    (rights, folders)
}

/// Limits in the columns `rights` and, behind it, `folders`. What cannot be read is an error: it must not
/// become the whole vault.
pub(super) fn limits_of(row: &Row<'_>, rights: usize) -> Result<Limits, StoreError> {
    let damaged = |error: serde_json::Error| StoreError::Corrupt(format!("limits of a grant: {error}"));
    let text = |index| row.get::<Option<String>>(index);
    Ok(Limits {
        rights: text(rights)?.map(|text| serde_json::from_str(&text).map_err(damaged)).transpose()?,
        folders: text(rights + 1)?.map(|text| serde_json::from_str(&text).map_err(damaged)).transpose()?,
    })
}
