//! Text above, below or in place of what stands under a heading; without a heading, at the two ends of the
//! body.
//!
//! What is inserted is a block of its own: blank lines at its two ends are taken off, and one is put between
//! it and its neighbours where Markdown would read them as one thing otherwise (a paragraph below a list, a
//! line above an underlined heading). Paragraphs and list items of the same kind go line by line, as an
//! entry is added to a log. Blank lines that are there stay.

mod block;
mod error;
mod find;
mod fit;

pub use block::replace_block;
pub use error::SectionError;

use super::apply::with_line_breaks;
use super::{Edit, Edited, line_break, without_mark};
use crate::document::{self, Document};
use crate::headings::{Heading, match_key};
use crate::{Span, kanban};
use fit::{joins_badly, needs_blank};

/// What is done with the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// It goes to the end of the section, or of the body.
    Append,
    /// It goes below the heading, or to the start of the body.
    Prepend,
    /// It takes the place of what stands under the heading; the heading stays.
    Replace,
    /// It goes above the heading.
    InsertBefore,
}

impl Operation {
    /// The name used in calls and answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Append => "append",
            Self::Prepend => "prepend",
            Self::Replace => "replace",
            Self::InsertBefore => "insert_before",
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patch<'a> {
    /// What to do.
    pub operation: Operation,
    /// The Markdown to write.
    pub content: &'a str,
    /// The heading it is about, with or without its hashes; `None`: the whole body.
    pub heading: Option<&'a str>,
    /// The heading's level, when several have the name.
    pub heading_level: Option<u8>,
    /// Whether the sections below the heading count as part of it. By default an append goes behind them, a
    /// replacement that would lose them is refused, and an append told `false` goes in front of them.
    pub include_children: Option<bool>,
}

/// A note after a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patched {
    /// The note.
    pub edited: Edited,
    /// The heading that was meant, as `## Text`; `None`: the body of the file.
    pub heading: Option<String>,
    /// What a new heading at the start of the body has pulled into its section.
    pub nested: Option<Nested>,
}

/// Text that stood above the first heading and now stands under a new one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nested {
    /// How many bytes of it there are, blank lines around it left out.
    pub bytes: usize,
    /// The new heading it stands under, as `## Text`.
    pub under: String,
    /// The first heading that was there before, as `## Text`: inserting before it nests nothing.
    pub next_heading: Option<String>,
}

/// Patches a note. Headings in code, comments and the properties block are none.
///
/// # Errors
/// See [`SectionError`]; nothing is changed then.
pub fn patch(source: &str, patch: &Patch<'_>) -> Result<Patched, SectionError> {
    let rest = without_mark(source);
    let patched = patch_unmarked(rest, patch)?;
    Ok(Patched { edited: patched.edited.with_mark(source, rest), ..patched })
}

fn patch_unmarked(source: &str, patch: &Patch<'_>) -> Result<Patched, SectionError> {
    let document = document::parse(source);
    let note = Note::new(source, &document);
    let content = trimmed(patch.content);
    if content.is_empty() && patch.operation != Operation::Replace {
        return Err(SectionError::EmptyContent);
    }
    let Some(name) = patch.heading else {
        let edit = match patch.operation {
            Operation::Append => note.append(note.body_start..note.end(source.len()), content, true),
            Operation::Prepend => note.prepend(note.body_start..source.len(), content),
            operation => return Err(SectionError::NeedsHeading { operation: operation.name() }),
        };
        let edited = note.finish(edit, content)?;
        let is_prepend = patch.operation == Operation::Prepend;
        let nested = if is_prepend { note.nested(content) } else { None };
        return Ok(Patched { edited, heading: None, nested });
    };
    let index = find::heading(source, &document.headings, name, patch.heading_level)?;
    let Some(heading) = document.headings.get(index) else { return Err(SectionError::EmptyContent) };
    if patch.operation != Operation::InsertBefore {
        no_double_heading(heading, content)?;
    }
    let whole = match (patch.operation, patch.include_children) {
        (_, Some(with_children)) => with_children,
        (Operation::Replace, None) => {
            note.no_children(index, heading)?;
            false
        }
        _ => true,
    };
    if patch.operation == Operation::Replace && !whole {
        note.no_children(index, heading)?;
    }
    let end = if whole { heading.section.end } else { heading.own.end };
    let body = note.after_line(heading.span.end)..note.end(end);
    let edit = match patch.operation {
        Operation::Append => note.append(body, content, false),
        Operation::Prepend => note.prepend(body, content),
        Operation::Replace => note.replace(body, content),
        Operation::InsertBefore => note.insert_before(heading.section.start, content),
    };
    Ok(Patched { edited: note.finish(edit, content)?, heading: Some(find::shown(heading)), nested: None })
}

/// Puts content at the end of what stands under a heading, sections below it left out; without a heading at
/// the end of the body.
pub(crate) fn append_to(source: &str, heading: Option<usize>, content: &str) -> Result<Edited, SectionError> {
    let document = document::parse(source);
    let note = Note::new(source, &document);
    let region = match heading.and_then(|index| document.headings.get(index)) {
        Some(heading) => note.after_line(heading.span.end)..note.end(heading.own.end),
        None => note.body_start..note.end(source.len()),
    };
    let edit = note.append(region, content, heading.is_none());
    note.finish(edit, content)
}

