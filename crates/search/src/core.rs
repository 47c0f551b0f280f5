//! What an open index consists of, and the one way changes get into it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use store::{Connection, Database, IndexLock, Lane};
use vault::{Vault, VaultError};

use crate::answer::PropertyKey;
use crate::ask::{MemoryCorpus, Tables};
use crate::error::SearchError;
use crate::note::tasks::TaskRules;
use crate::options::IndexOptions;
use crate::pipeline::generations::Generations;
use crate::pipeline::skipped::Skipping;
use crate::pipeline::turns::Turns;
use crate::status::{Progress, Rebuilt, ReconcileSummary, WatcherState};
use crate::text::Engine;
use crate::write::{Budget, Outcome, Update, Writer};

/// An open index.
pub(crate) struct Core {
    /// The vault it mirrors.
    pub(crate) vault: Vault,
    /// How it was opened.
    pub(crate) options: IndexOptions,
    /// Whether it may be written.
    pub(crate) read_only: bool,
    /// The file; replaced when it turns out to be damaged.
    pub(crate) database: RwLock<Database>,
    /// The full-text engine, in memory.
    pub(crate) engine: Engine,
    /// Orders what several threads saw on disk.
    pub(crate) generations: Generations,
    /// Orders looks at what rules keep out.
    pub(crate) skipping: Skipping,
    /// Orders writes together with their publication.
    pub(crate) turns: Turns,
    /// How many interactive writes wait or run: background work makes room for them.
    pub(crate) waiting: AtomicUsize,
    /// The next id of `files`.
    pub(crate) next_id: AtomicU32,
    /// Set when a query met damage: the next reconcile starts anew.
    pub(crate) damaged: AtomicBool,
    /// Set when the index is being closed: what runs long ends early.
    pub(crate) closing: AtomicBool,
    /// Held by the one reconcile that may run.
    pub(crate) reconciling: Mutex<()>,
    /// How tasks were read last; see [`Core::read_rules`].
    pub(crate) rules: Mutex<Arc<TaskRules>>,
    /// Held while notes whose tasks were read by other rules are read anew.
    pub(crate) mending: Mutex<()>,
    /// What status shows beside the tables.
    pub(crate) report: Mutex<Report>,
    /// Goes up after every commit of this process.
    pub(crate) commits: AtomicU64,
    /// What the tables showed the owner, with the number of commits before they were read.
    pub(crate) counted: Mutex<Option<(u64, Tables)>>,
    /// The entries of the memory files as they were last asked for.
    pub(crate) memory: Mutex<Option<MemoryCorpus>>,
    /// The property keys the owner was shown, with the number of commits before they were read.
    pub(crate) property_keys: Mutex<Option<(u64, Vec<PropertyKey>)>>,
    /// Keeps other processes from writing; `None` when opened for reading only or closed.
    pub(crate) lock: Mutex<Option<IndexLock>>,
}

/// What status shows beside the tables.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) progress: Option<Progress>,
    pub(crate) watcher: WatcherState,
    pub(crate) last_reconcile: Option<ReconcileSummary>,
    pub(crate) rebuilt: Option<Rebuilt>,
    /// What was said of the vault's folder when it was looked for last; `None` when it was there.
    pub(crate) vault_error: Option<String>,
}

impl Core {
    /// The database as it is now.
    pub(crate) fn database(&self) -> Database {
        self.database.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The report, to read or change.
    pub(crate) fn report(&self) -> MutexGuard<'_, Report> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes whether the vault's folder could be read; tells it when that changes.
    pub(crate) fn note_root<T>(&self, looked: &Result<T, VaultError>) {
        let error = looked.as_ref().err().filter(|error| error.is_root()).map(ToString::to_string);
        let mut report = self.report();
        match (&report.vault_error, &error) {
            (None, Some(error)) => {
                tracing::error!(error, "the vault is gone; the index keeps what it has of it");
            }
            (Some(_), None) => tracing::info!("the vault is back"),
            _ => {}
        }
        report.vault_error = error;
    }

    /// See [`Index::close`](crate::Index::close).
    pub(crate) fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
        // A reconcile that runs sees it and ends.
        let _only = self.reconciling.lock().unwrap_or_else(PoisonError::into_inner);
        self.database().close();
        let lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(lock);
    }

    /// To be called after every commit, before its call returns.
    pub(crate) fn committed(&self) {
        self.commits.fetch_add(1, Ordering::SeqCst);
    }

    /// Whether the index is being closed, as an error for what runs long.
    pub(crate) fn check_open(&self) -> Result<(), SearchError> {
        if self.closing.load(Ordering::Relaxed) { Err(SearchError::Closed) } else { Ok(()) }
    }

    /// Answers a question in one snapshot. Damage that it meets is remembered.
    pub(crate) fn ask<T>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, SearchError>,
    ) -> Result<T, SearchError> {
        let answer = self.database().read(job);
        if let Err(error) = &answer
            && error.is_corrupt()
            && !self.damaged.swap(true, Ordering::Relaxed)
        {
            tracing::error!(%error, "the index is damaged; the next reconcile builds it anew");
        }
        answer
    }

    /// Writes updates in one transaction and makes them searchable before it returns. With a
    /// `budget` it stops when that is used up and hands back what is left.
    pub(crate) fn apply(
        self: &Arc<Self>,
        lane: Lane,
        updates: VecDeque<Update>,
        budget: Option<Budget>,
    ) -> Result<Outcome, SearchError> {
        if self.read_only {
            return Err(SearchError::ReadOnly);
        }
        let core = Arc::clone(self);
        let _waits = (lane == Lane::Interactive).then(|| Waits::new(&self.waiting));
        let (turn, mut outcome) = self.database().write(lane, move |connection| {
            let turn = core.turns.take();
            let writer = Writer {
                connection,
                engine: &core.engine,
                generations: &core.generations,
                next_id: &core.next_id,
                waiting: &core.waiting,
            };
            Ok::<_, SearchError>((turn, writer.apply(updates, budget)?))
        })?;
        self.committed();
        self.engine.publish(std::mem::take(&mut outcome.staged));
        for (path, seen_at) in &outcome.applied {
            self.generations.applied(path, *seen_at);
        }
        drop(turn);
        Ok(outcome)
    }
}

impl Core {
    /// Writes a few rows that the full-text engine has no part in.
    pub(crate) fn write_briefly(
        &self,
        job: impl FnOnce(&Connection) -> Result<(), SearchError> + Send + 'static,
    ) -> Result<(), SearchError> {
        let waits = Waits::new(&self.waiting);
        self.database().write(Lane::Interactive, job)?;
        drop(waits);
        self.committed();
        Ok(())
    }
}

/// Counts an interactive write while it lives.
struct Waits<'a>(&'a AtomicUsize);

impl<'a> Waits<'a> {
    fn new(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
