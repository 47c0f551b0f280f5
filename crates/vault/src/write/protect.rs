//! Folders that nothing is deleted in or moved out of or into.

use crate::path::VaultPath;
use crate::read::Vault;
use crate::settings::{DailyFolder, DailyNotesOverrides, DailySource};
use crate::write::error::WriteError;

/// Which folders are protected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Protection {
    /// The memory folder, when there is one, and the folder of the daily notes as it is at that moment. A
    /// daily folder that is the top of the vault protects nothing.
    Usual {
        /// The memory folder.
        memory: Option<VaultPath>,
        /// The server's own settings of daily notes.
        daily: DailyNotesOverrides,
    },
    /// These folders and no others; letter case does not matter.
    Only(Vec<String>),
}

impl Default for Protection {
    fn default() -> Self {
        Self::Usual { memory: None, daily: DailyNotesOverrides::default() }
    }
}

impl Protection {
    /// Refuses a path in a protected folder.
    pub(crate) fn check(&self, vault: &Vault, path: &VaultPath) -> Result<(), WriteError> {
        for folder in self.folders(vault)? {
            let key = VaultPath::fold(folder.trim_end_matches('/'));
            let inside =
                path.key().strip_prefix(&key).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            if !key.is_empty() && inside {
                return Err(WriteError::Protected { path: path.as_str().to_owned(), folder });
            }
        }
        Ok(())
    }

    fn folders(&self, vault: &Vault) -> Result<Vec<String>, WriteError> {
        let (memory, daily) = match self {
            Self::Only(folders) => return Ok(folders.clone()),
            Self::Usual { memory, daily } => (memory, daily),
        };
        let daily = vault.settings().daily_notes(daily);
        let unknown = |reason: String| WriteError::ProtectionUnknown { reason };
        if daily.folder_source() == DailySource::Unreadable {
            return Err(unknown(daily.unreadable().map(ToString::to_string).unwrap_or_default()));
        }
        if let DailyFolder::Invalid { error, .. } = daily.folder() {
            return Err(unknown(error.to_string()));
        }
        let folders = memory.iter().chain(daily.own_folder());
        Ok(folders.map(|folder| folder.as_str().to_owned()).collect())
    }
}
