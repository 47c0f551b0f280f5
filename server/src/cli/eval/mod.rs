//! `vault-cortex eval`: how well search finds, in figures.

mod sets;

use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::config::Environment;

/// Measures how well search finds what it should.
#[derive(Debug, Args)]
pub(super) struct Eval {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    /// Labelled sets: queries with the documents that are right for them.
    #[command(alias = "labelled")]
    Sets(sets::Sets),
}

impl Eval {
    pub(super) fn run(&self, environment: &Environment) -> anyhow::Result<ExitCode> {
        match &self.kind {
            Kind::Sets(command) => command.run(environment),
        }
    }
}
