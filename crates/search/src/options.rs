//! What an index is opened with. Nothing here is read from the environment: the server passes it.

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::text::TextOptions;

/// Where the index asks for the time: passed in, so that tests can hold it still.
pub type Clock = fn() -> Timestamp;

/// How an [`Index`](crate::Index) is opened.
#[derive(Debug, Clone)]
pub struct IndexOptions {
    /// The database file. Refused when it lies inside the vault.
    pub db_path: PathBuf,
    /// Languages and ranking of the full-text engine.
    pub text: TextOptions,
    /// The zone in which days are counted and times are shown. A change rebuilds the index.
    pub time_zone: TimeZone,
    /// How long the watcher waits for a file to come to rest before it reads it.
    pub debounce: Duration,
    /// Look at the whole vault this often instead of asking the system for events (network and
    /// Windows mounts deliver none).
    pub poll: Option<Duration>,
    /// Threads that read and parse notes during a reconcile; at least 1.
    pub workers: usize,
    /// Notes larger than this many bytes are listed and linkable, but their text is not read.
    pub max_note_bytes: u64,
    /// Whether text files and canvases are searched beside the notes. A change rebuilds the index. The
    /// links of canvases are known either way.
    pub file_texts: bool,
    /// The clock.
    pub clock: Clock,
}

impl IndexOptions {
    /// Largest note that is read by default: 32 MiB.
    pub const MAX_NOTE_BYTES: u64 = 32 * 1024 * 1024;

    /// Options with the usual values for everything but the file and the clock.
    #[must_use]
    pub fn new(db_path: impl Into<PathBuf>, clock: Clock) -> Self {
        Self {
            db_path: db_path.into(),
            text: TextOptions::default(),
            time_zone: TimeZone::UTC,
            debounce: Duration::from_millis(400),
            poll: None,
            workers: 2,
            max_note_bytes: Self::MAX_NOTE_BYTES,
            file_texts: true,
            clock,
        }
    }
}
