//! Callouts: quotes whose first line is `[!type] Title`.

use crate::block::Blocks;
use crate::{Span, document};

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
pub fn leading(text: &str) -> Option<Callout> {
    document::parse(text).leading_callout
}

/// The leading callout of a text whose blocks are known.
pub(crate) fn collect(text: &str, blocks: &Blocks) -> Option<Callout> {
    let raw = blocks.leading_callout.as_ref()?;
    let span = blocks.sections.get(raw.section)?.span.clone();
    let mut lines = (raw.first_line..=raw.last_line).filter_map(|line| blocks.lines.get(line));
    let first = text.get(lines.next()?.span)?;
    let (kind, title) = title_line(unquote(first))?;
    let mut body = String::new();
    for line in lines {
        body.push_str(unquote(text.get(line.span).unwrap_or("")));
        body.push('\n');
    }
    let body = body.trim().to_owned();
    Some(Callout { kind, title: title.to_owned(), body, span })
}

/// A line without its outermost quote mark; a line that continues the quote without one is whole.
fn unquote(line: &str) -> &str {
    match line.trim_start_matches([' ', '\t']).strip_prefix('>') {
        Some(rest) => rest.strip_prefix(' ').unwrap_or(rest),
        None => line,
    }
}

/// Type and title of a line such as `[!type|metadata]+ Title`.
fn title_line(line: &str) -> Option<(String, &str)> {
    let (inner, rest) = line.trim_start().strip_prefix("[!")?.split_once(']')?;
    let kind = inner.split('|').next().unwrap_or("").trim().to_lowercase();
    let title = rest.strip_prefix(['+', '-']).unwrap_or(rest).trim();
    Some((kind, title))
}
