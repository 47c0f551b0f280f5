//! Properties: which there are, which values they have, and the notes that have one.
//!
//! A key is data: it is compared with the folded key of a row, never read as a path into a document,
//! so `a.b` and `k[0]` are keys like any other.

use std::collections::HashMap;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use store::Connection;
use vault::{Principal, VaultPath};

use super::browse::{BY_CHANGE, within};
use super::condition::Condition;
use super::filters::property_is;
use super::meta::page;
use super::scope::Visible;
use super::tags::usual_spelling;
use crate::answer::{NoteMeta, Page, PropertyKey, PropertyValue};
use crate::core::Core;
use crate::error::SearchError;
use crate::note::properties::fold_key;
use crate::query::Part;

/// How many values a key is shown with.
const SAMPLES: usize = 3;

/// One folded key while it is being counted.
#[derive(Default)]
struct Counted {
    spellings: Vec<(String, u64)>,
    notes: u64,
    last_note: Option<u32>,
    values: HashMap<String, u64>,
}

impl Core {
    /// See [`Index::list_property_keys`](crate::Index::list_property_keys).
    pub(crate) fn list_property_keys(
        &self,
        who: &Principal,
        folder: Option<&VaultPath>,
    ) -> Result<Vec<PropertyKey>, SearchError> {
        let (condition, joined) = self.scope(who, folder);
        // Another process writes what is only read here.
        if joined || self.read_only {
            return self.ask(|connection| keys(connection, &condition, joined));
        }
        // Counting reads every property, so what the whole vault shows is kept until something is
        // written. Read before the rows are: what is kept may be newer than its number, never older.
        let commits = self.commits.load(Ordering::SeqCst);
        let mut kept = self.property_keys.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, keys)) = kept.as_ref()
            && *at == commits
        {
            return Ok(keys.clone());
        }
        let keys = self.ask(|connection| keys(connection, &condition, joined))?;
        *kept = Some((commits, keys.clone()));
        Ok(keys)
    }

    /// See [`Index::list_property_values`](crate::Index::list_property_values).
    pub(crate) fn list_property_values(
        &self,
        who: &Principal,
        key: &str,
        folder: Option<&VaultPath>,
        part: Part,
    ) -> Result<Page<PropertyValue>, SearchError> {
        let (mut condition, joined) = self.scope(who, folder);
        condition.and("properties.key_fold = ? AND properties.text IS NOT NULL", [fold_key(key).into()]);
        let from = format!("{} WHERE {}", tables(joined), condition.sql());
        self.ask(|connection| {
            let statement = format!("SELECT count(DISTINCT properties.text) {from}");
            let total: Option<u32> = connection
                .query_one(&statement, condition.params(), |row| Ok::<_, SearchError>(row.get(0)?))?;
            let statement = format!(
                "SELECT properties.text, count(*) {from}
                 GROUP BY properties.text ORDER BY count(*) DESC, properties.text LIMIT ? OFFSET ?"
            );
            let items =
                connection.query(&statement, &condition.params_between(&[], &part.params()), |row| {
                    Ok::<_, SearchError>(PropertyValue { value: row.get(0)?, count: row.get(1)? })
                })?;
            Ok(Page { items, total: total.unwrap_or(0) as usize })
        })
    }

    /// See [`Index::search_by_property`](crate::Index::search_by_property).
    pub(crate) fn search_by_property(
        &self,
        who: &Principal,
        key: &str,
        value: &str,
        folder: Option<&VaultPath>,
        part: Part,
    ) -> Result<Page<NoteMeta>, SearchError> {
        let (mut condition, _) = self.scope(who, folder);
        let ids = property_is(key, value);
        condition.and(&format!("files.id IN ({})", ids.statement), ids.params);
        self.ask(|connection| page(connection, &condition, BY_CHANGE, part, &self.options.time_zone))
    }

    /// The condition on `files`, and whether there is one: the whole vault is read without that table.
    fn scope(&self, who: &Principal, folder: Option<&VaultPath>) -> (Condition, bool) {
        let folder = folder.and_then(|folder| self.indexed_folder(who, folder));
        let visible = Visible::to(who);
        let mut condition = visible.condition();
        within(&mut condition, folder.as_ref());
        (condition, folder.is_some() || !visible.is_whole())
    }
}

fn tables(joined: bool) -> &'static str {
    if joined { "FROM files JOIN properties ON properties.note_id = files.id" } else { "FROM properties" }
}

fn keys(
    connection: &Connection,
    condition: &Condition,
    joined: bool,
) -> Result<Vec<PropertyKey>, SearchError> {
    let mut counted: HashMap<String, Counted> = HashMap::new();
    // In whichever order the notes come, the rows of one come together: they are one range of the table.
    let statement = format!(
        "SELECT properties.key_fold, properties.key, properties.note_id,
                properties.kind <> 'other' AND properties.text IS NOT NULL, properties.text
         {} WHERE {}",
        tables(joined),
        condition.sql()
    );
    connection.for_each(&statement, condition.params(), |row| {
        let fold = row.str(0)?;
        if !counted.contains_key(fold) {
            counted.insert(fold.to_owned(), Counted::default());
        }
        let Some(key) = counted.get_mut(fold) else { return Ok(()) };
        let note = Some(row.get(2)?);
        if key.last_note != note {
            key.last_note = note;
            key.notes += 1;
            count_spelling(&mut key.spellings, row.str(1)?);
        }
        if row.get(3)? {
            let value = row.str(4)?;
            match key.values.get_mut(value) {
                Some(count) => *count += 1,
                None => drop(key.values.insert(value.to_owned(), 1)),
            }
        }
        Ok::<_, SearchError>(())
    })?;
    let mut counted: Vec<_> = counted.into_iter().collect();
    counted.sort_by(|(left_fold, left), (right_fold, right)| {
        right.notes.cmp(&left.notes).then_with(|| left_fold.cmp(right_fold))
    });
    Ok(counted.into_iter().map(|(_, key)| shown(key)).collect())
}

/// Counts a spelling once a note.
fn count_spelling(spellings: &mut Vec<(String, u64)>, spelling: &str) {
    match spellings.iter_mut().find(|(known, _)| known == spelling) {
        Some((_, count)) => *count += 1,
        None => spellings.push((spelling.to_owned(), 1)),
    }
}

fn shown(mut key: Counted) -> PropertyKey {
    key.spellings.sort();
    let mut samples: Vec<(&String, &u64)> = Vec::with_capacity(SAMPLES + 1);
    for value in &key.values {
        let place = samples.partition_point(|sample| (value.1, sample.0) < (sample.1, value.0));
        if place < SAMPLES {
            samples.insert(place, value);
            samples.truncate(SAMPLES);
        }
    }
    PropertyKey {
        key: usual_spelling(&key.spellings),
        count: key.notes,
        sample_values: samples.into_iter().map(|(value, _)| value.clone()).collect(),
    }
}
