//! What the start of a line can be. Each function looks at a line from its first byte that is no white space,
//! and says what it found; where a mark may stand is the parser's business.

use crate::work::spend;

/// An opening code fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FenceMark {
    pub(super) byte: u8,
    pub(super) length: usize,
}

/// How the items of a list are marked. Items with different marks are different lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListMark {
    /// `-`, `*` or `+`.
    Bullet(u8),
    /// A number with `.` or `)`.
    Number(u8),
}

/// The marker of a list item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ItemMark {
    pub(super) mark: ListMark,
    /// Bytes of the marker, white space after it not counted.
    pub(super) width: usize,
    /// Whether nothing follows.
    pub(super) empty: bool,
    /// Whether a paragraph can be interrupted by it, its emptiness aside: bullets and the number 1.
    pub(super) interrupts: bool,
}

/// How many of the leading bytes are this one.
pub(crate) fn run(line: &[u8], byte: u8) -> usize {
    let length = line.iter().take_while(|candidate| **candidate == byte).count();
    spend(length);
    length
}

pub(super) fn is_blank(bytes: &[u8]) -> bool {
    let blank = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    spend(blank);
    blank == bytes.len()
}

fn is_space(byte: Option<&u8>) -> bool {
    matches!(byte, None | Some(b' ' | b'\t' | b'\r'))
}

/// The level of a heading that starts with hashes. A space or the end of the line must follow them, so `#tag`
/// is none.
pub(super) fn heading_level(line: &[u8]) -> Option<u8> {
    let level = run(line, b'#');
    let valid = (1..=6).contains(&level) && is_space(line.get(level));
    if valid { u8::try_from(level).ok() } else { None }
}

/// An opening fence. The info text of a backtick fence holds no backtick.
pub(super) fn fence(line: &[u8]) -> Option<FenceMark> {
    let byte = *line.first()?;
    let length = run(line, byte);
    spend(line.len());
    if length < 3 || (byte == b'`' && line.get(length..)?.contains(&b'`')) {
        return None;
    }
    Some(FenceMark { byte, length })
}

/// Whether a line closes a fence: at least as many of the same character and nothing after.
pub(super) fn closes_fence(line: &[u8], fence: FenceMark) -> bool {
    let length = run(line, fence.byte);
    length >= fence.length && is_blank(line.get(length..).unwrap_or(&[]))
}

/// A line of three or more `*`, `-` or `_`, white space between them allowed.
pub(super) fn is_thematic_break(line: &[u8]) -> bool {
    let Some(&mark) = line.first() else { return false };
    let mut count = 0;
    for byte in line {
        spend(1);
        match byte {
            b' ' | b'\t' | b'\r' => {}
            byte if *byte == mark => count += 1,
            _ => return false,
        }
    }
    count >= 3
}

/// The level of a heading whose underline this is.
pub(super) fn underline_level(line: &[u8]) -> Option<u8> {
    let &mark = line.first()?;
    let level = match mark {
        b'=' => 1,
        b'-' => 2,
        _ => return None,
    };
    is_blank(line.get(run(line, mark)..)?).then_some(level)
}

/// The marker of a list item: `-`, `*`, `+`, or up to nine digits with `.` or `)`.
pub(super) fn item(line: &[u8]) -> Option<ItemMark> {
    let &first = line.first()?;
    let (mark, width, interrupts) = match first {
        b'-' | b'*' | b'+' => (ListMark::Bullet(first), 1, true),
        b'0'..=b'9' => {
            let digits = line.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
            let delimiter = *line.get(digits).filter(|byte| matches!(byte, b'.' | b')'))?;
            if digits > 9 {
                return None;
            }
            let value = line
                .get(..digits)?
                .iter()
                .fold(0_u32, |value, digit| value.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
            (ListMark::Number(delimiter), digits + 1, value == 1)
        }
        _ => return None,
    };
    let after = line.get(width..)?;
    if !is_space(after.first()) {
        return None;
    }
    Some(ItemMark { mark, width, empty: is_blank(after), interrupts })
}

/// The character in a task's brackets, `[c]`, when white space or the end of the line follows, and the bytes
/// up to there.
pub(super) fn task(line: &[u8]) -> Option<(char, usize)> {
    let inner = line.strip_prefix(b"[")?;
    let inner = inner.get(..inner.len().min(5))?;
    // At most one character of four bytes and the bracket; a cut at the end of those loses nothing.
    let text = match std::str::from_utf8(inner) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(inner.get(..error.valid_up_to())?).ok()?,
    };
    let mut characters = text.chars();
    let status = characters.next()?;
    let width = 1 + status.len_utf8() + 1;
    (characters.next() == Some(']') && is_space(line.get(width))).then_some((status, width))
}

