//! Changing a file's text, and the checks that every change shares.

use std::sync::Arc;

use markdown::edit::properties;

use crate::decode::Decoding;
use crate::error::VaultError;
use crate::hash::ContentHash;
use crate::path::{FileKind, VaultPath};
use crate::principal::FolderScope;
use crate::read::Existing;
use crate::write::commit::{Operation, What};
use crate::write::error::{EditRefused, WriteError};
use crate::write::locks::{Guard, Lock};
use crate::write::place::Place;
use crate::write::{Caller, WriteOptions, Writer, Written, names};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// How often a path that leads elsewhere each time is followed.
const ATTEMPTS: usize = 3;

impl Writer {
    /// Changes the text of the file at `path` by `change`, which is given the text as it is under the lock,
    /// without its byte order mark. Of a symbolic link the file it leads to is changed. Text that comes
    /// back the same changes nothing.
    ///
    /// # Errors
    /// [`WriteError::Refused`] with what `change` says; one variant per rule else. Nothing was changed then.
    pub fn edit<T>(
        &self,
        caller: Caller<'_>,
        path: &VaultPath,
        options: &WriteOptions,
        lock: Lock,
        change: impl FnOnce(&str) -> Result<(String, T), EditRefused>,
    ) -> Result<(Written, T), WriteError> {
        self.check_rights(caller, path)?;
        let (existing, _lock) = self.existing(caller, path, lock)?;
        self.edit_existing(caller, path, options, existing, change)
    }

    /// As [`Self::edit`], and where there is no file, makes one: `change` is given the text of `new` then.
    /// Whether the file is there is found out under the lock that is held until it is written: of two first
    /// calls that wait, the second changes what the first has made. The journal has one change either way.
    ///
    /// # Errors
    /// As for [`Self::edit`] and [`Self::create`]. [`WriteError::Exists`] only when another program has made
    /// the file at this very moment.
    pub fn edit_or_create<T>(
        &self,
        caller: Caller<'_>,
        path: &VaultPath,
        options: &WriteOptions,
        lock: Lock,
        new: impl FnOnce() -> Result<String, EditRefused>,
        change: impl FnOnce(&str) -> Result<(String, T), EditRefused>,
    ) -> Result<(Written, T), WriteError> {
        self.check_rights(caller, path)?;
        for _ in 0..ATTEMPTS {
            match self.existing(caller, path, lock) {
                Err(WriteError::Vault(error)) if error.is_not_found() => {}
                Ok((existing, _lock)) => return self.edit_existing(caller, path, options, existing, change),
                Err(error) => return Err(error),
            }
            let place = match Place::of(&self.vault, path) {
                // Somebody made it meanwhile.
                Err(WriteError::Exists { .. }) => continue,
                other => other?,
            };
            let _lock = self.lock(vec![place.path.key()], lock)?;
            let place = match Place::of(&self.vault, path) {
                Err(WriteError::Exists { .. }) => continue,
                other => other?,
            };
            let (text, answer) = change(&new()?)?;
            return Ok((self.create_at(caller, path, place, &text, options)?, answer));
        }
        Err(WriteError::ChangedMeanwhile { path: path.as_str().to_owned() })
    }

    /// Changes a file whose lock is held.
    fn edit_existing<T>(
        &self,
        caller: Caller<'_>,
        path: &VaultPath,
        options: &WriteOptions,
        existing: Existing,
        change: impl FnOnce(&str) -> Result<(String, T), EditRefused>,
    ) -> Result<(Written, T), WriteError> {
        self.check_expected(path, &existing.bytes, options)?;
        let (text, decoding) = crate::decode::decode(&existing.bytes);
        if !decoding.is_utf8() {
            return Err(WriteError::NotText { path: path.as_str().to_owned(), decoding });
        }
        let (changed, answer) = change(&text)?;
        names::check_text(path, &text, &changed)?;
        if existing.path.kind() == FileKind::Note {
            properties::guard_change(&text, &changed)?;
        }
        let mark = if decoding == Decoding::Utf8Bom { BYTE_ORDER_MARK } else { b"" };
        let bytes: Arc<[u8]> = [mark, changed.as_bytes()].concat().into();
        if *bytes == *existing.bytes {
            let hash = ContentHash::of(&bytes);
            let (before, after, diff) = (Some(hash), Some(hash), options.dry_run.then(String::new));
            let written = Written { path: existing.path, before, after, change: None, diff, index: Ok(()) };
            return Ok((written, answer));
        }
        let what = What::Edit { existing, bytes };
        let operation = Operation { what, summary: options.summary.clone(), undoes: Vec::new() };
        Ok((self.make(caller, &operation, options)?, answer))
    }

