//! The properties of a note.

use markdown::frontmatter::{self, Properties};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Answer, NAME, Note};
use crate::mcp::answer::{ContinueWith, LeftOut, text_length};
use crate::mcp::error::ToolError;
use crate::mcp::tools::note_row::shorten_text;

/// Properties that do not fit into any answer.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct TooLong {
    /// Their names.
    names: Vec<String>,
    /// Arguments to put into the same call, to read the block as text.
    read_with: AsText,
}

/// The arguments that turn `properties_only` into reading by lines.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct AsText {
    properties_only: bool,
    start_line: usize,
}

/// Answers with the properties from number `offset` on, as indented JSON. A block that holds a list
/// or a single value is no properties, as Obsidian sees it.
pub(super) fn read(note: &Note<'_>, offset: usize) -> Result<(Vec<String>, Answer), ToolError> {
    let all = match frontmatter::properties(note.text) {
        Properties::Map(map) => map.into_values(),
        Properties::None | Properties::Other => Map::new(),
        Properties::Invalid(error) => {
            return Err(ToolError::Refused(format!(
                "the properties of {:?} are not valid YAML: {error}; read the block as text with \
                 properties_only: false, start_line: 1",
                note.path.as_str()
            )));
        }
    };
    let total = all.len();
    let mut shown = Map::new();
    let mut too_long = Vec::new();
    let mut next = offset;
    let mut room = note.most;
    for (key, value) in all.into_iter().skip(offset) {
        let entry = Map::from_iter([(key.clone(), value.clone())]);
        // Indented JSON of a text inside JSON again: what is longest of the two forms counts.
        let length = text_length(&pretty(&entry)?);
        if length > note.most {
            // No part could ever hold it: it is named, so that the parts after it can be reached.
            let mut name = key;
            shorten_text(&mut name);
            let Some(rest) = room.checked_sub(2 * text_length(&name)) else { break };
            room = rest;
            too_long.push(name);
        } else {
            let Some(rest) = room.checked_sub(length) else { break };
            room = rest;
            shown.insert(key, value);
        }
        next += 1;
    }
    let left_out = (next < total).then(|| LeftOut {
        count: total - next,
        unit: "properties",
        continue_with: ContinueWith { offset: Some(next), ..ContinueWith::default() },
    });
    let mut blocks = vec![pretty(&shown)?];
    if !too_long.is_empty() {
        blocks.push(format!(
            "too long for an answer: {} (read them as text with properties_only: false, start_line: 1)",
            too_long.join(", ")
        ));
    }
    blocks.extend(left_out.as_ref().map(LeftOut::in_words));
    let too_long = (!too_long.is_empty())
        .then_some(TooLong { names: too_long, read_with: AsText { properties_only: false, start_line: 1 } });
    Ok((blocks, Answer { properties: Some(shown), too_long, left_out, ..Answer::default() }))
}

fn pretty(properties: &Map<String, Value>) -> Result<String, ToolError> {
    serde_json::to_string_pretty(properties)
        .map_err(|error| ToolError::Internal { tool: NAME, cause: error.to_string() })
}
