//! Codes: what the owner allowed, until the client turns it into a grant.

use std::time::Duration;

use store::{Lane, params};
use token::{Limits, Secret};

use super::clients::touch;
use super::grants::{Grant, Outcome, limits_of, limits_to_text, revoke};
use super::refresh::{REFRESH_LIFE, keep_token};
use super::{OauthStore, OauthStoreError, random_text, seconds};
use crate::oauth::pkce;

/// How long a code is good for.
const CODE_LIFE: Duration = Duration::from_secs(10 * 60);

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

    fn hash_of_code(&self, code: &Secret) -> [u8; 32] {
        self.inner.codes.hash(&[code.expose().as_bytes()])
    }
}
