//! `vault_list_files`: files that are not notes, from the file system.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use vault::{FileKind, FoundFile};

use super::folder::Folder;
use crate::mcp::answer::{LeftOut, Shorten, fit, json_length};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct ListFiles;

/// How many files are listed unless more are asked for.
const DEFAULT_LIMIT: usize = 50;

/// Which files.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Only this folder and those below it.
    folder: Option<String>,
    /// Only these, with or without the dot.
    #[schemars(inner(length(min = 1, max = 255)))]
    extensions: Option<Vec<String>>,
    /// Most files (default 50).
    #[schemars(range(min = 1, max = 1_000_000_000))]
    limit: Option<usize>,
    /// Files to skip.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    offset: Option<usize>,
}

/// The files.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Files, by path.
    files: Vec<Row>,
    /// How many files there are of each extension, listed or not.
    #[schemars(with = "BTreeMap<String, u64>")]
    extension_counts: Map<String, Value>,
    /// Extensions that are too many to be counted here; the rarest.
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions_left_out: Option<usize>,
    /// How many files match.
    total: usize,
    /// Whether there are more than are listed.
    truncated: bool,
    /// What is not in this part.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
}

/// A file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    /// Path in the vault.
    path: String,
    /// Its extension in lower case, with the dot; empty when it has none.
    extension: String,
    /// Size on disk.
    bytes: u64,
}

impl Shorten for Row {}

impl Tool for ListFiles {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Lists the files of the vault that are not notes: images, canvases, bases, PDFs, data.{vault_list_notes? Notes are listed by vault_list_notes.}\
{vault_read_file? Read a file with vault_read_file.}

Example: {\"folder\": \"Attachments\", \"extensions\": [\"png\", \".jpg\"]}

Returns {files: [{path, extension, bytes}], extension_counts: {\".png\": 12}, total, truncated, \
left_out?}; counts and total are of all files that match.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let wanted = wanted(arguments.extensions.unwrap_or_default());
        let files: Vec<Row> = Folder::read(call, arguments.folder.as_deref())?
            .files(call, |kind| kind != FileKind::Note)?
            .into_iter()
            .map(Row::from)
            .filter(|row| wanted.as_ref().is_none_or(|wanted| wanted.contains(&row.extension)))
            .collect();
        let total = files.len();
        let (extension_counts, extensions_left_out) = count(&files, call.app.max_answer_chars / 4);
        let offset = arguments.offset.unwrap_or(0);
        let rows = files.into_iter().skip(offset).take(arguments.limit.unwrap_or(DEFAULT_LIMIT)).collect();
        let room = call.app.max_answer_chars.saturating_sub(json_length(&extension_counts));
        let fitted = fit(rows, offset, total, room, "files");
        Reply::json(Answer {
            truncated: fitted.left_out.is_some(),
            files: fitted.rows,
            extension_counts,
            extensions_left_out,
            total,
            left_out: fitted.left_out,
        })
        .map_err(|error| ToolError::Internal { tool: "vault_list_files", cause: error.to_string() })
    }
}

impl From<FoundFile> for Row {
    fn from(file: FoundFile) -> Self {
        Self {
            extension: file.path.extension().map(|extension| format!(".{extension}")).unwrap_or_default(),
            path: file.path.as_str().to_owned(),
            bytes: file.stat.size,
        }
    }
}

/// The extensions asked for as rows have them; `None` when any will do.
fn wanted(extensions: Vec<String>) -> Option<BTreeSet<String>> {
    let wanted: BTreeSet<String> = extensions
        .into_iter()
        .map(|extension| extension.trim().trim_start_matches('.').to_lowercase())
        .map(|extension| if extension.is_empty() { extension } else { format!(".{extension}") })
        .collect();
    (!wanted.is_empty()).then_some(wanted)
}

/// Counts by extension, in the order in which they first appear; the rarest are left out when all would
/// take more than `most` characters.
fn count(files: &[Row], most: usize) -> (Map<String, Value>, Option<usize>) {
    let mut counts: Map<String, Value> = Map::new();
    for file in files {
        let so_far = counts.get(&file.extension).and_then(Value::as_u64).unwrap_or(0);
        counts.insert(file.extension.clone(), (so_far + 1).into());
    }
    if json_length(&counts) <= most {
        return (counts, None);
    }
    let mut by_count: Vec<(u64, String)> =
        counts.iter().map(|(name, count)| (count.as_u64().unwrap_or(0), name.clone())).collect();
    by_count.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let mut room = most;
    let shown: BTreeSet<String> = by_count
        .into_iter()
        .map_while(|(count, name)| {
            room = room.checked_sub(json_length(&name) + json_length(&count))?;
            Some(name)
        })
        .collect();
    let before = counts.len();
    counts.retain(|name, _| shown.contains(name));
    let left_out = before - counts.len();
    (counts, Some(left_out))
}
