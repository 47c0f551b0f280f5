//! The door to the index: everything the server and the command line call.

use std::sync::Arc;

use jiff::civil::Date;
use store::Lane;
use vault::{Change, ChangeListener, FoundFile, LinkSource, ListenerError, Principal, Vault, VaultPath};

use crate::answer::{
    Backlink, BrokenLinks, FolderCount, FtsAnswer, NoteMeta, OutgoingLink, Page, PropertyKey, PropertyValue,
    RecallAnswer, SearchAnswer, TagCount, VaultStats,
};
use crate::core::Core;
use crate::error::SearchError;
use crate::open;
use crate::options::IndexOptions;
use crate::pipeline::reconcile::Show;
use crate::query::{FtsQuery, Part, RecallQuery, SearchQuery, SortBy};
use crate::status::{Progress, ReconcileSummary, Status};
use crate::tasks::{TaskItem, TaskQuery};
use crate::watch::{self, WatchHandle};

/// The index over one vault. Clones share it. Every call blocks.
#[derive(Clone)]
pub struct Index {
    core: Arc<Core>,
}

impl Index {
    /// Opens the index of `vault` for reading and writing, and makes it when there is none. Holds a
    /// lock on it until it is closed. A file that is damaged or of an older version is put aside
    /// and the index starts empty; [`Status::rebuilt`] says so. Nothing is indexed yet: call
    /// [`reconcile`](Self::reconcile).
    ///
    /// # Errors
    /// When the file would lie inside the vault, is in use by another process, or cannot be made.
    pub fn open(vault: Vault, options: IndexOptions) -> Result<Self, SearchError> {
        Ok(Self { core: Arc::new(open::open(vault, options)?) })
    }

    /// Opens the index for reading beside a server that may be running on it.
    ///
    /// # Errors
    /// [`SearchError::NotBuilt`] when there is no index of this version to read.
    pub fn open_read_only(vault: Vault, options: IndexOptions) -> Result<Self, SearchError> {
        Ok(Self { core: Arc::new(open::open_read_only(vault, options)?) })
    }

    /// Makes the index equal to the vault: walks it, reads what is new or changed by size, time and
    /// then content, drops what is gone. One bad note never stops it. `progress` is called now and
    /// then, from the calling thread.
    ///
    /// # Errors
    /// When the vault's root cannot be read or the database fails.
    pub fn reconcile(&self, progress: &dyn Fn(Progress)) -> Result<ReconcileSummary, SearchError> {
        self.core.reconcile_or_rebuild(Show::Announced(progress))
    }

