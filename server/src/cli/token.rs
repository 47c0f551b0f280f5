//! `vault-cortex token`: tokens that may do less than the owner's, made and revoked beside a running server.
//!
//! A token is signed with `MCP_AUTH_TOKEN` for `PUBLIC_URL`, so both must be what the server has. It is printed
//! once and stored nowhere; the server's file knows its name, its limits and whether it lives.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;
use token::{AccessKey, Claims, Limits, PublicOrigin, Right};
use vault::VaultPath;

use super::access::{folders_in_words, names_of, open, rights_of, shown};
use super::location::Location;
use super::output::{self, printable};
use crate::app::now;
use crate::config::{AccessConfig, Environment, HttpConfig};
use crate::oauth::{LimitedToken, ListedToken};

/// Tokens with limits, for clients that must not do everything.
///
/// Works beside a running server, with the same MCP_AUTH_TOKEN, PUBLIC_URL and paths; what is revoked is
/// refused on the next call. Replacing MCP_AUTH_TOKEN ends every token.
#[derive(Debug, Args)]
pub(super) struct Token {
    #[command(subcommand)]
    command: TokenCommand,
    /// Folder of the vault (default: VAULT_PATH, else the one served or indexed last).
    #[arg(long, global = true)]
    vault: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum TokenCommand {
    /// Make a token and print it, once.
    Create(Create),
    /// List the tokens that were made.
    List(List),
    /// End a token.
    Revoke(Revoke),
}

/// Makes a token and prints it, and nothing else, on standard output.
#[derive(Debug, Args)]
struct Create {
    /// Its name, in lists, logs and the history: up to 64 letters, digits and -_.
    #[arg(long)]
    name: String,
    /// May read and search, and change nothing: the same as --rights read.
    #[arg(long, conflicts_with = "rights")]
    read_only: bool,
    /// What it may do.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "read,write,delete")]
    rights: Vec<RightName>,
    /// A folder that it sees, with all that lies in it; repeat for more. Without any it sees the whole vault.
    #[arg(long = "folder", value_name = "FOLDER", num_args = 1..)]
    folders: Vec<String>,
    /// How long it is valid: a number with h, d, w or y, or `never`.
    #[arg(long, value_name = "TIME", default_value = "90d")]
    expires: String,
}

/// Lists tokens: those in use first, then what expired, was revoked or ended with an earlier MCP_AUTH_TOKEN
/// in the last 90 days.
#[derive(Debug, Args)]
struct List {
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

/// Ends a token. A running server refuses it from the next call on.
#[derive(Debug, Args)]
struct Revoke {
    /// Its name.
    name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RightName {
    /// Read and search.
    Read,
    /// Create and change notes.
    Write,
    /// Delete notes.
    Delete,
}

/// A token of the list, as JSON.
#[derive(Serialize)]
struct Row {
    name: String,
    state: &'static str,
    rights: Vec<Right>,
    /// `null`: the whole vault.
    folders: Option<Vec<String>>,
    created: String,
    /// `null`: it does not expire.
    expires: Option<String>,
    revoked: Option<String>,
}

/// `exp` of a token that does not expire: the last second of the year 9999.
const NEVER: u64 = 253_402_300_799;

/// The longest time that is not `never`.
const MOST_HOURS: u64 = 10 * 365 * 24;

/// Names of callers that are no limited tokens.
const RESERVED: [&str; 4] = ["static-token", "stdio", "command-line", "server"];

impl Token {
    pub(super) fn run(&self, environment: &Environment) -> anyhow::Result<ExitCode> {
        let location = Location::find(self.vault.as_deref(), environment)?;
        match &self.command {
            TokenCommand::Create(command) => command.run(&location, environment)?,
            TokenCommand::List(command) => command.run(&location, environment)?,
            TokenCommand::Revoke(command) => command.run(&location, environment)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Create {
    fn run(&self, location: &Location, environment: &Environment) -> anyhow::Result<()> {
        check_name(&self.name)?;
        let limits = self.limits(location)?;
        let created_at = now().as_second();
        let issued_at = u64::try_from(created_at).context("the clock is before 1970")?;
        let expires_at = expiry(&self.expires, issued_at)?;
        let key = AccessKey::new(&AccessConfig::from_environment(environment)?.token, &origin(environment)?)?;
        let store = open(location, environment)?;
        let id = store.new_token_id()?;
        let mut claims = Claims::new(self.name.as_str(), issued_at, expires_at.unwrap_or(NEVER));
        claims.id = Some(id.clone());
        claims.limits = limits.clone();
        // Signed first: what cannot be signed leaves no row behind.
        let signed = key.sign(&claims)?;
        let row = LimitedToken {
            id,
            name: self.name.clone(),
            limits,
            created_at,
            expires_at: expires_at.map(i64::try_from).transpose()?,
        };
        let (rights, folders) = (rights_in_words(&row.limits), folders_in_words(&row.limits));
        ensure!(
            store.add_limited(&row)?,
            "there is a token {:?} already: revoke it first, or choose another name",
            self.name
        );
        output::line(signed.expose());
        let until = row
            .expires_at
            .map_or("until it is revoked".to_owned(), |end| format!("until {}", shown(end, location)));
        output::note(&printable(&format!(
            "{} may {rights} in {folders} {until}. It is not shown again.",
            self.name
        )));
        Ok(())
    }

    fn limits(&self, location: &Location) -> anyhow::Result<Limits> {
        let mut rights: Vec<Right> = if self.read_only {
            vec![Right::Read]
        } else {
            self.rights.iter().map(|right| right.claim()).collect()
        };
        rights.sort_unstable();
        rights.dedup();
        ensure!(rights.contains(&Right::Read), "--rights must include read: what is changed is shown");
        let mut folders = Vec::new();
        for given in &self.folders {
            let Some(folder) = VaultPath::parse_folder(given).with_context(|| format!("--folder {given}"))?
            else {
                bail!("--folder {given} is the whole vault: leave --folder out to allow that");
            };
            // A folder may come later; a slip of the pen is more likely.
            if location.vault.real_folder(&folder).is_err() {
                output::note(&printable(&format!(
                    "There is no folder {:?} in the vault yet.",
                    folder.as_str()
                )));
            }
            if !folders.iter().any(|other: &VaultPath| other.key() == folder.key()) {
                folders.push(folder);
            }
        }
        let folders: Vec<String> = folders.iter().map(|folder| folder.as_str().to_owned()).collect();
        Ok(Limits { rights: Some(rights), folders: (!folders.is_empty()).then_some(folders) })
    }
}

impl RightName {
    fn claim(self) -> Right {
        match self {
            Self::Read => Right::Read,
            Self::Write => Right::Write,
            Self::Delete => Right::Delete,
        }
    }
}

impl List {
    fn run(&self, location: &Location, environment: &Environment) -> anyhow::Result<()> {
        let tokens = open(location, environment)?.list_limited()?;
        let rows: Vec<Row> = tokens.into_iter().map(|token| row(token, location)).collect();
        if self.json {
            output::json(&rows)?;
            return Ok(());
        }
        if rows.is_empty() {
            output::line("No tokens were made.");
            return Ok(());
        }
        output::table(
            ["NAME", "STATE", "RIGHTS", "FOLDERS", "CREATED", "EXPIRES"],
            rows.into_iter().map(|row| {
                [
                    row.name,
                    row.state.to_owned(),
                    names_of(&row.rights).join(","),
                    row.folders.map_or("the whole vault".to_owned(), |folders| folders.join(", ")),
                    row.created,
                    row.expires.unwrap_or_else(|| "never".to_owned()),
                ]
            }),
        );
        Ok(())
    }
}

impl Revoke {
    fn run(&self, location: &Location, environment: &Environment) -> anyhow::Result<()> {
        ensure!(
            open(location, environment)?.revoke_limited(&self.name)?,
            "there is no token {:?} in use: `vault-cortex token list` shows them",
            self.name
        );
        output::note(&printable(&format!("{} is revoked.", self.name)));
        Ok(())
    }
}

fn row(listed: ListedToken, location: &Location) -> Row {
    let state = match (&listed.revoked_at, listed.is_living(now())) {
        (_, true) => "in use",
        _ if listed.is_of_other_key => "ended",
        (Some(revoked), false) if listed.token.expires_at.is_none_or(|end| *revoked < end) => "revoked",
        _ => "expired",
    };
    Row {
        state,
        name: listed.token.name,
        rights: rights_of(&listed.token.limits),
        folders: listed.token.limits.folders,
        created: shown(listed.token.created_at, location),
        expires: listed.token.expires_at.map(|end| shown(end, location)),
        revoked: listed.revoked_at.map(|end| shown(end, location)),
    }
}

/// The origin that the server has for `PUBLIC_URL`.
fn origin(environment: &Environment) -> anyhow::Result<PublicOrigin> {
    let http = HttpConfig::from_environment(environment)?;
    Ok(http.public_url.origin(http.port)?)
}

fn rights_in_words(limits: &Limits) -> String {
    names_of(limits.rights.as_deref().unwrap_or_default()).join(", ")
}

fn check_name(name: &str) -> anyhow::Result<()> {
    let usable = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    ensure!(
        !name.is_empty() && name.chars().count() <= 64 && name.chars().all(usable),
        "--name {name:?}: take up to 64 letters, digits and -_."
    );
    ensure!(!RESERVED.contains(&name), "--name {name:?} is what the history calls somebody else");
    Ok(())
}

/// When a token made at `from` expires, in seconds since 1970; `None` for `never`.
fn expiry(text: &str, from: u64) -> anyhow::Result<Option<u64>> {
    if text.eq_ignore_ascii_case("never") {
        return Ok(None);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let hours = match unit {
        "h" => 1,
        "d" => 24,
        "w" => 7 * 24,
        "y" => 365 * 24,
        _ => 0,
    };
    let hours = number.parse::<u64>().ok().and_then(|number| number.checked_mul(hours));
    match hours.filter(|hours| (1..=MOST_HOURS).contains(hours)) {
        Some(hours) => Ok(Some(from.saturating_add(hours * 60 * 60))),
        None => bail!("--expires {text:?}: take a number with h, d, w or y, up to 10y, or never"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn expires(text: &str, expected: Option<u64>) {
        assert_eq!(expiry(text, 100).unwrap(), expected, "{text}");
    }

    #[test]
    fn times_to_expire() {
        expires("1h", Some(100 + 3_600));
        expires("90d", Some(100 + 90 * 86_400));
        expires("2w", Some(100 + 14 * 86_400));
        expires("10y", Some(100 + 3_650 * 86_400));
        expires("never", None);
        for wrong in
            ["", "90", "d", "0d", "-1d", "1.5d", "90 d", "11y", "1m", "99999999999999999999d", "9d9d"]
        {
            assert!(expiry(wrong, 100).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_are_short_and_nobody_elses() {
        for right in ["phone", "Annas-Handy", "ci.2", "日本語", "a_b"] {
            check_name(right).unwrap();
        }
        for wrong in ["", "a b", "a/b", "x\n", "static-token", "stdio", "https://a.example", &"x".repeat(65)]
        {
            assert!(check_name(wrong).is_err(), "{wrong:?}");
        }
    }
}
