//! Where the vault is and how its files are treated.

use std::path::{Path, PathBuf};

use super::environment::Environment;
use super::error::ConfigError;
use super::variable::{DefaultValue, Stage, Variable, VariableGroup};

const VAULT_PATH: Variable = Variable {
    name: "VAULT_PATH",
    default: DefaultValue::Required,
    accepts: "the path of a folder that exists",
    effect: "The root of the vault. In the image: `/vault`.",
    stage: Stage::Effective,
};
const ALLOW_HARD_LINKS: Variable = Variable {
    name: "ALLOW_HARD_LINKS",
    default: DefaultValue::Text("false"),
    accepts: "true, false, 1 or 0",
    effect: "Reads files that have more hard links than the vault has paths to them. Without it \
             they are refused, counted and named, since their other name may lie outside the \
             vault. Set it when a backup tool hard-links the vault's files.",
    stage: Stage::Effective,
};
const WINDOWS_MODE: Variable = Variable {
    name: "WINDOWS_MODE",
    default: DefaultValue::Text("false"),
    accepts: "true, false, 1 or 0",
    effect: "Looks for changes every 300 ms instead of waiting for the system's events, which do \
             not reach a container through a Windows bind mount.",
    stage: Stage::Effective,
};

/// The variables of this concern.
pub(crate) const GROUP: VariableGroup =
    VariableGroup { title: "Vault", variables: &[VAULT_PATH, ALLOW_HARD_LINKS, WINDOWS_MODE] };

/// Where the vault is and how its files are treated.
#[derive(Debug, Clone)]
pub(crate) struct VaultConfig {
    /// `VAULT_PATH`, required: the root of the vault. Exists and is a folder.
    pub(crate) path: PathBuf,
    /// What the files of any vault need.
    pub(crate) files: VaultFiles,
}

/// The settings that hold for whichever vault is opened.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct VaultFiles {
    /// `ALLOW_HARD_LINKS`, default false: hard-linked files are read.
    pub(crate) allow_hard_links: bool,
    /// `WINDOWS_MODE`, default false: the watcher polls every 300 ms.
    pub(crate) windows_mode: bool,
}

impl VaultConfig {
    /// Reads and checks the variables.
    pub(crate) fn from_environment(environment: &Environment) -> Result<Self, ConfigError> {
        let path = environment.required_text(&VAULT_PATH)?;
        if !Path::new(&path).is_dir() {
            return Err(ConfigError::invalid_because(&VAULT_PATH, &path, "no such folder"));
        }
        Ok(Self { path: path.into(), files: VaultFiles::from_environment(environment)? })
    }

    /// The vault's path without a demand that it be set: commands also take it as an argument.
    pub(crate) fn path_if_set(environment: &Environment) -> Result<Option<PathBuf>, ConfigError> {
        match environment.text(&VAULT_PATH) {
            Ok(path) => Ok(path.map(PathBuf::from)),
            Err(ConfigError::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl VaultFiles {
    /// Reads and checks the variables.
    pub(crate) fn from_environment(environment: &Environment) -> Result<Self, ConfigError> {
        Ok(Self {
            allow_hard_links: environment.boolean(&ALLOW_HARD_LINKS)?,
            windows_mode: environment.boolean(&WINDOWS_MODE)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vault_that_is_missing_or_a_file_stops_the_boot() {
        let missing = Environment::of_pairs([("VAULT_PATH", "/no/such/folder")]);
        let error = VaultConfig::from_environment(&missing).unwrap_err().to_string();
        assert_eq!(
            error,
            "VAULT_PATH is \"/no/such/folder\": set it to the path of a folder that exists (no such folder)"
        );
        let file =
            Environment::of_pairs([("VAULT_PATH", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))]);
        assert!(VaultConfig::from_environment(&file).is_err());
        assert!(VaultConfig::from_environment(&Environment::default()).is_err());
    }

    #[test]
    fn defaults_are_the_careful_ones() {
        let environment = Environment::of_pairs([("VAULT_PATH", env!("CARGO_MANIFEST_DIR"))]);
        let config = VaultConfig::from_environment(&environment).unwrap();
        assert!(!config.files.allow_hard_links);
        assert!(!config.files.windows_mode);
    }
}
