//! Vault Cortex: search over, and access to, an Obsidian vault for any MCP client.
//!
//! One binary: the server, its index and the command line. `main` reads the command line and hands
//! over; what each command does stands in `cli/`.

mod app;
mod changes;
mod cli;
mod config;
mod glob;
mod http;
mod logging;
mod mcp;
mod memory_start;
mod oauth;
mod search_service;
mod write_service;

use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::Cli;
use crate::config::Environment;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let environment = Environment::of_process();
    match cli.run(&environment) {
        Ok(code) => code,
        Err(error) => {
            cli::output::error(&error);
            ExitCode::FAILURE
        }
    }
}
