//! What the server itself put into the trash, so that the sweep removes that and nothing else.

use store::{Connection, Lane, StoreError, params};

use crate::hash::ContentHash;
use crate::journal::{ChangeId, Journal, JournalError};

/// A file in the trash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trashed {
    /// Its name in the trash.
    pub(crate) name: String,
    /// When it went there, in milliseconds since 1970.
    pub(crate) at_ms: i64,
    /// Device and inode.
    pub(crate) identity: (u64, u64),
    /// Its content.
    pub(crate) hash: ContentHash,
    /// Whether the sweep may remove it; otherwise it is the user's to keep.
    pub(crate) swept: bool,
}

impl Trashed {
    pub(crate) fn put(&self, connection: &Connection, change: ChangeId) -> Result<(), StoreError> {
        if !self.swept {
            return Ok(());
        }
        // The bits of the numbers, whatever their sign.
        let (device, inode) = (self.identity.0.cast_signed(), self.identity.1.cast_signed());
        connection.execute(
            "INSERT OR REPLACE INTO trashed (name, change, at_ms, device, inode, hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![&self.name, change.0, self.at_ms, device, inode, self.hash.as_bytes()],
        )?;
        Ok(())
    }
}

impl Journal {
    /// What went to the trash before a time.
    pub(crate) fn trashed_before(&self, at_ms: i64) -> Result<Vec<Trashed>, JournalError> {
        let sql = "SELECT name, at_ms, device, inode, hash FROM trashed WHERE at_ms < ?1 ORDER BY name";
        let found = self.inner.database.read(|connection| {
            connection.query(sql, params![at_ms], |row| {
                let identity = (row.get::<i64>(2)?.cast_unsigned(), row.get::<i64>(3)?.cast_unsigned());
                let hash = row.bytes(4)?.try_into().map(ContentHash::from_bytes);
                let hash = hash.map_err(|_| StoreError::Corrupt("a hash is not 32 bytes".to_owned()))?;
                Ok::<_, StoreError>(Trashed {
                    name: row.get(0)?,
                    at_ms: row.get(1)?,
                    identity,
                    hash,
                    swept: true,
                })
            })
        })?;
        Ok(found)
    }

    /// Forgets files of the trash.
    pub(crate) fn forget_trashed(&self, names: Vec<String>) -> Result<(), JournalError> {
        self.inner.database.write(Lane::Bulk, move |connection| {
            for name in &names {
                connection.execute("DELETE FROM trashed WHERE name = ?1", params![name])?;
            }
            Ok::<_, StoreError>(())
        })?;
        Ok(())
    }
}
