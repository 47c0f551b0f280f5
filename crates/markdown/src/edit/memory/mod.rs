//! Dated entries of memory files: adding one, deleting one, and the text of a file that is new.

mod error;
mod files;

pub use error::MemoryError;
pub use files::{new_file, starter_files};

use super::section;
use super::{Edit, Edited, Place, line_break, without_last_break, without_mark};
use crate::document::{self, Document};
use crate::headings::Heading;
use crate::memory::{self, Entry, NEWEST_FIRST};
use crate::tasks::TaskDate;
use jiff::civil::Date;

/// Files of at most this many bytes may shrink freely: a file without entries is smaller.
pub const SHRINK_FREE_BYTES: usize = 1250;

/// Which end of its section an entry is added to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Position {
    /// Above the entries that are there: the newest comes first.
    #[default]
    Top,
    /// Below them.
    Bottom,
}

/// An entry to add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewEntry<'a> {
    /// The section: a heading's text, compared without case and without its ordering suffix; of several
    /// that compare equal the one that is written exactly so.
    pub section: &'a str,
    /// One line of text.
    pub text: &'a str,
    /// The day it is true of.
    pub date: Date,
    /// Where in its section.
    pub position: Position,
}

/// What adding an entry did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    /// The file. No edits: the entry is there already.
    pub edited: Edited,
    /// The heading it stands under, as `## Text`.
    pub section: String,
    /// Whether the section is new.
    pub is_new_section: bool,
    /// Whether the very entry was there already, so that nothing was written: a call that is repeated after
    /// its answer was lost adds nothing.
    pub is_there: bool,
}

/// What deleting an entry did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deleted {
    /// The file.
    pub edited: Edited,
    /// The heading it stood under, as `## Text`.
    pub section: String,
    /// The entry with its further lines, as it stood there.
    pub removed: String,
}

/// A day written as `YYYY-MM-DD`.
///
/// # Errors
/// [`MemoryError::NoDate`].
pub fn parse_date(text: &str) -> Result<Date, MemoryError> {
    let day = TaskDate::parse(text).and_then(TaskDate::day);
    day.ok_or_else(|| MemoryError::NoDate { date: text.to_owned() })
}

/// Adds an entry under a section, which is made at the end of the file when it is not there.
///
/// # Errors
/// See [`MemoryError`]; nothing is changed then.
pub fn add(source: &str, new: &NewEntry<'_>) -> Result<Added, MemoryError> {
    let rest = without_mark(source);
    let added = add_unmarked(rest, new)?;
    Ok(Added { edited: added.edited.with_mark(source, rest), ..added })
}

fn add_unmarked(source: &str, new: &NewEntry<'_>) -> Result<Added, MemoryError> {
    let text = one_line(new.text, "entry")?;
    let name = section_name(new.section)?;
    let document = document::parse(source);
    let entries = memory::entries(source, &document);
    let bullet = memory::bullet(new.date, text);
    let found = the_section(&document, new.section)?;
    let edited = match found {
        Some(section) => {
            let own: Vec<&Entry> = entries.iter().filter(|entry| entry.section == Some(section)).collect();
            if own.iter().any(|entry| entry.date == new.date && entry.text == text) {
                let section = shown(document.headings.get(section));
                let edited = Edited::new(source, Vec::new());
                return Ok(Added { edited, section, is_new_section: false, is_there: true });
            }
            into_section(source, section, &own, new.position, &bullet)
        }
        None => {
            if let Some(similar) = memory::nearly_same_section(&document.headings, &name) {
                return Err(MemoryError::SimilarSection {
                    section: name,
                    similar: document
                        .headings
                        .get(similar)
                        .map(|heading| heading.text.clone())
                        .unwrap_or_default(),
                    available: names(&document),
                });
            }
            let content = format!("## {name}{NEWEST_FIRST}\n\n{bullet}");
            section::append_to(source, None, &content).ok()
        }
    };
    let not_read = || MemoryError::NotRead { section: new.section.trim().to_owned() };
    let edited = edited.ok_or_else(not_read)?;
    let after = document::parse(&edited.text);
    let written_under = if found.is_some() { new.section } else { &name };
    let section = the_section(&after, written_under)?.ok_or_else(not_read)?;
    let written = memory::entries(&edited.text, &after);
    let is_read = written.len() == entries.len() + 1
        && written
            .iter()
            .any(|entry| entry.section == Some(section) && entry.date == new.date && entry.text == text);
    if !is_read {
        return Err(not_read());
    }
    guard_shrink(source, &edited.text)?;
    let section = shown(after.headings.get(section));
    Ok(Added { edited, section, is_new_section: found.is_none(), is_there: false })
}

