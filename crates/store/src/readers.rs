//! The pool of reading connections.

use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::connection::{Connection, Role};
use crate::error::StoreError;
use crate::watchdog::Watchdog;

/// Connections are opened when they are first needed, at most as many as allowed; a read runs on the
/// thread that asks for it.
pub(crate) struct Readers {
    path: PathBuf,
    limit: usize,
    read_timeout: Duration,
    busy_timeout: Duration,
    state: Mutex<State>,
    returned: Condvar,
    watchdog: Watchdog,
}

#[derive(Default)]
struct State {
    idle: Vec<Connection>,
    /// Connections that exist, idle or lent.
    open: usize,
    closed: bool,
}

/// A lent connection; dropping it ends its transaction and gives it back.
struct Lent<'a> {
    readers: &'a Readers,
    connection: Option<Connection>,
}

impl Readers {
    pub(crate) fn new(
        path: PathBuf,
        limit: usize,
        read_timeout: Duration,
        busy_timeout: Duration,
    ) -> Result<Self, StoreError> {
        let watchdog = Watchdog::start()
            .map_err(|error| StoreError::Open { path: path.clone(), reason: error.to_string() })?;
        let state = Mutex::default();
        let returned = Condvar::new();
        Ok(Self { path, limit: limit.max(1), read_timeout, busy_timeout, state, returned, watchdog })
    }

    /// Runs `job` in one snapshot.
    pub(crate) fn read<T, E: From<StoreError>>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let deadline = Instant::now() + self.read_timeout;
        let lent = self.lend(deadline)?;
        let Some(connection) = lent.connection.as_ref() else { return Err(StoreError::Closed.into()) };
        let watch = self.watchdog.watch(deadline, connection.stopper());
        connection.execute("BEGIN", &[])?;
        let result = job(connection);
        drop(watch);
        drop(lent);
        result
    }

    /// Opens one connection now, so that a file that cannot be read is told by `open`.
    pub(crate) fn warm_up(&self) -> Result<(), StoreError> {
        self.lend(Instant::now() + self.read_timeout).map(drop)
    }

    /// Closes what is idle and refuses what comes; reads that run end first.
    pub(crate) fn close(&self) {
        let idle = {
            let mut state = self.lock();
            state.closed = true;
            std::mem::take(&mut state.idle)
        };
        self.returned.notify_all();
        drop(idle);
    }

    fn lend(&self, deadline: Instant) -> Result<Lent<'_>, StoreError> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return Err(StoreError::Closed);
            }
            if let Some(connection) = state.idle.pop() {
                return Ok(Lent { readers: self, connection: Some(connection) });
            }
            if state.open < self.limit {
                state.open += 1;
                break;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(StoreError::TimedOut);
            }
            state = self.returned.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(state);
        // From here the place is given back by dropping `lent`, whether or not opening succeeds.
        let mut lent = Lent { readers: self, connection: None };
        lent.connection = Some(Connection::open(&self.path, Role::Reader, self.busy_timeout)?);
        Ok(lent)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        // A connection that cannot leave its transaction would show old data for ever: it is closed.
        let connection = self.connection.take().filter(|connection| {
            connection.is_idle() || (connection.execute("ROLLBACK", &[]).is_ok() && connection.is_idle())
        });
        let mut state = self.readers.lock();
        let surplus = match connection {
            Some(connection) if !state.closed => {
                state.idle.push(connection);
                None
            }
            other => {
                state.open -= 1;
                other
            }
        };
        drop(state);
        drop(surplus);
        self.readers.returned.notify_one();
    }
}
