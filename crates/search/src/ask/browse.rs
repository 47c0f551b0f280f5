//! Notes by where they lie, by when they changed, and those that nothing leads to.

use vault::{Principal, VaultPath};

use super::condition::{Condition, in_folder};
use super::meta::{Order, page};
use super::scope::Visible;
use crate::answer::{NoteMeta, Page};
use crate::core::Core;
use crate::error::SearchError;
use crate::query::{Part, SortBy};

/// The latest change first.
pub(super) const BY_CHANGE: Order = Order::of_files("files.modified_ns DESC, files.path");

/// The latest `created` first. NULL is less than any time, so notes without one come last.
const BY_CREATION: Order =
    Order::of_notes("julianday(notes.created) DESC, files.modified_ns DESC, files.path");

impl Core {
    /// See [`Index::search_by_folder`](crate::Index::search_by_folder).
    pub(crate) fn search_by_folder(
        &self,
        who: &Principal,
        folder: Option<&VaultPath>,
        recursive: bool,
        part: Part,
    ) -> Result<Page<NoteMeta>, SearchError> {
        let folder = folder.and_then(|folder| self.indexed_folder(who, folder));
        let folder = folder.as_ref();
        let mut condition = Visible::to(who).condition();
        within(&mut condition, folder);
        if !recursive {
            // Characters, as SQLite counts.
            let before = folder.map_or(0, |folder| folder.key().chars().count() + 1);
            let before = i64::try_from(before).unwrap_or(i64::MAX - 1);
            condition.and("instr(substr(files.path_key, ?), '/') = 0", [(before + 1).into()]);
        }
        self.ask(|connection| page(connection, &condition, BY_CHANGE, part, &self.options.time_zone))
    }

    /// See [`Index::recent_notes`](crate::Index::recent_notes).
    pub(crate) fn recent_notes(
        &self,
        who: &Principal,
        sort_by: SortBy,
        part: Part,
    ) -> Result<Page<NoteMeta>, SearchError> {
        let order = match sort_by {
            SortBy::Created => BY_CREATION,
            SortBy::Modified => BY_CHANGE,
        };
        let condition = Visible::to(who).condition();
        self.ask(|connection| page(connection, &condition, order, part, &self.options.time_zone))
    }

    /// See [`Index::find_orphans`](crate::Index::find_orphans).
    pub(crate) fn find_orphans(
        &self,
        who: &Principal,
        exclude_folders: &[VaultPath],
        part: Part,
    ) -> Result<Page<NoteMeta>, SearchError> {
        let visible = Visible::to(who);
        let mut condition = visible.condition();
        for folder in exclude_folders {
            match self.indexed_folder(who, folder) {
                Some(folder) => {
                    let (piece, bounds) = in_folder("files.path_key", &folder.key());
                    condition.and(&format!("NOT ({piece})"), bounds);
                }
                None => condition.and("FALSE", []),
            }
        }
        // A note that only links to itself is as alone as one that nothing links to, and a link that the
        // caller cannot see leads nowhere.
        let sees = if visible.is_whole() { Condition::default() } else { visible.condition() };
        let seen = match sees.sql() {
            "TRUE" => String::new(),
            sees => format!("AND links.source_id IN (SELECT files.id FROM files WHERE {sees})"),
        };
        condition.and(
            &format!(
                "NOT EXISTS (SELECT 1 FROM links
                             WHERE links.target_id = files.id AND links.source_id <> files.id {seen})"
            ),
            sees.params().iter().cloned(),
        );
        self.ask(|connection| page(connection, &condition, BY_CHANGE, part, &self.options.time_zone))
    }
}

/// Narrows a condition on `files` to a folder and what lies below it.
pub(super) fn within(condition: &mut Condition, folder: Option<&VaultPath>) {
    if let Some(folder) = folder {
        let (piece, bounds) = in_folder("files.path_key", &folder.key());
        condition.and(&piece, bounds);
    }
}
