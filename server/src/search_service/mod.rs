//! The index of a running server: opened, reconciled and watched on a thread of its own while the
//! server already listens.
//!
//! A failure here takes the search tools away and nothing else: they answer with what is wrong,
//! and reading notes goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use jiff::tz::TimeZone;
use search::{Index, IndexOptions, Progress, SearchError, WatchHandle};
use vault::Vault;

use crate::app;
use crate::config::{IndexConfig, VaultFiles};

#[cfg(test)]
mod tests;

/// How long a call waits for the index to be opened. Opening takes a fraction of a second.
const OPENING_PATIENCE: Duration = Duration::from_secs(15);

/// The index of a running server. Clones share it.
#[derive(Clone)]
pub(crate) struct SearchService(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// What messages to clients must not show, and what stands for it.
    hidden: Vec<(String, &'static str)>,
}

enum State {
    /// Not opened yet.
    Opening,
    /// Open; the handle keeps the watcher going.
    Ready { index: Index, watcher: Option<WatchHandle> },
    /// It cannot be opened or read; the reason is fit for clients.
    Failed { reason: String },
    /// The server is going down.
    Closed,
}

/// How the index is doing, for the health check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Health {
    /// Being opened.
    Opening,
    /// Being built or reconciled.
    Indexing(Progress),
    /// Complete.
    Ready,
    /// Search is off; the reason.
    Unavailable(String),
}

impl SearchService {
    /// Begins to open the index of `vault` and returns at once.
    pub(crate) fn start(vault: Vault, options: IndexOptions) -> Self {
        let root = vault.root().to_string_lossy().into_owned();
        let database: PathBuf = options.db_path.clone();
        let service = Self(Arc::new(Shared {
            state: Mutex::new(State::Opening),
            changed: Condvar::new(),
            hidden: vec![(database.to_string_lossy().into_owned(), "the index file"), (root, "the vault")],
        }));
        let worker = service.clone();
        let spawned =
            thread::Builder::new().name("index".to_owned()).spawn(move || worker.run(&vault, &options));
        if let Err(error) = spawned {
            service.fail(format!("its thread cannot be started: {error}"));
        }
        service
    }

    fn run(&self, vault: &Vault, options: &IndexOptions) {
        let started = Instant::now();
        let index = match open_free(vault, options) {
            Ok(index) => index,
            Err(error) => {
                tracing::error!(error.message = error.to_string(), "index cannot be opened: search is off");
                self.fail(self.for_clients(&error));
                return;
            }
        };
        tracing::info!(duration.us = micros(started), "index opened");
        if !self.set(State::Ready { index: index.clone(), watcher: None }) {
            index.close();
            return;
        }
        // A panic must not look like an index that is ready.
        let outcome = catch_unwind(AssertUnwindSafe(|| index.reconcile(&|_| {})));
        let Ok(outcome) = outcome else {
            self.fail("it failed while it was being built".to_owned());
            return;
        };
        match outcome {
            Ok(summary) => tracing::info!(
                index.notes = summary.notes,
                index.files = summary.files,
                index.indexed = summary.indexed,
                index.unchanged = summary.unchanged,
                index.removed = summary.removed,
                index.skipped = summary.skipped,
                index.problems = summary.problems,
                duration.us = micros(started),
                "index ready"
            ),
            Err(SearchError::Closed) => return,
            Err(error) => {
                tracing::error!(error.message = error.to_string(), "index cannot be reconciled");
            }
        }
        // Once the system reports changes the watcher looks the vault over by itself, so what
        // changed since the walk above is not lost; it does so quietly, since the index is complete.
        match index.watch() {
            Ok(watcher) => {
                self.set(State::Ready { index, watcher: Some(watcher) });
            }
            Err(error) => {
                tracing::error!(error.message = error.to_string(), "vault cannot be watched");
            }
        }
    }

    /// The index, as soon as it is open.
    ///
    /// # Errors
    /// Why there is none, fit for clients.
    pub(crate) fn index(&self) -> Result<Index, String> {
        let state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (state, _) = self
            .0
            .changed
            .wait_timeout_while(state, OPENING_PATIENCE, |state| matches!(state, State::Opening))
            .unwrap_or_else(PoisonError::into_inner);
        match &*state {
            State::Ready { index, .. } => Ok(index.clone()),
            State::Opening => {
                Err("search is not available yet: the index is still being opened; try again".to_owned())
            }
            State::Failed { reason } => Err(format!("search is not available: {reason}")),
            State::Closed => Err("search is not available: the server is shutting down".to_owned()),
        }
    }

    /// How the index is doing. Never waits.
    pub(crate) fn health(&self) -> Health {
        match &*self.0.state.lock().unwrap_or_else(PoisonError::into_inner) {
            State::Opening => Health::Opening,
            State::Ready { index, .. } => index.progress().map_or(Health::Ready, Health::Indexing),
            State::Failed { reason } => Health::Unavailable(reason.clone()),
            State::Closed => Health::Unavailable("the server is shutting down".to_owned()),
        }
    }

    /// An error of the index without paths of this machine.
    pub(crate) fn for_clients(&self, error: &SearchError) -> String {
        let mut text = error.to_string();
        for (path, name) in &self.0.hidden {
            text = text.replace(path.as_str(), name);
        }
        text
    }

    /// Stops watching and gives up the index file.
    pub(crate) fn close(&self) {
        let before = {
            let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *state, State::Closed)
        };
        self.0.changed.notify_all();
        if let State::Ready { index, watcher } = before {
            // In this order: a closed index ends the look over the vault that a watcher may be at, and
            // dropping a watcher waits for it.
            index.close();
            drop(watcher);
        }
    }

    fn fail(&self, reason: String) {
        self.set(State::Failed { reason });
    }

    /// Takes a new state unless the service was closed meanwhile.
    fn set(&self, new: State) -> bool {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::Closed) {
            return false;
        }
        *state = new;
        self.0.changed.notify_all();
        true
    }
}

/// How many processes may serve one vault at once: a desktop client starts one of its own over
/// standard input and output, beside the one that listens.
const MOST_PROCESSES: usize = 8;

/// Opens the index, or when another process holds it one of our own beside it: two processes cannot
/// share one, since each keeps part of it in memory.
fn open_free(vault: &Vault, options: &IndexOptions) -> Result<Index, SearchError> {
    let first = Index::open(vault.clone(), options.clone());
    if !matches!(first, Err(SearchError::InUse(_))) {
        return first;
    }
    for number in 2..=MOST_PROCESSES {
        let beside = IndexOptions { db_path: beside(&options.db_path, number), ..options.clone() };
        match Index::open(vault.clone(), beside) {
            Err(SearchError::InUse(_)) => {}
            other => {
                tracing::info!(
                    index.number = number,
                    "index in use by another process: this one has its own"
                );
                return other;
            }
        }
    }
    first
}

/// `index.db` as `index-2.db`.
fn beside(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{}", extension.unwrap_or_default()))
}

fn micros(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// The options of the index of a vault, from the settings.
pub(crate) fn index_options(
    db_path: PathBuf,
    index: &IndexConfig,
    files: &VaultFiles,
    file_texts: bool,
    time_zone: TimeZone,
) -> IndexOptions {
    let mut options = IndexOptions::new(db_path, app::now);
    options.text = index.text.clone();
    options.time_zone = time_zone;
    options.file_texts = file_texts;
    options.poll = files.windows_mode.then_some(Duration::from_millis(300));
    options.workers = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    options
}
