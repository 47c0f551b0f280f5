//! What is known of notes without reading them.

use jiff::tz::TimeZone;
use serde_json::{Map, Value as Json};
use store::{Connection, Row, params};
use vault::{Principal, VaultPath};

use super::condition::Condition;
use crate::answer::{LeadingCallout, NoteMeta, Page};
use crate::core::Core;
use crate::error::SearchError;
use crate::note::dates::show_nanoseconds;
use crate::query::Part;

/// The columns that [`read`] expects, of `files` joined to `notes`.
const COLUMNS: &str = "files.path, files.size, files.modified_ns, notes.title, notes.type, notes.created,
    notes.related, notes.properties, notes.leading_callout";

impl Core {
    /// See [`Index::note_meta`](crate::Index::note_meta).
    pub(crate) fn note_meta(
        &self,
        who: &Principal,
        path: &VaultPath,
    ) -> Result<Option<NoteMeta>, SearchError> {
        let Some(path) = self.indexed_path(who, path) else { return Ok(None) };
        self.ask(|connection| {
            let mut condition = Condition::default();
            condition.and("files.id = ?", [id_of(connection, &path)?.into()]);
            Ok(notes(
                connection,
                &condition,
                Order::of_files("files.path"),
                1.into(),
                &self.options.time_zone,
            )?
            .pop())
        })
    }
}

/// The file with this path, or else one whose path differs in case only: on many disks that is the
/// same file.
pub(crate) fn id_of(connection: &Connection, path: &VaultPath) -> Result<Option<u32>, SearchError> {
    connection.query_one(
        "SELECT id FROM files WHERE path_key = ?1 ORDER BY path = ?2 DESC, path LIMIT 1",
        params![path.key(), path.as_str()],
        |row| Ok(row.get(0)?),
    )
}

/// An order of notes, and the join that lets an index give it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order {
    /// `files` and `notes`, the one whose index has the order first.
    pub(crate) from: &'static str,
    pub(crate) by: &'static str,
}

impl Order {
    /// By what `files` says.
    pub(crate) const fn of_files(by: &'static str) -> Self {
        Self { from: "files JOIN notes ON notes.id = files.id", by }
    }

    /// By what `notes` says. `CROSS JOIN` keeps the planner from beginning with `files`.
    pub(crate) const fn of_notes(by: &'static str) -> Self {
        Self { from: "notes CROSS JOIN files ON files.id = notes.id", by }
    }
}

/// Notes that meet a condition on `files` and `notes`, in the given order.
pub(crate) fn notes(
    connection: &Connection,
    condition: &Condition,
    order: Order,
    part: Part,
    zone: &TimeZone,
) -> Result<Vec<NoteMeta>, SearchError> {
    // The ids first: sorting whole rows of which few are shown is most of the work.
    let statement = format!(
        "SELECT files.id FROM {} WHERE {} ORDER BY {} LIMIT ? OFFSET ?",
        order.from,
        condition.sql(),
        order.by
    );
    let ids: Vec<u32> =
        connection.query(&statement, &condition.params_between(&[], &part.params()), |row| {
            Ok::<_, SearchError>(row.get(0)?)
        })?;
    let statement =
        format!("SELECT {COLUMNS} FROM files JOIN notes ON notes.id = files.id WHERE files.id = ?1");
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        if let Some(meta) = connection.query_one(&statement, params![id], |row| read(row, zone))? {
            found.push(NoteMeta { tags: tags(connection, id)?, ..meta });
        }
    }
    Ok(found)
}

/// The first of the notes that meet a condition, and how many there are.
pub(crate) fn page(
    connection: &Connection,
    condition: &Condition,
    order: Order,
    part: Part,
    zone: &TimeZone,
) -> Result<Page<NoteMeta>, SearchError> {
    let statement =
        format!("SELECT count(*) FROM files JOIN notes ON notes.id = files.id WHERE {}", condition.sql());
    let total: Option<usize> = connection
        .query_one(&statement, condition.params(), |row| Ok::<_, SearchError>(row.get::<u32>(0)? as usize))?;
    let items = notes(connection, condition, order, part, zone)?;
    Ok(Page { items, total: total.unwrap_or(0) })
}

fn read(row: &Row<'_>, zone: &TimeZone) -> Result<NoteMeta, SearchError> {
    let path = stored_path(row.str(0)?)?;
    Ok(NoteMeta {
        folder: path.folder().to_owned(),
        path,
        title: row.get(3)?,
        tags: Vec::new(),
        related: stored_json(row.str(6)?, "notes.related")?,
        type_: row.get(4)?,
        created: row.get(5)?,
        modified: show_nanoseconds(row.get(2)?, zone),
        bytes: row.get(1)?,
        leading_callout: stored_callout(row.get(8)?)?,
        additional_properties: stored_json::<Map<String, Json>>(row.str(7)?, "notes.properties")?,
    })
}

/// The tags of a note: each spelling once, those of the properties first.
pub(crate) fn tags(connection: &Connection, id: u32) -> Result<Vec<String>, SearchError> {
    connection
        .query("SELECT tag FROM tags WHERE note_id = ?1 ORDER BY ordinal", params![id], |row| Ok(row.get(0)?))
}

/// A path of `files`.
pub(crate) fn stored_path(path: &str) -> Result<VaultPath, SearchError> {
    VaultPath::parse(path).map_err(|error| SearchError::Row(format!("files.path: {error}")))
}

/// A callout of `notes.leading_callout`.
pub(crate) fn stored_callout(json: Option<String>) -> Result<Option<LeadingCallout>, SearchError> {
    json.map(|json| stored_json(&json, "notes.leading_callout")).transpose()
}

/// A column that holds JSON.
pub(crate) fn stored_json<T: serde::de::DeserializeOwned>(
    json: &str,
    column: &str,
) -> Result<T, SearchError> {
    serde_json::from_str(json).map_err(|error| SearchError::Row(format!("{column}: {error}")))
}
