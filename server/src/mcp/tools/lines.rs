//! A text by lines: all of it, a range, and cut where it would be too long for an answer.
//!
//! Lines end with `\n`; a line break at the end begins no further line. Everything that is shown is a slice
//! of the text, so that the parts of a text, one after the other, are the text.

use crate::mcp::answer::{ContinueWith, LeftOut, cut};
use crate::mcp::error::ToolError;

/// Which lines are wanted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wanted {
    /// First line, from 1.
    pub(super) start_line: Option<usize>,
    /// Most lines.
    pub(super) limit: Option<usize>,
    /// First character within the first line, from 1.
    pub(super) start_char: Option<usize>,
}

impl Wanted {
    /// Whether a range was asked for.
    pub(super) fn is_range(&self) -> bool {
        self.start_line.is_some() || self.limit.is_some() || self.start_char.is_some()
    }

    /// Arguments that do not go together.
    pub(super) fn check(&self) -> Result<(), ToolError> {
        if self.start_char.is_some() && self.start_line.is_none() {
            return Err(ToolError::Refused("start_char needs start_line".to_owned()));
        }
        Ok(())
    }
}

/// What is shown of a text.
#[derive(Debug)]
pub(super) struct Part<'a> {
    /// The text.
    pub(super) shown: &'a str,
    /// Lines of the whole text.
    pub(super) total: usize,
    /// Bytes of the lines that were asked for.
    pub(super) asked_bytes: usize,
    /// How many lines were asked for.
    pub(super) asked_lines: usize,
    /// First line shown, from 1.
    start: usize,
    /// Last line shown; 0 when there is none.
    last: usize,
    /// Whether it had to be cut.
    was_cut: bool,
    /// Whether a range was asked for.
    is_range: bool,
    /// Arguments of the next part.
    next: Option<ContinueWith>,
}

/// Takes the wanted lines of `text`, at most `most` characters of JSON. `what` says what the text is.
pub(super) fn part<'a>(
    text: &'a str,
    wanted: Wanted,
    most: usize,
    what: impl FnOnce() -> String,
) -> Result<Part<'a>, ToolError> {
    wanted.check()?;
    let total = count(text);
    let start = wanted.start_line.unwrap_or(1);
    if start > total.max(1) {
        return Err(ToolError::Refused(format!("start_line is past the end: {} has {total} lines", what())));
    }
    let mut lines = text.split_inclusive('\n');
    let skipped: usize = lines.by_ref().take(start - 1).map(str::len).sum();
    let length: usize = match wanted.limit {
        Some(limit) => lines.take(limit).map(str::len).sum(),
        None => text.len() - skipped,
    };
    let rest = text.get(skipped..skipped + length).unwrap_or_default();
    let start_char = wanted.start_char.unwrap_or(1);
    let asked = rest.get(char_offset(rest, start, start_char)?..).unwrap_or_default();
    let end = cut(asked, most);
    let shown = end.and_then(|end| asked.get(..end)).unwrap_or(asked);
    let lines = count(shown);
    let last = if lines == 0 { 0 } else { start + lines - 1 };
    Ok(Part {
        shown,
        total,
        asked_bytes: asked.len(),
        asked_lines: count(asked),
        start,
        last,
        was_cut: end.is_some(),
        is_range: wanted.is_range(),
        next: next(asked, shown, start_char, last, total),
    })
}

/// Where the character `start_char` of the first line is.
fn char_offset(rest: &str, line: usize, start_char: usize) -> Result<usize, ToolError> {
    let first_line = rest.split_inclusive('\n').next().unwrap_or_default();
    match first_line.char_indices().nth(start_char - 1) {
        Some((offset, _)) => Ok(offset),
        None if start_char == 1 => Ok(0),
        None => Err(ToolError::Refused(format!(
            "start_char is past the end: line {line} has {} characters",
            first_line.chars().count()
        ))),
    }
}

/// Lines of a text.
fn count(text: &str) -> usize {
    text.split_inclusive('\n').count()
}

/// The arguments of the next part; `None` at the end.
fn next(asked: &str, shown: &str, start_char: usize, last: usize, total: usize) -> Option<ContinueWith> {
    let within_a_line = shown.len() < asked.len() && !shown.ends_with('\n');
    if within_a_line {
        let line_start = shown.rfind('\n').map_or(0, |line_break| line_break + 1);
        let characters = shown.get(line_start..).unwrap_or_default().chars().count();
        let before = if line_start == 0 { start_char - 1 } else { 0 };
        return Some(ContinueWith {
            start_line: Some(last.max(1)),
            start_char: Some(before + characters + 1),
            ..ContinueWith::default()
        });
    }
    (last < total).then(|| ContinueWith { start_line: Some(last + 1), ..ContinueWith::default() })
}

impl Part<'_> {
    /// Whether this is the whole text, and nobody asked for a part of it.
    pub(super) fn is_plain(&self) -> bool {
        !self.is_range && !self.was_cut
    }

    /// First and last line shown; `None` when there is none.
    pub(super) fn range(&self) -> Option<(usize, usize)> {
        (self.last > 0).then_some((self.start, self.last))
    }

    /// How many of the lines shown are whole.
    pub(super) fn whole_lines(&self) -> usize {
        self.shown.matches('\n').count()
    }

    /// What the next parts hold, a line that is cut included.
    pub(super) fn left_out(&self) -> Option<LeftOut> {
        let continue_with = self.next.clone()?;
        let count = (self.total + 1).saturating_sub(continue_with.start_line.unwrap_or(self.total));
        Some(LeftOut { count, unit: "lines", continue_with })
    }

    /// The block that stands before a part: `place — lines 1–9 of 40 (continue with start_line: 10)`. `whole`
    /// is what ends with the last line: "file", "section".
    pub(super) fn describe(&self, place: &str, whole: &str) -> String {
        let (first, last) = self.range().unwrap_or((0, 0));
        let end = match &self.next {
            Some(ContinueWith { start_line: Some(line), start_char: Some(character), .. }) => {
                format!("continue with start_line: {line}, start_char: {character}")
            }
            Some(ContinueWith { start_line: Some(line), .. }) => format!("continue with start_line: {line}"),
            _ => format!("end of {whole}"),
        };
        let cut = if self.was_cut { "cut to the longest answer; " } else { "" };
        format!("{place} — lines {first}–{last} of {} ({cut}{end})", self.total)
    }
}