    /// Makes one change, or says what it would be.
    pub(crate) fn make(
        &self,
        caller: Caller<'_>,
        operation: &Operation,
        options: &WriteOptions,
    ) -> Result<Written, WriteError> {
        if options.dry_run {
            return Ok(self.rehearse(operation));
        }
        let rehearsed = || self.rehearse(operation);
        let written = self.commit(caller, std::slice::from_ref(operation))?;
        Ok(written.into_iter().next().map_or_else(rehearsed, |(written, _)| written))
    }

    /// The file at `path`, read under its lock.
    pub(crate) fn existing(
        &self,
        caller: Caller<'_>,
        path: &VaultPath,
        lock: Lock,
    ) -> Result<(Existing, Guard<'_>), WriteError> {
        for _ in 0..ATTEMPTS {
            let key = self.vault.real_path(path)?.key();
            let guard = self.lock(vec![key.clone()], lock)?;
            let existing = self.read_settled(path)?;
            // A link that leads elsewhere since its key was taken.
            if existing.path.key() == key {
                self.check_real(caller, &existing.path, path)?;
                if existing.stat.links > 1 {
                    let (path, links) = (path.as_str().to_owned(), existing.stat.links);
                    return Err(WriteError::HardLinked { path, links });
                }
                return Ok((existing, guard));
            }
        }
        Err(WriteError::ChangedMeanwhile { path: path.as_str().to_owned() })
    }

    /// Holds `keys` in this process and against all others. Who holds some must not ask for more. Another
    /// process is waited for in either case: what it is doing takes milliseconds, and what is then found is
    /// looked at under the lock.
    pub(crate) fn lock(&self, keys: Vec<String>, lock: Lock) -> Result<Guard<'_>, WriteError> {
        let guard = self.locks.take(keys, lock).map_err(|path| WriteError::Busy { path })?;
        match self.journal.lock_keys(guard.keys(), true)? {
            Some(others) => Ok(guard.against_others(others)),
            None => Err(WriteError::Busy { path: guard.keys().first().cloned().unwrap_or_default() }),
        }
    }

    /// Whether the caller may change `path` at all.
    pub(crate) fn check_rights(&self, caller: Caller<'_>, path: &VaultPath) -> Result<(), WriteError> {
        if !caller.who.rights.write {
            return Err(WriteError::Forbidden { action: "change" });
        }
        self.check_scope(caller, path)
    }

    /// Whether the caller may know of `path`, by its name and by where links on the way to it lead. The refusal
    /// is the same whatever is there, and names nothing but what was asked for.
    pub(crate) fn check_scope(&self, caller: Caller<'_>, path: &VaultPath) -> Result<(), WriteError> {
        self.check_real(caller, path, path)?;
        if caller.who.folders == FolderScope::All {
            return Ok(());
        }
        let mut folder = path.folder();
        while let Ok(Some(above)) = VaultPath::parse_folder(folder) {
            if !caller.who.sees_all_in(Some(&above)) {
                break;
            }
            match self.vault.real_folder(&above) {
                Ok(real) if caller.who.sees_all_in(real.as_ref()) => break,
                Ok(_) => return Err(WriteError::OutOfScope { path: path.as_str().to_owned() }),
                Err(_) => folder = folder.rsplit_once('/').map_or("", |(above, _)| above),
            }
        }
        Ok(())
    }

    /// Whether the caller may know of `real`, which is where `asked` leads.
    pub(crate) fn check_real(
        &self,
        caller: Caller<'_>,
        real: &VaultPath,
        asked: &VaultPath,
    ) -> Result<(), WriteError> {
        if caller.who.sees(real) {
            return Ok(());
        }
        Err(WriteError::OutOfScope { path: asked.as_str().to_owned() })
    }

    pub(crate) fn check_expected(
        &self,
        path: &VaultPath,
        bytes: &[u8],
        options: &WriteOptions,
    ) -> Result<(), WriteError> {
        let Some(expected) = options.expected_hash else { return Ok(()) };
        let found = ContentHash::of(bytes);
        if found == expected { Ok(()) } else { Err(self.stale(path, expected, Some(found))) }
    }

    /// The refusal of a change that was decided on an older state, with what came between.
    pub(crate) fn stale(
        &self,
        path: &VaultPath,
        expected: ContentHash,
        found: Option<ContentHash>,
    ) -> WriteError {
        let key = self.vault.real_path(path).map_or_else(|_| path.key(), |real| real.key());
        let newest = self.journal.newest_of(&key).ok().flatten();
        let by = newest.filter(|change| change.after == found).map(|change| {
            let (id, tool, who, at) = (change.id, &change.tool, &change.principal, change.at);
            format!("change {id} came between: {tool} by {who} at {at}, {}", change.summary)
        });
        WriteError::Stale { path: path.as_str().to_owned(), expected, found, by }
    }
}

/// Whether nothing is there.
pub(crate) fn or_nothing(found: Result<Existing, VaultError>) -> Result<Option<Existing>, VaultError> {
    match found {
        Ok(existing) => Ok(Some(existing)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}