/// The width of a footnote's mark, `[^id]:`. Ids hold no white space.
pub(super) fn footnote(line: &[u8]) -> Option<usize> {
    let id = line.strip_prefix(b"[^")?;
    let length = id.iter().position(|byte| matches!(byte, b']' | b'[' | b' ' | b'\t' | b'\r'))?;
    spend(length);
    (length > 0 && id.get(length..)?.starts_with(b"]:")).then_some(length + 4)
}

/// Whether the line of a quote, after its `>`, makes it a callout: `[!type]`.
pub(super) fn is_callout(line: &[u8]) -> bool {
    let Some(kind) = line.strip_prefix(b"[!") else { return false };
    spend(kind.len());
    kind.iter().position(|byte| *byte == b']').is_some_and(|length| length > 0)
}

/// How many cells a table's delimiter row has: cells of at least two hyphens, with optional colons.
pub(super) fn delimiter_cells(line: &[u8]) -> Option<usize> {
    if !line.iter().all(|byte| matches!(byte, b'|' | b':' | b'-' | b' ' | b'\t' | b'\r'))
        || !line.contains(&b'|')
    {
        return None;
    }
    spend(line.len());
    let mut count = 0;
    for cell in cells(line) {
        let hyphens = cell.strip_prefix(b":").unwrap_or(cell);
        let hyphens = hyphens.strip_suffix(b":").unwrap_or(hyphens);
        if hyphens.len() < 2 || !hyphens.iter().all(|byte| *byte == b'-') {
            return None;
        }
        count += 1;
    }
    Some(count)
}

/// How many cells a row has.
pub(super) fn row_cells(line: &[u8]) -> usize {
    spend(line.len());
    cells(line).count()
}

/// The cells of a row, trimmed: parted by bars that no backslash escapes; bars at its ends part nothing.
fn cells(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"|").unwrap_or(line);
    let line = match line.strip_suffix(b"|") {
        Some(inner) if !ends_escaped(inner) => inner,
        _ => line,
    };
    let mut escaped = false;
    line.split(move |byte| {
        let parts = *byte == b'|' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        parts
    })
    .map(<[u8]>::trim_ascii)
}

fn ends_escaped(line: &[u8]) -> bool {
    line.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// Where the next mark of exactly two of this byte starts, from `from` on; longer runs are none (`%%%%`).
pub(crate) fn double(bytes: &[u8], from: usize, byte: u8) -> Option<usize> {
    let mut position = from;
    while let Some(found) = memchr::memchr(byte, bytes.get(position..)?) {
        let start = position + found;
        spend(found);
        let length = run(bytes.get(start..)?, byte);
        if length == 2 {
            return Some(start);
        }
        position = start + length;
    }
    spend(bytes.len() - position);
    None
}

/// Where the last mark of exactly two of this byte starts.
pub(super) fn last_double(bytes: &[u8], byte: u8) -> Option<usize> {
    spend(bytes.len());
    let mut bytes = bytes;
    while let Some(last) = memchr::memrchr(byte, bytes) {
        let before = bytes.get(..last)?;
        let length = 1 + before.iter().rev().take_while(|candidate| **candidate == byte).count();
        let start = last + 1 - length;
        if length == 2 {
            return Some(start);
        }
        bytes = bytes.get(..start)?;
    }
    None
}
