//! Where a task goes.
//!
//! On a board the plugin's own spacing is kept: one blank line after a lane's heading, the mark `**Complete**`
//! directly above the first card, cards without blank lines between, so that the plugin's next save changes
//! nothing. Elsewhere a list is set off by a blank line from what is not a list.

use super::error::EditError;
use super::extent::{columns, extent, quote_depth};
use super::join::{Beside, conform};
use crate::Span;
use crate::document::Document;
use crate::headings::{composed, match_key};
use crate::kanban;
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

/// Lines that find their place, written as the list there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) splice: Splice,
    /// The first of the lines as it is written.
    pub(super) first: String,
}

/// Where the sub-items of a task go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Below<'a> {
    /// The line they go above.
    pub(super) at: usize,
    /// What they are indented by, quote marks included.
    pub(super) indentation: String,
    /// The lines of the last sub-item that is there and of the one before it.
    pub(super) last: Option<(&'a str, Option<&'a str>)>,
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
        let is_board = kanban::is_board(&document.properties);
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
        let wanted = composed(name.trim());
        let bare = wanted.trim_start_matches('#').trim();
        let all = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let headings = self.document.headings.iter().enumerate();
            headings.filter(|(_, heading)| fits(&composed(&heading.text))).map(|(index, _)| index).collect()
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
        lists.iter().flat_map(|list| self.items_of(list)).collect()
    }

    /// The lines of the top-level items of a list.
    fn items_of(&self, list: &Span) -> impl Iterator<Item = usize> {
        let all = &self.document.structure.list_items;
        let first = all.partition_point(|item| item.span.start < list.start);
        let end = list.end;
        let inside = all.iter().skip(first).take_while(move |item| item.span.start < end);
        inside.filter(|item| item.parent_item.is_none()).map(|item| item.line)
    }

    /// Puts an item (its lines without line breaks) into a slot under a heading.
    pub(super) fn under_heading(&self, heading: usize, position: Position, lines: &[String]) -> Placed {
        let items = self.items(heading);
        if items.is_empty() {
            let lines = conform(lines, Beside::Nothing);
            return placed(self.first_in_section(heading, position, &lines), &lines);
        }
        match items.get(slot(position, items.len())) {
            Some(line) => {
                let lines = conform(lines, Beside::Above(self.line(*line)));
                placed(self.at_line(*line, &lines), &lines)
            }
            None => {
                let last = items.last().copied().unwrap_or_default();
                self.after_last(&items, extent(self.text, &self.document.lines, last).end, lines)
            }
        }
    }

    /// Whether the item on a line is in a slot under a heading already.
    pub(super) fn holds(&self, heading: usize, position: Position, line: usize) -> bool {
        let items = self.items(heading);
        let own = items.iter().position(|item| *item == line);
        own.is_some_and(|own| own == slot(position, items.len()).min(items.len() - 1))
    }

    /// Puts an item at a line, below the last of some.
    fn after_last(&self, items: &[usize], at: usize, lines: &[String]) -> Placed {
        let mut above = items.iter().rev().map(|line| self.line(*line));
        let last = above.next().unwrap_or_default();
        let lines = conform(lines, Beside::Below { last, earlier: above.next() });
        placed(self.at_line(at, &lines), &lines)
    }

    /// A section that has no list yet.
    fn first_in_section(&self, heading: usize, position: Position, lines: &[String]) -> Splice {
        let Some(found) = self.document.headings.get(heading) else { return self.at_end(lines).splice };
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
    /// the same section that would follow at once, and before what follows the section when the one blank
    /// line that parted them is used up.
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
        let is_used_up = at > line && at == end && at < self.document.lines.len();
        if (at < end && !blank(at)) || is_used_up {
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

    /// Writes an item after the last line with text.
    pub(super) fn at_end(&self, lines: &[String]) -> Placed {
        let count = self.document.lines.len();
        let alone = || conform(lines, Beside::Nothing);
        let last = (0..count).rev().find(|line| !self.line(*line).trim().is_empty());
        let Some(last) = last else {
            let lines = alone();
            return placed(self.at_line(count, &lines), &lines);
        };
        let section = self.document.structure.sections.last();
        let list = section.filter(|section| {
            section.kind == SectionKind::List && self.document.lines.line_of(section.span.end) >= last
        });
        let items: Vec<usize> = list.map(|list| self.items_of(&list.span).collect()).unwrap_or_default();
        if !items.is_empty() {
            return self.after_last(&items, last + 1, lines);
        }
        let lines = alone();
        placed(self.spaced(last + 1, count, &lines), &lines)
    }

    /// Where the sub-items of a task go, and how they are written.
    pub(super) fn below(&self, line: usize, indent_unit: &str) -> Result<Below<'a>, EditError> {
        let written = self.line(line);
        let parts = split(written).ok_or(EditError::NoTask { line })?;
        let at = extent(self.text, &self.document.lines, line).end;
        let items = &self.document.structure.list_items;
        let parent = items.iter().position(|item| item.line == line);
        let mut children = items
            .iter()
            .rev()
            .filter(|item| parent.is_some() && item.parent_item == parent && item.line != line)
            .map(|item| self.line(item.line));
        if let Some((last, indentation)) =
            children.next().and_then(|last| Some((last, split_indent(last)?.to_owned())))
        {
            return Ok(Below { at, indentation, last: Some((last, children.next())) });
        }
        // A sub-item has to be indented at least as far as the text of its parent.
        let marker_width = parts.marker.len() + 1;
        let mut indent = indent_unit.to_owned();
        if columns(&indent) < marker_width.min(5) {
            indent = " ".repeat(marker_width);
        }
        Ok(Below { at, indentation: format!("{}{indent}", parts.indentation), last: None })
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

    /// Whether a heading is a lane of a board that is marked `Complete`.
    pub(super) fn is_complete_lane(&self, heading: usize) -> bool {
        self.is_board && kanban::complete_lanes(self.text, self.document).contains(&heading)
    }

    /// Refuses an edited board of which the Kanban plugin would lose more on its next save than of this one:
    /// it drops what stands between cards or begins another list.
    pub(super) fn stays_whole(&self, edited: &str) -> Result<(), EditError> {
        if !self.is_board {
            return Ok(());
        }
        let (Some(before), Some(after)) = (kanban::unsaved(self.text), kanban::unsaved(edited)) else {
            return Ok(());
        };
        let is_whole = after.lines <= before.lines && after.lanes == before.lanes;
        if is_whole { Ok(()) } else { Err(EditError::LostOnSave) }
    }

    /// Whether a line lies in a quote or callout.
    pub(super) fn in_quote(&self, line: usize) -> bool {
        quote_depth(self.line(line)) > 0
    }
}

fn placed(splice: Splice, lines: &[String]) -> Placed {
    Placed { splice, first: lines.first().cloned().unwrap_or_default() }
}

/// The index of a slot among so many items; their number for the one after all.
fn slot(position: Position, count: usize) -> usize {
    match position {
        Position::Top => 0,
        Position::Bottom => count,
        Position::At(slot) => slot.saturating_sub(1).min(count),
    }
}

/// Indent and quote marks of a list item.
fn split_indent(line: &str) -> Option<&str> {
    let marker = line.find(|c: char| !matches!(c, ' ' | '\t' | '>'))?;
    line.get(..marker)
}
