//! The walk over one inline text.

use super::{Kind, MarkdownLink, Token};
use crate::work::spend;

/// What the tokens are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Links and tags. Comments are read like other text, and emphasis does not matter.
    Links,
    /// Text without markup: comments are parts of their own, emphasis marks are matched.
    Plain,
}

/// Bytes at which something may start, by mode.
const LINKS: u8 = 1;
const PLAIN: u8 = 2;
const SPECIAL: [u8; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    let both = b"\\`[]#<$_";
    while index < both.len() {
        table[both[index] as usize] = LINKS | PLAIN;
        index += 1;
    }
    let mut index = 0;
    let plain = b"*~=%^";
    while index < plain.len() {
        table[plain[index] as usize] = PLAIN;
        index += 1;
    }
    table
};

/// Reads inline texts; its buffers serve one text after the other.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    pub(crate) tokens: Vec<Token>,
    pub(crate) links: Vec<MarkdownLink>,
    pub(super) brackets: Vec<Bracket>,
    /// Brackets below this cannot open a link: one after them has, and links do not nest.
    pub(super) no_link_below: usize,
    /// Tokens of emphasis marks that may still close, by mark.
    pub(super) open_marks: [Vec<(usize, usize)>; 4],
    /// Backtick runs as length and position, sorted; `None` until the first is met.
    pub(super) ticks: Option<Vec<(usize, usize)>>,
    pub(super) memo: Memo,
}

#[derive(Debug)]
pub(super) struct Bracket {
    pub(super) token: usize,
    pub(super) embed: bool,
    pub(super) start: usize,
    /// After the bracket.
    pub(super) text: usize,
}

/// What searches for closing marks have found in this text.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The wikilink found last, and up to where there is no other.
    pub(super) wiki: Option<(usize, usize)>,
    pub(super) no_wiki_before: usize,
    /// The end of the line the last search was on.
    pub(super) line_end: usize,
    pub(super) dollar: Next,
    pub(super) double_dollar: Next,
    pub(super) comment: Next,
    pub(super) html: [Next; 4],
}

/// The next place of a mark: known up to a position, or known to be missing.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Next {
    known: Option<Option<usize>>,
}

impl Next {
    /// The first place at or after `from`; `find` searches from there. Calls must not go backwards.
    pub(super) fn at(&mut self, from: usize, find: impl FnOnce(usize) -> Option<usize>) -> Option<usize> {
        match self.known {
            Some(None) => None,
            Some(Some(place)) if place >= from => Some(place),
            _ => {
                let found = find(from);
                self.known = Some(found);
                found
            }
        }
    }
}

/// The state of one walk.
pub(super) struct Walk<'s, 't> {
    pub(super) scanner: &'s mut Scanner,
    pub(super) text: &'t str,
    pub(super) bytes: &'t [u8],
    pub(super) mode: Mode,
    pub(super) in_table: bool,
    pub(super) position: usize,
    /// The end of the last token: what lies before belongs to something else.
    pub(super) consumed: usize,
    /// A place right after a tag or an escape, where a tag may start whatever stands before.
    pub(super) tag_edge: Option<usize>,
}

impl Scanner {
    /// Reads a text. The tokens are in the order of the text, the links in the order of their ends.
    pub(crate) fn scan(&mut self, text: &str, in_table: bool, mode: Mode) {
        self.tokens.clear();
        self.links.clear();
        self.brackets.clear();
        self.no_link_below = 0;
        self.open_marks.iter_mut().for_each(Vec::clear);
        self.ticks = None;
        self.memo = Memo::default();
        let walk = Walk {
            scanner: self,
            text,
            bytes: text.as_bytes(),
            mode,
            in_table,
            position: 0,
            consumed: 0,
            tag_edge: None,
        };
        walk.run();
    }
}

impl Walk<'_, '_> {
    fn run(mut self) {
        let special = if self.mode == Mode::Links { LINKS } else { PLAIN };
        while let Some(rest) = self.bytes.get(self.position..) {
            let Some(found) = rest.iter().position(|byte| SPECIAL[usize::from(*byte)] & special != 0) else {
                return;
            };
            spend(found + 1);
            self.position += found;
            match rest.get(found) {
                Some(b'\\') => self.escape(),
                Some(b'`') => self.code(),
                Some(b'[') => self.open_bracket(),
                Some(b']') => self.close_bracket(),
                Some(b'#') => self.tag(),
                Some(b'<') => self.angle(),
                Some(b'$') => self.math(),
                Some(b'%') => self.comment(),
                Some(b'^') => self.caret(),
                Some(mark) => self.mark(*mark),
                None => return,
            }
        }
    }

    pub(super) fn byte(&self, position: usize) -> Option<u8> {
        self.bytes.get(position).copied()
    }

    pub(super) fn rest(&self) -> &[u8] {
        self.bytes.get(self.position..).unwrap_or(&[])
    }

    /// Adds a token and steps over it.
    pub(super) fn push(&mut self, kind: Kind, start: usize, end: usize) {
        self.scanner.tokens.push(Token { kind, start, end });
        self.position = end;
        self.consumed = end;
    }

    fn escape(&mut self) {
        let start = self.position;
        if self.byte(start + 1).is_some_and(|byte| byte.is_ascii_punctuation()) {
            self.push(Kind::Escape, start, start + 2);
            self.tag_edge = Some(start + 2);
        } else {
            self.position += 1;
        }
    }
}
