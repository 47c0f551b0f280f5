//! Filters as one condition in SQL, so that they hold before any limit.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use markdown::resolve::{self, Candidates};
use serde_json::Value as Json;
use store::{Connection, Value, params};
use vault::VaultPath;

use super::condition::{Condition, begins_with, in_folder};
use crate::error::SearchError;
use crate::note::dates::day_start;
use crate::note::properties::{core_number, fold_key};
use crate::query::{DateRange, Filters};

/// `filters` as a condition on `files` joined to `notes`; `None` when nothing is asked for.
pub(crate) fn condition(
    connection: &Connection,
    filters: &Filters,
    zone: &TimeZone,
) -> Result<Option<Condition>, SearchError> {
    if filters.is_empty() {
        return Ok(None);
    }
    let mut all = Condition::default();
    if filters.only_notes() {
        all.and("notes.id IS NOT NULL", []);
    }
    if let Some(folder) = &filters.folder {
        in_folder_filter(&mut all, folder)?;
    }
    for tag in &filters.tags {
        has_tag(&mut all, &tag_key(tag)?, false);
    }
    for related in &filters.related {
        is_related(&mut all, connection, related)?;
    }
    if let Some(type_) = &filters.type_ {
        all.and("notes.type = ?", [type_.as_str().into()]);
    }
    for (key, value) in &filters.properties {
        has_property(&mut all, key, value)?;
    }
    created(&mut all, &filters.created);
    modified(&mut all, &filters.modified, zone);
    Ok(Some(all))
}

fn in_folder_filter(all: &mut Condition, folder: &str) -> Result<(), SearchError> {
    let folder = VaultPath::parse_folder(folder)
        .map_err(|error| SearchError::InvalidFilter(format!("filters.folder: {error}")))?;
    if let Some(folder) = folder {
        let (piece, bounds) = in_folder("files.path_key", &folder.key());
        all.and(&piece, bounds);
    }
    Ok(())
}

/// What a tag is compared by; an error for one that is empty.
pub(crate) fn tag_key(tag: &str) -> Result<String, SearchError> {
    let key = markdown::tags::fold(tag.trim());
    let key = key.trim_end_matches('/');
    if key.is_empty() { Err(SearchError::InvalidTag(tag.to_owned())) } else { Ok(key.to_owned()) }
}

/// The note carries the tag, or one nested below it unless `exact`.
pub(crate) fn has_tag(all: &mut Condition, key: &str, exact: bool) {
    let carries = |which: &str| format!("files.id IN (SELECT tags.note_id FROM tags WHERE {which})");
    if exact {
        all.and(&carries("tags.tag_key = ?"), [key.into()]);
    } else {
        let (below, bounds) = begins_with("tags.tag_key", &format!("{key}/"));
        let bounds = std::iter::once(key.into()).chain(bounds);
        all.and(&carries(&format!("tags.tag_key = ? OR ({below})")), bounds);
    }
}

/// The `related` property holds this text, or a link that reaches the same file.
fn is_related(all: &mut Condition, connection: &Connection, related: &str) -> Result<(), SearchError> {
    let target = related.trim();
    let target = target.strip_prefix("[[").and_then(|inner| inner.strip_suffix("]]")).unwrap_or(target);
    let target = target.split(['|', '#']).next().unwrap_or("").trim();
    if target.is_empty() {
        return Err(SearchError::InvalidFilter(
            "filters.related: give the name or path of a note".to_owned(),
        ));
    }
    let name = resolve::name_key(target);
    let files: Vec<(u32, String)> = connection.query(
        "SELECT id, path FROM files WHERE name_key = ?1",
        params![name.as_str()],
        |row| Ok::<_, SearchError>((row.get(0)?, row.get(1)?)),
    )?;
    let candidates = Candidates::new(files.iter().map(|(_, path)| path.as_str()));
    let found = candidates.resolve("", target);
    let id = files.iter().find(|(_, path)| Some(path.as_str()) == found).map(|(id, _)| *id);
    // A link that reaches nothing is the same as another when it is written alike.
    let (reaches, reached) = match id {
        Some(id) => ("links.target_id = ?", Value::from(id)),
        None => ("links.target_id IS NULL AND links.name_key = ?", Value::from(name)),
    };
    all.and(
        &format!(
            "files.id IN (SELECT properties.note_id FROM properties
                          WHERE properties.key_fold = 'related' AND properties.text = ?)
             OR files.id IN (SELECT links.source_id FROM links
                             WHERE {reaches}
                               AND (lower(links.property_key) = 'related'
                                    OR lower(links.property_key) LIKE 'related.%'))"
        ),
        [related.into(), reached],
    );
    Ok(())
}

/// The property, or an item of it, has this value. Text matches exactly; a number as YAML writes
/// one also matches an equal number; `true`, `false`, `1` and `0` also match checkboxes.
pub(crate) fn has_property(all: &mut Condition, key: &str, value: &Json) -> Result<(), SearchError> {
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
    let checkbox = match text.as_str() {
        "true" | "1" => Some("true"),
        "false" | "0" => Some("false"),
        _ => None,
    };
    all.and(
        "files.id IN (SELECT properties.note_id FROM properties
                      WHERE properties.key_fold = ?
                        AND (properties.kind = 'text' AND properties.text = ?
                             OR properties.kind = 'number' AND properties.number = ?
                             OR properties.kind = 'boolean' AND properties.text = ?))",
        [fold_key(key).into(), Value::from(text.as_str()), core_number(&text).into(), checkbox.into()],
    );
    Ok(())
}

fn created(all: &mut Condition, range: &DateRange) {
    let bounds = [("<", range.before), ("=", range.on), (">", range.after)];
    for (operator, day) in bounds {
        if let Some(day) = day {
            all.and(&format!("notes.created_day {operator} ?"), [day.to_string().into()]);
        }
    }
}

fn modified(all: &mut Condition, range: &DateRange, zone: &TimeZone) {
    let starts = |day: Date| day_start(day, zone);
    let ends = |day: Date| day.tomorrow().map_or(i64::MAX, |next| day_start(next, zone));
    if let Some(day) = range.before {
        all.and("files.modified_ns < ?", [starts(day).into()]);
    }
    if let Some(day) = range.on {
        all.and("files.modified_ns >= ? AND files.modified_ns < ?", [starts(day).into(), ends(day).into()]);
    }
    if let Some(day) = range.after {
        all.and("files.modified_ns >= ?", [ends(day).into()]);
    }
}
