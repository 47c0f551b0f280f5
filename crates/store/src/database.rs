//! The database: one writer thread, a pool of readers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::ThreadId;
use std::time::Duration;

use crate::connection::{Connection, Role};
use crate::error::StoreError;
use crate::files;
use crate::readers::Readers;
use crate::writer::{Writer, transaction};

/// How long a checkpoint waits for readers. Writes wait behind it.
const CHECKPOINT_PATIENCE: Duration = Duration::from_millis(100);

/// How a database is opened. `..Options::default()` fills the rest.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many reading connections there may be at once (at least 1, default 4); each is opened when it
    /// is first needed.
    pub readers: usize,
    /// Open for reading only (default no): there is no writer thread, every write is
    /// [`StoreError::ReadOnly`], a missing file is an error.
    pub read_only: bool,
    /// A read that takes longer is interrupted (default 10 s).
    pub read_timeout: Duration,
    /// How long a lock held by another process is waited for (default 5 s).
    pub busy_timeout: Duration,
    /// A write is answered only when it would outlast a power cut (default no: one may lose the last
    /// writes, never consistency). Costs the time the disk takes, with every write.
    pub durable: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            readers: 4,
            read_only: false,
            read_timeout: Duration::from_secs(10),
            busy_timeout: Duration::from_secs(5),
            durable: false,
        }
    }
}

/// How often work that gives way is begun anew before it gives way no longer.
const GIVING_WAY: u32 = 20;

/// How long such work rests after it was stopped for the first time; longer each time.
const PAUSE: Duration = Duration::from_millis(25);

/// Which queue a write waits in. The writer always empties `Interactive` first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// A caller waits for it.
    Interactive,
    /// Background work. A job keeps the writer until it ends, so it must be short.
    Bulk,
}

/// What a checkpoint did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checkpoint {
    /// Whether a reader kept part of the log from being moved or the log from being emptied.
    pub busy: bool,
    /// Pages in the write-ahead log.
    pub log_pages: i64,
    /// Pages moved into the database.
    pub moved_pages: i64,
}

/// A write that was submitted and not waited for. Dropping it lets the write go on.
#[derive(Debug)]
#[must_use = "a write that nobody waits for fails unseen"]
pub struct Pending<T, E> {
    answer: Receiver<Result<T, E>>,
    writer: Option<ThreadId>,
}

impl<T, E: From<StoreError>> Pending<T, E> {
    /// Waits until the write is committed or has failed.
    ///
    /// # Errors
    /// The job's own error, or the store's.
    pub fn wait(self) -> Result<T, E> {
        if self.writer == Some(std::thread::current().id()) {
            return Err(StoreError::Reentrant.into());
        }
        self.answer.recv().unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }
}

/// An open database file. Clones share it; the last one to go closes it.
#[derive(Clone)]
pub struct Database {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    busy_timeout: Duration,
    // Before `writer`: the last connection to go moves the log into the file, and readers cannot.
    readers: Readers,
    /// `None` when opened for reading only.
    writer: Option<Writer>,
}

impl Database {
    /// Opens the file, makes it (mode 0600, its folder 0700) when it is missing and not read-only, and
    /// takes everybody else's access to it away.
    ///
    /// # Errors
    /// [`StoreError::Open`] when it cannot be made or opened, [`StoreError::Corrupt`] when it is no
    /// database, [`StoreError::Busy`] when someone else holds it.
    pub fn open(path: &Path, options: &Options) -> Result<Self, StoreError> {
        let path = if options.read_only { files::existing(path) } else { files::prepare(path) }?;
        let open_writer = || -> Result<Writer, StoreError> {
            let role = Role::Writer { durable: options.durable };
            let connection = Connection::open(&path, role, options.busy_timeout)?;
            Writer::start(connection, path.clone(), role, options.busy_timeout)
                .map_err(|error| StoreError::Open { path: path.clone(), reason: error.to_string() })
        };
        let writer = if options.read_only { None } else { Some(open_writer()?) };
        let readers =
            Readers::new(path.clone(), options.readers, options.read_timeout, options.busy_timeout)?;
        if writer.is_none() {
            readers.warm_up()?;
        }
        let inner = Inner { path, busy_timeout: options.busy_timeout, readers, writer };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The file's absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// Runs `job` on a reading connection, on this thread, in one snapshot: every statement sees the
    /// database as it was at the first. A job must not start another read, which could find the pool
    /// empty and wait for itself until the time is up.
    ///
    /// # Errors
    /// The job's own, or the store's; [`StoreError::TimedOut`] after [`Options::read_timeout`].
    pub fn read<T, E: From<StoreError>>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        self.inner.readers.read(job)
    }

    /// Runs `job` in a transaction on the writer thread and waits until it is committed. An error or a
    /// panic of the job rolls back.
    ///
    /// # Errors
    /// The job's own, or the store's.
    pub fn write<T: Send + 'static, E: From<StoreError> + Send + 'static>(
        &self,
        lane: Lane,
        job: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        if self.inner.writer.as_ref().is_some_and(|writer| writer.thread() == std::thread::current().id()) {
            return Err(StoreError::Reentrant.into());
        }
        self.submit(lane, job).wait()
    }