    /// Starts to notice changes made outside, until the handle is dropped. When the system offers
    /// no events it looks at intervals instead, and [`Status::watcher`] says why.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn watch(&self) -> Result<WatchHandle, SearchError> {
        watch::start(&self.core)
    }

    /// How the index is doing, as `who` may see it.
    ///
    /// # Errors
    /// When the database fails.
    pub fn status(&self, who: &Principal) -> Result<Status, SearchError> {
        self.core.status(who)
    }

    /// How far a running build or reconcile has come; `None` when none runs.
    #[must_use]
    pub fn progress(&self) -> Option<Progress> {
        self.core.report().progress
    }

    /// Ranked search over notes and text files.
    ///
    /// # Errors
    /// For a query or filter that has no meaning, or when the database fails.
    pub fn search(&self, who: &Principal, query: &SearchQuery) -> Result<SearchAnswer, SearchError> {
        self.core.search(who, query)
    }

    /// Full-text search over notes, with all that is known of how the query was read.
    ///
    /// # Errors
    /// For a malformed FTS5 expression, or when the database fails.
    pub fn fts_search(&self, who: &Principal, query: &FtsQuery) -> Result<FtsAnswer, SearchError> {
        self.core.fts_search(who, query)
    }

    /// Dated entries of the memory files that hold every word of a query in some form, or when none does
    /// those that hold some; most relevant first.
    ///
    /// # Errors
    /// When the database fails.
    pub fn memory_recall(&self, who: &Principal, query: &RecallQuery) -> Result<RecallAnswer, SearchError> {
        self.core.memory_recall(who, query)
    }

    /// Every tag with how many notes carry it, most used first.
    ///
    /// # Errors
    /// When the database fails.
    pub fn list_tags(&self, who: &Principal) -> Result<Vec<TagCount>, SearchError> {
        self.core.list_tags(who)
    }

    /// Notes with a tag, and with those nested below it unless `exact`; latest change first.
    ///
    /// # Errors
    /// For an empty tag, or when the database fails.
    pub fn search_by_tag(
        &self,
        who: &Principal,
        tag: &str,
        exact: bool,
        part: impl Into<Part>,
    ) -> Result<Page<NoteMeta>, SearchError> {
        self.core.search_by_tag(who, tag, exact, part.into())
    }

    /// Notes in a folder (`None` is the whole vault), and in those below it when `recursive`; latest
    /// change first.
    ///
    /// # Errors
    /// When the database fails.
    pub fn search_by_folder(
        &self,
        who: &Principal,
        folder: Option<&VaultPath>,
        recursive: bool,
        part: impl Into<Part>,
    ) -> Result<Page<NoteMeta>, SearchError> {
        self.core.search_by_folder(who, folder, recursive, part.into())
    }

    /// All notes, latest first.
    ///
    /// # Errors
    /// When the database fails.
    pub fn recent_notes(
        &self,
        who: &Principal,
        sort_by: SortBy,
        part: impl Into<Part>,
    ) -> Result<Page<NoteMeta>, SearchError> {
        self.core.recent_notes(who, sort_by, part.into())
    }

    /// Every property of the notes in a folder and below it (`None` is the whole vault), most used
    /// first.
    ///
    /// # Errors
    /// When the database fails.
    pub fn list_property_keys(
        &self,
        who: &Principal,
        folder: Option<&VaultPath>,
    ) -> Result<Vec<PropertyKey>, SearchError> {
        self.core.list_property_keys(who, folder)
    }

    /// The values of a property in a folder and below it (`None` is the whole vault), most used first.
    /// All are counted before `part` cuts. What is nested in a value is one value, as JSON.
    ///
    /// # Errors
    /// When the database fails.
    pub fn list_property_values(
        &self,
        who: &Principal,
        key: &str,
        folder: Option<&VaultPath>,
        part: impl Into<Part>,
    ) -> Result<Page<PropertyValue>, SearchError> {
        self.core.list_property_values(who, key, folder, part.into())
    }

    /// Notes with a property of this value, or a list with such an item, in a folder and below it
    /// (`None` is the whole vault); latest change first. Text matches exactly; a number as YAML 1.2
    /// writes one also matches an equal number; `true`, `false`, `1` and `0` also match checkboxes.
    ///
    /// # Errors
    /// When the database fails.
    pub fn search_by_property(
        &self,
        who: &Principal,
        key: &str,
        value: &str,
        folder: Option<&VaultPath>,
        part: impl Into<Part>,
    ) -> Result<Page<NoteMeta>, SearchError> {
        self.core.search_by_property(who, key, value, folder, part.into())
    }

    /// Notes that no other file links to, as far as `who` may know; those in or below the excluded
    /// folders are left out. Latest change first.
    ///
    /// # Errors
    /// When the database fails.
    pub fn find_orphans(
        &self,
        who: &Principal,
        exclude_folders: &[VaultPath],
        part: impl Into<Part>,
    ) -> Result<Page<NoteMeta>, SearchError> {
        self.core.find_orphans(who, exclude_folders, part.into())
    }

    /// How many notes, tags and property keys there are, as far as `who` may know.
    ///
    /// # Errors
    /// When the database fails.
    pub fn vault_stats(&self, who: &Principal) -> Result<VaultStats, SearchError> {
        self.core.vault_stats(who)
    }

    /// Every folder with notes in it or below it, each before those below it, the top of the vault
    /// (`""`) first. None for an empty vault.
    ///
    /// # Errors
    /// When the database fails.
    pub fn folder_counts(&self, who: &Principal) -> Result<Vec<FolderCount>, SearchError> {
        self.core.folder_counts(who)
    }

    /// How many links reach nothing that `who` may see. Those that `leave_out` holds for are not counted; it
    /// is given a link's path as [`OutgoingLink::path`] shows it.
    ///
    /// # Errors
    /// When the database fails.
    pub fn broken_links(
        &self,
        who: &Principal,
        leave_out: &dyn Fn(&str) -> bool,
    ) -> Result<BrokenLinks, SearchError> {
        self.core.broken_links(who, leave_out)
    }

    /// Notes whose last change on disk fell on a day of the index's time zone; latest change first.
    ///
    /// # Errors
    /// When the database fails.
    pub fn modified_on(
        &self,
        who: &Principal,
        day: Date,
        part: impl Into<Part>,
    ) -> Result<Page<NoteMeta>, SearchError> {
        self.core.modified_on(who, day, part.into())
    }

    /// Files that link to `path`, by path. Empty for a path that is unknown or hidden from `who`.
    ///
    /// # Errors
    /// When the database fails.
    pub fn backlinks(&self, who: &Principal, path: &VaultPath) -> Result<Vec<Backlink>, SearchError> {
        self.core.backlinks(who, path)
    }

    /// What `path` links to, by path. A target hidden from `who` reads as unresolved.
    ///
    /// # Errors
    /// When the database fails.
    pub fn outgoing_links(
        &self,
        who: &Principal,
        path: &VaultPath,
    ) -> Result<Vec<OutgoingLink>, SearchError> {
        self.core.outgoing_links(who, path)
    }

    /// Other files with the name of `path`, in any folder and letter case: bare links may mean any of them.
    ///
    /// # Errors
    /// When the database fails.
    pub fn namesakes(&self, who: &Principal, path: &VaultPath) -> Result<Vec<VaultPath>, SearchError> {
        self.core.namesakes(who, path)
    }

    /// What is known of a note; `None` when it is unknown, hidden from `who`, or no note.
    ///
    /// # Errors
    /// When the database fails.
    pub fn note_meta(&self, who: &Principal, path: &VaultPath) -> Result<Option<NoteMeta>, SearchError> {
        self.core.note_meta(who, path)
    }

    /// Tasks that meet `query`, a page of them. When the settings of the Tasks plugin changed, tasks are
    /// read anew first.
    ///
    /// # Errors
    /// For a filter that has no meaning, or when the database fails.
    pub fn tasks(&self, who: &Principal, query: &TaskQuery) -> Result<Page<TaskItem>, SearchError> {
        self.core.tasks(who, query)
    }

    /// Ends what runs, writes what is queued, moves the log into the file and gives up the lock.
    /// Other clones get [`SearchError::Closed`] or the store's error from then on.
    pub fn close(self) {
        self.core.close();
    }
}

impl ChangeListener for Index {
    fn changed(&self, changes: &[Change]) -> Result<(), ListenerError> {
        let paths = changes.iter().map(|change| match change {
            Change::Written(path) | Change::Removed(path) => path.clone(),
        });
        self.core.refresh(paths, Lane::Interactive).map_err(listener_error)
    }
}

impl LinkSource for Index {
    fn backlinks(&self, path: &VaultPath) -> Result<Vec<VaultPath>, ListenerError> {
        self.core.link_sources(path).map_err(listener_error)
    }

    fn unread(&self, files: &[FoundFile]) -> Result<Vec<VaultPath>, ListenerError> {
        self.core.links_unread(files).map_err(listener_error)
    }
}

fn listener_error(error: SearchError) -> ListenerError {
    ListenerError(Box::new(error))
}
