//! Who is asking. Every query and every write takes a [`Principal`] from the first day, so that
//! limited tokens need no second path later.

use crate::path::VaultPath;

/// What a caller may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rights {
    /// May read and search.
    pub read: bool,
    /// May create and change notes.
    pub write: bool,
    /// May delete notes.
    pub delete: bool,
}

/// Which folders a caller sees. Folder names are normalised vault paths without a trailing `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FolderScope {
    /// The whole vault.
    All,
    /// Only what lies in these folders or below them (compared without case).
    Only(Vec<String>),
}

/// A caller: its name for the audit, its rights, its folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// Name in logs and in the journal: a token's name or an OAuth client's id. Never a secret.
    pub name: String,
    /// What it may do.
    pub rights: Rights,
    /// What it may see.
    pub folders: FolderScope,
}

impl Principal {
    /// The owner of the vault: every right, every folder.
    #[must_use]
    pub fn owner(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            rights: Rights { read: true, write: true, delete: true },
            folders: FolderScope::All,
        }
    }

    /// Whether the caller may see whatever lies in `folder`; `None` is the vault.
    #[must_use]
    pub fn sees_all_in(&self, folder: Option<&VaultPath>) -> bool {
        // Scopes are folders, so any name stands for all of them.
        let inside = folder.map_or_else(|| "x".to_owned(), |folder| format!("{folder}/x"));
        VaultPath::parse(&inside).is_ok_and(|inside| self.sees(&inside))
    }

    /// Whether the caller may know that `path` exists.
    #[must_use]
    pub fn sees(&self, path: &VaultPath) -> bool {
        if !self.rights.read {
            return false;
        }
        match &self.folders {
            FolderScope::All => true,
            FolderScope::Only(folders) => {
                let key = path.key();
                folders.iter().any(|folder| {
                    let folder = VaultPath::fold(folder);
                    folder.is_empty()
                        || key.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
                })
            }
        }
    }
}
