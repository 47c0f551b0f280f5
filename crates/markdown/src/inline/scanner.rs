//! The walk over one inline text.

use super::{Destination, Kind, MarkdownLink, Token, destination, html};
use crate::block::marks;
use crate::tags;
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
    brackets: Vec<Bracket>,
    /// Brackets below this cannot open a link: one after them has, and links do not nest.
    no_link_below: usize,
    /// Tokens of emphasis marks that may still close, by mark.
    open_marks: [Vec<(usize, usize)>; 4],
    /// Backtick runs as length and position, sorted; `None` until the first is met.
    ticks: Option<Vec<(usize, usize)>>,
    memo: Memo,
}

#[derive(Debug)]
struct Bracket {
    token: usize,
    embed: bool,
    start: usize,
    /// After the bracket.
    text: usize,
}

/// What searches for closing marks have found in this text.
#[derive(Debug, Default)]
struct Memo {
    /// The wikilink found last, and up to where there is no other.
    wiki: Option<(usize, usize)>,
    no_wiki_before: usize,
    /// The end of the line the last search was on.
    line_end: usize,
    dollar: Next,
    double_dollar: Next,
    comment: Next,
    html: [Next; 4],
}

/// The next place of a mark: known up to a position, or known to be missing.
#[derive(Debug, Default, Clone, Copy)]
struct Next {
    known: Option<Option<usize>>,
}

