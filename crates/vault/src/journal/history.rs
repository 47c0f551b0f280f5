//! Looking into the journal.

use jiff::Timestamp;
use store::{Connection, Row, StoreError, Value, params};

use crate::hash::ContentHash;
use crate::journal::{
    ChangeId, ChangeKind, ChangeRecord, ChangeState, HistoryFilter, HistoryPage, Journal, JournalError,
    JournalStatus,
};
use crate::path::VaultPath;
use crate::principal::{FolderScope, Principal};
use crate::write::diff;

const COLUMNS: &str = "id, batch, at_ms, principal, tool, kind, path, new_path, before_hash, after_hash, \
    summary, state, note, undone_by, mode, trash";

/// A row of the table, with what only the write path needs.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub(crate) record: ChangeRecord,
    pub(crate) mode: Option<u32>,
    pub(crate) trash: Option<String>,
}

impl Journal {
    /// Changes that `who` may see, newest first.
    ///
    /// # Errors
    /// The store's.
    pub fn history(&self, who: &Principal, filter: &HistoryFilter) -> Result<HistoryPage, JournalError> {
        let mut conditions = Conditions::seen_by(who);
        conditions.filter(filter);
        let (sql, values) = (conditions.sql, conditions.values);
        self.inner.database.read(|connection| {
            let count = format!("SELECT count(*) FROM changes WHERE {sql}");
            let total = connection.query_one(&count, &values, |row| row.get::<usize>(0))?.unwrap_or(0);
            let list = format!(
                "SELECT {COLUMNS} FROM changes WHERE {sql} ORDER BY id DESC LIMIT {} OFFSET {}",
                number(filter.limit),
                number(filter.offset)
            );
            let stored = connection.query(&list, &values, stored)?;
            let mut changes: Vec<ChangeRecord> =
                stored.into_iter().map(|stored| as_seen(stored.record, who)).collect();
            for change in &mut changes {
                change.undoes = undoes(connection, change.id)?;
            }
            Ok(HistoryPage { changes, total })
        })
    }

    /// One change, when `who` may see it.
    ///
    /// # Errors
    /// [`JournalError::NoSuchChange`], and the store's.
    pub fn change(&self, who: &Principal, id: ChangeId) -> Result<ChangeRecord, JournalError> {
        Ok(as_seen(self.stored(who, id)?.record, who))
    }

    /// One change and what it did as a unified diff.
    ///
    /// # Errors
    /// [`JournalError::NoSuchChange`] and [`JournalError::Damaged`].
    pub fn diff(&self, who: &Principal, id: ChangeId) -> Result<(ChangeRecord, String), JournalError> {
        let record = self.change(who, id)?;
        let content = |hash: Option<ContentHash>| hash.map(|hash| self.content(id, hash)).transpose();
        let (before, after) = (content(record.before)?, content(record.after)?);
        let new_path = record.new_path.as_ref().unwrap_or(&record.path);
        let diff = diff::moved(&record.path, new_path, before.as_deref(), after.as_deref());
        Ok((record, diff))
    }

    /// How much the journal holds.
    ///
    /// # Errors
    /// The store's.
    pub fn status(&self) -> Result<JournalStatus, JournalError> {
        let (changes, oldest_ms) = self
            .inner
            .database
            .read(|connection| {
                connection.query_one("SELECT count(*), min(at_ms) FROM changes", &[], |row| {
                    Ok::<_, StoreError>((row.get::<u64>(0)?, row.get::<Option<i64>>(1)?))
                })
            })?
            .unwrap_or_default();
        let oldest = oldest_ms.and_then(|time| Timestamp::from_millisecond(time).ok());
        Ok(JournalStatus { changes, bytes: self.copies_size()?, oldest })
    }

    pub(crate) fn stored(&self, who: &Principal, id: ChangeId) -> Result<Stored, JournalError> {
        let mut conditions = Conditions::seen_by(who);
        conditions.and("id = ?", [Value::from(id.0)]);
        self.select(&conditions.sql, &conditions.values)?
            .into_iter()
            .next()
            .ok_or(JournalError::NoSuchChange(id))
    }

    /// Every change of the call that `id` was part of, newest first; a part that `who` may not see is an
    /// error, since the whole is asked for.
    pub(crate) fn call_of(&self, who: &Principal, id: ChangeId) -> Result<Vec<Stored>, JournalError> {
        let batch = self.stored(who, id)?.record.batch;
        let all = self.select("batch = ?", &[Value::from(batch.0)])?;
        for part in &all {
            self.stored(who, part.record.id)?;
        }
        Ok(all)
    }

    /// Done changes of a principal since a time that `who` may see, newest first.
    pub(crate) fn done_since(
        &self,
        who: &Principal,
        principal: &str,
        since: Timestamp,
    ) -> Result<Vec<Stored>, JournalError> {
        let mut conditions = Conditions::seen_by(who);
        let (principal, since) = (Value::from(principal), Value::from(since.as_millisecond()));
        conditions.and("state = 1 AND principal = ? AND at_ms >= ?", [principal, since]);
        self.select(&conditions.sql, &conditions.values)
    }

    /// Changes that were begun and of which nobody knows what became.
    pub(crate) fn begun(&self) -> Result<Vec<Stored>, JournalError> {
        self.select("state = 0", &[])
    }

    /// Those of one call.
    pub(crate) fn begun_of(&self, call: ChangeId) -> Result<Vec<Stored>, JournalError> {
        self.select("state = 0 AND batch = ?", &[Value::from(call.0)])
    }

