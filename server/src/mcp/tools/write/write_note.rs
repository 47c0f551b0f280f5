//! `vault_write_note`: a new note, or a new body for an old one.

use markdown::edit::write_note;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use vault::{EditRefused, Lock, VaultPath, WriteError, WriteOptions, Writer, Written};

use super::error::Wanted;
use super::{Frame, Safety};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct WriteNote;

const NAME: &str = "vault_write_note";

/// What to write.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Where, with .md.
    #[schemars(length(min = 1))]
    path: String,
    /// Markdown below the properties; may be empty.
    #[schemars(length(min = 0))]
    body: String,
    /// Properties to set; null removes one of an old note.
    properties: Option<Map<String, Value>>,
    /// Replace the body of a note that is there. Its properties stay.
    overwrite: Option<bool>,
    #[serde(flatten)]
    safety: Safety,
}

/// The note.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    #[serde(flatten)]
    frame: Frame,
    /// Whether the note is new.
    created: bool,
    /// Notes with links that meant another note of the same name and mean this one now. They were not
    /// changed.
    retargeted_notes: Option<Vec<String>>,
}

impl Tool for WriteNote {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Makes a note and the folders it needs; with overwrite: true gives a note that is there a new body. Changes no \
other note.{vault_patch_note? To change a part of a note use vault_patch_note.}

Example: {\"path\": \"Projects/alpha.md\", \"body\": \"# Alpha\\n\", \"properties\": {\"tags\": [\"project\"]}}

Without properties, a body that starts with --- brings its own block.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let path = call.path(&arguments.path)?;
        call.only_notes(&path)?;
        let options = arguments.safety.options()?;
        let writer = call.writer()?;
        let before = call.linked_by_name(&path);
        let (written, created) = write(call, writer, &path, &arguments, &options)?;
        let retargeted =
            if created && written.change.is_some() { call.retargeted(&path, &before) } else { None };
        let frame = Frame::of(call, written);
        let done = match (&retargeted, created) {
            (Some(notes), _) => format!(
                "Wrote {path}. Links in these notes meant another note of this name and mean it now: {}",
                notes.join(", ")
            ),
            (None, _) => format!("Wrote {path}"),
        };
        let text = frame.text(&done);
        Ok(Reply::new(vec![text], Answer { frame, created, retargeted_notes: retargeted }))
    }
}

/// Makes the note, or gives the one that is there its new body.
fn write(
    call: &Call<'_>,
    writer: &Writer,
    path: &VaultPath,
    arguments: &Arguments,
    options: &WriteOptions,
) -> Result<(Written, bool), ToolError> {
    let properties = arguments.properties.clone().unwrap_or_default();
    let failed = |error| call.write_error(path, error, Wanted::Overwrite);
    let overwrite = arguments.overwrite == Some(true);
    // A note that comes or goes in between is met by the other way.
    for _ in 0..3 {
        if overwrite {
            let edited = writer.edit(call.caller(NAME), path, options, Lock::FailFast, |text| {
                let written = write_note::overwrite(text, &arguments.body, &properties);
                let written = written.map_err(|error| EditRefused(Box::new(error)))?;
                Ok((written.edited.text, ()))
            });
            match edited {
                Ok((written, ())) => return Ok((written, false)),
                Err(WriteError::Vault(error)) if error.is_not_found() => {}
                Err(error) => return Err(failed(error)),
            }
        }
        let note = write_note::create(&arguments.body, &properties)
            .map_err(|error| failed(WriteError::Refused(EditRefused(Box::new(error)))))?;
        match writer.create(call.caller(NAME), path, &note.edited.text, options) {
            Ok(written) => return Ok((written, true)),
            Err(WriteError::Exists { .. }) if overwrite => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Err(failed(WriteError::ChangedMeanwhile { path: path.as_str().to_owned() }))
}

impl Call<'_> {
    /// Notes that link to a file with the name of `path`. Without an index none is known.
    fn linked_by_name(&self, path: &VaultPath) -> Vec<VaultPath> {
        let Ok(index) = self.index() else { return Vec::new() };
        let namesakes = index.namesakes(self.who, path).unwrap_or_default();
        let links = namesakes.iter().filter_map(|namesake| index.backlinks(self.who, namesake).ok());
        links.flatten().map(|link| link.path).collect()
    }

    /// Which of some notes link to `path` now.
    fn retargeted(&self, path: &VaultPath, before: &[VaultPath]) -> Option<Vec<String>> {
        if before.is_empty() {
            return None;
        }
        let links = self.index().ok()?.backlinks(self.who, path).ok()?;
        let now = links.into_iter().map(|link| link.path).filter(|path| before.contains(path));
        let now: Vec<String> = now.map(|path| path.as_str().to_owned()).collect();
        (!now.is_empty()).then_some(now)
    }
}
