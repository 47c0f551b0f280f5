//! One write after the other, its publication included.
//!
//! A write job runs on the writer thread; what it staged for the full-text engine becomes
//! searchable only after the commit, on the thread that waited for it. Without order, the next job
//! could run in between and build on words that are not published yet, or two publications could
//! swap. So a job takes the [`Turn`] when it starts and the waiting thread gives it up after it has
//! published; a job that fails gives it up by being dropped.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Who may write: at most one [`Turn`] is out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turns {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    taken: Mutex<bool>,
    given_up: Condvar,
}

/// The right to write and publish. Dropping it lets the next job go on.
#[derive(Debug)]
pub(crate) struct Turn {
    shared: Arc<Shared>,
}

impl Turns {
    /// Waits for the turn.
    pub(crate) fn take(&self) -> Turn {
        let mut taken = self.shared.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while *taken {
            taken = self.shared.given_up.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        *taken = true;
        Turn { shared: Arc::clone(&self.shared) }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *self.shared.taken.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.shared.given_up.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn turns_never_overlap() {
        let turns = Turns::default();
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let turn = turns.take();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(turn);
                    }
                });
            }
        });
    }
}
