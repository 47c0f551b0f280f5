//! The settings file of the Tasks plugin, `.obsidian/plugins/obsidian-tasks-plugin/data.json`.
//!
//! Only what reads or changes lines is kept. A key that is missing, null or of another type has its default,
//! as in the plugin; keys that this module does not know are nobody's business here.
//!
//! Error policy: the only error is a text that is no JSON object. A caller that has none uses
//! `Settings::default()`.

use serde_json::Value;

use super::status::Status;
use super::status::StatusRegistry;
use super::status::StatusType;
use super::{Format, Task};

/// What the plugin's settings say about reading and writing task lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// `taskFormat`: how fields are read and written.
    pub format: Format,
    /// `globalFilter`: a line counts as a task only if its body holds this text. Empty: every line does.
    pub global_filter: String,
    /// `removeGlobalFilter`: hide the filter when tasks are shown. It never changes a line.
    pub remove_global_filter: bool,
    /// `setCreatedDate`: write ➕ on new tasks and on new occurrences.
    pub set_created_date: bool,
    /// `setDoneDate`: write ✅ on completion.
    pub set_done_date: bool,
    /// `setCancelledDate`: write ❌ on cancelling.
    pub set_cancelled_date: bool,
    /// `useFilenameAsScheduledDate`: a date in the note's name is the scheduled date of tasks without dates.
    pub use_filename_as_scheduled_date: bool,
    /// `filenameAsScheduledDateFormat`: a moment format tried on the name before `2026-03-10` and `20260310`.
    pub filename_as_scheduled_date_format: String,
    /// `filenameAsDateFolders`: only notes in these folders; empty: all.
    pub filename_as_date_folders: Vec<String>,
    /// `recurrenceOnNextLine`: the next occurrence goes below the completed line.
    pub recurrence_on_next_line: bool,
    /// `removeScheduledDateOnRecurrence`: a next occurrence with another date has no scheduled date.
    pub remove_scheduled_date_on_recurrence: bool,
    /// `statusSettings`: core statuses, then custom ones.
    pub statuses: StatusRegistry,
}

/// The settings file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The text is no JSON.
    #[error("the Tasks settings are no valid JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The text is JSON, but not an object.
    #[error("the Tasks settings are no JSON object")]
    NoObject,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            format: Format::Emoji,
            global_filter: String::new(),
            remove_global_filter: false,
            set_created_date: false,
            set_done_date: true,
            set_cancelled_date: true,
            use_filename_as_scheduled_date: false,
            filename_as_scheduled_date_format: String::new(),
            filename_as_date_folders: Vec::new(),
            recurrence_on_next_line: false,
            remove_scheduled_date_on_recurrence: false,
            statuses: StatusRegistry::default(),
        }
    }
}

impl Settings {
    /// Reads the text of the settings file.
    pub fn from_json(text: &str) -> Result<Self, SettingsError> {
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))?;
        if value.is_object() { Ok(Self::from_value(&value)) } else { Err(SettingsError::NoObject) }
    }

    /// Reads the settings from their JSON value.
    pub fn from_value(value: &Value) -> Self {
        let default = Self::default();
        let flag = |key: &str, default: bool| value.get(key).and_then(Value::as_bool).unwrap_or(default);
        let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let folders = value.get("filenameAsDateFolders").and_then(Value::as_array);
        Self {
            format: match value.get("taskFormat").and_then(Value::as_str) {
                Some(name) if name == Format::Dataview.name() => Format::Dataview,
                _ => Format::Emoji,
            },
            global_filter: text("globalFilter"),
            remove_global_filter: flag("removeGlobalFilter", default.remove_global_filter),
            set_created_date: flag("setCreatedDate", default.set_created_date),
            set_done_date: flag("setDoneDate", default.set_done_date),
            set_cancelled_date: flag("setCancelledDate", default.set_cancelled_date),
            use_filename_as_scheduled_date: flag("useFilenameAsScheduledDate", false),
            filename_as_scheduled_date_format: text("filenameAsScheduledDateFormat"),
            filename_as_date_folders: folders
                .into_iter()
                .flatten()
                .filter_map(|folder| folder.as_str().map(str::to_owned))
                .collect(),
            recurrence_on_next_line: flag("recurrenceOnNextLine", false),
            remove_scheduled_date_on_recurrence: flag("removeScheduledDateOnRecurrence", false),
            statuses: value.get("statusSettings").map_or(default.statuses, registry),
        }
    }

    /// Whether a task's body holds the global filter.
    pub fn includes(&self, body: &str) -> bool {
        body.contains(&self.global_filter)
    }

    /// What the task's box means.
    pub fn status_of(&self, task: &Task) -> StatusType {
        self.statuses.status_type(&task.symbol)
    }
}

