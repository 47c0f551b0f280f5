//! Writing a date by a format.

use std::borrow::Cow;
use std::fmt::Write as _;

use jiff::civil::DateTime;

use super::Moment;
use super::locale::Locale;
use super::locale::Unit;
use super::tokens;
use super::tokens::Piece;
use super::week::week_of_year;
use super::week::weekday;

/// Writes a point in time by a moment format. An empty format gives ISO 8601, as in moment.
pub fn format<'a>(moment: impl Into<Moment<'a>>, format: &str, locale: &Locale) -> String {
    let moment = moment.into();
    let format = match format {
        "" if moment.zone == "UTC" => "YYYY-MM-DDTHH:mm:ss[Z]",
        "" => "YYYY-MM-DDTHH:mm:ssZ",
        format => format,
    };
    let format = tokens::expand(format, locale);
    let mut output = String::with_capacity(format.len() + 16);
    for piece in tokens::pieces(&format) {
        match piece {
            Piece::Token(token) => match value(token, &moment, &format, locale) {
                Some(text) => output.push_str(&text),
                None => output.push_str(token),
            },
            Piece::Bracket(raw) => {
                output.push_str(raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default());
            }
            Piece::Escaped(raw) => output.push_str(&raw.replace('\\', "")),
        }
    }
    locale.write_digits(output)
}

/// The tokens of a format that need more than a date: a time of day, a zone, a point in time. Each once, as
/// they stand after `L`, `LLLL` and the like are expanded.
pub fn time_tokens(format: &str, locale: &Locale) -> Vec<String> {
    let format = tokens::expand(format, locale);
    let mut found: Vec<String> = Vec::new();
    for piece in tokens::pieces(&format) {
        if let Piece::Token(token) = piece
            && needs_time(token)
            && !found.iter().any(|known| known == token)
        {
            found.push(token.to_owned());
        }
    }
    found
}

fn needs_time(token: &str) -> bool {
    let first = token.chars().next();
    first.is_some_and(|first| "HhkmsSaAxXzZ".contains(first))
}

/// Fills a number up with zeros on the left.
fn padded(number: i64, length: usize) -> String {
    if number < 0 { format!("-{:0length$}", number.unsigned_abs()) } else { format!("{number:0length$}") }
}

/// What a token stands for; `None` for text that is no token.
fn value<'a>(token: &str, moment: &Moment<'_>, format: &str, locale: &'a Locale) -> Option<Cow<'a, str>> {
    let civil = moment.civil;
    let date = civil.date();
    let month = i64::from(date.month());
    let day = i64::from(date.day());
    let year = i64::from(date.year());
    let day_of_year = i64::from(date.day_of_year());
    let quarter = (month + 2) / 3;
    let hour = i64::from(civil.hour());
    let minute = i64::from(civil.minute());
    let second = i64::from(civil.second());
    let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
    let weekday = weekday(date);
    let local_week = || week_of_year(date, locale.first_weekday, locale.first_week_day);
    let iso_week = || week_of_year(date, 1, 4);
    let number = |number: i64, length: usize| Some(Cow::Owned(padded(number, length)));
    let ordinal = |number: i64, unit: Unit| Some(Cow::Owned(locale.ordinal(number, unit)));
    match token {
        "M" | "MM" => number(month, token.len()),
        "Mo" => ordinal(month, Unit::Month),
        "MMM" => Some(Cow::Borrowed(locale.month_short(month, format))),
        "MMMM" => Some(Cow::Borrowed(locale.month_long(month, format))),
        "Q" => number(quarter, 1),
        "Qo" => ordinal(quarter, Unit::Quarter),
        "D" | "DD" => number(day, token.len()),
        "Do" => ordinal(day, Unit::Day),
        "DDD" => number(day_of_year, 1),
        "DDDD" => number(day_of_year, 3),
        "DDDo" => ordinal(day_of_year, Unit::DayOfYear),
        "d" => number(weekday, 1),
        "do" => ordinal(weekday, Unit::Weekday),
        "dd" => Some(Cow::Borrowed(locale.weekday_min(weekday))),
        "ddd" => Some(Cow::Borrowed(locale.weekday_short(weekday))),
        "dddd" => Some(Cow::Borrowed(locale.weekday_long(weekday, format))),
        "e" => number((weekday + 7 - locale.first_weekday) % 7, 1),
        "E" => number(if weekday == 0 { 7 } else { weekday }, 1),
        "w" | "ww" => number(local_week().1, token.len()),
        "wo" => ordinal(local_week().1, Unit::Week),
        "W" | "WW" => number(iso_week().1, token.len()),
        "Wo" => ordinal(iso_week().1, Unit::IsoWeek),
        "Y" if year > 9999 => Some(Cow::Owned(format!("+{year}"))),
        "Y" => number(year, 4),
        "YY" => number(year % 100, 2),
        "YYYY" | "YYYYY" => number(year, token.len()),
        "YYYYYY" if year >= 0 => Some(Cow::Owned(format!("+{year:06}"))),
        "YYYYYY" => number(year, 6),
        "gg" => number(local_week().0 % 100, 2),
        "gggg" | "ggggg" => number(local_week().0, token.len()),
        "GG" => number(iso_week().0 % 100, 2),
        "GGGG" | "GGGGG" => number(iso_week().0, token.len()),
        "N" | "NN" | "NNN" => Some(Cow::Borrowed(locale.era(date).map_or("", |era| era.abbreviation))),
        "NNNN" => Some(Cow::Borrowed(locale.era(date).map_or("", |era| era.name))),
        "NNNNN" => Some(Cow::Borrowed(locale.era(date).map_or("", |era| era.narrow))),
        "y" | "yy" | "yyy" | "yyyy" => number(locale.era_year(date), token.len()),
        "yo" => ordinal(locale.era_year(date), Unit::EraYear),
        "a" | "A" => Some(Cow::Borrowed(locale.meridiem(hour, minute, token == "a"))),
        "H" | "HH" => number(hour, token.len()),
        "h" | "hh" => number(twelve, token.len()),
        "k" | "kk" => number(if hour == 0 { 24 } else { hour }, token.len()),
        "hmm" => Some(Cow::Owned(format!("{twelve}{minute:02}"))),
        "hmmss" => Some(Cow::Owned(format!("{twelve}{minute:02}{second:02}"))),
        "Hmm" => Some(Cow::Owned(format!("{hour}{minute:02}"))),
        "Hmmss" => Some(Cow::Owned(format!("{hour}{minute:02}{second:02}"))),
        "m" | "mm" => number(minute, token.len()),
        "s" | "ss" => number(second, token.len()),
        "x" => number(milliseconds(moment), 1),
        "X" => number(milliseconds(moment).div_euclid(1000), 1),
        "z" => Some(Cow::Owned(moment.zone.to_owned())),
        "zz" if moment.zone == "UTC" => Some(Cow::Borrowed("Coordinated Universal Time")),
        "zz" => Some(Cow::Owned(moment.zone.to_owned())),
        "Z" => Some(Cow::Owned(offset(moment.offset_minutes, ":"))),
        "ZZ" => Some(Cow::Owned(offset(moment.offset_minutes, ""))),
        _ if !token.is_empty() && token.bytes().all(|byte| byte == b'S') => {
            Some(Cow::Owned(fraction(civil, token.len())))
        }
        _ => None,
    }
}

