//! `vault_update_memory`: a dated entry under a section of a memory file.

use markdown::edit::memory::{self, NewEntry, Position, new_file};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vault::{EditRefused, Lock};

use super::error::Wanted;
use super::{Frame, Safety};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};
use crate::mcp::tools::get_daily_note::parse_date;
use crate::mcp::tools::note_row::shorten_text;

/// The tool.
pub(crate) struct UpdateMemory;

const NAME: &str = "vault_update_memory";

/// What to remember, and where.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    #[schemars(length(min = 1))]
    file: String,
    #[schemars(length(min = 1))]
    section: String,
    /// One line, without its day.
    #[schemars(length(min = 1))]
    entry: String,
    options: Option<Options>,
    #[serde(flatten)]
    safety: Safety,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
struct Options {
    /// Default today.
    date: Option<String>,
    position: Option<End>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum End {
    Top,
    Bottom,
}

/// What became of the file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    #[serde(flatten)]
    frame: Frame,
    /// Name of the memory file.
    file: String,
    /// The heading the entry stands under, shortened.
    section: String,
    /// Its day.
    date: String,
    /// True when the file was made for it.
    created_file: Option<bool>,
    /// True when the section was made for it.
    created_section: Option<bool>,
    /// True when this very entry was there before, so that nothing was written.
    already_there: Option<bool>,
}

impl Tool for UpdateMemory {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Remembers something about the user: adds a dated entry to a section of a memory file. Makes file and section \
where there are none. The same entry again adds nothing.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let Options { date, position } = arguments.options.unwrap_or_default();
        let date = match &date {
            Some(text) => parse_date("options.date", text)?,
            None => call.app.today(),
        };
        let position = match position {
            Some(End::Bottom) => Position::Bottom,
            Some(End::Top) | None => Position::Top,
        };
        let path = call.memory_file_to_write(&arguments.file)?;
        let options = arguments.safety.options()?;
        let entry = NewEntry { section: &arguments.section, text: &arguments.entry, date, position };
        let (written, mut added) = call
            .writer()?
            .edit_or_create(
                call.caller(NAME),
                &path,
                &options,
                Lock::Wait,
                || Ok(new_file(path.stem())),
                |text| {
                    let mut added =
                        memory::add(text, &entry).map_err(|error| EditRefused(Box::new(error)))?;
                    Ok((std::mem::take(&mut added.edited.text), added))
                },
            )
            .map_err(|error| call.write_error(&path, error, Wanted::Edit))?;
        shorten_text(&mut added.section);
        let is_new = written.before.is_none();
        let frame = Frame::of(call, written);
        let (place, section) = (&frame.path, &added.section);
        let done = if added.is_there {
            format!("Entry already exists in {place} → {section}: nothing was written.")
        } else if is_new {
            format!("Added entry to {place} → {section}. The file is new. {}", nudge(call))
        } else {
            format!("Added entry to {place} → {section}")
        };
        let text = frame.text(&done);
        let answer = Answer {
            file: path.stem().to_owned(),
            section: added.section,
            date: date.to_string(),
            created_file: is_new.then_some(true),
            created_section: added.is_new_section.then_some(true),
            already_there: added.is_there.then_some(true),
            frame,
        };
        Ok(Reply::new(vec![text], answer))
    }
}

/// Asks for what only the caller can say about a new file.
fn nudge(call: &Call<'_>) -> String {
    const EDITS: &str = "vault_replace_in_note";
    let with = if call.app.tools.serves(EDITS) { format!(" with {EDITS}") } else { String::new() };
    format!(
        "Say in its scope callout what belongs in it: replace the sentence that begins \"Not written \
         yet\"{with}."
    )
}
