//! The journal of changes as tools and the command line show it.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Serialize;
use vault::{ChangeRecord, ChangeState};

/// A change.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct ChangeRow {
    /// Its number.
    pub(crate) change: i64,
    /// When.
    pub(crate) at: String,
    /// By whom: the name of a token or client, stdio, or command-line.
    pub(crate) principal: String,
    /// With which tool.
    pub(crate) tool: String,
    /// create, edit, delete or move.
    pub(crate) kind: &'static str,
    /// The file; of a move, where it was before.
    pub(crate) path: String,
    /// Of a move, where it is afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) new_path: Option<String>,
    /// What changed, in a few words.
    pub(crate) summary: String,
    /// The first change of the same call, when this one was not alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) call: Option<i64>,
    /// SHA-256 of the file before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hash_before: Option<String>,
    /// SHA-256 of the file afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hash_after: Option<String>,
    /// The change that took this one back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) undone_by: Option<i64>,
    /// The changes that this one takes back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) undoes: Vec<i64>,
    /// Set when it is not known whether it was made (begun), or it was not (aborted).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) state: Option<&'static str>,
}

impl ChangeRow {
    /// A change with its time in a zone.
    pub(crate) fn of(record: &ChangeRecord, time_zone: &TimeZone) -> Self {
        let hash = |hash: Option<vault::ContentHash>| hash.map(|hash| hash.to_string());
        Self {
            change: record.id.0,
            at: show_time(record.at, time_zone),
            principal: record.principal.clone(),
            tool: record.tool.clone(),
            kind: record.kind.as_str(),
            path: record.path.as_str().to_owned(),
            new_path: record.new_path.as_ref().map(|path| path.as_str().to_owned()),
            summary: record.summary.clone(),
            call: (record.batch != record.id).then_some(record.batch.0),
            hash_before: hash(record.before),
            hash_after: hash(record.after),
            undone_by: record.undone_by.map(|change| change.0),
            undoes: record.undoes.iter().map(|change| change.0).collect(),
            state: match record.state {
                ChangeState::Done => None,
                ChangeState::Begun => Some("begun"),
                ChangeState::Aborted => Some("aborted"),
            },
        }
    }
}

/// A time as answers show it: RFC 3339 with milliseconds and offset.
pub(crate) fn show_time(time: Timestamp, time_zone: &TimeZone) -> String {
    time.to_zoned_datetime(time_zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%.3f%:z").to_string()
}

/// What [`parse_time`] takes, for errors.
pub(crate) const TIMES: &str =
    "a day or time that exists, such as 2026-01-15, 2026-01-15T09:30 or 2026-01-15T09:30:00+01:00";

/// The moment that a text names: an RFC 3339 time, or a day or time without offset in a zone. A day is its
/// beginning.
pub(crate) fn parse_time(text: &str, time_zone: &TimeZone) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time);
    }
    let civil = match text.parse::<Date>() {
        Ok(date) if text.len() == 10 => date.to_datetime(jiff::civil::Time::midnight()),
        _ => text.parse::<DateTime>().ok()?,
    };
    time_zone.to_timestamp(civil).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(text: &str, expected: Option<&str>) {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        assert_eq!(parse_time(text, &zone).map(|time| time.to_string()).as_deref(), expected, "{text}");
    }

    #[test]
    fn times_are_taken_with_and_without_an_offset() {
        case("2026-01-15", Some("2026-01-14T23:00:00Z"));
        case(" 2026-07-15T09:30 ", Some("2026-07-15T07:30:00Z"));
        case("2026-01-15T09:30:00+02:00", Some("2026-01-15T07:30:00Z"));
        case("2026-01-15T09:30:00Z", Some("2026-01-15T09:30:00Z"));
        case("2026-02-30", None);
        case("yesterday", None);
        case("", None);
    }
}