/// The registry of `statusSettings`. A list that is missing has the plugin's default.
fn registry(settings: &Value) -> StatusRegistry {
    let default = StatusRegistry::default();
    let list = |key: &str| settings.get(key).and_then(Value::as_array);
    let (core, custom) = default.statuses().split_at(2);
    let core = list("coreStatuses").map_or_else(|| core.to_vec(), |list| list.iter().map(status).collect());
    let custom =
        list("customStatuses").map_or_else(|| custom.to_vec(), |list| list.iter().map(status).collect());
    StatusRegistry::new(core.into_iter().chain(custom))
}

/// One status. Saves older than status types have none: there `x` is done, as the plugin's own import does.
fn status(value: &Value) -> Status {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let symbol = text("symbol").unwrap_or(" ");
    let status_type = match text("type") {
        Some(name) => StatusType::from_name(name).unwrap_or(StatusType::Todo),
        None => match symbol {
            "x" | "X" => StatusType::Done,
            "/" => StatusType::InProgress,
            "-" => StatusType::Cancelled,
            _ => StatusType::Todo,
        },
    };
    Status {
        symbol: symbol.to_owned(),
        name: text("name").unwrap_or_default().to_owned(),
        next: text("nextStatusSymbol").unwrap_or("x").to_owned(),
        available_as_command: value.get("availableAsCommand").and_then(Value::as_bool).unwrap_or(false),
        status_type,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_null_and_wrong_values_are_defaults() {
        for text in ["{}", r#"{"setDoneDate":null,"globalFilter":7,"statusSettings":null,"taskFormat":"x"}"#]
        {
            assert_eq!(Settings::from_json(text).expect("an object"), Settings::default(), "{text}");
        }
    }

    #[test]
    fn no_json_and_no_object_are_errors() {
        assert!(matches!(Settings::from_json("{"), Err(SettingsError::Json(_))));
        assert!(matches!(Settings::from_json("[]"), Err(SettingsError::NoObject)));
    }

    #[test]
    fn statuses_core_first_then_custom() {
        let settings = Settings::from_json(
            r##"{"taskFormat":"dataview","globalFilter":"#task","statusSettings":{
                "coreStatuses":[{"symbol":" ","name":"Todo","nextStatusSymbol":"x","availableAsCommand":true,"type":"TODO"},
                                {"symbol":"x","name":"Done","nextStatusSymbol":" ","availableAsCommand":true,"type":"DONE"}],
                "customStatuses":[{"symbol":"x","name":"Again","nextStatusSymbol":" ","type":"TODO"},
                                  {"symbol":"!","name":"Important","type":"WHAT"}]}}"##,
        )
        .expect("an object");
        assert_eq!(settings.format, Format::Dataview);
        let symbols: Vec<&str> = settings.statuses.statuses().iter().map(|s| s.symbol.as_str()).collect();
        assert_eq!(symbols, [" ", "x", "!"]);
        assert_eq!(settings.statuses.status_type("!"), StatusType::Todo);
        assert_eq!(settings.statuses.status("!").next, "x");
    }
}
