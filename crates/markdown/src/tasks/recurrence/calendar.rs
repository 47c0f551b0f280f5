//! The calendar as day numbers, counted from 1970-01-01.

use jiff::civil::Date;

/// The day's number, counted from 1970-01-01.
pub(super) fn ordinal(date: Date) -> i64 {
    days_from_civil(i64::from(date.year()), i64::from(date.month()), i64::from(date.day()))
}

/// The day with this number, when a task line can hold it.
pub(super) fn from_ordinal(day: i64) -> Option<Date> {
    let (year, month, day) = civil(day);
    Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// Monday 0 to Sunday 6; 1970-01-01 was a Thursday.
pub(super) const fn weekday(day: i64) -> i64 {
    (day + 3).rem_euclid(7)
}

/// The Monday of the day's week.
pub(super) const fn monday(day: i64) -> i64 {
    day - weekday(day)
}

pub(super) const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

pub(super) const fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 in the proleptic Gregorian calendar (the year begins in March, so that the leap day
/// is its last).
pub(super) const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Year, month and day of a day's number.
pub(super) const fn civil(day: i64) -> (i64, i64, i64) {
    let day = day + 719_468;
    let era = day.div_euclid(146_097);
    let day_of_era = day.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400;
    (if month <= 2 { year + 1 } else { year }, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calendar_agrees_with_jiff() {
        let mut date = Date::constant(-3, 12, 28);
        while date < Date::constant(2405, 1, 2) {
            let day = ordinal(date);
            assert_eq!(from_ordinal(day), Some(date));
            assert_eq!(weekday(day), i64::from(date.weekday().to_monday_zero_offset()), "{date}");
            date = date.checked_add(jiff::ToSpan::days(97)).expect("in range");
        }
    }
}
