//! A vault and an index in temporary folders, and words to work on them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use search::{Index, IndexOptions, ReconcileSummary, SearchError, SearchHit, SearchQuery};
use tempfile::TempDir;
use vault::{FolderScope, Principal, Rights, Vault, VaultOptions, VaultPath};

/// A vault on disk and room for an index beside it. Both go when this goes.
pub(crate) struct Disk {
    vault: TempDir,
    data: TempDir,
}

impl Disk {
    pub(crate) fn new() -> Self {
        Self { vault: temporary(), data: temporary() }
    }

    /// A vault with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let disk = Self::new();
        for (path, text) in files {
            disk.write(path, text);
        }
        disk
    }

    pub(crate) fn root(&self) -> &Path {
        self.vault.path()
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.data.path().join("index.db")
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let file = self.root().join(path);
        std::fs::create_dir_all(file.parent().expect("a path below the vault")).expect("folders can be made");
        std::fs::write(file, content).expect("a file can be written");
    }

    /// Copies what lies in a folder, hidden things included.
    pub(crate) fn copy_from(&self, folder: &Path) {
        fn copy(from: &Path, to: &Path) {
            std::fs::create_dir_all(to).expect("folders can be made");
            for entry in std::fs::read_dir(from).expect("a folder to copy") {
                let from = entry.expect("an entry").path();
                let to = to.join(from.file_name().expect("a name"));
                if from.is_dir() {
                    copy(&from, &to);
                } else {
                    std::fs::copy(&from, &to).expect("a file can be copied");
                }
            }
        }
        copy(folder, self.root());
    }

    pub(crate) fn remove(&self, path: &str) {
        std::fs::remove_file(self.root().join(path)).expect("a file can be removed");
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        let to = self.root().join(to);
        std::fs::create_dir_all(to.parent().expect("a path below the vault")).expect("folders can be made");
        std::fs::rename(self.root().join(from), to).expect("a file can be renamed");
    }

    /// Gives a file a time well in the past, so that the index trusts it.
    pub(crate) fn age(&self, path: &str, seconds: u64) {
        let file = std::fs::File::options().append(true).open(self.root().join(path)).expect("a file to age");
        let then = std::time::SystemTime::now() - Duration::from_secs(seconds);
        file.set_modified(then).expect("the time can be set");
    }

    pub(crate) fn options(&self) -> IndexOptions {
        IndexOptions {
            debounce: Duration::from_millis(50),
            ..IndexOptions::new(self.database(), Timestamp::now)
        }
    }

    pub(crate) fn vault(&self) -> Vault {
        Vault::open(self.root(), VaultOptions::default()).expect("the vault opens")
    }

    pub(crate) fn open(&self) -> Index {
        self.open_with(self.options())
    }

    pub(crate) fn open_with(&self, options: IndexOptions) -> Index {
        Index::open(self.vault(), options).expect("the index opens")
    }

    pub(crate) fn try_open(&self) -> Result<Index, SearchError> {
        Index::open(self.vault(), self.options())
    }

    /// An index that is equal to the vault.
    pub(crate) fn indexed(&self) -> Index {
        let index = self.open();
        reconcile(&index);
        index
    }
}

fn temporary() -> TempDir {
    TempDir::new().expect("a temporary folder")
}

#[track_caller]
pub(crate) fn reconcile(index: &Index) -> ReconcileSummary {
    index.reconcile(&|_| {}).expect("the vault can be reconciled")
}

pub(crate) fn owner() -> Principal {
    Principal::owner("test")
}

/// Somebody who sees these folders only.
pub(crate) fn limited(folders: &[&str]) -> Principal {
    Principal {
        name: "limited".to_owned(),
        rights: Rights { read: true, write: false, delete: false },
        folders: FolderScope::Only(folders.iter().map(|folder| (*folder).to_owned()).collect()),
    }
}

#[track_caller]
pub(crate) fn path(text: &str) -> VaultPath {
    VaultPath::parse(text).expect("a vault path")
}

/// Paths of the hits for some words, best first.
#[track_caller]
pub(crate) fn found(index: &Index, words: &str) -> Vec<String> {
    found_by(index, &owner(), &SearchQuery::new(words))
}

#[track_caller]
pub(crate) fn found_by(index: &Index, who: &Principal, query: &SearchQuery) -> Vec<String> {
    let answer = index.search(who, query).expect("a search answers");
    answer.hits.iter().map(|hit| hit.path.as_str().to_owned()).collect()
}

/// The first hit for some words.
#[track_caller]
pub(crate) fn first(index: &Index, words: &str) -> SearchHit {
    let answer = index.search(&owner(), &SearchQuery::new(words)).expect("a search answers");
    answer.hits.into_iter().next().expect("a hit")
}

/// What a file links to: `target` when it exists, `!target` when not.
#[track_caller]
pub(crate) fn outgoing(index: &Index, who: &Principal, from: &str) -> Vec<String> {
    let links = index.outgoing_links(who, &path(from)).expect("links are known");
    links.into_iter().map(|link| if link.exists { link.path } else { format!("!{}", link.path) }).collect()
}

#[track_caller]
pub(crate) fn backlinks(index: &Index, who: &Principal, to: &str) -> Vec<String> {
    let links = index.backlinks(who, &path(to)).expect("links are known");
    links.into_iter().map(|link| link.path.as_str().to_owned()).collect()
}

/// Waits until `done` says so; panics after `patience`.
#[track_caller]
pub(crate) fn wait_until(patience: Duration, what: &str, mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < patience, "waited {patience:?} in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
