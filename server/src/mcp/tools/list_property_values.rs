//! `vault_list_property_values`: the values of a property.

use ::search::PropertyValue;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::note_list::{folder, part};
use super::note_row::shorten_text;
use super::support::{Indexing, json, list_blocks};
use crate::mcp::answer::{LeftOut, Shorten, fit};
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct ListPropertyValues;

const DEFAULT_LIMIT: usize = 50;

// Of which property. Not a doc comment: it would be sent to every client.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Its name.
    key: String,
    /// Only below it.
    folder: Option<String>,
    /// Default 50.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
    /// Values to skip.
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

/// The values.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Most used first.
    values: Vec<Row>,
    /// How many different ones there are.
    total: usize,
    /// What is not in this part.
    left_out: Option<LeftOut>,
    /// Set while the index is being built.
    indexing: Option<Indexing>,
}

/// A value.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    /// As text; what is nested as JSON.
    value: String,
    /// How often it stands there, each item of a list on its own.
    count: u64,
}

impl From<PropertyValue> for Row {
    fn from(PropertyValue { value, count }: PropertyValue) -> Self {
        Self { value, count }
    }
}

impl Shorten for Row {
    fn shorten(&mut self) {
        shorten_text(&mut self.value);
    }
}

impl Tool for ListPropertyValues {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Lists the values of a property with how often each is used, most used first: [{value, count}]. Each item \
of a list counts.{vault_search_by_property? The notes with one: vault_search_by_property.}\
{vault_list_tags? Inline tags too: vault_list_tags.}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let folder = folder(arguments.folder.as_deref())?;
        let part = part(arguments.offset, arguments.limit, DEFAULT_LIMIT);
        let index = call.index()?;
        let page = index
            .list_property_values(call.who, &arguments.key, folder.as_ref(), part)
            .map_err(|error| call.search_error(&error))?;
        let total = page.total;
        let rows: Vec<Row> = page.items.into_iter().map(Row::from).collect();
        let fitted = fit(rows, part.offset, total, call.app.max_answer_chars, "values");
        let blocks = list_blocks(json("vault_list_property_values", &fitted.rows)?, fitted.left_out.as_ref());
        let indexing = index.progress().map(Indexing::from);
        Ok(Reply::new(blocks, Answer { values: fitted.rows, total, left_out: fitted.left_out, indexing }))
    }
}
