//! The pass itself: for each line, which containers it continues, which it starts, and what becomes of the
//! rest.

use super::cursor::Cursor;
use super::html::{self, HtmlEnd};
use super::marks::{self, FenceMark, ListMark};
use super::tree::state_of;
use super::{Blocks, LeafKind, RawCallout};
use crate::Span;
use crate::lines::{LineState, Mark};
use crate::sections::SectionKind;
use crate::work::spend;

/// Columns of white space that make code of a line.
const CODE_INDENT: usize = 4;
/// Columns that the further lines of a footnote are indented by.
const FOOTNOTE_INDENT: usize = 4;

#[derive(Debug)]
pub(super) enum Container {
    Quote,
    /// Holds items of one mark; the line it starts on.
    List(ListMark, usize),
    Item {
        /// Columns its further lines are indented by.
        indent: usize,
        index: usize,
        /// Whether nothing but its marker has been seen.
        empty: bool,
    },
    Footnote,
}

/// The leaf that lines are being added to. It lies in the innermost container.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) kind: LeafKind,
    pub(super) first_line: usize,
    pub(super) last_line: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Where the text of the last line starts, and where the line before it ended.
    pub(super) last_start: usize,
    pub(super) before_last: usize,
    pub(super) content: Option<Span>,
    pub(super) first_segment: usize,
    pub(super) callout: bool,
    pub(super) ending: Ending,
}

/// What closes a leaf that takes lines as they are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ending {
    None,
    Fence(FenceMark),
    Html(HtmlEnd),
    /// A line with two of this byte.
    Double(u8),
}

pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) bytes: &'t [u8],
    pub(super) body: Span,
    pub(super) containers: Vec<Container>,
    /// Positions of the quotes in the stack.
    pub(super) quotes: Vec<usize>,
    /// The innermost item in the stack.
    pub(super) item: Option<usize>,
    /// Items whose end is settled: a child of theirs started on a later line.
    pub(super) frozen: Vec<bool>,
    pub(super) leaf: Option<Open>,
    pub(super) line: usize,
    pub(super) line_start: usize,
    /// The first line of the body.
    first_line: usize,
    /// The end of the last line with text, and of the last line that is not blank (`>` alone has no text).
    pub(super) last_end: usize,
    pub(super) last_mark_end: usize,
    /// Where the last `%%` and the last `$$` of the text start, once looked for.
    pub(super) last_comment: Option<Option<usize>>,
    pub(super) last_math: Option<Option<usize>>,
    /// A byte of this line that no thematic break can hold: none starts before it.
    pub(super) no_break_before: usize,
    pub(super) heading_seen: bool,
    pub(super) out: Blocks,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, body: Span) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            body,
            containers: Vec::new(),
            quotes: Vec::new(),
            item: None,
            frozen: Vec::new(),
            leaf: None,
            line: 0,
            line_start: 0,
            first_line: 0,
            last_end: 0,
            last_mark_end: 0,
            last_comment: None,
            last_math: None,
            no_break_before: 0,
            heading_seen: false,
            out: Blocks::default(),
        }
    }

    pub(super) fn run(mut self) -> Blocks {
        self.out.lines.length = self.body.end;
        self.out.lines.body_start = self.body.start;
        let mut start = 0;
        while start < self.body.end {
            let rest = self.bytes.get(start..self.body.end).unwrap_or(&[]);
            let next = memchr::memchr(b'\n', rest).map_or(self.body.end, |found| start + found + 1);
            let line = self.bytes.get(start..next).unwrap_or(&[]);
            let break_length = if line.ends_with(b"\r\n") { 2 } else { u8::from(line.ends_with(b"\n")) };
            let end = next - usize::from(break_length);
            let state = if start < self.body.start {
                self.first_line = self.line + 1;
                LineState::Frontmatter
            } else {
                self.read_line(start, end)
            };
            self.out.lines.starts.push(start);
            self.out.lines.marks.push(Mark { state, break_length });
            start = next;
            self.line += 1;
        }
        self.close_to(0);
        self.out
    }

    fn read_line(&mut self, start: usize, end: usize) -> LineState {
        let mut cursor = Cursor::new(self.bytes, start, end);
        self.no_break_before = start;
        self.line_start = start;
        let blank_line = cursor.is_blank();
        let matched = self.match_containers(&mut cursor);
        if cursor.is_blank() {
            let state = self.read_blank(&cursor, matched, end);
            if !blank_line {
                self.last_mark_end = end;
            }
            return state;
        }
        let verbatim =
            if matched == self.containers.len() { self.continue_verbatim(&cursor, end) } else { None };
        let state = match verbatim {
            Some(state) => state,
            None => self.start_blocks(&mut cursor, matched, end),
        };
        self.last_end = end;
        self.last_mark_end = end;
        state
    }

    /// A line without text ends quotes it does not continue, and paragraphs; list items go on.
    fn read_blank(&mut self, cursor: &Cursor<'t>, matched: usize, end: usize) -> LineState {
        if matched < self.containers.len() {
            self.close_to(matched);
        }
        // An item can begin with at most one blank line.
        if let Some(Container::Item { empty: true, .. }) = self.containers.last() {
            let depth = self.containers.len() - 1;
            self.close_to(depth);
        }
        let Some(leaf) = &mut self.leaf else { return LineState::Text };
        match (leaf.kind, leaf.ending) {
            // Blank lines at the end of indented code do not belong to it; a later line of it takes them in.
            (LeafKind::IndentedCode, _) => LineState::Text,
            (kind, Ending::Fence(_) | Ending::Double(_)) => {
                self.add_line(cursor.content(), end);
                state_of(kind)
            }
            (kind, Ending::Html(html_end)) if html_end != HtmlEnd::Blank => {
                self.add_line(cursor.content(), end);
                state_of(kind)
            }
            _ => {
                self.close_leaf();
                LineState::Text
            }
        }
    }

    /// How many of the open containers a line continues. Once nothing but white space is left, every list
    /// item goes on and the next quote does not.
    fn match_containers(&self, cursor: &mut Cursor<'t>) -> usize {
        let mut quotes = self.quotes.iter().copied();
        let mut next_quote = quotes.next().unwrap_or(self.containers.len());
        for (depth, container) in self.containers.iter().enumerate() {
            spend(1);
            if cursor.is_blank() {
                return next_quote;
            }
            match container {
                Container::Quote => {
                    if cursor.indent() >= CODE_INDENT || cursor.peek() != Some(b'>') {
                        return depth;
                    }
                    cursor.skip_word(1);
                    cursor.skip_columns(1);
                    next_quote = quotes.next().unwrap_or(self.containers.len());
                }
                Container::List(..) => {}
                Container::Item { indent, .. } => {
                    if cursor.indent() < *indent {
                        return depth;
                    }
                    cursor.skip_columns(*indent);
                }
                Container::Footnote => {
                    if cursor.indent() < FOOTNOTE_INDENT {
                        return depth;
                    }
                    cursor.skip_columns(FOOTNOTE_INDENT);
                }
            }
        }
        self.containers.len()
    }

    /// Adds the line to an open leaf that takes lines as they are.
    fn continue_verbatim(&mut self, cursor: &Cursor<'t>, end: usize) -> Option<LineState> {
        let leaf = self.leaf.as_ref()?;
        let (kind, ending) = (leaf.kind, leaf.ending);
        let rest = cursor.rest();
        let closes = match ending {
            Ending::None if kind == LeafKind::IndentedCode && cursor.indent() >= CODE_INDENT => {
                let blanks = leaf.last_line + 1..self.line;
                for mark in self.out.lines.marks.get_mut(blanks).unwrap_or(&mut []) {
                    mark.state = LineState::IndentedCode;
                }
                false
            }
            Ending::None => return None,
            Ending::Fence(fence) => cursor.indent() < CODE_INDENT && marks::closes_fence(rest, fence),
            Ending::Html(html_end) => html::ends(rest, html_end),
            Ending::Double(byte) => marks::double(rest, 0, byte).is_some(),
        };
        self.add_line(cursor.content(), end);
        if closes {
            self.close_leaf();
        }
        Some(state_of(kind))
    }

    /// Starts what blocks the line starts; what is left is text, code or the next line of a paragraph.
    fn start_blocks(&mut self, cursor: &mut Cursor<'t>, matched: usize, end: usize) -> LineState {
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
