//! Callouts: quotes whose first line is `[!type] Title`.

use crate::Span;

/// A callout that stands at the top level of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callout {
    /// The type, in lower case: `note`, `info`, `my-type`. An unknown type stays as it is.
    pub kind: String,
    /// The title as written; empty when there is none, where Obsidian shows the type's name.
    pub title: String,
    /// The lines below the title without their `>`, joined by LF, trimmed.
    pub body: String,
    /// The whole callout, without the line break after it.
    pub span: Span,
}

/// The first callout of a note, if it stands before any heading.
#[must_use]
pub fn leading(_text: &str) -> Option<Callout> {
    None
}
