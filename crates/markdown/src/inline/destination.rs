//! What stands in the round brackets of a Markdown link (CommonMark 0.31, section 6.3).

use crate::Span;
use crate::work::spend;
use std::borrow::Cow;

/// A destination and its title, as ranges of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Destination {
    /// The destination as written, without angle brackets.
    pub(crate) span: Span,
    pub(crate) angle: bool,
    /// The title as written, without its quotes.
    pub(crate) title: Option<Span>,
    /// The end of the closing bracket.
    pub(crate) end: usize,
}

/// How deep round brackets may nest in a destination; keeps the search for its end short.
const MAX_NESTING: usize = 32;

/// Reads from after the opening bracket.
pub(super) fn read(bytes: &[u8], open: usize) -> Option<Destination> {
    let start = skip_space(bytes, open);
    let (span, angle, after) = if bytes.get(start) == Some(&b'<') {
        let end = angle_end(bytes, start + 1)?;
        (start + 1..end, true, end + 1)
    } else {
        let end = bare_end(bytes, start)?;
        (start..end, false, end)
    };
    let next = skip_space(bytes, after);
    if bytes.get(next) == Some(&b')') {
        return Some(Destination { span, angle, title: None, end: next + 1 });
    }
    // White space parts the title from the destination.
    if next == after {
        return None;
    }
    let title = title(bytes, next)?;
    let close = skip_space(bytes, title.end + 1);
    (bytes.get(close) == Some(&b')')).then_some(Destination {
        span,
        angle,
        title: Some(title),
        end: close + 1,
    })
}

fn skip_space(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or(&[]);
    let length = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
    spend(length);
    from + length
}

fn angle_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut position = from;
    loop {
        spend(1);
        match bytes.get(position)? {
            b'>' => return Some(position),
            b'<' | b'\n' => return None,
            b'\\' => position += 2,
            _ => position += 1,
        }
    }
}

fn bare_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut position = from;
    let mut depth = 0;
    loop {
        spend(1);
        match bytes.get(position) {
            Some(b'\\') if bytes.get(position + 1).is_some_and(u8::is_ascii_punctuation) => position += 1,
            Some(b'(') => {
                depth += 1;
                if depth > MAX_NESTING {
                    return None;
                }
            }
            Some(b')') if depth == 0 => return Some(position),
            Some(b')') => depth -= 1,
            None => return None,
            Some(byte) if *byte <= b' ' => return (depth == 0).then_some(position),
            Some(_) => {}
        }
        position += 1;
    }
}

/// The title that starts with the quote here, without its quotes.
fn title(bytes: &[u8], quote: usize) -> Option<Span> {
    let close = match bytes.get(quote)? {
        b'"' => b'"',
        b'\'' => b'\'',
        b'(' => b')',
        _ => return None,
    };
    let mut position = quote + 1;
    loop {
        spend(1);
        match bytes.get(position)? {
            byte if *byte == close => return Some(quote + 1..position),
            b'(' if close == b')' => return None,
            b'\\' => position += 2,
            _ => position += 1,
        }
    }
}

/// A destination as Obsidian stores it: escapes undone, then percent-decoded. Text that does not decode to
/// UTF-8 stays encoded.
pub(crate) fn decode(written: &str) -> Cow<'_, str> {
    let unescaped = unescape(written);
    if !unescaped.contains('%') {
        return unescaped;
    }
    let mut bytes = Vec::with_capacity(unescaped.len());
    let mut rest = unescaped.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let decoded = match (first, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)).map(|(high, low)| high * 16 + low),
            _ => None,
        };
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() { after.get(2..).unwrap_or(&[]) } else { after };
    }
    match String::from_utf8(bytes) {
        Ok(decoded) => Cow::Owned(decoded),
        Err(_) => unescaped,
    }
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// Undoes backslash escapes of punctuation.
pub(crate) fn unescape(written: &str) -> Cow<'_, str> {
    if !written.contains('\\') {
        return Cow::Borrowed(written);
    }
    let mut out = String::with_capacity(written.len());
    let mut characters = written.chars().peekable();
    while let Some(character) = characters.next() {
        match characters.peek() {
            Some(next) if character == '\\' && next.is_ascii_punctuation() => {
                out.push(*next);
                characters.next();
            }
            _ => out.push(character),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations() {
        #[track_caller]
        fn check(text: &str, expected: Option<(&str, Option<&str>)>) {
            let actual = read(text.as_bytes(), 0);
            let actual = actual
                .as_ref()
                .map(|found| (&text[found.span.clone()], found.title.clone().map(|title| &text[title])));
            assert_eq!(actual, expected, "{text}");
        }
        check("a.md)", Some(("a.md", None)));
        check(" a.md )", Some(("a.md", None)));
        check("a(b)c)", Some(("a(b)c", None)));
        check("a\\)b)", Some(("a\\)b", None)));
        check("<a b>)", Some(("a b", None)));
        check("<a b> 'c')", Some(("a b", Some("c"))));
        check("a \"b \\\" c\")", Some(("a", Some("b \\\" c"))));
        check("a (b))", Some(("a", Some("b"))));
        check("a b)", None);
        check("a \"b)", None);
        check("<a>b)", None);
        check("a", None);
        check(")", Some(("", None)));
        check("<>)", Some(("", None)));
    }

    #[test]
    fn decoding() {
        #[track_caller]
        fn check(written: &str, expected: &str) {
            assert_eq!(decode(written), expected);
        }
        check("Test%20Data/n.md#How%20it", "Test Data/n.md#How it");
        check("%E6%97%A5.md", "日.md");
        check("100%.md", "100%.md");
        check("%ff", "%ff");
        check("%", "%");
        check("%2", "%2");
        check("%é", "%é");
        check("a\\(b", "a(b");
        check("a\\b", "a\\b");
    }
}
