//! Inline structure: what lies within the text of one paragraph, heading, table row or comment.
//!
//! The scanner walks over the text once. Whatever starts first wins, as in CommonMark: a code span hides a
//! link, a link hides a dollar. Each search for a closing mark remembers what it found, or that it found
//! nothing, so that no part of the text is searched twice.

mod brackets;
mod destination;
pub(crate) mod html;
mod scanner;
mod spans;
mod unit;
mod words;

pub(crate) use destination::{Destination, decode, unescape};
pub(crate) use scanner::{Mode, Scanner};
pub(crate) use unit::{Unit, each_unit, last_row, rows};

use crate::Span;

/// What a part of an inline text is. Text between the parts is plain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A code span; how many backticks are on each side.
    Code(usize),
    /// A formula; how many dollars are on each side.
    Math(usize),
    /// An HTML tag or comment.
    Html,
    /// `<https://…>`.
    Autolink,
    /// `%% … %%`; only told apart in [`Mode::Plain`].
    Comment,
    /// `[[…]]`, or `![[…]]` when it is an embed.
    Wiki {
        /// Whether a `!` stands before it.
        embed: bool,
    },
    /// The opening bracket of a Markdown link, with its `!` if it is an embed.
    LinkOpen,
    /// From the closing bracket of a Markdown link's text to the end; an index into [`Scanner::links`].
    LinkClose(usize),
    /// A `[` or `![` that opens nothing.
    Bracket,
    /// `[^id]`, or the `^[` before the text of an inline footnote.
    Footnote,
    /// `#tag`.
    Tag,
    /// A backslash and the character it escapes.
    Escape,
    /// A run of emphasis marks, and how many of them belong to emphasis.
    Mark(usize),
}

/// A part of an inline text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A Markdown link, as ranges of the text.
#[derive(Debug, Clone)]
pub(crate) struct MarkdownLink {
    pub(crate) embed: bool,
    pub(crate) span: Span,
    /// Between the square brackets.
    pub(crate) text: Span,
    pub(crate) destination: Destination,
}
