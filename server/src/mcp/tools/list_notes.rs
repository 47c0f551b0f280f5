//! `vault_list_notes`: paths, from the file system.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vault::{FileKind, VaultPath};

use super::folder::Folder;
use super::support::{json, list_blocks};
use crate::glob::Glob;
use crate::mcp::answer::{LeftOut, Shorten, fit};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct ListNotes;

/// Which notes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Only this folder and those below it.
    folder: Option<String>,
    /// `*` is anything within a name, `**` any folders; matched against the path below `folder`.
    #[schemars(length(max = 500))]
    glob: Option<String>,
    /// Paths to skip.
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

/// The notes.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Paths, sorted.
    notes: Vec<String>,
    /// How many notes match.
    total: usize,
    /// What is not in this part.
    left_out: Option<LeftOut>,
}

impl Shorten for String {}

impl Tool for ListNotes {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Lists the paths of notes (.md), sorted, straight from the file system: also what is not indexed yet.\
{vault_search? To find notes by what they say, use vault_search.}

Examples: {} all notes; {\"glob\": \"*.md\"} only the top folder; {\"glob\": \"**/2026-*.md\"}

Returns a JSON array of paths; empty for a folder that does not exist.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let folder = Folder::read(call, arguments.folder.as_deref())?;
        let glob = arguments.glob.as_deref().map(Glob::new);
        let matches = |path: &VaultPath| {
            glob.as_ref().is_none_or(|glob| glob.matches(folder.below(path)) || glob.matches(path.as_str()))
        };
        let paths: Vec<String> = folder
            .files(call, |kind| kind == FileKind::Note)?
            .into_iter()
            .map(|file| file.path)
            .filter(|path| matches(path))
            .map(|path| path.as_str().to_owned())
            .collect();
        let total = paths.len();
        let offset = arguments.offset.unwrap_or(0);
        let rest = paths.into_iter().skip(offset).collect();
        let fitted = fit(rest, offset, total, call.app.max_answer_chars, "notes");
        let blocks = list_blocks(json("vault_list_notes", &fitted.rows)?, fitted.left_out.as_ref());
        Ok(Reply::new(blocks, Answer { notes: fitted.rows, total, left_out: fitted.left_out }))
    }
}
