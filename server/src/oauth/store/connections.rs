//! What the owner sees of the clients that were let in, and how one is shut out.

use store::{Lane, StoreError, params};
use token::Limits;

use super::grants::{limits_of, revoke};
use super::{OauthStore, OauthStoreError};

/// A client that the owner let in. Times in seconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Connected {
    /// The grant's id, by which it is ended.
    pub(crate) id: String,
    /// The client's id: that is what log and history call it.
    pub(crate) client_id: String,
    /// What the client calls itself.
    pub(crate) name: Option<String>,
    /// What it may do and see.
    pub(crate) limits: Limits,
    /// When it was let in.
    pub(crate) since: i64,
    /// When it last got an access token.
    pub(crate) last_used: i64,
    /// Until when it stays connected without asking again.
    pub(crate) until: i64,
}

impl OauthStore {
    /// Every client that is let in and was not shut out, the last used first. Those of an earlier
    /// `MCP_AUTH_TOKEN` ended with it and are not among them.
    ///
    /// # Errors
    /// The engine's.
    pub(crate) fn connected(&self) -> Result<Vec<Connected>, OauthStoreError> {
        let (now, keys) = (self.now(), self.inner.refresh.clone());
        let rows = self.database()?.read(|connection| {
            connection.query(
                "SELECT g.id, g.client_id, c.name, d.body, g.rights, g.folders, g.created_at, g.rotated_at,
                     g.expires_at, g.current_number, t.hash
                 FROM grants g
                 LEFT JOIN clients c ON c.id = g.client_id
                 LEFT JOIN metadata_documents d ON d.url = g.client_id
                 JOIN refresh_tokens t ON t.grant_id = g.id AND t.number = g.current_number
                 WHERE g.revoked_at IS NULL AND g.expires_at > ?1
                 ORDER BY g.rotated_at DESC, g.id",
                params![now],
                |row| {
                    let document = row.get::<Option<String>>(3)?;
                    let connected = Connected {
                        id: row.get(0)?,
                        client_id: row.get(1)?,
                        name: row.get::<Option<String>>(2)?.or_else(|| name_in(&document?)),
                        limits: limits_of(row, 4)?,
                        since: row.get(6)?,
                        last_used: row.get(7)?,
                        until: row.get(8)?,
                    };
                    Ok::<_, StoreError>((connected, row.get::<u64>(9)?, row.get::<Vec<u8>>(10)?))
                },
            )
        })?;
        let of_this_key = |(connected, number, hash): (Connected, u64, Vec<u8>)| {
            (keys.stored(&keys.token(&connected.id, number)).as_slice() == hash).then_some(connected)
        };
        Ok(rows.into_iter().filter_map(of_this_key).collect())
    }

    /// Ends a grant, for the next call on. `false` when there is none of this id in force.
    ///
    /// # Errors
    /// The engine's.
    pub(crate) fn disconnect(&self, id: &str) -> Result<bool, OauthStoreError> {
        let (id, now) = (id.to_owned(), self.now());
        self.database()?.write(Lane::Interactive, move |connection| Ok(revoke(connection, &id, now)?))
    }
}

/// What a metadata document calls its client.
fn name_in(document: &str) -> Option<String> {
    let document: serde_json::Value = serde_json::from_str(document).ok()?;
    Some(document.get("client_name")?.as_str()?.to_owned())
}
