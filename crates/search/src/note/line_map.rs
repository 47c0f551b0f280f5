//! From offsets of a note's plain text back to lines of its file.
//!
//! Kept packed, since every note has one: per entry the distance from the previous plain offset and
//! the number of lines passed, each as a LEB128 varint. A line whose text was dropped (a fence, a
//! comment) has no entry.

use markdown::lines::Lines;
use markdown::plain::Plain;

/// Which line of the file each part of a plain text comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct LineMap {
    /// Plain offset and 0-based line that begins there; both ascend.
    entries: Vec<(usize, usize)>,
}

impl LineMap {
    /// Reads the lines off a plain text, whose source has `lines`.
    pub(crate) fn new(plain: &Plain, lines: &Lines) -> Self {
        let mut entries: Vec<(usize, usize)> = Vec::new();
        let mut note = |offset: usize, line: usize| match entries.last() {
            Some((_, last)) if *last >= line => {}
            _ => entries.push((offset, line)),
        };
        for (index, (start, source)) in plain.map.iter().enumerate() {
            let end = plain.map.get(index + 1).map_or(plain.text.len(), |(next, _)| *next);
            let Some(copied) = plain.text.get(*start..end).filter(|copied| !copied.is_empty()) else {
                continue;
            };
            note(*start, lines.line_of(*source));
            for (position, _) in copied.match_indices('\n') {
                let after = position + 1;
                if start + after < end {
                    note(start + after, lines.line_of(source + after));
                }
            }
        }
        Self { entries }
    }

    /// The map of a text that is its own plain text.
    pub(crate) fn of_whole(text: &str) -> Self {
        let starts = text.match_indices('\n').map(|(position, _)| position + 1);
        let starts = std::iter::once(0).chain(starts).take_while(|start| *start < text.len());
        Self { entries: starts.zip(0..).collect() }
    }

    /// The 0-based line of the file that a plain offset comes from; `None` for an empty text.
    pub(crate) fn line_of(&self, offset: usize) -> Option<usize> {
        let index = self.entries.partition_point(|(start, _)| *start <= offset);
        self.entries.get(index.saturating_sub(1)).map(|(_, line)| *line)
    }

    /// The map as bytes.
    pub(crate) fn pack(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.entries.len() * 2);
        let (mut last_offset, mut last_line) = (0, 0);
        for (offset, line) in &self.entries {
            push_varint(&mut bytes, offset - last_offset);
            push_varint(&mut bytes, line - last_line);
            (last_offset, last_line) = (*offset, *line);
        }
        bytes
    }

    /// Reads what [`pack`](Self::pack) wrote; `None` for anything else.
    pub(crate) fn unpack(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let mut entries = Vec::new();
        let (mut offset, mut line) = (0usize, 0usize);
        while !rest.is_empty() {
            offset = offset.checked_add(take_varint(&mut rest)?)?;
            line = line.checked_add(take_varint(&mut rest)?)?;
            entries.push((offset, line));
        }
        Some(Self { entries })
    }
}

fn push_varint(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_varint(rest: &mut &[u8]) -> Option<usize> {
    let mut number = 0usize;
    for shift in (0..usize::BITS).step_by(7) {
        let (first, tail) = rest.split_first()?;
        *rest = tail;
        number |= usize::from(first & 0x7f).checked_shl(shift)?;
        if first & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_lead_back_to_lines() {
        let source = "---\na: 1\n---\none\n\n```\ntwo\n```\nthree";
        let lines = markdown::lines::scan(source);
        let offset = |needle: &str| source.find(needle).unwrap_or(0);
        let plain = Plain {
            text: "one\ntwo\nthree".to_owned(),
            map: vec![(0, offset("one")), (4, offset("two")), (8, offset("three"))],
        };
        let map = LineMap::new(&plain, &lines);
        assert_eq!(map.line_of(0), Some(3));
        assert_eq!(map.line_of(2), Some(3));
        assert_eq!(map.line_of(4), Some(6));
        assert_eq!(map.line_of(8), Some(8));
        assert_eq!(map.line_of(999), Some(8));
        assert_eq!(LineMap::unpack(&map.pack()), Some(map));
    }

    #[test]
    fn a_copied_stretch_may_hold_many_lines() {
        let source = "a\nb\n\nc\n";
        let plain = Plain { text: source.to_owned(), map: vec![(0, 0)] };
        let map = LineMap::new(&plain, &markdown::lines::scan(source));
        assert_eq!([0, 2, 4, 5].map(|offset| map.line_of(offset)), [Some(0), Some(1), Some(2), Some(3)]);
    }

    #[test]
    fn an_empty_text_has_no_lines_and_damaged_bytes_are_refused() {
        assert_eq!(LineMap::default().line_of(0), None);
        assert_eq!(LineMap::unpack(&[]), Some(LineMap::default()));
        assert_eq!(LineMap::unpack(&[0x80]), None);
        assert_eq!(LineMap::unpack(&[1]), None);
        assert_eq!(LineMap::unpack(&[0xff; 30]), None);
    }
}
