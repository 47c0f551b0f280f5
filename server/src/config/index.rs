//! Where the index lies and how it ranks.

use std::path::{Path, PathBuf};

use search::text::{Language, Ranking, TextOptions};
use sha2::{Digest, Sha256};

use super::environment::Environment;
use super::error::ConfigError;
use super::variable::{DefaultValue, Stage, Variable, VariableGroup};

const INDEX_DB_PATH: Variable = Variable {
    name: "INDEX_DB_PATH",
    default: DefaultValue::Found("`vault-cortex/NAME-HASH/index.db` in `XDG_DATA_HOME`, one per vault"),
    accepts: "the path of a file outside the vault",
    effect: "The file of the search index. It holds the text of the vault: it is made with mode \
             0600, and a path inside the vault is refused, since sync would copy it to every device. \
             While another process holds it, a further one takes `index-2.db` beside it. In the \
             image: `/data/index.db`.",
    stage: Stage::Effective,
};
const XDG_DATA_HOME: Variable = Variable {
    name: "XDG_DATA_HOME",
    default: DefaultValue::Found("`$HOME/.local/share`"),
    accepts: "an absolute path; a relative one counts as unset, as the XDG specification says",
    effect: "Where the index lies without `INDEX_DB_PATH`, and where the command line remembers the \
             vault that was served or indexed last.",
    stage: Stage::Effective,
};
const HOME: Variable = Variable {
    name: "HOME",
    default: DefaultValue::Unset,
    accepts: "an absolute path; a relative one counts as unset",
    effect: "The home folder, for the default of `XDG_DATA_HOME`.",
    stage: Stage::Effective,
};
const FTS_RANKING: Variable = Variable {
    name: "FTS_RANKING",
    default: DefaultValue::Text("recipe"),
    accepts: "recipe or seed",
    effect: "How keyword results are ranked. `recipe`: one score per word and its forms, notes with \
             every word first. `seed`: SQLite's BM25 with the weights title 10, aliases 8, \
             description 5, path 4, tags 3, headings 3, body 1, and only the largest set of words \
             that some note holds.",
    stage: Stage::Effective,
};
const VAULT_FTS_LANGUAGES: Variable = Variable {
    name: "VAULT_FTS_LANGUAGES",
    default: DefaultValue::Text("en"),
    accepts: "language codes separated by commas, for instance en,de; none switches word forms off",
    effect: "The languages whose word forms are matched (renew finds renewed) and whose filler words \
             are ignored. A change needs no new index.",
    stage: Stage::Effective,
};

/// The variables of this concern.
pub(crate) const GROUP: VariableGroup = VariableGroup {
    title: "Index and search",
    variables: &[INDEX_DB_PATH, FTS_RANKING, VAULT_FTS_LANGUAGES, XDG_DATA_HOME, HOME],
};

/// Where the index lies and how it ranks.
#[derive(Debug, Clone)]
pub(crate) struct IndexConfig {
    /// `INDEX_DB_PATH`, default below the data folder: the index file.
    db_path: Option<PathBuf>,
    /// `XDG_DATA_HOME`, else `$HOME/.local/share`: the user's data folder.
    data_home: Option<PathBuf>,
    /// `FTS_RANKING`, default recipe, and `VAULT_FTS_LANGUAGES`, default en.
    pub(crate) text: TextOptions,
}

impl IndexConfig {
    /// Reads and checks the variables.
    pub(crate) fn from_environment(environment: &Environment) -> Result<Self, ConfigError> {
        let ranking =
            environment.choice(&FTS_RANKING, &[("recipe", Ranking::Recipe), ("seed", Ranking::Seed)])?;
        let codes = environment.required_text(&VAULT_FTS_LANGUAGES)?;
        let languages = Language::parse_list(&codes)
            .map_err(|error| ConfigError::invalid_because(&VAULT_FTS_LANGUAGES, &codes, error))?;
        let absolute = |variable: &Variable| -> Result<Option<PathBuf>, ConfigError> {
            // The XDG base directory specification: relative paths are invalid, to be ignored.
            Ok(environment.text(variable)?.map(PathBuf::from).filter(|path| path.is_absolute()))
        };
        let home = absolute(&HOME)?;
        let data_home =
            absolute(&XDG_DATA_HOME)?.or_else(|| home.map(|home| home.join(".local").join("share")));
        Ok(Self {
            db_path: environment.text(&INDEX_DB_PATH)?.map(PathBuf::from),
            data_home: data_home.map(|data| data.join("vault-cortex")),
            text: TextOptions { languages, ranking },
        })
    }

    /// The folder of this program's own data, when the environment names one.
    pub(crate) fn data_folder(&self) -> Option<&Path> {
        self.data_home.as_deref()
    }

