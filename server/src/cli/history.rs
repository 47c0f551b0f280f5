//! `vault-cortex history`: the journal of changes, on the terminal.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use jiff::Timestamp;
use serde::Serialize;
use vault::{ChangeId, HistoryFilter, Journal, Principal, VaultPath};

use super::location::Location;
use super::output::{self, printable};
use crate::changes::{ChangeRow, TIMES, parse_time};
use crate::config::Environment;

/// Lists the changes made through the server, newest first, or shows one.
///
/// Works beside a running server.
#[derive(Debug, Args)]
pub(super) struct History {
    /// Only changes of this note, or of the notes in this folder.
    path: Option<String>,
    /// Show this change as a unified diff.
    #[arg(long, value_name = "CHANGE", conflicts_with_all = ["path", "by", "since", "until", "limit"])]
    diff: Option<i64>,
    /// Only changes by this principal, written as the list shows it.
    #[arg(long, value_name = "PRINCIPAL")]
    by: Option<String>,
    /// Only changes since this day or time (TZ), such as 2026-01-15 or 2026-01-15T09:30.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Only changes before this day or time.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Most changes.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    limit: u16,
    /// Also changes that were not made in the end.
    #[arg(long)]
    aborted: bool,
    /// Folder of the vault (default: VAULT_PATH, else the one served or indexed last).
    #[arg(long)]
    vault: Option<PathBuf>,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

/// The list as JSON.
#[derive(Serialize)]
struct List {
    changes: Vec<ChangeRow>,
    total: usize,
}

impl History {
    pub(super) fn run(&self, environment: &Environment) -> anyhow::Result<ExitCode> {
        let location = Location::find(self.vault.as_deref(), environment)?;
        let path = self.path.as_deref().map(VaultPath::parse_folder).transpose()?.flatten();
        let since = time(&location, "--since", self.since.as_deref())?;
        let until = time(&location, "--until", self.until.as_deref())?;
        if !location.journal.is_file() {
            anyhow::ensure!(
                self.diff.is_none(),
                "there is no journal yet: nothing was changed through the server"
            );
            if self.json {
                output::json(&List { changes: Vec::new(), total: 0 })?;
            } else {
                output::line("Nothing was changed through the server yet.");
            }
            return Ok(ExitCode::SUCCESS);
        }
        let journal = Journal::open_read_only(&location.journal)
            .with_context(|| format!("the journal {}", location.journal.display()))?;
        let owner = Principal::owner("command-line");
        if let Some(change) = self.diff {
            return self.show(&location, &journal, &owner, change);
        }
        let filter = HistoryFilter {
            path,
            principal: self.by.clone(),
            since,
            until,
            limit: self.limit.into(),
            aborted: self.aborted,
            ..HistoryFilter::default()
        };
        let page = journal.history(&owner, &filter)?;
        let rows = page.changes.iter().map(|record| ChangeRow::of(record, &location.options.time_zone));
        let list = List { changes: rows.collect(), total: page.total };
        if self.json {
            output::json(&list)?;
            return Ok(ExitCode::SUCCESS);
        }
        for row in &list.changes {
            output::line(&printable(&describe(row)));
        }
        let rest = list.total - list.changes.len();
        if list.total == 0 {
            output::line("No such changes.");
        } else if rest > 0 {
            output::note(&format!("{rest} more: --limit {} shows all", list.total));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn show(
        &self,
        location: &Location,
        journal: &Journal,
        owner: &Principal,
        change: i64,
    ) -> anyhow::Result<ExitCode> {
        #[derive(Serialize)]
        struct Shown {
            #[serde(flatten)]
            row: ChangeRow,
            diff: String,
        }
        let (record, diff) = journal.diff(owner, ChangeId(change))?;
        let row = ChangeRow::of(&record, &location.options.time_zone);
        if self.json {
            output::json(&Shown { row, diff })?;
            return Ok(ExitCode::SUCCESS);
        }
        output::line(&printable(&describe(&row)));
        for line in diff.lines() {
            output::line(&printable(line));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A moment as it was typed.
pub(super) fn time(
    location: &Location,
    option: &str,
    text: Option<&str>,
) -> anyhow::Result<Option<Timestamp>> {
    let Some(text) = text else { return Ok(None) };
    let time = parse_time(text, &location.options.time_zone);
    time.map(Some).with_context(|| format!("{option} takes {TIMES}, not {text:?}"))
}

/// A change in one line.
fn describe(row: &ChangeRow) -> String {
    let whither = row.new_path.as_ref().map(|path| format!(" -> {path}")).unwrap_or_default();
    let undone = row.undone_by.map(|by| format!(" (undone by {by})")).unwrap_or_default();
    let state = row.state.map(|state| format!(" ({state})")).unwrap_or_default();
    format!(
        "{:>6}  {}  {:<6}  {}{whither}  {} by {}  {}{undone}{state}",
        row.change, row.at, row.kind, row.path, row.tool, row.principal, row.summary
    )
}