fn into_section(
    source: &str,
    heading: usize,
    entries: &[&Entry],
    position: Position,
    bullet: &str,
) -> Option<Edited> {
    let own = line_break(source);
    let edit = match (position, entries.first(), entries.last()) {
        (Position::Top, Some(first), _) => {
            Edit::new(first.span.start..first.span.start, format!("{bullet}{own}"))
        }
        (Position::Bottom, _, Some(last)) => {
            let at = last.span.end;
            let is_whole = source.get(..at).is_some_and(|before| before.ends_with('\n'));
            // A file that ends without a line break keeps doing so.
            Edit::new(at..at, if is_whole { format!("{bullet}{own}") } else { format!("{own}{bullet}") })
        }
        _ => return section::append_to(source, Some(heading), bullet).ok(),
    };
    Some(Edited::new(source, vec![edit]))
}

/// Deletes the one entry with a section, a day and a text: the whole of it, or its first line when it has
/// several. Its further lines go with it.
///
/// # Errors
/// See [`MemoryError`]; nothing is changed then.
pub fn delete(source: &str, section: &str, date: Date, text: &str) -> Result<Deleted, MemoryError> {
    let (marked, source) = (source, without_mark(source));
    let text = one_line(text, "entry")?;
    section_name(section)?;
    let document = document::parse(source);
    let Some(index) = the_section(&document, section)? else {
        return Err(MemoryError::NoSection { section: section.to_owned(), available: names(&document) });
    };
    let heading = shown(document.headings.get(index));
    let entries = memory::entries(source, &document);
    let of_day: Vec<&Entry> =
        entries.iter().filter(|entry| entry.section == Some(index) && entry.date == date).collect();
    let reads = |entry: &&&Entry| entry.text == text || entry.text.lines().next() == Some(text);
    let matching: Vec<&Entry> = of_day.iter().filter(reads).copied().collect();
    match matching.as_slice() {
        [] => Err(MemoryError::NoEntry {
            section: heading,
            date,
            entry: text.to_owned(),
            same_day: of_day.iter().map(|entry| super::excerpt(&entry.text)).collect(),
        }),
        [entry] => {
            let span = without_last_break(source, entry.span.clone());
            let edited = Edited::new(source, vec![Edit::new(span, "")]);
            guard_shrink(source, &edited.text)?;
            let removed = source.get(entry.span.clone()).unwrap_or_default().trim_end().to_owned();
            Ok(Deleted { edited: edited.with_mark(marked, source), section: heading, removed })
        }
        several => {
            let place = |entry: &&Entry| Place { line: entry.line + 1, excerpt: super::excerpt(&entry.text) };
            Err(MemoryError::Ambiguous { date, places: several.iter().map(place).collect() })
        }
    }
}

/// Refuses a change that takes away more than half of a memory file: no single entry does that, a mistake
/// might.
///
/// # Errors
/// [`MemoryError::Shrinks`] for a file of more than [`SHRINK_FREE_BYTES`].
pub fn guard_shrink(before: &str, after: &str) -> Result<(), MemoryError> {
    if before.len() > SHRINK_FREE_BYTES && after.len() < before.len().div_ceil(2) {
        return Err(MemoryError::Shrinks { before: before.len(), after: after.len() });
    }
    Ok(())
}

fn one_line<'a>(text: &'a str, what: &'static str) -> Result<&'a str, MemoryError> {
    let is_one = !text.trim().is_empty() && !text.contains(['\n', '\r']);
    if is_one { Ok(text.trim()) } else { Err(MemoryError::NotOneLine { what }) }
}

/// The section with a name; several are refused.
fn the_section(document: &Document, name: &str) -> Result<Option<usize>, MemoryError> {
    let headings = &document.headings;
    let found = memory::find_sections(headings, name);
    match found.as_slice() {
        [] => Ok(None),
        [only] => Ok(Some(*only)),
        several => {
            let found: Vec<&Heading> = several.iter().filter_map(|index| headings.get(*index)).collect();
            let place = |heading: &&Heading| Place {
                line: heading.line + 1,
                excerpt: super::excerpt(&shown(Some(heading))),
            };
            Err(MemoryError::AmbiguousSection {
                section: name.to_owned(),
                places: found.iter().map(place).collect(),
                are_alike: found
                    .iter()
                    .all(|heading| Some(&heading.text) == found.first().map(|one| &one.text)),
            })
        }
    }
}

/// The name of a section without hashes, entities and ordering suffix.
fn section_name(section: &str) -> Result<String, MemoryError> {
    let name = one_line(section, "section")?.trim_start_matches('#').trim();
    let name = memory::decode_entities(name);
    let start = name.len().saturating_sub(NEWEST_FIRST.len());
    let suffix = name.get(start..).filter(|suffix| suffix.eq_ignore_ascii_case(NEWEST_FIRST));
    let name = if suffix.is_some() { name.get(..start).unwrap_or_default() } else { &name };
    one_line(name, "section").map(str::to_owned)
}

fn names(document: &Document) -> Vec<String> {
    document.headings.iter().map(|heading| heading.text.clone()).collect()
}

fn shown(heading: Option<&Heading>) -> String {
    heading
        .map(|heading| format!("{} {}", "#".repeat(usize::from(heading.level)), heading.text))
        .unwrap_or_default()
}
