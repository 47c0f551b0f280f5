//! Where a task goes.
//!
//! On a board the plugin's own spacing is kept: one blank line after a lane's heading, the mark `**Complete**`
//! directly above the first card, cards without blank lines between, so that the plugin's next save changes
//! nothing. Elsewhere a list is set off by a blank line from what is not a list.

use super::error::EditError;
use super::extent::{columns, extent, quote_depth};
use crate::Span;
use crate::document::Document;
use crate::headings::match_key;
use crate::sections::SectionKind;
use crate::tasks::line::split;

/// Where a new task is put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Under a heading (on a board: in a lane).
    Heading {
        /// The heading's text, with or without its hashes.
        heading: String,
        /// Which slot among the top-level items there.
        position: Position,
    },
    /// As the last sub-item of the task on a zero-based line.
    Under {
        /// The line.
        line: usize,
    },
    /// At the end of the note.
    End,
}

/// A slot among the top-level items under a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Position {
    /// Before all others.
    Top,
    /// After all others.
    #[default]
    Bottom,
    /// As the n-th, counted from 1; past the end: after all others.
    At(usize),
}

/// A piece of text that takes the place of a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splice {
    pub(super) span: Span,
    pub(super) text: String,
}

/// The text with the piece in place.
pub(super) fn apply(text: &str, splice: &Splice) -> String {
    let before = text.get(..splice.span.start).unwrap_or_default();
    let after = text.get(splice.span.end..).unwrap_or_default();
    format!("{before}{}{after}", splice.text)
}

/// A note and what is needed to write into it.
pub(super) struct Ground<'a> {
    pub(super) text: &'a str,
    pub(super) document: &'a Document,
    pub(super) is_board: bool,
    /// LF or CRLF, as the note's first line ends.
    pub(super) line_break: &'static str,
}

impl<'a> Ground<'a> {
    pub(super) fn new(text: &'a str, document: &'a Document) -> Self {
        let first_break = text.find('\n').and_then(|end| text.get(..end));
        let line_break = if first_break.is_some_and(|line| line.ends_with('\r')) { "\r\n" } else { "\n" };
        let is_board = crate::kanban::is_board(&document.properties);
        Self { text, document, is_board, line_break }
    }

