//! Older work never overwrites newer.
//!
//! Several threads read files at once: a reconcile, the watcher, a write tool. Each takes a
//! [`Token`] *before* it looks at the disk. What it saw is then at least as new as anything seen
//! under a lower token, so a path takes an update only when its token is above the last one that
//! was applied to it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use vault::VaultPath;

/// Hands out tokens and remembers which was applied last to each path.
#[derive(Debug, Clone, Default)]
pub(crate) struct Generations {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    last: u64,
    /// Tokens that are held: while none is, nothing older can still arrive and `applied` is empty.
    held: usize,
    applied: HashMap<VaultPath, u64>,
}

/// A place in the order of looking at the disk. Held until what was seen is applied or given up.
#[derive(Debug)]
pub(crate) struct Token {
    generations: Generations,
    pub(crate) number: u64,
}

impl Generations {
    /// The next token: take it before looking at the disk.
    pub(crate) fn begin(&self) -> Token {
        let mut state = self.lock();
        state.last += 1;
        state.held += 1;
        Token { number: state.last, generations: self.clone() }
    }

    /// Whether what was seen under `number` is news for `path`.
    pub(crate) fn is_news(&self, path: &VaultPath, number: u64) -> bool {
        self.lock().applied.get(path).is_none_or(|applied| *applied < number)
    }

    /// Notes that what was seen under `number` is now in the index.
    pub(crate) fn applied(&self, path: &VaultPath, number: u64) {
        let mut state = self.lock();
        let last = state.applied.entry(path.clone()).or_insert(0);
        *last = number.max(*last);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // The state is a map and two numbers: no panic can leave it half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        let mut state = self.generations.lock();
        state.held -= 1;
        if state.held == 0 {
            state.applied = HashMap::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> VaultPath {
        VaultPath::parse(text).expect("a vault path")
    }

    #[test]
    fn what_was_seen_later_stays() {
        let generations = Generations::default();
        let (slow, quick) = (generations.begin(), generations.begin());
        let note = path("a.md");
        assert!(generations.is_news(&note, quick.number));
        generations.applied(&note, quick.number);
        drop(quick);
        assert!(!generations.is_news(&note, slow.number));
        assert!(generations.is_news(&path("b.md"), slow.number));
        let next = generations.begin();
        assert!(generations.is_news(&note, next.number));
    }

    #[test]
    fn nothing_is_remembered_once_nobody_is_at_work() {
        let generations = Generations::default();
        let token = generations.begin();
        generations.applied(&path("a.md"), token.number);
        drop(token);
        assert!(generations.lock().applied.is_empty());
    }
}
