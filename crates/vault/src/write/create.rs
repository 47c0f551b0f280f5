//! Making a file.

use std::sync::Arc;

use markdown::edit::properties;

use crate::path::{FileKind, VaultPath};
use crate::write::commit::{Operation, What};
use crate::write::error::WriteError;
use crate::write::locks::Lock;
use crate::write::place::Place;
use crate::write::{Caller, WriteOptions, Writer, Written, names};

impl Writer {
    /// Makes the file `path` with this text, and the folders that are missing on the way to it. A file that
    /// is there is never overwritten, whoever made it and when.
    ///
    /// # Errors
    /// [`WriteError::Exists`] when anything has the name; one variant per rule else. Nothing was made then.
    pub fn create(
        &self,
        caller: Caller<'_>,
        path: &VaultPath,
        text: &str,
        options: &WriteOptions,
    ) -> Result<Written, WriteError> {
        self.check_rights(caller, path)?;
        let key = Place::of(&self.vault, path)?.path.key();
        let _lock = self.lock(vec![key], Lock::Wait)?;
        let place = Place::of(&self.vault, path)?;
        self.create_at(caller, path, place, text, options)
    }

    /// Makes a file whose lock is held.
    pub(crate) fn create_at(
        &self,
        caller: Caller<'_>,
        path: &VaultPath,
        place: Place,
        text: &str,
        options: &WriteOptions,
    ) -> Result<Written, WriteError> {
        names::check_new(path)?;
        names::check_text(path, "", text)?;
        self.check_real(caller, &place.path, path)?;
        names::check_twin(&self.vault, &place, None)?;
        if let Some(expected) = options.expected_hash {
            return Err(self.stale(path, expected, None));
        }
        if place.path.kind() == FileKind::Note {
            properties::guard(text)?;
        }
        let what = What::Create { place, bytes: Arc::from(text.as_bytes()), permissions: None };
        let operation = Operation { what, summary: options.summary.clone(), undoes: Vec::new() };
        self.make(caller, &operation, options)
    }
}
