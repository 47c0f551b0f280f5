//! The pass itself: for each line, which containers it continues, which it starts, and what becomes of the
//! rest.

use super::cursor::Cursor;
use super::html::{self, HtmlEnd};
use super::marks::{self, FenceMark, ListMark};
use super::tree::state_of;
use super::{Blocks, Leaf, LeafKind};
use crate::Span;
use crate::lines::{LineState, Mark};
use crate::work::spend;

/// Columns of white space that make code of a line.
pub(super) const CODE_INDENT: usize = 4;
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

pub(super) struct Parser<'t, 'v> {
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
    pub(super) first_line: usize,
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
    /// Shown each leaf as it is closed.
    pub(super) visit: &'v mut dyn FnMut(&Leaf, &Blocks),
    /// Whether segments outlive the visit of their leaf.
    pub(super) keep_segments: bool,
}

impl<'t, 'v> Parser<'t, 'v> {
    pub(super) fn new(
        text: &'t str,
        body: Span,
        visit: &'v mut dyn FnMut(&Leaf, &Blocks),
        keep_segments: bool,
    ) -> Self {
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
            visit,
            keep_segments,
        }
    }

    pub(super) fn run(mut self) -> Blocks {
        self.out.lines.body_start = self.body.start;
        let mut start = 0;
        while start < self.body.end {
            let rest = self.bytes.get(start..self.body.end).unwrap_or(&[]);
            let next = memchr::memchr(b'\n', rest).map_or(self.body.end, |found| start + found + 1);
            let line = self.bytes.get(start..next).unwrap_or(&[]);
            let break_length = if line.ends_with(b"\r\n") { 2 } else { u8::from(line.ends_with(b"\n")) };
            let end = next - usize::from(break_length);
            // The line is listed before it is read: a leaf that ends on it is visited while it is.
            self.out.lines.starts.push(start);
            self.out.lines.marks.push(Mark { state: LineState::Frontmatter, break_length });
            self.out.lines.length = next;
            if start < self.body.start {
                self.first_line = self.line + 1;
            } else {
                let state = self.read_line(start, end);
                if let Some(mark) = self.out.lines.marks.last_mut() {
                    mark.state = state;
                }
            }
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
}