/// Milliseconds as so many digits of a second; zeros past the third.
fn fraction(civil: DateTime, digits: usize) -> String {
    let mut text = format!("{:03}", civil.millisecond());
    text.truncate(digits);
    while text.len() < digits {
        text.push('0');
    }
    text
}

fn offset(minutes: i32, separator: &str) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    let minutes = minutes.unsigned_abs();
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _infallible = write!(text, "{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60);
    text
}

/// Milliseconds since 1970-01-01 UTC.
fn milliseconds(moment: &Moment<'_>) -> i64 {
    let civil = moment.civil;
    let days = days_since_epoch(civil);
    let seconds = i64::from(civil.hour()) * 3600 + i64::from(civil.minute()) * 60 + i64::from(civil.second());
    let local = (days * 86_400 + seconds) * 1000 + i64::from(civil.millisecond());
    local - i64::from(moment.offset_minutes) * 60_000
}

fn days_since_epoch(civil: DateTime) -> i64 {
    let epoch = jiff::civil::Date::constant(1970, 1, 1);
    civil.date().since(epoch).map_or(0, |span| i64::from(span.get_days()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn needs(format: &str, expected: &[&str]) {
        assert_eq!(time_tokens(format, Locale::english()), expected, "{format:?}");
    }

    #[test]
    fn what_a_date_does_not_settle() {
        needs("YYYY/MM MMMM/dddd, Do Qo gggg-[W]ww GGGG-[W]WW DDDD E e N y YY", &[]);
        needs("[HH:mm at home] YYYY \\H", &[]);
        needs("YYYY-mm-DD", &["mm"]);
        needs("YYYY-MM-DD HHmm mm", &["HH", "mm"]);
        needs("LL l", &[]);
        needs("LLL", &["h", "mm", "A"]);
        needs("x X z ZZ SSS kk Hmm", &["x", "X", "z", "ZZ", "SSS", "kk", "Hmm"]);
        needs("Daily", &["a"]);
    }

    /// Formatting the same day at two points in time tells the same: the list of tokens is complete.
    #[test]
    fn formats_without_time_tokens_do_not_depend_on_the_time() {
        let date = jiff::civil::date(2026, 6, 15);
        let early = Moment { civil: date.at(0, 0, 0, 0), offset_minutes: 0, zone: "UTC" };
        let late = Moment { civil: date.at(23, 47, 58, 912_000_000), offset_minutes: 345, zone: "X" };
        for first in ('A'..='Z').chain('a'..='z') {
            for length in 1..=6 {
                let token: String = std::iter::repeat_n(first, length).collect();
                let same =
                    format(early, &token, Locale::english()) == format(late, &token, Locale::english());
                assert_eq!(time_tokens(&token, Locale::english()).is_empty(), same, "{token}");
            }
        }
    }
}
