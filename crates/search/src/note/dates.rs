//! Days and moments: how the `created` property is read, and how answers show times.

use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, ZonedDateTime};

/// How answers show a moment: RFC 3339, milliseconds, the zone's offset.
const SHOWN: &str = "%Y-%m-%dT%H:%M:%S%.3f%:z";

/// A `created` property that reads as a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Created {
    /// As answers show it.
    pub(crate) text: String,
    /// Its day in the index's time zone: `2026-01-31`.
    pub(crate) day: String,
}

/// Reads a date (`2026-01-31`: its midnight), a time without offset (`2026-01-31T10:00`, a space
/// instead of `T` is fine: both in `zone`), or one with an offset or `Z`.
pub(crate) fn created(raw: &str, zone: &TimeZone) -> Option<Created> {
    let raw = raw.trim();
    // The shortest of them has ten characters; ISO 8601's other spellings (weeks, `20260131`) are
    // not what people mean by a number or a short text.
    if !raw.is_ascii() || raw.get(4..5) != Some("-") || raw.get(7..8) != Some("-") {
        return None;
    }
    let moment = match raw.parse::<Timestamp>() {
        Ok(timestamp) => timestamp.to_zoned_datetime(zone.clone()),
        Err(_) => raw.parse::<DateTime>().ok()?.to_zoned_datetime(zone.clone()).ok()?,
    };
    Some(Created { text: shown(&moment), day: moment.date().to_string() })
}

/// A moment as answers show it; `nanoseconds` since 1970. A moment beyond the calendar is its start.
pub(crate) fn show_nanoseconds(nanoseconds: i64, zone: &TimeZone) -> String {
    let timestamp = Timestamp::from_nanosecond(i128::from(nanoseconds)).unwrap_or(Timestamp::UNIX_EPOCH);
    show(timestamp, zone)
}

/// A moment as answers show it.
pub(crate) fn show(timestamp: Timestamp, zone: &TimeZone) -> String {
    shown(&timestamp.to_zoned_datetime(zone.clone()))
}

fn shown(moment: &ZonedDateTime) -> String {
    // Before zones had whole minutes their clocks went by the sun; RFC 3339 and SQLite know no seconds
    // in an offset, so the same moment is shown by the nearest one without.
    let seconds = moment.offset().seconds();
    let whole = (f64::from(seconds) / 60.0).round() as i32 * 60;
    match Offset::from_seconds(whole) {
        Ok(offset) if whole != seconds => {
            moment.with_time_zone(offset.to_time_zone()).strftime(SHOWN).to_string()
        }
        _ => moment.strftime(SHOWN).to_string(),
    }
}

/// When a day begins in a zone, in nanoseconds since 1970; as far as those go for a day beyond them.
pub(crate) fn day_start(day: Date, zone: &TimeZone) -> i64 {
    let beyond = if day.year() < 1970 { i64::MIN } else { i64::MAX };
    let start = day.to_zoned_datetime(zone.clone()).and_then(|noon| noon.start_of_day());
    start.ok().and_then(|start| i64::try_from(start.timestamp().as_nanosecond()).ok()).unwrap_or(beyond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(raw: &str, zone: &str, text: &str, day: &str) {
        let zone = TimeZone::get(zone).expect("a zone of the bundled database");
        let read = created(raw, &zone).expect("reads as a moment");
        assert_eq!((read.text.as_str(), read.day.as_str()), (text, day));
    }

    #[test]
    fn dates_and_times_are_read_in_the_zone() {
        reads("2026-01-31", "UTC", "2026-01-31T00:00:00.000+00:00", "2026-01-31");
        reads("2026-01-31", "Europe/Berlin", "2026-01-31T00:00:00.000+01:00", "2026-01-31");
        reads("2026-01-31T10:20", "UTC", "2026-01-31T10:20:00.000+00:00", "2026-01-31");
        reads(" 2026-01-31 10:20:30.25 ", "UTC", "2026-01-31T10:20:30.250+00:00", "2026-01-31");
        reads("2026-01-10T10:00:00-05:00", "UTC", "2026-01-10T15:00:00.000+00:00", "2026-01-10");
        reads("2026-01-10T23:30:00Z", "Asia/Tokyo", "2026-01-11T08:30:00.000+09:00", "2026-01-11");
    }

    #[test]
    fn a_time_that_the_clocks_skip_moves_forward() {
        reads("2026-03-29T02:30", "Europe/Berlin", "2026-03-29T03:30:00.000+02:00", "2026-03-29");
    }

    #[test]
    fn moments_from_before_time_zones_are_shown_as_rfc_3339_can() {
        reads("1880-01-01", "America/New_York", "1880-01-01T00:00:02.000-04:56", "1880-01-01");
        reads("1880-01-01", "Europe/Berlin", "1879-12-31T23:59:32.000+00:53", "1880-01-01");
        reads("1880-01-01", "Asia/Tokyo", "1880-01-01T00:00:01.000+09:19", "1880-01-01");
        reads("1880-01-01", "UTC", "1880-01-01T00:00:00.000+00:00", "1880-01-01");
    }

    #[test]
    fn anything_else_is_no_date() {
        for raw in [
            "",
            "yesterday",
            "2026",
            "20260131",
            "2026-13-01",
            "2026-02-30",
            "31.01.2026",
            "{{date}}",
            "２０２６-01-31",
        ] {
            assert_eq!(created(raw, &TimeZone::UTC), None, "{raw:?}");
        }
    }

    #[test]
    fn days_begin_where_the_zone_says() {
        let zone = TimeZone::get("America/Sao_Paulo").expect("a zone of the bundled database");
        // Daylight saving began at midnight: the day starts at 01:00 (-02:00).
        let day = Date::constant(2018, 11, 4);
        assert_eq!(show_nanoseconds(day_start(day, &zone), &zone), "2018-11-04T01:00:00.000-02:00");
        assert_eq!(day_start(Date::MAX, &zone), i64::MAX);
        assert_eq!(day_start(Date::MIN, &zone), i64::MIN);
    }
}
