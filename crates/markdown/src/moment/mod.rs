//! Dates as moment 2.30.1 writes and reads them: what Obsidian's daily notes, templates and the Tasks plugin
//! use.
//!
//! A format is a string of tokens (`YYYY`, `MM`, `dddd` …), text in `[brackets]` and everything else, which
//! stands for itself. Formats may hold slashes, and so make folders. Month and day names follow the locale,
//! as do the first day of the week and the first week of the year (`gggg`, `ww`); `GGGG` and `WW` are ISO.
//!
//! No clock is read: reading fills in what a format leaves out from the `today` of the caller.

mod format;
mod locale;
mod locales;
mod parse;
mod tokens;
mod week;

use jiff::civil::Date;
use jiff::civil::DateTime;

pub use format::format;
pub use format::time_tokens;
pub use locale::Locale;
pub use parse::parse;
pub use parse::parse_date;

/// A point in time as a reader's clock shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment<'a> {
    /// Date and time of day.
    pub civil: DateTime,
    /// How far the clock is ahead of UTC, in minutes.
    pub offset_minutes: i32,
    /// Name of the zone, for the tokens `z` and `zz`. Moment itself leaves it empty for a local time.
    pub zone: &'a str,
}

impl From<DateTime> for Moment<'_> {
    /// A time in UTC.
    fn from(civil: DateTime) -> Self {
        Self { civil, offset_minutes: 0, zone: "UTC" }
    }
}

impl From<Date> for Moment<'_> {
    /// The start of a day in UTC.
    fn from(date: Date) -> Self {
        Self::from(date.at(0, 0, 0, 0))
    }
}
