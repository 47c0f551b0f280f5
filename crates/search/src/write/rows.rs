//! The rows of one file, in and out.

use serde_json::Value as Json;
use store::{Connection, params};

use super::links::{Names, Source};
use crate::error::SearchError;
use crate::note::tasks::TaskRow;
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
        "DELETE FROM blocks WHERE note_id = ?1",
        "DELETE FROM properties WHERE note_id = ?1",
        "DELETE FROM links WHERE source_id = ?1",
        "DELETE FROM memory_entries WHERE note_id = ?1",
        "DELETE FROM problems WHERE file_id = ?1",
    ] {
        connection.execute(statement, params![id])?;
    }
    clear_tasks(connection, id)
}

/// Removes the task rows of a file.
pub(crate) fn clear_tasks(connection: &Connection, id: u32) -> Result<(), SearchError> {
    connection.execute("DELETE FROM tasks WHERE note_id = ?1", params![id])?;
    connection.execute("DELETE FROM task_tags WHERE note_id = ?1", params![id])?;
    Ok(())
}

/// Inserts the task rows of a file that has none.
pub(crate) fn insert_tasks(connection: &Connection, id: u32, tasks: Vec<TaskRow>) -> Result<(), SearchError> {
    for (ordinal, task) in (0i64..).zip(tasks) {
        connection.execute(
            "INSERT INTO tasks (note_id, ordinal, line, status, status_char, description, created, scheduled,
                                scheduled_inferred, start, due, done, cancelled, invalid_dates, priority,
                                recurrence, on_completion, task_id, depends_on, tags, block_id, heading,
                                heading_key, lane_key, depth, parent, subtasks, subtasks_done)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
                     ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28)",
            params![
                id,
                ordinal,
                line_number(task.line),
                task.status,
                task.status_char,
                task.description,
                task.created,
                task.scheduled,
                task.scheduled_inferred,
                task.start,
                task.due,
                task.done,
                task.cancelled,
                task.invalid_dates,
                i64::from(task.priority),
                task.recurrence,
                task.on_completion,
                task.task_id,
                task.depends_on,
                task.tags,
                task.block_id,
                task.heading,
                task.heading_key,
                task.lane_key,
                line_number(task.depth),
                task.parent.map(line_number),
                line_number(task.subtasks),
                line_number(task.subtasks_done)
            ],
        )?;
        for key in task.tag_keys {
            connection.execute(
                "INSERT INTO task_tags (note_id, ordinal, tag_key) VALUES (?1, ?2, ?3)",
                params![id, ordinal, key],
            )?;
        }
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
            "INSERT INTO headings (note_id, ordinal, level, text, key, line) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![id, ordinal, heading.level, heading.text, heading.key, line_number(heading.line)],
        )?;
    }
    for (ordinal, block) in (0i64..).zip(rows.blocks) {
        connection.execute(
            "INSERT INTO blocks (note_id, ordinal, block_id, block_key, line) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![id, ordinal, block.id, block.key, line_number(block.line)],
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
    insert_tasks(connection, id, rows.tasks)?;
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
                            leading_callout, done_lanes)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            id,
            note.title,
            note.type_,
            created,
            created_day,
            note.description,
            related,
            note.additional,
            note.leading_callout,
            note.done_lanes
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
