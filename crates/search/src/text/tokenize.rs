//! The one tokeniser: index, query, score and snippet all see a text through it.
//!
//! A token is a run of letters, numbers and their marks; everything else, `_`, `-`, `'` and `.`
//! included, separates. Han, kana and Korean runs become overlapping pairs, Thai, Lao, Khmer and
//! Myanmar runs overlapping triples, and a run shorter than that stays whole. Tokens are folded
//! (see `fold`), and each knows the bytes of the source it came from.
//!
//! Most text is ASCII, or words of ASCII with an accented letter here and there: a run is read
//! byte by byte and only one that meets another character takes the slow way.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, compose, is_combining_mark};

use super::fold::{Class, fold};

/// Longest token in characters. What is longer (base64, hashes, a megabyte without a space) is
/// known by its beginning, in the index and in queries alike.
pub(crate) const MAX_TOKEN_CHARS: usize = 64;

/// Most pieces of a run that are held at once.
const LONG_RUN: usize = 1024;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// The folded word.
    pub text: Cow<'a, str>,
    /// Bytes of the source it stands for. Overlapping pieces of a run overlap here too.
    pub span: Range<usize>,
}

/// The tokens of a text, in order.
#[must_use]
pub fn tokens(text: &str) -> Tokens<'_> {
    Tokens { text, at: 0, ready: VecDeque::new(), run: Vec::new(), in_run: false }
}

/// Iterator over the tokens of a text; made by [`tokens`].
#[derive(Debug, Clone)]
pub struct Tokens<'a> {
    text: &'a str,
    /// First byte not looked at.
    at: usize,
    /// Tokens of the last slow run that were not taken yet.
    ready: VecDeque<Token<'a>>,
    /// The slow run being read.
    run: Vec<Piece>,
    /// The run is too long to be read at once, and goes on at `at`.
    in_run: bool,
}

/// A folded character and the source bytes it came from.
#[derive(Debug, Clone, Copy)]
struct Piece {
    c: char,
    class: Class,
    start: usize,
    end: usize,
}

/// What a byte of ASCII is to a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ascii {
    Separator,
    Word,
    Capital,
    Foreign,
}

const ASCII: [Ascii; 256] = {
    let mut table = [Ascii::Separator; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'0'..=b'9' | b'a'..=b'z' => Ascii::Word,
            b'A'..=b'Z' => Ascii::Capital,
            0x80.. => Ascii::Foreign,
            _ => Ascii::Separator,
        };
        byte += 1;
    }
    table
};

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            if let Some(token) = self.ready.pop_front() {
                return Some(token);
            }
            if self.in_run {
                self.slow_run();
                continue;
            }
            let rest = self.text.as_bytes().get(self.at..)?;
            let skipped = rest.iter().position(|byte| ASCII[usize::from(*byte)] != Ascii::Separator)?;
            self.at += skipped;
            let start = self.at;
            let mut capital = false;
            let mut foreign = false;
            let mut length = 0;
            for byte in rest.iter().skip(skipped) {
                match ASCII[usize::from(*byte)] {
                    Ascii::Word => {}
                    Ascii::Capital => capital = true,
                    Ascii::Separator => break,
                    Ascii::Foreign => {
                        foreign = true;
                        break;
                    }
                }
                length += 1;
            }
            if foreign {
                self.slow_run();
                continue;
            }
            self.at = start + length;
            let span = start..self.at;
            let word = self.text.get(start..start + length.min(MAX_TOKEN_CHARS))?;
            let text = if capital { Cow::Owned(word.to_ascii_lowercase()) } else { Cow::Borrowed(word) };
            return Some(Token { text, span });
        }
    }
}

