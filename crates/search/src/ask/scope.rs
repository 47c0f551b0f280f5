//! What a caller may see, as a condition on `files` and as a set of documents.

use store::Connection;
use vault::{FolderScope, Principal, VaultPath};

use super::condition::{Condition, in_folder};
use crate::error::SearchError;
use crate::status::Progress;
use crate::text::DocSet;

/// What a caller may see.
pub(crate) struct Visible {
    /// On the table `files`.
    condition: Condition,
    whole: bool,
}

impl Visible {
    /// Reads it off the caller's rights and folders; the SQL says what [`Principal::sees`] says.
    pub(crate) fn to(who: &Principal) -> Self {
        let mut condition = Condition::default();
        if !who.rights.read {
            condition.and("FALSE", []);
            return Self { condition, whole: false };
        }
        let FolderScope::Only(folders) = &who.folders else { return Self { condition, whole: true } };
        let folders: Vec<String> = folders.iter().map(|folder| VaultPath::fold(folder)).collect();
        if folders.iter().any(String::is_empty) {
            return Self { condition, whole: true };
        }
        let (pieces, params): (Vec<_>, Vec<_>) =
            folders.iter().map(|folder| in_folder("files.path_key", folder)).unzip();
        let any = if pieces.is_empty() { "FALSE".to_owned() } else { pieces.join(" OR ") };
        condition.and(&any, params.into_iter().flatten());
        Self { condition, whole: false }
    }

    /// Whether it is the whole vault.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole
    }

    /// As a condition on the table `files`.
    pub(crate) fn condition(&self) -> Condition {
        self.condition.clone()
    }

    /// As a set of documents; `None` is the whole vault.
    pub(crate) fn documents(&self, connection: &Connection) -> Result<Option<DocSet>, SearchError> {
        if self.whole { Ok(None) } else { documents(connection, &self.condition).map(Some) }
    }

    /// Progress as this caller may know it: the number of files in hidden folders is hidden too, so
    /// it is told in hundredths.
    pub(crate) fn progress(&self, progress: Option<Progress>) -> Option<Progress> {
        let progress = progress?;
        if self.whole || progress.total == 0 {
            return Some(progress);
        }
        Some(Progress { done: progress.done.min(progress.total) * 100 / progress.total, total: 100 })
    }
}

/// The files that meet a condition on `files`.
pub(crate) fn documents(connection: &Connection, condition: &Condition) -> Result<DocSet, SearchError> {
    let mut set = DocSet::new();
    let statement = format!("SELECT files.id FROM files WHERE {}", condition.sql());
    connection.for_each(&statement, condition.params(), |row| {
        set.insert(row.get(0)?);
        Ok::<_, SearchError>(())
    })?;
    Ok(set)
}
