//! The link graph, as a caller may see it.

use std::collections::BTreeMap;

use markdown::resolve;
use store::{Connection, params};
use vault::{FileKind, Principal, VaultPath};

use super::anchors::AllAnchors;
use super::meta::{id_of, stored_path};
use super::scope::Visible;
use super::search::kind;
use crate::answer::{Backlink, Kind, OutgoingLink};
use crate::core::Core;
use crate::error::SearchError;
use crate::write::text_key;

/// A link's target as its row has it.
struct Target {
    /// The link's own path, as written.
    written: String,
    subpath: Option<String>,
    /// The file it reaches, if there is one.
    file: Option<Reached>,
}

struct Reached {
    id: u32,
    path: VaultPath,
    kind: Kind,
    bytes: u64,
    title: Option<String>,
}

impl Core {
    /// See [`Index::backlinks`](crate::Index::backlinks).
    pub(crate) fn backlinks(&self, who: &Principal, path: &VaultPath) -> Result<Vec<Backlink>, SearchError> {
        let Some(path) = self.indexed_path(who, path) else { return Ok(Vec::new()) };
        let visible = Visible::to(who).condition();
        self.ask(|connection| {
            let statement = format!(
                "SELECT DISTINCT files.path, files.size, notes.title
                 FROM links
                 JOIN files ON files.id = links.source_id
                 LEFT JOIN notes ON notes.id = files.id
                 WHERE links.target_id = ? AND {}
                 ORDER BY files.path",
                visible.sql()
            );
            let target = id_of(connection, &path)?;
            connection.query(&statement, &visible.params_between(params![target], &[]), |row| {
                let path = stored_path(row.str(0)?)?;
                let title: Option<String> = row.get(2)?;
                Ok(Backlink { title: title.unwrap_or_else(|| name(&path)), path, bytes: row.get(1)? })
            })
        })
    }

    /// Every file with a link to `path`: candidates for a move, which looks at them itself.
    pub(crate) fn link_sources(&self, path: &VaultPath) -> Result<Vec<VaultPath>, SearchError> {
        self.ask(|connection| {
            connection.query(
                "SELECT DISTINCT files.path FROM links JOIN files ON files.id = links.source_id
                 WHERE links.target_id = ?1
                 ORDER BY files.path",
                params![id_of(connection, path)?],
                |row| stored_path(row.str(0)?),
            )
        })
    }

    /// See [`Index::namesakes`](crate::Index::namesakes).
    pub(crate) fn namesakes(&self, who: &Principal, path: &VaultPath) -> Result<Vec<VaultPath>, SearchError> {
        let name = resolve::file_key(path.as_str());
        let found = self.ask(|connection| {
            connection.query("SELECT path FROM files WHERE name_key = ?1", params![name], |row| {
                stored_path(row.str(0)?)
            })
        })?;
        Ok(found.into_iter().filter(|found| found != path && who.sees(found)).collect())
    }

    /// See [`Index::outgoing_links`](crate::Index::outgoing_links).
    pub(crate) fn outgoing_links(
        &self,
        who: &Principal,
        path: &VaultPath,
    ) -> Result<Vec<OutgoingLink>, SearchError> {
        let Some(path) = self.indexed_path(who, path) else { return Ok(Vec::new()) };
        let visible = Visible::to(who);
        self.ask(|connection| {
            let mut links: BTreeMap<String, OutgoingLink> = BTreeMap::new();
            let mut anchors = AllAnchors::default();
            for target in targets(connection, &path)? {
                let Some(file) = target.file.filter(|file| who.sees(&file.path)) else {
                    let link = unresolved(connection, &visible, &target.written)?;
                    links.entry(link.path.clone()).or_insert(link);
                    continue;
                };
                let of_note = target.subpath.filter(|_| file.kind == Kind::Note);
                let missing = match of_note {
                    Some(subpath) => anchors.newly_missing(connection, file.id, subpath)?,
                    None => None,
                };
                let link = links.entry(file.path.as_str().to_owned()).or_insert_with(|| OutgoingLink {
                    path: file.path.as_str().to_owned(),
                    title: file.title,
                    exists: true,
                    kind: file.kind,
                    bytes: Some(file.bytes),
                    alias_of: None,
                    missing_subpaths: Vec::new(),
                });
                link.missing_subpaths.extend(missing);
            }
            Ok(links.into_values().collect())
        })
    }
}

fn targets(connection: &Connection, source: &VaultPath) -> Result<Vec<Target>, SearchError> {
    connection.query(
        "SELECT links.path, files.path, files.kind, files.size, notes.title, links.subpath, files.id
         FROM links
         LEFT JOIN files ON files.id = links.target_id
         LEFT JOIN notes ON notes.id = files.id
         WHERE links.source_id = ?1
         ORDER BY links.ordinal",
        params![id_of(connection, source)?],
        |row| {
            let file = match row.get::<Option<String>>(1)? {
                None => None,
                Some(path) => Some(Reached {
                    id: row.get(6)?,
                    path: stored_path(&path)?,
                    kind: kind(row.str(2)?),
                    bytes: row.get(3)?,
                    title: row.get(4)?,
                }),
            };
            Ok(Target { written: row.get(0)?, subpath: row.get(5)?, file })
        },
    )
}

/// A link that reaches nothing the caller may see.
fn unresolved(
    connection: &Connection,
    visible: &Visible,
    written: &str,
) -> Result<OutgoingLink, SearchError> {
    let path = written.strip_suffix(".md").filter(|stem| !stem.is_empty()).unwrap_or(written);
    let condition = visible.condition();
    let statement = format!(
        "SELECT files.path FROM aliases JOIN files ON files.id = aliases.note_id
         WHERE aliases.alias_key = ? AND {} ORDER BY files.path LIMIT 1",
        condition.sql()
    );
    let alias_of =
        connection.query_one(&statement, &condition.params_between(params![text_key(path)], &[]), |row| {
            stored_path(row.str(0)?)
        })?;
    Ok(OutgoingLink {
        path: path.to_owned(),
        title: None,
        exists: false,
        kind: written_kind(path),
        bytes: None,
        alias_of,
        missing_subpaths: Vec::new(),
    })
}

/// What a link that reaches nothing seems to mean: `x.png` a file, `v1.2` a note.
fn written_kind(path: &str) -> Kind {
    let named = VaultPath::parse(path.trim_start_matches(['/', '.'])).map(|path| path.kind());
    match named {
        Ok(FileKind::Other | FileKind::Note) | Err(_) => Kind::Note,
        Ok(_) => Kind::File,
    }
}

/// What a file without a title is called.
fn name(path: &VaultPath) -> String {
    path.file_name().to_owned()
}
