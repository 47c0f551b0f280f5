//! What hides the text in it: code, formulas, HTML and comments.

use super::scanner::Walk;
use super::{Kind, html};
use crate::block::marks;
use crate::work::spend;

impl Walk<'_, '_> {
    pub(super) fn code(&mut self) {
        let start = self.position;
        let length = marks::run(self.rest(), b'`');
        let bytes = self.bytes;
        let ticks = self.scanner.ticks.get_or_insert_with(|| tick_runs(bytes));
        // The next run of the same length closes; runs are sorted by length, then position.
        let next = ticks.partition_point(|run| *run < (length, start + length));
        match ticks.get(next) {
            Some((found, close)) if *found == length => {
                let end = close + length;
                self.push(Kind::Code(length), start, end);
            }
            _ => self.position += length,
        }
    }

    pub(super) fn angle(&mut self) {
        let start = self.position;
        let rest = self.rest();
        if let Some(length) = html::tag(rest) {
            return self.push(Kind::Html, start, start + length);
        }
        if let Some(length) = html::autolink(rest) {
            return self.push(Kind::Autolink, start, start + length);
        }
        // `<!-->` and `<!--->` are whole comments: the end may overlap the start by two hyphens.
        let (slot, end, overlap): (usize, &[u8], usize) = if rest.starts_with(b"<!--") {
            (0, b"-->", 2)
        } else if rest.starts_with(b"<![CDATA[") {
            (1, b"]]>", 9)
        } else if rest.starts_with(b"<?") {
            (2, b"?>", 2)
        } else if rest.starts_with(b"<!") && rest.get(2).is_some_and(u8::is_ascii_alphabetic) {
            (3, b">", 2)
        } else {
            self.position += 1;
            return;
        };
        let bytes = self.bytes;
        let find = |from: usize| {
            let rest = bytes.get(from..)?;
            let found = memchr::memmem::find(rest, end);
            spend(found.unwrap_or(rest.len()));
            found.map(|found| from + found)
        };
        let next = self.scanner.memo.html.get_mut(slot).and_then(|memo| memo.at(start + overlap, find));
        match next {
            Some(found) => self.push(Kind::Html, start, found + end.len()),
            None => self.position += 1,
        }
    }

    pub(super) fn math(&mut self) {
        let start = self.position;
        let bytes = self.bytes;
        let length = marks::run(self.rest(), b'$');
        let memo = &mut self.scanner.memo;
        let close = match length {
            1 if !self.bytes.get(start + 1).is_none_or(u8::is_ascii_whitespace) => {
                memo.dollar.at(start + 2, |from| closing_dollar(bytes, from))
            }
            2 => memo.double_dollar.at(start + 2, |from| marks::double(bytes, from, b'$')),
            _ => None,
        };
        match close {
            Some(close) => self.push(Kind::Math(length), start, close + length),
            None => self.position += length,
        }
    }

    pub(super) fn comment(&mut self) {
        let start = self.position;
        let length = marks::run(self.rest(), b'%');
        let bytes = self.bytes;
        let close = match length {
            2 => self.scanner.memo.comment.at(start + 2, |from| marks::double(bytes, from, b'%')),
            _ => None,
        };
        match close {
            Some(close) => self.push(Kind::Comment, start, close + 2),
            None => self.position += length,
        }
    }

    /// The mark of an inline footnote, `^[text]`: the bracket after it is read as any other.
    pub(super) fn caret(&mut self) {
        if self.byte(self.position + 1) == Some(b'[') {
            self.push(Kind::Footnote, self.position, self.position + 1);
        } else {
            self.position += 1;
        }
    }
}

/// All runs of backticks as length and position, sorted.
fn tick_runs(bytes: &[u8]) -> Vec<(usize, usize)> {
    spend(bytes.len());
    let mut runs = Vec::new();
    let mut position = 0;
    while let Some(found) = bytes.get(position..).and_then(|rest| memchr::memchr(b'`', rest)) {
        let start = position + found;
        let length = marks::run(bytes.get(start..).unwrap_or(&[]), b'`');
        runs.push((length, start));
        position = start + length;
    }
    runs.sort_unstable();
    runs
}

/// The next lone dollar that can close a formula: no white space or backslash before it, no digit after it.
fn closing_dollar(bytes: &[u8], from: usize) -> Option<usize> {
    let mut position = from;
    while let Some(found) = memchr::memchr(b'$', bytes.get(position..)?) {
        let start = position + found;
        let length = marks::run(bytes.get(start..)?, b'$');
        spend(found);
        let before = bytes.get(start.checked_sub(1)?)?;
        let closes = length == 1
            && !before.is_ascii_whitespace()
            && *before != b'\\'
            && !bytes.get(start + 1).is_some_and(u8::is_ascii_digit);
        if closes {
            return Some(start);
        }
        position = start + length;
    }
    spend(bytes.len().saturating_sub(position));
    None
}
