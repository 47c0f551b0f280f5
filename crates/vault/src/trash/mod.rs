//! Obsidian's trash.

/// The folder of the vault that holds what was deleted.
pub(crate) const TRASH_FOLDER: &str = ".trash";
