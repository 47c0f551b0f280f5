//! One section of a note.

use markdown::document;
use markdown::headings::{Heading, composed, match_key};

use super::{Answer, Arguments, Note, text};
use crate::mcp::error::ToolError;

/// The most headings that an error lists.
const MOST_LISTED: usize = 40;

/// Answers with the section under `wanted`.
pub(super) fn read(
    note: &Note<'_>,
    wanted: &str,
    arguments: &Arguments,
) -> Result<(Vec<String>, Answer), ToolError> {
    let headings = document::parse(note.text).headings;
    let heading = find(&headings, wanted, arguments.heading_level)?;
    let section = note.text.get(heading.section.clone()).unwrap_or_default();
    let (blocks, answer) = text::read(note, section, Some(&heading.text), arguments)?;
    let answer = Answer { heading: Some(heading.text.clone()), heading_level: Some(heading.level), ..answer };
    Ok((blocks, answer))
}

/// The only heading that is meant: by its exact text, else by what a link to it would match; either in Unicode's
/// composed form, since a Mac writes accents apart.
fn find<'a>(headings: &'a [Heading], wanted: &str, level: Option<u8>) -> Result<&'a Heading, ToolError> {
    let at_level = |heading: &&Heading| level.is_none_or(|level| heading.level == level);
    let wanted_text = composed(wanted.trim());
    let exact: Vec<&Heading> =
        headings.iter().filter(at_level).filter(|heading| composed(&heading.text) == wanted_text).collect();
    let found = if exact.is_empty() {
        let (text, hashes) = without_hashes(&wanted_text);
        let key = match_key(text);
        headings
            .iter()
            .filter(at_level)
            .filter(|heading| hashes.is_none_or(|hashes| heading.level == hashes))
            .filter(|heading| !key.is_empty() && match_key(&composed(&heading.text)) == key)
            .collect()
    } else {
        exact
    };
    match found.as_slice() {
        [only] => Ok(only),
        [] => Err(not_found(headings, wanted, level)),
        several => Err(ambiguous(several, wanted)),
    }
}

/// `## Notes` is what a model copies from the text: the text, and the level.
fn without_hashes(wanted: &str) -> (&str, Option<u8>) {
    let rest = wanted.trim_start_matches('#');
    let hashes = wanted.len() - rest.len();
    match u8::try_from(hashes) {
        Ok(level @ 1..=6) if rest.starts_with([' ', '\t']) => (rest.trim(), Some(level)),
        _ => (wanted, None),
    }
}

fn not_found(headings: &[Heading], wanted: &str, level: Option<u8>) -> ToolError {
    let at = level.map(|level| format!(" at level {level}")).unwrap_or_default();
    let mut listed: Vec<String> = headings.iter().take(MOST_LISTED).map(show).collect();
    if headings.len() > MOST_LISTED {
        listed.push(format!("and {} more (see outline)", headings.len() - MOST_LISTED));
    }
    let listed = if listed.is_empty() { "none".to_owned() } else { listed.join(", ") };
    ToolError::NotFound(format!("heading not found: {wanted:?}{at}. Available headings: {listed}"))
}

fn ambiguous(found: &[&Heading], wanted: &str) -> ToolError {
    let places: Vec<String> = found
        .iter()
        .take(MOST_LISTED)
        .map(|heading| format!("{} (line {})", show(heading), heading.line + 1))
        .collect();
    let levels_differ = found.windows(2).any(|pair| match pair {
        [one, other] => one.level != other.level,
        _ => false,
    });
    let hint = if levels_differ {
        "choose one with heading_level, or read from its line with start_line"
    } else {
        "they have the same level: read from its line with start_line and limit"
    };
    ToolError::Refused(format!(
        "ambiguous heading: {wanted:?} matches {} sections: {}; {hint}",
        found.len(),
        places.join(", ")
    ))
}

fn show(heading: &Heading) -> String {
    let text: String = heading.text.chars().take(120).collect();
    format!("{} {text}", "#".repeat(usize::from(heading.level)))
}
