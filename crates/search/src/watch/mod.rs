//! Noticing what other programs do to the vault.
//!
//! The system's events only ever say *where* to look; what lies there is looked at anew
//! ([`Core::refresh`]). A debouncer that merges events into what must have happened (created and
//! removed: nothing) would be wrong as soon as one of them was missed, so paths are gathered as
//! they come, let come to rest, and looked at. When the system cannot watch (a limit, a network
//! file system), the vault is reconciled at intervals instead.

mod gather;
mod source;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use store::Lane;
use vault::VaultPath;

use self::gather::Gathered;
use self::source::{Signal, Source};
use crate::core::Core;
use crate::error::SearchError;
use crate::pipeline::reconcile::Show;
use crate::pipeline::skipped::Place;
use crate::status::WatcherState;

/// How often the vault is looked over when the system cannot watch and no interval is set.
const FALLBACK_INTERVAL: Duration = Duration::from_secs(2);

/// How long to go on polling before the system is asked again.
const RETRY: Duration = Duration::from_secs(60);

/// A pass over the vault may take at most this share of the time when polling.
const POLL_SHARE: u32 = 10;

/// From this many touched paths on, looking at everything is cheaper than looking at each.
const MANY: usize = 1_000;

/// A running watcher; dropping it stops it and waits until it has stopped.
pub struct WatchHandle {
    signals: Sender<Signal>,
    thread: Option<JoinHandle<()>>,
    walks: Arc<AtomicU64>,
    stopped: Arc<AtomicBool>,
}

impl WatchHandle {
    /// How many folders have been walked since it began to watch, the whole vault counted as one.
    #[must_use]
    pub fn walks(&self) -> u64 {
        self.walks.load(Ordering::Relaxed)
    }
}

impl Drop for WatchHandle {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // It may have ended by itself; then nobody hears this and nobody needs to.
        let _ = self.signals.send(Signal::Stop);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the watcher ended by a fault of the server: please report this as a bug");
        }
    }
}

/// Starts to watch in a thread of its own.
pub(crate) fn start(core: &Arc<Core>) -> Result<WatchHandle, SearchError> {
    if core.read_only {
        return Err(SearchError::ReadOnly);
    }
    let (signals, received) = channel();
    let walks = Arc::<AtomicU64>::default();
    let stopped = Arc::<AtomicBool>::default();
    let watcher = Watcher {
        core: Arc::clone(core),
        signals: signals.clone(),
        walks: Arc::clone(&walks),
        stopped: Arc::clone(&stopped),
    };
    let thread = std::thread::Builder::new()
        .name("vault-watcher".to_owned())
        .spawn(move || watcher.run(&received))
        .map_err(|error| SearchError::Watcher(error.to_string()))?;
    Ok(WatchHandle { signals, thread: Some(thread), walks, stopped })
}

struct Watcher {
    core: Arc<Core>,
    signals: Sender<Signal>,
    walks: Arc<AtomicU64>,
    /// Nobody wants it any more: what it is at ends early. Who watches next begins with a reconcile.
    stopped: Arc<AtomicBool>,
}

/// Why one way of watching ended.
enum Ended {
    /// Nobody wants it any more.
    Stopped,
    /// The system cannot, or cannot any longer.
    Failed(String),
    /// It is time to ask the system again, from the beginning.
    Retry,
}

impl Watcher {
    fn run(&self, received: &Receiver<Signal>) {
        let mut failed: Option<String> = None;
        loop {
            let ended = match (self.core.options.poll, failed.take()) {
                (Some(interval), _) => self.poll(received, interval, "it is set so", None),
                (None, Some(reason)) => self.poll(received, FALLBACK_INTERVAL, &reason, Some(RETRY)),
                (None, None) => self.watch(received),
            };
            match ended {
                Ended::Stopped => break,
                Ended::Retry => {}
                Ended::Failed(reason) => {
                    tracing::warn!(reason, "the vault cannot be watched; it is looked over at intervals");
                    failed = Some(reason);
                }
            }
        }
        self.core.report().watcher = WatcherState::Off;
    }

