//! Paths through symbolic links. A file is indexed under its real path alone, so a path or folder that is
//! asked for by another way is looked up on disk first, here and nowhere else.

use vault::{Principal, VaultPath};

use crate::core::Core;
use crate::error::SearchError;
use crate::query::Filters;

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

    /// The filters with the folder under which the index has what `who` calls so.
    pub(crate) fn indexed_filters(&self, who: &Principal, filters: &Filters) -> Result<Filters, SearchError> {
        let mut filters = filters.clone();
        let Some(folder) = &filters.folder else { return Ok(filters) };
        let asked = VaultPath::parse_folder(folder)
            .map_err(|error| SearchError::InvalidFilter(format!("filters.folder: {error}")))?;
        let Some(asked) = asked else { return Ok(filters) };
        // A folder that is not on disk can still be spelt in another case, or be in the index.
        let Ok(real) = self.vault.real_folder(&asked) else { return Ok(filters) };
        if real.as_ref() != Some(&asked) && sees_in(who, Some(&asked)) && sees_in(who, real.as_ref()) {
            filters.folder = Some(real.map_or_else(String::new, |real| real.as_str().to_owned()));
        }
        Ok(filters)
    }
}

/// Whether `who` may see whatever lies in a folder; `None` is the vault.
fn sees_in(who: &Principal, folder: Option<&VaultPath>) -> bool {
    let inside = folder.map_or_else(|| "x".to_owned(), |folder| format!("{folder}/x"));
    VaultPath::parse(&inside).is_ok_and(|inside| who.sees(&inside))
}