    /// Like [`Self::write`] without waiting. The queues have no limit: who submits much waits now and
    /// then.
    pub fn submit<T: Send + 'static, E: From<StoreError> + Send + 'static>(
        &self,
        lane: Lane,
        job: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Pending<T, E> {
        self.on_writer(lane, move |connection| transaction(connection, job))
    }

    /// Runs long background work that gives way: as soon as a caller waits it is stopped, rolled back, and
    /// begun anew later. After twenty attempts it runs to its end, so that a busy server gets it
    /// done too.
    ///
    /// # Errors
    /// The job's own, or the store's.
    pub fn write_giving_way<T: Send + 'static, E: From<StoreError> + Send + 'static>(
        &self,
        job: impl Fn(&Connection) -> Result<T, E> + Send + Sync + 'static,
    ) -> Result<T, E> {
        let Some(queues) = self.inner.writer.as_ref().map(|writer| Arc::clone(&writer.queues)) else {
            return self.write(Lane::Bulk, move |connection| job(connection));
        };
        let job = Arc::new(job);
        for attempt in 0..GIVING_WAY {
            let (job, queues) = (Arc::clone(&job), Arc::clone(&queues));
            let gave_way = Arc::new(AtomicBool::new(false));
            let told = Arc::clone(&gave_way);
            let outcome = self.write(Lane::Bulk, move |connection| {
                let (outcome, stopped) = queues.giving_way(connection, || job(connection));
                told.store(stopped && outcome.is_err(), Ordering::Relaxed);
                outcome
            });
            if !gave_way.load(Ordering::Relaxed) {
                return outcome;
            }
            std::thread::sleep(PAUSE * (attempt + 1));
        }
        self.write(Lane::Bulk, move |connection| job(connection))
    }

    /// Moves the write-ahead log into the database and empties it; waits for readers a tenth of a second
    /// at most.
    ///
    /// # Errors
    /// The store's. A reader in the way is no error, see [`Checkpoint::busy`].
    pub fn checkpoint(&self) -> Result<Checkpoint, StoreError> {
        let patience = self.inner.busy_timeout.min(CHECKPOINT_PATIENCE);
        let busy_timeout = self.inner.busy_timeout;
        let pending: Pending<_, StoreError> = self.on_writer(Lane::Interactive, move |connection| {
            connection.set_busy_timeout(patience)?;
            let done = connection.query_one("PRAGMA wal_checkpoint(TRUNCATE)", &[], |row| {
                Ok::<_, StoreError>(Checkpoint {
                    busy: row.get::<i64>(0)? != 0,
                    log_pages: row.get(1)?,
                    moved_pages: row.get(2)?,
                })
            });
            connection.set_busy_timeout(busy_timeout)?;
            done
        });
        pending.wait()?.ok_or_else(|| StoreError::Io("the checkpoint gave no answer".to_owned()))
    }

    /// Writes a consistent, compacted copy to `target` (mode 0600), on the disk when this returns.
    /// Reads and writes go on meanwhile.
    ///
    /// # Errors
    /// [`StoreError::Io`] when `target` is there already or cannot be written; the store's. Nothing is
    /// left at `target` then.
    pub fn backup_to(&self, target: &Path) -> Result<(), StoreError> {
        let source = Connection::open(&self.inner.path, Role::Reader, self.inner.busy_timeout)?;
        let target = files::reserve(target)?;
        let copied = match target.to_str() {
            // The handle stays read-only; this only lets it write the other file.
            Some(name) => source
                .batch("PRAGMA query_only = OFF")
                .and_then(|()| source.execute("VACUUM INTO ?1", crate::params![name]))
                .map(|_| ()),
            None => Err(StoreError::Io(format!("{}: the name is not UTF-8", target.display()))),
        };
        let result = copied.and_then(|()| files::sync(&target));
        if result.is_err() {
            files::discard(&target);
        }
        result
    }

    /// What SQLite's own check of the whole file finds, full-text tables included; empty when it is
    /// sound. Takes as long as reading the file takes.
    ///
    /// # Errors
    /// The store's.
    pub fn integrity_check(&self) -> Result<Vec<String>, StoreError> {
        let connection = Connection::open(&self.inner.path, Role::Reader, self.inner.busy_timeout)?;
        let mut found = connection.query("PRAGMA integrity_check", &[], |row| row.get::<String>(0))?;
        found.retain(|line| line != "ok");
        Ok(found)
    }

    /// Finishes the queued writes and closes; calls through other clones get [`StoreError::Closed`].
    pub fn close(self) {
        self.inner.close();
    }

    /// Queues `job` for the writer's connection, outside any transaction.
    fn on_writer<T: Send + 'static, E: From<StoreError> + Send + 'static>(
        &self,
        lane: Lane,
        job: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Pending<T, E> {
        let (sender, answer) = sync_channel(1);
        let writer = self.inner.writer.as_ref();
        let pending = Pending { answer, writer: writer.map(Writer::thread) };
        match writer {
            Some(writer) => writer.submit(
                lane,
                Box::new(move |connection| {
                    let outcome = connection.map_err(E::from).and_then(job);
                    // Nobody need be waiting.
                    let _ = sender.send(outcome);
                }),
            ),
            None => {
                let error = StoreError::ReadOnly("it was opened for reading only".to_owned());
                let _ = sender.send(Err(error.into()));
            }
        }
        pending
    }
}

impl Inner {
    fn close(&self) {
        self.readers.close();
        if let Some(writer) = &self.writer {
            writer.close();
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.close();
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Database").field("path", &self.inner.path).finish_non_exhaustive()
    }
}
