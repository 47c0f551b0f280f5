//! `vault-cortex client`: the clients that the owner let in on the consent page, seen and shut out beside a
//! running server.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use clap::{Args, Subcommand};
use serde::Serialize;
use token::Right;

use super::access::{folders_in_words, names_of, open, rights_of, shown};
use super::location::Location;
use super::output::{self, printable};
use crate::config::Environment;
use crate::oauth::Connected;

/// Clients that you let in on the consent page.
///
/// Works beside a running server, with the same MCP_AUTH_TOKEN and paths; a client that is revoked is refused
/// on the next call and has to ask you again.
#[derive(Debug, Args)]
pub(super) struct Client {
    #[command(subcommand)]
    command: ClientCommand,
    /// Folder of the vault (default: VAULT_PATH, else the one served or indexed last).
    #[arg(long, global = true)]
    vault: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum ClientCommand {
    /// List the clients that are let in, the last used first.
    List(List),
    /// Shut a client out.
    Revoke(Revoke),
}

/// Lists the clients that are let in.
#[derive(Debug, Args)]
struct List {
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

/// Shuts a client out: a running server refuses it from the next call on.
#[derive(Debug, Args)]
struct Revoke {
    /// The id that `client list` shows.
    id: String,
}

/// A client of the list, as JSON.
#[derive(Serialize)]
struct Row {
    id: String,
    /// What it calls itself, which nobody checked; `null`: nothing.
    name: Option<String>,
    /// What the log and the history call it.
    client_id: String,
    rights: Vec<Right>,
    /// `null`: the whole vault.
    folders: Option<Vec<String>>,
    since: String,
    /// When it last got an access token.
    last_used: String,
    /// When it has to ask again unless it is used before.
    expires: String,
}

impl Client {
    pub(super) fn run(&self, environment: &Environment) -> anyhow::Result<ExitCode> {
        let location = Location::find(self.vault.as_deref(), environment)?;
        match &self.command {
            ClientCommand::List(command) => command.run(&location, environment)?,
            ClientCommand::Revoke(command) => command.run(&location, environment)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl List {
    fn run(&self, location: &Location, environment: &Environment) -> anyhow::Result<()> {
        let clients = open(location, environment)?.connected()?;
        if self.json {
            let rows: Vec<Row> = clients.into_iter().map(|client| row(client, location)).collect();
            output::json(&rows)?;
            return Ok(());
        }
        if clients.is_empty() {
            output::line("No client is let in.");
            return Ok(());
        }
        output::table(
            ["ID", "NAME", "CLIENT", "RIGHTS", "FOLDERS", "SINCE", "LAST USED"],
            clients.into_iter().map(|client| {
                let folders = folders_in_words(&client.limits);
                let row = row(client, location);
                [
                    row.id,
                    row.name.unwrap_or_else(|| "(unnamed)".to_owned()),
                    row.client_id,
                    names_of(&row.rights).join(","),
                    folders,
                    row.since,
                    row.last_used,
                ]
            }),
        );
        Ok(())
    }
}

impl Revoke {
    fn run(&self, location: &Location, environment: &Environment) -> anyhow::Result<()> {
        ensure!(
            open(location, environment)?.disconnect(&self.id)?,
            "no client is let in under {:?}: `vault-cortex client list` shows them",
            self.id
        );
        output::note(&printable(&format!("{} is revoked.", self.id)));
        Ok(())
    }
}

fn row(client: Connected, location: &Location) -> Row {
    Row {
        id: client.id,
        name: client.name,
        client_id: client.client_id,
        rights: rights_of(&client.limits),
        folders: client.limits.folders,
        since: shown(client.since, location),
        last_used: shown(client.last_used, location),
        expires: shown(client.until, location),
    }
}
