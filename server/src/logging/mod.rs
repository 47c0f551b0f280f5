//! The log: one JSON object a line, to the standard streams and, when asked, to daily files.
//!
//! A record reads `{"timestamp", "level", "message", "source", …}`; further fields are dotted and
//! carry their unit (`duration.us`). What may stand in one is written down in `docs/LOGGING.md`:
//! no token, no note text, no query text.

mod daily_files;
mod json_lines;
mod panics;

use std::io;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::LoggingConfig;
use daily_files::DailyFiles;
use json_lines::{JsonLines, Streams};

/// Where records go besides the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Destination {
    /// Errors to standard error, the rest to standard output.
    BothStreams,
    /// Everything to standard error: standard output carries the protocol or a command's answer.
    StandardError,
}

/// Starts logging for the rest of the process.
///
/// # Errors
/// When the folder of the daily files cannot be made or written.
pub(crate) fn start(config: &LoggingConfig, destination: Destination) -> io::Result<()> {
    let files = match &config.directory {
        Some(directory) => {
            Some(DailyFiles::open(directory.clone(), config.retention_days, config.time_zone.clone(), now())?)
        }
        None => None,
    };
    let streams = match destination {
        Destination::BothStreams => Streams::Both,
        Destination::StandardError => Streams::ErrorOnly,
    };
    let lines = JsonLines::new(streams, files);
    // A second call (tests in one process) keeps the first subscriber.
    let _ = tracing_subscriber::registry().with(filter(config.level)).with(lines).try_init();
    panics::log_panics();
    Ok(())
}

/// Our own records from `level` up; those of libraries only when they warn.
fn filter(level: tracing::Level) -> Targets {
    let own = LevelFilter::from_level(level);
    Targets::new()
        .with_default(own.min(LevelFilter::WARN))
        // Our crates all begin like this.
        .with_target("vault_cortex", own)
        // A client that hangs up is no error of ours, yet rmcp logs it as one.
        .with_target("rmcp::service", LevelFilter::OFF)
        .with_target("hyper", LevelFilter::ERROR.min(own))
}

#[expect(clippy::disallowed_methods, reason = "the log is the edge where records get their time")]
fn now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}
