//! A vault in a temporary folder, and the edits that a person, an editor or a sync client makes
//! in it behind the server's back.
//!
//! The vault remembers what it put where. When a server that served it stops, the harness asserts
//! that the folder holds exactly that: a server that only reads leaves every byte alone and drops
//! no file of its own.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

/// A folder with notes. Cloning shares the folder; it is removed with the last clone.
#[derive(Clone)]
pub struct TestVault {
    root: PathBuf,
    /// Owner of the temporary folder; `None` for a vault that existed before.
    temporary: Option<Arc<TempDir>>,
    known: Arc<Mutex<BTreeMap<PathBuf, Entry>>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    Folder,
    /// Size and a hash of the bytes.
    File(usize, u64),
    Link(PathBuf),
    Other,
}

/// What a vault held at a moment: see [`TestVault::state`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaultState {
    entries: BTreeMap<PathBuf, (Entry, SystemTime)>,
    root: SystemTime,
}

impl Default for TestVault {
    fn default() -> Self {
        Self::new()
    }
}

impl TestVault {
    /// A vault whose memory folder is there and empty, so that no server makes its first memory files, and
    /// nothing else; with a folder beside it that is not part of it ([`Self::outside`]).
    pub fn new() -> Self {
        Self::bare().folder("About Me")
    }

    /// A vault with nothing in it at all.
    pub fn bare() -> Self {
        let temporary = tempfile::Builder::new().prefix("vault-").tempdir().expect("a temporary folder");
        // The canonical path: the system's temporary folder may itself lie behind a link.
        let root = temporary.path().canonicalize().expect("it exists").join("vault");
        fs::create_dir(&root).expect("the vault's folder");
        fs::create_dir(root.with_file_name("outside")).expect("the folder outside");
        Self { root, temporary: Some(Arc::new(temporary)), known: Arc::default() }
    }

    /// A vault that exists already and is served where it lies, by servers that only read unless the test
    /// says otherwise.
    pub fn at(root: &Path) -> Self {
        let vault = Self {
            root: root.canonicalize().expect("the vault exists"),
            temporary: None,
            known: Arc::default(),
        };
        *vault.known() = vault.scan();
        vault
    }

    /// Whether it goes away with the test.
    pub(crate) fn is_temporary(&self) -> bool {
        self.temporary.is_some()
    }

    /// The vault's root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The absolute path of a file in the vault.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// A path in the folder beside the vault.
    pub fn outside(&self, relative: &str) -> PathBuf {
        self.root.with_file_name("outside").join(relative)
    }

    /// Builder form of [`Self::write`].
    #[must_use]
    pub fn note(self, relative: &str, text: &str) -> Self {
        self.write(relative, text);
        self
    }

    /// Builder form of [`Self::write`], for bytes.
    #[must_use]
    pub fn bytes(self, relative: &str, bytes: &[u8]) -> Self {
        self.write(relative, bytes);
        self
    }

    /// Adds a file at the root whose name is these bytes, UTF-8 or not.
    #[must_use]
    pub fn named_by_bytes(self, name: &[u8], text: &str) -> Self {
        let name = Path::new(OsStr::from_bytes(name));
        fs::write(self.root.join(name), text).unwrap();
        let entry = entry(&self.root.join(name));
        self.known().insert(name.to_path_buf(), entry);
        self
    }

    /// Adds an empty folder.
    #[must_use]
    pub fn folder(self, relative: &str) -> Self {
        fs::create_dir_all(self.path(relative)).unwrap();
        self.learn(relative);
        self
    }

    /// Adds a symbolic link that points to `target`, absolute or relative to the link's folder.
    #[must_use]
    pub fn symlink(self, relative: &str, target: impl AsRef<Path>) -> Self {
        self.make_parent(relative);
        symlink(target, self.path(relative)).unwrap();
        self.learn(relative);
        self
    }

    /// Adds a second name for a file, anywhere on the same file system.
    #[must_use]
    pub fn hard_link(self, relative: &str, existing: &Path) -> Self {
        self.make_parent(relative);
        fs::hard_link(existing, self.path(relative)).unwrap();
        self.learn(relative);
        self
    }

