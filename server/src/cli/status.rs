//! `vault-cortex status`: what the index holds.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use search::{Status as IndexStatus, WatcherState};
use vault::Principal;

use super::location::Location;
use super::output;
use crate::config::Environment;

/// Shows what the index of a vault holds, and which files it could not read as it should.
#[derive(Debug, Args)]
pub(super) struct Status {
    /// Folder of the vault (default: VAULT_PATH, else the one served or indexed last).
    vault: Option<PathBuf>,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

impl Status {
    pub(super) fn run(&self, environment: &Environment) -> anyhow::Result<ExitCode> {
        let location = Location::find(self.vault.as_deref(), environment)?;
        let index = location.open_read_only()?;
        let status = index.status(&Principal::owner("command-line"))?;
        if self.json {
            output::json(&status)?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut lines = vec![
            format!("vault    {}", location.vault.root().display()),
            format!("index    {}", location.options.db_path.display()),
        ];
        lines.extend(describe(&status));
        for line in lines {
            output::line(&output::printable(&line));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn describe(status: &IndexStatus) -> Vec<String> {
    let mut lines = vec![
        format!("size     {:.1} MB", megabytes(status.database_bytes)),
        format!("notes    {}", status.notes),
        format!("files    {}", status.files),
        format!("links    {} ({} unresolved)", status.links, status.unresolved_links),
        format!("tags     {}", status.tags),
        format!("words    {}", status.terms),
    ];
    if let Some(progress) = status.indexing {
        lines.push(format!("indexing {} of {} files", progress.done, progress.total));
    }
    if let WatcherState::Polling { interval_seconds, reason } = &status.watcher {
        lines.push(format!("watcher  looks every {interval_seconds} s: {reason}"));
    }
    if !status.problems.is_empty() {
        lines.push(format!("{} files indexed only in part:", status.problems.len()));
        lines
            .extend(status.problems.iter().map(|problem| format!("  {}: {}", problem.path, problem.message)));
    }
    if !status.skipped.is_empty() {
        lines.push(format!("{} paths kept out by rules:", status.skipped.len()));
        lines.extend(status.skipped.iter().map(|skipped| format!("  {}: {}", skipped.path, skipped.reason)));
    }
    lines
}

#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1_000_000.0
}
