//! The outline of a note: size, opening and headings.

use markdown::document::{self, Document};
use serde::Serialize;

use super::{Answer, HeadingRow, NAME, Note};
use crate::mcp::answer::{ContinueWith, LeftOut, Shorten, cut, fit, json_length, text_length};
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

/// Answers with the outline. `bytes` and `modified` are those of the file.
pub(super) fn read(note: &Note<'_>, bytes: u64, modified: &str) -> Result<(Vec<String>, Answer), ToolError> {
    let document = document::parse(note.text);
    let mut callout = leading_callout(&document);
    if let Some(callout) = &mut callout
        && json_length(callout) > note.most / 4
    {
        shorten_callout(callout);
    }
    let content = leading_content(note.text, &document);
    let most_content = note.most / 3;
    let cut_content = cut(content.text, most_content);
    let shown_content = cut_content.and_then(|end| content.text.get(..end)).unwrap_or(content.text);
    let used = callout.as_ref().map_or(0, json_length) + text_length(shown_content);

    let rows: Vec<HeadingRow> = document
        .headings
        .iter()
        .map(|heading| HeadingRow {
            level: heading.level,
            text: heading.text.clone(),
            bytes: heading.section.len(),
        })
        .collect();
    let total = rows.len();
    let fitted = fit(rows, 0, total, note.most.saturating_sub(used), "headings");
    // JSON has no lines to page by: what is left out is read as text from where it begins.
    let left_out = if cut_content.is_some() {
        Some(LeftOut {
            count: content.text.len() - shown_content.len(),
            unit: "bytes before the first heading",
            continue_with: ContinueWith {
                start_line: Some(document.lines.line_of(content.start + shown_content.len()) + 1),
                ..ContinueWith::default()
            },
        })
    } else {
        fitted.left_out.map(|left_out| LeftOut {
            continue_with: ContinueWith {
                start_line: document.headings.get(fitted.rows.len()).map(|heading| heading.line + 1),
                ..ContinueWith::default()
            },
            ..left_out
        })
    };
    let leading_content = (!shown_content.is_empty()).then_some(shown_content);
    let text =
        Text { bytes, modified, leading_callout: callout.as_ref(), leading_content, headings: &fitted.rows };
    let mut blocks = vec![json(NAME, &text)?];
    blocks.extend(left_out.as_ref().map(|left_out| format!("{} without outline", left_out.in_words())));
    let answer = Answer {
        leading_content: leading_content.map(str::to_owned),
        leading_callout: callout,
        headings: Some(fitted.rows),
        left_out,
        ..Answer::default()
    };
    Ok((blocks, answer))
}

fn leading_callout(document: &Document) -> Option<CalloutRow> {
    document.leading_callout.as_ref().map(|callout| CalloutRow {
        type_: callout.kind.clone(),
        // Obsidian shows the type's name for a callout without a title.
        title: if callout.title.is_empty() { callout.kind.clone() } else { callout.title.clone() },
        body: callout.body.clone(),
    })
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
