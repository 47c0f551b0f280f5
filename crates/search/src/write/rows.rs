//! The rows of one file, in and out.

use serde_json::Value as Json;
use store::{Connection, params};

use super::links::{Names, Source};
use crate::error::SearchError;
use crate::note::{NoteRow, Rows};
use crate::status::ProblemKind;

/// Removes every row of a file but the one in `files`.
pub(crate) fn clear(connection: &Connection, id: u32) -> Result<(), SearchError> {
    for statement in [
        "DELETE FROM notes WHERE id = ?1",
        "DELETE FROM texts WHERE id = ?1",
        "DELETE FROM aliases WHERE note_id = ?1",
        "DELETE FROM tags WHERE note_id = ?1",
        "DELETE FROM headings WHERE note_id = ?1",
        "DELETE FROM properties WHERE note_id = ?1",
        "DELETE FROM links WHERE source_id = ?1",
        "DELETE FROM memory_entries WHERE note_id = ?1",
        "DELETE FROM problems WHERE file_id = ?1",
    ] {
        connection.execute(statement, params![id])?;
    }
    Ok(())
}

/// Inserts the rows of a file that has none, its links resolved.
pub(crate) fn insert(
    connection: &Connection,
    id: u32,
    path: &str,
    rows: Rows,
    names: &mut Names,
) -> Result<(), SearchError> {
    if let Some(note) = rows.note {
        insert_note(connection, id, note)?;
    }
    if let Some(text) = rows.text {
        connection.execute(
            "INSERT INTO texts (id, text, line_map) VALUES (?1, ?2, ?3)",
            params![id, text.text, text.line_map],
        )?;
    }
    for (ordinal, alias) in (0i64..).zip(rows.aliases) {
        let key = text_key(&alias);
        connection.execute(
            "INSERT INTO aliases (note_id, ordinal, alias, alias_key) VALUES (?1, ?2, ?3, ?4)",
            params![id, ordinal, alias, key],
        )?;
    }
    for (ordinal, tag) in (0i64..).zip(rows.tags) {
        connection.execute(
            "INSERT INTO tags (note_id, ordinal, tag, tag_key, source, occurrences)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![id, ordinal, tag.tag, tag.tag_key, tag.source, tag.occurrences],
        )?;
    }
    for (ordinal, heading) in (0i64..).zip(rows.headings) {
        connection.execute(
            "INSERT INTO headings (note_id, ordinal, level, text, line) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![id, ordinal, heading.level, heading.text, line_number(heading.line)],
        )?;
    }
    for (ordinal, property) in (0i64..).zip(rows.properties) {
        connection.execute(
            "INSERT INTO properties (note_id, ordinal, key, key_fold, item, kind, text, number)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                id,
                ordinal,
                property.key,
                property.key_fold,
                property.item,
                property.kind,
                property.text,
                property.number
            ],
        )?;
    }
    for (ordinal, entry) in (0i64..).zip(rows.memory) {
        connection.execute(
            "INSERT INTO memory_entries (note_id, ordinal, section, date, text, line, hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                id,
                ordinal,
                entry.section,
                entry.date,
                entry.text,
                line_number(entry.line),
                entry.hash.as_bytes().to_vec()
            ],
        )?;
    }
    let source = Source { id, path };
    for (ordinal, link) in (0i64..).zip(rows.links) {
        let target = names.resolve(connection, source, link.kind, &link.path, &link.name_key)?;
        connection.execute(
            "INSERT INTO links (source_id, ordinal, kind, embed, path, subpath, display, property_key, line,
                                name_key, target_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            params![
                id,
                ordinal,
                link.kind,
                link.embed,
                link.path,
                link.subpath,
                link.display,
                link.property_key,
                line_number(link.line),
                link.name_key,
                target
            ],
        )?;
    }
    for (kind, message) in rows.problems {
        connection.execute(
            "INSERT OR REPLACE INTO problems (file_id, kind, message) VALUES (?1, ?2, ?3)",
            params![id, problem_name(kind), message],
        )?;
    }
    Ok(())
}

fn insert_note(connection: &Connection, id: u32, note: NoteRow) -> Result<(), SearchError> {
    let (created, created_day) = note.created.map(|created| (created.text, created.day)).unzip();
    let related = Json::from(note.related).to_string();
    connection.execute(
        "INSERT INTO notes (id, title, type, created, created_day, description, related, properties,
                            leading_callout)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            id,
            note.title,
            note.type_,
            created,
            created_day,
            note.description,
            related,
            note.additional,
            note.leading_callout
        ],
    )?;
    Ok(())
}

/// What aliases are compared by: as link targets are.
pub(crate) fn text_key(text: &str) -> String {
    markdown::resolve::fold(text.trim()).into_owned()
}

fn line_number(line: usize) -> i64 {
    i64::try_from(line).unwrap_or(i64::MAX)
}

const PROBLEM_NAMES: [(ProblemKind, &str); 9] = [
    (ProblemKind::InvalidYaml, "invalid_yaml"),
    (ProblemKind::UnclosedFrontmatter, "unclosed_frontmatter"),
    (ProblemKind::Latin1, "latin1"),
    (ProblemKind::Binary, "binary"),
    (ProblemKind::TooLarge, "too_large"),
    (ProblemKind::SearchedInPart, "searched_in_part"),
    (ProblemKind::InvalidCanvas, "invalid_canvas"),
    (ProblemKind::Unreadable, "unreadable"),
    (ProblemKind::Internal, "internal"),
];

/// How `problems.kind` names a kind.
pub(crate) fn problem_name(kind: ProblemKind) -> &'static str {
    PROBLEM_NAMES.iter().find(|(named, _)| *named == kind).map_or("internal", |(_, name)| name)
}

/// The kind that `problems.kind` names.
pub(crate) fn problem_kind(name: &str) -> Option<ProblemKind> {
    PROBLEM_NAMES.iter().find(|(_, named)| *named == name).map(|(kind, _)| *kind)
}
