//! Dates by moment formats, as Obsidian's daily notes and templates use them.

use jiff::civil::Date;
use vault_cortex_markdown::moment;
use vault_cortex_markdown::moment::{Locale, Moment};

const TODAY: Date = Date::constant(2026, 3, 10);

#[track_caller]
fn written(date: Date, format: &str, locale: &str, expected: &str) {
    let locale = Locale::find(locale).expect("a known locale");
    assert_eq!(moment::format(date, format, locale), expected, "{format:?}");
}

#[track_caller]
fn read(text: &str, format: &str, expected: Option<&str>) {
    let date = moment::parse(text, format, Locale::english(), TODAY).map(|date| date.to_string());
    assert_eq!(date.as_deref(), expected, "{text:?} by {format:?}");
}

#[test]
fn folders_literals_and_tokens() {
    let date = Date::constant(2026, 6, 15);
    written(date, "YYYY/MM/YYYY-MM-DD", "en", "2026/06/2026-06-15");
    written(date, "YYYY/MMMM/YYYY-MMM-DD", "en", "2026/June/2026-Jun-15");
    written(date, "[Daily]/YYYY", "en", "Daily/2026");
    written(date, "Daily YYYY", "en", "15ami6/15/20262026 2026");
    written(date, "YYYY-mm-DD", "en", "2026-00-15");
    written(date, "yyyy-MM-dd", "en", "2026-06-Mo");
    written(date, "[[]YYYY[]] \\YYYY [Q]Q", "en", "[2026] YYYY Q2");
}

#[test]
fn weeks_follow_the_locale() {
    let sunday = Date::constant(2024, 12, 29);
    written(sunday, "gggg-[W]ww", "en", "2025-W01");
    written(sunday, "gggg-[W]ww", "de", "2024-W52");
    written(sunday, "GGGG-[W]WW", "en", "2024-W52");
}

#[test]
fn names_follow_the_locale() {
    let date = Date::constant(2026, 3, 1);
    written(date, "dddd, D. MMMM YYYY", "de", "Sonntag, 1. März 2026");
    written(date, "D MMMM", "pl", "1 marca");
    written(date, "MMMM", "pl", "marzec");
    written(date, "D MMMM", "ru", "1 марта");
    written(date, "[в] dddd", "ru", "в воскресенье");
    written(date, "Do", "fr", "1er");
    written(date, "yo", "ja", "8年");
    written(date, "LL", "ar", "١ مارس ٢٠٢٦");
    assert!(Locale::find("de-AT").is_some_and(|locale| locale.name() == "de"));
    assert!(Locale::find("xx").is_none());
}

#[test]
fn offsets_and_zones() {
    let at = Moment { civil: Date::constant(2026, 3, 1).at(8, 5, 0, 0), offset_minutes: -210, zone: "NST" };
    assert_eq!(moment::format(at, "HH:mm Z ZZ z X", Locale::english()), "08:05 -03:30 -0330 NST 1772364900");
    assert_eq!(moment::format(at, "", Locale::english()), "2026-03-01T08:05:00-03:30");
}

#[test]
fn strict_reading() {
    read("2023/02/2024-01-02", "YYYY/MM/YYYY-MM-DD", Some("2024-01-02T00:00:00"));
    for text in ["2024-1-2", "2024-02-30", "20240102", "2024-01-02x", "x2024-01-02", "2024-13-01", ""] {
        read(text, "YYYY-MM-DD", None);
    }
    read("2026/june/2026-06-15", "YYYY/MMMM/YYYY-MM-DD", Some("2026-06-15T00:00:00"));
    read("2026-03-10 Monday", "YYYY-MM-DD dddd", None);
    read("2026-03-10 tuesday", "YYYY-MM-DD dddd", Some("2026-03-10T00:00:00"));
    read("2026-W11", "gggg-[W]ww", Some("2026-03-08T00:00:00"));
    read("2026-W11-2", "GGGG-[W]WW-E", Some("2026-03-10T00:00:00"));
    read("2024-366", "YYYY-DDDD", Some("2024-12-31T00:00:00"));
    read("2023-366", "YYYY-DDDD", None);
    read("3:04 PM", "h:mm A", Some("2026-03-10T15:04:00"));
    read("13:04 PM", "hh:mm A", None);
    read("24:00", "HH:mm", Some("2026-03-11T00:00:00"));
    read("03-12", "MM-DD", Some("2026-03-12T00:00:00"));
    read("12 BC", "y N", Some("-000011-01-01T00:00:00"));
    read("1772364900", "X", Some("2026-03-01T11:35:00"));
    read("2026-03-01T08:05-03:30", "YYYY-MM-DD[T]HH:mmZ", Some("2026-03-01T11:35:00"));
    read("text", "[text]", None);
}
