//! Refresh tokens: each is computed from its grant and a number, and only its keyed hash is in the file.

use std::time::Duration;

use store::{Connection, Lane, StoreError, params};
use token::{RefreshKeys, Secret};

use super::clients::touch;
use super::grants::{Grant, Outcome, limits_of, revoke};
use super::{OauthStore, OauthStoreError, seconds};

/// How long a refresh token is good for; each use begins anew.
pub(super) const REFRESH_LIFE: Duration = Duration::from_secs(60 * 24 * 60 * 60);

/// How many used refresh tokens of a grant are remembered. A client that refreshes without need would fill the
/// file otherwise; one that is older than these is refused without being taken for stolen.
const MOST_USED: u64 = 1_000;

impl OauthStore {
    /// The grant that a refresh token belongs to, whatever became of either.
    ///
    /// # Errors
    /// The engine's.
    pub(in crate::oauth) fn grant_of_refresh(
        &self,
        token: &Secret,
    ) -> Result<Option<String>, OauthStoreError> {
        let hash = self.inner.refresh.stored(token);
        self.database()?.read(|connection| {
            connection.query_one(
                "SELECT grant_id FROM refresh_tokens WHERE hash = ?1",
                params![hash],
                |row| Ok(row.get(0)?),
            )
        })
    }

    /// Exchanges a refresh token for its successor. One that was used less than `grace` ago gives the grant's
    /// current token, whichever number that has by now: of several processes that share one token, two may
    /// have refreshed in turn before the third one arrives. Later, it was stolen from whoever used it first
    /// or second, and the grant ends.
    ///
    /// # Errors
    /// The engine's.
    pub(in crate::oauth) fn refresh(
        &self,
        token: &Secret,
        client_id: &str,
        grace: Duration,
    ) -> Result<Outcome, OauthStoreError> {
        struct Found {
            grant: Grant,
            number: u64,
            client_id: String,
            used_at: Option<i64>,
            expires_at: i64,
            revoked: bool,
        }
        let now = self.now();
        let hash = self.inner.refresh.stored(token);
        let keys = self.inner.refresh.clone();
        let client = client_id.to_owned();
        let (outcome, grant) = self.database()?.write(Lane::Interactive, move |connection| {
            let found = connection.query_one(
                // A token was used when the next one was made, which lives REFRESH_LIFE from then on.
                "SELECT g.id, g.current_number, t.number, g.client_id, next.expires_at - ?2, t.expires_at,
                     g.revoked_at IS NOT NULL, g.rights, g.folders
                 FROM refresh_tokens t JOIN grants g ON g.id = t.grant_id
                 LEFT JOIN refresh_tokens next ON next.grant_id = t.grant_id AND next.number = t.number + 1
                 WHERE t.hash = ?1",
                params![hash, seconds(REFRESH_LIFE)],
                |row| {
                    Ok::<_, OauthStoreError>(Found {
                        grant: Grant { id: row.get(0)?, number: row.get(1)?, limits: limits_of(row, 7)? },
                        number: row.get(2)?,
                        client_id: row.get(3)?,
                        used_at: row.get(4)?,
                        expires_at: row.get(5)?,
                        revoked: row.get(6)?,
                    })
                },
            )?;
            let Some(Found { mut grant, number, client_id, used_at, expires_at, revoked }) = found else {
                return Ok((Outcome::Unknown, None));
            };
            if client_id != client {
                return Ok((Outcome::OtherClient, Some(grant.id)));
            }
            if revoked {
                return Ok((Outcome::Unknown, None));
            }
            if expires_at <= now {
                connection.execute("DELETE FROM refresh_tokens WHERE hash = ?1", params![hash])?;
                return Ok((Outcome::Unknown, None));
            }
            if number == grant.number {
                grant.number += 1;
                connection.execute(
                    "UPDATE grants SET current_number = current_number + 1, rotated_at = ?2, expires_at = ?3
                     WHERE id = ?1",
                    params![&grant.id, now, now + seconds(REFRESH_LIFE)],
                )?;
                keep_token(connection, &keys, &grant.id, grant.number, now)?;
                let oldest = i64::try_from(grant.number.saturating_sub(MOST_USED)).unwrap_or(0);
                connection.execute(
                    "DELETE FROM refresh_tokens WHERE grant_id = ?1 AND number < ?2",
                    params![&grant.id, oldest],
                )?;
                touch(connection, &client_id, now)?;
                return Ok((Outcome::Granted(grant), None));
            }
            // A clock that was set back must not end the grace early.
            if used_at.is_some_and(|used_at| now.saturating_sub(used_at) < seconds(grace)) {
                return Ok((Outcome::Granted(grant), None));
            }
            revoke(connection, &grant.id, now)?;
            Ok::<_, OauthStoreError>((Outcome::Reused, Some(grant.id)))
        })?;
        match outcome {
            Outcome::Reused => {
                tracing::warn!(oauth.client = client_id, oauth.grant = grant, "oauth_refresh_token_reuse");
            }
            Outcome::OtherClient => {
                tracing::warn!(oauth.client = client_id, oauth.grant = grant, "oauth_refresh_token_of_other");
            }
            _ => {}
        }
        Ok(outcome)
    }

    /// The refresh token of a grant that a client is to be given.
    pub(in crate::oauth) fn refresh_token(&self, grant: &Grant) -> Secret {
        self.inner.refresh.token(&grant.id, grant.number)
    }

    /// Ends the grant of a refresh token of this client. Of another's, and of none, nothing comes. Whether it
    /// was this client's.
    ///
    /// # Errors
    /// The engine's.
    pub(in crate::oauth) fn revoke_refresh(
        &self,
        token: &Secret,
        client_id: &str,
    ) -> Result<bool, OauthStoreError> {
        let now = self.now();
        self.purge(now)?;
        let hash = self.inner.refresh.stored(token);
        let client_id = client_id.to_owned();
        let revoked = self.database()?.write(Lane::Interactive, move |connection| {
            let grant = connection.query_one(
                "SELECT g.id FROM refresh_tokens t JOIN grants g ON g.id = t.grant_id
                 WHERE t.hash = ?1 AND g.client_id = ?2",
                params![hash, client_id],
                |row| row.get::<String>(0),
            )?;
            if let Some(grant) = &grant {
                revoke(connection, grant, now)?;
            }
            Ok::<_, StoreError>(grant)
        })?;
        if let Some(grant) = &revoked {
            tracing::info!(oauth.grant = grant, "oauth_grant_revoked");
        }
        Ok(revoked.is_some())
    }
}

/// Writes down refresh token `number` of a grant.
pub(super) fn keep_token(
    connection: &Connection,
    keys: &RefreshKeys,
    grant: &str,
    number: u64,
    now: i64,
) -> Result<(), StoreError> {
    let hash = keys.stored(&keys.token(grant, number));
    connection.execute(
        "INSERT INTO refresh_tokens (hash, grant_id, number, expires_at) VALUES (?1, ?2, ?3, ?4)",
        params![hash, grant, i64::try_from(number).unwrap_or(i64::MAX), now + seconds(REFRESH_LIFE)],
    )?;
    Ok(())
}
