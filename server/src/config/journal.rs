//! The journal of changes, and how long what was deleted is kept.

use std::path::{Path, PathBuf};

use vault::JournalOptions;

use super::environment::Environment;
use super::error::ConfigError;
use super::index::real_location;
use super::variable::{DefaultValue, Stage, Variable, VariableGroup};

const JOURNAL_DIR: Variable = Variable {
    name: "JOURNAL_DIR",
    default: DefaultValue::Found("the folder of `INDEX_DB_PATH`"),
    accepts: "the path of a folder outside the vault; it is made when it is missing",
    effect: "Where the journal of changes lies (`journal.db`): who changed which note when, with the \
             contents before and after, for vault_history and vault_undo. Back it up: unlike the index it \
             cannot be made anew.",
    stage: Stage::Effective,
};
const JOURNAL_RETENTION_DAYS: Variable = Variable {
    name: "JOURNAL_RETENTION_DAYS",
    default: DefaultValue::Text("90"),
    accepts: "a whole number of days from 1 to 36500",
    effect: "How long a change can be looked at and undone.",
    stage: Stage::Effective,
};
const JOURNAL_MAX_BYTES: Variable = Variable {
    name: "JOURNAL_MAX_BYTES",
    default: DefaultValue::Text("1073741824"),
    accepts: "a whole number of bytes from 1048576 up",
    effect: "The most that the journal's copies take on disk; the oldest calls are dropped beyond it, never the newest.",
    stage: Stage::Effective,
};
const TRASH_RETENTION_DAYS: Variable = Variable {
    name: "TRASH_RETENTION_DAYS",
    default: DefaultValue::Text("30"),
    accepts: "a whole number of days from 1 to 36500",
    effect: "When Obsidian is set to the system trash, deleted notes go to `.trash`, and those that this \
             server put there are removed after so many days. What anybody else put there stays.",
    stage: Stage::Effective,
};

/// The variables of this concern.
pub(crate) const GROUP: VariableGroup = VariableGroup {
    title: "Journal and trash",
    variables: &[JOURNAL_DIR, JOURNAL_RETENTION_DAYS, JOURNAL_MAX_BYTES, TRASH_RETENTION_DAYS],
};

/// Where changes are written down and how long they are kept.
#[derive(Debug, Clone)]
pub(crate) struct JournalConfig {
    /// `JOURNAL_DIR`, default the folder of the index.
    folder: Option<PathBuf>,
    /// `JOURNAL_RETENTION_DAYS`, default 90, and `JOURNAL_MAX_BYTES`, default 1 GiB.
    pub(crate) options: JournalOptions,
    /// `TRASH_RETENTION_DAYS`, default 30.
    pub(crate) trash_retention_days: u32,
}

impl JournalConfig {
    /// Reads and checks the variables.
    pub(crate) fn from_environment(environment: &Environment) -> Result<Self, ConfigError> {
        let days = |variable| environment.integer(variable, 1..=36_500);
        let days = |variable| days(variable).map(|days| u32::try_from(days).unwrap_or(u32::MAX));
        Ok(Self {
            folder: environment.text(&JOURNAL_DIR)?.map(PathBuf::from),
            options: JournalOptions {
                retention_days: days(&JOURNAL_RETENTION_DAYS)?,
                max_bytes: environment.integer(&JOURNAL_MAX_BYTES, 1_048_576..=u64::MAX)?,
            },
            trash_retention_days: days(&TRASH_RETENTION_DAYS)?,
        })
    }

    /// The journal's file. `vault` is the vault's canonical root, `index` the index file.
    ///
    /// # Errors
    /// When it would lie inside the vault, or its folder is a file.
    pub(crate) fn path(&self, vault: &Path, index: &Path) -> Result<PathBuf, ConfigError> {
        let beside = || index.parent().map(Path::to_path_buf).unwrap_or_default();
        let folder = self.folder.clone().unwrap_or_else(beside);
        let refused =
            |reason| Err(ConfigError::invalid_because(&JOURNAL_DIR, &folder.to_string_lossy(), reason));
        if real_location(&folder).starts_with(vault) {
            return refused("it lies inside the vault");
        }
        // Beside an index that cannot be made, reading goes on: the journal then says so when it is opened.
        if self.folder.is_some() && folder.is_file() {
            return refused("it is a file");
        }
        Ok(folder.join("journal.db"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(pairs: &[(&str, &str)]) -> JournalConfig {
        JournalConfig::from_environment(&Environment::of_pairs(pairs.iter().copied())).unwrap()
    }

    #[test]
    fn the_journal_lies_beside_the_index_unless_told_and_never_in_the_vault() {
        let (vault, index) = (Path::new("/vault"), Path::new("/data/index.db"));
        assert_eq!(config(&[]).path(vault, index).unwrap(), Path::new("/data/journal.db"));
        let elsewhere = config(&[("JOURNAL_DIR", "/journal")]);
        assert_eq!(elsewhere.path(vault, index).unwrap(), Path::new("/journal/journal.db"));
        assert!(config(&[("JOURNAL_DIR", "/vault/x")]).path(vault, index).is_err());
    }

    #[test]
    fn how_long_things_are_kept() {
        let usual = config(&[]);
        assert_eq!(usual.options, JournalOptions::default());
        assert_eq!(usual.trash_retention_days, 30);
        let set = config(&[("JOURNAL_RETENTION_DAYS", "7"), ("TRASH_RETENTION_DAYS", "1")]);
        assert_eq!((set.options.retention_days, set.trash_retention_days), (7, 1));
    }
}
