//! Files that another program is just writing.
//!
//! A program that saves in place empties the file first. Who reads it then reads nothing, or a part, and
//! would write that back. So a file that was modified a moment ago by somebody else is read again, until it
//! has rested.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::error::VaultError;
use crate::folder::FileStat;
use crate::path::VaultPath;
use crate::read::Existing;
use crate::write::Writer;
use crate::write::error::WriteError;

/// How long a file must have rested: a program writes one piece after the other in far less.
const REST: Duration = Duration::from_millis(50);
/// The same for a file with nothing in it, which is what a save in place looks like at its beginning.
const REST_OF_EMPTY: Duration = Duration::from_millis(400);
/// How often a file is read before the call gives up.
const ATTEMPTS: usize = 12;
/// How many files are remembered.
const MOST: usize = 4096;

/// The files as this process left them, which need no rest.
#[derive(Debug, Default)]
pub(crate) struct OwnWrites(Mutex<HashMap<(u64, u64), FileStat>>);

impl OwnWrites {
    /// Remembers a file that was just written.
    pub(crate) fn add(&self, stat: FileStat) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(stat.identity, stat);
    }

    fn has(&self, stat: &FileStat) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .get(&stat.identity)
            .is_some_and(|known| (known.modified_ns, known.size) == (stat.modified_ns, stat.size))
    }
}

impl Writer {
    /// The file at `path` once nobody is writing into it.
    pub(crate) fn read_settled(&self, path: &VaultPath) -> Result<Existing, WriteError> {
        for _ in 0..ATTEMPTS {
            let existing = self.vault.read_to_change(path)?;
            let Some(missing) = self.unrested(&existing) else { return Ok(existing) };
            std::thread::sleep(missing);
        }
        Err(WriteError::ChangedMeanwhile { path: path.as_str().to_owned() })
    }

    /// The same; `None` when there is no file.
    pub(crate) fn read_settled_or_nothing(&self, path: &VaultPath) -> Result<Option<Existing>, WriteError> {
        match self.read_settled(path) {
            Ok(existing) => Ok(Some(existing)),
            Err(WriteError::Vault(error)) if VaultError::is_not_found(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// How long the file must still rest; `None` when it has. A time in the future says nothing, since the
    /// clocks of file servers differ.
    fn unrested(&self, existing: &Existing) -> Option<Duration> {
        let rest = if existing.bytes.is_empty() { REST_OF_EMPTY } else { REST };
        let now = (self.options.clock)().as_nanosecond();
        let age = u64::try_from(now - i128::from(existing.stat.modified_ns)).ok()?;
        let missing = rest.checked_sub(Duration::from_nanos(age)).filter(|missing| !missing.is_zero())?;
        (!self.own_writes.has(&existing.stat)).then_some(missing)
    }
}
