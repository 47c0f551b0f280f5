//! `vault_search`: the entry to every rung of the search ladder.

use std::collections::BTreeMap;
use std::sync::Arc;

use ::search::{DateRange, SearchHit, SearchQuery};
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::get_outgoing_links::RowKind;
use super::note_row::{CalloutRow, shorten_callout, shorten_tags, shorten_text};
use super::support::Indexing;
use crate::mcp::answer::{LeftOut, Shorten, fit};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct Search;

/// What to look for.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Plain words, a question, or an exact phrase in quotes.
    #[schemars(length(min = 1, max = 4000))]
    query: String,
    /// All of these must hold.
    filters: Option<FilterArguments>,
    /// Most results (default 20).
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
    /// Words in a snippet (default 30).
    #[schemars(range(min = 1, max = 300))]
    snippet_tokens: Option<usize>,
    /// Adds the callout that opens a note (default false).
    include_leading_callout: Option<bool>,
    /// Results to skip.
    #[schemars(range(min = 0, max = 1000))]
    offset: Option<usize>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
struct FilterArguments {
    /// In this folder or below it.
    folder: Option<String>,
    /// Carries all of these tags or ones nested below.
    tags: Option<Vec<String>>,
    /// The related property names all of these.
    related: Option<Vec<String>>,
    /// The type property.
    #[serde(rename = "type")]
    type_: Option<String>,
    /// Properties and their values. Letter case of the names does not matter.
    properties: Option<BTreeMap<String, PropertyValue>>,
    /// Day of the created property, YYYY-MM-DD.
    created: Option<DateArguments>,
    /// Day of the last change, YYYY-MM-DD.
    modified: Option<DateArguments>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum PropertyValue {
    Text(String),
    Number(serde_json::Number),
    Flag(bool),
}

// before and after exclude the day itself.
#[derive(Debug, Deserialize, JsonSchema)]
struct DateArguments {
    before: Option<String>,
    on: Option<String>,
    after: Option<String>,
}

impl From<PropertyValue> for Value {
    fn from(value: PropertyValue) -> Self {
        match value {
            PropertyValue::Text(text) => Self::String(text),
            PropertyValue::Number(number) => Self::Number(number),
            PropertyValue::Flag(flag) => Self::Bool(flag),
        }
    }
}

impl DateArguments {
    fn read(&self, name: &str) -> Result<DateRange, ToolError> {
        let day = |bound: &str, text: &Option<String>| -> Result<Option<Date>, ToolError> {
            text.as_deref().map(|text| parse_day(&format!("filters.{name}.{bound}"), text)).transpose()
        };
        Ok(DateRange {
            before: day("before", &self.before)?,
            on: day("on", &self.on)?,
            after: day("after", &self.after)?,
        })
    }
}

/// A day as `YYYY-MM-DD`, and nothing else that a date parser would take.
pub(super) fn parse_day(argument: &str, text: &str) -> Result<Date, ToolError> {
    let text = text.trim();
    let shape = text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(index, byte)| if matches!(index, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() });
    text.parse::<Date>().ok().filter(|_| shape).ok_or_else(|| {
        ToolError::argument(
            argument,
            "a day as YYYY-MM-DD, for instance 2026-07-03",
            &Value::String(text.to_owned()),
        )
    })
}

/// The results.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Best first.
    results: Vec<Row>,
    /// The kind of ranking: fts is by keywords.
    search_mode: String,
    /// Whether a second model ordered the results.
    reranked: bool,
    /// Notes that hold every word if any do, else those that hold some.
    total: usize,
    /// all when the first result holds every word, relaxed when none does, syntax for FTS5 syntax.
    query_mode: String,
    /// What was left out to keep the answer short.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
    /// Set while the index is being built.
    #[serde(skip_serializing_if = "Option::is_none")]
    indexing: Option<Indexing>,
}

/// A result.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    /// Path in the vault.
    path: String,
    /// Title of the note, or name of the file.
    title: String,
    /// The passage that holds most of the words.
    snippet: String,
    /// How well it matches, from 0 to 1.
    score: f64,
    /// Tags of the properties, then inline ones.
    tags: Vec<String>,
    /// How many tags there are, when some are left out here.
    #[serde(skip_serializing_if = "Option::is_none")]
    tags_total: Option<usize>,
    /// Parent folder; empty at the top of the vault.
    folder: String,
    /// The type property.
    #[serde(rename = "type")]
    type_: Option<String>,
    /// Note or other file.
    kind: RowKind,
    /// Extension of a file that is not a note.
    #[serde(skip_serializing_if = "Option::is_none")]
    extension: Option<String>,
    /// The created property, when it is a date or time.
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<String>,
    /// Last change on disk.
    modified: String,
    /// Size on disk.
    bytes: u64,
    /// The callout that opens the note.
    #[serde(skip_serializing_if = "Option::is_none")]
    leading_callout: Option<CalloutRow>,
    /// Headings above the snippet.
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<String>,
    /// Lines of the snippet.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<LineRange>,
    /// Where words were found.
    matched_fields: Vec<String>,
    /// The tags that were asked for, which are never left out.
    #[serde(skip)]
    asked: Arc<[String]>,
}

