//! Whose links the index does not know.

use std::collections::HashMap;
use std::sync::Arc;

use vault::{FileKind, FoundFile, VaultPath};

use super::look::{Known, is_fresh};
use crate::core::Core;
use crate::error::SearchError;
use crate::schema::{FRESH, INDEXED};

/// Files that the index knows all links of. Of a long canvas only the beginning is searched, and all links
/// are known.
const READ_WHOLE: &str = "
    SELECT path, size, modified_ns, state FROM files
    WHERE kind IN ('note', 'canvas') AND hash IS NOT NULL
      AND id NOT IN (SELECT file_id FROM problems WHERE kind <> 'searched_in_part')";

/// Notes and canvases that the index has not read as they are.
struct Unread<'a> {
    files: Vec<&'a FoundFile>,
    /// Those of them of which it read what has the same size and time: whether it was the same content is
    /// not known.
    perhaps: Vec<&'a FoundFile>,
}

impl Core {
    /// Of `files` those notes and canvases whose present state the index has not read, or only in part: they
    /// may have links that it does not know. How tasks were read does not matter here.
    ///
    /// Files that were read so soon after a change that a later one can carry the same time are compared
    /// once more, as a reconcile does; when that finds them as they were, they are trusted from then on.
    pub(crate) fn links_unread(self: &Arc<Self>, files: &[FoundFile]) -> Result<Vec<VaultPath>, SearchError> {
        let mut unread = self.not_read(files)?;
        let now = self.now_ns();
        unread.perhaps.retain(|file| !is_fresh(file.stat.modified_ns, now));
        if !unread.perhaps.is_empty() && !self.read_only {
            let mut known = self.known_files(unread.perhaps.iter().map(|file| &file.path))?;
            let with_known = |file: &FoundFile| (file.clone(), known.remove(file.path.as_str()));
            self.read_again(unread.perhaps.into_iter().map(with_known).collect())?;
            unread = self.not_read(files)?;
        }
        Ok(unread.files.into_iter().map(|file| file.path.clone()).collect())
    }

    /// One question, and nothing is allocated for a file that was read: moves ask this of whole vaults.
    fn not_read<'a>(&self, files: &'a [FoundFile]) -> Result<Unread<'a>, SearchError> {
        let with_links =
            files.iter().filter(|file| matches!(file.path.kind(), FileKind::Note | FileKind::Canvas));
        let mut left: HashMap<&str, &FoundFile> = with_links.map(|file| (file.path.as_str(), file)).collect();
        let mut perhaps = Vec::new();
        self.ask(|connection| {
            connection.for_each(READ_WHOLE, &[], |row| {
                let path = row.str(0)?;
                let Some(file) = left.get(path).copied() else { return Ok(()) };
                let known = Known {
                    size: row.get(1)?,
                    modified_ns: row.get(2)?,
                    hash: None,
                    state: row.get(3)?,
                    rules: 0,
                };
                match known.state {
                    INDEXED if known.was_read(&file.stat) => drop(left.remove(path)),
                    FRESH if known.was_read(&file.stat) => perhaps.push(file),
                    _ => {}
                }
                Ok(())
            })
        })?;
        let mut files: Vec<&FoundFile> = left.into_values().collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(Unread { files, perhaps })
    }
}
