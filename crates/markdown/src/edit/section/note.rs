//! Where in a note content goes, and what parts it from its neighbours.

use super::fit::{joins_badly, needs_blank};
use super::{Nested, SectionError, find};
use crate::document::{self, Document};
use crate::edit::apply::with_line_breaks;
use crate::edit::{Edit, Edited, line_break, without_last_break};
use crate::headings::Heading;
use crate::sections::SectionKind;
use crate::{Span, kanban};

/// A note that is patched.
pub(super) struct Note<'a> {
    source: &'a str,
    document: &'a Document,
    pub(super) body_start: usize,
    own: &'static str,
    is_board: bool,
}

impl<'a> Note<'a> {
    pub(super) fn new(source: &'a str, document: &'a Document) -> Self {
        Self {
            source,
            document,
            body_start: document.body_start,
            own: line_break(source),
            is_board: kanban::is_board(&document.properties),
        }
    }

    fn text(&self, span: Span) -> &'a str {
        self.source.get(span).unwrap_or_default()
    }

    /// The start of the line below the one that ends here.
    pub(super) fn after_line(&self, offset: usize) -> usize {
        let rest = self.source.as_bytes().get(offset..).unwrap_or_default();
        memchr::memchr(b'\n', rest).map_or(self.source.len(), |end| offset + end + 1)
    }

    /// The end of a region: the settings that the Kanban plugin keeps at the end of a board come after it,
    /// or the plugin would not find them any more.
    pub(super) fn end(&self, end: usize) -> usize {
        let settings = self.document.structure.sections.iter().rev().find(|section| {
            self.is_board && self.text(section.span.clone()).starts_with("%% kanban:settings")
        });
        settings.map_or(end, |settings| end.min(settings.span.start))
    }

    /// The end of the last line with text in a region, its line break included; its start when there is none.
    fn text_end(&self, region: &Span) -> usize {
        let mut end = region.end;
        for line in self.text(region.clone()).split_inclusive('\n').rev() {
            if !is_blank(line) {
                return end;
            }
            end -= line.len();
        }
        region.start
    }

    /// The start of the first line with text in a region; its end when there is none.
    fn text_start(&self, region: &Span) -> usize {
        let mut start = region.start;
        for line in self.text(region.clone()).split_inclusive('\n') {
            if !is_blank(line) {
                return start;
            }
            start += line.len();
        }
        region.end
    }

    pub(super) fn append(&self, region: Span, content: &str, at_end_of_body: bool) -> Edit {
        let end = self.text_end(&region);
        if end == region.start {
            return self.first(&region, content, at_end_of_body);
        }
        let is_tight = self.is_board && is_complete_mark(self.text(region.start..end));
        let above = !is_tight && needs_blank(self.text(self.body_start..end), content);
        // Blank lines that are there part it from what follows; without any, the two may have to be parted.
        let next = if end < region.end { "" } else { self.text(end..self.source.len()) };
        let below = end < self.source.len() && joins_badly(content, next);
        self.insert(end, content, above, below)
    }

    /// Content for a region that has no text yet.
    fn first(&self, region: &Span, content: &str, at_end_of_body: bool) -> Edit {
        let blank = self.text(region.clone());
        // One of the blank lines stays above it, the others below.
        let at = if blank.is_empty() { region.start } else { self.after_line(region.start).min(region.end) };
        let has_more = at < region.end;
        let follows = region.end < self.source.len() && !at_end_of_body;
        let next = self.text(region.end..self.source.len());
        let below = follows && !has_more && (!blank.is_empty() || joins_badly(content, next));
        let above = blank.is_empty() && needs_blank(self.text(self.body_start..at), content);
        self.insert(at, content, above, below)
    }

    pub(super) fn prepend(&self, region: Span, content: &str) -> Edit {
        let text = self.text_start(&region);
        if text == region.end {
            return self.first(&region, content, false);
        }
        let at = if text > region.start { self.after_line(region.start).min(text) } else { text };
        let below = at == text && needs_blank(content, self.text(text..self.source.len()));
        self.insert(at, content, false, below)
    }

    pub(super) fn replace(&self, region: Span, content: &str) -> Edit {
        let (start, end) = (self.text_start(&region), self.text_end(&region));
        if start >= end {
            return if content.is_empty() {
                Edit::new(start..start, "")
            } else {
                self.first(&region, content, false)
            };
        }
        if content.is_empty() {
            return Edit::new(without_last_break(self.source, start..end), "");
        }
        let ending = self.text(start..end).trim_end_matches([' ', '\t']);
        let ending =
            ["\r\n", "\n"].into_iter().find(|ending_of| ending.ends_with(ending_of)).unwrap_or_default();
        let next = if end < region.end { "" } else { self.text(end..self.source.len()) };
        let below = if !next.is_empty() && joins_badly(content, next) { self.own } else { "" };
        Edit::new(start..end, format!("{}{ending}{below}", with_line_breaks(content, self.own)))
    }

    pub(super) fn insert_before(&self, heading: usize, content: &str) -> Edit {
        let above = self.text(self.body_start..heading);
        let has_gap = above.split_inclusive('\n').next_back().is_none_or(is_blank);
        self.insert(heading, content, !has_gap, true)
    }

    /// Content at the start of a line or the end of the text, with a blank line above or below it. A note
    /// without a final line break keeps having none.
    fn insert(&self, at: usize, content: &str, above: bool, below: bool) -> Edit {
        let own = self.own;
        let before = self.text(0..at);
        let is_new_line = before.is_empty() || before.ends_with('\n');
        let mut text = String::new();
        if !is_new_line {
            text.push_str(own);
        }
        if above {
            text.push_str(own);
        }
        text.push_str(&with_line_breaks(content, own));
        let at_end = at == self.source.len();
        if !at_end || is_new_line {
            text.push_str(own);
        }
        if below && !at_end {
            text.push_str(own);
        }
        Edit::new(at..at, text)
    }

    /// The edited note, unless the content hides headings that follow it.
    pub(super) fn finish(&self, edit: Edit, content: &str) -> Result<Edited, SectionError> {
        let end = edit.span.end;
        let following = self.document.headings.iter().filter(|heading| heading.section.start >= end);
        let wanted: Vec<(u8, &str)> =
            following.map(|heading| (heading.level, heading.text.as_str())).collect();
        let edited = Edited::new(self.source, vec![edit]);
        if !wanted.is_empty() && leaves_open(content) {
            return Err(SectionError::HidesHeadings);
        }
        if !wanted.is_empty() && !content.is_empty() {
            let headings = document::parse(&edited.text).headings;
            let kept = headings.len().checked_sub(wanted.len()).and_then(|first| headings.get(first..));
            let kept = kept.unwrap_or_default().iter().map(|heading| (heading.level, heading.text.as_str()));
            if !kept.eq(wanted.iter().copied()) {
                return Err(SectionError::HidesHeadings);
            }
        }
        Ok(edited)
    }

    /// Refuses to lose the sections below a heading.
    pub(super) fn no_children(&self, index: usize, heading: &Heading) -> Result<(), SectionError> {
        let below = self.document.headings.iter().skip(index + 1);
        let children = below.take_while(|below| below.level > heading.level);
        let children: Vec<String> = children.map(find::shown).collect();
        if children.is_empty() {
            return Ok(());
        }
        Err(SectionError::HasChildren { heading: find::shown(heading), children })
    }

    /// What content at the start of the body pulls into its last section.
    pub(super) fn nested(&self, content: &str) -> Option<Nested> {
        let headings = document::parse(content).headings;
        let under = find::shown(headings.last()?);
        let first = self.document.headings.first();
        let end = first.map_or(self.source.len(), |first| first.section.start);
        let bytes = self.text(self.body_start..end).trim().len();
        (bytes > 0).then(|| Nested { bytes, under, next_heading: first.map(find::shown) })
    }
}

/// Whether a content opens a comment or a formula that it does not close. This reader takes such a mark for
/// text as long as nothing closes it; the app hides what follows, and the next mark in the note would close it
/// for both.
fn leaves_open(content: &str) -> bool {
    ["%%", "$$"].into_iter().filter(|mark| content.contains(mark)).any(|mark| {
        let closed = format!("\n{content}\n{mark}\n");
        let sections = document::parse(&closed).structure.sections;
        let is_open = |section: &crate::sections::Section| section.span.start <= content.len();
        sections.last().filter(|last| is_open(last)).is_some_and(|last| {
            matches!(last.kind, SectionKind::Comment | SectionKind::Math) && last.span.end > content.len() + 1
        })
    })
}

/// Whether a line is blank to Markdown: spaces and tabs alone.
fn is_blank(line: &str) -> bool {
    let line = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
    line.trim_matches([' ', '\t']).is_empty()
}

/// Whether a lane holds nothing but the mark that makes it a done lane: the plugin wants cards right below.
fn is_complete_mark(text: &str) -> bool {
    text.trim().trim_matches(['*', '_']) == "Complete"
}
