//! From links to files, once when a link is written and again only when a file that it can reach
//! comes or goes.
//!
//! Obsidian finds a link's file by its last segment first, so links and files carry a common key of
//! that segment: a file that is new, gone or renamed can only matter to the links with its key.

use std::collections::HashMap;

use markdown::resolve::Candidates;
use store::{Connection, params};

use crate::error::SearchError;
use crate::note::CANVAS_LINK;

/// The file that holds a link.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) id: u32,
    pub(crate) path: &'a str,
}

/// The files of each name, read once per transaction.
#[derive(Default)]
pub(crate) struct Names {
    files: HashMap<String, Vec<(u32, String)>>,
}

impl Names {
    /// Drops what is remembered of a name: a file with it came or went.
    pub(crate) fn forget(&mut self, name: &str) {
        self.files.remove(name);
    }

    /// The file that a link reaches.
    pub(crate) fn resolve(
        &mut self,
        connection: &Connection,
        source: Source<'_>,
        kind: &str,
        path: &str,
        name: &str,
    ) -> Result<Option<u32>, SearchError> {
        if name.is_empty() {
            // `[[#heading]]` reaches its own note; a path of dots and slashes reaches nothing.
            return Ok(path.trim().is_empty().then_some(source.id));
        }
        if !self.files.contains_key(name) {
            self.files.insert(name.to_owned(), files_named(connection, name)?);
        }
        let Some(files) = self.files.get(name).filter(|files| !files.is_empty()) else { return Ok(None) };
        let candidates = Candidates::new(files.iter().map(|(_, path)| path.as_str()));
        Ok(target(&candidates, files, source, kind, path))
    }
}

/// Resolves every link of a name anew and writes those whose target changed.
pub(crate) fn resolve_again(connection: &Connection, name: &str) -> Result<(), SearchError> {
    struct Row {
        source: u32,
        ordinal: i64,
        kind: String,
        path: String,
        target: Option<u32>,
        source_path: String,
    }
    let rows: Vec<Row> = connection.query(
        "SELECT links.source_id, links.ordinal, links.kind, links.path, links.target_id, files.path
         FROM links JOIN files ON files.id = links.source_id
         WHERE links.name_key = ?1",
        params![name],
        |row| {
            Ok::<_, SearchError>(Row {
                source: row.get(0)?,
                ordinal: row.get(1)?,
                kind: row.get(2)?,
                path: row.get(3)?,
                target: row.get(4)?,
                source_path: row.get(5)?,
            })
        },
    )?;
    if name.is_empty() || rows.is_empty() {
        return Ok(());
    }
    let files = files_named(connection, name)?;
    let candidates = Candidates::new(files.iter().map(|(_, path)| path.as_str()));
    for row in &rows {
        let source = Source { id: row.source, path: &row.source_path };
        let now = target(&candidates, &files, source, &row.kind, &row.path);
        if now != row.target {
            connection.execute(
                "UPDATE links SET target_id = ?3 WHERE source_id = ?1 AND ordinal = ?2",
                params![row.source, row.ordinal, now],
            )?;
        }
    }
    Ok(())
}

fn files_named(connection: &Connection, name: &str) -> Result<Vec<(u32, String)>, SearchError> {
    connection.query("SELECT id, path FROM files WHERE name_key = ?1", params![name], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

fn target<'a>(
    candidates: &Candidates<'a>,
    files: &'a [(u32, String)],
    source: Source<'a>,
    kind: &str,
    path: &str,
) -> Option<u32> {
    let found = if kind == CANVAS_LINK {
        // A canvas names its files by their whole path.
        candidates.resolve(source.path, &format!("/{path}"))
    } else {
        candidates.resolve(source.path, path)
    }?;
    files.iter().find(|(_, path)| path == found).map(|(id, _)| *id)
}
