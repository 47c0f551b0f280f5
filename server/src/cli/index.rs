//! `vault-cortex index`: makes the index equal to the vault, once.

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use search::{Index as SearchIndex, Problem, Progress, ReconcileSummary, SearchError};
use vault::Principal;

use super::location::Location;
use super::output;
use crate::config::Environment;

/// Indexes a vault: what is new or changed is read, what is gone is removed.
///
/// A note that cannot be read as it should be does not stop it; the summary names it.
#[derive(Debug, Args)]
pub(super) struct Index {
    /// Folder of the vault (default: VAULT_PATH, else the one served or indexed last).
    vault: Option<PathBuf>,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

/// The most problems that the summary names.
const MOST_NAMED: usize = 20;

impl Index {
    pub(super) fn run(&self, environment: &Environment) -> anyhow::Result<ExitCode> {
        let location = Location::find(self.vault.as_deref(), environment)?;
        let index = match SearchIndex::open(location.vault.clone(), location.options.clone()) {
            Ok(index) => index,
            Err(SearchError::InUse(_)) => {
                bail!("a running server holds this index and keeps it current by itself; nothing to do here")
            }
            Err(error) => return Err(error.into()),
        };
        let display = Display::new();
        let outcome = index.reconcile(&|progress| display.show(progress));
        display.finish();
        let summary = outcome?;
        let status = index.status(&Principal::owner("command-line"))?;
        index.close();
        location.remember();
        if self.json {
            output::json(&summary)?;
        } else {
            output::line(&describe(&summary));
            name_problems(&status.problems);
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn describe(summary: &ReconcileSummary) -> String {
    format!(
        "{} notes and {} other files: {} indexed, {} unchanged, {} removed, {} skipped, {} with problems; {:.2} s",
        summary.notes,
        summary.files.saturating_sub(summary.notes),
        summary.indexed,
        summary.unchanged,
        summary.removed,
        summary.skipped,
        summary.problems,
        summary.duration.as_secs_f64(),
    )
}

fn name_problems(problems: &[Problem]) {
    for problem in problems.iter().take(MOST_NAMED) {
        let line = format!("  {}: {}", problem.path, problem.message);
        output::line(&output::printable(&line));
    }
    if problems.len() > MOST_NAMED {
        output::line(&format!("  and {} more: see `vault-cortex status`", problems.len() - MOST_NAMED));
    }
}

/// Progress on standard error: a bar on a terminal, now and then a line elsewhere.
enum Display {
    Bar(ProgressBar),
    Lines(RefCell<Instant>),
}

impl Display {
    fn new() -> Self {
        if !output::shows_progress() {
            return Self::Lines(RefCell::new(Instant::now()));
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        // The template is a constant: it cannot be wrong at run time, and a plain bar would do too.
        if let Ok(style) = ProgressStyle::with_template("{spinner} [{bar:32}] {pos}/{len} files  {elapsed}") {
            bar.set_style(style.progress_chars("=> "));
        }
        Self::Bar(bar)
    }

    fn show(&self, progress: Progress) {
        match self {
            Self::Bar(bar) => {
                bar.set_length(progress.total);
                bar.set_position(progress.done);
            }
            Self::Lines(last) => {
                if last.borrow().elapsed() >= Duration::from_secs(2) {
                    *last.borrow_mut() = Instant::now();
                    output::note(&format!("indexing: {} of {} files", progress.done, progress.total));
                }
            }
        }
    }

    fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
