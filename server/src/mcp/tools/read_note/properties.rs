//! The properties of a note.

use markdown::frontmatter::{self, Properties};
use serde_json::{Map, Value};

use super::{Answer, NAME, Note};
use crate::mcp::answer::{ContinueWith, LeftOut, text_length};
use crate::mcp::error::ToolError;

/// Answers with the properties, as indented JSON. A block that holds a list or a single value is
/// no properties, as Obsidian sees it.
pub(super) fn read(note: &Note<'_>) -> Result<(Vec<String>, Answer), ToolError> {
    let all = match frontmatter::properties(note.text) {
        Properties::Map(map) => map.into_values(),
        Properties::None | Properties::Other => Map::new(),
        Properties::Invalid(error) => {
            return Err(ToolError::Refused(format!(
                "the properties of {:?} are not valid YAML: {error}; read the block as text with start_line: 1",
                note.path.as_str()
            )));
        }
    };
    let total = all.len();
    let mut shown = Map::new();
    let mut room = note.most;
    for (key, value) in all {
        let entry = Map::from_iter([(key.clone(), value.clone())]);
        // Indented JSON of a text inside JSON again: what is longest of the two forms counts.
        let length = text_length(&pretty(&entry)?);
        let Some(rest) = room.checked_sub(length) else { break };
        room = rest;
        shown.insert(key, value);
    }
    let left_out = (shown.len() < total).then(|| LeftOut {
        count: total - shown.len(),
        unit: "properties",
        continue_with: ContinueWith { start_line: Some(1), ..ContinueWith::default() },
    });
    let mut blocks = vec![pretty(&shown)?];
    blocks
        .extend(left_out.as_ref().map(|left_out| format!("{} without properties_only", left_out.in_words())));
    Ok((blocks, Answer { properties: Some(shown), left_out, ..Answer::default() }))
}

fn pretty(properties: &Map<String, Value>) -> Result<String, ToolError> {
    serde_json::to_string_pretty(properties)
        .map_err(|error| ToolError::Internal { tool: NAME, cause: error.to_string() })
}
