//! Passages of a source around the words that were found.

use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

use super::highlight::Highlights;
use super::tokenize::tokens;

/// Most characters a passage shows for each word it may have: words without end are cut.
const CHARS_A_WORD: usize = 16;
/// What more matches of a word that is in the passage already add to its worth.
const REPEAT: f64 = 0.05;

/// A passage of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The passage, runs of white space as one space, `…` where it was cut.
    pub text: String,
    /// Bytes of the source that it shows.
    pub range: Range<usize>,
    /// First byte of the first marked word, where a word was found.
    pub first_match: Option<usize>,
}

/// A word of the source that is to be marked.
#[derive(Debug, Clone, Copy)]
struct Match {
    /// Its number among the words of the source.
    ordinal: usize,
    start: usize,
    end: usize,
    group: usize,
}

/// The passage with the densest group of matches, about `budget` words long; the beginning of
/// the source when nothing matched in it.
pub(crate) fn snippet(source: &str, highlights: &Highlights, budget: usize, marks: bool) -> Snippet {
    let budget = budget.max(1);
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut matches: Vec<Match> = Vec::new();
    for token in tokens(source) {
        if let Some(group) = highlights.group(&token.text) {
            matches.push(Match { ordinal: spans.len(), start: token.span.start, end: token.span.end, group });
        }
        spans.push(token.span);
    }
    let dense = densest(&matches, highlights, budget);
    let window = window(dense, spans.len(), budget);
    let range = bytes(source, &spans, &window);
    let range = capped(source, range, dense.first(), budget * CHARS_A_WORD);
    let marked: Vec<Range<usize>> = if marks { merged(source, &matches, &range) } else { Vec::new() };
    let first_match = matches.iter().find(|found| found.start >= range.start).map(|found| found.start);
    Snippet {
        text: written(source, &range, &marked),
        first_match: first_match.filter(|start| *start < range.end),
        range,
    }
}

/// The matches of the best stretch of `budget` words.
fn densest<'a>(matches: &'a [Match], highlights: &Highlights, budget: usize) -> &'a [Match] {
    let mut counts = vec![0_usize; highlights.groups()];
    let mut worth = 0.0;
    let mut best = (0.0, 0..0);
    let mut from = 0;
    for (to, new) in matches.iter().enumerate() {
        worth += step(&mut counts, new.group, highlights, true);
        while let Some(old) = matches.get(from).filter(|old| old.ordinal + budget <= new.ordinal) {
            worth -= step(&mut counts, old.group, highlights, false);
            from += 1;
        }
        // What is worth the same but lies closer together is denser.
        let length = new.ordinal - matches.get(from).map_or(new.ordinal, |first| first.ordinal);
        let value = worth - 1e-6 * length as f64;
        if best.1.is_empty() || value > best.0 + 1e-9 {
            best = (value, from..to + 1);
        }
    }
    matches.get(best.1).unwrap_or_default()
}

/// Counts a match in or out; what it adds or takes away.
fn step(counts: &mut [usize], group: usize, highlights: &Highlights, add: bool) -> f64 {
    let Some(count) = counts.get_mut(group) else { return 0.0 };
    if !add {
        *count -= 1;
    }
    let share = if *count == 0 { 1.0 } else { REPEAT };
    if add {
        *count += 1;
    }
    share * highlights.weight(group)
}

/// The words to show: the matches in the middle.
fn window(dense: &[Match], words: usize, budget: usize) -> Range<usize> {
    let (Some(first), Some(last)) = (dense.first(), dense.last()) else { return 0..budget.min(words) };
    let spare = budget.saturating_sub(last.ordinal + 1 - first.ordinal);
    let start = first.ordinal.saturating_sub(spare / 2);
    let end = (start + budget).min(words);
    // Near the end of the source the beginning gets what the end has no use for.
    end.saturating_sub(budget)..end
}

