//! The tables of the index, and what makes an existing file usable.
//!
//! Everything in the file can be built again from the vault, so there are no migrations: a file of
//! another version, or one built under other settings, is replaced. The tables of the full-text
//! engine are its own ([`Engine::SCHEMA`]); they hold the id of `files` as their document id.
//!
//! A file that is known but not yet read has `state` 0 and no rows elsewhere; one transaction
//! writes all rows of a file together with its `files` row. So whatever moment a process dies at,
//! the next reconcile sees what is missing.

use store::{Connection, StoreError, params};

use crate::error::SearchError;
use crate::options::IndexOptions;
use crate::text::Engine;

/// Raised with every change to the tables or to what is written in them.
const VERSION: &str = "6";

/// `files.state`: known from a walk, content not indexed yet.
pub(crate) const PENDING: i64 = 0;
/// `files.state`: indexed; equal size and time mean equal content.
pub(crate) const INDEXED: i64 = 1;
/// `files.state`: indexed, but so soon after its last change that another change could carry the
/// same time: the next reconcile compares content.
pub(crate) const FRESH: i64 = 2;

const TABLES: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE files (
    id          INTEGER PRIMARY KEY,
    path        TEXT NOT NULL UNIQUE,
    path_key    TEXT NOT NULL,          -- folded: what folders are compared by
    name_key    TEXT NOT NULL,          -- what links are grouped by
    kind        TEXT NOT NULL,          -- note, canvas, image, …
    size        INTEGER NOT NULL,
    modified_ns INTEGER NOT NULL,
    hash        BLOB,                   -- SHA-256 of the bytes; NULL when they were not read
    state       INTEGER NOT NULL,       -- 0 pending, 1 indexed, 2 indexed while fresh
    rules       INTEGER NOT NULL        -- fingerprint of what its tasks were read by; 0 when it is no note
) STRICT;
CREATE INDEX files_by_path_key ON files (path_key);
CREATE INDEX files_by_name ON files (name_key);

CREATE TABLE notes (
    id              INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
    title           TEXT NOT NULL,
    type            TEXT,
    created         TEXT,               -- RFC 3339 in the index's time zone
    created_day     TEXT,               -- YYYY-MM-DD in the index's time zone
    description     TEXT,
    related         TEXT NOT NULL,      -- JSON array of texts
    properties      TEXT NOT NULL,      -- JSON object of those without a column
    leading_callout TEXT,               -- JSON object
    done_lanes      TEXT                -- JSON array of headings; NULL for a note that is no board
) STRICT;

CREATE TABLE texts (
    id       INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
    text     TEXT NOT NULL,             -- without markup
    line_map BLOB NOT NULL              -- from its offsets to lines of the file
) STRICT;

