//! The texts that are read as one: a leaf's lines, without what belongs to quotes around them.

use crate::Span;
use crate::block::{Blocks, Leaf, LeafKind};

/// One inline text, and where it lies in the source.
#[derive(Debug)]
pub(crate) struct Unit<'a> {
    pub(crate) text: &'a str,
    /// Whether it is a row of a table.
    pub(crate) in_table: bool,
    /// Pairs of offsets that belong together, ascending; never empty.
    map: &'a [(usize, usize)],
}

impl<'a> Unit<'a> {
    /// A text whose offsets count from `source`, pair by pair.
    pub(crate) fn new(text: &'a str, map: &'a [(usize, usize)], in_table: bool) -> Self {
        Self { text, in_table, map }
    }

    /// The source offset of an offset in the text.
    pub(crate) fn source(&self, offset: usize) -> usize {
        let pair = match self.map {
            [pair] => Some(pair),
            map => {
                map.partition_point(|(start, _)| *start <= offset).checked_sub(1).and_then(|at| map.get(at))
            }
        };
        pair.map_or(offset, |(start, source)| source + (offset - start))
    }

    /// Where the piece of source that holds an offset ends.
    pub(crate) fn piece_end(&self, offset: usize) -> usize {
        let next = self.map.partition_point(|(start, _)| *start <= offset);
        self.map.get(next).map_or(self.text.len(), |(start, _)| *start)
    }

    /// The source range of a range of the text. Ends are exclusive: one at the start of a line belongs to the
    /// line before.
    pub(crate) fn source_span(&self, span: &Span) -> Span {
        let start = self.source(span.start);
        if span.is_empty() {
            return start..start;
        }
        start..self.source(span.end - 1) + 1
    }
}

/// Hands out the inline texts of a leaf; leaves without any (code, HTML, math) have none.
pub(crate) fn each_unit(text: &str, blocks: &Blocks, leaf: &Leaf, mut visit: impl FnMut(&Unit<'_>)) {
    let segments = blocks.segments.get(leaf.segments.clone()).unwrap_or(&[]);
    match leaf.kind {
        LeafKind::Paragraph | LeafKind::Heading(_) | LeafKind::Comment if segments.is_empty() => {
            let content = text.get(leaf.content.clone()).unwrap_or("");
            visit(&Unit::new(content, &[(0, leaf.content.start)], false));
        }
        LeafKind::Paragraph | LeafKind::Heading(_) | LeafKind::Comment => {
            let mut joined = String::with_capacity(leaf.span.len());
            let mut map = Vec::with_capacity(segments.len());
            for segment in segments {
                if !map.is_empty() {
                    joined.push('\n');
                }
                map.push((joined.len(), segment.start));
                joined.push_str(text.get(segment.clone()).unwrap_or(""));
            }
            visit(&Unit::new(&joined, &map, false));
        }
        LeafKind::Table => {
            for (index, row) in rows(blocks, leaf).enumerate() {
                // The delimiter row holds no text.
                if index != 1 {
                    visit(&Unit::new(text.get(row.clone()).unwrap_or(""), &[(0, row.start)], true));
                }
            }
        }
        LeafKind::Fence
        | LeafKind::IndentedCode
        | LeafKind::Html
        | LeafKind::HtmlComment
        | LeafKind::Math
        | LeafKind::ThematicBreak => {}
    }
}

/// The lines of a leaf, each without what belongs to quotes around it.
pub(crate) fn rows<'a>(blocks: &'a Blocks, leaf: &'a Leaf) -> impl Iterator<Item = Span> + 'a {
    let segments = blocks.segments.get(leaf.segments.clone()).unwrap_or(&[]);
    let lines = if segments.is_empty() { leaf.first_line..leaf.last_line + 1 } else { 0..0 };
    let lines = lines.filter_map(|line| blocks.lines.get(line));
    let lines = lines.map(|line| line.span.start.max(leaf.span.start)..line.span.end.min(leaf.span.end));
    segments.iter().cloned().chain(lines)
}

/// The last line of a leaf, without what belongs to quotes around it.
pub(crate) fn last_row(blocks: &Blocks, leaf: &Leaf) -> Option<Span> {
    match blocks.segments.get(leaf.segments.clone()).and_then(<[_]>::last) {
        Some(segment) => Some(segment.clone()),
        None => {
            let line = blocks.lines.get(leaf.last_line)?.span;
            Some(line.start.max(leaf.span.start)..line.end.min(leaf.span.end))
        }
    }
}
