//! White space and line ends as ECMAScript sees them.
//!
//! The Tasks plugin cuts its lines with JavaScript's `\s`, `.` and `trim`, which differ from Rust's
//! `char::is_whitespace`: the byte order mark counts, NEL (U+0085) does not.

/// ECMAScript's `\s`, which is also what `trim` removes.
pub(super) const fn is_space(character: char) -> bool {
    matches!(
        character,
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}'
    )
}

/// ECMAScript's line terminators: what `.` in a pattern does not match.
pub(super) const fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// ECMAScript's `trim`.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// The start of the longest tail of `text` made of characters that `wanted` accepts.
pub(super) fn tail_start(text: &str, wanted: impl Fn(char) -> bool) -> usize {
    text.trim_end_matches(wanted).len()
}