    /// The newest change that left the file at `key`, or took it away.
    pub(crate) fn newest_of(&self, key: &str) -> Result<Option<ChangeRecord>, JournalError> {
        let (state, keys) = ("state = 1", [Value::from(key), Value::from(key)]);
        let sql = format!("{state} AND (key = ? OR new_key = ?) ORDER BY id DESC LIMIT 1");
        // Not through `select`, which brings its own order.
        self.inner.database.read(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM changes WHERE {sql}");
            Ok(connection.query_one(&sql, &keys, stored)?.map(|stored| stored.record))
        })
    }

    fn select(&self, condition: &str, values: &[Value]) -> Result<Vec<Stored>, JournalError> {
        self.inner.database.read(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM changes WHERE {condition} ORDER BY id DESC");
            let mut all = connection.query(&sql, values, stored)?;
            for stored in &mut all {
                stored.record.undoes = undoes(connection, stored.record.id)?;
            }
            Ok(all)
        })
    }
}

/// A record as `who` may see it: how many links a move had rewritten counts those of notes out of sight.
fn as_seen(mut record: ChangeRecord, who: &Principal) -> ChangeRecord {
    if record.kind == ChangeKind::Move && who.folders != FolderScope::All {
        "moved".clone_into(&mut record.summary);
    }
    record
}

/// What rows must fulfil.
struct Conditions {
    sql: String,
    values: Vec<Value>,
}

impl Conditions {
    /// Of a move, both ends must be in sight.
    fn seen_by(who: &Principal) -> Self {
        let mut conditions = Self { sql: "1".to_owned(), values: Vec::new() };
        if !who.rights.read {
            conditions.and("0", []);
        }
        let FolderScope::Only(folders) = &who.folders else { return conditions };
        for key in ["key", "new_key"] {
            let mut any = if key == "key" { "0".to_owned() } else { "new_key IS NULL".to_owned() };
            let mut values = Vec::new();
            for folder in folders {
                let folder = VaultPath::fold(folder);
                if folder.is_empty() {
                    any.push_str(" OR 1");
                } else {
                    any.push_str(&format!(" OR substr({key}, 1, length(?)) = ?"));
                    let prefix = format!("{folder}/");
                    values.extend([Value::from(prefix.as_str()), Value::from(prefix.as_str())]);
                }
            }
            conditions.and(&any, values);
        }
        conditions
    }

    fn filter(&mut self, filter: &HistoryFilter) {
        if let Some(path) = &filter.path {
            let key = path.key();
            // The sign after the slash ends what is below a folder.
            let (first, end) = (format!("{key}/"), format!("{key}0"));
            let values = [&key, &key, &first, &end, &first, &end].map(|text| Value::from(text.as_str()));
            self.and(
                "key = ? OR new_key = ? OR (key >= ? AND key < ?) OR (new_key >= ? AND new_key < ?)",
                values,
            );
        }
        if let Some(principal) = &filter.principal {
            self.and("principal = ?", [Value::from(principal.as_str())]);
        }
        if let Some(since) = filter.since {
            self.and("at_ms >= ?", [Value::from(since.as_millisecond())]);
        }
        if let Some(until) = filter.until {
            self.and("at_ms < ?", [Value::from(until.as_millisecond())]);
        }
        if let Some(batch) = filter.batch {
            self.and("batch = ?", [Value::from(batch.0)]);
        }
        if !filter.aborted {
            self.and("state <> ?", [Value::from(ChangeState::Aborted.code())]);
        }
    }

    fn and(&mut self, condition: &str, values: impl IntoIterator<Item = Value>) {
        self.sql.push_str(&format!(" AND ({condition})"));
        self.values.extend(values);
    }
}

/// A number as SQLite takes it.
fn number(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn undoes(connection: &Connection, id: ChangeId) -> Result<Vec<ChangeId>, StoreError> {
    let sql = "SELECT change FROM undoing WHERE undo = ?1 ORDER BY change";
    connection.query(sql, params![id.0], |row| row.get(0).map(ChangeId))
}

fn stored(row: &Row<'_>) -> Result<Stored, JournalError> {
    let damaged = |what: &str| StoreError::Corrupt(format!("a change in the journal has no valid {what}"));
    let hash = |index: usize| -> Result<Option<ContentHash>, JournalError> {
        let bytes = row.get::<Option<Vec<u8>>>(index)?;
        let hash = bytes.map(|bytes| bytes.try_into().map(ContentHash::from_bytes)).transpose();
        Ok(hash.map_err(|_| damaged("hash"))?)
    };
    let path = |text: &str| VaultPath::parse(text).map_err(|_| damaged("path"));
    let new_path = row.get::<Option<String>>(7)?;
    let record = ChangeRecord {
        id: ChangeId(row.get(0)?),
        batch: ChangeId(row.get(1)?),
        at: Timestamp::from_millisecond(row.get(2)?).map_err(|_| damaged("time"))?,
        principal: row.get(3)?,
        tool: row.get(4)?,
        kind: ChangeKind::of(row.get(5)?),
        path: path(row.str(6)?)?,
        new_path: new_path.map(|text| path(&text)).transpose()?,
        before: hash(8)?,
        after: hash(9)?,
        summary: row.get(10)?,
        state: ChangeState::of(row.get(11)?),
        note: row.get(12)?,
        undone_by: row.get::<Option<i64>>(13)?.map(ChangeId),
        undoes: Vec::new(),
    };
    Ok(Stored { record, mode: row.get(14)?, trash: row.get(15)? })
}
