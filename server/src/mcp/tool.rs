//! What a tool is: the trait that every file of `tools/` implements once.

use base64::Engine as _;
use rmcp::model::{CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use vault::Principal;

use super::error::ToolError;
use crate::app::App;

/// A tool: its arguments, its answer, its text and what it does.
///
/// Name, title, group and annotations stand in the table of [`super::registry`], once.
pub(crate) trait Tool: 'static {
    /// The arguments, already checked against their own schema when they arrive.
    type Arguments: DeserializeOwned + JsonSchema;
    /// The structured content. A field that is null is left out of it.
    type Answer: Serialize + JsonSchema;
    /// The description; parts may depend on other tools ([`super::text`]).
    const TEXT: &'static str;

    /// Answers a call. May block: it runs on a thread of its own.
    ///
    /// # Errors
    /// What the caller is told; see [`ToolError`].
    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Self::Answer>, ToolError>;
}

/// Who calls, and what there is to answer from.
pub(crate) struct Call<'a> {
    /// The process.
    pub(crate) app: &'a App,
    /// The caller.
    pub(crate) who: &'a Principal,
}

/// An answer in its two forms.
#[derive(Debug)]
pub(crate) struct Reply<A> {
    /// Text, in the shape that clients of the reference server know; images.
    blocks: Vec<ContentBlock>,
    /// The structured content.
    structured: A,
}

impl<A: Serialize> Reply<A> {
    /// An answer with text of its own.
    pub(crate) fn new(blocks: Vec<String>, structured: A) -> Self {
        Self { blocks: blocks.into_iter().map(ContentBlock::text).collect(), structured }
    }

    /// An answer that shows an image, with its caption below.
    pub(crate) fn image(image: &[u8], mime_type: &str, caption: String, structured: A) -> Self {
        let data = base64::engine::general_purpose::STANDARD.encode(image);
        Self { blocks: vec![ContentBlock::image(data, mime_type), ContentBlock::text(caption)], structured }
    }

    /// An answer whose text is the structured content as JSON.
    pub(crate) fn json(structured: A) -> Result<Self, serde_json::Error> {
        Ok(Self { blocks: vec![ContentBlock::text(serde_json::to_string(&structured)?)], structured })
    }

    fn into_result(self) -> Result<CallToolResult, serde_json::Error> {
        let mut structured = serde_json::to_value(&self.structured)?;
        drop_nulls(&mut structured);
        let mut result = CallToolResult::success(self.blocks);
        result.structured_content = Some(structured);
        Ok(result)
    }
}

/// Reads the arguments of `T`, calls it and packs its answer.
pub(crate) fn run<T: Tool>(
    name: &'static str,
    call: &Call<'_>,
    arguments: Value,
) -> Result<CallToolResult, ToolError> {
    let internal = |cause: serde_json::Error| ToolError::Internal { tool: name, cause: cause.to_string() };
    let arguments = serde_json::from_value(arguments).map_err(internal)?;
    T::call(call, arguments)?.into_result().map_err(internal)
}

/// The answer that tells the model of an error. Structured content would break the output schema.
pub(crate) fn error_result(error: &ToolError) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(format!("[{}]: {error}", error.code()))])
}

/// Fields without a value are absent. A user's own properties are left as they are.
fn drop_nulls(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null());
            for (name, field) in fields {
                if !matches!(name.as_str(), "properties" | "additional_properties") {
                    drop_nulls(field);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn null_fields_are_dropped_but_not_a_users_own() {
        let mut value = json!({
            "a": null,
            "list": [{"b": null, "c": 1}],
            "additional_properties": {"due": null},
        });
        drop_nulls(&mut value);
        assert_eq!(value, json!({"list": [{"c": 1}], "additional_properties": {"due": null}}));
    }
}
