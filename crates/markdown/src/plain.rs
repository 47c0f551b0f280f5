//! A note's text without its markup, for search and snippets.

use crate::block::{Blocks, Leaf, LeafKind};
use crate::inline::{self, Kind, Mode, Scanner, Token, Unit};
use crate::{Span, block, blocks, frontmatter};

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
/// fences, list, quote or heading marks, table bars, HTML tags or block ids. Code and math keep their text; a
/// wikilink without shown text leaves its target, an embed too.
///
/// `body` is a range of `text`: usually from the end of the properties block to the end, or a section. When
/// it is the start of the text, the block is left out. An end that cuts a character moves inwards.
#[must_use]
pub fn plain(text: &str, body: Span) -> Plain {
    let block = if body.start == 0 { frontmatter::locate(text) } else { None };
    let from = block.map_or(body.start, |block| block.span.end);
    let start = text.ceil_char_boundary(from.min(text.len()));
    let end = text.floor_char_boundary(body.end.min(text.len()));
    let part = text.get(start..end).unwrap_or("");
    let mut writer = Writer { out: Plain::default(), base: start };
    writer.out.text.reserve(part.len());
    let mut scanner = Scanner::default();
    block::walk(part, 0..part.len(), |leaf, blocks| {
        match leaf.kind {
            LeafKind::ThematicBreak | LeafKind::HtmlComment | LeafKind::Comment => return,
            LeafKind::Fence => writer.fence(part, blocks, leaf),
            LeafKind::IndentedCode => writer.lines(part, inline::rows(blocks, leaf)),
            LeafKind::Math => writer.math(part, blocks, leaf),
            LeafKind::Html => writer.html(part, blocks, leaf),
            LeafKind::Paragraph | LeafKind::Heading(_) | LeafKind::Table => {
                inline::each_unit(part, blocks, leaf, |unit| {
                    let start = if leaf.callout { callout_mark(unit.text) } else { definitions(unit.text) };
                    scanner.scan(unit.text, unit.in_table, Mode::Plain);
                    writer.unit(unit, &scanner, start);
                    writer.end_line();
                });
                return;
            }
        }
        writer.end_line();
    });
    writer.out
}

/// The width of a callout's `[!type]+ `.
fn callout_mark(text: &str) -> usize {
    let Some(close) = text.find(']') else { return 0 };
    let rest = text.get(close + 1..).unwrap_or("");
    let rest = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    text.len() - rest.trim_start_matches([' ', '\t']).len()
}

/// The width of the link definitions, `[label]: target`, a paragraph begins with.
fn definitions(text: &str) -> usize {
    let mut start = 0;
    while let Some(rest) = text.get(start..).filter(|rest| rest.starts_with('[') && !rest.starts_with("[^")) {
        let line = rest.split_inclusive('\n').next().unwrap_or("");
        let is_definition = line.find(']').is_some_and(|close| {
            close > 1 && line.get(close + 1..).is_some_and(|after| after.starts_with(':'))
        });
        if !is_definition {
            break;
        }
        start += line.len();
    }
    start
}

struct Writer {
    out: Plain,
    /// Where the part that is read starts in the source.
    base: usize,
}

impl Writer {
    /// Adds text that is a copy of the source from an offset of the part on.
    fn copy(&mut self, text: &str, source: usize) {
        if text.is_empty() {
            return;
        }
        let pair = (self.out.text.len(), self.base + source);
        // Text that goes on where the last piece ended needs no pair of its own.
        let goes_on =
            self.out.map.last().is_some_and(|last| last.1 + (pair.0 - last.0) == pair.1 && last.0 <= pair.0);
        if !goes_on {
            self.out.map.push(pair);
        }
        self.out.text.push_str(text);
    }

    fn end_line(&mut self) {
        if !self.out.text.is_empty() && !self.out.text.ends_with('\n') {
            self.out.text.push('\n');
        }
    }

    fn lines(&mut self, part: &str, rows: impl Iterator<Item = Span>) {
        for row in rows {
            self.copy(part.get(row.clone()).unwrap_or(""), row.start);
            self.out.text.push('\n');
        }
    }

    /// The content of a fenced code block, without its fences.
    fn fence(&mut self, part: &str, blocks: &Blocks, leaf: &Leaf) {
        let mut rows = inline::rows(blocks, leaf);
        let opening = rows.next().and_then(|row| part.get(row)).unwrap_or("").trim_start();
        let mark = opening.chars().next().unwrap_or('`');
        let length = opening.len() - opening.trim_start_matches(mark).len();
        let closing = inline::last_row(blocks, leaf).filter(|row| {
            let line = part.get(row.clone()).unwrap_or("").trim();
            line.len() >= length && line.trim_start_matches(mark).is_empty()
        });
        let end = closing.map_or(usize::MAX, |row| row.start);
        self.lines(part, rows.filter(|row| row.start < end));
    }

