//! Which days a rule takes.

use std::borrow::Cow;

use super::calendar::{civil, days_from_civil, days_in_month, weekday};
use super::{Frequency, Rule};

/// Which days of a period count.
pub(super) struct Filter<'a> {
    rule: &'a Rule,
    months: Cow<'a, [u8]>,
    month_days: Cow<'a, [i32]>,
    /// Weekdays that count each time.
    weekdays: Vec<u8>,
    /// Weekdays that count only as the n-th of their month or year.
    nth_weekdays: Vec<(i64, i64)>,
    /// The days of `week_numbers` in the year last asked for.
    weeks: Option<(i64, Vec<bool>)>,
}

impl<'a> Filter<'a> {
    /// A rule that names no day takes those of its start.
    pub(super) fn new(rule: &'a Rule, start: i64) -> Self {
        let (_, month, day) = civil(start);
        let mut months = Cow::Borrowed(rule.months.as_slice());
        let mut month_days = Cow::Borrowed(rule.month_days.as_slice());
        // Below the month there is no n-th weekday: each counts.
        let has_nth = rule.frequency <= Frequency::Monthly;
        let mut weekdays: Vec<u8> = rule
            .weekdays
            .iter()
            .filter(|weekday| !has_nth || weekday.nth.is_none())
            .map(|weekday| weekday.weekday)
            .collect();
        let nth_weekdays = rule
            .weekdays
            .iter()
            .filter(|_| has_nth)
            .filter_map(|weekday| Some((i64::from(weekday.weekday), i64::from(weekday.nth?))))
            .collect();
        if rule.week_numbers.is_empty() && rule.month_days.is_empty() && rule.weekdays.is_empty() {
            match rule.frequency {
                Frequency::Yearly => {
                    if months.is_empty() {
                        months = Cow::Owned(u8::try_from(month).into_iter().collect());
                    }
                    month_days = Cow::Owned(i32::try_from(day).into_iter().collect());
                }
                Frequency::Monthly => month_days = Cow::Owned(i32::try_from(day).into_iter().collect()),
                Frequency::Weekly => weekdays = u8::try_from(weekday(start)).into_iter().collect(),
                _ => {}
            }
        }
        Self { rule, months, month_days, weekdays, nth_weekdays, weeks: None }
    }

    /// Whether the rule takes this day of a period that begins in `year`.
    pub(super) fn keeps(&mut self, day: i64, year: i64) -> bool {
        let (day_year, month, day_of_month) = civil(day);
        if !self.months.is_empty() && !self.months.iter().any(|wanted| i64::from(*wanted) == month) {
            return false;
        }
        if !self.weekdays.is_empty() && !self.weekdays.iter().any(|wanted| i64::from(*wanted) == weekday(day))
        {
            return false;
        }
        if !self.month_days.is_empty() {
            let from_end = day_of_month - days_in_month(day_year, month) - 1;
            let wanted = |day: &i32| i64::from(*day) == day_of_month || i64::from(*day) == from_end;
            if !self.month_days.iter().any(wanted) {
                return false;
            }
        }
        if !self.nth_weekdays.is_empty() && !self.is_nth_weekday(day, day_year, month) {
            return false;
        }
        self.rule.week_numbers.is_empty() || self.is_in_weeks(day, year)
    }

    fn is_nth_weekday(&self, day: i64, year: i64, month: i64) -> bool {
        let whole_year = self.rule.frequency == Frequency::Yearly && self.months.is_empty();
        let (first, last) = if whole_year {
            (days_from_civil(year, 1, 1), days_from_civil(year + 1, 1, 1) - 1)
        } else {
            let first = days_from_civil(year, month, 1);
            (first, first + days_in_month(year, month) - 1)
        };
        self.nth_weekdays.iter().any(|(wanted, nth)| {
            let candidate = if *nth < 0 {
                let last_one = last - (weekday(last) - wanted).rem_euclid(7);
                last_one + (nth + 1) * 7
            } else {
                let first_one = first + (wanted - weekday(first)).rem_euclid(7);
                first_one + (nth - 1) * 7
            };
            candidate == day && (first..=last).contains(&day)
        })
    }

