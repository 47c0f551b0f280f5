//! `vault_get_memory`: memory files as text, whole, by section, or the entries since a day.

use jiff::civil::Date;
use markdown::document::{self, Document};
use markdown::headings::Heading;
use markdown::memory::{self, section_key};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get_daily_note::parse_date;
use super::lines::{self, Wanted};
use super::memory_files::{MOST_LISTED, MemoryFile, listed};
use super::note_row::shorten_text;
use crate::mcp::answer::{LeftOut, text_length};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct GetMemory;

/// What to read.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Name of a memory file.
    #[schemars(length(max = 300))]
    file: Option<String>,
    /// A heading in it.
    #[schemars(length(max = 4000))]
    section: Option<String>,
    /// Only entries from YYYY-MM-DD on.
    #[schemars(length(max = 32))]
    on_or_after: Option<String>,
    /// First line, to continue.
    #[schemars(range(min = 1))]
    start_line: Option<usize>,
    /// First character in it.
    #[schemars(range(min = 1))]
    start_char: Option<usize>,
}

/// What the memory files say.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// The text, properties left out.
    text: String,
    /// The one file read.
    file: Option<String>,
    /// Its path in the vault.
    path: Option<String>,
    /// SHA-256 of that file, to be given as expected_hash when it is changed.
    hash: Option<String>,
    /// Its size on disk.
    bytes: Option<u64>,
    /// The section read, as its heading is written.
    section: Option<String>,
    /// With on_or_after: how many entries there are.
    entries: Option<usize>,
    /// Why there is no text.
    message: Option<String>,
    /// First line returned, when this is a part.
    start_line: Option<usize>,
    /// Last line returned.
    end_line: Option<usize>,
    /// Lines there are.
    total_lines: Option<usize>,
    /// What is not in this answer.
    left_out: Option<LeftOut>,
}

impl Tool for GetMemory {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Reads memory files, dated entries about the user: all of them, one file, or one section; or only the \
entries since a day.{vault_memory_recall? vault_memory_recall finds single entries.}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let wanted =
            Wanted { start_line: arguments.start_line, limit: None, start_char: arguments.start_char };
        wanted.check()?;
        if arguments.section.is_some() && arguments.file.is_none() {
            return Err(ToolError::Refused("section requires a file: give file as well".to_owned()));
        }
        let since = arguments.on_or_after.as_deref();
        let since = since.map(|day| parse_date("on_or_after", day)).transpose()?;
        let asked = Asked { section: arguments.section.as_deref(), since };
        let (found, answer) = match &arguments.file {
            Some(name) => one(call, name, asked)?,
            None => all(call, asked)?,
        };
        let answer = Answer { entries: since.map(|_| found.entries), ..answer };
        if found.text.is_empty() {
            let message = answer.message.clone().unwrap_or_else(|| match since {
                Some(day) => format!("There are no entries on or after {day}."),
                None => "There is no text.".to_owned(),
            });
            return Ok(Reply::new(vec![message.clone()], Answer { message: Some(message), ..answer }));
        }
        let place = answer.path.clone().unwrap_or_else(|| call.app.memory.path().to_string());
        // Hash and field names stand around the text; path, name and section.
        let around = 700 + 2 * place.chars().count() + answer.section.as_deref().map_or(0, text_length);
        let most = call.app.max_answer_chars.saturating_sub(around).max(200);
        let part = lines::part(&found.text, wanted, most, || format!("{place:?}"))?;
        let answer = Answer { text: part.shown.to_owned(), ..answer };
        if part.is_plain() {
            return Ok(Reply::new(vec![answer.text.clone()], answer));
        }
        let blocks = vec![part.describe(&place, "memory"), answer.text.clone()];
        let (start_line, end_line) = part.range().unzip();
        let (total_lines, left_out) = (Some(part.total), part.left_out());
        Ok(Reply::new(blocks, Answer { start_line, end_line, total_lines, left_out, ..answer }))
    }
}

/// What is wanted of each file.
#[derive(Clone, Copy)]
struct Asked<'a> {
    section: Option<&'a str>,
    since: Option<Date>,
}

/// The text of one or several files.
#[derive(Default)]
struct Found {
    text: String,
    /// Entries in it, when they were asked for by their day.
    entries: usize,
}

fn one(call: &Call<'_>, name: &str, asked: Asked<'_>) -> Result<(Found, Answer), ToolError> {
    let file = call.read_memory(&call.memory_file(name)?)?;
    let document = document::parse(&file.text);
    let section = asked.section.map(|section| section_of(&file, &document, section)).transpose()?;
    let found = read(&file.text, &document, section, asked.since);
    let answer = Answer {
        file: Some(file.path.stem().to_owned()),
        path: Some(file.path.to_string()),
        hash: Some(file.hash),
        bytes: Some(file.bytes),
        section: section.map(|(_, heading)| {
            let mut name = heading.text.clone();
            shorten_text(&mut name);
            name
        }),
        ..Answer::default()
    };
    Ok((found, answer))
}

