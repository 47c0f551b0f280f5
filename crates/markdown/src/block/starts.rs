//! What a line starts: quotes, lists, headings, fences and the rest, or the next line of a paragraph.

use super::cursor::Cursor;
use super::html::{self, HtmlEnd};
use super::marks::{self, ListMark};
use super::parser::{CODE_INDENT, Container, Ending, Parser};
use super::{LeafKind, RawCallout};
use crate::Span;
use crate::lines::LineState;
use crate::sections::SectionKind;
use crate::work::spend;

impl<'t> Parser<'t, '_> {
    /// Starts what blocks the line starts; what is left is text, code or the next line of a paragraph.
    pub(super) fn start_blocks(&mut self, cursor: &mut Cursor<'t>, matched: usize, end: usize) -> LineState {
        let mut depth = matched;
        let mut lazy = self.open_kind() == Some(LeafKind::Paragraph);
        loop {
            let in_paragraph = lazy && depth == self.containers.len();
            if cursor.indent() >= CODE_INDENT {
                // Obsidian reads no code from the very first line of a body.
                if lazy || cursor.is_blank() || self.line == self.first_line {
                    break;
                }
                self.close_for_child(depth, false);
                cursor.skip_columns(CODE_INDENT);
                return self.open_leaf(LeafKind::IndentedCode, cursor.content(), end, Ending::None);
            }
            let rest = cursor.rest();
            let Some(first) = cursor.peek() else { break };
            match first {
                b'>' => self.start_quote(cursor, &mut depth),
                b'#' => {
                    let Some(level) = marks::heading_level(rest) else { break };
                    self.close_for_child(depth, false);
                    return self.add_heading(cursor, level, end);
                }
                b'`' | b'~' => {
                    let Some(fence) = marks::fence(rest) else { break };
                    self.close_for_child(depth, false);
                    return self.open_leaf(LeafKind::Fence, cursor.word(), end, Ending::Fence(fence));
                }
                b'<' => {
                    let Some(html_end) = html::start(rest, in_paragraph) else { break };
                    self.close_for_child(depth, false);
                    let comment = html_end == HtmlEnd::Comment;
                    let kind = if comment { LeafKind::HtmlComment } else { LeafKind::Html };
                    let state = self.open_leaf(kind, cursor.word(), end, Ending::Html(html_end));
                    if html::ends(rest, html_end) {
                        self.close_leaf();
                    }
                    return state;
                }
                b'%' | b'$' => {
                    let Some(state) = self.start_double(cursor, depth, in_paragraph, first, end) else {
                        break;
                    };
                    return state;
                }
                b'[' => {
                    let Some(width) = marks::footnote(rest) else { break };
                    self.start_footnote(cursor, &mut depth, width);
                }
                b'=' | b'-' | b'|' | b':' | b'*' | b'_' | b'+' | b'0'..=b'9' => {
                    if in_paragraph && self.underline_or_table(cursor, end) {
                        return LineState::Text;
                    }
                    if self.is_thematic_break(cursor) {
                        self.close_for_child(depth, false);
                        self.open_leaf(LeafKind::ThematicBreak, cursor.word(), end, Ending::None);
                        self.close_leaf();
                        return LineState::Text;
                    }
                    let Some(is_task) = self.start_item(cursor, &mut depth, in_paragraph) else { break };
                    if is_task {
                        lazy = false;
                        break;
                    }
                }
                _ => break,
            }
            lazy = false;
        }
        self.add_text(cursor, depth, lazy, end)
    }

    fn add_text(&mut self, cursor: &Cursor<'t>, depth: usize, lazy: bool, end: usize) -> LineState {
        if cursor.is_blank() {
            // Only container marks stand on the line.
            return LineState::Text;
        }
        if lazy {
            self.add_line(cursor.word(), end);
            return LineState::Text;
        }
        if depth == self.containers.len() && self.open_kind() == Some(LeafKind::Table) {
            self.add_line(cursor.word(), end);
            return LineState::Text;
        }
        self.close_for_child(depth, false);
        self.open_leaf(LeafKind::Paragraph, cursor.word(), end, Ending::None)
    }

    fn start_quote(&mut self, cursor: &mut Cursor<'t>, depth: &mut usize) {
        self.close_for_child(*depth, false);
        let start = cursor.content();
        cursor.skip_word(1);
        cursor.skip_columns(1);
        let callout = marks::is_callout(cursor.rest());
        if self.containers.is_empty() {
            let kind = if callout { SectionKind::Callout } else { SectionKind::Blockquote };
            if callout && !self.heading_seen && self.out.leading_callout.is_none() {
                let section = self.out.sections.len();
                let lines = RawCallout { section, first_line: self.line, last_line: self.line };
                self.out.leading_callout = Some(lines);
            }
            self.open_section(kind, start);
        }
        self.fill_item();
        self.quotes.push(self.containers.len());
        self.containers.push(Container::Quote);
        *depth = self.containers.len();
    }

    fn start_footnote(&mut self, cursor: &mut Cursor<'t>, depth: &mut usize, width: usize) {
        self.close_for_child(*depth, false);
        if self.containers.is_empty() {
            self.open_section(SectionKind::FootnoteDefinition, cursor.content());
        }
        self.fill_item();
        self.containers.push(Container::Footnote);
        *depth = self.containers.len();
        cursor.skip_word(width);
        // However far away the text stands, it is not code.
        cursor.skip_columns(cursor.indent());
    }

    /// Starts a list item, and the items that follow on the same line after its checkbox. Says whether a
    /// checkbox came last: text follows it, whatever it looks like.
    fn start_item(&mut self, cursor: &mut Cursor<'t>, depth: &mut usize, in_paragraph: bool) -> Option<bool> {
        let mut item = marks::item(cursor.rest())?;
        if in_paragraph && (item.empty || !item.interrupts) {
            return None;
        }
        let mut before = 0;
        loop {
            let (start, word, indent) = (cursor.content(), cursor.word(), cursor.indent());
            self.end_sibling(*depth, item.mark);
            self.close_for_child(*depth, true);
            self.open_list(item.mark, start);
            cursor.skip_word(item.width);
            let spaces = cursor.indent();
            let padding = if item.empty || spaces > CODE_INDENT { 1 } else { spaces };
            cursor.skip_columns(padding);
            // Recorded items start where their container's text does, indentation included; only those
            // numbered with a dot start at their number.
            let start = if item.mark == ListMark::Number(b'.') { word } else { start };
            self.open_item(start, before + indent + item.width + padding);
            *depth = self.containers.len();
            before = 0;
            let Some((status, width)) = marks::task(cursor.rest()).filter(|_| cursor.indent() < CODE_INDENT)
            else {
                return Some(false);
            };
            if let Some(item) = self.out.items.last_mut() {
                item.task = Some(status);
            }
            self.fill_item();
            before += cursor.indent() + width;
            cursor.skip_word(width);
            before += cursor.indent().min(1);
            cursor.skip_columns(1);
            // A checkbox is part of the marker: an item may start right after it. Nothing else does.
            match marks::item(cursor.rest()) {
                Some(next) if cursor.indent() < CODE_INDENT => item = next,
                _ => return Some(true),
            }
        }
    }

    /// A `%%` or `$$` at the start of a line opens a block when it is closed on a later line. One that is
    /// never closed is text: what a stray mark would hide is worth more than what it might have meant.
    fn start_double(
        &mut self,
        cursor: &Cursor<'t>,
        depth: usize,
        in_paragraph: bool,
        byte: u8,
        end: usize,
    ) -> Option<LineState> {
        let rest = cursor.rest();
        if marks::run(rest, byte) != 2 {
            return None;
        }
        let kind = if byte == b'%' { LeafKind::Comment } else { LeafKind::Math };
        if let Some(closing) = marks::double(rest, 2, byte) {
            // Closed on its own line: inline, unless it is a formula that has the line to itself.
            let alone = marks::is_blank(rest.get(closing + 2..).unwrap_or(&[]));
            if kind == LeafKind::Comment || !alone || in_paragraph {
                return None;
            }
            self.close_for_child(depth, false);
            self.open_leaf(kind, cursor.word(), end, Ending::None);
            self.close_leaf();
            return Some(LineState::Math);
        }
        if self.last_double(byte).is_none_or(|last| last < end) {
            return None;
        }
        if in_paragraph && self.paragraph_leaves_open(byte) {
            return None;
        }
        self.close_for_child(depth, false);
        Some(self.open_leaf(kind, cursor.word(), end, Ending::Double(byte)))
    }

    /// Where the last mark of two of this byte starts in the text.
    fn last_double(&mut self, byte: u8) -> Option<usize> {
        let memo = if byte == b'%' { &mut self.last_comment } else { &mut self.last_math };
        let body = self.bytes.get(..self.body.end).unwrap_or(&[]);
        *memo.get_or_insert_with(|| marks::last_double(body, byte))
    }

    /// Whether the open paragraph holds an inline comment or formula that is still open: the mark at the
    /// start of this line then closes it.
    fn paragraph_leaves_open(&self, byte: u8) -> bool {
        let Some(leaf) = &self.leaf else { return false };
        let so_far = self.bytes.get(leaf.start..leaf.end).unwrap_or(&[]);
        spend(so_far.len());
        let mut count = 0;
        let mut from = 0;
        while let Some(position) = marks::double(so_far, from, byte) {
            count += 1;
            from = position + 2;
        }
        count % 2 == 1
    }

    /// Whether the line ends the open paragraph as its underline or as the delimiter row of a table.
    fn underline_or_table(&mut self, cursor: &Cursor<'t>, end: usize) -> bool {
        let rest = cursor.rest();
        let Some(leaf) = &self.leaf else { return false };
        // A delimiter row holds a bar, an underline does not.
        if let Some(cells) = marks::delimiter_cells(rest) {
            let header = self.bytes.get(leaf.last_start..leaf.end).unwrap_or(&[]);
            if marks::row_cells(header) != cells {
                return false;
            }
            self.start_table(cursor.word(), end);
            return true;
        }
        let Some(level) = marks::underline_level(rest) else { return false };
        if let Some(leaf) = &mut self.leaf {
            // The underline is part of the heading, not of its text.
            leaf.kind = LeafKind::Heading(level);
            leaf.content = Some(leaf.start..leaf.end);
            (leaf.end, leaf.last_line) = (end, self.line);
        }
        if self.containers.is_empty() {
            self.heading_seen = true;
            if let Some(section) = self.out.sections.last_mut() {
                section.kind = SectionKind::Heading;
            }
        }
        self.close_leaf();
        true
    }

    /// The last line of the open paragraph becomes the header of a table, lines before it stay a paragraph.
    fn start_table(&mut self, start: usize, end: usize) {
        let Some(leaf) = &mut self.leaf else { return };
        if leaf.first_line == leaf.last_line {
            leaf.kind = LeafKind::Table;
            if self.containers.is_empty()
                && let Some(section) = self.out.sections.last_mut()
            {
                section.kind = SectionKind::Table;
            }
        } else {
            let (header_start, header_end) = (leaf.last_start, leaf.end);
            leaf.end = leaf.before_last;
            leaf.last_line -= 1;
            // The header's own segment comes again below.
            if !self.quotes.is_empty() {
                self.out.segments.pop();
            }
            let line = self.line;
            self.line = line.saturating_sub(1);
            self.close_leaf();
            self.open_leaf(LeafKind::Table, header_start, header_end, Ending::None);
            self.line = line;
        }
        self.add_line(start, end);
    }

    fn is_thematic_break(&mut self, cursor: &Cursor<'t>) -> bool {
        let (start, rest) = (cursor.word(), cursor.rest());
        if start < self.no_break_before || !matches!(rest.first(), Some(b'*' | b'-' | b'_')) {
            return false;
        }
        if marks::is_thematic_break(rest) {
            return true;
        }
        let mark = rest.first().copied().unwrap_or(0);
        let other = rest.iter().position(|byte| *byte != mark && !matches!(byte, b' ' | b'\t' | b'\r'));
        let length = other.unwrap_or(rest.len());
        spend(length);
        self.no_break_before = start + length;
        false
    }

    fn add_heading(&mut self, cursor: &Cursor<'t>, level: u8, end: usize) -> LineState {
        let start = cursor.word();
        if self.containers.is_empty() {
            self.heading_seen = true;
        }
        let inner = start + usize::from(level);
        let content = heading_content(self.text, inner, end);
        self.open_leaf(LeafKind::Heading(level), start, end, Ending::None);
        if let Some(leaf) = &mut self.leaf {
            leaf.content = Some(content);
        }
        self.close_leaf();
        LineState::Text
    }

    fn open_kind(&self) -> Option<LeafKind> {
        self.leaf.as_ref().map(|leaf| leaf.kind)
    }
}

/// A heading's text: trimmed, and without closing hashes that white space parts from it.
fn heading_content(text: &str, start: usize, end: usize) -> Span {
    let raw = text.get(start..end).unwrap_or("");
    let trimmed = raw.trim_matches([' ', '\t', '\r']);
    let without = trimmed.trim_end_matches('#');
    let trimmed = if without.is_empty() || without.ends_with([' ', '\t']) {
        without.trim_end_matches([' ', '\t'])
    } else {
        trimmed
    };
    let lead = raw.len() - raw.trim_start_matches([' ', '\t', '\r']).len();
    let start = (start + lead).min(end);
    start..(start + trimmed.len()).min(end)
}
