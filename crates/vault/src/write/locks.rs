//! One change to a file at a time.
//!
//! A lock is a key (a path as lookups compare it), not a file: names that differ in case or composition
//! are one. A call takes all the keys it needs at once or waits for all of them holding none, so two calls
//! never wait for each other; those that wait are served in the order they came. Other processes are kept
//! out by locks beside the journal, taken after the keys and let go before them.

use std::collections::HashSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use store::KeyGuard;

/// What to do when somebody else is changing the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// Wait. For changes that read inside the lock whatever is there then.
    Wait,
    /// Give up. For changes that were decided on what the caller has read before.
    FailFast,
}

/// Which keys are held, and who waits for which.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    held: HashSet<String>,
    /// In the order they came.
    waiting: Vec<(u64, Vec<String>)>,
    next: u64,
}

/// Keys held until this is dropped.
#[derive(Debug)]
pub(crate) struct Guard<'a> {
    /// The same keys held against other processes; let go before they are let go in this one.
    others: Option<KeyGuard>,
    locks: &'a Locks,
    keys: Vec<String>,
}

impl Guard<'_> {
    /// The keys.
    pub(crate) fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Holds the keys against other processes as well.
    pub(crate) fn against_others(mut self, others: KeyGuard) -> Self {
        self.others = Some(others);
        self
    }
}

impl Locks {
    /// All of `keys`, or with [`Lock::FailFast`] the first of them that is taken.
    pub(crate) fn take(&self, mut keys: Vec<String>, lock: Lock) -> Result<Guard<'_>, String> {
        keys.sort();
        keys.dedup();
        let mut state = self.lock();
        if let Some(taken) = keys.iter().find(|key| !state.is_free(key, None)) {
            if lock == Lock::FailFast {
                return Err(taken.clone());
            }
            state = self.wait(state, &keys);
        }
        state.held.extend(keys.iter().cloned());
        drop(state);
        Ok(Guard { others: None, locks: self, keys })
    }

    fn wait<'a>(&'a self, mut state: MutexGuard<'a, State>, keys: &[String]) -> MutexGuard<'a, State> {
        let ticket = state.next;
        state.next += 1;
        state.waiting.push((ticket, keys.to_vec()));
        while keys.iter().any(|key| !state.is_free(key, Some(ticket))) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting.retain(|(waiting, _)| *waiting != ticket);
        state
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether nobody holds `key` and nobody has waited for it longer than `ticket`.
    fn is_free(&self, key: &str, ticket: Option<u64>) -> bool {
        let before = |other: u64| ticket.is_none_or(|ticket| other < ticket);
        !self.held.contains(key)
            && !self
                .waiting
                .iter()
                .any(|(other, wanted)| before(*other) && wanted.iter().any(|wanted| wanted == key))
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.others = None;
        let mut state = self.locks.lock();
        for key in &self.keys {
            state.held.remove(key);
        }
        drop(state);
        self.locks.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    use super::*;

    fn keys(keys: &[&str]) -> Vec<String> {
        keys.iter().map(|key| (*key).to_owned()).collect()
    }

    #[test]
    fn all_or_nothing_and_which_one_is_taken() {
        let locks = Locks::default();
        let held = locks.take(keys(&["b"]), Lock::FailFast).unwrap();
        assert_eq!(locks.take(keys(&["a", "b"]), Lock::FailFast).unwrap_err(), "b");
        // `a` was not kept.
        drop(locks.take(keys(&["a"]), Lock::FailFast).unwrap());
        drop(held);
        drop(locks.take(keys(&["a", "b", "a"]), Lock::FailFast).unwrap());
        assert!(locks.lock().held.is_empty());
    }

    #[test]
    fn who_gives_up_does_not_overtake_who_waits() {
        let locks = Locks::default();
        let held = locks.take(keys(&["a"]), Lock::Wait).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| locks.take(keys(&["a", "b"]), Lock::Wait).map(drop));
            while locks.lock().waiting.is_empty() {
                std::thread::sleep(Duration::from_millis(1));
            }
            assert_eq!(locks.take(keys(&["b"]), Lock::FailFast).unwrap_err(), "b");
            drop(held);
            waiting.join().unwrap().unwrap();
        });
        drop(locks.take(keys(&["a", "b"]), Lock::FailFast).unwrap());
    }

    #[test]
    fn one_at_a_time_whatever_the_order_and_no_deadlock() {
        let locks = Locks::default();
        let inside = [AtomicU32::new(0), AtomicU32::new(0), AtomicU32::new(0)];
        std::thread::scope(|scope| {
            for thread in 0..6_usize {
                let (locks, inside) = (&locks, &inside);
                scope.spawn(move || {
                    for round in 0..200_usize {
                        let (one, other) = ((thread + round) % 3, (thread * round + 1) % 3);
                        let wanted = [one, other].map(|index| index.to_string());
                        let guard = locks.take(wanted.to_vec(), Lock::Wait).unwrap();
                        for index in [one, other] {
                            inside[index].fetch_add(1, Ordering::SeqCst);
                        }
                        let twice = if one == other { 2 } else { 1 };
                        assert_eq!(inside[one].load(Ordering::SeqCst), twice);
                        for index in [one, other] {
                            inside[index].fetch_sub(1, Ordering::SeqCst);
                        }
                        drop(guard);
                    }
                });
            }
        });
    }
}
