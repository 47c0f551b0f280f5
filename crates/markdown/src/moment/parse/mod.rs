//! Reading a date by a format, strictly.
//!
//! Strict means: every token and every other character of the format is there, nothing is left over, the
//! weekday is right and the day exists. Where a token is repeated (`YYYY/MM/YYYY-MM-DD`), the later one
//! counts; that the two agree is not asked for.

mod names;
mod resolve;

use jiff::civil::Date;
use jiff::civil::DateTime;

use super::locale::Era;
use super::locale::Locale;
use super::tokens;
use super::tokens::Piece;
use names::prefix;
use resolve::Parts;

/// Reads the day in a text; see [`parse`].
pub fn parse_date(text: &str, format: &str, locale: &Locale, today: Date) -> Option<Date> {
    parse(text, format, locale, today).map(DateTime::date)
}

/// Reads a text by a moment format, strictly. `today` fills in what the format leaves out: a format without
/// year means this year, one with nothing but a time means today. An offset in the text is taken off, so
/// that the answer is in UTC.
pub fn parse(text: &str, format: &str, locale: &Locale, today: Date) -> Option<DateTime> {
    let text = locale.read_digits(text);
    let format = tokens::expand(format, locale);
    let mut reader = Reader { rest: &text, locale, parts: Parts::default() };
    for piece in tokens::pieces(&format) {
        reader.piece(piece)?;
    }
    if !reader.rest.is_empty() {
        return None;
    }
    reader.parts.resolve(locale, today)
}

struct Reader<'a> {
    rest: &'a str,
    locale: &'a Locale,
    parts: Parts,
}

impl<'a> Reader<'a> {
    /// Reads one piece of the format; `None` when it is not there.
    fn piece(&mut self, piece: Piece<'_>) -> Option<()> {
        match piece {
            Piece::Token(token) => self.token(token),
            Piece::Bracket(raw) => self.text(&bracket_text(raw)),
            Piece::Escaped(raw) => self.text(raw.get(1..).unwrap_or_default()),
        }
    }

    /// Text that stands for itself; empty text never fits.
    fn text(&mut self, text: &str) -> Option<()> {
        let rest = self.rest.strip_prefix(text).filter(|_| !text.is_empty())?;
        self.rest = rest;
        Some(())
    }

    fn take(&mut self, length: usize) -> Option<&'a str> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    /// A number of so many digits; `leading_zero` says whether it may begin with one.
    fn number(&mut self, min: usize, max: usize, leading_zero: bool) -> Option<i64> {
        let digits = self.rest.bytes().take(max).take_while(u8::is_ascii_digit).count();
        if digits < min || (!leading_zero && self.rest.starts_with('0')) {
            return None;
        }
        Some(self.take(digits)?.parse().unwrap_or(i64::MAX))
    }

    /// One or two digits without a leading zero, as a single-letter token writes them.
    fn plain(&mut self) -> Option<i64> {
        self.number(1, 2, false)
    }

    /// As [`Self::plain`], but a lone zero fits too.
    fn plain_or_zero(&mut self) -> Option<i64> {
        if self.rest.starts_with('0') { self.number(1, 1, true) } else { self.plain() }
    }

    fn signed(&mut self, min: usize, max: usize) -> Option<i64> {
        let negative = self.rest.starts_with('-');
        if let Some(rest) = self.rest.strip_prefix(['+', '-']) {
            self.rest = rest;
        }
        let number = self.number(min, max, true)?;
        Some(if negative { -number } else { number })
    }

