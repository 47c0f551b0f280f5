//! Labelled sets in the layout of BEIR.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use search::eval::measure_labelled;

use super::Common;
use crate::config::Environment;

/// Runs every query of labelled sets.
#[derive(Debug, Args)]
pub(super) struct Sets {
    /// A set (a folder with corpus.jsonl, queries.jsonl and qrels.tsv), or a folder that holds sets.
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    common: Common,
}

impl Sets {
    pub(super) fn run(&self, environment: &Environment) -> anyhow::Result<ExitCode> {
        let options = self.common.text_options(environment)?;
        let tables = self
            .folders
            .iter()
            .map(|folder| measure_labelled(folder, &options))
            .collect::<Result<Vec<_>, _>>()?;
        self.common.print(&tables)?;
        Ok(ExitCode::SUCCESS)
    }
}
