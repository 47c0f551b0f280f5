//! Tags: how often each is used, and the notes that carry one.

use vault::Principal;

use super::browse::BY_CHANGE;
use super::filters::{tag_key, tagged};
use super::meta::notes;
use super::scope::Visible;
use crate::answer::{NoteMeta, Page, TagCount};
use crate::core::Core;
use crate::error::SearchError;
use crate::query::Part;

/// One folded tag while it is being counted.
#[derive(Default)]
struct Counted {
    key: String,
    /// Spellings and how often each is used.
    spellings: Vec<(String, u64)>,
    /// Notes with it, each once.
    notes: Vec<u32>,
}

impl Core {
    /// See [`Index::list_tags`](crate::Index::list_tags).
    pub(crate) fn list_tags(&self, who: &Principal) -> Result<Vec<TagCount>, SearchError> {
        let visible = Visible::to(who);
        let condition = visible.condition();
        let mut counted: Vec<Counted> = Vec::new();
        self.ask(|connection| {
            let join = if visible.is_whole() { "" } else { "JOIN files ON files.id = tags.note_id" };
            let statement = format!(
                "SELECT tags.tag_key, tags.tag, tags.occurrences, tags.note_id
                 FROM tags {join} WHERE {} ORDER BY tags.tag_key, tags.tag",
                condition.sql()
            );
            connection.for_each(&statement, condition.params(), |row| {
                let (key, spelling) = (row.str(0)?, row.str(1)?);
                if counted.last().is_none_or(|last| last.key != key) {
                    counted.push(Counted { key: key.to_owned(), ..Counted::default() });
                }
                let Some(tag) = counted.last_mut() else { return Ok(()) };
                match tag.spellings.last_mut() {
                    Some((last, used)) if last == spelling => *used += row.get::<u64>(2)?,
                    _ => tag.spellings.push((spelling.to_owned(), row.get(2)?)),
                }
                tag.notes.push(row.get(3)?);
                Ok::<_, SearchError>(())
            })
        })?;
        for tag in &mut counted {
            tag.notes.sort_unstable();
            tag.notes.dedup();
        }
        let mut tags = Vec::with_capacity(counted.len());
        let mut rest = counted.as_slice();
        while let [tag, after @ ..] = rest {
            tags.push(TagCount {
                tag: usual_spelling(&tag.spellings),
                count: tag.notes.len() as u64,
                with_children: with_children(tag, after),
            });
            rest = after;
        }
        tags.sort_by(|left: &TagCount, right| {
            right.count.cmp(&left.count).then_with(|| left.tag.cmp(&right.tag))
        });
        Ok(tags)
    }

    /// See [`Index::search_by_tag`](crate::Index::search_by_tag).
    pub(crate) fn search_by_tag(
        &self,
        who: &Principal,
        tag: &str,
        exact: bool,
        part: Part,
    ) -> Result<Page<NoteMeta>, SearchError> {
        let mut condition = Visible::to(who).condition();
        let (piece, params) = tagged(&tag_key(tag)?, exact);
        condition.and(&format!("files.id IN (SELECT tags.note_id FROM tags WHERE {piece})"), params);
        self.ask(|connection| {
            let statement = format!("SELECT count(*) FROM files WHERE {}", condition.sql());
            let total: Option<u64> = connection
                .query_one(&statement, condition.params(), |row| Ok::<_, SearchError>(row.get(0)?))?;
            let items = notes(connection, &condition, BY_CHANGE, part, &self.options.time_zone)?;
            Ok(Page { items, total: usize::try_from(total.unwrap_or(0)).unwrap_or(usize::MAX) })
        })
    }
}

/// The spelling used most; of equals the first in order, which they come in.
pub(super) fn usual_spelling(spellings: &[(String, u64)]) -> String {
    let most = spellings.iter().map(|(_, used)| *used).max();
    spellings
        .iter()
        .find(|(_, used)| Some(*used) == most)
        .map(|(spelling, _)| spelling.clone())
        .unwrap_or_default()
}

/// Notes with the tag or one nested below it, each once. `after` are the tags that sort after it.
fn with_children(tag: &Counted, after: &[Counted]) -> u64 {
    let below = format!("{}/", tag.key);
    let first = after.partition_point(|other| other.key < below);
    let children =
        after.get(first..).unwrap_or_default().iter().take_while(|other| other.key.starts_with(&below));
    let mut notes = tag.notes.clone();
    for child in children {
        notes.extend(&child.notes);
    }
    notes.sort_unstable();
    notes.dedup();
    notes.len() as u64
}
