//! What the tests of the write path share.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use jiff::Timestamp;
use vault::{
    Caller, Change, ChangeListener, Faults, Journal, JournalOptions, LinkSource, ListenerError, Lock,
    Principal, Protection, WriteError, WriteOptions, Writer, WriterClock, WriterOptions, Written,
};

use super::*;

/// Where the clock of the tests begins, in milliseconds since 1970.
pub(super) const START: i64 = 1_790_000_000_000;

/// Hears of changes.
#[derive(Default)]
pub(super) struct Listener(pub(super) Mutex<Vec<Change>>);

impl ChangeListener for Listener {
    fn changed(&self, changes: &[Change]) -> Result<(), ListenerError> {
        self.0.lock().unwrap().extend_from_slice(changes);
        Ok(())
    }
}

/// Knows of no links, so that every file is looked at.
struct NoLinks;

impl LinkSource for NoLinks {
    fn backlinks(&self, _: &VaultPath) -> Result<Vec<VaultPath>, ListenerError> {
        Ok(Vec::new())
    }
}

/// A writer on a fixture, whose journal is beside the vault.
pub(super) struct Writing {
    pub(super) writer: Writer,
    pub(super) listener: Arc<Listener>,
    pub(super) owner: Principal,
    pub(super) now_ms: Arc<AtomicI64>,
}

/// How a writer of the tests is opened.
#[derive(Default)]
pub(super) struct Setup {
    pub(super) faults: Option<Arc<dyn Faults>>,
    pub(super) protection: Option<Protection>,
    pub(super) journal: JournalOptions,
    /// The tests' own clock stands far before every file, so that nothing waits for one to rest.
    pub(super) clock: Option<WriterClock>,
}

impl Fixture {
    /// In memory where there is such a place, for tests that would spend their time waiting for a disk.
    pub(super) fn in_memory() -> Self {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let fixture = Self { folder: folder.unwrap() };
        fs::create_dir(fixture.root()).unwrap();
        fixture
    }

    pub(super) fn journal_path(&self) -> PathBuf {
        self.outside("state/journal.db")
    }

    pub(super) fn writing(&self) -> Writing {
        self.writing_with(Setup::default()).unwrap()
    }

    pub(super) fn writing_with(&self, setup: Setup) -> Result<Writing, WriteError> {
        open(&self.root(), &self.journal_path(), setup)
    }

    #[track_caller]
    pub(super) fn holds(&self, path: &str, expected: &str) {
        let found = fs::read(self.on_disk(path)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert_eq!(found.unwrap(), expected, "{path}");
    }

    #[track_caller]
    pub(super) fn lacks(&self, path: &str) {
        assert!(!self.on_disk(path).exists(), "{path} is there");
    }
}

pub(super) fn open(root: &Path, journal: &Path, setup: Setup) -> Result<Writing, WriteError> {
    let vault = Vault::open(root, VaultOptions::default())?;
    let listener = Arc::<Listener>::default();
    let now_ms = Arc::new(AtomicI64::new(START));
    let clock = Arc::clone(&now_ms);
    let mut options = WriterOptions::new(Arc::new(move || {
        Timestamp::from_millisecond(clock.fetch_add(1, Ordering::Relaxed)).unwrap()
    }));
    if let Some(clock) = setup.clock {
        options.clock = clock;
    }
    options.faults = setup.faults;
    options.protection = setup.protection.unwrap_or_default();
    let journal = Journal::open(journal, setup.journal)?;
    let told = Arc::clone(&listener) as Arc<dyn ChangeListener>;
    let writer = Writer::open(vault, journal, told, Arc::new(NoLinks), options)?;
    Ok(Writing { writer, listener, owner: Principal::owner("owner"), now_ms })
}

impl Writing {
    pub(super) fn caller(&self) -> Caller<'_> {
        Caller { who: &self.owner, tool: "test" }
    }

    pub(super) fn create(&self, path: &str, text: &str) -> Result<Written, WriteError> {
        self.writer.create(self.caller(), &parse(path), text, &WriteOptions::default())
    }

    /// Replaces the whole text.
    pub(super) fn set(&self, path: &str, text: &str) -> Result<Written, WriteError> {
        self.set_with(path, text, &WriteOptions::default())
    }

    pub(super) fn set_with(
        &self,
        path: &str,
        text: &str,
        options: &WriteOptions,
    ) -> Result<Written, WriteError> {
        let change = |_: &str| Ok((text.to_owned(), ()));
        Ok(self.writer.edit(self.caller(), &parse(path), options, Lock::Wait, change)?.0)
    }

    /// Adds to the end of what is there.
    pub(super) fn append(&self, path: &str, more: &str) -> Result<(), WriteError> {
        let change = |text: &str| Ok((format!("{text}{more}"), ()));
        let options = WriteOptions::default();
        self.writer.edit(self.caller(), &parse(path), &options, Lock::Wait, change).map(drop)
    }

    pub(super) fn delete(&self, path: &str) -> Result<vault::Deleted, WriteError> {
        self.writer.delete(self.caller(), &parse(path), &WriteOptions::default(), false)
    }

    pub(super) fn heard(&self) -> Vec<Change> {
        std::mem::take(&mut self.listener.0.lock().unwrap())
    }
}

#[track_caller]
pub(super) fn parse(path: &str) -> VaultPath {
    VaultPath::parse(path).unwrap()
}

/// Everything below a folder but folders: path and bytes.
pub(super) fn tree(root: &Path) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
    fn add(root: &Path, folder: &Path, found: &mut std::collections::BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                add(root, &path, found);
            } else {
                found
                    .insert(path.strip_prefix(root).unwrap().to_owned(), fs::read(&path).unwrap_or_default());
            }
        }
    }
    let mut found = std::collections::BTreeMap::new();
    add(root, root, &mut found);
    found
}