/// Lines of a file, from 1, both included.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(super) struct LineRange {
    start: u32,
    end: u32,
}

impl From<::search::LineRange> for LineRange {
    fn from(lines: ::search::LineRange) -> Self {
        Self { start: lines.start, end: lines.end }
    }
}

impl From<SearchHit> for Row {
    fn from(hit: SearchHit) -> Self {
        Self {
            path: hit.path.as_str().to_owned(),
            title: hit.title,
            snippet: hit.snippet,
            score: hit.score,
            tags: hit.tags,
            tags_total: None,
            folder: hit.folder,
            type_: hit.type_,
            kind: hit.kind.into(),
            extension: hit.extension,
            created: hit.created,
            modified: hit.modified,
            bytes: hit.bytes,
            leading_callout: hit.leading_callout.map(CalloutRow::from),
            section: hit.section,
            lines: hit.lines.map(LineRange::from),
            matched_fields: hit.matched_fields.iter().map(|field| field.name().to_owned()).collect(),
            asked: Arc::default(),
        }
    }
}

impl Shorten for Row {
    fn shorten(&mut self) {
        shorten_text(&mut self.title);
        shorten_text(&mut self.snippet);
        self.tags_total = shorten_tags(&mut self.tags, &self.asked);
        for text in [&mut self.type_, &mut self.section].into_iter().flatten() {
            shorten_text(text);
        }
        if let Some(callout) = &mut self.leading_callout {
            shorten_callout(callout);
        }
    }
}

impl Tool for Search {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Searches notes by words and ranks them: title and aliases count most, then description, path, tags and \
headings, then the body. Case and accents do not matter, word forms match. Start here when you do not know \
the path.{vault_read_file? Text files and canvases are found too (kind file): vault_read_file reads them.}\
{vault_fts_search? vault_fts_search takes FTS5 syntax.}{vault_list_notes? vault_list_notes lists by pattern.}

Example: {\"query\": \"meeting\", \"filters\": {\"folder\": \
\"Projects\", \"tags\": [\"work\"], \"modified\": {\"after\": \"2026-01-31\"}}, \"limit\": 5}

created and modified take {before, on, after}; before and after exclude the day itself. A note without a \
created property never matches created.

Returns {results: [{path, title, snippet, score, tags, folder, type, kind, modified, bytes, section?, lines?, \
matched_fields, …}], total, search_mode, query_mode, …}.{vault_read_note? Read a hit with vault_read_note.}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let index = call.index()?;
        let offset = arguments.offset.unwrap_or(0);
        let mut query = SearchQuery::new(arguments.query);
        query.limit = offset + arguments.limit.unwrap_or(query.limit);
        query.snippet_tokens = arguments.snippet_tokens.unwrap_or(query.snippet_tokens);
        query.include_leading_callout = arguments.include_leading_callout.unwrap_or(false);
        let asked: Arc<[String]> =
            arguments.filters.iter().flat_map(|filters| filters.tags.iter().flatten()).cloned().collect();
        query.filters = arguments.filters.unwrap_or_default().read()?;
        let answer = index.search(call.who, &query).map_err(|error| call.search_error(&error))?;
        let found = answer.hits.len();
        let rows = answer.hits.into_iter().skip(offset);
        let rows = rows.map(|hit| Row { asked: Arc::clone(&asked), ..Row::from(hit) }).collect();
        let fitted = fit(rows, offset, found, call.app.max_answer_chars, "results");
        Reply::json(Answer {
            results: fitted.rows,
            search_mode: answer.search_mode.to_owned(),
            reranked: answer.reranked,
            total: answer.total,
            query_mode: answer.query_mode.name().to_owned(),
            left_out: fitted.left_out,
            indexing: answer.indexing.map(Indexing::from),
        })
        .map_err(|error| ToolError::Internal { tool: "vault_search", cause: error.to_string() })
    }
}

impl FilterArguments {
    fn read(self) -> Result<::search::Filters, ToolError> {
        let days = |name: &str, days: Option<DateArguments>| -> Result<DateRange, ToolError> {
            days.map(|days| days.read(name)).transpose().map(Option::unwrap_or_default)
        };
        Ok(::search::Filters {
            folder: self.folder,
            tags: self.tags.unwrap_or_default(),
            related: self.related.unwrap_or_default(),
            type_: self.type_,
            properties: self
                .properties
                .unwrap_or_default()
                .into_iter()
                .map(|(key, value)| (key, value.into()))
                .collect(),
            created: days("created", self.created)?,
            modified: days("modified", self.modified)?,
        })
    }
}
