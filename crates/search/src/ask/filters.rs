//! Filters as sets of documents. Each is one query on an index of its own; a note must be in every
//! set, and the sets are known before anything is ranked, so that no limit ever cuts what a filter
//! would have let through.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value as Json;
use store::{Connection, Value};
use vault::{Principal, VaultPath};

use super::condition::{Condition, begins_with, in_folder};
use super::related::related_to;
use crate::error::SearchError;
use crate::note::dates::day_start;
use crate::note::properties::{core_number, fold_key};
use crate::query::{DateRange, Filters};
use crate::text::DocSet;

/// A query for ids of `files`.
pub(crate) struct Ids {
    pub(crate) statement: String,
    pub(crate) params: Vec<Value>,
}

impl Ids {
    fn new(statement: impl Into<String>, params: impl IntoIterator<Item = Value>) -> Self {
        Self { statement: statement.into(), params: params.into_iter().collect() }
    }
}

/// The documents that meet every one of `filters` as `who` sees the vault; `None` when nothing is asked for.
pub(crate) fn allowed(
    connection: &Connection,
    who: &Principal,
    filters: &Filters,
    zone: &TimeZone,
) -> Result<Option<DocSet>, SearchError> {
    let mut allowed: Option<DocSet> = None;
    for ids in queries(filters, zone)? {
        let mut set = DocSet::new();
        connection.for_each(&ids.statement, &ids.params, |row| {
            let id = row.get(0)?;
            if allowed.as_ref().is_none_or(|allowed| allowed.contains(id)) {
                set.insert(id);
            }
            Ok::<_, SearchError>(())
        })?;
        allowed = Some(set);
    }
    for related in &filters.related {
        let mut set = DocSet::new();
        for id in related_to(connection, who, related)? {
            if allowed.as_ref().is_none_or(|allowed| allowed.contains(id)) {
                set.insert(id);
            }
        }
        allowed = Some(set);
    }
    Ok(allowed)
}

fn queries(filters: &Filters, zone: &TimeZone) -> Result<Vec<Ids>, SearchError> {
    let mut queries = Vec::new();
    if let Some(folder) = &filters.folder {
        queries.extend(below(folder)?);
    }
    for tag in &filters.tags {
        let (piece, params) = tagged(&tag_key(tag)?, false);
        queries.push(Ids::new(format!("SELECT tags.note_id FROM tags WHERE {piece}"), params));
    }
    if let Some(type_) = &filters.type_ {
        queries.push(Ids::new("SELECT notes.id FROM notes WHERE notes.type = ?", [type_.as_str().into()]));
    }
    for (key, value) in &filters.properties {
        queries.push(with_property(key, value)?);
    }
    queries.extend(created(&filters.created));
    queries.extend(modified(&filters.modified, zone));
    Ok(queries)
}

fn below(folder: &str) -> Result<Option<Ids>, SearchError> {
    let folder = VaultPath::parse_folder(folder)
        .map_err(|error| SearchError::InvalidFilter(format!("filters.folder: {error}")))?;
    Ok(folder.map(|folder| {
        let (piece, bounds) = in_folder("files.path_key", &folder.key());
        Ids::new(format!("SELECT files.id FROM files WHERE {piece}"), bounds)
    }))
}

/// What a tag is compared by; an error for one that is empty.
pub(crate) fn tag_key(tag: &str) -> Result<String, SearchError> {
    let key = markdown::tags::fold(tag.trim());
    let key = key.trim_end_matches('/');
    if key.is_empty() { Err(SearchError::InvalidTag(tag.to_owned())) } else { Ok(key.to_owned()) }
}

/// The piece that a row of `tags` has the tag, or one nested below it unless `exact`.
pub(crate) fn tagged(key: &str, exact: bool) -> (String, Vec<Value>) {
    if exact {
        return ("tags.tag_key = ?".to_owned(), vec![key.into()]);
    }
    let (below, [from, to]) = begins_with("tags.tag_key", &format!("{key}/"));
    (format!("tags.tag_key = ? OR ({below})"), vec![key.into(), from, to])
}

/// Notes with a property, or an item of one, of this value. Text matches exactly; a number as YAML
/// writes one also matches an equal number; `true`, `false`, `1` and `0` also match checkboxes.
fn with_property(key: &str, value: &Json) -> Result<Ids, SearchError> {
    let text = match value {
        Json::String(text) => text.clone(),
        Json::Number(number) => number.to_string(),
        Json::Bool(flag) => flag.to_string(),
        Json::Null | Json::Array(_) | Json::Object(_) => {
            return Err(SearchError::InvalidFilter(format!(
                "filters.properties.{key}: give a text, a number or a boolean"
            )));
        }
    };
    Ok(property_is(key, &text))
}

/// Notes with a property, or an item of one, of this value.
pub(crate) fn property_is(key: &str, text: &str) -> Ids {
    let checkbox = match text {
        "true" | "1" => Some("true"),
        "false" | "0" => Some("false"),
        _ => None,
    };
    let key = fold_key(key);
    let mut either = Vec::new();
    let mut params: Vec<Value> = Vec::new();
    let mut or = |condition: &str, value: Value| {
        either.push(format!("SELECT note_id FROM properties WHERE key_fold = ? AND {condition}"));
        params.extend([key.as_str().into(), value]);
    };
    if let Some(number) = core_number(text) {
        or("number = ?", number.into());
    }
    if let Some(checkbox) = checkbox {
        or("kind = 'boolean' AND text = ?", checkbox.into());
    }
    or("kind IN ('text', 'other') AND text = ?", text.into());
    Ids::new(either.join(" UNION ALL "), params)
}

fn created(range: &DateRange) -> Option<Ids> {
    let mut days = Condition::default();
    for (operator, day) in [("<", range.before), ("=", range.on), (">", range.after)] {
        if let Some(day) = day {
            days.and(&format!("notes.created_day {operator} ?"), [day.to_string().into()]);
        }
    }
    let statement = format!("SELECT notes.id FROM notes WHERE {}", days.sql());
    (!range.is_empty()).then(|| Ids::new(statement, days.params().iter().cloned()))
}

fn modified(range: &DateRange, zone: &TimeZone) -> Option<Ids> {
    let starts = |day: Date| day_start(day, zone);
    let ends = |day: Date| day.tomorrow().map_or(i64::MAX, |next| day_start(next, zone));
    let mut times = Condition::default();
    if let Some(day) = range.before {
        times.and("files.modified_ns < ?", [starts(day).into()]);
    }
    if let Some(day) = range.on {
        times.and("files.modified_ns >= ? AND files.modified_ns < ?", [starts(day).into(), ends(day).into()]);
    }
    if let Some(day) = range.after {
        times.and("files.modified_ns >= ?", [ends(day).into()]);
    }
    let statement = format!("SELECT files.id FROM files WHERE {}", times.sql());
    (!range.is_empty()).then(|| Ids::new(statement, times.params().iter().cloned()))
}
