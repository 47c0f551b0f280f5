//! A vault's own writer with the index behind it, as the server has them.

use std::sync::Arc;

use jiff::Timestamp;
use search::{Index, IndexOptions};
use vault::{
    Caller, Journal, JournalOptions, LinkSource, Moved, Principal, WriteError, WriteOptions, Writer,
    WriterOptions,
};

use crate::harness::{Disk, owner, path};

/// A writer whose listener is an index.
pub(crate) struct Writing {
    pub(crate) index: Index,
    pub(crate) writer: Writer,
    pub(crate) who: Principal,
}

impl Disk {
    /// A writer over an index that is equal to the vault.
    pub(crate) fn writing(&self) -> Writing {
        self.writing_over(self.indexed())
    }

    /// A writer over an index with these options, that is empty as yet.
    pub(crate) fn writing_with(&self, options: IndexOptions) -> Writing {
        self.writing_over(self.open_with(options))
    }

    pub(crate) fn writing_over(&self, index: Index) -> Writing {
        let links = Arc::new(index.clone());
        self.writing_of(index, links)
    }

    /// A writer that asks `links` who links to a file.
    pub(crate) fn writing_of(&self, index: Index, links: Arc<dyn LinkSource>) -> Writing {
        let journal = self.database().with_file_name("journal.db");
        let journal = Journal::open(&journal, JournalOptions::default()).expect("a journal");
        let options = WriterOptions::new(Arc::new(Timestamp::now));
        let listener = Arc::new(index.clone());
        let writer = Writer::open(self.vault(), journal, listener, links, options);
        Writing { index, writer: writer.expect("the vault opens for writing"), who: owner() }
    }

    #[track_caller]
    pub(crate) fn holds(&self, path: &str, expected: &str) {
        let found = std::fs::read_to_string(self.root().join(path)).expect(path);
        assert_eq!(found, expected, "{path}");
    }
}

impl Writing {
    pub(crate) fn caller(&self) -> Caller<'_> {
        Caller { who: &self.who, tool: "test" }
    }

    #[track_caller]
    pub(crate) fn rename(&self, from: &str, to: &str) -> Moved {
        self.try_rename(from, to, false).expect("a note is moved")
    }

    pub(crate) fn try_rename(&self, from: &str, to: &str, dry_run: bool) -> Result<Moved, WriteError> {
        let options = WriteOptions { dry_run, ..WriteOptions::default() };
        self.writer.move_note(self.caller(), &path(from), &path(to), &options, false)
    }
}

/// The files a move changed beside the one that moved.
pub(crate) fn updated(moved: &Moved) -> Vec<&str> {
    moved.updated.iter().map(|written| written.path.as_str()).collect()
}