    fn token(&mut self, token: &str) -> Option<()> {
        const UNLIMITED: usize = usize::MAX;
        match token {
            "M" => self.parts.month = Some(self.plain()?),
            "MM" => self.parts.month = Some(self.number(2, 2, true)?),
            "MMM" | "MMMM" => self.parts.month = Some(self.month_name(token == "MMMM")?),
            "Q" => self.parts.month = Some((self.number(1, 1, true)? - 1) * 3 + 1),
            "D" => self.parts.day = Some(self.plain()?),
            "DD" => self.parts.day = Some(self.number(2, 2, true)?),
            "Do" => self.parts.day = Some(self.ordinal_day()?),
            "DDD" => self.parts.day_of_year = Some(self.number(1, 3, true)?),
            "DDDD" => self.parts.day_of_year = Some(self.number(3, 3, true)?),
            "Y" => self.parts.year = Some(self.signed(1, UNLIMITED)?),
            "YY" => self.parts.year = Some(two_digit_year(self.number(2, 2, true)?)),
            "YYYY" => self.parts.year = Some(self.number(4, 4, true)?),
            "YYYYY" | "YYYYYY" => self.parts.year = Some(self.signed(6, 6)?),
            "y" | "yy" | "yyy" | "yyyy" => self.parts.year = Some(self.number(1, UNLIMITED, true)?),
            "yo" => self.parts.year = Some(self.era_year_ordinal()?),
            "N" | "NN" | "NNN" | "NNNN" | "NNNNN" => self.parts.era = Some(self.era(token)?),
            "H" => self.parts.hour = Some(self.plain_or_zero()?),
            "HH" => self.parts.hour = Some(self.number(2, 2, true)?),
            "h" | "hh" => {
                self.parts.hour = Some(if token == "h" { self.plain()? } else { self.number(2, 2, true)? });
                self.parts.twelve_hours = true;
            }
            "k" | "kk" => {
                let hour = if token == "k" { self.plain()? } else { self.number(2, 2, true)? };
                self.parts.hour = Some(if hour == 24 { 0 } else { hour });
            }
            "hmm" | "Hmm" => self.clock(3, 4, token)?,
            "hmmss" | "Hmmss" => self.clock(5, 6, token)?,
            "m" => self.parts.minute = Some(self.plain_or_zero()?),
            "mm" => self.parts.minute = Some(self.number(2, 2, true)?),
            "s" => self.parts.second = Some(self.plain_or_zero()?),
            "ss" => self.parts.second = Some(self.number(2, 2, true)?),
            "a" | "A" => self.parts.meridiem = Some(self.meridiem()?),
            "X" => self.parts.timestamp = Some(self.unix_seconds()?),
            "x" => self.parts.timestamp = Some(self.signed(1, UNLIMITED)?),
            "Z" | "ZZ" => self.parts.offset = Some(self.offset()?),
            "G" | "g" => return self.signed(1, UNLIMITED).map(|_| ()),
            _ if !token.is_empty() && token.bytes().all(|byte| byte == b'S') => {
                self.parts.millisecond = Some(self.fraction(token.len())?);
            }
            _ => return self.week_token(token),
        }
        self.parts.any = true;
        Some(())
    }

    /// Tokens of weeks and weekdays, and text that is no token (`Mo`, `wo` and the like are none when
    /// reading).
    fn week_token(&mut self, token: &str) -> Option<()> {
        let week = match token {
            "w" | "W" => Some(self.plain()?),
            "ww" | "WW" | "gg" | "GG" => Some(self.number(2, 2, true)?),
            "gggg" | "GGGG" => Some(self.number(4, 4, true)?),
            "ggggg" | "GGGGG" => Some(self.signed(6, 6)?),
            "d" | "e" | "E" => Some(self.number(1, 2, true)?),
            "dd" | "ddd" | "dddd" => Some(self.weekday_name(token)?),
            "Mo" | "Qo" | "DDDo" | "do" | "wo" | "Wo" | "z" | "zz" => {
                self.parts.any = true;
                None
            }
            _ => None,
        };
        let Some(number) = week else { return self.text(token) };
        self.parts.any = true;
        let parts = &mut self.parts.week;
        parts.any = true;
        match token {
            "w" | "ww" => parts.local_week = Some(number),
            "W" | "WW" => parts.iso_week = Some(number),
            "gg" => parts.local_year = Some(two_digit_year(number)),
            "GG" => parts.iso_year = Some(two_digit_year(number)),
            "gggg" | "ggggg" => parts.local_year = Some(number),
            "GGGG" | "GGGGG" => parts.iso_year = Some(number),
            "e" => parts.local_weekday = Some(number),
            "E" => parts.iso_weekday = Some(number),
            _ => parts.weekday = Some(number),
        }
        Some(())
    }

    fn ordinal_day(&mut self) -> Option<i64> {
        let day = self.number(1, 2, true)?;
        let endings = self.locale.ordinal_endings;
        if !endings.is_empty() {
            let ending = endings.iter().find(|ending| self.rest.starts_with(**ending))?;
            self.take(ending.len())?;
        }
        Some(day)
    }

    fn clock(&mut self, min: usize, max: usize, token: &str) -> Option<()> {
        let digits = self.rest.bytes().take(max).take_while(u8::is_ascii_digit).count();
        if digits < min {
            return None;
        }
        let seconds = if token.ends_with("ss") { 2 } else { 0 };
        self.parts.hour = Some(self.number(1, digits - 2 - seconds, true)?);
        self.parts.minute = Some(self.number(2, 2, true)?);
        if seconds > 0 {
            self.parts.second = Some(self.number(2, 2, true)?);
        }
        self.parts.twelve_hours |= token.starts_with('h');
        Some(())
    }

