//! Japanese, Chinese, Arabic.

use super::{BASE, MONDAY_FIRST, half_day_hour};
use crate::moment::locale::Digits;
use crate::moment::locale::Era;
use crate::moment::locale::Locale;
use crate::moment::locale::Meridiem;
use crate::moment::locale::Unit;

const NUMBERED_MONTHS: [&str; 12] =
    ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"];

pub(in crate::moment) static JAPANESE: Locale = Locale {
    name: "ja",
    months: NUMBERED_MONTHS,
    months_short: NUMBERED_MONTHS,
    weekdays: ["日曜日", "月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日"],
    weekdays_short: ["日", "月", "火", "水", "木", "金", "土"],
    weekdays_min: ["日", "月", "火", "水", "木", "金", "土"],
    long_formats: [
        "HH:mm",
        "HH:mm:ss",
        "YYYY/MM/DD",
        "YYYY年M月D日",
        "YYYY年M月D日 HH:mm",
        "YYYY年M月D日 dddd HH:mm",
    ],
    short_formats: Some(["YYYY/MM/DD", "YYYY年M月D日", "YYYY年M月D日 HH:mm", "YYYY年M月D日(ddd) HH:mm"]),
    ordinal: |number, unit| match unit {
        Unit::EraYear if number == 1 => "元年".to_owned(),
        Unit::EraYear => format!("{number}年"),
        Unit::Weekday | Unit::Day | Unit::DayOfYear => format!("{number}日"),
        _ => number.to_string(),
    },
    ordinal_endings: &["日"],
    meridiem: Meridiem {
        name: |hour, _, _| if hour < 12 { "午前" } else { "午後" },
        words: Some(&["午前", "午後"]),
        hour: |hour, word| half_day_hour(hour, word == "午後"),
    },
    eras: &JAPANESE_ERAS,
    ..BASE
};

const fn era(
    since: (i64, i64, i64),
    until: Option<(i64, i64, i64)>,
    offset: i64,
    [name, narrow, abbreviation]: [&'static str; 3],
) -> Era {
    Era { since, until, backwards: false, offset, name, narrow, abbreviation }
}

static JAPANESE_ERAS: [Era; 7] = [
    era((2019, 5, 1), None, 1, ["令和", "㋿", "R"]),
    era((1989, 1, 8), Some((2019, 4, 30)), 1, ["平成", "㍻", "H"]),
    era((1926, 12, 25), Some((1989, 1, 7)), 1, ["昭和", "㍼", "S"]),
    era((1912, 7, 30), Some((1926, 12, 24)), 1, ["大正", "㍽", "T"]),
    era((1873, 1, 1), Some((1912, 7, 29)), 6, ["明治", "㍾", "M"]),
    era((1, 1, 1), Some((1873, 12, 31)), 1, ["西暦", "AD", "AD"]),
    Era {
        since: (0, 12, 31),
        until: None,
        backwards: true,
        offset: 1,
        name: "紀元前",
        narrow: "BC",
        abbreviation: "BC",
    },
];

pub(in crate::moment) static CHINESE: Locale = Locale {
    name: "zh-cn",
    months: [
        "一月",
        "二月",
        "三月",
        "四月",
        "五月",
        "六月",
        "七月",
        "八月",
        "九月",
        "十月",
        "十一月",
        "十二月",
    ],
    months_short: NUMBERED_MONTHS,
    weekdays: ["星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"],
    weekdays_short: ["周日", "周一", "周二", "周三", "周四", "周五", "周六"],
    weekdays_min: ["日", "一", "二", "三", "四", "五", "六"],
    long_formats: [
        "HH:mm",
        "HH:mm:ss",
        "YYYY/MM/DD",
        "YYYY年M月D日",
        "YYYY年M月D日Ah点mm分",
        "YYYY年M月D日ddddAh点mm分",
    ],
    short_formats: Some(["YYYY/M/D", "YYYY年M月D日", "YYYY年M月D日 HH:mm", "YYYY年M月D日dddd HH:mm"]),
    ordinal: |number, unit| match unit {
        Unit::Weekday | Unit::Day | Unit::DayOfYear => format!("{number}日"),
        Unit::Month => format!("{number}月"),
        Unit::Week | Unit::IsoWeek => format!("{number}周"),
        Unit::Quarter | Unit::EraYear => number.to_string(),
    },
    ordinal_endings: &["日", "月", "周"],
    meridiem: Meridiem {
        name: |hour, minute, _| match hour * 100 + minute {
            ..600 => "凌晨",
            600..900 => "早上",
            900..1130 => "上午",
            1130..1230 => "中午",
            1230..1800 => "下午",
            _ => "晚上",
        },
        words: Some(&["凌晨", "早上", "上午", "中午", "下午", "晚上"]),
        hour: |hour, word| {
            let hour = if hour == 12 { 0 } else { hour };
            match word {
                "凌晨" | "早上" | "上午" => hour,
                "下午" | "晚上" => hour + 12,
                _ if hour >= 11 => hour,
                _ => hour + 12,
            }
        },
    },
    first_weekday: MONDAY_FIRST.0,
    first_week_day: MONDAY_FIRST.1,
    ..BASE
};

const ARABIC_MONTHS: [&str; 12] = [
    "يناير",
    "فبراير",
    "مارس",
    "أبريل",
    "مايو",
    "يونيو",
    "يوليو",
    "أغسطس",
    "سبتمبر",
    "أكتوبر",
    "نوفمبر",
    "ديسمبر",
];

pub(in crate::moment) static ARABIC: Locale = Locale {
    name: "ar",
    months: ARABIC_MONTHS,
    months_short: ARABIC_MONTHS,
    weekdays: ["الأحد", "الإثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت"],
    weekdays_short: ["أحد", "إثنين", "ثلاثاء", "أربعاء", "خميس", "جمعة", "سبت"],
    weekdays_min: ["ح", "ن", "ث", "ر", "خ", "ج", "س"],
    exact_weekdays: true,
    long_formats: [
        "HH:mm",
        "HH:mm:ss",
        "D/\u{200f}M/\u{200f}YYYY",
        "D MMMM YYYY",
        "D MMMM YYYY HH:mm",
        "dddd D MMMM YYYY HH:mm",
    ],
    meridiem: Meridiem {
        name: |hour, _, _| if hour < 12 { "ص" } else { "م" },
        words: Some(&["ص", "م"]),
        hour: |hour, word| half_day_hour(hour, word == "م"),
    },
    first_weekday: 6,
    first_week_day: 12,
    digits: Some(Digits {
        digits: ['٠', '١', '٢', '٣', '٤', '٥', '٦', '٧', '٨', '٩'], comma: '،'
    }),
    ..BASE
};
