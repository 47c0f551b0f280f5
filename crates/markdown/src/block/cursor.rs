//! A position in one line that counts columns, so that tabs count as CommonMark has them: a tab reaches to
//! the next multiple of four, and a container may use up part of one.

use crate::work::spend;

const TAB: usize = 4;

/// A position in a line.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'t> {
    bytes: &'t [u8],
    /// The next byte; a tab that is partly used up stays the next byte.
    position: usize,
    /// The end of the line, its break not included.
    end: usize,
    column: usize,
    /// Whether part of the tab at the position is used up.
    partial: bool,
    /// First byte from `position` on that is no space or tab, and its column; valid while it is ahead.
    word: usize,
    word_column: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(bytes: &'t [u8], start: usize, end: usize) -> Self {
        let mut cursor =
            Self { bytes, position: start, end, column: 0, partial: false, word: start, word_column: 0 };
        cursor.find_word();
        cursor
    }

    fn find_word(&mut self) {
        let (mut word, mut column) = (self.position, self.column);
        while word < self.end {
            match self.bytes.get(word) {
                Some(b' ') => column += 1,
                Some(b'\t') => column += TAB - column % TAB,
                _ => break,
            }
            word += 1;
        }
        spend(1 + word - self.position);
        (self.word, self.word_column) = (word, column);
    }

    /// Columns of white space ahead.
    pub(super) fn indent(&self) -> usize {
        self.word_column - self.column
    }

    /// Where the white space ahead ends.
    pub(super) fn word(&self) -> usize {
        self.word
    }

    /// The first byte after the white space ahead.
    pub(super) fn peek(&self) -> Option<u8> {
        if self.word < self.end { self.bytes.get(self.word).copied() } else { None }
    }

    /// The line from the first byte after the white space ahead.
    pub(super) fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.word..self.end).unwrap_or(&[])
    }

    /// Whether only white space is ahead.
    pub(super) fn is_blank(&self) -> bool {
        self.word >= self.end
    }

    /// Where content starts: a tab that is partly used up counts as used.
    pub(super) fn content(&self) -> usize {
        self.position + usize::from(self.partial)
    }

    /// Steps over everything up to the word, and over `bytes` more that are no tabs.
    pub(super) fn skip_word(&mut self, bytes: usize) {
        self.position = (self.word + bytes).min(self.end);
        self.column = self.word_column + bytes;
        self.partial = false;
        self.find_word();
    }

    /// Steps over at most this many columns of white space.
    pub(super) fn skip_columns(&mut self, columns: usize) {
        let target = self.column + columns.min(self.indent());
        while self.column < target {
            let step = match self.bytes.get(self.position) {
                Some(b'\t') => TAB - self.column % TAB,
                _ => 1,
            };
            if self.column + step > target {
                // Part of a tab: it stays ahead, narrower.
                self.column = target;
                self.partial = true;
                return;
            }
            self.column += step;
            self.partial = false;
            self.position += 1;
        }
    }
}
