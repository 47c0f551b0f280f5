//! Fields of tasks as arguments have them.

use jiff::civil::Date;
use markdown::tasks::{Format, OnCompletion, StatusType};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::mcp::clearable::Clearable;
use crate::mcp::error::ToolError;
use crate::mcp::tools::search::parse_day;

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Action {
    Keep,
    Delete,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum FormatName {
    Emoji,
    Dataview,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum StatusName {
    Todo,
    InProgress,
    Done,
    Cancelled,
}

impl From<Action> for OnCompletion {
    fn from(action: Action) -> Self {
        match action {
            Action::Keep => Self::Keep,
            Action::Delete => Self::Delete,
        }
    }
}

impl From<FormatName> for Format {
    fn from(format: FormatName) -> Self {
        match format {
            FormatName::Emoji => Self::Emoji,
            FormatName::Dataview => Self::Dataview,
        }
    }
}

impl From<StatusName> for StatusType {
    fn from(status: StatusName) -> Self {
        match status {
            StatusName::Todo => Self::Todo,
            StatusName::InProgress => Self::InProgress,
            StatusName::Done => Self::Done,
            StatusName::Cancelled => Self::Cancelled,
        }
    }
}

/// A day to be set.
pub(super) fn day(name: &str, text: Option<&String>) -> Result<Option<Option<Date>>, ToolError> {
    Ok(text.map(|text| parse_day(name, text)).transpose()?.map(Some))
}

/// A day to be set or cleared.
pub(super) fn new_day(name: &str, text: Clearable<String>) -> Result<Option<Option<Date>>, ToolError> {
    Ok(text.try_map(|text| parse_day(name, &text))?.into_option())
}

/// A block id without its mark.
pub(super) fn bare(id: &str) -> String {
    let id = id.trim();
    id.strip_prefix('^').unwrap_or(id).to_owned()
}

/// A task id without its mark.
pub(super) fn ids(ids: Vec<String>) -> Vec<String> {
    ids.into_iter().map(|id| id.trim().to_owned()).collect()
}
