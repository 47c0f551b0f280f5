//! Text of a note or a section: whole, by lines, and cut where it is too long.

use super::{Answer, Arguments, Note};
use crate::mcp::answer::{ContinueWith, LeftOut, cut};
use crate::mcp::error::ToolError;

/// A range of lines of a text.
struct Window<'a> {
    text: &'a str,
    /// First line, from 1.
    start: usize,
    /// First character within it, from 1.
    start_char: usize,
    /// Lines in all.
    total: usize,
}

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
    let paged = arguments.start_line.is_some() || arguments.limit.is_some();
    let window = window(note, text, heading, arguments)?;
    let end = cut(window.text, note.most);
    if !paged && end.is_none() {
        let answer = Answer { text: Some(text.to_owned()), ..Answer::default() };
        return Ok((vec![text.to_owned()], answer));
    }
    let shown = end.and_then(|end| window.text.get(..end)).unwrap_or(window.text);
    let lines = count_lines(shown);
    let last = if lines == 0 { 0 } else { window.start + lines - 1 };
    let next = next_part(&window, shown, last);
    let answer = Answer {
        text: Some(shown.to_owned()),
        start_line: (lines > 0).then_some(window.start),
        end_line: (lines > 0).then_some(last),
        total_lines: Some(window.total),
        left_out: next.clone().map(|continue_with| LeftOut {
            count: left_out(&window, &continue_with),
            unit: "lines",
            continue_with,
        }),
        ..Answer::default()
    };
    let block = describe(note, heading, &window, last, next.as_ref(), end.is_some());
    Ok((vec![block, shown.to_owned()], answer))
}

fn window<'a>(
    note: &Note<'_>,
    text: &'a str,
    heading: Option<&str>,
    arguments: &Arguments,
) -> Result<Window<'a>, ToolError> {
    let total = count_lines(text);
    let start = arguments.start_line.unwrap_or(1);
    if start > total.max(1) {
        let what = heading.map_or_else(
            || format!("{:?}", note.path.as_str()),
            |heading| format!("section {heading:?} of {:?}", note.path.as_str()),
        );
        return Err(ToolError::Refused(format!("start_line is past the end: {what} has {total} lines")));
    }
    let mut lines = text.split_inclusive('\n');
    let skipped: usize = lines.by_ref().take(start - 1).map(str::len).sum();
    let length: usize = match arguments.limit {
        Some(limit) => lines.take(limit).map(str::len).sum(),
        None => text.len() - skipped,
    };
    let rest = text.get(skipped..skipped + length).unwrap_or_default();
    let start_char = arguments.start_char.unwrap_or(1);
    let first_line = rest.split_inclusive('\n').next().unwrap_or_default();
    let offset = match first_line.char_indices().nth(start_char - 1) {
        Some((offset, _)) => offset,
        None if start_char == 1 => 0,
        None => {
            return Err(ToolError::Refused(format!(
                "start_char is past the end: line {start} has {} characters",
                first_line.chars().count()
            )));
        }
    };
    Ok(Window { text: rest.get(offset..).unwrap_or_default(), start, start_char, total })
}

/// Lines of a text. A line break at the end begins no further line.
fn count_lines(text: &str) -> usize {
    text.split_inclusive('\n').count()
}

/// The arguments of the next part; `None` at the end.
fn next_part(window: &Window<'_>, shown: &str, last: usize) -> Option<ContinueWith> {
    let within_a_line = shown.len() < window.text.len() && !shown.ends_with('\n');
    if within_a_line {
        let line_start = shown.rfind('\n').map_or(0, |line_break| line_break + 1);
        let characters = shown.get(line_start..).unwrap_or_default().chars().count();
        let before = if line_start == 0 { window.start_char - 1 } else { 0 };
        return Some(ContinueWith {
            start_line: Some(last.max(1)),
            start_char: Some(before + characters + 1),
            ..ContinueWith::default()
        });
    }
    (last < window.total).then(|| ContinueWith { start_line: Some(last + 1), ..ContinueWith::default() })
}

/// How many lines the next parts hold, one that is cut included.
fn left_out(window: &Window<'_>, next: &ContinueWith) -> usize {
    (window.total + 1).saturating_sub(next.start_line.unwrap_or(window.total))
}

fn describe(
    note: &Note<'_>,
    heading: Option<&str>,
    window: &Window<'_>,
    last: usize,
    next: Option<&ContinueWith>,
    was_cut: bool,
) -> String {
    let path = note.path.as_str();
    let place = heading.map_or_else(|| path.to_owned(), |heading| format!("{path} § {heading}"));
    let (first, total) = (if last == 0 { 0 } else { window.start }, window.total);
    let end = match next {
        Some(ContinueWith { start_line: Some(line), start_char: Some(character), .. }) => {
            format!("continue with start_line: {line}, start_char: {character}")
        }
        Some(ContinueWith { start_line: Some(line), .. }) => format!("continue with start_line: {line}"),
        _ if heading.is_some() => "end of section".to_owned(),
        _ => "end of file".to_owned(),
    };
    let cut = if was_cut { "cut to the longest answer; " } else { "" };
    format!("{place} — lines {first}–{last} of {total} ({cut}{end})")
}
