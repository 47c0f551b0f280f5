//! The outline of a note: size, opening and headings.

use markdown::document::{self, Document};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Answer, HeadingRow, NAME, Note};
use crate::mcp::answer::{LeftOut, Shorten, cut, fit, json_length, text_length};
use crate::mcp::error::ToolError;
use crate::mcp::tools::note_row::{CalloutRow, shorten_callout, shorten_text};
use crate::mcp::tools::support::json;

/// The outline as text.
#[derive(Serialize)]
struct Text<'a> {
    bytes: u64,
    modified: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    leading_callout: Option<&'a CalloutRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leading_content: Option<&'a str>,
    headings: &'a [HeadingRow],
}

impl Shorten for HeadingRow {
    fn shorten(&mut self) {
        shorten_text(&mut self.text);
    }
}

/// What is not shown of the text before the first heading.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct RestOfOpening {
    /// Its size.
    bytes: usize,
    /// Arguments to put into the same call, to read on from there as text.
    continue_with: AsText,
}

/// The arguments that turn `outline` into reading by lines: JSON has none to page by.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct AsText {
    outline: bool,
    start_line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_char: Option<usize>,
}

/// What the outline says of the file itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct File<'a> {
    /// Its size on disk.
    pub(super) bytes: u64,
    /// Its last change.
    pub(super) modified: &'a str,
}

/// Answers with the outline from heading number `offset` on; what stands before the headings comes
/// with the first of them.
pub(super) fn read(
    note: &Note<'_>,
    file: File<'_>,
    offset: usize,
) -> Result<(Vec<String>, Answer), ToolError> {
    let document = document::parse(note.text);
    let opening = if offset == 0 { Opening::of(note, &document) } else { Opening::default() };
    let used = opening.callout.as_ref().map_or(0, json_length) + opening.shown.map_or(0, text_length);
    let total = document.headings.len();
    let rows: Vec<HeadingRow> = document
        .headings
        .iter()
        .skip(offset)
        .map(|heading| HeadingRow {
            level: heading.level,
            text: heading.text.clone(),
            bytes: heading.section.len(),
        })
        .collect();
    let fitted = fit(rows, offset, total, note.most.saturating_sub(used), "headings");
    let text = Text {
        bytes: file.bytes,
        modified: file.modified,
        leading_callout: opening.callout.as_ref(),
        leading_content: opening.shown,
        headings: &fitted.rows,
    };
    let mut blocks = vec![json(NAME, &text)?];
    blocks.extend(opening.rest.as_ref().map(RestOfOpening::in_words));
    blocks.extend(fitted.left_out.as_ref().map(LeftOut::in_words));
    let answer = Answer {
        leading_content: opening.shown.map(str::to_owned),
        leading_content_left_out: opening.rest,
        leading_callout: opening.callout,
        headings: Some(fitted.rows),
        left_out: fitted.left_out,
        ..Answer::default()
    };
    Ok((blocks, answer))
}

impl RestOfOpening {
    fn in_words(&self) -> String {
        let AsText { start_line, start_char, .. } = &self.continue_with;
        let within = start_char.map(|start_char| format!(", start_char: {start_char}")).unwrap_or_default();
        format!(
            "{} more bytes before the first heading (continue with outline: false, start_line: {start_line}{within})",
            self.bytes
        )
    }
}

/// What stands before the first heading, as far as it is shown.
#[derive(Default)]
struct Opening<'a> {
    callout: Option<CalloutRow>,
    shown: Option<&'a str>,
    rest: Option<RestOfOpening>,
}

impl<'a> Opening<'a> {
    fn of(note: &Note<'a>, document: &Document) -> Self {
        let mut callout = CalloutRow::opening(document);
        if let Some(callout) = &mut callout
            && json_length(callout) > note.most / 4
        {
            shorten_callout(callout);
        }
        let content = leading_content(note.text, document);
        let end = cut(content.text, note.most / 3);
        let shown = end.and_then(|end| content.text.get(..end)).unwrap_or(content.text);
        let rest = end.map(|end| {
            let line = document.lines.line_of(content.start + end);
            let before = note.text.get(..content.start + end).unwrap_or_default();
            let line_start = before.rfind('\n').map_or(0, |line_break| line_break + 1);
            let characters = before.get(line_start..).map_or(0, |text| text.chars().count());
            RestOfOpening {
                bytes: content.text.len() - end,
                continue_with: AsText {
                    outline: false,
                    start_line: line + 1,
                    start_char: (characters > 0).then_some(characters + 1),
                },
            }
        });
        Self { callout, shown: (!shown.is_empty()).then_some(shown), rest }
    }
}

/// A part of a text, and where it begins.
struct Part<'a> {
    text: &'a str,
    start: usize,
}

/// What stands before the first heading, after the properties and the callout that opens the note.
fn leading_content<'a>(text: &'a str, document: &Document) -> Part<'a> {
    let end = document.headings.first().map_or(text.len(), |heading| heading.section.start);
    let mut start = document.body_start;
    if let Some(callout) = &document.leading_callout
        && text.get(start..callout.span.start).is_some_and(|before| before.trim().is_empty())
    {
        start = callout.span.end;
    }
    let whole = text.get(start..end).unwrap_or_default();
    let trimmed = whole.trim_start();
    let start = start + (whole.len() - trimmed.len());
    Part { text: trimmed.trim_end(), start }
}
