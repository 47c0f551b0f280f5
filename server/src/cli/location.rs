//! Which vault a command is about, and where its index lies.
//!
//! A vault is given as an argument, or by `VAULT_PATH`, or it is the one that was last served or indexed: so
//! that `index ~/Notes` and then `search words` is all there is to type.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use search::{Index, IndexOptions, SearchError};
use vault::{JournalOptions, Vault, VaultOptions};

use crate::config::{
    Environment, IndexConfig, JournalConfig, LoggingConfig, ToolsConfig, VaultConfig, VaultFiles,
};
use crate::logging::{self, Destination};
use crate::search_service::index_options;

/// The file that names the vault of the next command that names none.
const LAST_VAULT: &str = "last-vault";

/// A vault and its index.
pub(super) struct Location {
    /// The vault, opened.
    pub(super) vault: Vault,
    /// How its index is opened.
    pub(super) options: IndexOptions,
    /// The file of its journal of changes.
    pub(super) journal: PathBuf,
    /// How much of the journal is kept.
    pub(super) journal_options: JournalOptions,
    /// Where the command line remembers the vault it indexed last.
    memory: Option<PathBuf>,
}

impl Location {
    /// Finds the vault and its index, and starts to log warnings.
    pub(super) fn find(given: Option<&Path>, environment: &Environment) -> anyhow::Result<Self> {
        let log = LoggingConfig::from_environment(environment)?;
        let time_zone = log.time_zone.clone();
        logging::start(
            &LoggingConfig { level: tracing::Level::WARN, directory: None, ..log },
            Destination::StandardError,
        )?;
        let index = IndexConfig::from_environment(environment)?;
        let files = VaultFiles::from_environment(environment)?;
        let tools = ToolsConfig::from_environment(environment)?;
        let memory = index.data_folder().map(|folder| folder.join(LAST_VAULT));
        let path = match given {
            Some(path) => path.to_path_buf(),
            None => match VaultConfig::path_if_set(environment)?.or_else(|| remembered(memory.as_deref())) {
                Some(path) => path,
                None => bail!(
                    "which vault? Name it (--help says how), set VAULT_PATH, or run `vault-cortex index VAULT` first"
                ),
            },
        };
        let vault = Vault::open(&path, VaultOptions { allow_hard_links: files.allow_hard_links })?;
        let db_path = index.db_path_of(vault.root())?;
        let journal = JournalConfig::from_environment(environment)?;
        let (journal, journal_options) = (journal.path(vault.root(), &db_path)?, journal.options);
        let options = index_options(db_path, &index, &files, tools.files, time_zone);
        Ok(Self { vault, options, journal, journal_options, memory })
    }

    /// Opens the index beside a server that may be running on it.
    pub(super) fn open_read_only(&self) -> anyhow::Result<Index> {
        match Index::open_read_only(self.vault.clone(), self.options.clone()) {
            Err(error @ SearchError::NotBuilt { .. }) => {
                let root = self.vault.root().display();
                Err(error).with_context(|| format!("run `vault-cortex index {root}` first"))
            }
            other => Ok(other?),
        }
    }

    /// Remembers this vault for the next command that names none. Failing to is no failure.
    pub(super) fn remember(&self) {
        remember(self.memory.as_deref(), self.vault.root());
    }
}

/// Remembers the vault that is served.
pub(super) fn remember_served(index: &IndexConfig, vault: &Vault) {
    remember(index.data_folder().map(|folder| folder.join(LAST_VAULT)).as_deref(), vault.root());
}

fn remember(memory: Option<&Path>, root: &Path) {
    if let Some(memory) = memory {
        let _ = write_memory(memory, root);
    }
}

fn remembered(memory: Option<&Path>) -> Option<PathBuf> {
    let text = fs::read_to_string(memory?).ok()?;
    Some(PathBuf::from(text.trim_end_matches('\n'))).filter(|path| path.is_absolute())
}

#[expect(clippy::disallowed_methods, reason = "a file of the command line's own, outside any vault")]
fn write_memory(memory: &Path, root: &Path) -> std::io::Result<()> {
    if let Some(folder) = memory.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(memory, format!("{}\n", root.display()))
}
