//! A tool's answer, and what every answer of every tool must keep.

use serde_json::Value;

use crate::schema::validate;

/// The longest text an answer may hold, in characters (`MAX_ANSWER_CHARS`).
const LONGEST: usize = 60_000;

/// The result of one `tools/call`.
#[derive(Clone, Debug)]
pub struct Answer {
    tool: String,
    result: Value,
}

impl Answer {
    /// Takes the `result` of a JSON-RPC response.
    pub fn new(tool: &str, result: Value) -> Self {
        Self { tool: tool.to_owned(), result }
    }

    /// The whole result as received.
    pub fn result(&self) -> &Value {
        &self.result
    }

    /// Whether the tool reports an error.
    pub fn is_error(&self) -> bool {
        self.result["isError"] == true
    }

    /// The text blocks, in order.
    pub fn blocks(&self) -> Vec<&str> {
        self.result["content"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|block| block["text"].as_str())
            .collect()
    }

    /// The text of the only block, or of all of them, one after the other.
    pub fn text(&self) -> String {
        self.blocks().join("\n")
    }

    /// The text block as JSON.
    #[track_caller]
    pub fn text_json(&self) -> Value {
        serde_json::from_str(&self.text())
            .unwrap_or_else(|error| panic!("{}: {error}: {}", self.tool, self.text()))
    }

    /// The structured content of a success.
    #[track_caller]
    pub fn structured(&self) -> &Value {
        assert!(!self.is_error(), "{} failed: {}", self.tool, self.text());
        self.result.get("structuredContent").unwrap_or_else(|| panic!("{}: no structured content", self.tool))
    }

    /// The message of an error.
    #[track_caller]
    pub fn error(&self) -> String {
        assert!(self.is_error(), "{} succeeded: {}", self.tool, self.text());
        self.text()
    }

    /// The values of one field over a named list of the structured content.
    #[track_caller]
    pub fn list(&self, list: &str, field: &str) -> Vec<String> {
        let items =
            self.structured()[list].as_array().unwrap_or_else(|| panic!("{}: no list {list:?}", self.tool));
        items.iter().map(|item| item[field].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// What holds of every answer: text blocks of bounded length, images apart, structured content that keeps
    /// the advertised schema on success, none on an error, and no field without a value.
    #[track_caller]
    pub(crate) fn check(&self, output_schema: Option<&Value>) {
        let tool = &self.tool;
        let content = self.result["content"]
            .as_array()
            .unwrap_or_else(|| panic!("{tool}: no content: {}", self.result));
        assert!(!content.is_empty(), "{tool}: empty content");
        for block in content {
            if block["type"] == "image" {
                assert!(!self.is_error(), "{tool}: an error with an image");
                assert!(block["data"].as_str().is_some_and(|data| !data.is_empty()), "{tool}: no image");
                assert!(block["mimeType"].as_str().is_some_and(|kind| kind.starts_with("image/")), "{tool}");
                continue;
            }
            assert_eq!(block["type"], "text", "{tool}: {block}");
        }
        let characters: usize = self.blocks().iter().map(|text| text.chars().count()).sum();
        assert!(characters <= LONGEST, "{tool}: {characters} characters");
        let structured = self.result.get("structuredContent");
        if self.is_error() {
            assert!(structured.is_none(), "{tool}: an error with structured content: {}", self.result);
            assert!(!self.text().trim().is_empty(), "{tool}: an error without a message");
            return;
        }
        let schema = output_schema.unwrap_or_else(|| panic!("{tool} advertises no output schema"));
        let structured = structured.unwrap_or_else(|| panic!("{tool}: no structured content"));
        if let Err(faults) = validate(schema, structured) {
            panic!(
                "{tool}: its answer breaks its output schema:\n{}\nanswer: {structured}",
                faults.join("\n")
            );
        }
        if let Some(place) = null_field(structured, "") {
            panic!("{tool}: {place} is null; a field without a value is left out: {structured}");
        }
    }
}

/// The first field that is null, outside of values that the user's own properties hold.
fn null_field(value: &Value, at: &str) -> Option<String> {
    match value {
        Value::Null => Some(at.to_owned()),
        Value::Array(items) => items.iter().find_map(|item| null_field(item, &format!("{at}/…"))),
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| !matches!(name.as_str(), "properties" | "additional_properties"))
            .find_map(|(name, item)| null_field(item, &format!("{at}/{name}"))),
        _ => None,
    }
}
