//! Block structure: one pass over the lines that finds containers (quotes, list items, footnotes) and the
//! leaves in them (paragraphs, headings, code, …), after CommonMark's algorithm with Obsidian's blocks added.
//!
//! The pass takes time linear in the text: containers are a stack on the heap, each container a line
//! continues uses up bytes of that line, and a blank line is settled without looking at them one by one.

mod cursor;
mod html;
pub(crate) mod marks;
mod parser;
mod starts;
mod tree;

use crate::Span;
use crate::lines::Lines;
use crate::sections::SectionKind;

/// What a leaf is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeafKind {
    Paragraph,
    Heading(u8),
    Table,
    Fence,
    IndentedCode,
    Html,
    HtmlComment,
    Comment,
    Math,
    ThematicBreak,
}

/// A block that holds text.
#[derive(Debug, Clone)]
pub(crate) struct Leaf {
    pub(crate) kind: LeafKind,
    pub(crate) first_line: usize,
    pub(crate) last_line: usize,
    /// From the first character that is no indentation to the end of the last line.
    pub(crate) span: Span,
    /// The text that is read further: a heading without its hashes and underline, else the whole leaf.
    pub(crate) content: Span,
    /// The text of each line without what belongs to quotes around it: a range of [`Blocks::segments`].
    /// Empty when the content is one piece: the leaf lies in no quote, or on one line.
    pub(crate) segments: Span,
    /// The list item it lies in directly.
    pub(crate) item: Option<usize>,
    /// The top-level block it belongs to.
    pub(crate) section: usize,
    /// Whether it is a top-level block.
    pub(crate) root: bool,
    /// Whether its first line is the title line of a callout.
    pub(crate) callout: bool,
}

/// A top-level block.
#[derive(Debug, Clone)]
pub(crate) struct RawSection {
    pub(crate) kind: SectionKind,
    pub(crate) span: Span,
}

/// A list item.
#[derive(Debug, Clone)]
pub(crate) struct RawItem {
    /// The item it lies in.
    pub(crate) parent: Option<usize>,
    /// The line its list starts on.
    pub(crate) list_line: usize,
    pub(crate) line: usize,
    pub(crate) span: Span,
    pub(crate) task: Option<char>,
}

/// The first top-level callout before any heading.
#[derive(Debug, Clone)]
pub(crate) struct RawCallout {
    pub(crate) section: usize,
    pub(crate) first_line: usize,
    pub(crate) last_line: usize,
}

/// The block structure of a text.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    pub(crate) lines: Lines,
    /// In the order of the text; only [`read`] fills it.
    pub(crate) leaves: Vec<Leaf>,
    /// Of the leaves above, or of the one that is visited.
    pub(crate) segments: Vec<Span>,
    pub(crate) sections: Vec<RawSection>,
    pub(crate) items: Vec<RawItem>,
    pub(crate) leading_callout: Option<RawCallout>,
}

/// Reads the block structure of a range of a text, whose start is the start of a line; lines before it are
/// listed as those of the properties block. The range must lie on character borders.
///
/// Each leaf is shown as soon as it is complete, in the order of the text, with what is known by then: its
/// own lines and segments, and the sections and items up to it, whose ends may not be settled yet. None is
/// kept, so that a large text needs little more memory than its lines.
pub(crate) fn walk(text: &str, body: Span, mut visit: impl FnMut(&Leaf, &Blocks)) -> Blocks {
    parser::Parser::new(text, body, &mut visit, false).run()
}

/// [`walk`], with the leaves as a list.
pub(crate) fn read(text: &str, body: Span) -> Blocks {
    let mut leaves = Vec::new();
    let mut keep = |leaf: &Leaf, _: &Blocks| leaves.push(leaf.clone());
    let blocks = parser::Parser::new(text, body, &mut keep, true).run();
    Blocks { leaves, ..blocks }
}
