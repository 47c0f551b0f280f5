//! What starts with a square bracket: wikilinks, Markdown links and footnotes.

use super::scanner::{Bracket, Walk};
use super::{Destination, Kind, MarkdownLink, destination};
use crate::work::spend;

impl Walk<'_, '_> {
    pub(super) fn open_bracket(&mut self) {
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
    pub(super) fn wiki(&mut self, from: usize) -> Option<(usize, usize)> {
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

    pub(super) fn close_bracket(&mut self) {
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
}

/// The width of `[^id]`.
fn footnote_reference(bytes: &[u8]) -> Option<usize> {
    let id = bytes.strip_prefix(b"[^")?;
    let length = id.iter().position(|byte| matches!(byte, b']' | b'[' | b' ' | b'\t' | b'\n' | b'\r'))?;
    spend(length);
    (length > 0 && id.get(length) == Some(&b']')).then_some(length + 3)
}
