//! Writing what was seen on disk into the tables, inside one transaction on the writer thread.

mod links;
mod rows;

pub(crate) use rows::{problem_kind, text_key};

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use markdown::resolve;
use store::{Connection, params};
use vault::{ContentHash, FileKind, VaultPath};

use self::links::Names;
use crate::error::SearchError;
use crate::note::Rows;
use crate::note::tasks::TaskRow;
use crate::pipeline::generations::Generations;
use crate::schema::{FRESH, INDEXED, PENDING};
use crate::text::{Engine, Prepared, Staged};

/// What was seen of one path.
pub(crate) struct Update {
    pub(crate) path: VaultPath,
    /// Number of the [`Token`](crate::pipeline::generations::Token) taken before looking.
    pub(crate) seen_at: u64,
    pub(crate) seen: Seen,
}

/// What is at a path.
pub(crate) enum Seen {
    /// Nothing that belongs into the index.
    Gone,
    /// A file.
    File { size: u64, modified_ns: i64, content: Content },
}

/// What is known of a file's content.
pub(crate) enum Content {
    /// It will be read; until then the file is only known to exist.
    Pending,
    /// Nobody reads this kind of file.
    Ignored,
    /// It was read and has this hash, which the index is said to hold already.
    Same { hash: ContentHash, fresh: bool },
    /// The same, but its tasks were read by other rules than the index has them by.
    Tasks { hash: ContentHash, fresh: bool, rules: i64, tasks: Vec<TaskRow> },
    /// It was read, or an attempt was made.
    Read { hash: Option<ContentHash>, fresh: bool, rows: Box<Rows> },
}

/// What a run of updates did. Nothing of it counts before the transaction is committed.
#[derive(Default)]
pub(crate) struct Outcome {
    /// To be published to the engine after the commit.
    pub(crate) staged: Vec<Staged>,
    /// To be marked as applied after the commit.
    pub(crate) applied: Vec<(VaultPath, u64)>,
    /// Updates for which there was no time.
    pub(crate) left: VecDeque<Update>,
    /// Paths whose content has to be looked at again.
    pub(crate) again: Vec<VaultPath>,
    /// Files whose rows were written anew.
    pub(crate) indexed: u64,
    /// What the full-text engine is still to be given. Other rows come first: whatever deletes rows makes
    /// its table write out all it has gathered.
    texts: Vec<(u32, Option<Prepared>)>,
}

/// How long a run of updates may hold the writer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// While no interactive write waits.
    pub(crate) alone: Duration,
    /// While one does.
    pub(crate) waited_for: Duration,
}

/// Applies updates in order.
pub(crate) struct Writer<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) engine: &'a Engine,
    pub(crate) generations: &'a Generations,
    /// The next id of `files`: ids are not used twice while the process lives, so that nobody who
    /// still holds the id of a file that is gone meets another file.
    pub(crate) next_id: &'a AtomicU32,
    /// How many interactive writes wait.
    pub(crate) waiting: &'a AtomicUsize,
}

/// A file as the index has it.
struct Known {
    id: u32,
    hash: Option<Vec<u8>>,
    state: i64,
    rules: i64,
}

