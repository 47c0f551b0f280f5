//! Deleting a file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, unlinkat};

use crate::folder::Folder;
use crate::path::VaultPath;
use crate::read::relative_vault_path;
use crate::trash::{self, TRASH_FOLDER};
use crate::write::commit::{Operation, What};
use crate::write::error::WriteError;
use crate::write::locks::Lock;
use crate::write::place::{Place, is_link};
use crate::write::steps::Step;
use crate::write::{Caller, WriteOptions, Writer, Written};

/// What became of a deleted file.
#[derive(Debug)]
pub struct Deleted {
    /// The change.
    pub written: Written,
    /// Where the file is now, such as `.trash/Note 2.md`; `None` when Obsidian's setting is to keep nothing
    /// (the journal still has it), and for a dry run.
    pub trashed: Option<String>,
    /// Folders that were empty then and were removed, innermost first.
    pub pruned: Vec<VaultPath>,
}

impl Writer {
    /// Deletes the file at `path` the way Obsidian is set to, and with `prune_empty_folders` the folders
    /// that are empty then.
    ///
    /// # Errors
    /// One variant per rule; nothing was changed then.
    pub fn delete(
        &self,
        caller: Caller<'_>,
        path: &VaultPath,
        options: &WriteOptions,
        prune_empty_folders: bool,
    ) -> Result<Deleted, WriteError> {
        if !caller.who.rights.delete {
            return Err(WriteError::Forbidden { action: "delete" });
        }
        self.check_scope(caller, path)?;
        self.options.protection.check(&self.vault, path)?;
        if is_link(&self.vault, path)? {
            let real = self.vault.real_path(path)?;
            if !caller.who.sees(&real) {
                return Err(WriteError::OutOfScope { path: path.as_str().to_owned() });
            }
            let real = real.as_str().to_owned();
            return Err(WriteError::Linked { path: path.as_str().to_owned(), real });
        }
        let (existing, _lock) = self.existing(caller, path, Lock::FailFast)?;
        self.options.protection.check(&self.vault, &existing.path)?;
        self.check_expected(path, &existing.bytes, options)?;
        let folder = existing.real.parent().unwrap_or(Path::new("")).to_owned();
        let name = existing.name.clone();
        let trash = self.vault.settings().app().or_default().trash;
        let what = What::Delete { existing, trash };
        let operation = Operation { what, summary: options.summary.clone(), undoes: Vec::new() };
        if options.dry_run {
            let written = self.rehearse(&operation);
            let pruned = if prune_empty_folders { self.would_prune(folder, &name, None) } else { Vec::new() };
            return Ok(Deleted { written, trashed: None, pruned });
        }
        let rehearsed = || (self.rehearse(&operation), None);
        let committed = self.commit(caller, std::slice::from_ref(&operation))?;
        let (written, name) = committed.into_iter().next().unwrap_or_else(rehearsed);
        let trashed = name.map(|name| format!("{TRASH_FOLDER}/{name}"));
        let pruned = if prune_empty_folders { self.prune(folder) } else { Vec::new() };
        Ok(Deleted { written, trashed, pruned })
    }

    /// Removes the folder at `folder` (on disk, relative to the vault) if it is empty, and then the one
    /// above it. What cannot be removed stays; nothing is lost by that.
    pub(crate) fn prune(&self, mut folder: PathBuf) -> Vec<VaultPath> {
        let mut pruned = Vec::new();
        while let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) {
            let removed = self.steps.before(Step::RemoveFolder).and_then(|()| {
                let parent = Folder::open(self.vault.root())?.enter_below(parent)?;
                Ok(unlinkat(&parent, name, AtFlags::REMOVEDIR)?)
            });
            if removed.is_err() {
                break;
            }
            pruned.extend(relative_vault_path(&folder));
            folder = parent.to_owned();
        }
        pruned
    }

    /// What [`Self::prune`] would remove once `leaving` has left the folder, for another place if there is one.
    pub(crate) fn would_prune(
        &self,
        mut folder: PathBuf,
        leaving: &OsStr,
        place: Option<&Place>,
    ) -> Vec<VaultPath> {
        let (mut pruned, mut leaving) = (Vec::new(), leaving.to_owned());
        while let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) {
            let names = Folder::open(self.vault.root())
                .and_then(|root| root.enter_below(&folder))
                .and_then(|inner| inner.names());
            let is_empty = names.is_ok_and(|names| names.iter().all(|(name, _)| *name == leaving));
            if !is_empty || place.is_some_and(|place| place.first_new().0.starts_with(&folder)) {
                break;
            }
            pruned.extend(relative_vault_path(&folder));
            leaving = name.to_owned();
            folder = parent.to_owned();
        }
        pruned
    }

    /// Removes from the trash what this server moved there longer ago than it is to be kept, when it is
    /// still the very file; answers how many files that were. What anybody else put there stays.
    ///
    /// # Errors
    /// The journal's.
    pub fn sweep_trash(&self) -> Result<usize, WriteError> {
        let days = i64::from(self.options.trash_retention_days);
        let before = self.now_ms() - days * 24 * 60 * 60 * 1000;
        let _trash = self.lock_trash();
        let old = self.journal.trashed_before(before)?;
        if old.is_empty() {
            return Ok(0);
        }
        let (removed, settled) = trash::sweep(self.vault.root(), &old, &self.steps);
        self.journal.forget_trashed(settled)?;
        Ok(removed)
    }
}