/// A text without the blank lines at its two ends.
fn trimmed(content: &str) -> &str {
    let content = content.trim_end();
    let mut start = 0;
    for line in content.split_inclusive('\n') {
        if !line.trim().is_empty() {
            break;
        }
        start += line.len();
    }
    content.get(start..).unwrap_or_default()
}

/// Refuses content that repeats the heading it goes under.
fn no_double_heading(heading: &Heading, content: &str) -> Result<(), SectionError> {
    let first = document::parse(content).headings.into_iter().next();
    let starts = first.filter(|first| first.line == 0).filter(|first| {
        first.text == heading.text || {
            let key = match_key(&first.text);
            !key.is_empty() && key == match_key(&heading.text)
        }
    });
    match starts {
        None => Ok(()),
        Some(_) => Err(SectionError::DoubleHeading { heading: find::shown(heading) }),
    }
}

/// A note that is patched.
struct Note<'a> {
    source: &'a str,
    document: &'a Document,
    body_start: usize,
    own: &'static str,
    is_board: bool,
}

impl<'a> Note<'a> {
    fn new(source: &'a str, document: &'a Document) -> Self {
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
    fn after_line(&self, offset: usize) -> usize {
        let rest = self.source.as_bytes().get(offset..).unwrap_or_default();
        memchr::memchr(b'\n', rest).map_or(self.source.len(), |end| offset + end + 1)
    }

    /// The end of a region: the settings that the Kanban plugin keeps at the end of a board come after it,
    /// or the plugin would not find them any more.
    fn end(&self, end: usize) -> usize {
        let settings = self.document.structure.sections.iter().rev().find(|section| {
            self.is_board && self.text(section.span.clone()).starts_with("%% kanban:settings")
        });
        settings.map_or(end, |settings| end.min(settings.span.start))
    }

    /// The end of the last line with text in a region, its line break included.
    fn text_end(&self, region: &Span) -> usize {
        let length = self.text(region.clone()).trim_end().len();
        if length == 0 { region.start } else { self.after_line(region.start + length - 1).min(region.end) }
    }

    /// The start of the first line with text in a region; its end when there is none.
    fn text_start(&self, region: &Span) -> usize {
        let mut start = region.start;
        for line in self.text(region.clone()).split_inclusive('\n') {
            if !line.trim().is_empty() {
                return start;
            }
            start += line.len();
        }
        region.end
    }

    fn append(&self, region: Span, content: &str, at_end_of_body: bool) -> Edit {
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

    fn prepend(&self, region: Span, content: &str) -> Edit {
        let text = self.text_start(&region);
        if text == region.end {
            return self.first(&region, content, false);
        }
        let at = if text > region.start { self.after_line(region.start).min(text) } else { text };
        let below = at == text && needs_blank(content, self.text(text..self.source.len()));
        self.insert(at, content, false, below)
    }

    fn replace(&self, region: Span, content: &str) -> Edit {
        let (start, end) = (self.text_start(&region), self.text_end(&region));
        if start >= end {
            return if content.is_empty() {
                Edit::new(start..start, "")
            } else {
                self.first(&region, content, false)
            };
        }
        if content.is_empty() {
            return Edit::new(super::without_last_break(self.source, start..end), "");
        }
        let ending = self.text(start..end).trim_end_matches([' ', '\t']);
        let ending =
            ["\r\n", "\n"].into_iter().find(|ending_of| ending.ends_with(ending_of)).unwrap_or_default();
        let next = if end < region.end { "" } else { self.text(end..self.source.len()) };
        let below = if !next.is_empty() && joins_badly(content, next) { self.own } else { "" };
        Edit::new(start..end, format!("{}{ending}{below}", with_line_breaks(content, self.own)))
    }

    fn insert_before(&self, heading: usize, content: &str) -> Edit {
        let above = self.text(self.body_start..heading);
        let has_gap =
            above.trim().is_empty() || above.lines().next_back().is_some_and(|line| line.trim().is_empty());
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
    fn finish(&self, edit: Edit, content: &str) -> Result<Edited, SectionError> {
        let end = edit.span.end;
        let following = self.document.headings.iter().filter(|heading| heading.section.start >= end);
        let wanted: Vec<(u8, &str)> =
            following.map(|heading| (heading.level, heading.text.as_str())).collect();
        let edited = Edited::new(self.source, vec![edit]);
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
    fn no_children(&self, index: usize, heading: &Heading) -> Result<(), SectionError> {
        let below = self.document.headings.iter().skip(index + 1);
        let children = below.take_while(|below| below.level > heading.level);
        let children: Vec<String> = children.map(find::shown).collect();
        if children.is_empty() {
            return Ok(());
        }
        Err(SectionError::HasChildren { heading: find::shown(heading), children })
    }

    /// What content at the start of the body pulls into its last section.
    fn nested(&self, content: &str) -> Option<Nested> {
        let headings = document::parse(content).headings;
        let under = find::shown(headings.last()?);
        let first = self.document.headings.first();
        let end = first.map_or(self.source.len(), |first| first.section.start);
        let bytes = self.text(self.body_start..end).trim().len();
        (bytes > 0).then(|| Nested { bytes, under, next_heading: first.map(find::shown) })
    }
}

/// Whether a lane holds nothing but the mark that makes it a done lane: the plugin wants cards right below.
fn is_complete_mark(text: &str) -> bool {
    text.trim().trim_matches(['*', '_']) == "Complete"
}
