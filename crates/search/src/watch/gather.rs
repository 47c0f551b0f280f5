//! Touched paths, until they have come to rest.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Paths that were touched and not looked at yet.
///
/// A batch is due when nothing was touched for the debounce time, and at the latest when its oldest
/// path has waited twice as long: a program that never rests must not keep the others waiting.
pub(crate) struct Gathered {
    debounce: Duration,
    batch: Batch,
    /// When the first and the last path of the batch came.
    since: Option<(Instant, Instant)>,
    /// Folders to look at once more, and when.
    later: Vec<(Instant, PathBuf)>,
}

/// What is to be looked at.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Batch {
    /// Events were lost: look at the whole vault.
    pub(crate) everything: bool,
    /// Absolute paths that were touched, a folder before what lies in it.
    pub(crate) paths: BTreeSet<PathBuf>,
    /// Folders whose second look is due. A folder is looked at twice, not for ever: what stands only
    /// here is not to be added again.
    pub(crate) second: BTreeSet<PathBuf>,
}

impl Gathered {
    pub(crate) fn new(debounce: Duration) -> Self {
        Self { debounce, batch: Batch::default(), since: None, later: Vec::new() }
    }

    /// A path was touched.
    pub(crate) fn add(&mut self, path: PathBuf, now: Instant) {
        self.batch.paths.insert(path);
        self.touched(now);
    }

    /// Anything may have been touched.
    pub(crate) fn add_everything(&mut self, now: Instant) {
        self.batch.everything = true;
        self.touched(now);
    }

    /// A folder wants a second look.
    pub(crate) fn add_later(&mut self, folder: PathBuf, now: Instant) {
        if !self.later.iter().any(|(_, waiting)| *waiting == folder) {
            self.later.push((now + self.debounce * 2, folder));
        }
    }

    fn touched(&mut self, now: Instant) {
        self.since = Some((self.since.map_or(now, |(first, _)| first), now));
    }

    /// How long until there is something to take; `None` when nothing waits.
    pub(crate) fn due(&self, now: Instant) -> Option<Duration> {
        let batch = self.since.map(|(first, last)| (last + self.debounce).min(first + self.debounce * 2));
        let later = self.later.iter().map(|(at, _)| *at).min();
        batch.into_iter().chain(later).min().map(|at| at.saturating_duration_since(now))
    }

    /// What is due now, and all else that waits with it. Second looks that are due come along.
    pub(crate) fn take(&mut self, now: Instant) -> Batch {
        let mut batch = std::mem::take(&mut self.batch);
        self.since = None;
        let (due, waiting): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.later).into_iter().partition(|(at, _)| *at <= now);
        self.later = waiting;
        batch.second = due.into_iter().map(|(_, folder)| folder).collect();
        batch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEBOUNCE: Duration = Duration::from_millis(400);

    #[test]
    fn a_batch_waits_for_rest_but_not_for_ever() {
        let start = Instant::now();
        let mut gathered = Gathered::new(DEBOUNCE);
        assert_eq!(gathered.due(start), None);
        gathered.add("/a".into(), start);
        assert_eq!(gathered.due(start), Some(DEBOUNCE));
        let later = start + Duration::from_millis(300);
        gathered.add("/b".into(), later);
        assert_eq!(gathered.due(later), Some(DEBOUNCE));
        let busy = start + Duration::from_millis(700);
        gathered.add("/a".into(), busy);
        assert_eq!(gathered.due(busy), Some(Duration::from_millis(100)));
        let batch = gathered.take(busy);
        assert_eq!(batch.paths, ["/a", "/b"].map(PathBuf::from).into());
        assert!(!batch.everything);
        assert_eq!(gathered.due(busy), None);
    }

    #[test]
    fn a_new_folder_is_looked_at_once_more() {
        let start = Instant::now();
        let mut gathered = Gathered::new(DEBOUNCE);
        gathered.add_later("/new".into(), start);
        gathered.add_later("/new".into(), start + DEBOUNCE);
        assert_eq!(gathered.due(start), Some(DEBOUNCE * 2));
        assert_eq!(gathered.take(start + DEBOUNCE), Batch::default());
        let batch = gathered.take(start + DEBOUNCE * 2);
        assert_eq!(batch.second, ["/new"].map(PathBuf::from).into());
        assert!(batch.paths.is_empty());
        assert_eq!(gathered.due(start + DEBOUNCE * 2), None);
    }

    #[test]
    fn an_overflow_means_everything() {
        let start = Instant::now();
        let mut gathered = Gathered::new(DEBOUNCE);
        gathered.add_everything(start);
        assert!(gathered.take(start + DEBOUNCE).everything);
    }
}
