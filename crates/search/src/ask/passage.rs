//! Where in its file a snippet stands: section and lines.

use std::ops::Range;

use store::{Connection, params};

use crate::answer::LineRange;
use crate::error::SearchError;
use crate::note::line_map::LineMap;
use crate::text::{Engine, Highlights};

/// A snippet and its place.
#[derive(Debug, Default)]
pub(crate) struct Passage {
    pub(crate) text: String,
    pub(crate) section: Option<String>,
    pub(crate) lines: Option<LineRange>,
}

/// Cuts the best passage out of a document's stored text.
pub(crate) fn passage(
    connection: &Connection,
    engine: &Engine,
    doc: u32,
    highlights: &Highlights,
    tokens: usize,
    marks: bool,
) -> Result<Passage, SearchError> {
    let stored =
        connection.query_one("SELECT text, line_map FROM texts WHERE id = ?1", params![doc], |row| {
            Ok::<_, SearchError>((row.get::<String>(0)?, row.bytes(1)?))
        })?;
    let Some((text, packed)) = stored else { return Ok(Passage::default()) };
    let map = LineMap::unpack(&packed).ok_or_else(|| SearchError::Row("texts.line_map".to_owned()))?;
    let snippet = engine.snippet(&text, highlights, tokens, marks);
    let Some(lines) = lines(&map, &text, &snippet.range) else {
        return Ok(Passage { text: snippet.text, ..Passage::default() });
    };
    let place = snippet.first_match.and_then(|offset| line_number(map.line_of(offset)));
    let section = section(connection, doc, place.unwrap_or(lines.start))?;
    Ok(Passage { text: snippet.text, section, lines: Some(lines) })
}

/// The lines that a range of the plain text comes from, white space at its ends aside.
fn lines(map: &LineMap, text: &str, range: &Range<usize>) -> Option<LineRange> {
    let shown = text.get(range.clone())?;
    let trimmed_start = range.start + (shown.len() - shown.trim_start().len());
    let trimmed_end = range.start + shown.trim_end().len();
    let start = line_number(map.line_of(trimmed_start.min(trimmed_end)))?;
    let end = line_number(map.line_of(trimmed_end.saturating_sub(1).max(trimmed_start)))?;
    Some(LineRange { start, end: end.max(start) })
}

fn line_number(line: Option<usize>) -> Option<u32> {
    u32::try_from(line?).ok()?.checked_add(1)
}

/// The headings above a 1-based line, outermost first; a heading's own line counts as below it.
fn section(connection: &Connection, doc: u32, line: u32) -> Result<Option<String>, SearchError> {
    let mut path: Vec<(u8, String)> = Vec::new();
    connection.for_each(
        "SELECT level, text FROM headings WHERE note_id = ?1 AND line < ?2 ORDER BY ordinal",
        params![doc, line],
        |row| {
            let level: u8 = row.get(0)?;
            path.retain(|(above, _)| *above < level);
            path.push((level, row.get(1)?));
            Ok::<_, SearchError>(())
        },
    )?;
    let names: Vec<String> = path.into_iter().map(|(_, text)| text).filter(|text| !text.is_empty()).collect();
    Ok((!names.is_empty()).then(|| names.join(" > ")))
}