    /// Follows the system's events until they fail.
    fn watch(&self, received: &Receiver<Signal>) -> Ended {
        let _source = match Source::start(self.core.vault.root(), self.signals.clone()) {
            Ok(source) => source,
            Err(reason) => return Ended::Failed(reason),
        };
        self.core.report().watcher = WatcherState::Watching;
        // What changed before the system began to watch.
        self.reconcile();
        let mut gathered = Gathered::new(self.core.options.debounce);
        loop {
            let signal = match gathered.due(Instant::now()) {
                Some(wait) => received.recv_timeout(wait),
                None => received.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match signal {
                Ok(Signal::Touched(path)) => gathered.add(path, Instant::now()),
                Ok(Signal::Overflow) => gathered.add_everything(Instant::now()),
                Ok(Signal::Failed(reason)) => return Ended::Failed(reason),
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return Ended::Stopped,
                Err(RecvTimeoutError::Timeout) => {
                    let batch = gathered.take(Instant::now());
                    if batch.everything {
                        // A folder that was made meanwhile is watched by nobody: beginning anew
                        // watches it, and then looks at everything.
                        return Ended::Retry;
                    }
                    if batch.paths.len() > MANY || self.core.damaged.load(Ordering::Relaxed) {
                        self.reconcile();
                    } else {
                        for folder in self.look_at(&(&batch.paths | &batch.second)) {
                            // A file made between a folder's first look and the system's beginning to
                            // watch it gives no event: the folder is looked at once more.
                            if batch.paths.contains(&folder) {
                                gathered.add_later(folder, Instant::now());
                            }
                        }
                    }
                }
            }
        }
    }

    /// Looks the vault over at intervals, until `retry` has passed if it is given.
    fn poll(
        &self,
        received: &Receiver<Signal>,
        interval: Duration,
        reason: &str,
        retry: Option<Duration>,
    ) -> Ended {
        self.core.report().watcher =
            WatcherState::Polling { interval_seconds: interval.as_secs_f64(), reason: reason.to_owned() };
        let begun = Instant::now();
        loop {
            let pass = Instant::now();
            let was_gone = self.core.report().vault_error.is_some();
            self.reconcile();
            // What cannot be watched because it is not there can be when it is back.
            if was_gone && retry.is_some() && self.core.report().vault_error.is_none() {
                return Ended::Retry;
            }
            let wait = interval.max(pass.elapsed() * POLL_SHARE);
            let until = Instant::now() + wait;
            loop {
                match received.recv_timeout(until.saturating_duration_since(Instant::now())) {
                    Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return Ended::Stopped,
                    // What a source that was given up still had to say.
                    Ok(Signal::Touched(_) | Signal::Overflow | Signal::Failed(_)) => {}
                    Err(RecvTimeoutError::Timeout) => break,
                }
            }
            if retry.is_some_and(|retry| begun.elapsed() >= retry) {
                return Ended::Retry;
            }
        }
    }

    fn reconcile(&self) {
        self.walks.fetch_add(1, Ordering::Relaxed);
        match self.core.reconcile_or_rebuild(Show::Quiet) {
            Ok(_) => {}
            // Whatever fails in an index that is being closed.
            Err(_) if self.core.check_open().is_err() => {}
            // Told once, by who looked.
            Err(SearchError::Vault(error)) if error.is_root() => {}
            Err(error) => tracing::error!(%error, "the vault could not be looked over"),
        }
    }

    /// Looks at touched paths. Answers those that are folders.
    ///
    /// Every path is looked at as a file and as a folder: what lies there now says nothing of what lay
    /// there before, and a note's place can be taken by a folder, or a folder's by a link.
    fn look_at(&self, paths: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
        // What has no vault path is none of ours, and neither is a whole folder of that; it is listed as
        // kept out when it is not hidden.
        let unspellable = paths.iter().filter_map(|path| self.unspellable(path));
        self.log(self.core.judge_places(unspellable, false));
        let paths: Vec<(&PathBuf, VaultPath)> = paths
            .iter()
            .filter_map(|path| self.core.vault.to_vault_path(path).map(|vault_path| (path, vault_path)))
            .collect();
        let files: Vec<VaultPath> = paths.iter().map(|(_, vault_path)| vault_path.clone()).collect();
        let lane = if files.len() > 32 { Lane::Bulk } else { Lane::Interactive };
        self.log(self.core.refresh(files, lane));
        let mut last: Option<&Path> = None;
        for (path, folder) in &paths {
            if self.stopped.load(Ordering::Relaxed) {
                return Vec::new();
            }
            // Sorted, so that a folder comes before what lies in it.
            if last.is_some_and(|last| path.starts_with(last)) {
                continue;
            }
            last = Some(path);
            if is_folder(path) {
                self.walks.fetch_add(1, Ordering::Relaxed);
            }
            self.log(self.core.reconcile_folder(folder.as_str()));
        }
        self.log(self.core.judge_places([], !paths.is_empty()));
        paths.into_iter().map(|(path, _)| path.clone()).filter(|path| is_folder(path)).collect()
    }

    /// Where a path with a name that no vault path can spell is judged.
    fn unspellable(&self, path: &Path) -> Option<Place> {
        let relative = path.strip_prefix(self.core.vault.root()).ok()?;
        let place = Place::of(&relative.to_string_lossy());
        matches!(place, Place::Unspellable(_)).then_some(place)
    }

    fn log(&self, outcome: Result<(), SearchError>) {
        match outcome {
            Ok(()) => {}
            // Whatever fails in an index that is being closed.
            Err(_) if self.core.check_open().is_err() => {}
            // The system tells of it, and then it is told once.
            Err(SearchError::Vault(error)) if error.is_root() => {}
            Err(error) => tracing::error!(%error, "a change in the vault could not be indexed"),
        }
    }
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
}
