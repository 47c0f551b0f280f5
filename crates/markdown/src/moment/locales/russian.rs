//! Russian, with its months and weekdays in two cases.

use super::{BASE, MONDAY_FIRST, half_day_hour};
use crate::moment::locale::Locale;
use crate::moment::locale::Meridiem;
use crate::moment::locale::MonthPlace;
use crate::moment::locale::MonthWords;
use crate::moment::locale::MonthsInFormat;
use crate::moment::locale::Unit;

pub(in crate::moment) static RUSSIAN: Locale = Locale {
    name: "ru",
    months: [
        "январь",
        "февраль",
        "март",
        "апрель",
        "май",
        "июнь",
        "июль",
        "август",
        "сентябрь",
        "октябрь",
        "ноябрь",
        "декабрь",
    ],
    months_short: [
        "янв.",
        "февр.",
        "март",
        "апр.",
        "май",
        "июнь",
        "июль",
        "авг.",
        "сент.",
        "окт.",
        "нояб.",
        "дек.",
    ],
    months_in_format: Some(MonthsInFormat {
        long: [
            "января",
            "февраля",
            "марта",
            "апреля",
            "мая",
            "июня",
            "июля",
            "августа",
            "сентября",
            "октября",
            "ноября",
            "декабря",
        ],
        short: [
            "янв.",
            "февр.",
            "мар.",
            "апр.",
            "мая",
            "июня",
            "июля",
            "авг.",
            "сент.",
            "окт.",
            "нояб.",
            "дек.",
        ],
        place: MonthPlace::AfterDay,
    }),
    month_words: MonthWords::Spellings(
        &[
            ("января", 1),
            ("январь", 1),
            ("февраля", 2),
            ("февраль", 2),
            ("марта", 3),
            ("март", 3),
            ("апреля", 4),
            ("апрель", 4),
            ("мая", 5),
            ("май", 5),
            ("июня", 6),
            ("июнь", 6),
            ("июля", 7),
            ("июль", 7),
            ("августа", 8),
            ("август", 8),
            ("сентября", 9),
            ("сентябрь", 9),
            ("октября", 10),
            ("октябрь", 10),
            ("ноября", 11),
            ("ноябрь", 11),
            ("декабря", 12),
            ("декабрь", 12),
        ],
        &[
            ("янв.", 1),
            ("февр.", 2),
            ("фев.", 2),
            ("март", 3),
            ("мар.", 3),
            ("апр.", 4),
            ("мая", 5),
            ("май", 5),
            ("июнь", 6),
            ("июня", 6),
            ("июн.", 6),
            ("июль", 7),
            ("июля", 7),
            ("июл.", 7),
            ("авг.", 8),
            ("сент.", 9),
            ("сен.", 9),
            ("окт.", 10),
            ("нояб.", 11),
            ("ноя.", 11),
            ("дек.", 12),
        ],
    ),
    weekdays: ["воскресенье", "понедельник", "вторник", "среда", "четверг", "пятница", "суббота"],
    weekdays_short: ["вс", "пн", "вт", "ср", "чт", "пт", "сб"],
    weekdays_min: ["вс", "пн", "вт", "ср", "чт", "пт", "сб"],
    long_formats: [
        "H:mm",
        "H:mm:ss",
        "DD.MM.YYYY",
        "D MMMM YYYY г.",
        "D MMMM YYYY г., H:mm",
        "dddd, D MMMM YYYY г., H:mm",
    ],
    ordinal: |number, unit| match unit {
        Unit::Month | Unit::Weekday | Unit::DayOfYear => format!("{number}-й"),
        Unit::Day => format!("{number}-го"),
        Unit::Week | Unit::IsoWeek => format!("{number}-я"),
        Unit::Quarter | Unit::EraYear => number.to_string(),
    },
    ordinal_endings: &["-й", "-го", "-я"],
    meridiem: Meridiem {
        name: |hour, _, _| match hour {
            0..4 => "ночи",
            4..12 => "утра",
            12..17 => "дня",
            _ => "вечера",
        },
        words: Some(&["ночи", "утра", "дня", "вечера"]),
        hour: |hour, word| half_day_hour(hour, matches!(word, "дня" | "вечера")),
    },
    first_weekday: MONDAY_FIRST.0,
    first_week_day: MONDAY_FIRST.1,
    ..BASE
};

/// Weekdays after "in", "last", "next", "this".
pub(in crate::moment) const WEEKDAYS_INFLECTED: [&str; 7] =
    ["воскресенье", "понедельник", "вторник", "среду", "четверг", "пятницу", "субботу"];

/// Whether a bracket with "в", or with "в" and one of three adjectives, stands before `dddd`.
pub(in crate::moment) fn weekday_is_inflected(format: &str) -> bool {
    format.match_indices(']').any(|(index, _)| {
        let after = format.get(index + 1..).unwrap_or_default();
        let before = format.get(..index).unwrap_or_default();
        let inside = before.rfind('[').and_then(|open| before.get(open + 1..)).unwrap_or_default();
        let words = inside.trim_matches(' ');
        let adjective = words.strip_prefix(['В', 'в']).map(|rest| rest.trim_matches(' '));
        after.trim_start_matches(' ').starts_with("dddd")
            && matches!(adjective, Some("" | "прошлую" | "следующую" | "эту"))
    })
}
