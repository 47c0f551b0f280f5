//! `vault_list_property_keys`: which properties notes have.

use ::search::PropertyKey;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::note_list::folder;
use super::note_row::shorten_text;
use super::support::{Indexing, json, list_blocks};
use crate::mcp::answer::{LeftOut, Shorten, fit};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct ListPropertyKeys;

// Where. Not a doc comment: it would be sent to every client.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Only below it.
    folder: Option<String>,
    /// Properties to skip.
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

/// The properties.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Most used first.
    keys: Vec<Row>,
    /// How many there are.
    total: usize,
    /// What is not in this part.
    left_out: Option<LeftOut>,
    /// Set while the index is being built.
    indexing: Option<Indexing>,
}

/// A property.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    /// The spelling used most.
    key: String,
    /// Notes that have it.
    count: u64,
    /// Up to three of its most used values.
    sample_values: Vec<String>,
}

impl From<PropertyKey> for Row {
    fn from(PropertyKey { key, count, sample_values }: PropertyKey) -> Self {
        Self { key, count, sample_values }
    }
}

impl Shorten for Row {
    fn shorten(&mut self) {
        shorten_text(&mut self.key);
        self.sample_values.iter_mut().for_each(shorten_text);
    }
}

impl Tool for ListPropertyKeys {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Lists the properties (frontmatter keys) that notes have, most used first: [{key, count, sample_values}]. \
count is of notes; letter case does not matter.{vault_list_property_values? All values of one: \
vault_list_property_values.}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let folder = folder(arguments.folder.as_deref())?;
        let offset = arguments.offset.unwrap_or(0);
        let index = call.index()?;
        let keys =
            index.list_property_keys(call.who, folder.as_ref()).map_err(|error| call.search_error(&error))?;
        let total = keys.len();
        let rows: Vec<Row> = keys.into_iter().skip(offset).map(Row::from).collect();
        let fitted = fit(rows, offset, total, call.app.max_answer_chars, "properties");
        let blocks = list_blocks(json("vault_list_property_keys", &fitted.rows)?, fitted.left_out.as_ref());
        let indexing = index.progress().map(Indexing::from);
        Ok(Reply::new(blocks, Answer { keys: fitted.rows, total, left_out: fitted.left_out, indexing }))
    }
}
