//! An index as text, ids replaced by paths: two of these are equal when the indexes mean the same.

use std::collections::BTreeMap;
use std::path::Path;

use store::{Database, Lane, Options, StoreError, Value};

/// Table to its rows, sorted.
pub(crate) type Dump = BTreeMap<String, Vec<String>>;

/// Each table, with the query that shows its rows. `{path}` is the path of the row's file.
const TABLES: [(&str, &str); 17] = [
    (
        "files",
        // Fresh or not is a matter of when it was looked at.
        "SELECT path, path_key, name_key, kind, size, modified_ns, hex(hash), min(state, 1), rules FROM files",
    ),
    (
        "notes",
        "SELECT path, title, type, created, created_day, description, related, properties, leading_callout,
                done_lanes
         FROM notes JOIN files USING (id)",
    ),
    ("texts", "SELECT path, text, hex(line_map) FROM texts JOIN files USING (id)"),
    ("aliases", "SELECT path, ordinal, alias, alias_key FROM aliases JOIN files ON id = note_id"),
    ("tags", "SELECT path, ordinal, tag, tag_key, source, occurrences FROM tags JOIN files ON id = note_id"),
    ("headings", "SELECT path, ordinal, level, text, key, line FROM headings JOIN files ON id = note_id"),
    ("blocks", "SELECT path, ordinal, block_id, block_key, line FROM blocks JOIN files ON id = note_id"),
    (
        "properties",
        "SELECT path, ordinal, key, key_fold, item, properties.kind, text, number
         FROM properties JOIN files ON id = note_id",
    ),
    (
        "links",
        "SELECT source.path, ordinal, links.kind, embed, links.path, subpath, display, property_key, line,
                links.name_key, target.path
         FROM links JOIN files AS source ON source.id = source_id LEFT JOIN files AS target ON target.id = target_id",
    ),
    (
        "memory_entries",
        "SELECT path, ordinal, section, date, text, line, hex(memory_entries.hash)
         FROM memory_entries JOIN files ON id = note_id",
    ),
    (
        "tasks",
        "SELECT path, ordinal, line, status, status_char, description, created, scheduled, scheduled_inferred, start,
                due, done, cancelled, invalid_dates, priority, recurrence, on_completion, task_id, depends_on, tags,
                block_id, heading, heading_key, lane_key, depth, parent, subtasks, subtasks_done
         FROM tasks JOIN files ON id = note_id",
    ),
    ("task_tags", "SELECT path, ordinal, tag_key FROM task_tags JOIN files ON id = note_id"),
    ("problems", "SELECT path, problems.kind, message FROM problems JOIN files ON id = file_id"),
    ("skipped", "SELECT path, reason FROM skipped"),
    ("meta", "SELECT key, value FROM meta"),
    ("doc_tokens", "SELECT path, hex(stream) FROM doc_tokens LEFT JOIN files ON id = doc"),
    ("fts", "SELECT path, col, term, offset FROM temp.words LEFT JOIN files ON id = doc"),
];

/// Reads the index at `path`, which nobody may be writing.
pub(crate) fn dump(path: &Path) -> Dump {
    let database = Database::open(path, &Options::default()).expect("the index opens");
    let found = database.integrity_check().expect("the index can be checked");
    assert_eq!(found, Vec::<String>::new(), "the file itself is sound");
    let tables = database
        .write(Lane::Interactive, |connection| {
            connection.batch("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, fts, instance)")?;
            let mut tables = Dump::new();
            for (name, query) in TABLES {
                let mut rows = connection.query(query, &[], |row| {
                    let columns = (0..).map_while(|index| row.get::<Value>(index).ok());
                    Ok::<_, StoreError>(columns.map(|value| show(&value)).collect::<Vec<_>>().join(" | "))
                })?;
                rows.sort();
                tables.insert(name.to_owned(), rows);
            }
            connection.batch("DROP TABLE temp.words")?;
            // Rows that no file owns would be missing above.
            for (table, column) in [
                ("notes", "id"),
                ("texts", "id"),
                ("aliases", "note_id"),
                ("tags", "note_id"),
                ("headings", "note_id"),
                ("blocks", "note_id"),
                ("properties", "note_id"),
                ("links", "source_id"),
                ("memory_entries", "note_id"),
                ("tasks", "note_id"),
                ("task_tags", "note_id"),
                ("problems", "file_id"),
                ("doc_tokens", "doc"),
                ("fts", "rowid"),
            ] {
                let orphans: Option<i64> = connection.query_one(
                    &format!("SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT id FROM files)"),
                    &[],
                    |row| row.get(0),
                )?;
                tables.insert(format!("{table} without a file"), vec![format!("{orphans:?}")]);
            }
            Ok::<_, StoreError>(tables)
        })
        .expect("the tables can be read");
    database.close();
    tables
}

fn show(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::Blob(bytes) => format!("{bytes:?}"),
    }
}

/// Panics with the first differing rows of each table.
#[track_caller]
pub(crate) fn assert_same(found: &Dump, expected: &Dump, story: &str) {
    let mut differences = String::new();
    for (table, expected) in expected {
        let found = found.get(table).map_or(&[][..], Vec::as_slice);
        let extra: Vec<_> = found.iter().filter(|row| !expected.contains(row)).take(5).collect();
        let missing: Vec<_> = expected.iter().filter(|row| !found.contains(row)).take(5).collect();
        if found != expected.as_slice() {
            differences.push_str(&format!("{table}: not in a rebuild {extra:#?}, only there {missing:#?}\n"));
        }
    }
    assert!(differences.is_empty(), "{story}\n{differences}");
}
