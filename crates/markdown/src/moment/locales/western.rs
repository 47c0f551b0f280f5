//! English, German, Polish, Turkish.

use super::{BASE, MONDAY_FIRST, half_day_hour};
use crate::moment::locale::Locale;
use crate::moment::locale::Meridiem;
use crate::moment::locale::MonthPlace;
use crate::moment::locale::MonthWords;
use crate::moment::locale::MonthsInFormat;
use crate::moment::locale::Unit;

pub(in crate::moment) static ENGLISH: Locale =
    Locale { name: "en", ordinal: english_ordinal, ordinal_endings: &["th", "st", "nd", "rd"], ..BASE };

pub(in crate::moment) static BRITISH: Locale = Locale {
    name: "en-gb",
    long_formats: [
        "HH:mm",
        "HH:mm:ss",
        "DD/MM/YYYY",
        "D MMMM YYYY",
        "D MMMM YYYY HH:mm",
        "dddd, D MMMM YYYY HH:mm",
    ],
    ordinal: english_ordinal,
    ordinal_endings: &["st", "nd", "rd", "th"],
    first_weekday: MONDAY_FIRST.0,
    first_week_day: MONDAY_FIRST.1,
    ..BASE
};

fn english_ordinal(number: i64, _: Unit) -> String {
    let ending = match (number % 100 / 10, number % 10) {
        (1, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

pub(in crate::moment) static GERMAN: Locale = Locale {
    name: "de",
    months: [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    months_short: [
        "Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sep.", "Okt.", "Nov.", "Dez.",
    ],
    month_words: MonthWords::Exact,
    weekdays: ["Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"],
    weekdays_short: ["So.", "Mo.", "Di.", "Mi.", "Do.", "Fr.", "Sa."],
    weekdays_min: ["So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"],
    exact_weekdays: true,
    long_formats: [
        "HH:mm",
        "HH:mm:ss",
        "DD.MM.YYYY",
        "D. MMMM YYYY",
        "D. MMMM YYYY HH:mm",
        "dddd, D. MMMM YYYY HH:mm",
    ],
    ordinal: dotted_ordinal,
    ordinal_endings: &["."],
    first_weekday: MONDAY_FIRST.0,
    first_week_day: MONDAY_FIRST.1,
    ..BASE
};

fn dotted_ordinal(number: i64, _: Unit) -> String {
    format!("{number}.")
}

pub(in crate::moment) static POLISH: Locale = Locale {
    name: "pl",
    months: [
        "styczeń",
        "luty",
        "marzec",
        "kwiecień",
        "maj",
        "czerwiec",
        "lipiec",
        "sierpień",
        "wrzesień",
        "październik",
        "listopad",
        "grudzień",
    ],
    months_short: ["sty", "lut", "mar", "kwi", "maj", "cze", "lip", "sie", "wrz", "paź", "lis", "gru"],
    months_in_format: Some(MonthsInFormat {
        long: [
            "stycznia",
            "lutego",
            "marca",
            "kwietnia",
            "maja",
            "czerwca",
            "lipca",
            "sierpnia",
            "września",
            "października",
            "listopada",
            "grudnia",
        ],
        short: ["sty", "lut", "mar", "kwi", "maj", "cze", "lip", "sie", "wrz", "paź", "lis", "gru"],
        place: MonthPlace::AfterDayAndSpace,
    }),
    month_words: MonthWords::Prefixes(&POLISH_MONTHS),
    weekdays: ["niedziela", "poniedziałek", "wtorek", "środa", "czwartek", "piątek", "sobota"],
    weekdays_short: ["ndz", "pon", "wt", "śr", "czw", "pt", "sob"],
    weekdays_min: ["Nd", "Pn", "Wt", "Śr", "Cz", "Pt", "So"],
    long_formats: [
        "HH:mm",
        "HH:mm:ss",
        "DD.MM.YYYY",
        "D MMMM YYYY",
        "D MMMM YYYY HH:mm",
        "dddd, D MMMM YYYY HH:mm",
    ],
    ordinal: dotted_ordinal,
    ordinal_endings: &["."],
    first_weekday: MONDAY_FIRST.0,
    first_week_day: MONDAY_FIRST.1,
    ..BASE
};

/// A word that begins like this is the month.
static POLISH_MONTHS: [&str; 12] =
    ["sty", "lut", "mar", "kwi", "maj", "cze", "lip", "sie", "wrz", "paź", "lis", "gru"];

pub(in crate::moment) static TURKISH: Locale = Locale {
    name: "tr",
    months: [
        "Ocak", "Şubat", "Mart", "Nisan", "Mayıs", "Haziran", "Temmuz", "Ağustos", "Eylül", "Ekim", "Kasım",
        "Aralık",
    ],
    months_short: ["Oca", "Şub", "Mar", "Nis", "May", "Haz", "Tem", "Ağu", "Eyl", "Eki", "Kas", "Ara"],
    weekdays: ["Pazar", "Pazartesi", "Salı", "Çarşamba", "Perşembe", "Cuma", "Cumartesi"],
    weekdays_short: ["Paz", "Pzt", "Sal", "Çar", "Per", "Cum", "Cmt"],
    weekdays_min: ["Pz", "Pt", "Sa", "Ça", "Pe", "Cu", "Ct"],
    long_formats: [
        "HH:mm",
        "HH:mm:ss",
        "DD.MM.YYYY",
        "D MMMM YYYY",
        "D MMMM YYYY HH:mm",
        "dddd, D MMMM YYYY HH:mm",
    ],
    ordinal: turkish_ordinal,
    meridiem: Meridiem {
        name: |hour, _, lower| match (hour < 12, lower) {
            (true, true) => "öö",
            (true, false) => "ÖÖ",
            (false, true) => "ös",
            (false, false) => "ÖS",
        },
        words: Some(&["öö", "ÖÖ", "ös", "ÖS"]),
        hour: |hour, word| half_day_hour(hour, matches!(word, "ös" | "ÖS")),
    },
    first_weekday: 1,
    first_week_day: 7,
    ..BASE
};

fn turkish_ordinal(number: i64, unit: Unit) -> String {
    if matches!(unit, Unit::Day | Unit::Weekday) {
        return number.to_string();
    }
    let suffix = |number: i64| match number {
        1 | 5 | 8 | 70 | 80 => Some("'inci"),
        2 | 7 | 20 | 50 => Some("'nci"),
        3 | 4 | 100 => Some("'üncü"),
        6 => Some("'ncı"),
        9 | 10 | 30 => Some("'uncu"),
        60 | 90 => Some("'ıncı"),
        _ => None,
    };
    if number == 0 {
        return "0'ıncı".to_owned();
    }
    let ones = number % 10;
    let ending = suffix(ones)
        .or_else(|| suffix(number % 100 - ones))
        .or_else(|| suffix(100).filter(|_| number >= 100));
    format!("{number}{}", ending.unwrap_or("undefined"))
}
