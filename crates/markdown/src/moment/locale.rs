//! What differs between languages: names, long formats, ordinals, the halves of the day, weeks, digits.

use std::borrow::Cow;

use jiff::civil::Date;

use super::locales;

/// The conventions of one language, as moment's locale of that name has them.
pub struct Locale {
    pub(super) name: &'static str,
    pub(super) months: [&'static str; 12],
    pub(super) months_short: [&'static str; 12],
    /// Names used where the month follows a day, and where that is.
    pub(super) months_in_format: Option<MonthsInFormat>,
    /// What a strict reader takes for a month: long and short names.
    pub(super) month_words: MonthWords,
    pub(super) weekdays: [&'static str; 7],
    pub(super) weekdays_short: [&'static str; 7],
    pub(super) weekdays_min: [&'static str; 7],
    /// Weekday names are matched at the place, longest first, not as whole words.
    pub(super) exact_weekdays: bool,
    /// `LT`, `LTS`, `L`, `LL`, `LLL`, `LLLL`.
    pub(super) long_formats: [&'static str; 6],
    /// `l`, `ll`, `lll`, `llll` where they are not made from the capital ones.
    pub(super) short_formats: Option<[&'static str; 4]>,
    pub(super) ordinal: fn(i64, Unit) -> String,
    /// What may follow the number of `Do`; empty: nothing does.
    pub(super) ordinal_endings: &'static [&'static str],
    pub(super) meridiem: Meridiem,
    /// Sunday is 0.
    pub(super) first_weekday: i64,
    pub(super) first_week_day: i64,
    pub(super) eras: &'static [Era],
    /// Digits and a comma of its own.
    pub(super) digits: Option<Digits>,
}

/// Month names in a running date, where a language inflects them.
pub(super) struct MonthsInFormat {
    pub(super) long: [&'static str; 12],
    pub(super) short: [&'static str; 12],
    pub(super) place: MonthPlace,
}

/// In which formats the inflected names stand.
#[derive(PartialEq, Eq)]
pub(super) enum MonthPlace {
    /// After a day token, with spaces or brackets between: `D MMMM`, `Do [of] MMM`.
    AfterDay,
    /// Exactly `D MMMM`, long names only.
    AfterDayAndSpace,
    /// `-MMM-`, short names only.
    BetweenHyphens,
}

/// How a strict reader finds months.
pub(super) enum MonthWords {
    /// A whole word that equals a name, a first full stop left out.
    Words,
    /// A whole word that begins like this.
    Prefixes(&'static [&'static str; 12]),
    /// A name, longest first.
    Exact,
    /// These spellings, the first that fits; long and short.
    Spellings(&'static [(&'static str, u8)], &'static [(&'static str, u8)]),
}

/// What an ordinal counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Month,
    Quarter,
    Day,
    DayOfYear,
    Weekday,
    Week,
    IsoWeek,
    EraYear,
}

/// The halves (or more parts) of the day.
pub(super) struct Meridiem {
    /// Name at an hour and minute, in small letters or not.
    pub(super) name: fn(i64, i64, bool) -> &'static str,
    /// What a reader accepts; `None`: `am`, `a.m.`, `p` and the like.
    pub(super) words: Option<&'static [&'static str]>,
    /// The hour of the day, from the hour read and the word.
    pub(super) hour: fn(i64, &str) -> i64,
}

/// A span of years with a name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Era {
    pub(super) since: (i64, i64, i64),
    /// `None`: to the end of time, in the era's direction.
    pub(super) until: Option<(i64, i64, i64)>,
    /// Years count backwards from `since`.
    pub(super) backwards: bool,
    pub(super) offset: i64,
    pub(super) name: &'static str,
    pub(super) narrow: &'static str,
    pub(super) abbreviation: &'static str,
}

/// Digits 0 to 9 and the comma.
pub(super) struct Digits {
    pub(super) digits: [char; 10],
    pub(super) comma: char,
}

fn nth<T: Copy + Default>(list: &[T], index: i64) -> T {
    usize::try_from(index).ok().and_then(|index| list.get(index)).copied().unwrap_or_default()
}

