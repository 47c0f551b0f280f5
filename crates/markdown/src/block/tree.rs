//! Opening and closing containers and leaves, and what is recorded of them.

use super::marks::{self, ListMark};
use super::parser::{Container, Ending, Open, Parser};
use super::{Leaf, LeafKind, RawItem, RawSection};
use crate::lines::LineState;
use crate::sections::SectionKind;
use crate::work::spend;

impl Parser<'_, '_> {
    pub(super) fn open_section(&mut self, kind: SectionKind, start: usize) {
        self.out.sections.push(RawSection { kind, span: start..start });
    }

    pub(super) fn open_list(&mut self, mark: ListMark, start: usize) {
        match self.containers.last() {
            Some(Container::List(open, _)) if *open == mark => return,
            Some(Container::List(..)) => {
                let depth = self.containers.len() - 1;
                self.close_to(depth);
            }
            _ => {}
        }
        if self.containers.is_empty() {
            self.open_section(SectionKind::List, start);
        }
        self.fill_item();
        self.containers.push(Container::List(mark, self.line));
    }

    pub(super) fn open_item(&mut self, start: usize, indent: usize) {
        let list_line = match self.containers.last() {
            Some(Container::List(_, line)) => *line,
            _ => self.line,
        };
        let parent = self.item;
        self.freeze(parent);
        let index = self.out.items.len();
        let (line, span) = (self.line, start..start);
        self.out.items.push(RawItem { parent, list_line, line, span, task: None });
        self.frozen.push(false);
        self.containers.push(Container::Item { indent, index, empty: true });
        self.item = Some(index);
    }

    /// Settles the end of the item before another one of the same list: recorded items reach up to the next,
    /// blank lines included.
    pub(super) fn end_sibling(&mut self, depth: usize, mark: ListMark) {
        let list = depth.checked_sub(1).and_then(|list| self.containers.get(list));
        if !matches!(list, Some(Container::List(open, _)) if *open == mark) {
            return;
        }
        let Some(Container::Item { index, .. }) = self.containers.get(depth) else { return };
        let line_break = self.line.checked_sub(1).and_then(|line| self.out.lines.marks.get(line));
        let end = self.line_start - line_break.map_or(0, |mark| usize::from(mark.break_length));
        if let (Some(item), Some(frozen)) = (self.out.items.get_mut(*index), self.frozen.get_mut(*index))
            && !*frozen
        {
            item.span.end = end.max(item.span.start);
            *frozen = true;
        }
    }

    /// Settles the ends of the items around a new one that starts on a later line than they do.
    fn freeze(&mut self, mut item: Option<usize>) {
        while let Some(index) = item {
            spend(1);
            let (Some(raw), Some(frozen)) = (self.out.items.get_mut(index), self.frozen.get_mut(index))
            else {
                return;
            };
            if *frozen || raw.line == self.line {
                return;
            }
            *frozen = true;
            raw.span.end = self.last_end.max(raw.span.start);
            item = raw.parent;
        }
    }

    /// The innermost container, if it is an item, is no longer empty.
    pub(super) fn fill_item(&mut self) {
        if let Some(Container::Item { empty, .. }) = self.containers.last_mut() {
            *empty = false;
        }
    }

    /// Closes what lies deeper than `depth`, and a list there unless the child to come is one of its items.
    pub(super) fn close_for_child(&mut self, depth: usize, is_item: bool) {
        self.close_to(depth);
        if !is_item && matches!(self.containers.last(), Some(Container::List(..))) {
            let depth = self.containers.len() - 1;
            self.close_to(depth);
        }
    }

    pub(super) fn close_to(&mut self, depth: usize) {
        self.close_leaf();
        while self.containers.len() > depth {
            match self.containers.pop() {
                Some(Container::Item { index, .. }) => {
                    let frozen = self.frozen.get(index).copied().unwrap_or(true);
                    if let Some(item) = self.out.items.get_mut(index) {
                        if !frozen {
                            item.span.end = self.last_end.max(item.span.start);
                        }
                        self.item = item.parent;
                    }
                }
                Some(Container::Quote) => {
                    self.quotes.pop();
                }
                _ => {}
            }
            if self.containers.is_empty() {
                self.close_section();
            }
        }
    }

