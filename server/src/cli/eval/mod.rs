//! `vault-cortex eval`: how well search finds, in figures.

mod known_item;
mod sets;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use search::eval::Table;
use search::text::{Language, TextOptions};

use super::output;
use crate::config::{Environment, IndexConfig};

/// Measures how well search finds what it should, and prints Markdown tables.
#[derive(Debug, Args)]
pub(super) struct Eval {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    /// Labelled sets: queries with the documents that are right for them.
    Sets(sets::Sets),
    /// A vault of one's own: every query is made of words of a note, which must be found.
    KnownItem(known_item::KnownItem),
}

/// What both kinds of measurement take.
#[derive(Debug, Args)]
struct Common {
    /// Languages whose word forms match (default: VAULT_FTS_LANGUAGES, else en).
    #[arg(long)]
    languages: Option<String>,
    /// Print the figures as JSON.
    #[arg(long)]
    json: bool,
}

impl Eval {
    pub(super) fn run(&self, environment: &Environment) -> anyhow::Result<ExitCode> {
        match &self.kind {
            Kind::Sets(command) => command.run(environment),
            Kind::KnownItem(command) => command.run(environment),
        }
    }
}

impl Common {
    /// Languages and ranking, by the options and the environment.
    fn text_options(&self, environment: &Environment) -> anyhow::Result<TextOptions> {
        let mut options = IndexConfig::from_environment(environment)?.text;
        if let Some(languages) = &self.languages {
            options.languages = Language::parse_list(languages)?;
        }
        Ok(options)
    }

    fn print(&self, tables: &[Table]) -> anyhow::Result<()> {
        if self.json {
            let tables: Vec<_> = tables.iter().map(Table::json).collect();
            output::json(&tables)?;
        } else {
            output::page(&tables.iter().map(Table::markdown).collect::<Vec<_>>().join("\n"));
        }
        Ok(())
    }
}
