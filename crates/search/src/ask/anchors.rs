//! What the `#` part of a link can mean in the note it reaches: a heading, a heading below another, or a
//! block. Looked up when it is asked, so that an edit of that note counts at once.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use markdown::{blocks, headings};
use store::{Connection, params};

use crate::error::SearchError;
use crate::schema::PENDING;

/// How many headings are looked at for one question. Only a note of many thousand headings with as many
/// links of several steps comes near; what lies behind is not judged.
const MOST_LOOKS: usize = 20_000_000;

/// The anchors of the notes that one file links to, each read once.
pub(crate) struct AllAnchors {
    /// `None` for a note that was not read: nothing is known to be missing in it.
    notes: HashMap<u32, Option<Anchors>>,
    seen: HashSet<(u32, String)>,
    looks_left: usize,
}

impl Default for AllAnchors {
    fn default() -> Self {
        Self { notes: HashMap::new(), seen: HashSet::new(), looks_left: MOST_LOOKS }
    }
}

impl AllAnchors {
    /// The subpath, if nothing in the note answers it and it is asked for the first time.
    pub(crate) fn newly_missing(
        &mut self,
        connection: &Connection,
        note: u32,
        subpath: String,
    ) -> Result<Option<String>, SearchError> {
        if !self.seen.insert((note, subpath.clone())) {
            return Ok(None);
        }
        let anchors = match self.notes.entry(note) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(Anchors::read(connection, note)?),
        };
        let missing = anchors.as_ref().is_some_and(|anchors| !anchors.answer(&subpath, &mut self.looks_left));
        Ok(missing.then_some(subpath))
    }
}

/// What links into one note can mean.
struct Anchors {
    /// Level and key of each heading; keys by number, so that comparing them costs nothing.
    headings: Vec<(u8, usize)>,
    keys: HashMap<String, usize>,
    blocks: HashSet<String>,
}

impl Anchors {
    /// Those of a note; `None` when its text is not known (yet).
    fn read(connection: &Connection, note: u32) -> Result<Option<Self>, SearchError> {
        let known: Option<i64> = connection.query_one(
            "SELECT 1 FROM files
             WHERE id = ?1 AND state <> ?2
               AND NOT EXISTS (SELECT 1 FROM problems
                               WHERE file_id = ?1
                                 AND problems.kind IN ('binary', 'too_large', 'unreadable', 'internal'))",
            params![note, PENDING],
            |row| row.get(0),
        )?;
        if known.is_none() {
            return Ok(None);
        }
        let mut anchors = Self { headings: Vec::new(), keys: HashMap::new(), blocks: HashSet::new() };
        connection.for_each(
            "SELECT level, key FROM headings WHERE note_id = ?1 ORDER BY ordinal",
            params![note],
            |row| {
                let next = anchors.keys.len();
                let key = *anchors.keys.entry(row.get(1)?).or_insert(next);
                anchors.headings.push((row.get(0)?, key));
                Ok::<_, SearchError>(())
            },
        )?;
        connection.for_each("SELECT block_key FROM blocks WHERE note_id = ?1", params![note], |row| {
            anchors.blocks.insert(row.get(0)?);
            Ok::<_, SearchError>(())
        })?;
        Ok(Some(anchors))
    }

    /// Whether a subpath means something here, or cannot be judged: footnotes (`#[^1]`) are not kept, and
    /// a bare `#` asks for nothing.
    fn answer(&self, subpath: &str, looks_left: &mut usize) -> bool {
        let asked = subpath.trim_start_matches('#').trim();
        if asked.is_empty() || asked.starts_with("[^") {
            return true;
        }
        if let Some(id) = blocks::of_subpath(subpath) {
            return self.blocks.contains(&blocks::match_key(id));
        }
        let steps = headings::subpath_steps(subpath);
        let steps: Option<Vec<usize>> = steps.iter().map(|step| self.keys.get(step).copied()).collect();
        match steps.as_deref() {
            // A step that no heading has, or a subpath of punctuation alone.
            None | Some([]) => false,
            Some([_]) => true,
            Some(steps) => match looks_left.checked_sub(self.headings.len()) {
                None => true,
                Some(left) => {
                    *looks_left = left;
                    headings::walk(self.headings.iter().copied(), steps).is_some()
                }
            },
        }
    }
}
