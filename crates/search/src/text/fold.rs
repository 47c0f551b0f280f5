//! Folding and classing of characters: what makes `Müller`, `MULLER` and `müller` one word.
//!
//! Text is decomposed (NFKD), its case folded, accents and other marks that writers leave out
//! dropped, and composed again (NFC). Everything here works on one character; `tokenize` puts
//! the pieces together and knows where in the source each came from.

use std::sync::OnceLock;

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// How a character takes part in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Ends a word.
    Separator,
    /// Letter or number of a script that puts spaces between words.
    Word,
    /// Han and kana: no spaces; searched by overlapping pairs.
    Ideograph,
    /// Korean syllables: spaces, but particles are glued to the word; searched by overlapping
    /// pairs too.
    Hangul,
    /// Thai, Lao, Khmer, Myanmar: no spaces; searched by overlapping triples.
    Triple,
    /// A mark that stays with the character before it.
    Mark,
}

impl Class {
    /// Length in code points of the overlapping pieces; `None` for whole words.
    pub(crate) fn gram(self) -> Option<usize> {
        match self {
            Self::Ideograph | Self::Hangul => Some(2),
            Self::Triple => Some(3),
            Self::Separator | Self::Word | Self::Mark => None,
        }
    }

    /// The class of a folded character.
    pub(crate) fn of(c: char) -> Self {
        match c {
            '0'..='9' | 'a'..='z' | 'A'..='Z' => Self::Word,
            '\0'..='\u{7f}' => Self::Separator,
            _ if is_combining_mark(c) => Self::Mark,
            '\u{1100}'..='\u{11ff}'
            | '\u{3130}'..='\u{318f}'
            | '\u{a960}'..='\u{a97f}'
            | '\u{ac00}'..='\u{d7ff}' => Self::Hangul,
            '\u{2e80}'..='\u{2fdf}'
            | '\u{3005}'..='\u{3007}'
            | '\u{3021}'..='\u{3029}'
            | '\u{3031}'..='\u{3035}'
            | '\u{3038}'..='\u{303c}'
            | '\u{3041}'..='\u{309f}'
            | '\u{30a1}'..='\u{30ff}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{1aff0}'..='\u{1b16f}'
            | '\u{20000}'..='\u{3ffff}'
                if c.is_alphanumeric() =>
            {
                Self::Ideograph
            }
            '\u{e00}'..='\u{eff}'
            | '\u{1000}'..='\u{109f}'
            | '\u{1780}'..='\u{17ff}'
            | '\u{19e0}'..='\u{19ff}'
            | '\u{a9e0}'..='\u{a9ff}'
            | '\u{aa60}'..='\u{aa7f}'
                if c.is_alphanumeric() =>
            {
                Self::Triple
            }
            _ if c.is_alphanumeric() => Self::Word,
            _ => Self::Separator,
        }
    }
}

/// Marks that writers leave out: accents, Arabic vowel signs, the Arabic tatweel, and the marks
/// that turn a sign into a keycap or the like.
fn is_dropped(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{652}' | '\u{670}' | '\u{640}' | '\u{20d0}'..='\u{20ff}')
}

/// Characters that are not seen: neither part of a word nor its end. Soft hyphens and joiners
/// come with pasted text and would cut words that look whole.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200d}' | '\u{2060}' | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// What one character folds to, where that is at most one character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Simple {
    /// Nothing: a mark that is dropped, or a character that is not seen.
    Nothing,
    /// One character of a class.
    One(char, Class),
    /// Several; to be worked out each time.
    Several,
}

/// Foldings by block of 256 characters, each worked out when a text first has one of them: the
/// tables of Unicode are made for saving space and take ten times as long.
static BLOCKS: [OnceLock<Box<[Simple]>>; 256] = [const { OnceLock::new() }; 256];

