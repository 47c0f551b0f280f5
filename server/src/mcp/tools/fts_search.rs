//! `vault_fts_search`: ranked full-text search that says how it read the query.

use std::collections::BTreeMap;

use ::search::{FtsHit, FtsQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::note_row::{MOST_ENTRIES, shorten_list, shorten_text};
use super::search::LineRange;
use super::support::Indexing;
use crate::mcp::answer::{LeftOut, Shorten, fit, json_length};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct FtsSearch;

/// What to look for.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Plain words, a question, or FTS5 syntax.
    #[schemars(length(min = 1, max = 4000))]
    query: String,
    /// Only paths that begin with this text: daily/ is the folder, daily also matches daily-archive/.
    path_prefix: Option<String>,
    /// Most results (default 20).
    #[schemars(range(min = 1, max = 50))]
    max_results: Option<usize>,
    /// Results to skip.
    #[schemars(range(min = 0, max = 49))]
    offset: Option<usize>,
}

/// The results.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Best first.
    results: Vec<Row>,
    /// Notes that hold every word if any do, else those that hold some.
    total: usize,
    /// Whether there are more than these.
    truncated: bool,
    /// How the query was read: all when the first result holds every word, relaxed when none does,
    /// syntax when it ran as FTS5.
    query_mode: String,
    /// Words left out as too common.
    ignored_stopwords: Vec<String>,
    /// Other forms that count as a word of the query.
    word_forms: BTreeMap<String, Vec<String>>,
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
    /// The note's title.
    title: String,
    /// Higher is better; comparable within one answer.
    score: f64,
    /// Where words were found.
    matched_fields: Vec<String>,
    /// The best passage, matches marked «like this».
    snippet: String,
    /// The description property.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// The note's tags.
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<String>>,
    /// How many tags there are, when some are left out here.
    #[serde(skip_serializing_if = "Option::is_none")]
    tags_total: Option<usize>,
    /// exact, or word_forms when some word matched only in another form.
    #[serde(rename = "match")]
    match_: String,
    /// Headings above the snippet.
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<String>,
    /// Lines of the snippet.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<LineRange>,
}

impl From<FtsHit> for Row {
    fn from(hit: FtsHit) -> Self {
        Self {
            path: hit.path.as_str().to_owned(),
            title: hit.title,
            score: hit.score,
            matched_fields: hit.matched_fields.iter().map(|field| field.name().to_owned()).collect(),
            snippet: hit.snippet,
            description: hit.description,
            tags: (!hit.tags.is_empty()).then_some(hit.tags),
            tags_total: None,
            match_: hit.match_.name().to_owned(),
            section: hit.section,
            lines: hit.lines.map(LineRange::from),
        }
    }
}

impl Shorten for Row {
    fn shorten(&mut self) {
        shorten_text(&mut self.title);
        shorten_text(&mut self.snippet);
        for text in [&mut self.description, &mut self.section].into_iter().flatten() {
            shorten_text(text);
        }
        if let Some(tags) = &mut self.tags {
            self.tags_total = shorten_list(tags);
        }
    }
}

impl Tool for FtsSearch {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Ranked full-text search over notes; the words may stand in different paragraphs. Case and accents do not \
matter, word forms match (renew finds renewed), filler words are ignored, punctuation is text.\
{vault_search? For filters by tag, date or property use vault_search.}

FTS5 syntax runs as written: \"exact phrase\", cert*, a NOT b, a OR b (operators in capitals), \
NEAR(a b, 3), title:word (path, title, aliases, description, tags, headings, body).

Example: {\"query\": \"podman OR docker\", \"path_prefix\": \"howto/\"}

Returns {results: [{path, title, score, matched_fields, snippet, description?, tags?, match, section?, \
lines?}], total, truncated, query_mode, ignored_stopwords, word_forms}.\
{vault_read_note? Read a hit with vault_read_note.}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let index = call.index()?;
        let offset = arguments.offset.unwrap_or(0);
        let query = FtsQuery {
            path_prefix: arguments.path_prefix,
            max_results: (offset + arguments.max_results.unwrap_or(20)).min(FtsQuery::MAX_RESULTS),
            ..FtsQuery::new(arguments.query)
        };
        let answer = index.fts_search(call.who, &query).map_err(|error| call.search_error(&error))?;
        let found = answer.results.len();
        let rows = answer.results.into_iter().skip(offset).map(Row::from).collect();
        let mut ignored_stopwords = answer.ignored_stopwords;
        let mut word_forms = answer.word_forms;
        shorten_reading(&mut ignored_stopwords, &mut word_forms, call.app.max_answer_chars / 4);
        let around = json_length(&(&ignored_stopwords, &word_forms));
        let most = call.app.max_answer_chars.saturating_sub(around);
        let fitted = fit(rows, offset, found, most, "results");
        Reply::json(Answer {
            truncated: answer.truncated || fitted.left_out.is_some(),
            results: fitted.rows,
            total: answer.total,
            query_mode: answer.query_mode.name().to_owned(),
            ignored_stopwords,
            word_forms,
            left_out: fitted.left_out,
            indexing: answer.indexing.map(Indexing::from),
        })
        .map_err(|error| ToolError::Internal { tool: "vault_fts_search", cause: error.to_string() })
    }
}

/// A query of thousands of words would fill the answer with how it was read.
fn shorten_reading(stopwords: &mut Vec<String>, forms: &mut BTreeMap<String, Vec<String>>, most: usize) {
    if json_length(&(&stopwords, &forms)) <= most {
        return;
    }
    stopwords.truncate(MOST_ENTRIES);
    *forms = std::mem::take(forms)
        .into_iter()
        .take(MOST_ENTRIES)
        .map(|(word, mut forms)| {
            forms.truncate(3);
            (word, forms)
        })
        .collect();
}
