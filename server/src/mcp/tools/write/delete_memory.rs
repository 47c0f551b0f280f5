//! `vault_delete_memory`: takes one entry out of a memory file.

use markdown::edit::memory;
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
pub(crate) struct DeleteMemory;

const NAME: &str = "vault_delete_memory";

/// Which entry.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    #[schemars(length(min = 1))]
    file: String,
    #[schemars(length(min = 1))]
    section: String,
    /// YYYY-MM-DD.
    #[schemars(length(min = 1))]
    date: String,
    /// Its text, or the first line of it, without the day.
    #[schemars(length(min = 1))]
    entry: String,
    #[serde(flatten)]
    safety: Safety,
}

/// What became of the file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    #[serde(flatten)]
    frame: Frame,
    /// Name of the memory file.
    file: String,
    /// The heading the entry stood under, shortened.
    section: String,
    /// The entry as it stood there, shortened.
    removed: String,
}

impl Tool for DeleteMemory {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Takes one entry out of a memory file, with the lines that belong to it. Refused when several read so.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let date = parse_date("date", &arguments.date)?;
        let path = call.memory_file(&arguments.file)?;
        let options = arguments.safety.options()?;
        let edit = |text: &str| {
            let mut deleted = memory::delete(text, &arguments.section, date, &arguments.entry)
                .map_err(|error| EditRefused(Box::new(error)))?;
            Ok((std::mem::take(&mut deleted.edited.text), deleted))
        };
        let (written, mut deleted) = call
            .writer()?
            .edit(call.caller(NAME), &path, &options, Lock::Wait, edit)
            .map_err(|error| call.write_error(&path, error, Wanted::Edit))?;
        shorten_text(&mut deleted.section);
        shorten_text(&mut deleted.removed);
        let frame = Frame::of(call, written);
        let text = frame.text(&format!("Deleted entry from {} → {}", frame.path, deleted.section));
        let answer = Answer {
            file: path.stem().to_owned(),
            section: deleted.section,
            removed: deleted.removed,
            frame,
        };
        Ok(Reply::new(vec![text], answer))
    }
}