/// The bytes of a window of words with the punctuation that touches them.
fn bytes(source: &str, spans: &[Range<usize>], window: &Range<usize>) -> Range<usize> {
    let span = |ordinal: usize| spans.get(ordinal).cloned().unwrap_or(source.len()..source.len());
    let before = window.start.checked_sub(1).map_or(0, |ordinal| span(ordinal).end);
    let first = span(window.start).start.max(before);
    let start = if window.start == 0 {
        0
    } else {
        let gap = source.get(before..first).unwrap_or_default();
        gap.rfind(char::is_whitespace).map_or(first, |at| before + at)
    };
    let last = window.end.checked_sub(1).map_or(0, |ordinal| span(ordinal).end);
    let end = if window.end >= spans.len() {
        source.len()
    } else {
        let gap = source.get(last..span(window.end).start).unwrap_or_default();
        gap.find(char::is_whitespace).map_or(last, |at| last + at)
    };
    let range = start..end.max(start);
    let text = source.get(range.clone()).unwrap_or_default();
    let start = start + (text.len() - text.trim_start().len());
    border_before(source, start)..border_after(source, start + text.trim().len())
}

/// A range of at most `most` characters, with the first match in it.
fn capped(source: &str, range: Range<usize>, first: Option<&Match>, most: usize) -> Range<usize> {
    let text = source.get(range.clone()).unwrap_or_default();
    if text.len() <= most || text.chars().count() <= most {
        return range;
    }
    let wanted = first.map_or(range.start, |found| found.start.saturating_sub(most / 2).max(range.start));
    // What does not fit after the match may be shown before it.
    let latest = text.char_indices().rev().nth(most - 1).map_or(range.start, |(at, _)| range.start + at);
    let start = border_before(source, floor(source, wanted.min(latest.max(range.start))));
    let rest = source.get(start..range.end).unwrap_or_default();
    let end = rest.char_indices().nth(most).map_or(range.end, |(at, _)| start + at);
    start..border_before(source, end).max(start)
}

/// The matches inside the range, on grapheme borders, those that touch as one.
fn merged(source: &str, matches: &[Match], range: &Range<usize>) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    for found in matches.iter().filter(|found| found.end > range.start && found.start < range.end) {
        let start = border_before(source, found.start).max(range.start);
        let end = border_after(source, found.end).min(range.end);
        match merged.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => merged.push(start..end),
        }
    }
    merged
}

/// The text of a range: white space as single spaces, matches marked, cuts shown.
fn written(source: &str, range: &Range<usize>, marked: &[Range<usize>]) -> String {
    let mut text = String::with_capacity(range.len() + marked.len() * 4 + 8);
    let cut_before = source.get(..range.start).is_some_and(|before| !before.trim().is_empty());
    let cut_after = source.get(range.end..).is_some_and(|after| !after.trim().is_empty());
    if cut_before {
        text.push('…');
    }
    let mut at = range.start;
    for mark in marked {
        push_folded(&mut text, source.get(at..mark.start).unwrap_or_default());
        text.push('«');
        push_folded(&mut text, source.get(mark.clone()).unwrap_or_default());
        text.push('»');
        at = mark.end;
    }
    push_folded(&mut text, source.get(at..range.end).unwrap_or_default());
    if cut_after {
        text.push('…');
    }
    text
}

fn push_folded(text: &mut String, part: &str) {
    let mut space = false;
    for c in part.chars() {
        if c.is_whitespace() || c.is_control() {
            space = true;
            continue;
        }
        if std::mem::take(&mut space) {
            text.push(' ');
        }
        text.push(c);
    }
    if space {
        text.push(' ');
    }
}

/// The nearest character border at or before a byte.
fn floor(source: &str, at: usize) -> usize {
    (0..=at.min(source.len())).rev().find(|at| source.is_char_boundary(*at)).unwrap_or(0)
}

/// The nearest grapheme border at or before a character border.
fn border_before(source: &str, at: usize) -> usize {
    if is_border(source, at) {
        return at;
    }
    GraphemeCursor::new(at, source.len(), true).prev_boundary(source, 0).ok().flatten().unwrap_or(0)
}

/// The nearest grapheme border at or after a character border.
fn border_after(source: &str, at: usize) -> usize {
    if is_border(source, at) {
        return at;
    }
    let mut cursor = GraphemeCursor::new(at, source.len(), true);
    cursor.next_boundary(source, 0).ok().flatten().unwrap_or(source.len())
}

