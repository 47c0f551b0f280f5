//! The canonical English of a rule, as rrule 2.8.1 writes it.

use super::{Frequency, Rule, WeekdayOfPeriod};

const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Writes a rule.
pub(super) fn text(rule: &Rule) -> String {
    let mut writer = Writer::new(rule);
    match rule.frequency {
        Frequency::Minutely => writer.unit("minute", "minutes"),
        Frequency::Hourly => writer.unit("hour", "hours"),
        Frequency::Daily => {
            writer.unit("day", "days");
            writer.hours();
        }
        Frequency::Weekly => writer.weekly(),
        Frequency::Monthly => writer.monthly_or_yearly("month", "months"),
        Frequency::Yearly => {
            writer.monthly_or_yearly("year", "years");
            writer.week_numbers();
        }
    }
    if let Some(until) = rule.until {
        let month = usize::try_from(until.month()).ok().and_then(|month| MONTHS.get(month.wrapping_sub(1)));
        writer.add("until");
        writer.add(&format!("{} {}, {}", month.copied().unwrap_or_default(), until.day(), until.year()));
    } else if let Some(count) = rule.count {
        writer.add("for");
        writer.add(&count.to_string());
        writer.add(if is_plural(count) { "times" } else { "time" });
    }
    writer.text
}

/// rrule's idea of a plural: 101 takes the singular too.
const fn is_plural(number: u64) -> bool {
    number % 100 != 1
}

struct Writer<'a> {
    rule: &'a Rule,
    text: String,
    /// Days of the month: ascending from the start, then from the end.
    month_days: Vec<i32>,
    every_week: Vec<WeekdayOfPeriod>,
    some_weeks: Vec<WeekdayOfPeriod>,
    /// Monday to Friday are all there and no other day is.
    working_days: bool,
    all_days: bool,
}

impl<'a> Writer<'a> {
    fn new(rule: &'a Rule) -> Self {
        let mut month_days: Vec<i32> = rule.month_days.iter().copied().filter(|day| *day > 0).collect();
        month_days.sort_unstable();
        let mut from_end: Vec<i32> = rule.month_days.iter().copied().filter(|day| *day < 0).collect();
        from_end.sort_unstable_by(|a, b| b.cmp(a));
        month_days.extend(from_end);

        let (mut every_week, mut some_weeks): (Vec<_>, Vec<_>) =
            rule.weekdays.iter().copied().partition(|weekday| weekday.nth.is_none());
        every_week.sort_by_key(|weekday| weekday.weekday);
        some_weeks.sort_by_key(|weekday| weekday.weekday);
        let has = |wanted: u8| rule.weekdays.iter().any(|weekday| weekday.weekday == wanted);
        let monday_to_friday = (0..5).all(has);
        Self {
            rule,
            text: "every".to_owned(),
            month_days,
            every_week,
            some_weeks,
            working_days: monday_to_friday && !has(5) && !has(6),
            all_days: monday_to_friday && has(5) && has(6),
        }
    }

    fn add(&mut self, word: &str) {
        self.text.push(' ');
        self.text.push_str(word);
    }

    fn interval(&mut self) {
        if self.rule.interval != 1 {
            self.add(&self.rule.interval.to_string());
        }
    }

    fn unit(&mut self, one: &str, many: &str) {
        self.interval();
        self.add(if is_plural(self.rule.interval) { many } else { one });
    }

    fn weekly(&mut self) {
        if self.rule.interval != 1 {
            self.unit("week", "weeks");
        }
        let once = self.rule.interval == 1;
        if self.working_days {
            self.add(if once { "weekday" } else { "on weekdays" });
        } else if self.all_days {
            self.add(if is_plural(self.rule.interval) { "days" } else { "day" });
        } else {
            if once {
                self.add("week");
            }
            if !self.rule.months.is_empty() {
                self.add("in");
                self.months();
            }
            if self.month_days.is_empty() {
                self.weekdays();
            } else {
                self.days_of_month();
            }
            self.hours();
        }
    }