impl<'a> Tokens<'a> {
    /// Reads a run from `at` on character by character, up to and with the character that ends it,
    /// and queues its tokens. A run without end is read a part at a time.
    fn slow_run(&mut self) {
        let begin = self.at;
        let rest = self.text.get(begin..).unwrap_or_default();
        for (offset, c) in rest.char_indices() {
            let (start, end) = (begin + offset, begin + offset + c.len_utf8());
            fold(c, |folded, class| match class {
                // One character may fold to several words: `½` is `1⁄2`.
                Class::Separator => self.flush(),
                class => self.run.push(Piece { c: folded, class, start, end }),
            });
            self.at = end;
            self.in_run = !self.run.is_empty();
            if !self.in_run {
                return;
            }
            if self.run.len() >= LONG_RUN {
                self.shorten();
                return;
            }
        }
        self.flush();
        self.in_run = false;
        self.at = self.text.len();
    }

    /// Ends a run: its stretches of one class become tokens.
    fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        // Marks belong to the character before them; a run of nothing but marks is no word.
        if run.iter().any(|piece| piece.class != Class::Mark) {
            let (last, class) = self.finished(&run);
            self.stretch(last, class);
        }
        self.run = run;
        self.run.clear();
    }

    /// Queues the tokens of all stretches but the last; gives that one.
    fn finished<'b>(&mut self, run: &'b [Piece]) -> (&'b [Piece], Class) {
        let mut class = Class::Mark;
        let mut from = 0;
        for (index, piece) in run.iter().enumerate() {
            if piece.class == Class::Mark || piece.class == class {
                continue;
            }
            if class != Class::Mark {
                self.stretch(run.get(from..index).unwrap_or_default(), class);
                from = index;
            }
            class = piece.class;
        }
        (run.get(from..).unwrap_or_default(), class)
    }

    /// Queues what can be queued of a run that goes on, and keeps what its rest needs.
    fn shorten(&mut self) {
        let run = std::mem::take(&mut self.run);
        let (last, class) = self.finished(&run);
        // The last character may still get a mark.
        let open = last.iter().rposition(starts_cluster).unwrap_or(0);
        self.run = match class.gram() {
            Some(gram) if open > 0 => {
                let closed = composed(last.get(..open).unwrap_or_default());
                for window in closed.windows(gram) {
                    self.gram(window);
                }
                let kept = closed.get(closed.len().saturating_sub(gram - 1)..).unwrap_or_default();
                [kept, last.get(open..).unwrap_or_default()].concat()
            }
            // Of a word without end the beginning is known.
            _ => {
                let mut kept = last.get(..last.len().min(LONG_RUN / 2)).unwrap_or_default().to_vec();
                if let (Some(end), Some(piece)) = (last.last(), kept.last_mut()) {
                    piece.end = end.end;
                }
                kept
            }
        };
    }

    fn stretch(&mut self, pieces: &[Piece], class: Class) {
        let Some(gram) = class.gram() else {
            self.word(pieces);
            return;
        };
        let composed = composed(pieces);
        if composed.len() <= gram {
            self.gram(&composed);
            return;
        }
        for window in composed.windows(gram) {
            self.gram(window);
        }
    }

    fn word(&mut self, pieces: &[Piece]) {
        let mut word: String = pieces.iter().map(|piece| piece.c).take(MAX_TOKEN_CHARS).collect();
        if !word.is_ascii() && pieces.iter().any(|piece| piece.class == Class::Mark) {
            word = word.nfc().collect();
        }
        self.queue(pieces, word);
    }

    fn gram(&mut self, pieces: &[Piece]) {
        self.queue(pieces, pieces.iter().map(|piece| piece.c).collect());
    }

    fn queue(&mut self, pieces: &[Piece], text: String) {
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return };
        let span = first.start..last.end;
        let text = match self.text.get(span.clone()) {
            Some(source) if source == text => Cow::Borrowed(source),
            _ => Cow::Owned(text),
        };
        self.ready.push_back(Token { text, span });
    }
}

/// Whether nothing before a piece can change it any more: it is no mark, and no Korean letter that
/// joins the one before.
fn starts_cluster(piece: &Piece) -> bool {
    piece.class != Class::Mark && !matches!(piece.c, '\u{1160}'..='\u{11ff}' | '\u{d7b0}'..='\u{d7ff}')
}

