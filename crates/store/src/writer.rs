//! The writer: one thread, one connection, two queues.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{JoinHandle, ThreadId};
use std::time::Duration;

use crate::connection::{Connection, Role, Stopper};
use crate::database::Lane;
use crate::error::StoreError;

/// Work for the writer. It is given the connection outside any transaction, or why there is none.
pub(crate) type Task = Box<dyn FnOnce(Result<&Connection, StoreError>) + Send>;

/// The handle on the writing thread.
pub(crate) struct Writer {
    pub(crate) queues: Arc<Queues>,
    thread: Mutex<Option<JoinHandle<()>>>,
    id: ThreadId,
}

/// What waits for the writer.
#[derive(Default)]
pub(crate) struct Queues {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    interactive: VecDeque<Task>,
    bulk: VecDeque<Task>,
    closed: bool,
    /// Set while work runs that gives way to callers who wait.
    giving_way: Option<GivingWay>,
}

struct GivingWay {
    stopper: Stopper,
    stopped: bool,
}

impl Writer {
    /// Starts the thread with an open connection.
    pub(crate) fn start(
        connection: Connection,
        path: PathBuf,
        role: Role,
        busy_timeout: Duration,
    ) -> std::io::Result<Self> {
        let queues = Arc::<Queues>::default();
        let thread = std::thread::Builder::new().name("store-writer".to_owned()).spawn({
            let queues = Arc::clone(&queues);
            move || work(&queues, connection, &path, role, busy_timeout)
        })?;
        let id = thread.thread().id();
        Ok(Self { queues, thread: Mutex::new(Some(thread)), id })
    }

    /// The writing thread, which must not wait for itself.
    pub(crate) fn thread(&self) -> ThreadId {
        self.id
    }

    /// Queues `task`, or runs it at once with [`StoreError::Closed`].
    pub(crate) fn submit(&self, lane: Lane, task: Task) {
        let mut state = self.queues.lock();
        if state.closed {
            drop(state);
            task(Err(StoreError::Closed));
            return;
        }
        match lane {
            Lane::Interactive => {
                state.interactive.push_back(task);
                if let Some(running) = &mut state.giving_way {
                    running.stopped = true;
                    running.stopper.stop();
                }
            }
            Lane::Bulk => state.bulk.push_back(task),
        }
        drop(state);
        self.queues.changed.notify_one();
    }

    /// Refuses new work, finishes what is queued and ends the thread.
    pub(crate) fn close(&self) {
        self.queues.lock().closed = true;
        self.queues.changed.notify_one();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A job can own the last handle of its database; the thread then ends after this job.
        if let Some(thread) = thread
            && std::thread::current().id() != self.id
            && thread.join().is_err()
        {
            tracing::error!("the database writer ended with a panic");
        }
    }
}

impl Queues {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `job`, stopped as soon as a caller waits. Whether it was stopped comes with its outcome, which
    /// can be a success all the same.
    pub(crate) fn giving_way<T>(&self, connection: &Connection, job: impl FnOnce() -> T) -> (T, bool) {
        {
            let mut state = self.lock();
            let stopper = connection.stopper();
            // Somebody came between being taken from the queue and now.
            let stopped = !state.interactive.is_empty();
            if stopped {
                stopper.stop();
            }
            state.giving_way = Some(GivingWay { stopper, stopped });
        }
        let outcome = catch_unwind(AssertUnwindSafe(job));
        let ended = self.lock().giving_way.take();
        let stopped = ended.is_some_and(|ended| {
            ended.stopper.pardon();
            ended.stopped
        });
        match outcome {
            Ok(outcome) => (outcome, stopped),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    /// The next task, callers who wait first; `None` when all is done and closed.
    fn next(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if let Some(task) = state.interactive.pop_front().or_else(|| state.bulk.pop_front()) {
                return Some(task);
            }
            if state.closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The thread's whole life.
fn work(queues: &Queues, connection: Connection, path: &std::path::Path, role: Role, busy_timeout: Duration) {
    let mut connection = Some(connection);
    while let Some(task) = queues.next() {
        if connection.is_none() {
            match Connection::open(path, role, busy_timeout) {
                Ok(opened) => connection = Some(opened),
                Err(error) => {
                    task(Err(error));
                    continue;
                }
            }
        }
        let Some(open) = connection.as_ref() else { continue };
        // The task catches its job's panic; this is for a panic in the library.
        if catch_unwind(AssertUnwindSafe(|| task(Ok(open)))).is_err() || !open.is_idle() {
            tracing::error!("the database writer had to open its connection anew");
            connection = None;
        }
    }
    if let Some(connection) = connection {
        // Keeps the statistics of the query planner fresh; bounded, and not worth failing for.
        if let Err(error) = connection.batch("PRAGMA analysis_limit = 200; PRAGMA optimize") {
            tracing::debug!(error = %error, "the database was closed without being optimised");
        }
    }
}

/// Runs `job` between `BEGIN IMMEDIATE` and `COMMIT`; an error or a panic rolls back.
pub(crate) fn transaction<T, E: From<StoreError>>(
    connection: &Connection,
    job: impl FnOnce(&Connection) -> Result<T, E>,
) -> Result<T, E> {
    connection.execute("BEGIN IMMEDIATE", &[])?;
    let outcome = match catch_unwind(AssertUnwindSafe(|| job(connection))) {
        Ok(Ok(_)) if connection.is_idle() => Err(ended_early().into()),
        Ok(Ok(value)) => connection.execute("COMMIT", &[]).map(|_| value).map_err(E::from),
        Ok(Err(error)) => Err(error),
        Err(panic) => Err(StoreError::Panicked(panic_text(panic.as_ref())).into()),
    };
    // After some errors (disk full, disk error) SQLite has rolled back by itself.
    if outcome.is_err()
        && !connection.is_idle()
        && let Err(error) = connection.execute("ROLLBACK", &[])
    {
        // The writer sees the open transaction and opens a new connection, which ends it.
        tracing::error!(error = %error, "a failed database write could not be rolled back");
    }
    outcome
}

fn ended_early() -> StoreError {
    let message = "the transaction ended before the write was complete".to_owned();
    StoreError::Sql { code: 0, message, sql: String::new() }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}