    fn monthly_or_yearly(&mut self, one: &str, many: &str) {
        let monthly = self.rule.frequency == Frequency::Monthly;
        if self.rule.months.is_empty() {
            self.unit(one, many);
        } else {
            if self.rule.interval != 1 {
                self.add(&self.rule.interval.to_string());
                self.add(many);
                if monthly && is_plural(self.rule.interval) {
                    self.add("in");
                }
            }
            self.months();
        }
        if !self.month_days.is_empty() {
            self.days_of_month();
        } else if monthly && self.working_days {
            self.add("on weekdays");
        } else {
            self.weekdays();
        }
    }

    fn days_of_month(&mut self) {
        if self.every_week.is_empty() {
            self.add("on the");
            let days = self.month_days.iter().map(|day| nth(*day)).collect::<Vec<_>>();
            self.add(&list(&days, Some("and")));
        } else {
            self.add("on");
            let weekdays = self.every_week.iter().map(weekday_text).collect::<Vec<_>>();
            self.add(&list(&weekdays, Some("or")));
            self.add("the");
            let days = self.month_days.iter().map(|day| nth(*day)).collect::<Vec<_>>();
            self.add(&list(&days, Some("or")));
        }
    }

    fn weekdays(&mut self) {
        if !self.every_week.is_empty() && !self.working_days {
            self.add("on");
            let weekdays = self.every_week.iter().map(weekday_text).collect::<Vec<_>>();
            self.add(&list(&weekdays, None));
        }
        if !self.some_weeks.is_empty() {
            if !self.every_week.is_empty() {
                self.add("and");
            }
            self.add("on the");
            let weekdays = self.some_weeks.iter().map(weekday_text).collect::<Vec<_>>();
            self.add(&list(&weekdays, Some("and")));
        }
    }

    fn months(&mut self) {
        let names = self
            .rule
            .months
            .iter()
            .filter_map(|month| MONTHS.get(usize::from(*month).wrapping_sub(1)))
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>();
        self.add(&list(&names, Some("and")));
    }

    fn hours(&mut self) {
        if !self.rule.hours.is_empty() {
            let hours = self.rule.hours.iter().map(u64::to_string).collect::<Vec<_>>();
            self.add("at");
            self.add(&list(&hours, Some("and")));
        }
    }

    fn week_numbers(&mut self) {
        if !self.rule.week_numbers.is_empty() {
            let weeks = self.rule.week_numbers.iter().map(u64::to_string).collect::<Vec<_>>();
            self.add("in");
            self.add(if weeks.len() == 1 { "week" } else { "weeks" });
            self.add(&list(&weeks, Some("and")));
        }
    }
}

/// `1st`, `2nd last`, `last`
fn nth(number: i32) -> String {
    if number == -1 {
        return "last".to_owned();
    }
    let position = number.unsigned_abs();
    let ending = match position {
        1 | 21 | 31 => "st",
        2 | 22 => "nd",
        3 | 23 => "rd",
        _ => "th",
    };
    if number < 0 { format!("{position}{ending} last") } else { format!("{position}{ending}") }
}

fn weekday_text(weekday: &WeekdayOfPeriod) -> String {
    let name = WEEKDAYS.get(usize::from(weekday.weekday)).copied().unwrap_or_default();
    match weekday.nth {
        Some(number) => format!("{} {name}", nth(number)),
        None => name.to_owned(),
    }
}

/// `a, b and c` with a last delimiter, `a, b, c` without.
fn list(items: &[String], last_delimiter: Option<&str>) -> String {
    match (last_delimiter, items) {
        (Some(delimiter), [start @ .., last]) if !start.is_empty() => {
            format!("{} {delimiter} {last}", start.join(", "))
        }
        _ => items.join(", "),
    }
}
