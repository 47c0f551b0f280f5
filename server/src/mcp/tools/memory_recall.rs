//! `vault_memory_recall`: single dated entries by words.

use ::search::{RecallQuery, RecalledEntry};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::note_row::shorten_text;
use super::support::Indexing;
use crate::mcp::answer::{LeftOut, Shorten, fit};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct MemoryRecall;

/// How many entries are shown unless more are asked for.
const DEFAULT_LIMIT: usize = 50;

/// What to look for.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Words or a question.
    #[schemars(length(min = 1, max = 4000))]
    query: String,
    /// Only this memory file.
    #[schemars(length(max = 300))]
    file: Option<String>,
    /// Most entries (default 50).
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
    /// Entries to skip.
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

/// The entries.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Oldest first.
    entries: Vec<Row>,
    /// Entries that match, shown or not.
    total: usize,
    /// Whether some are not shown: those that say least about the query, whatever their day.
    truncated: bool,
    /// How it was searched: fts is by words.
    search_mode: &'static str,
    /// Whether a model had a say in the choice.
    reranked: bool,
    /// What is not in this part.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
    /// Set while the index is being built.
    #[serde(skip_serializing_if = "Option::is_none")]
    indexing: Option<Indexing>,
}

/// An entry.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    /// Name of its memory file.
    file: String,
    /// The heading it stands under.
    section: Option<String>,
    /// Its day.
    date: String,
    /// The bullet as it is written.
    text: String,
    /// Its line, which orders entries of one day.
    #[serde(skip)]
    line: u32,
}

impl Shorten for Row {
    fn shorten(&mut self) {
        shorten_text(&mut self.text);
        if let Some(section) = &mut self.section {
            shorten_text(section);
        }
    }
}

impl From<RecalledEntry> for Row {
    fn from(entry: RecalledEntry) -> Self {
        let RecalledEntry { path, section, date, text, line } = entry;
        Self { file: path.stem().to_owned(), section, date, text, line }
    }
}

impl Tool for MemoryRecall {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Finds single dated entries of memory files with every word in some form, else any; file, section \
and day are words too. Oldest first; past limit the least relevant are left out.{vault_get_memory? Whole \
files: vault_get_memory.}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let offset = arguments.offset.unwrap_or(0);
        let folder = call.app.memory.path().as_str();
        let query = RecallQuery {
            file: arguments.file.as_deref().map(|name| call.memory_file(name)).transpose()?,
            offset,
            limit: arguments.limit.unwrap_or(DEFAULT_LIMIT),
            ..RecallQuery::new(arguments.query, folder)
        };
        let answer = call.index()?.memory_recall(call.who, &query);
        let answer = answer.map_err(|error| call.search_error(&error))?;
        let rows: Vec<Row> = answer.entries.into_iter().map(Row::from).collect();
        // They come most relevant first: what does not fit is what matters least.
        let mut fitted = fit(rows, offset, answer.total, call.app.max_answer_chars, "entries");
        fitted.rows.sort_by(|one, other| {
            (&one.date, &one.file, one.line).cmp(&(&other.date, &other.file, other.line))
        });
        Reply::json(Answer {
            truncated: fitted.rows.len() < answer.total,
            entries: fitted.rows,
            total: answer.total,
            search_mode: answer.search_mode,
            reranked: answer.reranked,
            left_out: fitted.left_out,
            indexing: answer.indexing.map(Indexing::from),
        })
        .map_err(|error| ToolError::Internal { tool: "vault_memory_recall", cause: error.to_string() })
    }
}