    /// The index file of a vault. `vault` is its canonical root.
    ///
    /// # Errors
    /// When the file would lie inside the vault, when it is a folder, or when neither `INDEX_DB_PATH` nor a home folder
    /// is set.
    pub(crate) fn db_path_of(&self, vault: &Path) -> Result<PathBuf, ConfigError> {
        let Some(path) = &self.db_path else {
            let data = self.data_home.as_ref().ok_or_else(|| ConfigError::missing(&INDEX_DB_PATH))?;
            return Ok(data.join(folder_name(vault)).join("index.db"));
        };
        let refused =
            |reason| Err(ConfigError::invalid_because(&INDEX_DB_PATH, &path.to_string_lossy(), reason));
        if real_location(path).starts_with(vault) {
            return refused("it lies inside the vault");
        }
        if path.is_dir() {
            return refused("it is a folder");
        }
        Ok(path.clone())
    }
}

/// A folder name for a vault's data: readable, and different for vaults of the same name.
fn folder_name(vault: &Path) -> String {
    let name: String = vault
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
        .chars()
        .map(|letter| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' })
        .take(40)
        .collect();
    let digest = Sha256::digest(vault.as_os_str().as_encoded_bytes());
    let hash: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{hash}", name.trim_start_matches('.'))
}

/// The path with the symbolic links of its existing part followed: the file itself may not exist.
pub(super) fn real_location(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut missing = Vec::new();
    let mut existing = absolute.as_path();
    loop {
        if let Ok(real) = existing.canonicalize() {
            return missing.iter().rev().fold(real, |path, segment| path.join(segment));
        }
        match (existing.parent(), existing.file_name()) {
            (Some(parent), Some(name)) => {
                missing.push(name);
                existing = parent;
            }
            _ => return absolute,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(pairs: &[(&str, &str)]) -> IndexConfig {
        IndexConfig::from_environment(&Environment::of_pairs(pairs.iter().copied())).unwrap()
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test makes folders of its own")]
    fn an_index_inside_the_vault_is_refused_also_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let vault = root.join("vault");
        std::fs::create_dir(&vault).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&vault, root.join("link")).unwrap();
        let inside = |path: PathBuf| config(&[("INDEX_DB_PATH", path.to_str().unwrap())]).db_path_of(&vault);
        assert!(inside(vault.join("index.db")).is_err());
        assert!(inside(vault.join("new/deep/index.db")).is_err());
        #[cfg(unix)]
        assert!(inside(root.join("link/index.db")).is_err());
        assert!(inside(root.join("vault-index.db")).is_ok());
        assert!(inside(root.join("other/index.db")).is_ok());
    }

    #[test]
    fn every_vault_has_an_index_of_its_own() {
        let config = config(&[("HOME", "/home/anna")]);
        let first = config.db_path_of(Path::new("/a/My notes")).unwrap();
        let second = config.db_path_of(Path::new("/b/My notes")).unwrap();
        assert_ne!(first, second);
        let text = first.to_str().unwrap();
        assert!(text.starts_with("/home/anna/.local/share/vault-cortex/My-notes-"), "{text}");
        assert!(text.ends_with("/index.db"), "{text}");
    }

    #[test]
    fn without_a_home_the_index_must_be_named() {
        let error = config(&[]).db_path_of(Path::new("/vault")).unwrap_err();
        assert!(error.to_string().starts_with("INDEX_DB_PATH is not set"), "{error}");
        let relative = config(&[("XDG_DATA_HOME", "data")]);
        assert!(relative.db_path_of(Path::new("/vault")).is_err());
    }

    #[test]
    fn rankings() {
        assert_eq!(config(&[]).text.ranking, Ranking::Recipe);
        assert_eq!(config(&[("FTS_RANKING", "Seed")]).text.ranking, Ranking::Seed);
        let wrong = Environment::of_pairs([("FTS_RANKING", "bm25")]);
        assert!(IndexConfig::from_environment(&wrong).is_err());
    }

    #[test]
    fn languages() {
        assert_eq!(config(&[]).text.languages, [Language::ENGLISH]);
        let two = config(&[("VAULT_FTS_LANGUAGES", "en, DE")]);
        assert_eq!(two.text.languages, [Language::ENGLISH, Language::GERMAN]);
        assert_eq!(config(&[("VAULT_FTS_LANGUAGES", "none")]).text.languages, []);
        let wrong = Environment::of_pairs([("VAULT_FTS_LANGUAGES", "en,klingon")]);
        let error = IndexConfig::from_environment(&wrong).unwrap_err().to_string();
        assert!(error.starts_with("VAULT_FTS_LANGUAGES") && error.contains("klingon"), "{error}");
    }
}
