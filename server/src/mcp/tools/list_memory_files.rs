//! `vault_list_memory_files`: the memory files, what each is for, and how many entries it holds.

use markdown::document::{self, Document};
use markdown::memory::{self, EntryPolicy};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vault::VaultPath;

use super::memory_files::entry_policy;
use super::note_row::{CalloutRow, MOST_ENTRIES, shorten_callout, shorten_text};
use super::support::{json, list_blocks};
use crate::mcp::answer::{LeftOut, Shorten, fit};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct ListMemoryFiles;

const NAME: &str = "vault_list_memory_files";

/// Which part.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Files to skip.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    offset: Option<usize>,
}

/// The memory files.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// By name.
    files: Vec<Row>,
    /// How many there are.
    total: usize,
    /// Where memory files are looked for, when there are none.
    message: Option<String>,
    /// What is not in this part.
    left_out: Option<LeftOut>,
}

/// A memory file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    /// Its name, as the argument file takes it.
    file: String,
    /// The title property, else the name.
    title: String,
    /// Size on disk.
    bytes: u64,
    /// append-only, or living when entries may be replaced.
    entry_policy: &'static str,
    /// The callout that opens it: what it is for.
    leading_callout: Option<CalloutRow>,
    /// Its headings, in order.
    headings: Vec<HeadingRow>,
    /// How many headings there are, when some are left out here.
    #[serde(skip_serializing_if = "Option::is_none")]
    headings_total: Option<usize>,
    /// Why its text is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// A heading.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct HeadingRow {
    /// 1 to 6.
    level: u8,
    /// Its text.
    text: String,
    /// Dated entries that stand directly under it.
    #[serde(rename = "entryCount", skip_serializing_if = "Option::is_none")]
    entry_count: Option<usize>,
}

impl Shorten for Row {
    fn shorten(&mut self) {
        shorten_text(&mut self.title);
        if let Some(callout) = &mut self.leading_callout {
            shorten_callout(callout);
        }
        if self.headings.len() > MOST_ENTRIES {
            self.headings_total = Some(self.headings.len());
            self.headings.truncate(MOST_ENTRIES);
        }
        for heading in &mut self.headings {
            shorten_text(&mut heading.text);
        }
    }
}

impl Tool for ListMemoryFiles {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Lists the memory files, which keep dated entries about the user: size, entry_policy (append-only: each \
entry was true when written; living: the present state), leading_callout (what the file is for), headings \
with their number of entries.{vault_get_memory? Read them with vault_get_memory.}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let paths = call.memory_files()?;
        let (total, offset) = (paths.len(), arguments.offset.unwrap_or(0));
        let mut rows = Vec::with_capacity(total.saturating_sub(offset));
        for path in paths.iter().skip(offset) {
            rows.push(match call.read_memory(path) {
                Ok(file) => row(path, file.bytes, &file.text),
                Err(error) => unread(path, call.app.vault.stat(path).map_or(0, |stat| stat.size), &error),
            });
        }
        let fitted = fit(rows, offset, total, call.app.max_answer_chars, "files");
        let message = (total == 0).then(|| call.no_memory_files());
        let mut blocks = list_blocks(json(NAME, &fitted.rows)?, fitted.left_out.as_ref());
        blocks.extend(message.clone());
        Ok(Reply::new(blocks, Answer { files: fitted.rows, total, message, left_out: fitted.left_out }))
    }
}

fn row(path: &VaultPath, bytes: u64, text: &str) -> Row {
    let document = document::parse(text);
    let property = |key: &str| document.properties.map().and_then(|map| map.text(key));
    Row {
        file: path.stem().to_owned(),
        title: property("title")
            .filter(|title| !title.trim().is_empty())
            .unwrap_or_else(|| path.stem().to_owned()),
        bytes,
        entry_policy: entry_policy(&document).name(),
        leading_callout: CalloutRow::opening(&document),
        headings: headings(text, &document),
        headings_total: None,
        problem: None,
    }
}

fn unread(path: &VaultPath, bytes: u64, error: &ToolError) -> Row {
    Row {
        file: path.stem().to_owned(),
        title: path.stem().to_owned(),
        bytes,
        entry_policy: EntryPolicy::default().name(),
        leading_callout: None,
        headings: Vec::new(),
        headings_total: None,
        problem: Some(error.to_string()),
    }
}

/// Headings with their entries counted. Sections are headings of level 2: those say so when they have none.
fn headings(text: &str, document: &Document) -> Vec<HeadingRow> {
    let mut counts = vec![0; document.headings.len()];
    for entry in memory::entries(text, document) {
        if let Some(count) = entry.section.and_then(|index| counts.get_mut(index)) {
            *count += 1;
        }
    }
    let rows = document.headings.iter().zip(counts).map(|(heading, count)| HeadingRow {
        level: heading.level,
        text: heading.text.clone(),
        entry_count: (count > 0 || heading.level == 2).then_some(count),
    });
    rows.collect()
}
