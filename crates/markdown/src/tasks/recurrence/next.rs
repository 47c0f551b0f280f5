//! The next date of a rule.
//!
//! This is the walk of rrule 2.8.1 (an RFC 5545 implementation) over days: years, months, weeks or days are
//! stepped from the start date, the days of each are filtered, the first one late enough is the answer. On
//! top of it lies the Tasks plugin's own rule for months and years that skip: a plain "every month" from
//! the 31st falls back, day by day, to the last day that the next month has.
//!
//! Instants are whole minutes since 1970-01-01 00:00; days are counted from the same date (`calendar`).

use std::ops::ControlFlow;
use std::ops::Range;

use jiff::civil::Date;

use super::calendar::{civil, days_from_civil, days_in_month, from_ordinal, monday, ordinal};
use super::filter::Filter;
use super::{Frequency, Recurrence, Rule};

const MINUTES_PER_DAY: i64 = 24 * 60;
/// rrule gives up after this year.
const LAST_YEAR: i64 = 9999;
/// Larger intervals all lead past the last year at once.
const MAX_INTERVAL: u64 = 10_000_000;
/// An hour beyond this lies outside what a JavaScript date can hold.
const MAX_HOUR: i64 = 24 * 100_000_000;

/// The date after `from` (the reference date, or the day of completion for a `when done` rule), or `None`
/// when the rule has no further one.
pub(super) fn next_date(recurrence: &Recurrence, from: Date) -> Option<Date> {
    let rule = &recurrence.rule;
    let from = ordinal(from);
    // "After" is after the end of that day.
    let mut next = first_after(rule, from, (from + 1) * MINUTES_PER_DAY - 1)?;
    let text = recurrence.to_string();
    let mut base = from;
    if let Some(interval) = plain_interval(&text, "month").filter(|_| !text.contains(" on ")) {
        while months_between(base, next) > interval {
            base -= 1;
            next = first_after(rule, base, base * MINUTES_PER_DAY)?;
        }
    }
    if let Some(interval) = plain_interval(&text, "year") {
        while civil(next).0 - civil(base).0 > interval {
            base -= 1;
            next = first_after(rule, base, base * MINUTES_PER_DAY)?;
        }
    }
    from_ordinal(next)
}

/// The interval of a rule text `every [n] unit(s)…`, wherever that stands in it.
fn plain_interval(text: &str, unit: &str) -> Option<i64> {
    let rest = text.strip_prefix("every ")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, after) = rest.split_at(digits);
    if digits == 0 {
        return rest.starts_with(unit).then_some(1);
    }
    after.strip_prefix(' ')?.starts_with(unit).then(|| number.parse().unwrap_or(i64::MAX))
}

fn months_between(from: i64, to: i64) -> i64 {
    let (from_year, from_month, _) = civil(from);
    let (to_year, to_month, _) = civil(to);
    (to_year - from_year) * 12 + to_month - from_month
}

/// The day of the first occurrence of the rule, begun on day `start`, at an instant after `after`.
fn first_after(rule: &Rule, start: i64, after: i64) -> Option<i64> {
    let mut filter = Filter::new(rule, start);
    let mut search =
        Search { after, start: start * MINUTES_PER_DAY, until: rule.until.map(ordinal), left: rule.count };
    let interval = i64::try_from(rule.interval.clamp(1, MAX_INTERVAL)).unwrap_or(1);
    let outcome = match rule.frequency {
        Frequency::Yearly => {
            let years = (civil(start).0..=LAST_YEAR).step_by(usize::try_from(interval).unwrap_or(1));
            let mut periods = years.map(|year| days_from_civil(year, 1, 1)..days_from_civil(year + 1, 1, 1));
            search.days(&mut periods, rule, &mut filter)
        }
        Frequency::Monthly => {
            let (year, month, _) = civil(start);
            let months = std::iter::successors(Some(year * 12 + month - 1), |month| Some(month + interval));
            let mut periods =
                months.map(|month| (month.div_euclid(12), month.rem_euclid(12) + 1)).map(|(year, month)| {
                    let first = days_from_civil(year, month, 1);
                    first..first + days_in_month(year, month)
                });
            search.days(&mut periods, rule, &mut filter)
        }
        Frequency::Weekly => {
            // The first week is what is left of it.
            let weeks = std::iter::successors(Some(start), |day| Some(monday(*day) + 7 * interval));
            search.days(&mut weeks.map(|day| day..monday(day) + 7), rule, &mut filter)
        }
        Frequency::Daily => {
            let days = std::iter::successors(Some(start), |day| Some(day + interval));
            search.days(&mut days.map(|day| day..day + 1), rule, &mut filter)
        }
        Frequency::Hourly => search.times(start, 60, interval, &mut filter),
        Frequency::Minutely => search.times(start, 1, interval, &mut filter),
    };
    match outcome {
        ControlFlow::Break(found) => found,
        ControlFlow::Continue(()) => None,
    }
}

/// What is looked for, and what ends the search.
struct Search {
    /// Instants up to this one are too early.
    after: i64,
    /// Instants before this one do not belong to the rule.
    start: i64,
    /// Instants after the start of this day end the rule.
    until: Option<i64>,
    /// Occurrences left, when they are counted.
    left: Option<u64>,
}

/// `Break(Some(day))`: found; `Break(None)`: the rule is used up.
type Step = ControlFlow<Option<i64>>;

impl Search {
    fn offer(&mut self, instant: i64) -> Step {
        if self.until.is_some_and(|until| instant > until * MINUTES_PER_DAY) {
            return ControlFlow::Break(None);
        }
        if instant < self.start {
            return ControlFlow::Continue(());
        }
        if instant > self.after {
            return ControlFlow::Break(Some(instant.div_euclid(MINUTES_PER_DAY)));
        }
        match &mut self.left {
            Some(left) if *left <= 1 => ControlFlow::Break(None),
            Some(left) => {
                *left -= 1;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Continue(()),
        }
    }

    /// Years, months, weeks and days: every kept day of each period, at the rule's hours.
    fn days(
        &mut self,
        periods: &mut dyn Iterator<Item = Range<i64>>,
        rule: &Rule,
        filter: &mut Filter<'_>,
    ) -> Step {
        let midnight = [0];
        let hours = if rule.hours.is_empty() { &midnight[..] } else { &rule.hours };
        for period in periods {
            let year = civil(period.start).0;
            if year > LAST_YEAR {
                break;
            }
            for day in period {
                if !filter.keeps(day, year) {
                    continue;
                }
                for hour in hours {
                    // An hour past midnight leads into a later day; one past every calendar, nowhere.
                    if let Some(hour) = i64::try_from(*hour).ok().filter(|hour| *hour < MAX_HOUR) {
                        self.offer(day * MINUTES_PER_DAY + hour * 60)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Hours and minutes: single instants, a day that is filtered out being left in one jump.
    fn times(&mut self, start: i64, minutes: i64, interval: i64, filter: &mut Filter<'_>) -> Step {
        let per_day = MINUTES_PER_DAY / minutes;
        let mut unit = start * per_day;
        loop {
            let day = unit.div_euclid(per_day);
            let year = civil(day).0;
            if year > LAST_YEAR {
                return ControlFlow::Continue(());
            }
            if filter.keeps(day, year) {
                self.offer(unit * minutes)?;
            } else {
                // To the last step of this day.
                let left = per_day - 1 - unit.rem_euclid(per_day);
                unit += left.div_euclid(interval) * interval;
            }
            unit += interval;
        }
    }
}
