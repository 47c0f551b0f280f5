//! Lines, and what each of them is: the one pass over a note that everything else builds on.

use crate::Span;
use crate::{block, frontmatter};

/// What a line is, decided by the block it lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineState {
    /// A line of the properties block, its `---` lines included.
    Frontmatter,
    /// Ordinary Markdown: headings, paragraphs, lists, quotes, tables, blank lines.
    Text,
    /// A line of a fenced code block: opening fence, content or closing fence.
    Fence,
    /// A line of an indented code block.
    IndentedCode,
    /// A line of an HTML block other than a comment.
    HtmlBlock,
    /// A line of an HTML comment that stands as a block (`<!-- … -->`).
    HtmlComment,
    /// A line of a comment block (`%% … %%`).
    Comment,
    /// A line of a math block (`$$ … $$`).
    Math,
}

/// One line of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The line without its line break.
    pub span: Span,
    /// Where the next line starts: the end of the line with its break (LF or CRLF).
    pub end: usize,
    /// What the line is.
    pub state: LineState,
}

/// The lines of a text. They cover it without gaps: joining `text[line.span.start..line.end]` gives it back.
///
/// A line ends with LF or CRLF; a lone CR is an ordinary character. An empty text has no line, and a text
/// that ends with a line break has no empty line after it.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    pub(crate) starts: Vec<usize>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) length: usize,
    pub(crate) body_start: usize,
}

/// What is kept of a line beside its start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) state: LineState,
    /// Bytes of the line break: 0 at the end of the text, 1 for LF, 2 for CRLF.
    pub(crate) break_length: u8,
}

impl Lines {
    /// How many lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is no line: the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The line with this zero-based number.
    #[must_use]
    pub fn get(&self, line: usize) -> Option<Line> {
        let (start, mark) = (*self.starts.get(line)?, *self.marks.get(line)?);
        let end = self.starts.get(line + 1).copied().unwrap_or(self.length);
        Some(Line { span: start..end - usize::from(mark.break_length), end, state: mark.state })
    }

    /// All lines, first to last.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Line> + '_ {
        (0..self.len()).filter_map(|line| self.get(line))
    }

    /// The zero-based number of the line that holds a byte offset; the last line for an offset past the end.
    #[must_use]
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// Where the body starts: after the properties block and its line break, else 0.
    #[must_use]
    pub fn body_start(&self) -> usize {
        self.body_start
    }
}

/// Splits a text into lines and decides what each of them is. Time is linear in the text.
#[must_use]
pub fn scan(text: &str) -> Lines {
    let body_start = frontmatter::locate(text).map_or(0, |block| block.span.end);
    block::walk(text, body_start..text.len(), |_, _| {}).lines
}

/// Zero-based line and column of a byte offset, the column in UTF-16 code units as Obsidian's API counts.
/// An offset inside a character counts as its start, one past the end as the end.
#[must_use]
pub fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let offset = text.floor_char_boundary(offset);
    let before = text.get(..offset).unwrap_or(text);
    let line = before.bytes().filter(|byte| *byte == b'\n').count();
    let line_start = before.rfind('\n').map_or(0, |position| position + 1);
    let column = before.get(line_start..).unwrap_or("").encode_utf16().count();
    (line, column)
}