/// Gives the folded characters of one source character in order, each with its class. A character
/// that is not seen gives none.
#[inline]
pub(crate) fn fold(c: char, mut emit: impl FnMut(char, Class)) {
    let number = c as usize;
    let block = BLOCKS.get(number >> 8).map(|block| block.get_or_init(|| block_of(number >> 8)));
    match block.and_then(|block| block.get(number & 0xff)) {
        Some(Simple::Nothing) => {}
        Some(Simple::One(folded, class)) => emit(*folded, *class),
        Some(Simple::Several) | None if is_invisible(c) => {}
        Some(Simple::Several) | None => fold_slowly(c, |folded| emit(folded, Class::of(folded))),
    }
}

fn block_of(block: usize) -> Box<[Simple]> {
    (0..256)
        .map(|low| {
            // Surrogates are no characters and never asked for.
            let Some(c) = u32::try_from(block << 8 | low).ok().and_then(char::from_u32) else {
                return Simple::Nothing;
            };
            if is_invisible(c) {
                return Simple::Nothing;
            }
            let mut folded = Vec::new();
            fold_slowly(c, |part| folded.push(part));
            match folded.as_slice() {
                [] => Simple::Nothing,
                [one] => Simple::One(*one, Class::of(*one)),
                _ => Simple::Several,
            }
        })
        .collect()
}

/// The folded characters of one source character, in order. Composed Korean syllables stay
/// composed: nothing in them folds.
fn fold_slowly(c: char, mut emit: impl FnMut(char)) {
    match c {
        '\0'..='\u{7f}' => emit(c.to_ascii_lowercase()),
        '\u{ac00}'..='\u{d7a3}' | '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' => emit(c),
        _ => decompose_compatible(c, |part| {
            if !is_dropped(part) {
                fold_case(part, &mut emit);
            }
        }),
    }
}

/// Full case folding of a decomposed character: lower, upper and lower again reaches the same
/// letters (`ẞ` and `ß` both become `ss`, `ς` becomes `σ`). The dotless `ı` becomes `i` with it,
/// which is what a reader without a Turkish keyboard types.
fn fold_case(c: char, emit: &mut impl FnMut(char)) {
    if c.is_ascii() {
        emit(c.to_ascii_lowercase());
        return;
    }
    for lower in c.to_lowercase() {
        for upper in lower.to_uppercase() {
            for folded in upper.to_lowercase() {
                if !is_dropped(folded) {
                    emit(folded);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn folds(source: &str, expected: &str) {
        let mut folded = String::new();
        for c in source.chars() {
            fold(c, |part, class| {
                assert_eq!(class, Class::of(part));
                folded.push(part);
            });
        }
        assert_eq!(folded, expected);
    }

    #[test]
    fn case_and_accents_fold() {
        folds("Müller", "muller");
        folds("CAFÉ", "cafe");
        folds("Straße", "strasse");
        folds("STRAẞE", "strasse");
        folds("Ὀδυσσεύς", "οδυσσευσ");
        folds("ИЙ", "ии");
        folds("İstanbul ışık", "istanbul isik");
        folds("ﬁnd №Ⅻ", "find noxii");
        folds("Ｆｕｌｌ", "full");
    }

    #[test]
    fn arabic_vowel_signs_and_tatweel_go() {
        folds("كِتَـاب", "كتاب");
    }

    #[test]
    fn devanagari_and_thai_marks_stay() {
        folds("हिन्दी", "हिन्दी");
        folds("ที่", "ที่");
    }

    #[test]
    fn classes() {
        for (c, class) in [
            ('a', Class::Word),
            ('_', Class::Separator),
            ('я', Class::Word),
            ('漢', Class::Ideograph),
            ('々', Class::Ideograph),
            ('ー', Class::Ideograph),
            ('カ', Class::Ideograph),
            ('한', Class::Hangul),
            ('ไ', Class::Triple),
            ('\u{e48}', Class::Mark),
            ('、', Class::Separator),
            ('・', Class::Separator),
            ('฿', Class::Separator),
            ('🙂', Class::Separator),
        ] {
            assert_eq!(Class::of(c), class, "{c}");
        }
    }
}
