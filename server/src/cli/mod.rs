//! The command line.

mod access;
mod client;
mod eval;
mod healthcheck;
mod history;
mod index;
mod location;
pub(crate) mod output;
mod reference;
mod search;
mod serve;
mod status;
mod token;
mod undo;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::config::Environment;

/// Search over, and access to, an Obsidian vault for any MCP client.
///
/// Settings come from environment variables; docs/CONFIG.md lists them.
#[derive(Debug, Parser)]
#[command(name = "vault-cortex", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the vault in VAULT_PATH to MCP clients.
    Serve(serve::Serve),
    /// Index a vault once, without a server.
    Index(index::Index),
    /// Search an indexed vault from the terminal.
    Search(search::Search),
    /// Show what the index of a vault holds.
    Status(status::Status),
    /// List the changes made through the server.
    History(history::History),
    /// Take changes back.
    Undo(undo::Undo),
    /// Make, list and revoke tokens with limits.
    Token(token::Token),
    /// List and revoke the clients that you let in.
    Client(client::Client),
    /// Measure how well search finds.
    Eval(eval::Eval),
    /// Ask the server on this machine whether it is up.
    Healthcheck(healthcheck::Healthcheck),
    /// Print a page of the documentation.
    #[command(hide = true)]
    Reference(reference::Reference),
}

impl Cli {
    /// Runs the command.
    ///
    /// # Errors
    /// Why it failed, for the terminal.
    pub(crate) fn run(self, environment: &Environment) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Serve(command) => command.run(environment),
            Command::Index(command) => command.run(environment),
            Command::Search(command) => command.run(environment),
            Command::Status(command) => command.run(environment),
            Command::History(command) => command.run(environment),
            Command::Undo(command) => command.run(environment),
            Command::Token(command) => command.run(environment),
            Command::Client(command) => command.run(environment),
            Command::Eval(command) => command.run(environment),
            Command::Healthcheck(command) => command.run(environment),
            Command::Reference(command) => Ok(command.run()),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
