//! The write path: everything that changes the vault goes through [`Writer`].
//!
//! A change is checked (rights, names, what the caller expects to be there), written down in the journal,
//! made in one step that nobody can see half of, written down as done, and told to the listener before the
//! call returns. A process can die between any two of these; the next start finds out what became of it.

mod attributes;
mod commit;
mod create;
mod delete;
pub(crate) mod diff;
pub(crate) mod displace;
mod edit;
mod error;
mod leftovers;
mod locks;
mod merge;
mod moves;
mod names;
mod place;
mod protect;
mod repair;
mod respell;
mod settled;
mod steps;
mod temporary;
mod undo;

use std::sync::Arc;

use jiff::Timestamp;

use crate::folder::Folder;
use crate::hash::ContentHash;
use crate::journal::{ChangeId, ChangeRecord, HistoryFilter, HistoryPage, Journal, JournalError};
use crate::locate::root_lost;
use crate::path::VaultPath;
use crate::principal::Principal;
use crate::read::Vault;
use crate::traits::{ChangeListener, LinkSource, ListenerError};
use locks::Locks;
use settled::OwnWrites;
use steps::Steps;

pub use delete::Deleted;
pub use error::{EditRefused, WriteError};
pub use locks::Lock;
pub use moves::Moved;
pub use protect::Protection;
pub use steps::{Faults, Step};
pub use undo::{Undo, UndoOptions, Undone};

pub(crate) use place::make_folder;
pub(crate) use steps::Steps as WriteSteps;
pub(crate) use temporary::{Permissions, Temporary, sync_folder};

/// Tells the time.
pub type WriterClock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// How a writer is opened.
#[derive(Clone)]
pub struct WriterOptions {
    /// The clock, for the journal and the trash.
    pub clock: WriterClock,
    /// Which folders nothing is deleted in.
    pub protection: Protection,
    /// How long what the server moved to the trash stays there, in days.
    pub trash_retention_days: u32,
    /// Makes steps fail; for tests.
    pub faults: Option<Arc<dyn Faults>>,
}

impl WriterOptions {
    /// Options with the usual values for everything but the clock.
    #[must_use]
    pub fn new(clock: WriterClock) -> Self {
        Self { clock, protection: Protection::default(), trash_retention_days: 30, faults: None }
    }
}

/// Who changes something, and by which tool.
#[derive(Debug, Clone, Copy)]
pub struct Caller<'a> {
    /// Rights, folders, and the name in the journal.
    pub who: &'a Principal,
    /// The tool's name, for the journal.
    pub tool: &'a str,
}

/// What every change can be asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// Answer with the difference and change nothing.
    pub dry_run: bool,
    /// Refuse unless the file is this.
    pub expected_hash: Option<ContentHash>,
    /// What the journal says of the change; a count of lines when `None`.
    pub summary: Option<String>,
}

/// What became of one file.
#[derive(Debug)]
pub struct Written {
    /// The file's real path.
    pub path: VaultPath,
    /// Its hash before; `None` when there was none.
    pub before: Option<ContentHash>,
    /// Its hash afterwards; `None` when there is none.
    pub after: Option<ContentHash>,
    /// The change in the journal; `None` when nothing was changed.
    pub change: Option<ChangeId>,
    /// The difference, for a dry run.
    pub diff: Option<String>,
    /// Whether the listener took note. The change stands even when it did not.
    pub index: Result<(), ListenerError>,
}

/// The one thing that changes a vault. Calls block; any number may run at once.
pub struct Writer {
    vault: Vault,
    journal: Journal,
    listener: Arc<dyn ChangeListener>,
    links: Arc<dyn LinkSource>,
    locks: Locks,
    options: WriterOptions,
    steps: Steps,
    own_writes: OwnWrites,
}

impl Writer {
    /// Opens a vault for writing: finds out what became of changes that killed processes had begun, and
    /// drops old ones from the journal. Who is alone with the journal also removes the temporary files they
    /// left; beside another process that writes, one of them may be in use.
    ///
    /// # Errors
    /// [`WriteError::Journal`] when the journal lies inside the vault, is in use for another one or cannot be
    /// read.
    pub fn open(
        vault: Vault,
        journal: Journal,
        listener: Arc<dyn ChangeListener>,
        links: Arc<dyn LinkSource>,
        options: WriterOptions,
    ) -> Result<Self, WriteError> {
        if journal.path().starts_with(vault.root()) {
            return Err(JournalError::InsideVault.into());
        }
        let identity =
            Folder::open(vault.root()).and_then(|root| root.itself()).map_err(|error| root_lost(&error))?;
        journal.belong_to(&vault.root().to_string_lossy(), identity.stat.identity)?;
        let removed = if journal.is_alone() { leftovers::remove(vault.root()) } else { 0 };
        if removed > 0 {
            tracing::info!(files = removed, "temporary files of an interrupted write removed");
        }
        let steps = Steps(options.faults.clone());
        let repaired = repair::repair(&vault, &journal, &steps)?;
        if !repaired.is_empty()
            && let Err(error) = listener.changed(&repaired)
        {
            tracing::warn!(error = %error, "the index was not told of interrupted changes that were settled");
        }
        journal.share()?;
        journal.retain_if_due((options.clock)().as_millisecond());
        Ok(Self {
            vault,
            journal,
            listener,
            links,
            locks: Locks::default(),
            options,
            steps,
            own_writes: OwnWrites::default(),
        })
    }

    /// The vault.
    #[must_use]
    pub fn vault(&self) -> &Vault {
        &self.vault
    }

    /// The journal.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Changes that `who` may see, newest first.
    ///
    /// # Errors
    /// The journal's.
    pub fn history(&self, who: &Principal, filter: &HistoryFilter) -> Result<HistoryPage, JournalError> {
        self.journal.history(who, filter)
    }

    /// A change and what it did as a unified diff.
    ///
    /// # Errors
    /// [`JournalError::NoSuchChange`] and [`JournalError::Damaged`].
    pub fn diff(&self, who: &Principal, change: ChangeId) -> Result<(ChangeRecord, String), JournalError> {
        self.journal.diff(who, change)
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Writer").field("vault", &self.vault).finish_non_exhaustive()
    }
}
