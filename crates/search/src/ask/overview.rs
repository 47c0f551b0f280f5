//! The vault as a whole: how much there is of what, where it lies, which links reach nothing, and what
//! was changed on a day.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use vault::Principal;

use super::browse::BY_CHANGE;
use super::meta::{page, stored_path};
use super::scope::Visible;
use crate::answer::{BrokenLinks, FolderCount, NoteMeta, Page, VaultStats};
use crate::core::Core;
use crate::error::SearchError;
use crate::note::dates::day_start;
use crate::query::Part;

impl Core {
    /// See [`Index::vault_stats`](crate::Index::vault_stats).
    pub(crate) fn vault_stats(&self, who: &Principal) -> Result<VaultStats, SearchError> {
        let condition = Visible::to(who).condition();
        let of = |table: &str, counted: &str| {
            format!(
                "SELECT {counted} FROM files JOIN {table} ON {table}.note_id = files.id WHERE {}",
                condition.sql()
            )
        };
        let without = |table: &str| {
            format!(
                "SELECT count(*) FROM files JOIN notes ON notes.id = files.id
                 WHERE {} AND NOT EXISTS (SELECT 1 FROM {table} WHERE {table}.note_id = files.id)",
                condition.sql()
            )
        };
        self.ask(|connection| {
            let count = |statement: &str| {
                let found: Option<u64> = connection
                    .query_one(statement, condition.params(), |row| Ok::<_, SearchError>(row.get(0)?))?;
                Ok::<_, SearchError>(found.unwrap_or(0))
            };
            let notes = format!(
                "SELECT count(*) FROM files JOIN notes ON notes.id = files.id WHERE {}",
                condition.sql()
            );
            Ok(VaultStats {
                notes: count(&notes)?,
                tags: count(&of("tags", "count(DISTINCT tags.tag_key)"))?,
                property_keys: count(&of("properties", "count(DISTINCT properties.key_fold)"))?,
                untagged: count(&without("tags"))?,
                without_properties: count(&without("properties"))?,
            })
        })
    }

    /// See [`Index::folder_counts`](crate::Index::folder_counts).
    pub(crate) fn folder_counts(&self, who: &Principal) -> Result<Vec<FolderCount>, SearchError> {
        let condition = Visible::to(who).condition();
        let statement = format!(
            "SELECT files.path FROM files JOIN notes ON notes.id = files.id WHERE {}",
            condition.sql()
        );
        let mut counts: BTreeMap<String, FolderCount> = BTreeMap::new();
        self.ask(|connection| {
            connection.for_each(&statement, condition.params(), |row| {
                let path = row.str(0)?;
                let folder = path.rfind('/').and_then(|end| path.get(..end)).unwrap_or_default();
                count_note(&mut counts, folder);
                Ok::<_, SearchError>(())
            })
        })?;
        let mut folders: Vec<FolderCount> = counts.into_values().collect();
        // By segments, so that what lies below a folder follows it.
        folders.sort_by(|one, other| one.folder.split('/').cmp(other.folder.split('/')));
        Ok(folders)
    }

    /// See [`Index::broken_links`](crate::Index::broken_links).
    pub(crate) fn broken_links(
        &self,
        who: &Principal,
        leave_out: &dyn Fn(&str) -> bool,
    ) -> Result<BrokenLinks, SearchError> {
        let visible = Visible::to(who);
        let condition = visible.condition();
        // What a caller may not see does not exist for it; the owner sees every target there is.
        let targets = if visible.is_whole() { "AND links.target_id IS NULL" } else { "" };
        let statement = format!(
            "SELECT links.source_id, links.path, targets.path
             FROM links
             JOIN files ON files.id = links.source_id
             LEFT JOIN files AS targets ON targets.id = links.target_id
             WHERE {} {targets}",
            condition.sql()
        );
        let mut broken: BTreeSet<(u32, String)> = BTreeSet::new();
        self.ask(|connection| {
            connection.for_each(&statement, condition.params(), |row| {
                let target: Option<String> = row.get(2)?;
                let reached = target.as_deref().map(stored_path).transpose()?;
                if reached.is_some_and(|path| who.sees(&path)) {
                    return Ok(());
                }
                let written = row.str(1)?;
                let path = written.strip_suffix(".md").filter(|stem| !stem.is_empty()).unwrap_or(written);
                if !leave_out(path) {
                    broken.insert((row.get(0)?, path.to_owned()));
                }
                Ok::<_, SearchError>(())
            })
        })?;
        let files: BTreeSet<u32> = broken.iter().map(|(source, _)| *source).collect();
        Ok(BrokenLinks { links: broken.len() as u64, files: files.len() as u64 })
    }

    /// See [`Index::modified_on`](crate::Index::modified_on).
    pub(crate) fn modified_on(
        &self,
        who: &Principal,
        day: Date,
        part: Part,
    ) -> Result<Page<NoteMeta>, SearchError> {
        let zone = &self.options.time_zone;
        let end = day.tomorrow().map_or(i64::MAX, |next| day_start(next, zone));
        let mut condition = Visible::to(who).condition();
        condition.and(
            "files.modified_ns >= ? AND files.modified_ns < ?",
            [day_start(day, zone).into(), end.into()],
        );
        self.ask(|connection| page(connection, &condition, BY_CHANGE, part, zone))
    }
}

/// Counts a note in its folder and in every folder above it; the top of the vault is `""`.
fn count_note(counts: &mut BTreeMap<String, FolderCount>, folder: &str) {
    let mut above = Some(folder);
    while let Some(name) = above {
        if !counts.contains_key(name) {
            let count = FolderCount { folder: name.to_owned(), notes: 0, with_subfolders: 0 };
            counts.insert(name.to_owned(), count);
        }
        if let Some(count) = counts.get_mut(name) {
            count.with_subfolders += 1;
            count.notes += u64::from(name == folder);
        }
        above = match name {
            "" => None,
            name => Some(name.rfind('/').and_then(|end| name.get(..end)).unwrap_or_default()),
        };
    }
}