impl Locale {
    /// The locale with moment's name for it (`en`, `de`, `pt-br`), case ignored; a longer tag (`de-AT`) falls
    /// back to its language. `None` when it is not among those known here.
    pub fn find(tag: &str) -> Option<&'static Self> {
        let tag = tag.replace('_', "-").to_ascii_lowercase();
        let find = |name: &str| locales::ALL.iter().copied().find(|locale| locale.name == name);
        find(&tag).or_else(|| find(tag.split('-').next().unwrap_or_default())).or_else(|| {
            match tag.as_str() {
                "zh" | "zh-hans" => find("zh-cn"),
                _ => None,
            }
        })
    }

    /// English as in the United States: moment's default.
    pub const fn english() -> &'static Self {
        &locales::ENGLISH
    }

    /// Moment's name of the locale.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Names of all known locales.
    pub fn names() -> impl Iterator<Item = &'static str> {
        locales::ALL.iter().map(|locale| locale.name)
    }

    /// The format behind `L`, `LT`, `ll` …
    pub(super) fn long_format(&self, token: &str) -> Cow<'static, str> {
        let [lt, lts, l, ll, lll, llll] = self.long_formats;
        let upper = match token {
            "LT" => return Cow::Borrowed(lt),
            "LTS" => return Cow::Borrowed(lts),
            "L" | "l" => l,
            "LL" | "ll" => ll,
            "LLL" | "lll" => lll,
            _ => llll,
        };
        if token.starts_with('L') {
            return Cow::Borrowed(upper);
        }
        if let Some(short) = &self.short_formats {
            return Cow::Borrowed(nth(short, i64::try_from(token.len()).unwrap_or(1) - 1));
        }
        let shortened = super::tokens::pieces(upper).into_iter().map(|piece| match piece.raw() {
            raw @ ("MMMM" | "MM" | "DD" | "dddd") => raw.get(1..).unwrap_or_default(),
            raw => raw,
        });
        Cow::Owned(shortened.collect())
    }

    pub(super) fn month_long(&self, month: i64, format: &str) -> &'static str {
        let names = match &self.months_in_format {
            Some(inflected)
                if inflected.place != MonthPlace::BetweenHyphens && inflected.place.is_in(format) =>
            {
                &inflected.long
            }
            _ => &self.months,
        };
        nth(names, month - 1)
    }

    pub(super) fn month_short(&self, month: i64, format: &str) -> &'static str {
        let names = match &self.months_in_format {
            Some(inflected)
                if inflected.place != MonthPlace::AfterDayAndSpace && inflected.place.is_in(format) =>
            {
                &inflected.short
            }
            _ => &self.months_short,
        };
        nth(names, month - 1)
    }

    pub(super) fn weekday_long(&self, weekday: i64, format: &str) -> &'static str {
        if self.name == "ru" && locales::russian_weekday_is_inflected(format) {
            return nth(&locales::RUSSIAN_WEEKDAYS_INFLECTED, weekday);
        }
        nth(&self.weekdays, weekday)
    }

    pub(super) fn weekday_short(&self, weekday: i64) -> &'static str {
        nth(&self.weekdays_short, weekday)
    }

    pub(super) fn weekday_min(&self, weekday: i64) -> &'static str {
        nth(&self.weekdays_min, weekday)
    }

    pub(super) fn ordinal(&self, number: i64, unit: Unit) -> String {
        (self.ordinal)(number, unit)
    }

    pub(super) fn meridiem(&self, hour: i64, minute: i64, lower: bool) -> &'static str {
        (self.meridiem.name)(hour, minute, lower)
    }

    /// The era a day lies in.
    pub(super) fn era(&self, date: Date) -> Option<&'static Era> {
        let day = (i64::from(date.year()), i64::from(date.month()), i64::from(date.day()));
        self.eras.iter().find(|era| {
            if era.backwards {
                day <= era.since
            } else {
                era.since <= day && era.until.is_none_or(|until| day <= until)
            }
        })
    }

    /// The year of the era.
    pub(super) fn era_year(&self, date: Date) -> i64 {
        let year = i64::from(date.year());
        self.era(date).map_or(year, |era| {
            let years = year - era.since.0;
            (if era.backwards { -years } else { years }) + era.offset
        })
    }

    /// Puts the locale's own digits and comma in place of the ASCII ones.
    pub(super) fn write_digits(&self, text: String) -> String {
        let Some(own) = &self.digits else { return text };
        text.chars()
            .map(|character| match character.to_digit(10) {
                Some(digit) if character.is_ascii() => usize::try_from(digit)
                    .ok()
                    .and_then(|digit| own.digits.get(digit))
                    .copied()
                    .unwrap_or(character),
                _ if character == ',' => own.comma,
                _ => character,
            })
            .collect()
    }

    /// Puts ASCII digits and commas in place of the locale's own.
    pub(super) fn read_digits<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let Some(own) = &self.digits else { return Cow::Borrowed(text) };
        let ascii = |character: char| {
            let digit = own.digits.iter().position(|digit| *digit == character);
            let digit = digit.and_then(|digit| u32::try_from(digit).ok());
            match digit.and_then(|digit| char::from_digit(digit, 10)) {
                Some(digit) => digit,
                None if character == own.comma => ',',
                None => character,
            }
        };
        Cow::Owned(text.chars().map(ascii).collect())
    }
}

impl std::fmt::Debug for Locale {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Locale").field(&self.name).finish()
    }
}

impl MonthPlace {
    fn is_in(&self, format: &str) -> bool {
        match self {
            Self::AfterDayAndSpace => format.contains("D MMMM"),
            Self::BetweenHyphens => format.contains("-MMM-"),
            Self::AfterDay => format.match_indices('D').any(|(index, _)| {
                let after = format.get(index + 1..).unwrap_or_default();
                let after_pair = after.strip_prefix(['o', 'D']);
                [Some(after), after_pair].into_iter().flatten().any(month_follows)
            }),
        }
    }
}

/// Whether spaces or brackets, at least one, and then a month name follow.
fn month_follows(text: &str) -> bool {
    let mut rest = text;
    loop {
        let next = if let Some(inside) = rest.strip_prefix('[') {
            let end = inside.find(['[', ']']);
            end.and_then(|end| inside.get(end..)).and_then(|tail| tail.strip_prefix(']'))
        } else {
            rest.strip_prefix(char::is_whitespace)
        };
        match next {
            Some(next) => rest = next,
            None => return rest.len() < text.len() && rest.starts_with("MMM"),
        }
    }
}
