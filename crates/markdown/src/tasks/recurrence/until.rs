//! The date after `until`, as V8's `Date.parse` reads it.
//!
//! The rule's text holds only ASCII letters, digits, spaces, commas and exclamation marks, so the forms that
//! matter are `June 1, 2026`, `1 June 2026`, `2026 June 1`, `6 1 2026` and the like. Times and zones cannot
//! be written; a missing day is the first, a missing year 2001.

use jiff::ToSpan as _;
use jiff::civil::Date;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Words that V8 knows and that change nothing about the day.
const ZONES: [&str; 12] = ["ut", "utc", "z", "gmt", "cdt", "cst", "edt", "est", "mdt", "mst", "pdt", "pst"];

/// Reads the date; `None` when V8 gives no date (or the very day 1970-01-01, which rrule takes for none).
pub(super) fn parse_date(text: &str) -> Option<Date> {
    let mut numbers: Vec<i64> = Vec::new();
    let mut named_month = None;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            let digits = rest.get(..length)?.trim_start_matches('0');
            // V8 keeps nine significant digits.
            let number = digits.get(..digits.len().min(9))?.parse().unwrap_or(0);
            if numbers.len() == 3 {
                return None;
            }
            numbers.push(number);
            rest = rest.get(length..)?;
        } else if first.is_ascii_alphabetic() {
            let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
            let word = rest.get(..length)?.to_ascii_lowercase();
            rest = rest.get(length..)?;
            let month = MONTHS.iter().position(|month| word.starts_with(month));
            if let Some(month) = month {
                named_month = i64::try_from(month).ok().map(|month| month + 1);
            } else if !numbers.is_empty() {
                if !ZONES.contains(&word.as_str()) {
                    return None;
                }
            } else if rest.starts_with(|c: char| c.is_ascii_digit()) {
                return None;
            }
        } else {
            rest = rest.get(first.len_utf8()..)?;
        }
    }
    let date = compose(&numbers, named_month)?;
    (date != Date::new(1970, 1, 1).ok()?).then_some(date)
}

/// Decides which number is which.
fn compose(numbers: &[i64], named_month: Option<i64>) -> Option<Date> {
    let is_day = |number: i64| (1..=31).contains(&number);
    let first = *numbers.first()?;
    let second = numbers.get(1).copied().unwrap_or(1);
    let third = numbers.get(2).copied().unwrap_or(1);
    let (year, month, day) = match named_month {
        Some(month) if is_day(first) => (second, month, first),
        Some(month) => (first, month, second),
        None if is_day(first) => (third, first, second),
        None => (first, second, third),
    };
    let year = match year {
        0..=49 => year + 2000,
        50..=99 => year + 1900,
        _ => year,
    };
    if !(1..=12).contains(&month) || !is_day(day) {
        return None;
    }
    // A day past the end of its month runs into the next one.
    let first_of_month = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, 1).ok()?;
    first_of_month.checked_add((day - 1).days()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(parse_date(text).map(|date| date.to_string()).as_deref(), expected, "{text:?}");
    }

    #[test]
    fn forms_of_a_date() {
        check(" June 1, 2026", Some("2026-06-01"));
        check(" 1 June 2026", Some("2026-06-01"));
        check(" 2026 jun 1", Some("2026-06-01"));
        check(" 6 1 2026", Some("2026-06-01"));
        check(" Friday June 5 26", Some("2026-06-05"));
        check(" June 2026", Some("2026-06-01"));
        check(" June 1", Some("2001-06-01"));
        check(" June 31, 2026", Some("2026-07-01"));
        check(" 2026", Some("2026-01-01"));
    }

    #[test]
    fn texts_that_are_no_dates() {
        for text in ["", " June", " soon", " June 1st, 2026", " 13 13 2026", " 1 2 3 4", " January 1, 1970"] {
            check(text, None);
        }
    }
}