    pub(super) fn line(&self, number: usize) -> &'a str {
        let line = self.document.lines.get(number);
        line.and_then(|line| self.text.get(line.span)).unwrap_or_default()
    }

    fn start_of(&self, number: usize) -> usize {
        self.document.lines.get(number).map_or(self.text.len(), |line| line.span.start)
    }

    /// Names of the headings; on a board those that are lanes.
    pub(super) fn heading_names(&self) -> Vec<String> {
        self.document.headings.iter().map(|heading| heading.text.clone()).collect()
    }

    /// The heading with a name: by its exact text, else by what a link to it compares.
    pub(super) fn heading(&self, name: &str) -> Result<usize, EditError> {
        let wanted = name.trim();
        let bare = wanted.trim_start_matches('#').trim();
        let all = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let headings = self.document.headings.iter().enumerate();
            headings.filter(|(_, heading)| fits(&heading.text)).map(|(index, _)| index).collect()
        };
        let mut found = all(&|text| text == wanted || text == bare);
        if found.is_empty() {
            let key = match_key(bare);
            found = all(&|text| !key.is_empty() && match_key(text) == key);
        }
        if found.is_empty() && self.is_board {
            // A lane's limit is not part of its name.
            found = all(&|text| text.rsplit_once('(').is_some_and(|(title, _)| title.trim() == bare));
        }
        match found.as_slice() {
            [only] => Ok(*only),
            [] => {
                Err(EditError::UnknownHeading { heading: name.to_owned(), available: self.heading_names() })
            }
            several => Err(EditError::AmbiguousHeading {
                heading: name.to_owned(),
                lines: several
                    .iter()
                    .filter_map(|index| self.document.headings.get(*index))
                    .map(|h| h.line)
                    .collect(),
            }),
        }
    }

    /// The lines of the top-level list items directly under a heading; on a board only those of the first
    /// list, which are its cards.
    pub(super) fn items(&self, heading: usize) -> Vec<usize> {
        let Some(own) = self.document.headings.get(heading).map(|heading| heading.own.clone()) else {
            return Vec::new();
        };
        let lists = self
            .document
            .structure
            .sections
            .iter()
            .filter(|section| section.kind == SectionKind::List && own.contains(&section.span.start));
        let lists: Vec<&Span> = lists.map(|section| &section.span).collect();
        let lists = if self.is_board { lists.get(..1).unwrap_or_default() } else { lists.as_slice() };
        let mut items = Vec::new();
        for list in lists {
            let all = &self.document.structure.list_items;
            let first = all.partition_point(|item| item.span.start < list.start);
            let inside = all.iter().skip(first).take_while(|item| item.span.start < list.end);
            items.extend(inside.filter(|item| item.parent_item.is_none()).map(|item| item.line));
        }
        items
    }

    /// Puts lines (without line breaks) into a slot under a heading.
    pub(super) fn under_heading(&self, heading: usize, position: Position, lines: &[String]) -> Splice {
        let items = self.items(heading);
        let after_last = || {
            let last = items.last().copied().unwrap_or_default();
            extent(self.text, &self.document.lines, last).end
        };
        match (position, items.as_slice()) {
            (_, []) => self.first_in_section(heading, position, lines),
            (Position::Top | Position::At(0 | 1), [first, ..]) => self.at_line(*first, lines),
            (Position::At(slot), items) => match items.get(slot - 1) {
                Some(line) => self.at_line(*line, lines),
                None => self.at_line(after_last(), lines),
            },
            (Position::Bottom, _) => self.at_line(after_last(), lines),
        }
    }

    /// A section that has no list yet.
    fn first_in_section(&self, heading: usize, position: Position, lines: &[String]) -> Splice {
        let Some(found) = self.document.headings.get(heading) else { return self.at_end(lines) };
        let body = self.document.lines.line_of(found.span.end.saturating_sub(1).max(found.span.start)) + 1;
        let end = if found.own.end >= self.text.len() {
            self.document.lines.len()
        } else {
            self.document.lines.line_of(found.own.end)
        };
        if self.is_board {
            if let Some(mark) = self.complete_mark(&found.own) {
                return self.at_line(mark + 1, lines);
            }
        } else if position == Position::Bottom
            && let Some(last) = (body..end).rev().find(|line| !self.line(*line).trim().is_empty())
        {
            return self.spaced(last + 1, end, lines);
        }
        self.spaced(body, end, lines)
    }

    /// The line of the mark that makes a lane a done lane.
    fn complete_mark(&self, own: &Span) -> Option<usize> {
        let paragraphs =
            self.document.structure.sections.iter().filter(|section| {
                section.kind == SectionKind::Paragraph && own.contains(&section.span.start)
            });
        let marks = paragraphs.filter(|section| {
            let written = self.text.get(section.span.clone()).unwrap_or_default();
            written.trim().trim_matches(['*', '_']) == "Complete"
        });
        marks.map(|section| self.document.lines.line_of(section.span.start)).next()
    }

    /// Writes lines at `line`, after one blank line (an existing one counts) and with one before any text of
    /// the same section that would follow at once.
    fn spaced(&self, line: usize, end: usize, lines: &[String]) -> Splice {
        let blank = |number: usize| self.line(number).trim().is_empty();
        let mut at = line;
        let mut written = Vec::new();
        if line < self.document.lines.len() && blank(line) {
            at += 1;
        } else {
            written.push(String::new());
        }
        written.extend_from_slice(lines);
        if at < end && !blank(at) {
            written.push(String::new());
        }
        self.at_line(at, &written)
    }

    /// Writes lines before the line `number`, or at the end of the text.
    pub(super) fn at_line(&self, number: usize, lines: &[String]) -> Splice {
        let at = self.start_of(number);
        let mut text = lines.join(self.line_break);
        if at == self.text.len() && !self.text.is_empty() && !self.text.ends_with('\n') {
            // The note ends without a line break and keeps doing so.
            text.insert_str(0, self.line_break);
        } else {
            text.push_str(self.line_break);
        }
        Splice { span: at..at, text }
    }

    /// Writes lines after the last one with text.
    pub(super) fn at_end(&self, lines: &[String]) -> Splice {
        let count = self.document.lines.len();
        let last = (0..count).rev().find(|line| !self.line(*line).trim().is_empty());
        let Some(last) = last else { return self.at_line(count, lines) };
        let in_list =
            self.document.structure.sections.last().is_some_and(|section| section.kind == SectionKind::List);
        if in_list
            && self.document.lines.line_of(self.document.structure.sections.last().map_or(0, |s| s.span.end))
                >= last
        {
            return self.at_line(last + 1, lines);
        }
        self.spaced(last + 1, count, lines)
    }

    /// Where the sub-items of a task go, and what they are indented by.
    pub(super) fn below(&self, line: usize, indent_unit: &str) -> Result<(usize, String), EditError> {
        let written = self.line(line);
        let parts = split(written).ok_or(EditError::NoTask { line })?;
        let lines = extent(self.text, &self.document.lines, line);
        let child =
            self.document.structure.list_items.iter().position(|item| item.line == line).and_then(|parent| {
                let mut all = self.document.structure.list_items.iter();
                all.rfind(|item| item.parent_item == Some(parent) && item.line != line)
            });
        if let Some(child) = child.and_then(|child| split_indent(self.line(child.line))) {
            return Ok((lines.end, child.to_owned()));
        }
        // A sub-item has to be indented at least as far as the text of its parent.
        let marker_width = parts.marker.len() + 1;
        let mut indent = indent_unit.to_owned();
        if columns(&indent) < marker_width.min(5) {
            indent = " ".repeat(marker_width);
        }
        Ok((lines.end, format!("{}{indent}", parts.indentation)))
    }

    /// Takes lines out of the note.
    pub(super) fn remove(&self, lines: std::ops::Range<usize>) -> Splice {
        let start = self.start_of(lines.start);
        let end = self.start_of(lines.end);
        if end == self.text.len() && !self.text.ends_with('\n') {
            // The last line goes: so does the line break before it.
            let before = self.text.get(..start).unwrap_or_default();
            let before =
                before.strip_suffix('\n').map_or(before, |rest| rest.strip_suffix('\r').unwrap_or(rest));
            return Splice { span: before.len()..end, text: String::new() };
        }
        Splice { span: start..end, text: String::new() }
    }

    /// Whether a line lies in a quote or callout.
    pub(super) fn in_quote(&self, line: usize) -> bool {
        quote_depth(self.line(line)) > 0
    }
}

/// Indent and quote marks of a list item.
fn split_indent(line: &str) -> Option<&str> {
    let marker = line.find(|c: char| !matches!(c, ' ' | '\t' | '>'))?;
    line.get(..marker)
}