impl Next {
    /// The first place at or after `from`; `find` searches from there. Calls must not go backwards.
    fn at(&mut self, from: usize, find: impl FnOnce(usize) -> Option<usize>) -> Option<usize> {
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
struct Walk<'s, 't> {
    scanner: &'s mut Scanner,
    text: &'t str,
    bytes: &'t [u8],
    mode: Mode,
    in_table: bool,
    position: usize,
    /// The end of the last token: what lies before belongs to something else.
    consumed: usize,
    /// A place right after a tag or an escape, where a tag may start whatever stands before.
    tag_edge: Option<usize>,
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

    fn byte(&self, position: usize) -> Option<u8> {
        self.bytes.get(position).copied()
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.position..).unwrap_or(&[])
    }

    /// Adds a token and steps over it.
    fn push(&mut self, kind: Kind, start: usize, end: usize) {
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

    fn code(&mut self) {
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

    fn open_bracket(&mut self) {
        let bang = self.position > self.consumed && self.byte(self.position - 1) == Some(b'!');
        let start = self.position - usize::from(bang);
        if self.byte(self.position + 1) == Some(b'[')
            && let Some((open, close)) = self.wiki(self.position)
            && open == self.position
        {
            let inner = self.bytes.get(open + 2..close).unwrap_or(&[]);
            if inner.trim_ascii().is_empty() {
                self.position = close + 2;
            } else {
                if !bang {
                    self.scanner.no_link_below = self.scanner.brackets.len();
                }
                self.push(Kind::Wiki { embed: bang }, start, close + 2);
            }
            return;
        }
        if self.byte(self.position + 1) == Some(b'^')
            && let Some(width) = footnote_reference(self.rest())
        {
            self.push(Kind::Footnote, self.position, self.position + width);
            return;
        }
        let token = self.scanner.tokens.len();
        let text = self.position + 1;
        self.scanner.brackets.push(Bracket { token, embed: bang, start, text });
        self.push(Kind::Bracket, start, text);
    }

    /// The innermost `[[` and its `]]`, looking from a `[[`: the first `]]` on the line, and the last `[[`
    /// before it.
    fn wiki(&mut self, from: usize) -> Option<(usize, usize)> {
        let memo = &mut self.scanner.memo;
        if let Some((open, close)) = memo.wiki
            && from <= open
        {
            return Some((open, close));
        }
        if from < memo.no_wiki_before {
            return None;
        }
        if memo.line_end < from + 2 {
            let rest = self.bytes.get(from + 2..)?;
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            spend(length);
            memo.line_end = from + 2 + length;
        }
        let line = self.bytes.get(from + 2..memo.line_end)?;
        let found = memchr::memmem::find(line, b"]]");
        spend(found.unwrap_or(line.len()));
        let Some(length) = found else {
            memo.no_wiki_before = memo.line_end;
            return None;
        };
        let close = from + 2 + length;
        let open = from + memchr::memmem::rfind(self.bytes.get(from..close)?, b"[[").unwrap_or(0);
        memo.wiki = Some((open, close));
        memo.wiki
    }

    fn close_bracket(&mut self) {
        let close = self.position;
        self.position += 1;
        let Some(bracket) = self.scanner.brackets.pop() else { return };
        let index = self.scanner.brackets.len();
        let may_open = bracket.embed || index >= self.scanner.no_link_below;
        self.scanner.no_link_below = self.scanner.no_link_below.min(index);
        if !may_open || self.byte(close + 1) != Some(b'(') {
            return;
        }
        let Some(destination) = destination::read(self.bytes, close + 2) else { return };
        let Destination { end, .. } = destination;
        if let Some(token) = self.scanner.tokens.get_mut(bracket.token) {
            token.kind = Kind::LinkOpen;
        }
        if !bracket.embed {
            self.scanner.no_link_below = index;
        }
        let link = self.scanner.links.len();
        let (span, text) = (bracket.start..end, bracket.text..close);
        self.scanner.links.push(MarkdownLink { embed: bracket.embed, span, text, destination });
        self.push(Kind::LinkClose(link), close, end);
    }

    fn tag(&mut self) {
        let start = self.position;
        self.position += 1;
        if !self.tag_may_start(start) {
            return;
        }
        let rest = self.text.get(start + 1..).unwrap_or("");
        let length = rest.find(|character| !tags::is_tag_char(character)).unwrap_or(rest.len());
        spend(length);
        let whole = rest.get(..length).unwrap_or("");
        let mut name = whole.trim_end_matches('/');
        // Underscores that close emphasis do not belong to the tag.
        while let Some(shorter) = name.strip_suffix('_') {
            if !self.close_underscore() {
                break;
            }
            name = shorter.trim_end_matches('/');
        }
        if name.is_empty() || name.bytes().all(|byte| byte.is_ascii_digit()) {
            return;
        }
        self.push(Kind::Tag, start, start + 1 + name.len());
        // A slash at the end is no part of the tag, but the next tag may follow it.
        let slashes = whole.len() - whole.trim_end_matches('/').len();
        if slashes > 0 {
            self.position = start + 1 + whole.len();
        }
        self.tag_edge = Some(self.position);
    }

    fn tag_may_start(&self, start: usize) -> bool {
        if start == 0 || self.tag_edge == Some(start) {
            return true;
        }
        match self.byte(start - 1) {
            Some(b'_') => true,
            Some(b'|') => self.in_table,
            Some(byte) if byte.is_ascii() => byte.is_ascii_whitespace(),
            _ => self
                .text
                .get(..start)
                .and_then(|before| before.chars().next_back())
                .is_some_and(char::is_whitespace),
        }
    }

    fn close_underscore(&mut self) -> bool {
        let Some(open) = self.scanner.open_marks.first_mut() else { return false };
        let Some((token, left)) = open.last_mut() else { return false };
        *left -= 1;
        let (token, left) = (*token, *left);
        if left == 0 {
            open.pop();
        }
        if let Some(Token { kind: Kind::Mark(matched), .. }) = self.scanner.tokens.get_mut(token) {
            *matched += 1;
        }
        true
    }

    fn angle(&mut self) {
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

    fn math(&mut self) {
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

    fn comment(&mut self) {
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
    fn caret(&mut self) {
        if self.byte(self.position + 1) == Some(b'[') {
            self.push(Kind::Footnote, self.position, self.position + 1);
        } else {
            self.position += 1;
        }
    }

    /// A run of emphasis marks: opens, closes, or is text.
    fn mark(&mut self, mark: u8) {
        let start = self.position;
        let length = marks::run(self.rest(), mark);
        let end = start + length;
        let slot = match mark {
            b'_' => 0,
            b'*' => 1,
            b'~' => 2,
            _ => 3,
        };
        // Strikethrough and highlight take exactly two.
        if slot >= 2 && length != 2 {
            self.position = end;
            return;
        }
        let (opens, closes) = self.flanks(start, end, mark == b'_');
        let token = self.scanner.tokens.len();
        let mut left = length;
        let mut matched = 0;
        if closes && let Some(open) = self.scanner.open_marks.get_mut(slot) {
            while left > 0
                && let Some((opener, available)) = open.last_mut()
            {
                let taken = left.min(*available);
                left -= taken;
                matched += taken;
                *available -= taken;
                if let Some(Token { kind: Kind::Mark(count), .. }) = self.scanner.tokens.get_mut(*opener) {
                    *count += taken;
                }
                if *available == 0 {
                    open.pop();
                }
            }
        }
        if opens
            && left > 0
            && let Some(open) = self.scanner.open_marks.get_mut(slot)
        {
            open.push((token, left));
        }
        self.push(Kind::Mark(matched), start, end);
    }

    /// Whether a run of emphasis marks can open and can close (CommonMark's flanking rules).
    fn flanks(&self, start: usize, end: usize, underscore: bool) -> (bool, bool) {
        let before = self.text.get(..start).and_then(|text| text.chars().next_back()).unwrap_or(' ');
        let after = self.text.get(end..).and_then(|text| text.chars().next()).unwrap_or(' ');
        let left = !after.is_whitespace()
            && (!is_punctuation(after) || before.is_whitespace() || is_punctuation(before));
        let right = !before.is_whitespace()
            && (!is_punctuation(before) || after.is_whitespace() || is_punctuation(after));
        if underscore {
            (left && (!right || is_punctuation(before)), right && (!left || is_punctuation(after)))
        } else {
            (left, right)
        }
    }
}

/// ASCII punctuation and the general punctuation of other scripts that words are set in.
fn is_punctuation(character: char) -> bool {
    character.is_ascii_punctuation()
        || matches!(character, '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}')
        || matches!(character, '\u{2010}'..='\u{205e}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}')
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

/// The width of `[^id]`.
fn footnote_reference(bytes: &[u8]) -> Option<usize> {
    let id = bytes.strip_prefix(b"[^")?;
    let length = id.iter().position(|byte| matches!(byte, b']' | b'[' | b' ' | b'\t' | b'\n' | b'\r'))?;
    spend(length);
    (length > 0 && id.get(length) == Some(&b']')).then_some(length + 3)
}
