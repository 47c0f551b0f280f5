//! Inline HTML: tags, comments and autolinks (CommonMark 0.31, sections 6.5 and 6.6).

use crate::work::spend;

/// The length of the open or closing tag a line or text begins with.
pub(crate) fn tag(bytes: &[u8]) -> Option<usize> {
    let closing = bytes.get(1) == Some(&b'/');
    let mut position = if closing { 2 } else { 1 };
    if bytes.first() != Some(&b'<') || !bytes.get(position)?.is_ascii_alphabetic() {
        return None;
    }
    position += count(bytes, position, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if closing {
        position += count(bytes, position, is_space);
        return (bytes.get(position) == Some(&b'>')).then_some(position + 1);
    }
    loop {
        let spaces = count(bytes, position, is_space);
        position += spaces;
        match bytes.get(position)? {
            b'>' => return Some(position + 1),
            b'/' => return (bytes.get(position + 1) == Some(&b'>')).then_some(position + 2),
            byte if spaces > 0 && (byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':')) => {
                position = attribute(bytes, position)?;
            }
            _ => return None,
        }
    }
}

/// The end of the attribute that starts here.
fn attribute(bytes: &[u8], start: usize) -> Option<usize> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'-');
    let name_end = start + count(bytes, start, is_name);
    let equals = name_end + count(bytes, name_end, is_space);
    if bytes.get(equals) != Some(&b'=') {
        return Some(name_end);
    }
    let value = equals + 1 + count(bytes, equals + 1, is_space);
    match *bytes.get(value)? {
        quote @ (b'"' | b'\'') => {
            let rest = bytes.get(value + 1..)?;
            let found = memchr::memchr(quote, rest);
            spend(found.unwrap_or(rest.len()));
            let length = found?;
            Some(value + 1 + length + 1)
        }
        _ => {
            let is_value =
                |byte: u8| !is_space(byte) && !matches!(byte, b'"' | b'\'' | b'=' | b'<' | b'>' | b'`');
            let length = count(bytes, value, is_value);
            (length > 0).then_some(value + length)
        }
    }
}

/// The length of the autolink a text begins with: `<https://…>` or `<name@example.org>`.
pub(super) fn autolink(bytes: &[u8]) -> Option<usize> {
    let inner = bytes.strip_prefix(b"<")?;
    let end = inner.iter().position(|byte| matches!(byte, b'>' | b'<' | b' ' | b'\t' | b'\n' | b'\r'))?;
    spend(end);
    let content = inner.get(..end)?;
    let address = content.contains(&b'@') && content.iter().all(|byte| *byte != b'/' && *byte != b'\\');
    (inner.get(end) == Some(&b'>') && (scheme(content) || address)).then_some(end + 2)
}

/// Whether a text begins with a scheme: a letter, then up to 31 letters, digits, `+`, `.`, `-`, then `:`.
pub(crate) fn scheme(bytes: &[u8]) -> bool {
    let length = bytes
        .iter()
        .take(33)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-'))
        .count();
    bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && (2..=32).contains(&length)
        && bytes.get(length) == Some(&b':')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn count(bytes: &[u8], from: usize, matches: impl Fn(u8) -> bool) -> usize {
    let length = bytes.get(from..).unwrap_or(&[]).iter().take_while(|byte| matches(**byte)).count();
    spend(length + 1);
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags() {
        #[track_caller]
        fn check(text: &str, expected: Option<usize>) {
            assert_eq!(tag(text.as_bytes()), expected, "{text}");
        }
        check("<br>x", Some(4));
        check("<br/>", Some(5));
        check("<a href=\"x>y\" b = 'c' d>", Some(24));
        check("</a >", Some(5));
        check("</a b>", None);
        check("<a b=>", None);
        check("<1>", None);
        check("<a b=\"", None);
        check("<", None);
        check("<a\nb>", Some(5));
    }

    #[test]
    fn autolinks() {
        #[track_caller]
        fn check(text: &str, expected: Option<usize>) {
            assert_eq!(autolink(text.as_bytes()), expected, "{text}");
        }
        check("<https://x.y/#z>", Some(16));
        check("<a@b.c> d", Some(7));
        check("<c:\\x>", None);
        check("<https://x y>", None);
    }
}
