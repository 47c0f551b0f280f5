//! Whether the vault knows every name a file has.
//!
//! A file with a hard link outside the vault may be any file of the machine that somebody linked into it,
//! so it is not read. What counts is names that the vault shows: a second name in a hidden folder is as
//! foreign as one elsewhere.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::folder::{FileStat, Folder};

/// Device and inode.
pub(crate) type Identity = (u64, u64);
/// The names of every file that has more than one link, relative to the vault.
pub(crate) type Names = HashMap<Identity, Vec<PathBuf>>;

/// What the last walk has learnt. It is believed only after a look at the names.
#[derive(Debug, Default)]
pub(crate) struct HardLinks {
    names: Mutex<Names>,
    /// Names of files that were found to have other names than before.
    changed: Mutex<BTreeSet<PathBuf>>,
}

impl HardLinks {
    /// Replaces what is known with what a walk of the whole vault found.
    pub(crate) fn learn(&self, names: Names) {
        let mut known = self.lock();
        let mut changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        for (identity, before) in known.iter() {
            let now = names.get(identity).map_or(&[][..], Vec::as_slice);
            if before.len() != now.len() || before.iter().any(|name| !now.contains(name)) {
                changed.extend(before.iter().chain(now).cloned());
            }
        }
        *known = names;
    }

    /// The names of files that have other names than before, each told once.
    pub(crate) fn take_changed(&self) -> BTreeSet<PathBuf> {
        std::mem::take(&mut *self.changed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How many names the vault has for a file of several links, as far as `stat.links`; `walk` finds the
    /// names anew when the known ones are not enough.
    pub(crate) fn seen(
        &self,
        root: &Path,
        stat: &FileStat,
        walk: impl FnOnce() -> io::Result<Names>,
    ) -> io::Result<u64> {
        let folder = Folder::open(root)?;
        let known = self.lock().get(&stat.identity).cloned().unwrap_or_default();
        let seen = still_there(&folder, stat.identity, &known);
        if seen >= stat.links {
            return Ok(seen);
        }
        self.learn(walk()?);
        let known = self.lock().get(&stat.identity).cloned().unwrap_or_default();
        Ok(still_there(&folder, stat.identity, &known))
    }

    /// The other names of the file that had the name `wanted` when its names were last found.
    pub(crate) fn others(&self, wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
        let names = self.lock();
        let Some(names) = names.values().find(|names| names.iter().any(|name| wanted(name))) else {
            return Vec::new();
        };
        names.iter().filter(|name| !wanted(name)).cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, Names> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn still_there(folder: &Folder, identity: Identity, names: &[PathBuf]) -> u64 {
    let is_it = |name: &&PathBuf| folder.entry_below(name).is_ok_and(|entry| entry.stat.identity == identity);
    names.iter().filter(is_it).count() as u64
}
