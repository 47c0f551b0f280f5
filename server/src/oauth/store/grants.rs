//! Grants: what the owner allowed, from the code to the last refresh token.
//!
//! Each step is one transaction, on the disk before its answer goes out, so that a crash leaves the step done
//! or not begun. Tokens themselves are computed from the grant and a number and are nowhere in the file.

use std::time::Duration;

use store::{Connection, Lane, Row, StoreError, params};
use token::{Claims, Limits, RefreshKeys, Secret};

use super::clients::touch;
use super::{OauthStore, OauthStoreError, Standing, principal, random_text, seconds};
use crate::oauth::pkce;

/// How long a code is good for.
const CODE_LIFE: Duration = Duration::from_secs(10 * 60);

/// How long a refresh token is good for; each use begins anew.
const REFRESH_LIFE: Duration = Duration::from_secs(60 * 24 * 60 * 60);

/// How many used refresh tokens of a grant are remembered. A client that refreshes without need would fill the
/// file otherwise; one that is older than these is refused without being taken for stolen.
const MOST_USED: u64 = 1_000;

/// What every code begins with: tools that look for leaked secrets find it by that.
const CODE_PREFIX: &str = "vcc_";

/// What the owner has just allowed.
#[derive(Debug, Clone)]
pub(in crate::oauth) struct NewCode {
    /// The client's id.
    pub(in crate::oauth) client_id: String,
    /// Where the code goes.
    pub(in crate::oauth) redirect_uri: String,
    /// Whether the request named it: the exchange must then name it too (RFC 6749 section 4.1.3).
    pub(in crate::oauth) redirect_uri_named: bool,
    /// S256 challenge.
    pub(in crate::oauth) code_challenge: String,
    /// To what the owner narrowed it.
    pub(in crate::oauth) limits: Limits,
}

/// A code that somebody presents.
#[derive(Debug, Clone)]
pub(in crate::oauth) struct Presented {
    /// The code.
    pub(in crate::oauth) code: Secret,
    /// Who presents it.
    pub(in crate::oauth) client_id: String,
    /// The redirect URI that is named with it.
    pub(in crate::oauth) redirect_uri: Option<String>,
    /// The verifier of its challenge.
    pub(in crate::oauth) verifier: String,
}

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
    /// Makes a code for what the owner allowed.
    ///
    /// # Errors
    /// The engine's; no random numbers.
    pub(in crate::oauth) fn issue_code(&self, new: NewCode) -> Result<Secret, OauthStoreError> {
        let now = self.now();
        self.purge(now)?;
        let code = Secret::new(format!("{CODE_PREFIX}{}", random_text::<32>()?));
        let hash = self.hash_of_code(&code);
        let grant = format!("grant_{}", random_text::<16>()?);
        self.database()?.write(Lane::Interactive, move |connection| {
            touch(connection, &new.client_id, now)?;
            let (rights, folders) = limits_to_text(&new.limits);
            connection.execute(
                "INSERT INTO codes (hash, grant_id, client_id, redirect_uri, redirect_uri_named, code_challenge,
                     rights, folders, expires_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                params![
                    hash,
                    grant,
                    new.client_id,
                    new.redirect_uri,
                    new.redirect_uri_named,
                    new.code_challenge,
                    rights,
                    folders,
                    now + seconds(CODE_LIFE)
                ],
            )?;
            Ok::<_, OauthStoreError>(())
        })?;
        Ok(code)
    }

    /// Turns a code into a grant. A code that does not fit stays good: its client did nothing wrong.
    ///
    /// # Errors
    /// The engine's.
    pub(in crate::oauth) fn redeem(&self, presented: Presented) -> Result<Outcome, OauthStoreError> {
        struct Code {
            grant: String,
            client_id: String,
            redirect_uri: String,
            redirect_uri_named: bool,
            challenge: String,
            limits: Limits,
            expires_at: i64,
            used: bool,
        }
        let now = self.now();
        let hash = self.hash_of_code(&presented.code);
        let keys = self.inner.refresh.clone();
        let outcome = self.database()?.write(Lane::Interactive, move |connection| {
            let code = connection.query_one(
                "SELECT grant_id, client_id, redirect_uri, redirect_uri_named, code_challenge, expires_at,
                     used_at IS NOT NULL, rights, folders FROM codes WHERE hash = ?1",
                params![hash],
                |row| {
                    Ok::<_, OauthStoreError>(Code {
                        grant: row.get(0)?,
                        client_id: row.get(1)?,
                        redirect_uri: row.get(2)?,
                        redirect_uri_named: row.get(3)?,
                        challenge: row.get(4)?,
                        expires_at: row.get(5)?,
                        used: row.get(6)?,
                        limits: limits_of(row, 7)?,
                    })
                },
            )?;
            let Some(code) = code else { return Ok((Outcome::Unknown, None)) };
            if code.used {
                let revoked = revoke(connection, &code.grant, now)?;
                return Ok((Outcome::Reused, revoked.then_some(code.grant)));
            }
            let outcome = match &presented.redirect_uri {
                _ if code.expires_at <= now => Outcome::Unknown,
                _ if code.client_id != presented.client_id => Outcome::OtherClient,
                Some(uri) if *uri != code.redirect_uri => Outcome::OtherRedirect,
                None if code.redirect_uri_named => Outcome::OtherRedirect,
                _ if !pkce::verifies(&presented.verifier, &code.challenge) => Outcome::WrongVerifier,
                _ => {
                    Outcome::Granted(Grant { id: code.grant.clone(), number: 1, limits: code.limits.clone() })
                }
            };
            if let Outcome::Granted(grant) = &outcome {
                connection.execute("UPDATE codes SET used_at = ?2 WHERE hash = ?1", params![hash, now])?;
                let (rights, folders) = limits_to_text(&grant.limits);
                connection.execute(
                    "INSERT INTO grants (id, client_id, redirect_uri, rights, folders, created_at,
                         current_number, rotated_at, expires_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?6, ?7)",
                    params![
                        &grant.id,
                        code.client_id,
                        code.redirect_uri,
                        rights,
                        folders,
                        now,
                        now + seconds(REFRESH_LIFE)
                    ],
                )?;
                keep_token(connection, &keys, &grant.id, 1, now)?;
            }
            Ok::<_, OauthStoreError>((outcome, None))
        })?;
        if let (Outcome::Reused, Some(grant)) = &outcome {
            tracing::warn!(oauth.grant = grant, "oauth_code_reuse");
        }
        Ok(outcome.0)
    }

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

    fn hash_of_code(&self, code: &Secret) -> [u8; 32] {
        self.inner.codes.hash(&[code.expose().as_bytes()])
    }
}

fn keep_token(
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
