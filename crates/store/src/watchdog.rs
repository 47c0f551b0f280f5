//! Stops reads that take too long.
//!
//! A blocked thread cannot stop itself, so one thread per database watches the others. SQLite forgets an
//! interrupt that arrives between two statements; so it is repeated until the read has ended, and the
//! connection is told as well.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::connection::Stopper;

/// How often a read that did not stop is interrupted again.
const REPEAT: Duration = Duration::from_millis(20);

/// The watching thread. Dropping it ends the thread.
pub(crate) struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Reads that run; never more than there are readers.
    watched: Vec<Watched>,
    next: u64,
    /// When the thread wakes by itself. It outlasts the reads it was set for: waking once for nothing is
    /// cheaper than being woken for every read.
    wake: Option<Instant>,
    closed: bool,
}

struct Watched {
    id: u64,
    deadline: Instant,
    stopper: Stopper,
}

/// A read under watch; dropping it ends the watch.
pub(crate) struct Watch<'a> {
    shared: &'a Shared,
    id: u64,
}

impl Watchdog {
    pub(crate) fn start() -> std::io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let thread = std::thread::Builder::new().name("store-watchdog".to_owned()).spawn({
            let shared = Arc::clone(&shared);
            move || shared.watch()
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Watches a read that must end by `deadline`.
    pub(crate) fn watch(&self, deadline: Instant, stopper: Stopper) -> Watch<'_> {
        let mut state = self.shared.lock();
        let id = state.next;
        state.next += 1;
        state.watched.push(Watched { id, deadline, stopper });
        if state.wake.is_none_or(|wake| deadline < wake) {
            self.shared.changed.notify_one();
        }
        Watch { shared: &self.shared, id }
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        // Under the lock: an interrupt that is on its way arrives before the connection's next user does.
        let mut state = self.shared.lock();
        if let Some(index) = state.watched.iter().position(|watched| watched.id == self.id) {
            state.watched.swap_remove(index).stopper.pardon();
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // It ends by itself and has nothing to say.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The thread's whole life.
    fn watch(&self) {
        let mut state = self.lock();
        while !state.closed {
            let now = Instant::now();
            for watched in state.watched.iter().filter(|watched| watched.deadline <= now) {
                watched.stopper.stop();
            }
            state.wake = state.watched.iter().map(|watched| watched.deadline.max(now + REPEAT)).min();
            state = match state.wake {
                Some(wake) => {
                    let pause = wake.saturating_duration_since(now);
                    self.changed.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}
