//! Whose links the index does not know.

use std::collections::HashMap;
use std::sync::Arc;

use vault::{FileKind, FoundFile, VaultPath};

use super::look::{Known, is_fresh};
use crate::core::Core;
use crate::error::SearchError;
use crate::schema::INDEXED;

/// What the index has of every file that it knows all links of. Of a long canvas only the beginning is
/// searched, and all links are known.
const READ_WHOLE: &str = "
    FROM files
    WHERE kind IN ('note', 'canvas') AND hash IS NOT NULL
      AND id NOT IN (SELECT file_id FROM problems WHERE kind <> 'searched_in_part')";

impl Core {
    /// Of `files` those notes and canvases whose present state the index has not read, or only in part: they
    /// may have links that it does not know. How tasks were read does not matter here.
    ///
    /// Files that were read so soon after a change that a later one can carry the same time are compared
    /// once more, as a reconcile does; when that finds them as they were, they are trusted from then on.
    pub(crate) fn links_unread(self: &Arc<Self>, files: &[FoundFile]) -> Result<Vec<VaultPath>, SearchError> {
        let now = self.now_ns();
        let mut known = self.read_whole()?;
        let again: Vec<(FoundFile, Option<Known>)> = files
            .iter()
            .filter(|file| !is_fresh(file.stat.modified_ns, now))
            .filter_map(|file| Some((file, known.get(file.path.as_str())?)))
            .filter(|(file, known)| known.state != INDEXED && known.was_read(&file.stat))
            .map(|(file, known)| (file.clone(), Some(known.clone())))
            .collect();
        if !again.is_empty() && !self.read_only {
            self.read_again(again)?;
            known = self.read_whole()?;
        }
        let is_known = |file: &FoundFile| {
            known
                .get(file.path.as_str())
                .is_some_and(|known| known.state == INDEXED && known.was_read(&file.stat))
        };
        let has_links = |file: &&FoundFile| matches!(file.path.kind(), FileKind::Note | FileKind::Canvas);
        let unread = files.iter().filter(has_links).filter(|file| !is_known(file));
        Ok(unread.map(|file| file.path.clone()).collect())
    }

    fn read_whole(&self) -> Result<HashMap<String, Known>, SearchError> {
        let statement = format!("SELECT {} {READ_WHOLE}", Known::COLUMNS);
        let rows = self.ask(|connection| connection.query(&statement, &[], Known::read))?;
        Ok(rows.into_iter().collect())
    }
}