    /// Sets a file's modification time, in seconds since the epoch.
    #[must_use]
    pub fn modified(self, relative: &str, seconds: u64) -> Self {
        self.set_modified(relative, SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        self
    }

    /// Writes a file outside the vault, for links that leave it.
    #[must_use]
    pub fn outside_file(self, relative: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = self.outside(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    /// Writes a file in place, as Obsidian does, making its folders.
    #[track_caller]
    pub fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) {
        self.make_parent(relative);
        fs::write(self.path(relative), bytes).unwrap();
        self.learn(relative);
    }

    /// Writes a temporary file and renames it over the note, as many editors and sync clients do.
    #[track_caller]
    pub fn save_by_rename(&self, relative: &str, bytes: impl AsRef<[u8]>) {
        self.make_parent(relative);
        let temporary = self.path(&format!("{relative}.tmp"));
        fs::write(&temporary, bytes).unwrap();
        fs::rename(temporary, self.path(relative)).unwrap();
        self.learn(relative);
    }

    /// Removes a file or a folder with all it holds.
    #[track_caller]
    pub fn remove(&self, relative: &str) {
        let path = self.path(relative);
        if fs::symlink_metadata(&path).unwrap().is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
        self.relearn();
    }

    /// Renames a file or a folder.
    #[track_caller]
    pub fn rename(&self, from: &str, to: &str) {
        self.make_parent(to);
        fs::rename(self.path(from), self.path(to)).unwrap();
        self.relearn();
    }

    /// Sets a file's modification time.
    #[track_caller]
    pub fn set_modified(&self, relative: &str, time: SystemTime) {
        fs::File::options().write(true).open(self.path(relative)).unwrap().set_modified(time).unwrap();
    }

    /// Takes what another program did to the folder as meant.
    pub fn accept(&self) {
        self.relearn();
    }

    /// All that is in the folder, with its bytes and its modification time: what a call that must change
    /// nothing leaves equal.
    #[track_caller]
    pub fn state(&self) -> VaultState {
        let modified =
            |path: &PathBuf| fs::symlink_metadata(self.root.join(path)).unwrap().modified().unwrap();
        let found = self.scan().into_iter().map(|(path, entry)| (path.clone(), (entry, modified(&path))));
        VaultState { entries: found.collect(), root: fs::metadata(&self.root).unwrap().modified().unwrap() }
    }

    /// Every file that nobody hides, by its path, with its text.
    #[track_caller]
    pub fn files(&self) -> BTreeMap<String, String> {
        let found = self.scan().into_iter().filter(|(_, entry)| matches!(entry, Entry::File(..)));
        let shown = found.map(|(path, _)| path.to_str().unwrap().to_owned());
        let shown = shown.filter(|path| !path.split('/').any(|segment| segment.starts_with('.')));
        shown.map(|path| (path.clone(), String::from_utf8(self.read(&path)).unwrap())).collect()
    }

    /// A file's bytes.
    #[track_caller]
    pub fn read(&self, relative: &str) -> Vec<u8> {
        fs::read(self.path(relative)).unwrap()
    }

    /// Asserts that the folder holds what the tests put there and nothing else.
    #[track_caller]
    pub(crate) fn assert_untouched(&self) {
        let (found, known) = (self.scan(), self.known().clone());
        let extra: Vec<_> = found.keys().filter(|path| !known.contains_key(*path)).collect();
        let missing: Vec<_> = known.keys().filter(|path| !found.contains_key(*path)).collect();
        let changed: Vec<_> =
            known.iter().filter(|(path, entry)| found.get(*path).is_some_and(|now| now != *entry)).collect();
        assert!(
            extra.is_empty() && missing.is_empty() && changed.is_empty(),
            "the vault was touched: new {extra:?}, gone {missing:?}, changed {changed:?}"
        );
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Entry>> {
        self.known.lock().unwrap()
    }

    fn make_parent(&self, relative: &str) {
        fs::create_dir_all(self.path(relative).parent().unwrap()).unwrap();
    }

    fn learn(&self, relative: &str) {
        let mut known = self.known();
        let relative = Path::new(relative);
        known.insert(relative.to_path_buf(), entry(&self.root.join(relative)));
        for folder in relative.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
            known.entry(folder.to_path_buf()).or_insert(Entry::Folder);
        }
    }

    fn relearn(&self) {
        let found = self.scan();
        *self.known() = found;
    }

    fn scan(&self) -> BTreeMap<PathBuf, Entry> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            for child in fs::read_dir(&folder).unwrap().map(|child| child.unwrap().path()) {
                let entry = entry(&child);
                found.insert(child.strip_prefix(&self.root).unwrap().to_path_buf(), entry.clone());
                if entry == Entry::Folder {
                    folders.push(child);
                }
            }
        }
        found
    }
}

fn entry(path: &Path) -> Entry {
    let kind = fs::symlink_metadata(path).unwrap().file_type();
    if kind.is_symlink() {
        Entry::Link(fs::read_link(path).unwrap())
    } else if kind.is_dir() {
        Entry::Folder
    } else if kind.is_file() {
        let bytes = fs::read(path).unwrap();
        let mut hasher = DefaultHasher::new();
        hasher.write(&bytes);
        Entry::File(bytes.len(), hasher.finish())
    } else {
        Entry::Other
    }
}