/// All files, one after the other. Where there are several, a comment before each says which it is.
fn all(call: &Call<'_>, asked: Asked<'_>) -> Result<(Found, Answer), ToolError> {
    let paths = call.memory_files()?;
    let mut all = Found::default();
    for path in &paths {
        let found = match call.read_memory(path) {
            Ok(file) => read(&file.text, &document::parse(&file.text), None, asked.since),
            Err(ToolError::NotFound(_)) => continue,
            Err(error) => Found { text: format!("({error})"), entries: 0 },
        };
        if found.text.is_empty() && asked.since.is_some() {
            continue;
        }
        if !all.text.is_empty() {
            all.text.push_str("\n\n");
        }
        if paths.len() > 1 {
            all.text.push_str(&format!("<!-- {path} -->\n\n"));
        }
        all.text.push_str(&found.text);
        all.entries += found.entries;
    }
    let message = paths.is_empty().then(|| call.no_memory_files());
    Ok((all, Answer { message, ..Answer::default() }))
}

/// A section with its place among the headings.
type Section<'a> = (usize, &'a Heading);

fn section_of<'a>(file: &MemoryFile, document: &'a Document, wanted: &str) -> Result<Section<'a>, ToolError> {
    let headings = &document.headings;
    let name = wanted.trim().trim_start_matches('#').trim();
    let key = section_key(name);
    let alike: Vec<Section<'_>> =
        headings.iter().enumerate().filter(|(_, heading)| section_key(&heading.text) == key).collect();
    let exact: Vec<Section<'_>> = alike.iter().copied().filter(|(_, heading)| heading.text == name).collect();
    match (alike.as_slice(), exact.as_slice()) {
        ([only], _) | (_, [only]) => Ok(*only),
        ([], _) => {
            let available = listed(headings.iter().map(|heading| heading.text.as_str()), headings.len());
            Err(ToolError::NotFound(format!(
                "section not found: {wanted:?} in {:?}. Available sections: {available}",
                file.path.as_str()
            )))
        }
        (several, _) => Err(ambiguous(file, wanted, several, exact.is_empty())),
    }
}

/// `can_be_told` says whether the headings differ as they are written.
fn ambiguous(file: &MemoryFile, wanted: &str, found: &[Section<'_>], can_be_told: bool) -> ToolError {
    let mut places: Vec<String> = found
        .iter()
        .take(MOST_LISTED)
        .map(|(_, heading)| {
            let text: String = heading.text.chars().take(120).collect();
            format!("{} {text} (line {})", "#".repeat(usize::from(heading.level)), heading.line + 1)
        })
        .collect();
    if found.len() > places.len() {
        places.push(format!("and {} more", found.len() - places.len()));
    }
    let hint = if can_be_told {
        "give one exactly as it is written"
    } else {
        "they are written alike: read the file without section"
    };
    ToolError::Refused(format!(
        "ambiguous section: {wanted:?} matches {} sections in {:?}: {}; {hint}",
        found.len(),
        file.path.as_str(),
        places.join(", ")
    ))
}

/// What a file says, without its properties and blank lines around it; of a section, without its heading.
fn read(text: &str, document: &Document, section: Option<Section<'_>>, since: Option<Date>) -> Found {
    if let Some(since) = since {
        return dated(text, document, section, since);
    }
    let whole = match section {
        Some((_, heading)) => {
            let below = text.get(heading.span.end..heading.section.end).unwrap_or_default();
            below.split_once('\n').map_or("", |(_, below)| below)
        }
        None => text.get(document.body_start..).unwrap_or_default(),
    };
    let blank = ['\r', '\n', '\u{feff}'];
    Found { text: whole.trim_start_matches(blank).trim_end().to_owned(), entries: 0 }
}

/// The entries since a day as they are written, each group below the heading it stands under.
fn dated(text: &str, document: &Document, section: Option<Section<'_>>, since: Date) -> Found {
    let mut found = Found::default();
    let mut under = section.map(|(index, _)| index);
    for entry in memory::entries(text, document) {
        let inside = section.is_none_or(|(_, heading)| heading.section.contains(&entry.span.start));
        if entry.date < since || !inside {
            continue;
        }
        if !found.text.is_empty() {
            found.text.push('\n');
        }
        if entry.section != under {
            under = entry.section;
            if let Some(heading) = entry.section.and_then(|index| document.headings.get(index)) {
                if !found.text.is_empty() {
                    found.text.push('\n');
                }
                let hashes = "#".repeat(usize::from(heading.level));
                found.text.push_str(&format!("{hashes} {}\n\n", heading.text));
            }
        }
        found.text.push_str(text.get(entry.span).unwrap_or_default().trim_end());
        found.entries += 1;
    }
    found
}
