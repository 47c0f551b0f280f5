//! Old changes are dropped, by age and by the room their copies take, a whole call at a time: of a move
//! without the links that were rewritten for it, undoing what is left would break them. A call of which nobody
//! knows yet what became is never dropped, nor for want of room the newest: it can always be undone.

use std::sync::atomic::Ordering;

use store::{Connection, Lane, StoreError, params};

use crate::journal::{Journal, JournalError};

const MILLISECONDS_A_DAY: i64 = 24 * 60 * 60 * 1000;
/// How often age is looked at.
const INTERVAL_MS: i64 = 60 * 60 * 1000;
/// Which part of the changes is dropped at once when there is too little room.
const AT_ONCE: i64 = 20;

impl Journal {
    /// Drops what is too old or too much, when it is time to look.
    pub(crate) fn retain_if_due(&self, now_ms: i64) {
        let due = now_ms.saturating_sub(self.inner.retained_ms.load(Ordering::Relaxed)) >= INTERVAL_MS;
        let grown = self.inner.grown.load(Ordering::Relaxed) >= (self.inner.options.max_bytes / 16).max(1);
        if !due && !grown {
            return;
        }
        self.inner.retained_ms.store(now_ms, Ordering::Relaxed);
        self.inner.grown.store(0, Ordering::Relaxed);
        if let Err(error) = self.retain(now_ms) {
            tracing::warn!(error = %error, "old changes could not be dropped from the journal");
        }
    }

    /// Drops what is too old or too much and answers how many changes that were.
    ///
    /// # Errors
    /// The store's.
    pub fn retain(&self, now_ms: i64) -> Result<usize, JournalError> {
        let oldest = now_ms - i64::from(self.inner.options.retention_days) * MILLISECONDS_A_DAY;
        let mut dropped = self.inner.database.write(Lane::Bulk, move |connection| {
            let dropped = connection.execute(
                "DELETE FROM changes WHERE batch IN
                     (SELECT batch FROM changes GROUP BY batch HAVING max(at_ms) < ?1 AND min(state) <> 0)",
                params![oldest],
            )?;
            drop_orphans(connection)?;
            Ok::<_, StoreError>(dropped)
        })?;
        while self.copies_size()? > self.inner.options.max_bytes {
            let some = self.inner.database.write(Lane::Bulk, |connection| {
                let some = connection.execute(
                    "DELETE FROM changes WHERE batch IN
                         (SELECT batch FROM changes GROUP BY batch
                          HAVING min(state) <> 0 AND batch < (SELECT max(batch) FROM changes)
                          ORDER BY batch
                          LIMIT (SELECT max(1, count(DISTINCT batch) / ?1) FROM changes))",
                    params![AT_ONCE],
                )?;
                drop_orphans(connection)?;
                Ok::<_, StoreError>(some)
            })?;
            if some == 0 {
                break;
            }
            dropped += some;
        }
        Ok(dropped)
    }

    /// The room that the copies take, in bytes.
    pub(crate) fn copies_size(&self) -> Result<u64, JournalError> {
        let sum = "SELECT coalesce(sum(length(data)), 0) FROM contents";
        let size = self
            .inner
            .database
            .read(|connection| connection.query_one::<u64, StoreError>(sum, &[], |row| row.get(0)))?;
        Ok(size.unwrap_or_default())
    }
}

/// Drops the copies that no change needs any more.
fn drop_orphans(connection: &Connection) -> Result<(), StoreError> {
    connection.batch(
        "DELETE FROM contents WHERE hash NOT IN (
             SELECT before_hash FROM changes WHERE before_hash IS NOT NULL
             UNION SELECT after_hash FROM changes WHERE after_hash IS NOT NULL);
         DELETE FROM undoing WHERE undo NOT IN (SELECT id FROM changes)
             OR change NOT IN (SELECT id FROM changes);",
    )
}
