//! Changing the vault of a running server: the journal and the writer are opened on a thread of their own
//! while the server already listens, and the trash is looked after once a day.
//!
//! A journal that cannot be opened takes the writing tools away and nothing else: they answer with what is
//! wrong. Nothing is ever changed without a journal.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use vault::{
    Change, ChangeListener, FoundFile, Journal, JournalOptions, LinkSource, ListenerError, MemoryFolder,
    Protection, Vault, VaultPath, Writer, WriterOptions,
};

use crate::app;
use crate::config::{JournalConfig, NotesConfig};
use crate::search_service::{Health, SearchService};

/// How often the trash is looked at for notes whose time is over.
const SWEEP_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// The writing side of a running server. Clones share it.
#[derive(Clone)]
pub(crate) struct WriteService(Arc<Shared>);

struct Shared {
    /// Set once, by the thread; an error is fit for clients.
    writer: OnceLock<Result<Writer, String>>,
    closed: Mutex<bool>,
    changed: Condvar,
}

/// How changes are written down, and what is never deleted.
#[derive(Debug, Clone)]
pub(crate) struct WriteOptions {
    /// The journal's file.
    pub(crate) journal: PathBuf,
    /// How much of it is kept.
    pub(crate) journal_options: JournalOptions,
    /// Which folders nothing is deleted in.
    pub(crate) protection: Protection,
    /// How long what the server moved to the trash stays there, in days.
    pub(crate) trash_retention_days: u32,
    /// The memory folder that is made when it is missing; `None`: none is.
    pub(crate) memory: Option<MemoryFolder>,
}

impl WriteOptions {
    /// The options that the settings ask for.
    pub(crate) fn of(
        journal: PathBuf,
        config: &JournalConfig,
        notes: &NotesConfig,
        memory: Option<MemoryFolder>,
    ) -> Self {
        let protection = match &notes.protected_paths {
            Some(folders) => Protection::Only(folders.clone()),
            None => {
                Protection::Usual { memory: Some(notes.memory_dir.clone()), daily: notes.daily_notes.clone() }
            }
        };
        Self {
            journal,
            journal_options: config.options,
            protection,
            trash_retention_days: config.trash_retention_days,
            memory,
        }
    }
}

impl WriteService {
    /// Begins to open the journal of `vault` and returns at once.
    pub(crate) fn start(vault: Vault, search: SearchService, options: WriteOptions) -> Self {
        let shared = Shared { writer: OnceLock::new(), closed: Mutex::new(false), changed: Condvar::new() };
        let service = Self(Arc::new(shared));
        let worker = service.clone();
        let spawned = thread::Builder::new().name("writer".to_owned()).spawn(move || {
            worker.run(vault, search, &options);
        });
        if let Err(error) = spawned {
            let _ = service.0.writer.set(Err(format!("its thread cannot be started: {error}")));
        }
        service
    }

    fn run(&self, vault: Vault, search: SearchService, options: &WriteOptions) {
        let opened = open(vault, search, options).inspect_err(|error| {
            tracing::error!(
                error.message = error,
                journal.path = %options.journal.display(),
                "journal cannot be opened: nothing can be changed"
            );
        });
        let writer =
            self.0.writer.get_or_init(|| opened.map_err(|error| for_clients(&error, &options.journal)));
        let Ok(writer) = writer else { return };
        if let Some(memory) = &options.memory {
            crate::memory_start::make_memory(writer, memory);
        }
        loop {
            match writer.sweep_trash() {
                Ok(0) => {}
                Ok(files) => tracing::info!(trash.removed = files, "old notes removed from the trash"),
                Err(error) => tracing::warn!(error.message = error.to_string(), "trash cannot be swept"),
            }
            let closed = self.0.closed.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = self.0.changed.wait_timeout_while(closed, SWEEP_EVERY, |closed| !*closed);
            if *waited.unwrap_or_else(PoisonError::into_inner).0 {
                return;
            }
        }
    }

    /// The writer, as soon as the journal is open.
    ///
    /// # Errors
    /// Why there is none, fit for clients.
    pub(crate) fn writer(&self) -> Result<&Writer, &str> {
        self.0.writer.wait().as_ref().map_err(String::as_str)
    }

    /// The same without waiting; `None` while the journal is being opened.
    pub(crate) fn opened(&self) -> Option<Result<&Writer, &str>> {
        Some(self.0.writer.get()?.as_ref().map_err(String::as_str))
    }

    /// Ends the thread.
    pub(crate) fn close(&self) {
        *self.0.closed.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.changed.notify_all();
    }
}

fn open(vault: Vault, search: SearchService, options: &WriteOptions) -> Result<Writer, String> {
    let journal =
        Journal::open(&options.journal, options.journal_options).map_err(|error| error.to_string())?;
    let told = Arc::new(search);
    let writer_options = WriterOptions {
        protection: options.protection.clone(),
        trash_retention_days: options.trash_retention_days,
        ..WriterOptions::new(Arc::new(app::now))
    };
    Writer::open(vault, journal, Arc::clone(&told) as Arc<dyn ChangeListener>, told, writer_options)
        .map_err(|error| error.to_string())
}

/// A message without paths of this machine.
fn for_clients(message: &str, journal: &Path) -> String {
    message.replace(&*journal.to_string_lossy(), "the journal's file")
}

/// The index is told of every change before its call is answered. While the index is being opened that
/// waits; without an index the change stands, and the answer says so.
impl ChangeListener for SearchService {
    fn changed(&self, changes: &[Change]) -> Result<(), ListenerError> {
        let index = self.index().map_err(|reason| ListenerError(reason.into()))?;
        index.changed(changes)
    }
}

/// Without an index nobody knows any links: every note is read.
impl LinkSource for SearchService {
    fn backlinks(&self, path: &VaultPath) -> Result<Vec<VaultPath>, ListenerError> {
        match self.index() {
            Ok(index) => LinkSource::backlinks(&index, path),
            Err(_) if self.is_off() => Ok(Vec::new()),
            Err(reason) => Err(ListenerError(reason.into())),
        }
    }

    fn unread(&self, files: &[FoundFile]) -> Result<Vec<VaultPath>, ListenerError> {
        match self.index() {
            Ok(index) => index.unread(files),
            Err(_) if self.is_off() => Ok(files.iter().map(|file| file.path.clone()).collect()),
            Err(reason) => Err(ListenerError(reason.into())),
        }
    }
}

impl SearchService {
    /// Whether there will be no index any more.
    fn is_off(&self) -> bool {
        matches!(self.health(), Health::Unavailable(_))
    }
}
