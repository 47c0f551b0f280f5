//! Tags: how often each is used, and the notes that carry one.

use std::collections::{BTreeMap, HashMap, HashSet};

use vault::Principal;

use super::filters::{has_tag, tag_key};
use super::meta::notes;
use super::scope::Visible;
use crate::answer::{NoteMeta, Page, TagCount};
use crate::core::Core;
use crate::error::SearchError;

/// One folded tag while it is being counted.
#[derive(Default)]
struct Counted {
    /// Spelling to how often it is used.
    spellings: HashMap<String, u64>,
    notes: HashSet<u32>,
}

impl Core {
    /// See [`Index::list_tags`](crate::Index::list_tags).
    pub(crate) fn list_tags(&self, who: &Principal) -> Result<Vec<TagCount>, SearchError> {
        let visible = Visible::to(who).condition();
        let mut counted: BTreeMap<String, Counted> = BTreeMap::new();
        self.ask(|connection| {
            let statement = format!(
                "SELECT tags.tag_key, tags.tag, tags.occurrences, tags.note_id
                 FROM tags JOIN files ON files.id = tags.note_id WHERE {}",
                visible.sql()
            );
            connection.for_each(&statement, visible.params(), |row| {
                let tag = counted.entry(row.get(0)?).or_default();
                *tag.spellings.entry(row.get(1)?).or_default() += row.get::<u64>(2)?;
                tag.notes.insert(row.get(3)?);
                Ok::<_, SearchError>(())
            })
        })?;
        let mut tags: Vec<TagCount> = counted
            .iter()
            .map(|(key, tag)| TagCount {
                tag: usual_spelling(&tag.spellings),
                count: tag.notes.len() as u64,
                with_children: with_children(&counted, key, tag),
            })
            .collect();
        tags.sort_by(|left, right| right.count.cmp(&left.count).then_with(|| left.tag.cmp(&right.tag)));
        Ok(tags)
    }

    /// See [`Index::search_by_tag`](crate::Index::search_by_tag).
    pub(crate) fn search_by_tag(
        &self,
        who: &Principal,
        tag: &str,
        exact: bool,
        limit: usize,
    ) -> Result<Page<NoteMeta>, SearchError> {
        let mut condition = Visible::to(who).condition();
        has_tag(&mut condition, &tag_key(tag)?, exact);
        self.ask(|connection| {
            let statement = format!("SELECT count(*) FROM files WHERE {}", condition.sql());
            let total: Option<u64> = connection
                .query_one(&statement, condition.params(), |row| Ok::<_, SearchError>(row.get(0)?))?;
            let order = "files.modified_ns DESC, files.path";
            let items = notes(connection, &condition, order, limit, &self.options.time_zone)?;
            Ok(Page { items, total: usize::try_from(total.unwrap_or(0)).unwrap_or(usize::MAX) })
        })
    }
}

/// The spelling used most; of equals the first in order.
fn usual_spelling(spellings: &HashMap<String, u64>) -> String {
    spellings
        .iter()
        .max_by(|(left, used), (right, used_too)| used.cmp(used_too).then_with(|| right.cmp(left)))
        .map(|(spelling, _)| spelling.clone())
        .unwrap_or_default()
}

/// Notes with the tag or one nested below it, each once.
fn with_children(counted: &BTreeMap<String, Counted>, key: &str, tag: &Counted) -> u64 {
    let below = format!("{key}/");
    let mut children =
        counted.range(below.clone()..).take_while(|(child, _)| child.starts_with(&below)).peekable();
    if children.peek().is_none() {
        return tag.notes.len() as u64;
    }
    let mut notes = tag.notes.clone();
    notes.extend(children.flat_map(|(_, child)| &child.notes));
    notes.len() as u64
}
