//! From the parts of a date to the date: what is missing, weeks, days of the year, time of day.

use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::civil::DateTime;
use jiff::civil::time;

use crate::moment::locale::Era;
use crate::moment::locale::Locale;
use crate::moment::week;

/// What has been read.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) year: Option<i64>,
    /// January is 1.
    pub(super) month: Option<i64>,
    pub(super) day: Option<i64>,
    pub(super) hour: Option<i64>,
    pub(super) minute: Option<i64>,
    pub(super) second: Option<i64>,
    pub(super) millisecond: Option<i64>,
    pub(super) day_of_year: Option<i64>,
    pub(super) week: WeekParts,
    pub(super) era: Option<&'static Era>,
    pub(super) meridiem: Option<String>,
    /// An hour of a twelve-hour clock was read, and may be too large for it.
    pub(super) twelve_hours: bool,
    /// Minutes ahead of UTC.
    pub(super) offset: Option<i64>,
    /// Milliseconds since 1970: stands for everything else.
    pub(super) timestamp: Option<i64>,
    /// A token was read, not only text.
    pub(super) any: bool,
}

#[derive(Default)]
pub(super) struct WeekParts {
    pub(super) any: bool,
    pub(super) local_year: Option<i64>,
    pub(super) local_week: Option<i64>,
    pub(super) iso_year: Option<i64>,
    pub(super) iso_week: Option<i64>,
    /// Sunday is 0.
    pub(super) weekday: Option<i64>,
    pub(super) local_weekday: Option<i64>,
    pub(super) iso_weekday: Option<i64>,
}

impl Parts {
    /// Makes a date of what was read.
    pub(super) fn resolve(mut self, locale: &Locale, today: Date) -> Option<DateTime> {
        if !self.any {
            return None;
        }
        if self.twelve_hours && !self.hour.is_some_and(|hour| (1..=12).contains(&hour)) {
            return None;
        }
        if let Some(word) = &self.meridiem {
            let any =
                [self.year, self.month, self.day, self.hour, self.minute, self.second, self.millisecond];
            if any.iter().all(Option::is_none) {
                return None;
            }
            self.hour = self.hour.map(|hour| (locale.meridiem.hour)(hour, word));
        }
        if let Some(era) = self.era {
            let direction = if era.backwards { -1 } else { 1 };
            let years = self.year.map_or(0, |year| year.saturating_sub(era.offset).saturating_mul(direction));
            self.year = Some(era.since.0.saturating_add(years));
        }
        if let Some(timestamp) = self.timestamp {
            return from_timestamp(timestamp);
        }
        if self.week.any && self.day.is_none() && self.month.is_none() {
            self.resolve_week(locale, today)?;
        }
        if let Some(day_of_year) = self.day_of_year {
            let year = self.year.unwrap_or_else(|| i64::from(today.year()));
            if day_of_year < 1 || day_of_year > week::days_in_year(year) {
                return None;
            }
            let first = Date::new(i16::try_from(year).ok()?, 1, 1).ok()?;
            let date = first.checked_add((day_of_year - 1).days()).ok()?;
            self.month = Some(i64::from(date.month()));
            self.day = Some(i64::from(date.day()));
        }
        let date = self.date(today)?;
        if self.week.weekday.is_some_and(|weekday| weekday != week::weekday(date)) {
            return None;
        }
        self.at_time(date)
    }

    /// What is missing before the first part that was read is today's; what is missing after it is the first.
    fn date(&self, today: Date) -> Option<Date> {
        let (year, month, day) = match (self.year, self.month, self.day) {
            (None, None, None) => return Some(today),
            (None, None, day) => (i64::from(today.year()), i64::from(today.month()), day.unwrap_or(1)),
            (None, month, day) => (i64::from(today.year()), month.unwrap_or(1), day.unwrap_or(1)),
            (Some(year), month, day) => (year, month.unwrap_or(1), day.unwrap_or(1)),
        };
        Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
    }

    fn at_time(&self, date: Date) -> Option<DateTime> {
        let part = |part: Option<i64>| i8::try_from(part.unwrap_or(0)).ok();
        let (hour, minute, second) = (part(self.hour)?, part(self.minute)?, part(self.second)?);
        let millisecond = i32::try_from(self.millisecond.unwrap_or(0)).ok()?;
        let midnight_after = hour == 24;
        if midnight_after && (minute, second, millisecond) != (0, 0, 0) {
            return None;
        }
        if !(0..=24).contains(&hour) || !(0..60).contains(&minute) || !(0..60).contains(&second) {
            return None;
        }
        let date = if midnight_after { date.tomorrow().ok()? } else { date };
        let hour = if midnight_after { 0 } else { hour };
        let at = date.to_datetime(time(hour, minute, second, millisecond * 1_000_000));
        at.checked_sub(self.offset.unwrap_or(0).minutes()).ok()
    }

    /// Turns week and weekday into a day of the year.
    fn resolve_week(&mut self, locale: &Locale, today: Date) -> Option<()> {
        let parts = &self.week;
        let iso = parts.iso_year.is_some() || parts.iso_week.is_some() || parts.iso_weekday.is_some();
        let (first_weekday, first_week_day) =
            if iso { (1, 4) } else { (locale.first_weekday, locale.first_week_day) };
        let (current_year, current_week) = week::week_of_year(today, first_weekday, first_week_day);
        let (year, number, weekday) = if iso {
            let weekday = parts.iso_weekday.unwrap_or(1);
            if !(1..=7).contains(&weekday) {
                return None;
            }
            let year = parts.iso_year.or(self.year).unwrap_or(current_year);
            (year, parts.iso_week.unwrap_or(1), weekday)
        } else {
            let weekday = match (parts.weekday, parts.local_weekday) {
                (Some(weekday), _) if (0..=6).contains(&weekday) => weekday,
                (None, Some(weekday)) if (0..=6).contains(&weekday) => weekday + first_weekday,
                (None, None) => first_weekday,
                _ => return None,
            };
            let year = parts.local_year.or(self.year).unwrap_or(current_year);
            (year, parts.local_week.unwrap_or(current_week), weekday)
        };
        // Years outside the calendar cannot become a date.
        i16::try_from(year).ok()?;
        if number < 1 || number > week::weeks_in_year(year, first_weekday, first_week_day) {
            return None;
        }
        let (year, day) = week::day_of_week(year, number, weekday, first_weekday, first_week_day);
        self.year = Some(year);
        self.day_of_year = Some(day);
        Some(())
    }
}

fn from_timestamp(milliseconds: i64) -> Option<DateTime> {
    let epoch = Date::constant(1970, 1, 1).at(0, 0, 0, 0);
    let days = milliseconds.div_euclid(86_400_000);
    let rest = milliseconds.rem_euclid(86_400_000);
    if days.abs() > 4_000_000 {
        return None;
    }
    epoch.checked_add(days.days()).ok()?.checked_add(rest.milliseconds()).ok()
}
