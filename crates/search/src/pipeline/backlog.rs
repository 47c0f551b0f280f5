//! How much read text may wait for the writer.
//!
//! Parsed notes are several times larger than their files. Workers reserve a note's bytes before
//! they read it and the reservation ends when the note is written, so memory stays bounded however
//! far reading runs ahead.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The bound and what of it is in use.
#[derive(Debug, Clone)]
pub(crate) struct Backlog {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    limit: u64,
    used: Mutex<u64>,
    freed: Condvar,
}

/// Bytes that are reserved until this is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    shared: Arc<Shared>,
    bytes: u64,
}

impl Backlog {
    /// Room for `limit` bytes.
    pub(crate) fn new(limit: u64) -> Self {
        Self { shared: Arc::new(Shared { limit, used: Mutex::new(0), freed: Condvar::new() }) }
    }

    /// Waits for room. What is larger than the whole limit gets in alone.
    pub(crate) fn reserve(&self, bytes: u64) -> Reservation {
        let mut used = self.shared.used.lock().unwrap_or_else(PoisonError::into_inner);
        while *used > 0 && used.saturating_add(bytes) > self.shared.limit {
            used = self.shared.freed.wait(used).unwrap_or_else(PoisonError::into_inner);
        }
        *used = used.saturating_add(bytes);
        Reservation { shared: Arc::clone(&self.shared), bytes }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut used = self.shared.used.lock().unwrap_or_else(PoisonError::into_inner);
        *used = used.saturating_sub(self.bytes);
        self.shared.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn the_limit_holds_and_a_giant_gets_in_alone() {
        let backlog = Backlog::new(100);
        let inside = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for bytes in [10, 60, 60, 500, 30] {
                let (backlog, inside) = (&backlog, &inside);
                scope.spawn(move || {
                    for _ in 0..50 {
                        let reservation = backlog.reserve(bytes);
                        let now = inside.fetch_add(bytes, Ordering::SeqCst) + bytes;
                        assert!(now <= 100 || now == 500, "{now} bytes at once");
                        inside.fetch_sub(bytes, Ordering::SeqCst);
                        drop(reservation);
                    }
                });
            }
        });
    }
}
