//! Cutting a format into tokens.
//!
//! Moment cuts with one regular expression whose alternatives are tried in order, the first that fits
//! winning. Long date formats (`L`, `LLLL`, `LT`, `lll` …) are expanded before that.

use super::locale::Locale;

/// Tokens that one alternative of the expression names, in the order of the expression. Where one is the
/// start of a later one, the order matters: `Do` is tried before `DD`, `DDDo` before `DDDD`.
const TOKENS: &[&str] = &[
    "Hmmss",
    "hmmss",
    "Hmm",
    "hmm",
    "Mo",
    "MMMM",
    "MMM",
    "MM",
    "M",
    "Do",
    "DDDo",
    "DDDD",
    "DDD",
    "DD",
    "D",
    "dddd",
    "ddd",
    "dd",
    "do",
    "d",
    "wo",
    "w|",
    "ww",
    "w",
    "Wo",
    "W|",
    "WW",
    "W",
    "Qo",
    "Q",
    "NNNNN",
    "NNNN",
    "NNN",
    "NN",
    "N",
    "YYYYYY",
    "YYYYY",
    "YYYY",
    "YY",
    "yyyy",
    "yyy",
    "yy",
    "yo",
    "y",
    "ggggg",
    "gggg",
    "gg",
    "GGGGG",
    "GGGG",
    "GG",
    "e",
    "E",
    "a",
    "A",
    "hh",
    "h",
    "HH",
    "H",
    "kk",
    "k",
    "mm",
    "m",
    "ss",
    "s",
    "SSSSSSSSS",
    "SSSSSSSS",
    "SSSSSSS",
    "SSSSSS",
    "SSSSS",
    "SSSS",
    "SSS",
    "SS",
    "S",
    "x",
    "X",
    "zz",
    "z",
    "ZZ",
    "Z",
];

/// Abbreviations for the formats of a locale, longest first.
const LONG_TOKENS: &[&str] = &["LTS", "LT", "LLLL", "LLL", "LL", "L", "llll", "lll", "ll", "l"];

/// How often abbreviations inside expansions are expanded again.
const MAX_EXPANSIONS: usize = 6;
/// A format longer than this after an expansion is not expanded further.
const MAX_LENGTH: usize = 64 * 1024;

/// Length of `[…]` at the start of the text: up to the last `]` before the next `[`.
fn bracket_length(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('[')?;
    let until_next = inside.find('[').map_or(inside, |next| inside.get(..next).unwrap_or_default());
    until_next.rfind(']').map(|close| close + 2)
}

/// Replaces `L`, `LT`, `ll` … by the locale's formats. Brackets and escaped letters stay.
pub(super) fn expand(format: &str, locale: &Locale) -> String {
    let mut expanded = format.to_owned();
    for _ in 0..MAX_EXPANSIONS {
        let next = expand_once(&expanded, locale);
        if next == expanded || next.len() > MAX_LENGTH {
            break;
        }
        expanded = next;
    }
    expanded
}

fn expand_once(format: &str, locale: &Locale) -> String {
    let mut expanded = String::with_capacity(format.len());
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        let token = LONG_TOKENS.iter().find(|token| rest.starts_with(**token));
        let length = if let Some(length) = bracket_length(rest) {
            expanded.push_str(rest.get(..length).unwrap_or_default());
            length
        } else if let Some(token) = token {
            expanded.push_str(&locale.long_format(token));
            token.len()
        } else {
            expanded.push(first);
            let after = rest.get(first.len_utf8()..).unwrap_or_default();
            let escaped = LONG_TOKENS.iter().find(|token| first == '\\' && after.starts_with(**token));
            if let Some(token) = escaped {
                expanded.push_str(token);
                first.len_utf8() + token.len()
            } else {
                first.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    expanded
}

/// One piece of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A token, or one character that may still be a token of its own (`Y`, `g`).
    Token(&'a str),
    /// `[text]`, brackets included.
    Bracket(&'a str),
    /// A backslash and what it escapes.
    Escaped(&'a str),
}

impl<'a> Piece<'a> {
    /// The piece as written.
    pub(super) const fn raw(self) -> &'a str {
        match self {
            Self::Token(raw) | Self::Bracket(raw) | Self::Escaped(raw) => raw,
        }
    }
}

/// Cuts an expanded format. Line breaks belong to no piece and vanish.
pub(super) fn pieces(format: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while !rest.is_empty() {
        let (piece, length) = next_piece(rest);
        pieces.extend(piece);
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    pieces
}

fn next_piece(text: &str) -> (Option<Piece<'_>>, usize) {
    if let Some(length) = bracket_length(text) {
        return (text.get(..length).map(Piece::Bracket), length);
    }
    let escaped = text.strip_prefix('\\').map(|after| (after, token_length(after)));
    if let Some((_, length)) = escaped.filter(|(_, length)| *length > 0) {
        return (text.get(..length + 1).map(Piece::Escaped), length + 1);
    }
    let length = token_length(text);
    if length == 0 {
        let line_end = text.chars().next().map_or(1, char::len_utf8);
        return (None, line_end);
    }
    (text.get(..length).map(Piece::Token), length)
}

/// Length of the token at the start of the text: a known one, else one character, else (at a line break)
/// none.
fn token_length(text: &str) -> usize {
    if let Some(token) = TOKENS.iter().find(|token| text.starts_with(**token)) {
        return token.len();
    }
    match text.chars().next() {
        Some('\n' | '\r' | '\u{2028}' | '\u{2029}') | None => 0,
        Some(character) => character.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: &str, expected: &[&str]) {
        let raw: Vec<&str> = pieces(format).into_iter().map(Piece::raw).collect();
        assert_eq!(raw, expected, "{format:?}");
    }

    #[test]
    fn the_first_alternative_wins() {
        check("YYYY-MM-DD", &["YYYY", "-", "MM", "-", "DD"]);
        check("DDo DDDo Do dddo", &["DD", "o", " ", "DDDo", " ", "Do", " ", "ddd", "o"]);
        check("YYYgG", &["YY", "Y", "g", "G"]);
        check("Hmmss hmm", &["Hmmss", " ", "hmm"]);
    }

    #[test]
    fn brackets_and_escapes() {
        check("[a] [b]", &["[a]", " ", "[b]"]);
        check("[[]YYYY[]]", &["[", "[]", "YYYY", "[]]"]);
        check("[\\[]YYYY", &["[", "\\[", "]", "YYYY"]);
        check("\\YYYY\\", &["\\YYYY", "\\"]);
        check("a\nb", &["a", "b"]);
    }

    #[test]
    fn abbreviations_are_expanded_outside_brackets() {
        assert_eq!(expand("L [L] \\L", Locale::english()), "MM/DD/YYYY [L] \\L");
        assert_eq!(expand("ll", Locale::english()), "MMM D, YYYY");
    }
}
