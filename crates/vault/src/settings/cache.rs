//! What was read of a settings file, and the state the file had then.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use markdown::tasks;

use super::app::AppFile;
use super::daily::DailyNotesFile;
use super::error::SettingsError;
use super::types::PropertyTypes;
use crate::error::VaultError;
use crate::folder::FileStat;
use crate::hash::ContentHash;
use crate::read::Vault;

/// The longest settings file that is read, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// How old a change must be, in nanoseconds, before the time of the change tells it from the next one: file
/// systems stamp changes with a granularity of some milliseconds up to two seconds.
const SETTLED_AFTER: i128 = 2_000_000_000;

/// A settings file as it was found.
#[derive(Debug)]
pub enum Loaded<T> {
    /// There is none.
    Missing,
    /// What it says.
    Read(Arc<T>),
    /// It is there and cannot be used.
    Unreadable(Arc<SettingsError>),
}

impl<T> Clone for Loaded<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Missing => Self::Missing,
            Self::Read(value) => Self::Read(Arc::clone(value)),
            Self::Unreadable(error) => Self::Unreadable(Arc::clone(error)),
        }
    }
}

impl<T: Default> Loaded<T> {
    /// What the file says, else the defaults.
    #[must_use]
    pub fn or_default(self) -> Arc<T> {
        match self {
            Self::Read(value) => value,
            Self::Missing | Self::Unreadable(_) => Arc::default(),
        }
    }
}

/// The settings files that are read, one place for each.
#[derive(Debug, Default)]
pub(crate) struct SettingsCache {
    pub(super) app: Slot<AppFile>,
    pub(super) daily_notes: Slot<DailyNotesFile>,
    pub(super) types: Slot<PropertyTypes>,
    pub(super) tasks: Slot<tasks::Settings>,
}

/// What is kept of one file.
#[derive(Debug)]
pub(super) struct Slot<T>(Mutex<Option<Kept<T>>>);

#[derive(Debug)]
struct Kept<T> {
    /// The file's state when it was read; `None` when it could not be.
    stat: Option<FileStat>,
    /// The bytes' hash; `None` when they could not be read.
    hash: Option<ContentHash>,
    /// Whether an equal state means equal bytes.
    settled: bool,
    loaded: Loaded<T>,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> Slot<T> {
    /// The file `name` of `.obsidian/`, read again when it changed. A fault is logged once per change.
    pub(super) fn load(
        &self,
        vault: &Vault,
        name: &str,
        parse: impl Fn(&[u8]) -> Result<T, SettingsError>,
    ) -> Loaded<T> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let stat = match vault.stat_config(name) {
            Ok(Some(stat)) => stat,
            Ok(None) => {
                *kept = None;
                return Loaded::Missing;
            }
            Err(error) => return unreadable(&mut kept, name, None, &error),
        };
        if let Some(known) = kept.as_ref().filter(|known| known.settled && known.stat == Some(stat)) {
            return known.loaded.clone();
        }
        let settled = is_settled(&stat);
        if stat.size > MAX_BYTES {
            let error = SettingsError::TooLarge { bytes: stat.size, limit: MAX_BYTES };
            return failed(
                &mut kept,
                name,
                Kept { stat: Some(stat), hash: None, settled, loaded: of(error) },
            );
        }
        let bytes = match vault.read_config(name) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => {
                *kept = None;
                return Loaded::Missing;
            }
            Err(error) => return unreadable(&mut kept, name, Some(stat), &error),
        };
        let hash = ContentHash::of(&bytes);
        if let Some(known) = kept.as_mut().filter(|known| known.hash.as_ref() == Some(&hash)) {
            (known.stat, known.settled) = (Some(stat), settled);
            return known.loaded.clone();
        }
        let new = |loaded| Kept { stat: Some(stat), hash: Some(hash), settled, loaded };
        match parse(&bytes) {
            Ok(value) => kept.insert(new(Loaded::Read(Arc::new(value)))).loaded.clone(),
            Err(error) => failed(&mut kept, name, new(of(error))),
        }
    }
}

fn of<T>(error: SettingsError) -> Loaded<T> {
    Loaded::Unreadable(Arc::new(error))
}

/// The file could not be read. Permissions can change without a trace in the time of the change, so this is
/// never taken for settled.
fn unreadable<T>(
    kept: &mut Option<Kept<T>>,
    name: &str,
    stat: Option<FileStat>,
    error: &VaultError,
) -> Loaded<T> {
    let error = of(SettingsError::Unreadable(error.to_string()));
    failed(kept, name, Kept { stat, hash: None, settled: false, loaded: error })
}

/// Keeps the failure and logs it, unless it is the one that is known.
fn failed<T>(kept: &mut Option<Kept<T>>, name: &str, new: Kept<T>) -> Loaded<T> {
    if let Loaded::Unreadable(error) = &new.loaded {
        let known = kept.as_ref().is_some_and(|known| {
            known.hash == new.hash
                && known.stat == new.stat
                && matches!(&known.loaded, Loaded::Unreadable(known) if known == error)
        });
        if !known {
            tracing::warn!(
                file.path = format!(".obsidian/{name}"),
                error.message = error.to_string(),
                "settings file cannot be read: taking the defaults"
            );
        }
    }
    kept.insert(new).loaded.clone()
}

#[expect(clippy::disallowed_methods, reason = "whether a time stamp is fresh is only known by the clock")]
fn is_settled(stat: &FileStat) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
    i128::try_from(now).unwrap_or(0) - i128::from(stat.modified_ns) > SETTLED_AFTER
}
