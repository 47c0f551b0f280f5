//! Months and weekdays by their names.

use super::Reader;
use crate::moment::locale::MonthWords;

impl Reader<'_> {
    pub(super) fn month_name(&mut self, long: bool) -> Option<i64> {
        let names = if long { &self.locale.months } else { &self.locale.months_short };
        let (length, month) = match &self.locale.month_words {
            MonthWords::Words => {
                let word = word(self.rest)?;
                let same = |name: &&str| same_letters(word, &name.replacen('.', "", 1));
                (word.len(), names.iter().position(same)? + 1)
            }
            MonthWords::Prefixes(prefixes) => {
                let word = word(self.rest)?;
                (word.len(), prefixes.iter().position(|start| prefix(word, start).is_some())? + 1)
            }
            MonthWords::Exact => longest(self.rest, names).map(|(length, index)| (length, index + 1))?,
            MonthWords::Spellings(long_spellings, short_spellings) => {
                let spellings = if long { long_spellings } else { short_spellings };
                let fits = |(spelling, month): &(&str, u8)| Some((prefix(self.rest, spelling)?, *month));
                let (length, month) = spellings.iter().find_map(fits)?;
                (length, usize::from(month))
            }
        };
        self.take(length)?;
        i64::try_from(month).ok()
    }

    pub(super) fn weekday_name(&mut self, token: &str) -> Option<i64> {
        let names = match token {
            "dd" => &self.locale.weekdays_min,
            "ddd" => &self.locale.weekdays_short,
            _ => &self.locale.weekdays,
        };
        let (length, weekday) = if self.locale.exact_weekdays {
            longest(self.rest, names)?
        } else {
            let word = word(self.rest)?;
            (word.len(), names.iter().position(|name| same_letters(word, name))?)
        };
        self.take(length)?;
        i64::try_from(weekday).ok()
    }
}

/// Length of `name` at the start of the text, case ignored.
pub(super) fn prefix(text: &str, name: &str) -> Option<usize> {
    let mut length = 0;
    let mut characters = text.chars();
    for wanted in name.chars() {
        let character = characters.next()?;
        if !same_letter(character, wanted) {
            return None;
        }
        length += character.len_utf8();
    }
    Some(length)
}

fn same_letter(one: char, other: char) -> bool {
    one == other || one.to_lowercase().eq(other.to_lowercase())
}

fn same_letters(one: &str, other: &str) -> bool {
    prefix(one, other) == Some(one.len())
}

/// The longest of the names at the start of the text: its length there and its place in the list.
fn longest(text: &str, names: &[&str]) -> Option<(usize, usize)> {
    let fits = names.iter().enumerate().filter_map(|(index, name)| Some((prefix(text, name)?, index)));
    fits.fold(None, |best: Option<(usize, usize)>, next| match best {
        Some(best) if best.0 >= next.0 => Some(best),
        _ => Some(next),
    })
}

/// The word at the start of the text, as moment looks for one: digits and then letters of any script but
/// Arabic, or Arabic letters, which may make two or three words.
fn word(text: &str) -> Option<&str> {
    const MAX: usize = 256;
    let digits = text.bytes().take(MAX).take_while(u8::is_ascii_digit).count();
    let after = text.get(digits..)?;
    let letters: usize = after.chars().take(MAX).take_while(|c| is_letter(*c)).map(char::len_utf8).sum();
    if letters > 0 {
        return text.get(..digits + letters);
    }
    // Arabic comes last: a run that may hold slashes, then up to two more with spaces before them. Without
    // any, the end of the first run counts as the second, so it must be two letters at least and no slash.
    let run = |text: &str, slash: bool| -> usize {
        let letters = text.chars().take(MAX).take_while(|c| is_arabic(*c) || (slash && *c == '/'));
        letters.map(char::len_utf8).sum()
    };
    let first = run(text, true);
    let mut length = first;
    for _ in 0..2 {
        let rest = text.get(length..).unwrap_or_default();
        let spaces = rest.len() - rest.trim_start().len();
        match run(rest.get(spaces..).unwrap_or_default(), false) {
            0 => break,
            more => length += spaces + more,
        }
    }
    if first == 0 {
        return None;
    }
    let word = text.get(..length)?;
    let word = if length == first { word.trim_end_matches('/') } else { word };
    word.chars().nth(1).map(|_| word)
}

const fn is_letter(character: char) -> bool {
    matches!(
        character,
        '\'' | 'a'..='z'
            | 'A'..='Z'
            | '\u{a0}'..='\u{5ff}'
            | '\u{700}'..='\u{d7ff}'
            | '\u{f900}'..='\u{fdcf}'
            | '\u{fdf0}'..='\u{ff07}'
            | '\u{ff10}'..='\u{ffef}'
    )
}

const fn is_arabic(character: char) -> bool {
    matches!(character, '\u{600}'..='\u{6ff}')
}
