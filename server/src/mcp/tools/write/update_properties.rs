//! `vault_update_properties`: single properties, or the whole block.

use markdown::edit::properties::{PropertiesError, replace, update};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Frame, Safety, shortened};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct UpdateProperties;

/// Which properties.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    #[schemars(length(min = 1))]
    path: String,
    properties: Map<String, Value>,
    replace: Option<bool>,
    #[serde(flatten)]
    safety: Safety,
}

/// What was done.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    #[serde(flatten)]
    frame: Frame,
    /// Properties that have a new value, as they are written in the note.
    set: Vec<String>,
    /// Properties that are gone.
    removed: Vec<String>,
    /// The beginning of the block that was replaced.
    replaced_block: Option<String>,
}

impl Tool for UpdateProperties {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Sets properties of a note; null deletes one. Every other property stays as it is written, comments too. With \
replace: true these are all its properties: the old block is not even read, so that this repairs a broken one.

Example: {\"path\": \"Projects/alpha.md\", \"properties\": {\"status\": \"done\", \"due\": null}}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let edit = if arguments.replace == Some(true) { replace } else { update };
        let change = |text: &str| {
            let mut edited = edit(text, &arguments.properties)?;
            Ok::<_, PropertiesError>((std::mem::take(&mut edited.edited.text), edited))
        };
        let (frame, edited) =
            call.edit("vault_update_properties", &arguments.path, &arguments.safety, change)?;
        let mut done = format!("Updated properties on {}", frame.path);
        for (verb, names) in [("set", &edited.set), ("removed", &edited.removed)] {
            if !names.is_empty() {
                done.push_str(&format!("; {verb}: {}", names.join(", ")));
            }
        }
        let most = call.app.max_answer_chars / 4;
        let replaced_block = edited.replaced.map(|block| shortened(&block, most).0);
        let answer = Answer { set: edited.set, removed: edited.removed, replaced_block, frame };
        Ok(Reply::new(vec![answer.frame.text(&done)], answer))
    }
}
