//! The filter `related`: which notes name a note in their `related` property.

use markdown::resolve::{self, Candidates};
use store::{Connection, params};
use vault::Principal;

use super::meta::stored_path;
use crate::error::SearchError;

/// That a link is the value of `related` or an item of it. A property may be called `related.by`.
const OF_RELATED: &str = "(lower(links.property_key) = 'related'
    OR (lower(links.property_key) GLOB 'related.[0-9]*' AND substr(links.property_key, 9) NOT GLOB '*[^0-9]*'))";

/// Notes whose `related` property holds this text, or a link that reaches the file it names for `who`.
pub(super) fn related_to(
    connection: &Connection,
    who: &Principal,
    related: &str,
) -> Result<Vec<u32>, SearchError> {
    let target = related.trim();
    let target = target.strip_prefix("[[").and_then(|inner| inner.strip_suffix("]]")).unwrap_or(target);
    let target = target.split(['|', '#']).next().unwrap_or("").trim();
    if target.is_empty() {
        return Err(SearchError::InvalidFilter(
            "filters.related: give the name or path of a note".to_owned(),
        ));
    }
    let mut found = connection.query(
        "SELECT properties.note_id FROM properties
         WHERE properties.key_fold = 'related' AND properties.kind = 'text' AND properties.text IN (?1, ?2)",
        params![related, target],
        |row| Ok::<_, SearchError>(row.get(0)?),
    )?;
    let name = resolve::name_key(target);
    match file_named(connection, who, &name, target)? {
        Some(id) => found.extend(connection.query(
            &format!("SELECT links.source_id FROM links WHERE links.target_id = ?1 AND {OF_RELATED}"),
            params![id],
            |row| Ok::<u32, SearchError>(row.get(0)?),
        )?),
        None => linked_alike(connection, who, &name, target, &mut found)?,
    }
    Ok(found)
}

/// The file that a link at the top of the vault would reach, among those that `who` sees.
fn file_named(
    connection: &Connection,
    who: &Principal,
    name: &str,
    target: &str,
) -> Result<Option<u32>, SearchError> {
    let mut files: Vec<(u32, String)> = Vec::new();
    connection.for_each("SELECT id, path FROM files WHERE name_key = ?1", params![name], |row| {
        let path = stored_path(row.str(1)?)?;
        if who.sees(&path) {
            files.push((row.get(0)?, path.as_str().to_owned()));
        }
        Ok::<_, SearchError>(())
    })?;
    let candidates = Candidates::new(files.iter().map(|(_, path)| path.as_str()));
    let found = candidates.resolve("", target);
    Ok(files.iter().find(|(_, path)| Some(path.as_str()) == found).map(|(id, _)| *id))
}

/// Notes with a link that reaches nothing `who` sees and is written like `target`.
fn linked_alike(
    connection: &Connection,
    who: &Principal,
    name: &str,
    target: &str,
    found: &mut Vec<u32>,
) -> Result<(), SearchError> {
    let statement = format!(
        "SELECT links.source_id, links.path, files.path
         FROM links LEFT JOIN files ON files.id = links.target_id
         WHERE links.name_key = ?1 AND {OF_RELATED}"
    );
    connection.for_each(&statement, params![name], |row| {
        let reached = row.get::<Option<String>>(2)?.map(|path| stored_path(&path)).transpose()?;
        if reached.is_none_or(|path| !who.sees(&path)) && alike(row.str(1)?, target) {
            found.push(row.get(0)?);
        }
        Ok::<_, SearchError>(())
    })
}

/// Whether two links to what does not exist can mean the same: whole segments at the end of one are the
/// other.
fn alike(left: &str, right: &str) -> bool {
    let spelt = |link: &str| {
        let folded = resolve::fold(link.trim());
        let path = folded.trim_start_matches(['.', '/']);
        path.strip_suffix(".md").unwrap_or(path).to_owned()
    };
    let (left, right) = (spelt(left), spelt(right));
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    ends(&left, &right) || ends(&right, &left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(left: &str, right: &str, expected: bool) {
        assert_eq!(alike(left, right), expected, "{left} {right}");
        assert_eq!(alike(right, left), expected, "{right} {left}");
    }

    #[test]
    fn links_to_nothing_are_alike_by_whole_segments() {
        check("Gone", "gone.md", true);
        check("x/Gone", "Gone", true);
        check("x/Gone", "X/gone", true);
        check("/x/Gone", "x/Gone", true);
        check("x/Gone", "y/Gone", false);
        check("x/Gone", "one", false);
    }
}