CREATE TABLE aliases (
    note_id   INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    ordinal   INTEGER NOT NULL,
    alias     TEXT NOT NULL,
    alias_key TEXT NOT NULL,
    PRIMARY KEY (note_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE tags (
    note_id     INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    ordinal     INTEGER NOT NULL,
    tag         TEXT NOT NULL,          -- as spelled, without #
    tag_key     TEXT NOT NULL,          -- folded
    source      TEXT NOT NULL,          -- property or inline: where it stands first
    occurrences INTEGER NOT NULL,
    PRIMARY KEY (note_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE headings (
    note_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    level   INTEGER NOT NULL,
    text    TEXT NOT NULL,
    key     TEXT NOT NULL,              -- what a link's #heading is matched by; empty for one that has no link
    line    INTEGER NOT NULL,           -- 0-based line of the file
    PRIMARY KEY (note_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE blocks (
    note_id   INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    ordinal   INTEGER NOT NULL,
    block_id  TEXT NOT NULL,            -- as written, without ^
    block_key TEXT NOT NULL,            -- what a link's #^id is matched by
    line      INTEGER NOT NULL,         -- 0-based line of the file that the id stands on
    PRIMARY KEY (note_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE properties (
    note_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    key     TEXT NOT NULL,
    key_fold TEXT NOT NULL,
    item    INTEGER,                    -- place in a list
    kind    TEXT NOT NULL,              -- text, number, boolean, null, other
    text    TEXT,                       -- as answers print it; NULL for null and an empty list
    number  REAL,
    PRIMARY KEY (note_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE links (
    source_id    INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    ordinal      INTEGER NOT NULL,
    kind         TEXT NOT NULL,         -- wiki, markdown, canvas
    embed        INTEGER NOT NULL,
    path         TEXT NOT NULL,         -- as written, decoded; empty for a link into its own note
    subpath      TEXT,
    display      TEXT,
    property_key TEXT,                  -- related.0
    line         INTEGER NOT NULL,      -- 0-based line of the file
    name_key     TEXT NOT NULL,
    target_id    INTEGER REFERENCES files (id) ON DELETE SET NULL,
    PRIMARY KEY (source_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_entries (
    note_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    section TEXT,                       -- the heading it stands under, as written
    date    TEXT NOT NULL,              -- YYYY-MM-DD
    text    TEXT NOT NULL,
    line    INTEGER NOT NULL,           -- 0-based line of the file
    hash    BLOB NOT NULL,              -- SHA-256 of date, section and text: which entry it is
    PRIMARY KEY (note_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE tasks (
    note_id            INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    ordinal            INTEGER NOT NULL,
    line               INTEGER NOT NULL,  -- 0-based line of the file
    status             TEXT NOT NULL,     -- todo, in_progress, done, cancelled
    status_char        TEXT NOT NULL,
    description        TEXT NOT NULL,
    created            TEXT,              -- YYYY-MM-DD, as all dates here; NULL when it is no day
    scheduled          TEXT,
    scheduled_inferred INTEGER NOT NULL,  -- taken from the file's name
    start              TEXT,
    due                TEXT,
    done               TEXT,
    cancelled          TEXT,
    invalid_dates      TEXT,              -- JSON array of the fields whose date does not exist
    priority           INTEGER NOT NULL,  -- 0 highest … 3 none … 5 lowest
    recurrence         TEXT,
    on_completion      TEXT,
    task_id            TEXT,
    depends_on         TEXT,              -- JSON array
    tags               TEXT,              -- JSON array
    block_id           TEXT,
    heading            TEXT,
    heading_key        TEXT,              -- what headings are compared by
    lane_key           TEXT,              -- the same of a lane's title without its limit of cards
    depth              INTEGER NOT NULL,
    parent             INTEGER,           -- ordinal of the task it lies in directly
    subtasks           INTEGER NOT NULL,  -- tasks that lie in it directly
    subtasks_done      INTEGER NOT NULL,
    PRIMARY KEY (note_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE task_tags (
    note_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,           -- of the task
    tag_key TEXT NOT NULL,              -- folded
    PRIMARY KEY (note_id, ordinal, tag_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE problems (
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    kind    TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (file_id, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE skipped (path TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (path, reason)) STRICT, WITHOUT ROWID;
";

/// Indexes that only questions and single changes need. A first build goes without them and makes them
/// at its end, sorted once: keeping them up row by row touches most of their pages in every batch,
/// which costs a third of a small build and grows faster than the vault.
const LATER: [(&str, &str); 15] = [
    ("files_by_time", "CREATE INDEX files_by_time ON files (modified_ns)"),
    ("notes_by_type", "CREATE INDEX notes_by_type ON notes (type) WHERE type IS NOT NULL"),
    ("notes_by_day", "CREATE INDEX notes_by_day ON notes (created_day) WHERE created_day IS NOT NULL"),
    // The instant: as text, times on either side of a change of the clock would be out of order.
    ("notes_by_created", "CREATE INDEX notes_by_created ON notes (julianday(created))"),
    ("aliases_by_key", "CREATE INDEX aliases_by_key ON aliases (alias_key)"),
    // Holds all that counting tags reads.
    ("tags_by_key", "CREATE INDEX tags_by_key ON tags (tag_key, tag, occurrences)"),
    // Text before kind: the values of a key are counted by their text, off this index alone.
    ("properties_by_text", "CREATE INDEX properties_by_text ON properties (key_fold, text, kind)"),
    (
        "properties_by_number",
        "CREATE INDEX properties_by_number ON properties (key_fold, number) WHERE number IS NOT NULL",
    ),
    ("links_by_name", "CREATE INDEX links_by_name ON links (name_key)"),
    ("files_by_rules", "CREATE INDEX files_by_rules ON files (rules) WHERE kind = 'note'"),
    // Holds what tasks are filtered and sorted by, so that their rows are read for the page alone, and stands
    // in the order that is asked for most.
    (
        "tasks_by_due",
        "CREATE INDEX tasks_by_due ON tasks (due, scheduled, start, created, status, priority, depth, done, cancelled)",
    ),
    (
        "tasks_by_heading",
        "CREATE INDEX tasks_by_heading ON tasks (heading_key) WHERE heading_key IS NOT NULL",
    ),
    ("tasks_by_lane", "CREATE INDEX tasks_by_lane ON tasks (lane_key) WHERE lane_key IS NOT NULL"),
    ("task_tags_by_key", "CREATE INDEX task_tags_by_key ON task_tags (tag_key)"),
    ("links_by_target", "CREATE INDEX links_by_target ON links (target_id) WHERE target_id IS NOT NULL"),
];

/// Whether the file holds an index that can be used as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fitness {
    /// There are no tables yet.
    Empty,
    /// Of this version and these settings.
    Usable,
    /// Of another version; the text says which.
    OtherVersion(String),
    /// Of this version, built under other settings.
    OtherSettings,
}

/// Reads what kind of index a file holds.
pub(crate) fn inspect(connection: &Connection, options: &IndexOptions) -> Result<Fitness, StoreError> {
    let has_meta: Option<i64> = connection.query_one(
        "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meta'",
        &[],
        |row| row.get(0),
    )?;
    if has_meta.is_none() {
        let any: Option<i64> =
            connection.query_one("SELECT 1 FROM sqlite_schema LIMIT 1", &[], |row| row.get(0))?;
        return Ok(match any {
            None => Fitness::Empty,
            Some(_) => Fitness::OtherVersion("it is no index".to_owned()),
        });
    }
    let stored: Vec<(String, String)> = connection
        .query("SELECT key, value FROM meta", &[], |row| Ok::<_, StoreError>((row.get(0)?, row.get(1)?)))?;
    let stored = |wanted: &str| stored.iter().find(|(key, _)| key == wanted).map(|(_, value)| value.as_str());
    match stored("version") {
        Some(VERSION) => {}
        other => {
            let found = other.unwrap_or("none");
            return Ok(Fitness::OtherVersion(format!("version {found} where this program writes {VERSION}")));
        }
    }
    let same = settings(options).iter().all(|(key, value)| stored(key) == Some(value));
    Ok(if same { Fitness::Usable } else { Fitness::OtherSettings })
}

/// Makes the tables in an empty file.
pub(crate) fn create(connection: &Connection, options: &IndexOptions) -> Result<(), SearchError> {
    connection.batch(TABLES)?;
    connection.batch(Engine::SCHEMA)?;
    for (key, value) in settings(options).into_iter().chain([("version", VERSION.to_owned())]) {
        connection.execute("INSERT INTO meta (key, value) VALUES (?1, ?2)", params![key, value])?;
    }
    Ok(())
}

/// The statements for those of the [`LATER`] indexes that are missing.
pub(crate) fn missing_indexes(connection: &Connection) -> Result<Vec<&'static str>, SearchError> {
    let there: Vec<String> =
        connection.query("SELECT name FROM sqlite_schema WHERE type = 'index'", &[], |row| {
            Ok::<_, SearchError>(row.get(0)?)
        })?;
    Ok(LATER
        .iter()
        .filter(|(name, _)| !there.iter().any(|there| there == name))
        .map(|(_, sql)| *sql)
        .collect())
}

/// The settings that shape what is written: with other ones, rows would be wrong.
fn settings(options: &IndexOptions) -> Vec<(&'static str, String)> {
    let zone =
        options.time_zone.iana_name().map_or_else(|| format!("{:?}", options.time_zone), str::to_owned);
    vec![
        ("time_zone", zone),
        ("max_note_bytes", options.max_note_bytes.to_string()),
        ("text_format", Engine::FORMAT.to_string()),
        ("file_texts", options.file_texts.to_string()),
    ]
}