    fn close_section(&mut self) {
        let index = self.out.sections.len().saturating_sub(1);
        if let Some(section) = self.out.sections.last_mut() {
            section.span.end = self.last_mark_end.max(section.span.start);
        }
        if let Some(callout) = &mut self.out.leading_callout
            && callout.section == index
        {
            callout.last_line = self.line.saturating_sub(1);
        }
    }

    pub(super) fn open_leaf(
        &mut self,
        kind: LeafKind,
        start: usize,
        end: usize,
        ending: Ending,
    ) -> LineState {
        self.close_leaf();
        if self.containers.is_empty() {
            self.open_section(section_of(kind), start);
        }
        // A callout's title line is the first text after the mark that made a quote of this line.
        let callout = matches!(self.containers.last(), Some(Container::Quote))
            && kind == LeafKind::Paragraph
            && marks::is_callout(self.bytes.get(start..end).unwrap_or(&[]));
        self.fill_item();
        self.leaf = Some(Open {
            kind,
            first_line: self.line,
            last_line: self.line,
            start,
            end: start,
            last_start: start,
            before_last: start,
            content: None,
            first_segment: self.out.segments.len(),
            callout,
            ending,
        });
        self.add_line(start, end);
        state_of(kind)
    }

    pub(super) fn add_line(&mut self, start: usize, end: usize) {
        let start = start.min(end);
        if let Some(leaf) = &mut self.leaf {
            leaf.last_line = self.line;
            leaf.last_start = start;
            leaf.before_last = leaf.end;
            leaf.end = end;
            if !self.quotes.is_empty() {
                self.out.segments.push(start..end);
            }
        }
    }

    pub(super) fn close_leaf(&mut self) {
        let Some(leaf) = self.leaf.take() else { return };
        let root = self.containers.is_empty();
        if root && let Some(section) = self.out.sections.last_mut() {
            section.span.end = leaf.end;
        }
        let item = match self.containers.last() {
            Some(Container::Item { index, .. }) => Some(*index),
            _ => None,
        };
        let mut segments = leaf.first_segment..self.out.segments.len();
        if segments.len() < 2 {
            self.out.segments.truncate(leaf.first_segment);
            segments.end = segments.start;
        }
        let span = leaf.start..leaf.end;
        let leaf = Leaf {
            kind: leaf.kind,
            first_line: leaf.first_line,
            last_line: leaf.last_line,
            content: leaf.content.unwrap_or_else(|| span.clone()),
            span,
            segments,
            item,
            section: self.out.sections.len().saturating_sub(1),
            root,
            callout: leaf.callout,
        };
        (self.visit)(&leaf, &self.out);
        if !self.keep_segments {
            self.out.segments.clear();
        }
    }
}

pub(super) fn state_of(kind: LeafKind) -> LineState {
    match kind {
        LeafKind::Paragraph | LeafKind::Heading(_) | LeafKind::Table | LeafKind::ThematicBreak => {
            LineState::Text
        }
        LeafKind::Fence => LineState::Fence,
        LeafKind::IndentedCode => LineState::IndentedCode,
        LeafKind::Html => LineState::HtmlBlock,
        LeafKind::HtmlComment => LineState::HtmlComment,
        LeafKind::Comment => LineState::Comment,
        LeafKind::Math => LineState::Math,
    }
}

fn section_of(kind: LeafKind) -> SectionKind {
    match kind {
        LeafKind::Paragraph => SectionKind::Paragraph,
        LeafKind::Heading(_) => SectionKind::Heading,
        LeafKind::Table => SectionKind::Table,
        LeafKind::Fence | LeafKind::IndentedCode => SectionKind::Code,
        LeafKind::Html | LeafKind::HtmlComment => SectionKind::Html,
        LeafKind::Comment => SectionKind::Comment,
        LeafKind::Math => SectionKind::Math,
        LeafKind::ThematicBreak => SectionKind::ThematicBreak,
    }
}
