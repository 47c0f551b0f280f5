//! A date as a task line writes it: a day of the calendar, or digits that name none.

use std::fmt;

use jiff::civil::Date;

/// The date of a task field.
///
/// `📅 2026-02-30` is read as a date field whose day does not exist; the Tasks plugin keeps it as an
/// invalid date and writes `📅 Invalid date` when the line is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskDate {
    /// A day that exists.
    Day(Date),
    /// Four, two and two digits that are no day, or a rule that has no further occurrence.
    Invalid,
}

impl TaskDate {
    /// Reads exactly `YYYY-MM-DD` in ASCII digits; `None` when the text has another shape.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let shape = bytes.len() == 10
            && bytes.iter().enumerate().all(|(index, byte)| match index {
                4 | 7 => *byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !shape {
            return None;
        }
        let year = text.get(..4)?.parse().ok()?;
        let month = text.get(5..7)?.parse().ok()?;
        let day = text.get(8..)?.parse().ok()?;
        Some(Date::new(year, month, day).map_or(Self::Invalid, Self::Day))
    }

    /// The day, when it exists.
    pub const fn day(self) -> Option<Date> {
        match self {
            Self::Day(date) => Some(date),
            Self::Invalid => None,
        }
    }
}

impl From<Date> for TaskDate {
    fn from(date: Date) -> Self {
        Self::Day(date)
    }
}

impl fmt::Display for TaskDate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(date) => write!(formatter, "{:04}-{:02}-{:02}", date.year(), date.month(), date.day()),
            Self::Invalid => formatter.write_str("Invalid date"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_first_then_the_calendar() {
        assert_eq!(TaskDate::parse("2026-02-30"), Some(TaskDate::Invalid));
        assert_eq!(TaskDate::parse("2026-2-30"), None);
        assert_eq!(TaskDate::parse("2026-02-3０"), None, "full-width digits are no digits");
        assert_eq!(TaskDate::parse("2024-02-29").map(|d| d.to_string()).as_deref(), Some("2024-02-29"));
        assert_eq!(TaskDate::parse("0000-01-01").map(|d| d.to_string()).as_deref(), Some("0000-01-01"));
    }
}
