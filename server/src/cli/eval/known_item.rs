//! Known items of a vault, searched by the index and by grep.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use search::Index;
use search::eval::{IndexSearcher, KnownItemOptions, KnownNote, measure_known_items};
use vault::Principal;

use super::Common;
use crate::cli::location::Location;
use crate::cli::output;
use crate::config::Environment;

/// Makes queries from the words of notes and asks the index and grep for those notes.
///
/// Nothing is written into the vault or next to it: the index of the measurement is thrown away.
#[derive(Debug, Args)]
pub(super) struct KnownItem {
    /// Folder of the vault (default: VAULT_PATH, else the one served or indexed last).
    vault: Option<PathBuf>,
    /// Most queries of each kind.
    #[arg(long, default_value_t = 100)]
    queries: usize,
    /// Where chance begins: the same seed and vault give the same queries.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Paths that are no targets, with * for anything: hub pages, templates. May be repeated.
    #[arg(long, value_name = "PATTERN")]
    skip: Vec<String>,
    #[command(flatten)]
    common: Common,
}

impl KnownItem {
    pub(super) fn run(&self, environment: &Environment) -> anyhow::Result<ExitCode> {
        let text = self.common.text_options(environment)?;
        let location = Location::find(self.vault.as_deref(), environment)?;
        let folder = tempfile::tempdir()?;
        let mut options = location.options.clone();
        options.db_path = folder.path().join("index.db");
        options.text = text.clone();
        let index = Index::open(location.vault.clone(), options)?;
        let summary = index.reconcile(&|_| {})?;
        output::note(&format!("{} notes indexed in {:.2} s", summary.notes, summary.duration.as_secs_f64()));
        let notes = KnownNote::all(&location.vault)?;
        let options = KnownItemOptions {
            per_kind: self.queries,
            seed: self.seed,
            languages: text.languages,
            skip: self.skip.clone(),
        };
        let searcher = IndexSearcher::new(&index, Principal::owner("command-line"));
        let tables = measure_known_items(&notes, &options, &[("vault_fts_search", &searcher)])?;
        self.common.print(&tables)?;
        index.close();
        Ok(ExitCode::SUCCESS)
    }
}
