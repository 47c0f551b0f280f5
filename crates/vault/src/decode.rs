//! From bytes to text.
//!
//! Obsidian writes UTF-8 and drops a byte order mark when it reads. Files that other programs left in a
//! vault are read as far as they can be, and the caller is told how, so that it can report it and refuse
//! to edit what it could not write back.

use std::borrow::Cow;

/// How a file's bytes became text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decoding {
    /// Valid UTF-8.
    Utf8,
    /// Valid UTF-8 behind a byte order mark, which the text does not have.
    Utf8Bom,
    /// UTF-16 by its byte order mark.
    Utf16,
    /// Not UTF-8: read as Windows-1252, of which Latin-1 is the printable part. A problem to report.
    Latin1,
    /// NUL characters: no text at all.
    Binary,
}

impl Decoding {
    /// Whether the text is exactly what is in the file, a byte order mark aside.
    #[must_use]
    pub fn is_utf8(self) -> bool {
        matches!(self, Self::Utf8 | Self::Utf8Bom)
    }
}

/// The text of `bytes`, empty when it is binary.
pub(crate) fn decode(bytes: &[u8]) -> (Cow<'_, str>, Decoding) {
    let (text, decoding) = match bytes {
        [0xff, 0xfe, rest @ ..] => (Cow::Owned(utf16(rest, u16::from_le_bytes)), Decoding::Utf16),
        [0xfe, 0xff, rest @ ..] => (Cow::Owned(utf16(rest, u16::from_be_bytes)), Decoding::Utf16),
        [0xef, 0xbb, 0xbf, rest @ ..] => single_bytes(rest, Decoding::Utf8Bom),
        _ => single_bytes(bytes, Decoding::Utf8),
    };
    if text.contains('\0') { (Cow::Borrowed(""), Decoding::Binary) } else { (text, decoding) }
}

fn single_bytes(bytes: &[u8], when_valid: Decoding) -> (Cow<'_, str>, Decoding) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), when_valid),
        Err(_) => (Cow::Owned(bytes.iter().map(|&byte| windows_1252(byte)).collect()), Decoding::Latin1),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|&pair| unit(pair));
    let mut text: String =
        char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text
}

/// A byte of Windows-1252 as the WHATWG Encoding Standard has it: the five bytes without a character are
/// control characters.
fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH.get(usize::from(byte - 0x80)).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn test(bytes: &[u8], text: &str, decoding: Decoding) {
        assert_eq!(decode(bytes), (Cow::Borrowed(text), decoding));
    }

    #[test]
    fn utf8_with_and_without_a_mark() {
        test(b"", "", Decoding::Utf8);
        test("Grüße\r\n".as_bytes(), "Grüße\r\n", Decoding::Utf8);
        test(b"\xef\xbb\xbf---\na: 1", "---\na: 1", Decoding::Utf8Bom);
        test(b"\xef\xbb\xbf", "", Decoding::Utf8Bom);
        // Only the first mark is one.
        test(b"\xef\xbb\xbf\xef\xbb\xbfx", "\u{feff}x", Decoding::Utf8Bom);
    }

    #[test]
    fn utf16_by_its_mark() {
        test(b"\xff\xfeG\0\xfc\0", "Gü", Decoding::Utf16);
        test(b"\xfe\xff\0G\xd8\x3e\xdd\x80", "G🦀", Decoding::Utf16);
        test(b"\xff\xfe\x3e\xd8x\0!", "\u{fffd}x\u{fffd}", Decoding::Utf16);
    }

    #[test]
    fn other_bytes_are_windows_1252() {
        test(b"caf\xe9 \x80\x93\x9d", "café €“\u{9d}", Decoding::Latin1);
        // A mark that is followed by something else than UTF-8 is still no text.
        test(b"\xef\xbb\xbfcaf\xe9", "café", Decoding::Latin1);
    }

    #[test]
    fn nul_means_no_text() {
        test(b"a\0b", "", Decoding::Binary);
        test(b"G\0r\0", "", Decoding::Binary);
        test(b"\xff\xfe\0\0G\0\0\0", "", Decoding::Binary);
        test(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "", Decoding::Binary);
    }
}