impl Writer<'_> {
    /// Applies `updates` until they or `budget` run out; at least one. Links that a file which came
    /// or went can reach are resolved anew before this returns.
    pub(crate) fn apply(
        &self,
        mut updates: VecDeque<Update>,
        budget: Option<Budget>,
    ) -> Result<Outcome, SearchError> {
        let started = Instant::now();
        let mut outcome = Outcome::default();
        let mut names = Names::default();
        let mut changed_names = HashSet::new();
        while let Some(update) = updates.pop_front() {
            if self.generations.is_news(&update.path, update.seen_at) {
                outcome.applied.push((update.path.clone(), update.seen_at));
                self.apply_one(update, &mut outcome, &mut names, &mut changed_names)?;
                // Within a budget, what a file costs is to be known when its turn is over.
                if budget.is_some() {
                    self.give_texts(&mut outcome)?;
                }
            }
            if budget.is_some_and(|budget| {
                let waited_for = self.waiting.load(Ordering::Relaxed) > 0;
                started.elapsed() >= if waited_for { budget.waited_for } else { budget.alone }
            }) {
                break;
            }
        }
        for name in &changed_names {
            links::resolve_again(self.connection, name)?;
        }
        self.give_texts(&mut outcome)?;
        outcome.left = updates;
        Ok(outcome)
    }

    /// Gives the full-text engine what it was not given yet.
    fn give_texts(&self, outcome: &mut Outcome) -> Result<(), SearchError> {
        let texts = std::mem::take(&mut outcome.texts);
        outcome.staged.extend(self.engine.store_all(self.connection, texts)?);
        Ok(())
    }

    fn apply_one(
        &self,
        update: Update,
        outcome: &mut Outcome,
        names: &mut Names,
        changed_names: &mut HashSet<String>,
    ) -> Result<(), SearchError> {
        let path = update.path;
        let known = self.known(&path)?;
        let (size, modified_ns, content) = match update.seen {
            Seen::File { size, modified_ns, content } => (size, modified_ns, content),
            Seen::Gone => {
                if let Some(known) = known {
                    outcome.texts.push((known.id, None));
                    self.connection.execute("DELETE FROM files WHERE id = ?1", params![known.id])?;
                    let name = resolve::file_key(path.as_str());
                    names.forget(&name);
                    changed_names.insert(name);
                }
                return Ok(());
            }
        };
        let id = match &known {
            Some(known) => known.id,
            None => {
                let name = resolve::file_key(path.as_str());
                let id = self.insert_file(&path, &name, size, modified_ns)?;
                names.forget(&name);
                changed_names.insert(name);
                id
            }
        };
        let stored_hash = known.as_ref().and_then(|known| known.hash.as_deref());
        let pending = known.as_ref().is_none_or(|known| known.state == PENDING);
        match content {
            Content::Pending => {}
            Content::Ignored => self.update_file(id, size, modified_ns, None, INDEXED, None)?,
            Content::Same { hash, fresh } => {
                if !pending && stored_hash == Some(hash.as_bytes().as_slice()) {
                    self.update_file(id, size, modified_ns, Some(&hash), state(fresh), None)?;
                } else {
                    // Somebody indexed other content in between: neither theirs nor ours is known
                    // to be what lies on disk now.
                    outcome.again.push(path);
                }
            }
            Content::Tasks { hash, fresh, rules, tasks } => {
                if !pending && stored_hash == Some(hash.as_bytes().as_slice()) {
                    rows::clear_tasks(self.connection, id)?;
                    rows::insert_tasks(self.connection, id, tasks)?;
                    self.update_file(id, size, modified_ns, Some(&hash), state(fresh), Some(rules))?;
                } else {
                    outcome.again.push(path);
                }
            }
            Content::Read { hash, fresh, mut rows } => {
                let rules = rows.rules;
                let same = hash.is_some_and(|hash| stored_hash == Some(hash.as_bytes().as_slice()));
                if pending || !same {
                    if !pending {
                        rows::clear(self.connection, id)?;
                    }
                    match &rows.text {
                        Some(text) => outcome.texts.push((id, Some(text.prepared.clone()))),
                        None if !pending => outcome.texts.push((id, None)),
                        None => {}
                    }
                    rows::insert(self.connection, id, path.as_str(), *rows, names)?;
                    outcome.indexed += 1;
                } else if known.as_ref().is_some_and(|known| known.rules != rules) {
                    rows::clear_tasks(self.connection, id)?;
                    rows::insert_tasks(self.connection, id, std::mem::take(&mut rows.tasks))?;
                }
                self.update_file(id, size, modified_ns, hash.as_ref(), state(fresh), Some(rules))?;
            }
        }
        Ok(())
    }

    fn known(&self, path: &VaultPath) -> Result<Option<Known>, SearchError> {
        self.connection.query_one(
            "SELECT id, hash, state, rules FROM files WHERE path = ?1",
            params![path.as_str()],
            |row| Ok(Known { id: row.get(0)?, hash: row.get(1)?, state: row.get(2)?, rules: row.get(3)? }),
        )
    }

    fn insert_file(
        &self,
        path: &VaultPath,
        name: &str,
        size: u64,
        modified_ns: i64,
    ) -> Result<u32, SearchError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        self.connection.execute(
            "INSERT INTO files (id, path, path_key, name_key, kind, size, modified_ns, hash, state, rules)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL, ?8, 0)",
            params![
                id,
                path.as_str(),
                path.key(),
                name,
                kind_name(path.kind()),
                stored_size(size),
                modified_ns,
                PENDING
            ],
        )?;
        Ok(id)
    }

    fn update_file(
        &self,
        id: u32,
        size: u64,
        modified_ns: i64,
        hash: Option<&ContentHash>,
        state: i64,
        rules: Option<i64>,
    ) -> Result<(), SearchError> {
        self.connection.execute(
            "UPDATE files SET size = ?2, modified_ns = ?3, hash = ?4, state = ?5, rules = coalesce(?6, rules)
             WHERE id = ?1",
            params![
                id,
                stored_size(size),
                modified_ns,
                hash.map(|hash| hash.as_bytes().to_vec()),
                state,
                rules
            ],
        )?;
        Ok(())
    }
}

fn state(fresh: bool) -> i64 {
    if fresh { FRESH } else { INDEXED }
}

/// SQLite has no unsigned integers; no file is that long.
fn stored_size(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// How `files.kind` names a kind.
pub(crate) fn kind_name(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Note => "note",
        FileKind::Canvas => "canvas",
        FileKind::Base => "base",
        FileKind::Text => "text",
        FileKind::Pdf => "pdf",
        FileKind::Image => "image",
        FileKind::Audio => "audio",
        FileKind::Video => "video",
        FileKind::Other => "other",
    }
}