fn is_border(source: &str, at: usize) -> bool {
    let bytes = source.as_bytes();
    let plain =
        |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_none_or(|byte| (0x20..0x7f).contains(byte));
    // Between two plain ASCII characters there is always one; most cuts are there.
    if plain(at.checked_sub(1)) && plain(Some(at)) {
        return true;
    }
    GraphemeCursor::new(at, source.len(), true).is_boundary(source, 0).unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;

    fn marks(words: &[&str]) -> Highlights {
        let mut highlights = Highlights::default();
        for word in words {
            highlights.add(std::iter::once(*word), 1.0);
        }
        highlights
    }

    #[track_caller]
    fn shows(source: &str, words: &[&str], budget: usize, expected: &str) {
        let found = snippet(source, &marks(words), budget, true);
        assert_eq!(found.text, expected);
        let plain = snippet(source, &marks(words), budget, false);
        assert_eq!(plain.range, found.range);
        assert_eq!(plain.text, expected.replace(['«', '»'], ""));
    }

    #[test]
    fn matches_are_marked_and_lines_joined() {
        shows(
            "# Renew the wildcard certificate\n\n## Why\nThe certificate is valid.",
            &["renew", "certificate"],
            30,
            "# «Renew» the wildcard «certificate» ## Why The «certificate» is valid.",
        );
    }

    #[test]
    fn the_passage_is_where_matches_are_dense() {
        let source = "alpha one two three four five six seven eight nine ten alpha beta (gamma) eleven twelve \
                      thirteen fourteen fifteen";
        shows(source, &["alpha", "beta", "gamma"], 7, "…nine ten «alpha» «beta» («gamma») eleven twelve…");
    }

    #[test]
    fn without_a_match_it_is_the_beginning() {
        shows("  One two three. Four five.", &["absent"], 3, "One two three.…");
        shows("", &["absent"], 3, "");
        shows("--- !", &[], 3, "--- !");
    }

    #[test]
    fn a_match_near_an_end_is_shown_with_more_of_the_other_side() {
        shows("a b c d e f g target", &["target"], 4, "…e f g «target»");
        shows("target a b c d e f g", &["target"], 4, "«target» a b c…");
    }

    #[test]
    fn overlapping_pieces_are_one_mark() {
        shows("我喜歡小黑貓。", &["小黑", "黑貓"], 10, "我喜歡«小黑貓»。");
    }

    #[test]
    fn cuts_and_marks_respect_graphemes() {
        // The Thai vowel sign stays on its consonant although a piece ends before it.
        let source = "กี่กี่กี่กี่";
        let found = snippet(source, &marks(&["กี่"]), 1, true);
        let plain: String = found.text.chars().filter(|c| !"«»…".contains(*c)).collect();
        assert!(source.graphemes(true).collect::<String>().contains(&plain));
        assert!(is_border(source, found.range.start) && is_border(source, found.range.end));
    }

    #[test]
    fn endless_words_are_cut() {
        let source = format!("start {} target {}", "x".repeat(5_000), "y".repeat(5_000));
        let found = snippet(&source, &marks(&["target"]), 5, true);
        assert!(found.text.contains("«target»"), "{}", found.text);
        assert!(found.text.chars().count() <= 5 * CHARS_A_WORD + 4);
    }

    #[test]
    fn the_range_and_the_first_match_are_of_the_source() {
        let source = "one two three four five six target seven";
        let found = snippet(source, &marks(&["target"]), 3, true);
        assert_eq!(&source[found.range], "six target seven");
        assert_eq!(found.first_match, source.find("target"));
    }

    proptest! {
        #[test]
        fn any_source_gives_a_passage_on_borders(
            source in "([a-z]{1,5} |\\PC|[ก-๙]|[一-丰]|\n|é|\u{301}){0,60}",
            words in prop::collection::vec("[a-z]{1,2}|[ก-๙]{1,3}|[一-丰]{1,2}", 0..4),
            budget in 0_usize..12,
        ) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let found = snippet(&source, &marks(&words), budget, true);
            prop_assert!(source.get(found.range.clone()).is_some());
            prop_assert!(is_border(&source, found.range.start) && is_border(&source, found.range.end));
            prop_assert!(found.first_match.is_none_or(|at| found.range.contains(&at)));
        }
    }
}
