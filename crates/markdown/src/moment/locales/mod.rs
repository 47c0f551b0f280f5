//! The tables of the locales: names and rules as moment 2.30.1 has them.

mod eastern;
mod romance;
mod russian;
mod western;

pub(super) use eastern::{ARABIC, CHINESE, JAPANESE};
pub(super) use romance::{FRENCH, PORTUGUESE_BRAZIL, SPANISH};
pub(super) use russian::RUSSIAN;
pub(super) use russian::WEEKDAYS_INFLECTED as RUSSIAN_WEEKDAYS_INFLECTED;
pub(super) use russian::weekday_is_inflected as russian_weekday_is_inflected;
pub(super) use western::{BRITISH, ENGLISH, GERMAN, POLISH, TURKISH};

use super::locale::Era;
use super::locale::Locale;
use super::locale::Meridiem;
use super::locale::MonthWords;
use super::locale::Unit;

/// Every locale known here.
pub(super) static ALL: [&Locale; 12] = [
    &ENGLISH,
    &BRITISH,
    &GERMAN,
    &FRENCH,
    &SPANISH,
    &PORTUGUESE_BRAZIL,
    &RUSSIAN,
    &POLISH,
    &TURKISH,
    &JAPANESE,
    &CHINESE,
    &ARABIC,
];

/// Moment's defaults, on which every locale builds.
const BASE: Locale = Locale {
    name: "",
    months: [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    months_short: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    months_in_format: None,
    month_words: MonthWords::Words,
    weekdays: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
    weekdays_short: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
    weekdays_min: ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"],
    exact_weekdays: false,
    long_formats: [
        "h:mm A",
        "h:mm:ss A",
        "MM/DD/YYYY",
        "MMMM D, YYYY",
        "MMMM D, YYYY h:mm A",
        "dddd, MMMM D, YYYY h:mm A",
    ],
    short_formats: None,
    ordinal: plain_ordinal,
    ordinal_endings: &[],
    meridiem: Meridiem { name: latin_meridiem, words: None, hour: latin_hour },
    first_weekday: 0,
    first_week_day: 6,
    eras: &COMMON_ERAS,
    digits: None,
};

/// ISO weeks: Monday first, week 1 holds 4 January.
const MONDAY_FIRST: (i64, i64) = (1, 4);

static COMMON_ERAS: [Era; 2] = [
    Era {
        since: (1, 1, 1),
        until: None,
        backwards: false,
        offset: 1,
        name: "Anno Domini",
        narrow: "AD",
        abbreviation: "AD",
    },
    Era {
        since: (0, 12, 31),
        until: None,
        backwards: true,
        offset: 1,
        name: "Before Christ",
        narrow: "BC",
        abbreviation: "BC",
    },
];

fn plain_ordinal(number: i64, _: Unit) -> String {
    number.to_string()
}

const fn latin_meridiem(hour: i64, _: i64, lower: bool) -> &'static str {
    match (hour > 11, lower) {
        (true, true) => "pm",
        (true, false) => "PM",
        (false, true) => "am",
        (false, false) => "AM",
    }
}

fn latin_hour(hour: i64, word: &str) -> i64 {
    half_day_hour(hour, word.starts_with(['p', 'P']))
}

/// The hour of the day from an hour on a twelve-hour clock.
const fn half_day_hour(hour: i64, afternoon: bool) -> i64 {
    if afternoon && hour < 12 {
        hour + 12
    } else if !afternoon && hour == 12 {
        0
    } else {
        hour
    }
}