    /// A fraction of a second, in milliseconds.
    fn fraction(&mut self, length: usize) -> Option<i64> {
        let max = if length > 3 { usize::MAX } else { length };
        let digits = self.rest.bytes().take(max).take_while(u8::is_ascii_digit).count();
        if digits == 0 || (length <= 3 && digits < length) {
            return None;
        }
        let taken = self.take(digits)?;
        let milliseconds: String = taken.chars().chain("000".chars()).take(3).collect();
        milliseconds.parse().ok()
    }

    fn unix_seconds(&mut self) -> Option<i64> {
        let seconds = self.signed(1, usize::MAX)?;
        let mut milliseconds = 0;
        let fraction =
            self.rest.strip_prefix('.').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if let Some(rest) = fraction {
            let digits = rest.bytes().take(3).take_while(u8::is_ascii_digit).count();
            self.rest = rest;
            let padded: String = self.take(digits)?.chars().chain("000".chars()).take(3).collect();
            milliseconds = padded.parse().ok()?;
        }
        let milliseconds = if seconds < 0 { -milliseconds } else { milliseconds };
        seconds.checked_mul(1000)?.checked_add(milliseconds)
    }

    /// `Z`, `+02:00`, `+0200` or `+02`, in minutes.
    fn offset(&mut self) -> Option<i64> {
        if let Some(rest) = self.rest.strip_prefix(['Z', 'z']) {
            self.rest = rest;
            return Some(0);
        }
        let sign = if self.rest.starts_with('-') { -1 } else { 1 };
        self.rest = self.rest.strip_prefix(['+', '-'])?;
        let hours = self.number(2, 2, true)?;
        let after_colon = self.rest.strip_prefix(':').unwrap_or(self.rest);
        let two_digits = after_colon.bytes().take(2).filter(u8::is_ascii_digit).count() == 2;
        let mut minutes = 0;
        if two_digits {
            self.rest = after_colon;
            minutes = self.number(2, 2, true)?;
        }
        Some(sign * (hours * 60 + minutes))
    }

    fn meridiem(&mut self) -> Option<String> {
        if let Some(words) = self.locale.meridiem.words {
            let word = words.iter().find(|word| self.rest.starts_with(**word))?;
            return self.take(word.len()).map(str::to_owned);
        }
        let mut rest = self.rest.strip_prefix(['a', 'p', 'A', 'P'])?;
        rest = rest.strip_prefix('.').unwrap_or(rest);
        rest = rest.strip_prefix(['m', 'M']).unwrap_or(rest);
        rest = rest.strip_prefix('.').unwrap_or(rest);
        self.take(self.rest.len() - rest.len()).map(str::to_owned)
    }

    fn era(&mut self, token: &str) -> Option<&'static Era> {
        let eras = self.locale.eras;
        let name = |era: &'static Era| match token {
            "NNNN" => era.name,
            "NNNNN" => era.narrow,
            _ => era.abbreviation,
        };
        let (length, era) = eras.iter().find_map(|era| Some((prefix(self.rest, name(era))?, era)))?;
        self.take(length)?;
        Some(era)
    }

    /// `2年`, `元年` where the locale writes era years so, else digits.
    fn era_year_ordinal(&mut self) -> Option<i64> {
        if self.locale.name() != "ja" {
            return self.number(1, usize::MAX, true);
        }
        let year = match self.rest.strip_prefix('元') {
            Some(rest) => {
                self.rest = rest;
                1
            }
            None => self.number(1, usize::MAX, true)?,
        };
        self.rest = self.rest.strip_prefix('年')?;
        Some(year)
    }
}

/// Years up to 68 are of this century.
const fn two_digit_year(year: i64) -> i64 {
    if year > 68 { year + 1900 } else { year + 2000 }
}

/// The text that a bracket stands for when reading. Moment takes `[]` for the word "undefined", which is as
/// good as nothing that fits.
fn bracket_text(raw: &str) -> String {
    let raw = raw.replacen('\\', "", 1);
    let (inside, after) = raw.split_once(']').unwrap_or((&raw, ""));
    match inside.strip_prefix('[') {
        Some("") | None => format!("undefined{after}"),
        Some(text) => format!("{text}{after}"),
    }
}