/// The pieces in canonical order and composed, as far as neighbours compose: voiced kana,
/// Korean letters, vowel signs.
fn composed(pieces: &[Piece]) -> Vec<Piece> {
    let mut ordered = pieces.to_vec();
    if pieces.iter().any(|piece| piece.class == Class::Mark) {
        let mut from = 0;
        while from < ordered.len() {
            let marks =
                ordered.iter().skip(from).take_while(|piece| canonical_combining_class(piece.c) != 0).count();
            if let Some(marks) = ordered.get_mut(from..from + marks) {
                marks.sort_by_key(|piece| canonical_combining_class(piece.c));
            }
            from += marks + 1;
        }
    }
    let mut result: Vec<Piece> = Vec::with_capacity(ordered.len());
    for piece in ordered {
        if let Some(last) = result.last_mut()
            && (is_combining_mark(piece.c) || piece.class == Class::Hangul)
            && let Some(both) = compose(last.c, piece.c)
        {
            last.c = both;
            last.end = last.end.max(piece.end);
            continue;
        }
        result.push(piece);
    }
    result
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn gives(text: &str, expected: &[&str]) {
        let found: Vec<String> = tokens(text).map(|token| token.text.into_owned()).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[track_caller]
    fn spans(text: &str, expected: &[&str]) {
        let found: Vec<&str> = tokens(text).map(|token| &text[token.span]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn words_split_at_everything_but_letters_numbers_and_marks() {
        gives(
            "file-provider's snake_case v1.2/x",
            &["file", "provider", "s", "snake", "case", "v1", "2", "x"],
        );
        gives(
            "C++ at 10:30, https://example.org/a?b=c",
            &["c", "at", "10", "30", "https", "example", "org", "a", "b", "c"],
        );
        gives("", &[]);
        gives(" \n\t--- ", &[]);
    }

    #[test]
    fn case_and_accents_fold() {
        gives("Jonas MÜLLER, naïve Straße", &["jonas", "muller", "naive", "strasse"]);
        gives("Мёд Ёлка", &["мед", "елка"]);
    }

    #[test]
    fn composed_and_decomposed_text_give_the_same_tokens() {
        gives("Mu\u{308}ller か\u{3099}き 한글", &["muller", "がき", "한글"]);
        gives("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", &["한글"]);
        gives("ガギグ", &["ガギ", "ギグ"]);
    }

    #[test]
    fn scripts_without_spaces_become_overlapping_pieces() {
        gives("我喜歡黑貓。", &["我喜", "喜歡", "歡黑", "黑貓"]);
        gives("猫", &["猫"]);
        gives("東京タワー", &["東京", "京タ", "タワ", "ワー"]);
        gives("ภาษาไทย", &["ภาษ", "าษา", "ษาไ", "าไท", "ไทย"]);
        gives("학교에서 물", &["학교", "교에", "에서", "물"]);
    }

    #[test]
    fn a_run_of_several_scripts_is_cut_where_they_meet() {
        gives("2024年1月", &["2024", "年", "1", "月"]);
        gives("iPhone使い方", &["iphone", "使い", "い方"]);
        spans("iPhone使い方", &["iPhone", "使い", "い方"]);
    }

    #[test]
    fn marks_stay_with_their_word() {
        gives("हिन्दी में", &["हिन्दी", "में"]);
        gives("كِتَاب", &["كتاب"]);
    }

    #[test]
    fn what_is_not_seen_does_not_cut() {
        gives("Zerti\u{ad}fikat 1\u{fe0f}\u{20e3} ❤\u{fe0f}", &["zertifikat", "1"]);
        spans("Zerti\u{ad}fikat", &["Zerti\u{ad}fikat"]);
    }

    #[test]
    fn one_character_may_be_several_words() {
        gives("6½", &["61", "2"]);
        spans("6½ x", &["6½", "½", "x"]);
    }

    #[test]
    fn spans_are_of_the_source() {
        spans("Der Müller, ﬁne!", &["Der", "Müller", "ﬁne"]);
        spans("黑貓", &["黑貓"]);
        spans("か\u{3099}き", &["か\u{3099}き"]);
    }

    #[test]
    fn endless_words_are_known_by_their_beginning() {
        let long = "a".repeat(10_000);
        let found: Vec<_> = tokens(&long).collect();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].text.len(), MAX_TOKEN_CHARS);
        assert_eq!(found[0].span, 0..10_000);
    }

    #[test]
    fn runs_without_end_are_read_in_parts() {
        let signs: Vec<char> = ('一'..='丰').chain('か'..='の').cycle().take(5 * LONG_RUN + 3).collect();
        let text: String = signs.iter().collect();
        let expected: Vec<String> = signs.windows(2).map(|pair| pair.iter().collect()).collect();
        assert!(tokens(&text).map(|token| token.text.into_owned()).eq(expected));

        let decomposed = "か\u{3099}".repeat(2 * LONG_RUN);
        assert!(tokens(&decomposed).all(|token| token.text == "がが" && token.span.len() == 12));
        assert_eq!(tokens(&decomposed).count(), 2 * LONG_RUN - 1);

        let thai: Vec<char> = "ภาษาไทย".chars().cycle().take(3 * LONG_RUN + 1).collect();
        let expected: Vec<String> = thai.windows(3).map(|triple| triple.iter().collect()).collect();
        let text: String = thai.iter().collect();
        assert!(tokens(&text).map(|token| token.text.into_owned()).eq(expected));

        let letters = "\u{1112}\u{1161}\u{11ab}".repeat(LONG_RUN);
        assert!(tokens(&letters).all(|token| token.text == "한한"));
        assert_eq!(tokens(&letters).count(), LONG_RUN - 1);

        let word = "ж".repeat(5 * LONG_RUN);
        let found: Vec<_> = tokens(&word).collect();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].span, 0..word.len());

        let marks = format!("क{}", "\u{93f}".repeat(5 * LONG_RUN));
        assert_eq!(tokens(&marks).count(), 1);
        assert_eq!(tokens(&marks).next().unwrap().span, 0..marks.len());
    }

    proptest! {
        #[test]
        fn spans_are_in_order_on_borders_and_cover_every_letter_and_number(
            text in "([a-zA-Z0-9 ,._-]|[äöüßéñ]|[а-яё]|[一-丰]|[ぁ-ヿ]|[가-갹]|[ก-๙]|\\PC){0,40}"
        ) {
            let mut covered = vec![false; text.len() + 1];
            let mut last = 0..0;
            for token in tokens(&text) {
                prop_assert!(!token.text.is_empty());
                prop_assert!(token.span.start < token.span.end && token.span.end <= text.len());
                prop_assert!(text.is_char_boundary(token.span.start));
                prop_assert!(text.is_char_boundary(token.span.end));
                prop_assert!(token.span.start >= last.start && token.span.end >= last.end);
                covered[token.span.clone()].fill(true);
                last = token.span;
            }
            for (at, c) in text.char_indices() {
                if c.is_alphanumeric() && folds_to_a_letter(c) {
                    prop_assert!(covered[at], "{c:?} at {at} of {text:?}");
                }
            }
        }

        #[test]
        fn tokens_are_folded_already(text in "\\PC{0,40}") {
            // Tokenising tokens joined by spaces gives no new text: FTS5 gets them that way.
            for token in tokens(&text) {
                for again in tokens(&token.text) {
                    prop_assert!(token.text.contains(again.text.as_ref()), "{:?} {:?}", token.text, again.text);
                }
            }
        }
    }

    /// Tatweel and the like are letters to Unicode and dropped by the folding.
    fn folds_to_a_letter(c: char) -> bool {
        let mut letter = false;
        fold(c, |_, class| letter |= !matches!(class, Class::Separator | Class::Mark));
        letter
    }
}
