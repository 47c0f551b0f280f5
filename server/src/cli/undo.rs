//! `vault-cortex undo`: taking changes back from the terminal.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;
use vault::{
    Caller, Change, ChangeId, ChangeListener, Journal, LinkSource, ListenerError, Principal, UndoOptions,
    Undone, VaultPath, Writer, WriterOptions,
};

use super::history::time;
use super::location::Location;
use super::output::{self, printable};
use crate::app;
use crate::config::Environment;

/// Takes back a change made through the server, or all changes of a principal since a time.
///
/// Works beside a running server. `vault-cortex history` shows the changes. The undo is a change itself, and
/// can be undone.
#[derive(Debug, Args)]
pub(super) struct Undo {
    /// Number of the change; a move goes back with the links rewritten for it.
    #[arg(required_unless_present = "by", conflicts_with_all = ["by", "since"])]
    change: Option<i64>,
    /// Take back every change of the call that this one was part of.
    #[arg(long, requires = "change")]
    whole_call: bool,
    /// Take back every change by this principal since --since.
    #[arg(long, value_name = "PRINCIPAL", requires = "since")]
    by: Option<String>,
    /// The day or time (TZ) for --by, such as 2026-01-15 or 2026-01-15T09:30.
    #[arg(long, value_name = "TIME", requires = "by")]
    since: Option<String>,
    /// Where a note has changed since, keep that as well, merging line by line.
    #[arg(long)]
    merge: bool,
    /// Show what would change, and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Folder of the vault (default: VAULT_PATH, else the one served or indexed last).
    #[arg(long)]
    vault: Option<PathBuf>,
    /// Print the outcome as JSON.
    #[arg(long)]
    json: bool,
}

/// What was taken back, as JSON.
#[derive(Serialize)]
struct Outcome {
    undone: Vec<i64>,
    files: Vec<File>,
    dry_run: bool,
}

#[derive(Serialize)]
struct File {
    path: String,
    hash: Option<String>,
    change: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

impl Undo {
    pub(super) fn run(&self, environment: &Environment) -> anyhow::Result<ExitCode> {
        let location = Location::find(self.vault.as_deref(), environment)?;
        let what = match (self.change, &self.by, time(&location, "--since", self.since.as_deref())?) {
            (Some(change), ..) if self.whole_call => vault::Undo::Call(ChangeId(change)),
            (Some(change), ..) => vault::Undo::Change(ChangeId(change)),
            (None, Some(principal), Some(since)) => {
                vault::Undo::Since { principal: principal.clone(), since }
            }
            _ => anyhow::bail!("give the number of a change, or --by and --since"),
        };
        anyhow::ensure!(
            location.journal.is_file(),
            "there is no journal yet: nothing was changed through the server"
        );
        let writer = open(&location)?;
        let owner = Principal::owner("command-line");
        let options = UndoOptions { dry_run: self.dry_run, merge: self.merge };
        let undone = writer.undo(Caller { who: &owner, tool: "undo" }, &what, options);
        let undone = undone.map_err(|error| match error {
            vault::WriteError::UndoConflict { mergeable: true, .. } => {
                anyhow::Error::from(error).context("--merge keeps what came later")
            }
            error => error.into(),
        })?;
        self.tell(&undone)?;
        Ok(ExitCode::SUCCESS)
    }

    fn tell(&self, undone: &Undone) -> anyhow::Result<()> {
        let files = undone.written.iter().map(|written| File {
            path: written.path.as_str().to_owned(),
            hash: written.after.map(|hash| hash.to_string()),
            change: written.change.map(|change| change.0),
            diff: written.diff.clone(),
        });
        let outcome = Outcome {
            undone: undone.changes.iter().map(|change| change.0).collect(),
            files: files.collect(),
            dry_run: self.dry_run,
        };
        if self.json {
            output::json(&outcome)?;
            return Ok(());
        }
        for file in &outcome.files {
            let verb = match (self.dry_run, &file.hash) {
                (true, _) => "would change",
                (false, None) => "removed",
                (false, Some(_)) => "restored",
            };
            output::line(&printable(&format!("{verb} {}", file.path)));
            for line in file.diff.iter().flat_map(|diff| diff.lines()) {
                output::line(&printable(line));
            }
        }
        Ok(())
    }
}

fn open(location: &Location) -> anyhow::Result<Writer> {
    let journal = Journal::open(&location.journal, location.journal_options)
        .with_context(|| format!("the journal {}", location.journal.display()))?;
    let nobody = Arc::new(Nobody);
    let told: Arc<dyn ChangeListener> = Arc::clone(&nobody) as _;
    let options = WriterOptions::new(Arc::new(app::now));
    Ok(Writer::open(location.vault.clone(), journal, told, nobody, options)?)
}

/// The index is not told: a running server sees the change as it sees any made outside, and one that starts
/// later looks the vault over.
struct Nobody;

impl ChangeListener for Nobody {
    fn changed(&self, _changes: &[Change]) -> Result<(), ListenerError> {
        Ok(())
    }
}

impl LinkSource for Nobody {
    fn backlinks(&self, _path: &VaultPath) -> Result<Vec<VaultPath>, ListenerError> {
        Ok(Vec::new())
    }
}
