//! Configuration: read once from the environment at start, checked whole, never read again.
//!
//! One concern a file. A wrong value stops the boot ([`error`] says how).

mod access;
mod environment;
mod error;
mod files;
mod http;
mod index;
mod journal;
mod logging;
mod notes;
mod oauth;
mod page;
mod tools;
mod variable;
mod vault;

pub(crate) use access::AccessConfig;
pub(crate) use environment::Environment;
pub(crate) use error::{ConfigError, ConfigErrors};
pub(crate) use files::FileLimits;
pub(crate) use http::{HostName, HttpConfig, ProxyTrust, parse_origin};
pub(crate) use index::IndexConfig;
pub(crate) use journal::JournalConfig;
pub(crate) use logging::LoggingConfig;
pub(crate) use notes::NotesConfig;
pub(crate) use oauth::OauthConfig;
pub(crate) use page::page;
pub(crate) use tools::ToolsConfig;
pub(crate) use vault::{VaultConfig, VaultFiles};

use variable::VariableGroup;

/// Every variable, in the order of the reference page.
const GROUPS: &[VariableGroup] = &[
    vault::GROUP,
    access::GROUP,
    http::GROUP,
    oauth::GROUP,
    index::GROUP,
    journal::GROUP,
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
    /// The OAuth server.
    pub(crate) oauth: OauthConfig,
    /// Where the index lies and how it ranks.
    pub(crate) index: IndexConfig,
    /// Where changes are written down and how long they are kept.
    pub(crate) journal: JournalConfig,
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
        let oauth = keep(&mut errors, OauthConfig::from_environment(environment));
        let index = keep(&mut errors, IndexConfig::from_environment(environment));
        let journal = keep(&mut errors, JournalConfig::from_environment(environment));
        if let (Some(vault), Some(index)) = (&vault, &index) {
            let root = vault.path.canonicalize().unwrap_or_else(|_| vault.path.clone());
            if let (Some(index), Some(journal)) = (keep(&mut errors, index.db_path_of(&root)), &journal) {
                keep(&mut errors, journal.path(&root, &index));
                if let Some(oauth) = &oauth {
                    keep(&mut errors, oauth.db_path_of(&root, &index));
                }
            }
        }
        let tools = keep(&mut errors, ToolsConfig::from_environment(environment));
        let logging = keep(&mut errors, LoggingConfig::from_environment(environment));
        let notes = keep(&mut errors, NotesConfig::from_environment(environment));
        let files = keep(&mut errors, FileLimits::from_environment(environment));
        match (vault, http, oauth, index, journal, tools, notes, files, logging) {
            (
                Some(vault),
                Some(http),
                Some(oauth),
                Some(index),
                Some(journal),
                Some(tools),
                Some(notes),
                Some(files),
                Some(logging),
            ) if errors.is_empty() => {
                Ok(Self { vault, access, http, oauth, index, journal, tools, notes, files, logging })
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

    /// The least that `serve` starts with.
    const RIGHT: [(&str, &str); 3] =
        [("VAULT_PATH", env!("CARGO_MANIFEST_DIR")), ("MCP_AUTH_TOKEN", "secret"), ("HOME", "/home/anna")];

    /// Wrong values of every variable; none where every text is right.
    const WRONG: &[(&str, &[&str])] = &[
        ("VAULT_PATH", &["/no/such/folder", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"), ""]),
        ("ALLOW_HARD_LINKS", &["sometimes"]),
        ("WINDOWS_MODE", &["maybe", "2"]),
        ("MCP_AUTH_TOKEN", &["two words", "", "müller"]),
        ("PORT", &["eighty", "65536", "-1", "8000.0"]),
        ("HOST", &["not a host", "http://localhost", "a/b"]),
        (
            "PUBLIC_URL",
            &["example.com", "ftp://example.com", "http://example.com", "https://", "https://example.com/x"],
        ),
        ("ALLOWED_HOSTS", &["https://example.com", "a.example,b c"]),
        ("ALLOWED_ORIGINS", &["example.com"]),
        ("TRUST_FORWARDED_HOPS", &["-1", "11", "many"]),
        ("TRUST_PROXY_HOPS", &["-1", "11", "loopback"]),
        ("TRUST_FORWARDED_HEADER", &["yes"]),
        ("SERVICE_DOCUMENTATION_URL", &["docs", "ftp://example.com"]),
        ("OAUTH_DB_PATH", &[concat!(env!("CARGO_MANIFEST_DIR"), "/oauth.db"), "/tmp"]),
        ("ACCESS_TOKEN_TTL", &["6", "0s", "31d", "six hours"]),
        ("REFRESH_GRACE", &["30", "11m", "-1s"]),
        ("INDEX_DB_PATH", &[concat!(env!("CARGO_MANIFEST_DIR"), "/index.db"), "/tmp"]),
        ("JOURNAL_DIR", &[env!("CARGO_MANIFEST_DIR"), concat!(env!("CARGO_MANIFEST_DIR"), "/new/folder")]),
        ("JOURNAL_RETENTION_DAYS", &["0", "for ever"]),
        ("JOURNAL_MAX_BYTES", &["1000", "1 GiB"]),
        ("TRASH_RETENTION_DAYS", &["0", "-1"]),
        ("FTS_RANKING", &["best"]),
        ("VAULT_FTS_LANGUAGES", &["en,klingon"]),
        // Relative ones count as unset, as the XDG base directory specification says.
        ("XDG_DATA_HOME", &[]),
        ("HOME", &[]),
        ("READONLY_MODE", &["yes"]),
        ("MEMORY_ENABLED", &["2"]),
        ("FILE_TOOLS_ENABLED", &["on"]),
        ("DISABLED_TOOLS", &["vault_serch", "vault_search,nonsense"]),
        ("MAX_ANSWER_CHARS", &["0", "many"]),
        ("LOG_LEVEL", &["loud", "trace", "3"]),
        // Any text names a folder; one that cannot be written is found out when the log starts.
        ("LOG_DIR", &[]),
        ("LOG_RETENTION_DAYS", &["0", "-3", "a week"]),
        ("TZ", &["Mars/Olympus_Mons"]),
        ("MEMORY_DIR", &["../outside", "/abs"]),
        ("DAILY_NOTES_FOLDER", &["../x", "/abs"]),
        ("DAILY_NOTES_FORMAT", &["/YYYY", "YYYY/", "YYYY/../DD", "[]"]),
        ("PROTECTED_PATHS", &["A,../B", "/A"]),
        ("ORPHAN_EXCLUDE_FOLDERS", &["../A", "/A"]),
        ("MAX_FILE_BYTES", &["0", "50 MiB"]),
        ("MAX_IMAGE_OUTPUT_BYTES", &["0", "-1"]),
        ("MAX_PDF_RENDER_PAGES", &["0", "all"]),
        ("EMBEDDING_ENABLED", &["yes"]),
        ("RERANK_MODE", &["full"]),
    ];

    #[track_caller]
    fn refused(name: &str, value: &str) {
        let pairs = RIGHT.into_iter().filter(|(other, _)| *other != name).chain([(name, value)]);
        let errors = Config::load(&Environment::of_pairs(pairs), Transport::Http).unwrap_err();
        let text = errors.to_string();
        assert!(text.starts_with(name) && !text.contains('\n'), "{name}={value}: {text}");
        let accepts = GROUPS.iter().flat_map(|group| group.variables).find(|variable| variable.name == name);
        assert!(
            text.contains(accepts.unwrap().accepts),
            "{name}={value} does not say what is allowed: {text}"
        );
    }

    #[test]
    fn a_wrong_value_of_any_variable_stops_the_boot_and_says_what_is_allowed() {
        for (name, values) in WRONG {
            for value in *values {
                refused(name, value);
            }
        }
        let listed: BTreeSet<_> = WRONG.iter().map(|(name, _)| *name).collect();
        let all: BTreeSet<_> =
            GROUPS.iter().flat_map(|group| group.variables.iter().map(|variable| variable.name)).collect();
        assert_eq!(listed, all, "every variable has its row");
    }

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
        let environment =
            Environment::of_pairs([("VAULT_PATH", env!("CARGO_MANIFEST_DIR")), ("HOME", "/home/anna")]);
        assert!(Config::load(&environment, Transport::Stdio).is_ok());
        assert!(Config::load(&environment, Transport::Http).is_err());
    }

    #[test]
    fn the_reference_page_has_exactly_the_variables_that_are_read() {
        let environment = Environment::of_pairs(RIGHT);
        Config::load(&environment, Transport::Http).unwrap();
        let read: BTreeSet<_> = environment.asked().into_iter().collect();
        let listed: Vec<_> =
            GROUPS.iter().flat_map(|group| group.variables.iter().map(|variable| variable.name)).collect();
        let unique: BTreeSet<_> = listed.iter().copied().collect();
        assert_eq!(unique.len(), listed.len(), "a variable is listed twice");
        assert_eq!(unique, read);
    }
}
