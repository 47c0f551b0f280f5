//! How the index is doing, as a caller may see it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use store::Connection;
use vault::{Principal, VaultPath};

use super::condition::Condition;
use super::meta::stored_path;
use super::scope::Visible;
use crate::core::Core;
use crate::error::SearchError;
use crate::status::{Problem, SkippedFile, Status};
use crate::write::problem_kind;

impl Core {
    /// See [`Index::status`](crate::Index::status).
    pub(crate) fn status(&self, who: &Principal) -> Result<Status, SearchError> {
        let visible = Visible::to(who);
        let (progress, watcher, vault_error, last_reconcile, rebuilt) = {
            let report = self.report();
            let (watcher, vault_error) = (report.watcher.clone(), report.vault_error.clone());
            (report.progress, watcher, vault_error, report.last_reconcile.clone(), report.rebuilt.clone())
        };
        let whole = visible.is_whole();
        let tables = self.tables(who, &visible)?;
        Ok(Status {
            notes: tables.notes,
            files: tables.files,
            links: tables.links,
            unresolved_links: tables.unresolved_links,
            tags: tables.tags,
            tasks: tables.tasks,
            terms: if whole { self.engine.stats().terms as u64 } else { 0 },
            indexing: visible.progress(progress),
            problems: tables.problems,
            skipped: tables.skipped,
            skipped_by_reason: tables.skipped_by_reason,
            watcher,
            vault_error,
            last_reconcile: last_reconcile.filter(|_| whole),
            database_bytes: if whole { database_bytes(&self.options.db_path) } else { 0 },
            rebuilt,
        })
    }

    /// What the tables say. Counting reads whole indexes, so what the whole vault shows is kept until
    /// something is written.
    fn tables(&self, who: &Principal, visible: &Visible) -> Result<Tables, SearchError> {
        // Another process writes what is only read here.
        let keep = visible.is_whole() && !self.read_only;
        // Read before the tables are: what is kept may be newer than its number, never older.
        let commits = self.commits.load(Ordering::SeqCst);
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if keep
            && let Some((at, tables)) = counted.as_ref()
            && *at == commits
        {
            return Ok(tables.clone());
        }
        if !keep {
            drop(counted);
            return self.ask(|connection| Tables::read(connection, who, visible));
        }
        let tables = self.ask(|connection| Tables::read(connection, who, visible))?;
        *counted = Some((commits, tables.clone()));
        Ok(tables)
    }
}

/// The part of a status that the tables hold.
#[derive(Debug, Clone)]
pub(crate) struct Tables {
    notes: u64,
    files: u64,
    links: u64,
    unresolved_links: u64,
    tags: u64,
    tasks: u64,
    problems: Vec<Problem>,
    skipped: Vec<SkippedFile>,
    skipped_by_reason: BTreeMap<String, u64>,
}

impl Tables {
    fn read(connection: &Connection, who: &Principal, visible: &Visible) -> Result<Self, SearchError> {
        let (condition, whole) = (visible.condition(), visible.is_whole());
        let count = |sql: &str| count(connection, sql, &condition);
        let notes = count("SELECT count(*) FROM files WHERE files.kind = 'note' AND ")?;
        let all = count("SELECT count(*) FROM files WHERE ")?;
        let (links, unresolved_links) = links(connection, &condition, whole)?;
        let skipped = skipped(connection, who, whole)?;
        let mut skipped_by_reason = BTreeMap::new();
        for file in &skipped {
            *skipped_by_reason.entry(file.reason.clone()).or_insert(0) += 1;
        }
        Ok(Self {
            notes,
            files: all.saturating_sub(notes),
            links,
            unresolved_links,
            tags: count(if whole {
                "SELECT count(DISTINCT tags.tag_key) FROM tags WHERE"
            } else {
                "SELECT count(DISTINCT tags.tag_key) FROM tags JOIN files ON files.id = tags.note_id WHERE"
            })?,
            tasks: count(if whole {
                "SELECT count(*) FROM tasks WHERE"
            } else {
                "SELECT count(*) FROM tasks JOIN files ON files.id = tasks.note_id WHERE"
            })?,
            problems: problems(connection, &condition)?,
            skipped,
            skipped_by_reason,
        })
    }
}

fn count(connection: &Connection, statement: &str, condition: &Condition) -> Result<u64, SearchError> {
    let statement = format!("{statement} {}", condition.sql());
    let count = connection
        .query_one(&statement, condition.params(), |row| Ok::<_, SearchError>(row.get::<u64>(0)?))?;
    Ok(count.unwrap_or(0))
}

/// Links in what the caller may see, and those of them that reach nothing the caller may see.
fn links(connection: &Connection, condition: &Condition, whole: bool) -> Result<(u64, u64), SearchError> {
    if whole {
        // Both read off an index.
        let all = count(connection, "SELECT count(*) FROM links WHERE", condition)?;
        let reach =
            count(connection, "SELECT count(*) FROM links WHERE links.target_id IS NOT NULL AND", condition)?;
        return Ok((all, all.saturating_sub(reach)));
    }
    let all = "SELECT count(*) FROM links JOIN files ON files.id = links.source_id WHERE";
    let all = count(connection, all, condition)?;
    let statement = format!(
        "SELECT count(*) FROM links JOIN files ON files.id = links.source_id
         WHERE {sees} AND links.target_id IN (SELECT files.id FROM files WHERE {sees})",
        sees = condition.sql()
    );
    let params = condition.params_between(&[], condition.params());
    let reach = connection.query_one(&statement, &params, |row| Ok::<_, SearchError>(row.get::<u64>(0)?))?;
    Ok((all, all.saturating_sub(reach.unwrap_or(0))))
}

fn problems(connection: &Connection, condition: &Condition) -> Result<Vec<Problem>, SearchError> {
    let statement = format!(
        "SELECT files.path, problems.kind, problems.message FROM problems JOIN files ON files.id = problems.file_id
         WHERE {} ORDER BY files.path, problems.kind",
        condition.sql()
    );
    connection.query(&statement, condition.params(), |row| {
        let kind = row.str(1)?;
        let kind = problem_kind(kind).ok_or_else(|| SearchError::Row(format!("problems.kind: {kind}")))?;
        Ok(Problem { path: stored_path(row.str(0)?)?, kind, message: row.get(2)? })
    })
}

/// What rules keep out. A path that no vault path can spell is shown to who sees the whole vault.
fn skipped(connection: &Connection, who: &Principal, whole: bool) -> Result<Vec<SkippedFile>, SearchError> {
    let mut skipped =
        connection.query("SELECT path, reason FROM skipped ORDER BY path, reason", &[], |row| {
            Ok::<_, SearchError>(SkippedFile { path: row.get(0)?, reason: row.get(1)? })
        })?;
    skipped.retain(|file| whole || VaultPath::parse(&file.path).is_ok_and(|path| who.sees(&path)));
    Ok(skipped)
}

/// The file and its write-ahead log.
fn database_bytes(path: &Path) -> u64 {
    let size = |path: &Path| path.metadata().map_or(0, |metadata| metadata.len());
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    size(path) + size(&PathBuf::from(log))
}
