//! `vault_read_note`: a note as a whole, a section, a range of lines, its properties or its
//! outline.

mod outline;
mod properties;
mod section;
#[cfg(test)]
mod tests;
mod text;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use vault::{Content, FileKind, VaultPath};

use self::outline::RestOfOpening;
use self::properties::TooLong;
use super::note_row::CalloutRow;
use super::support::encoding;
use crate::mcp::answer::LeftOut;
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct ReadNote;

const NAME: &str = "vault_read_note";

/// Which note, and what of it.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Path of the note in the vault, with .md.
    #[schemars(length(min = 1))]
    path: String,
    /// Only the properties, as JSON.
    properties_only: Option<bool>,
    /// Only size, opening and headings, as JSON.
    outline: Option<bool>,
    /// Only the section under this heading.
    #[schemars(length(min = 1, max = 2000))]
    heading: Option<String>,
    /// Its level, when several have this text.
    #[schemars(range(min = 1, max = 6))]
    heading_level: Option<u8>,
    /// First line, from 1; of the section with heading.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    start_line: Option<usize>,
    /// Most lines to return.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    limit: Option<usize>,
    /// First character within start_line.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    start_char: Option<usize>,
    /// Headings or properties to skip.
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

/// What was read. Which fields there are depends on what was asked for.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Path of the note.
    path: String,
    /// SHA-256 of the file, to be given as expected_hash when it is changed.
    hash: String,
    /// Size of the file on disk.
    bytes: u64,
    /// Last change on disk.
    modified: String,
    /// How the file is encoded, when it is not plain UTF-8: utf-8-bom, utf-16 or windows-1252. Text is
    /// without a byte order mark.
    encoding: Option<&'static str>,
    /// The text.
    text: Option<String>,
    /// Heading of the section.
    heading: Option<String>,
    /// Level of that heading.
    heading_level: Option<u8>,
    /// First line returned.
    start_line: Option<usize>,
    /// Last line returned.
    end_line: Option<usize>,
    /// Lines there are.
    total_lines: Option<usize>,
    /// The properties.
    #[schemars(with = "Option<Map<String, Value>>")]
    properties: Option<Map<String, Value>>,
    /// Properties too long for an answer.
    too_long: Option<TooLong>,
    /// The callout that opens the note.
    leading_callout: Option<CalloutRow>,
    /// Text before the first heading, the callout apart.
    leading_content: Option<String>,
    /// The rest of that text, when it was cut.
    leading_content_left_out: Option<RestOfOpening>,
    /// The headings.
    headings: Option<Vec<HeadingRow>>,
    /// What is not in this answer.
    left_out: Option<LeftOut>,
}

/// A heading of the outline.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct HeadingRow {
    /// 1 to 6.
    level: u8,
    /// Its text.
    text: String,
    /// Size of its section, those below included.
    bytes: usize,
}

/// A note that was read, and how much may be said of it.
struct Note<'a> {
    path: &'a VaultPath,
    text: &'a str,
    /// Room for the answer, in characters of JSON.
    most: usize,
}

impl Tool for ReadNote {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Reads a note: by default the whole file, properties included. Of a long note read the outline first, then \
a heading or lines.{vault_search? vault_search finds paths.}

- properties_only: the properties as JSON.
- outline: {bytes, modified, leading_callout?, leading_content?, headings: [{level, text, bytes}]}; \
bytes of a heading is what heading would return.
- heading: the section from that heading to the next of its level or above; heading_level tells \
equal headings apart.
- start_line, limit: lines of the file or section.
Only one of properties_only, outline and heading; the first two take no lines and continue by offset.

Examples: {\"path\": \"Projects/alpha.md\"}; {\"path\": \"Log.md\", \"heading\": \"2026-07\"}; {\"path\": \
\"Log.md\", \"start_line\": 200, \"limit\": 100}

The structured content has the file's hash. An answer that would be too long is cut and says how to \
continue.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        arguments.check()?;
        let path = call.path(&arguments.path)?;
        let content = call.read_note(&path)?;
        let (text, decoding) = content.text();
        let encoding = encoding(&path, decoding)?;
        // Path, hash, times and field names stand around what is asked for; the path twice.
        let around = 700 + 2 * path.as_str().chars().count();
        let most = call.app.max_answer_chars.saturating_sub(around).max(200);
        let note = Note { path: &path, text: &text, most };
        let modified = call.app.show_time(content.stat.modified_ns);
        let (blocks, shape) = if arguments.properties_only == Some(true) {
            properties::read(&note, arguments.offset.unwrap_or(0))?
        } else if arguments.outline == Some(true) {
            let file = outline::File { bytes: content.stat.size, modified: &modified };
            outline::read(&note, file, arguments.offset.unwrap_or(0))?
        } else if let Some(heading) = &arguments.heading {
            section::read(&note, heading, &arguments)?
        } else {
            text::read(&note, &text, None, &arguments)?
        };
        let answer = Answer {
            path: path.as_str().to_owned(),
            hash: content.hash().to_string(),
            bytes: content.stat.size,
            modified,
            encoding,
            ..shape
        };
        Ok(Reply::new(blocks, answer))
    }
}

impl Arguments {
    /// Arguments that do not go together.
    fn check(&self) -> Result<(), ToolError> {
        let refuse = |message: &str| Err(ToolError::Refused(message.to_owned()));
        let properties = self.properties_only == Some(true);
        let outline = self.outline == Some(true);
        let shapes = [properties, outline, self.heading.is_some()];
        if shapes.into_iter().filter(|set| *set).count() > 1 {
            return refuse("properties_only, outline and heading exclude each other: set at most one");
        }
        if self.heading_level.is_some() && self.heading.is_none() {
            return refuse("heading_level needs heading");
        }
        let lines = self.start_line.is_some() || self.limit.is_some() || self.start_char.is_some();
        if lines && properties {
            return refuse("start_line, limit and start_char do not go with properties_only");
        }
        if lines && outline {
            return refuse("start_line, limit and start_char do not go with outline");
        }
        if self.offset.is_some() && !properties && !outline {
            return refuse(
                "offset goes with properties_only or outline: lines are continued with start_line",
            );
        }
        if self.start_char.is_some() && self.start_line.is_none() {
            return refuse("start_char needs start_line");
        }
        Ok(())
    }
}

impl Call<'_> {
    /// A note that the caller may see.
    fn read_note(&self, path: &VaultPath) -> Result<Content, ToolError> {
        if !self.who.sees(path) {
            return Err(self.note_not_found(path));
        }
        if path.kind() != FileKind::Note && self.app.vault.stat(path).is_ok() {
            let other = if self.app.tools.serves("vault_read_file") { "; use vault_read_file" } else { "" };
            return Err(ToolError::Refused(format!(
                "not a note: {:?} does not end in .md{other}",
                path.as_str()
            )));
        }
        match self.app.vault.read(path) {
            // A link in a folder the caller may see can lead to one it may not.
            Ok(content) if self.who.sees(&content.path) => Ok(content),
            Ok(_) => Err(self.note_not_found(path)),
            Err(error) if error.is_not_found() => Err(self.note_not_found(path)),
            Err(error) => Err(error.into()),
        }
    }
}
