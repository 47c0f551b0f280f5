//! Looking again at paths that are said to have changed.
//!
//! What is said about a path never matters, only what lies there when it is looked at: events come
//! late, twice, in the wrong order or for the other end of a rename.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use store::{Lane, params};
use vault::VaultPath;

use super::look::{Known, Looked};
use super::skipped::Place;
use crate::core::Core;
use crate::error::SearchError;
use crate::write::Seen;

/// How often content that changes under our eyes is looked at before the next event is trusted to
/// come.
const ROUNDS: usize = 8;

impl Core {
    /// Makes the index right about `paths`, which name files. Returns after what was seen is
    /// searchable.
    pub(crate) fn refresh(
        self: &Arc<Self>,
        paths: impl IntoIterator<Item = VaultPath>,
        lane: Lane,
    ) -> Result<(), SearchError> {
        let mut paths: BTreeSet<VaultPath> = paths.into_iter().collect();
        let mut done: BTreeSet<VaultPath> = BTreeSet::new();
        let mut came_or_went = false;
        for _ in 0..ROUNDS {
            if paths.is_empty() {
                break;
            }
            let token = self.generations.begin();
            self.read_rules();
            let known = self.known_files(&paths)?;
            let mut updates = Vec::with_capacity(paths.len());
            let mut next = BTreeSet::new();
            for path in &paths {
                self.check_open()?;
                let known = known.get(path.as_str());
                match self.look(path, token.number, None, known) {
                    Looked::Update(update) => {
                        came_or_went |= known.is_none() || matches!(update.seen, Seen::Gone);
                        updates.push(update);
                    }
                    Looked::Alias(update, real) => {
                        came_or_went = true;
                        updates.push(update);
                        next.insert(real);
                    }
                    Looked::Nothing => {}
                }
                // The other names of a file change with it, and may be refused once this one is gone.
                next.extend(self.vault.hard_linked_with(path));
            }
            // A look can find out that names are gone whose own events come later.
            next.extend(self.vault.hard_links_changed());
            done.append(&mut paths);
            // A real path that was just looked at needs no second look; content that was taken for
            // known and is not needs one.
            next.retain(|path| !done.contains(path));
            if !updates.is_empty() {
                next.extend(self.apply(lane, updates.into(), None)?.again);
            }
            paths = next;
        }
        self.judge_places(done.into_iter().map(Place::At), came_or_went)
    }

    /// What the index has of `paths`.
    pub(super) fn known_files<'a>(
        &self,
        paths: impl IntoIterator<Item = &'a VaultPath>,
    ) -> Result<HashMap<String, Known>, SearchError> {
        let statement = format!("SELECT {} FROM files WHERE path = ?1", Known::COLUMNS);
        self.database().read(|connection| {
            let mut known = HashMap::new();
            for path in paths {
                known.extend(connection.query_one(&statement, params![path.as_str()], Known::read)?);
            }
            Ok(known)
        })
    }
}
