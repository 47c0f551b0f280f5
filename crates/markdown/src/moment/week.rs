//! Weeks of the year for any first weekday and any rule for the first week.
//!
//! `first_weekday` counts Sunday as 0. `first_week_day` is 7 plus the first weekday minus the day of January
//! that always lies in week 1: ISO (Monday, 4 January) is 1 and 4, the United States (Sunday, 1 January) 0
//! and 6.

use jiff::civil::Date;

/// Days in a year.
pub(super) fn days_in_year(year: i64) -> i64 {
    if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) { 366 } else { 365 }
}

/// Sunday 0 to Saturday 6.
pub(super) fn weekday(date: Date) -> i64 {
    i64::from(date.weekday().to_sunday_zero_offset())
}

/// The weekday of a day of January, which may be 0 or negative: Sunday 0.
fn january_weekday(year: i64, day: i64) -> i64 {
    // Days from a Sunday (2000-01-02) to 1 January of the year.
    let before = year - 1;
    let leap_days = before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    // 1 January of year 1 was a Monday.
    (before * 365 + leap_days + 1 + day - 1).rem_euclid(7)
}

/// Days from 1 January to the start of week 1.
fn first_week_offset(year: i64, first_weekday: i64, first_week_day: i64) -> i64 {
    let in_first_week = 7 + first_weekday - first_week_day;
    let local = (7 + january_weekday(year, in_first_week) - first_weekday).rem_euclid(7);
    in_first_week - local - 1
}

/// Weeks in a year.
pub(super) fn weeks_in_year(year: i64, first_weekday: i64, first_week_day: i64) -> i64 {
    let offset = first_week_offset(year, first_weekday, first_week_day);
    let next = first_week_offset(year + 1, first_weekday, first_week_day);
    (days_in_year(year) - offset + next) / 7
}

/// The year and number of a date's week.
pub(super) fn week_of_year(date: Date, first_weekday: i64, first_week_day: i64) -> (i64, i64) {
    let year = i64::from(date.year());
    let offset = first_week_offset(year, first_weekday, first_week_day);
    let week = (i64::from(date.day_of_year()) - offset - 1).div_euclid(7) + 1;
    let weeks = weeks_in_year(year, first_weekday, first_week_day);
    if week < 1 {
        (year - 1, week + weeks_in_year(year - 1, first_weekday, first_week_day))
    } else if week > weeks {
        (year + 1, week - weeks)
    } else {
        (year, week)
    }
}

/// The year and day of the year (from 1) of a weekday in a week.
pub(super) fn day_of_week(
    year: i64,
    week: i64,
    weekday: i64,
    first_weekday: i64,
    first_week_day: i64,
) -> (i64, i64) {
    let local = (7 + weekday - first_weekday).rem_euclid(7);
    let offset = first_week_offset(year, first_weekday, first_week_day);
    let day = 1 + 7 * (week - 1) + local + offset;
    if day <= 0 {
        (year - 1, days_in_year(year - 1) + day)
    } else if day > days_in_year(year) {
        (year + 1, day - days_in_year(year))
    } else {
        (year, day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_weeks_agree_with_jiff() {
        let mut date = Date::constant(1998, 12, 20);
        while date.year() < 2034 {
            let iso = date.iso_week_date();
            assert_eq!(week_of_year(date, 1, 4), (i64::from(iso.year()), i64::from(iso.week())), "{date}");
            let (year, day) = day_of_week(i64::from(iso.year()), i64::from(iso.week()), weekday(date), 1, 4);
            assert_eq!((year, day), (i64::from(date.year()), i64::from(date.day_of_year())), "{date}");
            date = date.tomorrow().expect("in range");
        }
    }

    #[test]
    fn weeks_of_the_united_states_begin_on_sunday() {
        assert_eq!(week_of_year(Date::constant(2024, 12, 29), 0, 6), (2025, 1));
        assert_eq!(week_of_year(Date::constant(2024, 12, 28), 0, 6), (2024, 52));
    }
}
