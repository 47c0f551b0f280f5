//! Waiting for something that another process does.

use std::time::{Duration, Instant};

/// Polls `check` every 20 milliseconds until it gives a value; fails with `what` after `limit`.
#[track_caller]
pub fn eventually<T>(what: &str, limit: Duration, mut check: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = check() {
            return value;
        }
        assert!(start.elapsed() < limit, "not within {limit:?}: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Polls `check` for the whole of `period` and fails as soon as it holds.
#[track_caller]
pub fn never_within(what: &str, period: Duration, mut check: impl FnMut() -> bool) {
    let start = Instant::now();
    while start.elapsed() < period {
        assert!(!check(), "happened after {:?}: {what}", start.elapsed());
        std::thread::sleep(Duration::from_millis(20));
    }
}
