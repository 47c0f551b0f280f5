//! What is removed because nobody can need it any more.

use std::time::Duration;

use store::{Lane, StoreError, params};

use super::{OauthStore, OauthStoreError, seconds};

/// How long a revoked grant is remembered: longer than any access token of it can live.
const REVOKED_KEPT: Duration = Duration::from_secs(31 * 24 * 60 * 60);

/// How long a code is remembered after its time, so that a late second use still ends its grant.
const CODE_KEPT: Duration = Duration::from_secs(60 * 60);

impl OauthStore {
    /// Removes what has expired.
    ///
    /// # Errors
    /// The engine's.
    pub(super) fn purge(&self, now: i64) -> Result<(), OauthStoreError> {
        let (tokens, grants) = self.database()?.write(Lane::Interactive, move |connection| {
            let codes = now - seconds(CODE_KEPT);
            connection.execute("DELETE FROM codes WHERE expires_at < ?1", params![codes])?;
            connection.execute("DELETE FROM refresh_tokens WHERE expires_at <= ?1", params![now])?;
            // Of a grant without refresh tokens no access token lives: theirs is the shorter life.
            connection
                .execute("DELETE FROM grants WHERE expires_at <= ?1 AND revoked_at IS NULL", params![now])?;
            let tokens =
                connection.execute("DELETE FROM revoked_tokens WHERE expires_at <= ?1", params![now])?;
            let grants = connection
                .execute("DELETE FROM grants WHERE revoked_at < ?1", params![now - seconds(REVOKED_KEPT)])?;
            Ok::<_, StoreError>((tokens, grants))
        })?;
        if tokens > 0 {
            tracing::info!(tokens.purged = tokens, "oauth_revoked_tokens_purged");
        }
        if grants > 0 {
            tracing::info!(grants.purged = grants, "oauth_revoked_clients_purged");
        }
        Ok(())
    }
}
