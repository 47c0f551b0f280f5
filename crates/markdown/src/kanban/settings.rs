//! The settings at the end of a board: JSON in a code block, inside an Obsidian comment.

use serde_json::{Map, Value};

/// Property keys that are known to be settings of the board: saving moves them from the properties into the
/// settings.
pub const SETTING_KEYS: &[&str] = &[
    "kanban-plugin",
    "append-archive-date",
    "archive-with-date",
    "date-colors",
    "date-display-format",
    "date-format",
    "date-trigger",
    "inline-metadata-position",
    "lane-width",
    "link-date-to-daily-note",
    "max-archive-size",
    "metadata-keys",
    "move-dates",
    "move-tags",
    "move-task-metadata",
    "show-checkboxes",
    "time-format",
    "time-trigger",
];

/// Where the lanes end and what the settings block says: `None` when the text does not end with one.
///
/// The block is the last thing of the text: a code block of backticks, with or without the closing `%%`
/// after it and the opening `%% kanban:settings` before it. Text after it makes it no settings block.
pub(super) fn footer(text: &str) -> Option<(usize, &str)> {
    let end = text.trim_end();
    let end = end.strip_suffix("%%").map_or(end, str::trim_end);
    let inside = end.strip_suffix("```").filter(|inside| inside.ends_with('\n'))?;
    let open = inside.rfind("\n```").or_else(|| inside.starts_with("```").then_some(0))?;
    let block = inside.get(open..)?.trim_start_matches('\n');
    let json = block.split_once('\n').map_or("", |(_, json)| json);
    let before = inside.get(..open)?;
    let comment = before.trim_end().strip_suffix("%% kanban:settings");
    Some((comment.map_or(before.len(), str::len), json))
}

/// The settings of a board: those of the block, then the properties that are settings.
pub(super) fn merged(
    block: Option<&str>,
    properties: &Map<String, Value>,
) -> Result<Map<String, Value>, serde_json::Error> {
    let mut settings: Map<String, Value> = match block.map(str::trim).filter(|json| !json.is_empty()) {
        Some(json) => serde_json::from_str(json)?,
        None => Map::new(),
    };
    for (key, value) in properties.iter().filter(|(key, _)| SETTING_KEYS.contains(&key.as_str())) {
        settings.insert(key.clone(), value.clone());
    }
    Ok(settings)
}
