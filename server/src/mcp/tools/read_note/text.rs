//! Text of a note or a section: whole, by lines, and cut where it is too long.

use super::{Answer, Arguments, Note};
use crate::mcp::error::ToolError;
use crate::mcp::tools::lines::{self, Wanted};

/// Answers with `text`, which is the note's own or that of the section `heading`.
///
/// A whole text that fits comes alone and byte for byte; everything else comes behind a block
/// that says which lines it is.
pub(super) fn read(
    note: &Note<'_>,
    text: &str,
    heading: Option<&str>,
    arguments: &Arguments,
) -> Result<(Vec<String>, Answer), ToolError> {
    let path = note.path.as_str();
    let wanted =
        Wanted { start_line: arguments.start_line, limit: arguments.limit, start_char: arguments.start_char };
    let part = lines::part(text, wanted, note.most, || {
        heading.map_or_else(|| format!("{path:?}"), |heading| format!("section {heading:?} of {path:?}"))
    })?;
    if part.is_plain() {
        let answer = Answer { text: Some(text.to_owned()), ..Answer::default() };
        return Ok((vec![text.to_owned()], answer));
    }
    let (start_line, end_line) = part.range().unzip();
    let answer = Answer {
        text: Some(part.shown.to_owned()),
        start_line,
        end_line,
        total_lines: Some(part.total),
        left_out: part.left_out(),
        ..Answer::default()
    };
    let block = match heading {
        None => part.describe(path, "file"),
        Some(heading) => part.describe(&format!("{path} § {heading}"), "section"),
    };
    Ok((vec![block, part.shown.to_owned()], answer))
}