    fn is_in_weeks(&mut self, day: i64, year: i64) -> bool {
        if self.weeks.as_ref().is_none_or(|(known, _)| *known != year) {
            self.weeks = Some((year, week_mask(year, &self.rule.week_numbers)));
        }
        let index = usize::try_from(day - days_from_civil(year, 1, 1)).ok();
        let mask = self.weeks.as_ref().map(|(_, mask)| mask);
        index.zip(mask).and_then(|(index, mask)| mask.get(index)).copied().unwrap_or(false)
    }
}

/// The days of a year (and the week after it) that lie in one of the numbered weeks, weeks beginning on
/// Monday. The count of weeks of the year before is taken from this year's length in one case, as rrule
/// does.
fn week_mask(year: i64, numbers: &[u64]) -> Vec<bool> {
    let first = days_from_civil(year, 1, 1);
    let length = days_from_civil(year + 1, 1, 1) - first;
    let mut mask = vec![false; usize::try_from(length + 7).unwrap_or_default()];
    let mut mark = |from: i64, to: i64| {
        for index in from..to {
            if let Some(day) = usize::try_from(index).ok().and_then(|index| mask.get_mut(index)) {
                *day = true;
            }
        }
    };
    let first_weekday = weekday(first);
    let first_monday = (7 - first_weekday).rem_euclid(7);
    // Week 1 holds the first Thursday.
    let (first_week, days) =
        if first_monday >= 4 { (0, length + first_weekday) } else { (first_monday, length - first_monday) };
    let weeks = days / 7 + (days % 7) / 4;
    let week_start = |number: i64| {
        let start = first_week + (number - 1) * 7;
        if number > 1 && first_week != first_monday { start - (7 - first_monday) } else { start }
    };
    let week_end = |start: i64| start + 7 - weekday(first + start);
    let wanted = |number: i64| numbers.iter().any(|wanted| i64::try_from(*wanted) == Ok(number));
    for number in 1..=weeks {
        if wanted(number) {
            let start = week_start(number);
            mark(start, week_end(start));
        }
    }
    if wanted(1) {
        // Week 1 of the next year may begin in this one.
        let mut start = first_week + weeks * 7;
        if first_week != first_monday {
            start -= 7 - first_monday;
        }
        if start < length {
            mark(start, week_end(start));
        }
    }
    if first_week > 0 {
        // The days before week 1 belong to the last week of the year before.
        let last_year = days_from_civil(year - 1, 1, 1);
        let last_weekday = weekday(last_year);
        let last_days = if (7 - last_weekday).rem_euclid(7) >= 4 {
            (first - last_year) + last_weekday
        } else {
            length - first_week
        };
        if wanted(52 + (last_days % 7) / 4) {
            mark(0, first_week);
        }
    }
    mask
}

#[cfg(test)]
mod tests {
    use jiff::civil::Date;

    use super::*;

    #[test]
    fn week_masks_agree_with_iso_weeks() {
        for year in 2000_i16..2030 {
            for number in 1..=53 {
                let mask = week_mask(i64::from(year), &[number]);
                let mut date = Date::constant(year, 1, 1);
                let mut index = 0;
                while date.year() == year {
                    let iso = u64::try_from(date.iso_week_date().week()).expect("positive");
                    // rrule counts the weeks of the year before from this year's length in one case, so the
                    // days before week 1 are not compared.
                    if date.iso_week_date().year() >= year {
                        assert_eq!(mask.get(index), Some(&(iso == number)), "{date} week {number}");
                    }
                    date = date.tomorrow().expect("in range");
                    index += 1;
                }
            }
        }
    }
}
