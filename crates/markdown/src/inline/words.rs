//! Tags, and the marks of emphasis around words.

use super::scanner::Walk;
use super::{Kind, Token};
use crate::block::marks;
use crate::tags;
use crate::work::spend;

impl Walk<'_, '_> {
    pub(super) fn tag(&mut self) {
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

    pub(super) fn tag_may_start(&self, start: usize) -> bool {
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

    pub(super) fn close_underscore(&mut self) -> bool {
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

    /// A run of emphasis marks: opens, closes, or is text.
    pub(super) fn mark(&mut self, mark: u8) {
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
    pub(super) fn flanks(&self, start: usize, end: usize, underscore: bool) -> (bool, bool) {
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
