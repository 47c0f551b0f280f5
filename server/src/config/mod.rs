//! Configuration: read once from the environment at start, checked whole, never read again.
//!
//! One concern a file. A wrong value stops the boot ([`error`] says how).

mod access;
mod environment;
mod error;
mod files;
mod http;
mod index;
mod logging;
mod notes;
mod page;
mod tools;
mod variable;
mod vault;

pub(crate) use access::AccessConfig;
pub(crate) use environment::Environment;
pub(crate) use error::{ConfigError, ConfigErrors};
pub(crate) use files::FileLimits;
pub(crate) use http::{HostName, HttpConfig, parse_origin};
pub(crate) use index::IndexConfig;
pub(crate) use logging::LoggingConfig;
pub(crate) use notes::NotesConfig;
pub(crate) use page::page;
pub(crate) use tools::ToolsConfig;
pub(crate) use vault::{VaultConfig, VaultFiles};

use variable::VariableGroup;

/// Every variable, in the order of the reference page.
const GROUPS: &[VariableGroup] = &[
    vault::GROUP,
    access::GROUP,
    http::GROUP,
    index::GROUP,
    tools::GROUP,
    logging::GROUP,
    notes::GROUP,
    files::GROUP,
];

/// How clients reach the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    /// Streamable HTTP, with a bearer token.
    Http,
    /// Standard input and output of this process; no token.
    Stdio,
}

/// All that `serve` needs to know.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    /// Where the vault is.
    pub(crate) vault: VaultConfig,
    /// Who may call; `None` over stdio.
    pub(crate) access: Option<AccessConfig>,
    /// Where to listen.
    pub(crate) http: HttpConfig,
    /// Where the index lies and how it ranks.
    pub(crate) index: IndexConfig,
    /// Which tools are served.
    pub(crate) tools: ToolsConfig,
    /// Folders with a meaning of their own.
    pub(crate) notes: NotesConfig,
    /// Limits of files that are not notes.
    pub(crate) files: FileLimits,
    /// What is logged, and the time zone.
    pub(crate) logging: LoggingConfig,
}

impl Config {
    /// Reads every variable.
    ///
    /// # Errors
    /// All that is wrong, not only the first.
    pub(crate) fn load(environment: &Environment, transport: Transport) -> Result<Self, ConfigErrors> {
        let mut errors = Vec::new();
        let vault = keep(&mut errors, VaultConfig::from_environment(environment));
        let access = match transport {
            Transport::Http => keep(&mut errors, AccessConfig::from_environment(environment)),
            Transport::Stdio => None,
        };
        let http = keep(&mut errors, HttpConfig::from_environment(environment));
        let index = keep(&mut errors, IndexConfig::from_environment(environment));
        let tools = keep(&mut errors, ToolsConfig::from_environment(environment));
        let logging = keep(&mut errors, LoggingConfig::from_environment(environment));
        let notes = keep(&mut errors, NotesConfig::from_environment(environment));
        let files = keep(&mut errors, FileLimits::from_environment(environment));
        match (vault, http, index, tools, notes, files, logging) {
            (Some(vault), Some(http), Some(index), Some(tools), Some(notes), Some(files), Some(logging))
                if errors.is_empty() =>
            {
                Ok(Self { vault, access, http, index, tools, notes, files, logging })
            }
            _ => Err(ConfigErrors(errors)),
        }
    }
}

fn keep<T>(errors: &mut Vec<ConfigError>, result: Result<T, ConfigError>) -> Option<T> {
    result.map_err(|error| errors.push(error)).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_mistake_is_reported_at_once() {
        let environment = Environment::of_pairs([
            ("VAULT_PATH", "/no/such/folder"),
            ("PORT", "many"),
            ("TZ", "Mars/Olympus_Mons"),
        ]);
        let text = Config::load(&environment, Transport::Http).unwrap_err().to_string();
        for name in ["VAULT_PATH", "MCP_AUTH_TOKEN", "PORT", "TZ"] {
            assert!(text.lines().any(|line| line.starts_with(name)), "{name} in {text}");
        }
    }

    #[test]
    fn stdio_needs_no_token() {
        let environment = Environment::of_pairs([("VAULT_PATH", env!("CARGO_MANIFEST_DIR"))]);
        assert!(Config::load(&environment, Transport::Stdio).is_ok());
        assert!(Config::load(&environment, Transport::Http).is_err());
    }

    #[test]
    fn the_reference_page_has_exactly_the_variables_that_are_read() {
        let environment =
            Environment::of_pairs([("VAULT_PATH", env!("CARGO_MANIFEST_DIR")), ("MCP_AUTH_TOKEN", "secret")]);
        Config::load(&environment, Transport::Http).unwrap();
        let read: BTreeSet<_> = environment.asked().into_iter().collect();
        let listed: Vec<_> =
            GROUPS.iter().flat_map(|group| group.variables.iter().map(|variable| variable.name)).collect();
        let unique: BTreeSet<_> = listed.iter().copied().collect();
        assert_eq!(unique.len(), listed.len(), "a variable is listed twice");
        assert_eq!(unique, read);
    }
}