    /// The formula of a math block, without its dollars.
    fn math(&mut self, part: &str, blocks: &Blocks, leaf: &Leaf) {
        for row in inline::rows(blocks, leaf) {
            let line = part.get(row.clone()).unwrap_or("");
            let mut start = row.start;
            for piece in line.split("$$") {
                self.copy(piece, start);
                start += piece.len() + "$$".len();
            }
            self.end_line();
        }
    }

    /// The text of an HTML block, without its tags.
    fn html(&mut self, part: &str, blocks: &Blocks, leaf: &Leaf) {
        for row in inline::rows(blocks, leaf) {
            let line = part.get(row.clone()).unwrap_or("");
            let mut copied = 0;
            let mut position = 0;
            while let Some(found) = line.get(position..).and_then(|rest| rest.find('<')) {
                let start = position + found;
                let tag = line.get(start..).and_then(|rest| inline::html::tag(rest.as_bytes()));
                position = start + tag.unwrap_or(1);
                if tag.is_some() {
                    self.copy(line.get(copied..start).unwrap_or(""), row.start + copied);
                    copied = position;
                }
            }
            self.copy(line.get(copied..).unwrap_or(""), row.start + copied);
            self.end_line();
        }
    }

    /// An inline text that has been scanned, from an offset on.
    fn unit(&mut self, unit: &Unit<'_>, scanner: &Scanner, start: usize) {
        let end = match blocks::trailing_id(unit.text) {
            Some((caret, _)) if !unit.in_table => caret,
            _ => unit.text.len(),
        };
        let mut position = start;
        for token in scanner.tokens.iter().filter(|token| token.start >= start && token.start < end) {
            self.range(unit, position..token.start);
            self.token(unit, token);
            position = token.end;
        }
        self.range(unit, position..end);
    }

    /// A range of a unit as it is, but for bars that part the cells of a table.
    fn range(&mut self, unit: &Unit<'_>, range: Span) {
        let mut start = range.start;
        while start < range.end {
            let end = unit.piece_end(start).min(range.end);
            let piece = unit.text.get(start..end).unwrap_or("");
            if unit.in_table && piece.contains('|') {
                self.copy(&piece.replace('|', " "), unit.source(start));
            } else {
                self.copy(piece, unit.source(start));
            }
            start = end;
        }
    }

    fn token(&mut self, unit: &Unit<'_>, token: &Token) {
        let (start, end) = (token.start, token.end);
        match token.kind {
            Kind::Code(width) | Kind::Math(width) => self.range(unit, start + width..end - width),
            Kind::Autolink => self.range(unit, start + 1..end - 1),
            Kind::Escape => self.range(unit, start + 1..end),
            Kind::Mark(matched) => self.range(unit, start + matched..end),
            Kind::Tag | Kind::Bracket => self.range(unit, start..end),
            Kind::Wiki { embed } => self.wiki(unit, start + 2 + usize::from(embed)..end - 2, embed),
            // A line break keeps words apart; other tags may stand inside of one.
            Kind::Html => {
                let tag = unit.text.get(start..end).unwrap_or("");
                if tag.get(..3).is_some_and(|name| name.eq_ignore_ascii_case("<br")) {
                    self.out.text.push(' ');
                }
            }
            Kind::Comment | Kind::LinkOpen | Kind::LinkClose(_) | Kind::Footnote => {}
        }
    }

    /// What a wikilink shows.
    fn wiki(&mut self, unit: &Unit<'_>, inner: Span, embed: bool) {
        let text = unit.text.get(inner.clone()).unwrap_or("");
        let (target, display) = match text.split_once('|') {
            Some((target, display)) => (target.strip_suffix('\\').unwrap_or(target), Some(display)),
            None => (text, None),
        };
        let is_size = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'x');
        if let Some(display) = display.filter(|display| !(embed && is_size(display))) {
            return self.range(unit, inner.end - display.len()..inner.end);
        }
        let mut start = inner.start;
        for (index, step) in target.split('#').enumerate() {
            if index > 0 && start > inner.start + 1 {
                self.out.text.push_str(" > ");
            }
            self.range(unit, start..start + step.len());
            start += step.len() + 1;
        }
    }
}
