//! Paths through symbolic links. A file is indexed under its real path alone, so a path or folder that is
//! asked for by another way is looked up on disk first, here and nowhere else.

use vault::{Principal, VaultPath};

use crate::core::Core;
use crate::error::SearchError;
use crate::query::Filters;
use crate::tasks::TaskQuery;

impl Core {
    /// The path under which the index has what `who` calls `path`; `None` for one it may not see. What
    /// really lies where the caller may not look reads as a path where nothing is: itself.
    pub(crate) fn indexed_path(&self, who: &Principal, path: &VaultPath) -> Option<VaultPath> {
        if !who.sees(path) {
            return None;
        }
        let real = self.vault.real_path(path).ok().filter(|real| who.sees(real));
        Some(real.unwrap_or_else(|| path.clone()))
    }

    /// The folder under which the index has what `who` calls `folder`; `None` is the vault.
    pub(crate) fn indexed_folder(&self, who: &Principal, folder: &VaultPath) -> Option<VaultPath> {
        self.vault.folder_as_seen(who, folder)
    }

    /// The filters with the folder under which the index has what `who` calls so.
    pub(crate) fn indexed_filters(&self, who: &Principal, filters: &Filters) -> Result<Filters, SearchError> {
        let folder = self.indexed_name(who, "filters.folder", filters.folder.as_deref())?;
        Ok(Filters { folder, ..filters.clone() })
    }

    /// The question with the note and the folder as the index has them; `None` when its note is hidden.
    pub(crate) fn indexed_tasks(
        &self,
        who: &Principal,
        query: &TaskQuery,
    ) -> Result<Option<TaskQuery>, SearchError> {
        let folder = self.indexed_name(who, "folder", query.folder.as_deref())?;
        let path = match &query.path {
            Some(path) => match self.indexed_path(who, path) {
                Some(path) => Some(path),
                None => return Ok(None),
            },
            None => None,
        };
        Ok(Some(TaskQuery { folder, path, ..query.clone() }))
    }

    /// A folder as an argument gives it; `""` is the vault.
    fn indexed_name(
        &self,
        who: &Principal,
        argument: &str,
        folder: Option<&str>,
    ) -> Result<Option<String>, SearchError> {
        let Some(folder) = folder else { return Ok(None) };
        let asked = VaultPath::parse_folder(folder)
            .map_err(|error| SearchError::InvalidFilter(format!("{argument}: {error}")))?;
        let indexed = asked.and_then(|asked| self.indexed_folder(who, &asked));
        Ok(Some(indexed.map_or_else(String::new, |indexed| indexed.as_str().to_owned())))
    }
}
