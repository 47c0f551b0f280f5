//! `vault-cortex reference`: the pages of `docs/` that are printed from the code.

use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::output;
use crate::{config, mcp};

/// Prints a page of the documentation.
#[derive(Debug, Args)]
pub(super) struct Reference {
    /// Which page.
    page: Page,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Page {
    /// docs/CONFIG.md.
    Config,
    /// docs/TOOLS.md.
    Tools,
}

impl Reference {
    pub(super) fn run(&self) -> ExitCode {
        output::page(&match self.page {
            Page::Config => config::page(),
            Page::Tools => mcp::page(),
        });
        ExitCode::SUCCESS
    }
}
