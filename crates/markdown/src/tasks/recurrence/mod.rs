//! Repeat rules: what stands after 🔁 or in `[repeat:: …]`.
//!
//! The plugin hands the text to rrule 2.8.1, after cutting a final `when done`. That library's English is
//! what counts here, with its oddities: `every weekend` is every week, `every morning` every Monday (it
//! reads "mo" and stops), `every other day` is no rule at all. `parse` reads the text, `text` writes the
//! canonical form, `next` finds occurrences, `until` reads the date after `until`.

mod calendar;
mod filter;
mod next;
mod parse;
mod text;
mod until;

use std::fmt;

use jiff::civil::Date;

use super::date::TaskDate;
use super::text::trim;

/// A repeat rule as rrule holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The unit that repeats.
    pub frequency: Frequency,
    /// Every how many of them; at least 1.
    pub interval: u64,
    /// Weekdays, each possibly the n-th of its month or year.
    pub weekdays: Vec<WeekdayOfPeriod>,
    /// Days of the month, counted from its end when negative; never 0.
    pub month_days: Vec<i32>,
    /// Months, 1 to 12.
    pub months: Vec<u8>,
    /// Weeks of the year.
    pub week_numbers: Vec<u64>,
    /// Hours of the day. Read and written back; they choose no day, unless they run past midnight.
    pub hours: Vec<u64>,
    /// The last day that counts.
    pub until: Option<Date>,
    /// How many occurrences there are, the reference date included.
    pub count: Option<u64>,
}

/// The unit of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Frequency {
    /// `every year`, `every January`
    Yearly,
    /// `every month`
    Monthly,
    /// `every week`, `every Monday`, `every weekday`
    Weekly,
    /// `every day`
    Daily,
    /// `every hour`
    Hourly,
    /// `every minute`
    Minutely,
}

/// A weekday, possibly the n-th one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeekdayOfPeriod {
    /// Monday 0 to Sunday 6.
    pub weekday: u8,
    /// Which one of the month or year, counted from the end when negative; `None` for each.
    pub nth: Option<i32>,
}

/// A repeat rule together with what it counts from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recurrence {
    /// The rule.
    pub rule: Rule,
    /// `when done`: count from the day of completion, not from the task's own date.
    pub when_done: bool,
}

impl Recurrence {
    /// Reads a rule. `None` when rrule cannot read it, or when it counts from `reference` and that is no
    /// date.
    pub fn parse(text: &str, reference: Option<TaskDate>) -> Option<Self> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, ',' | ' ' | '!');
        if text.is_empty() || !text.chars().all(allowed) {
            return None;
        }
        const WHEN_DONE: &str = " when done";
        let cut = text.len().saturating_sub(WHEN_DONE.len());
        let (rule_text, when_done) = match text.split_at(cut) {
            (before, end) if !before.is_empty() && end.eq_ignore_ascii_case(WHEN_DONE) => (before, true),
            _ => (text, false),
        };
        if !when_done && reference == Some(TaskDate::Invalid) {
            return None;
        }
        let rule = parse::parse(trim(rule_text))?;
        Some(Self { rule, when_done })
    }

    /// The dates of the occurrence after `current` when that is completed on `today`.
    ///
    /// The reference date moves to the next date of the rule, the other dates by the same number of days to
    /// it. Without any date the next occurrence has none either; a rule that is used up gives invalid dates.
    pub fn next(&self, current: &Occurrence, today: Date, remove_scheduled: bool) -> Occurrence {
        let Some(reference) = current.reference(remove_scheduled) else {
            return Occurrence::default();
        };
        let from = if self.when_done { Some(today) } else { reference.day() };
        let next = from.and_then(|from| next::next_date(self, from));
        let moved = |date: Option<TaskDate>| {
            let date = date?;
            let days = match (date.day(), reference.day()) {
                (Some(date), Some(reference)) => calendar::ordinal(date) - calendar::ordinal(reference),
                // The distance to or from a date that does not exist counts as none.
                _ => 0,
            };
            let moved = next.and_then(|next| calendar::from_ordinal(calendar::ordinal(next) + days));
            Some(moved.map_or(TaskDate::Invalid, TaskDate::Day))
        };
        let drop_scheduled = remove_scheduled && (current.start.is_some() || current.due.is_some());
        Occurrence {
            start: moved(current.start),
            scheduled: if drop_scheduled { None } else { moved(current.scheduled) },
            due: moved(current.due),
        }
    }
}

impl fmt::Display for Recurrence {
    /// The canonical text of the rule.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&text::text(&self.rule))?;
        if self.when_done { formatter.write_str(" when done") } else { Ok(()) }
    }
}

/// The dates of one occurrence of a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Occurrence {
    /// Start date.
    pub start: Option<TaskDate>,
    /// Scheduled date.
    pub scheduled: Option<TaskDate>,
    /// Due date.
    pub due: Option<TaskDate>,
}

impl Occurrence {
    /// The date that a rule counts from: due, else scheduled, else start. Where the scheduled date is to be
    /// dropped from new occurrences (`remove_scheduled`) it comes last.
    pub fn reference(&self, remove_scheduled: bool) -> Option<TaskDate> {
        if remove_scheduled {
            self.due.or(self.start).or(self.scheduled)
        } else {
            self.due.or(self.scheduled).or(self.start)
        }
    }
}
