//! JSON schemas as clients get them, made once at start.
//!
//! What `schemars` writes is right but not portable: clients warn of formats that JSON Schema does
//! not know (`uint32`), some refuse lists of types (`["string", "null"]`) and references. Here
//! formats, titles and null go, and `$defs` are put in place. Input schemas are also what
//! arguments are checked against ([`super::arguments`]), so that nothing is advertised that does
//! not hold. Only where null means something ([`super::clearable`]) is it put back.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::clearable::CLEARABLE;

/// Which way the data goes: it decides what "required" means for fields with a default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Arguments of a tool.
    Input,
    /// Structured content of an answer.
    Output,
}

/// The schema of a type, cleaned.
pub(crate) fn of<T: JsonSchema>(direction: Direction) -> JsonObject {
    let settings = SchemaSettings::draft2020_12();
    let settings = match direction {
        Direction::Input => settings,
        Direction::Output => settings.for_serialize(),
    };
    let schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    let definitions = schema.get("$defs").cloned().unwrap_or_default();
    match clean(schema, &definitions, direction) {
        Value::Object(mut object) => {
            // The protocol wants an object at the top, also for a tool without arguments.
            object.entry("type").or_insert_with(|| "object".into());
            // The tool's own description says what its arguments are about; the list has to be short.
            if direction == Direction::Input {
                object.remove("description");
            }
            object
        }
        _ => JsonObject::new(),
    }
}

fn clean(schema: Value, definitions: &Value, direction: Direction) -> Value {
    let Value::Object(mut object) = schema else { return schema };
    unfold_nullable(&mut object);
    if let Some(Value::String(reference)) = object.remove("$ref") {
        let name = reference.trim_start_matches("#/$defs/");
        // What stands beside the reference (a description) goes over what it refers to.
        if let Some(Value::Object(target)) = definitions.get(name).cloned() {
            for (key, value) in target {
                object.entry(key).or_insert(value);
            }
        }
        unfold_nullable(&mut object);
    }
    for noise in ["$schema", "$defs", "title", "format"] {
        object.remove(noise);
    }
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    fold_constants(&mut object);
    let object: Map<String, Value> = object
        .into_iter()
        .map(|(key, value)| {
            let value = match (key.as_str(), value) {
                ("properties", Value::Object(properties)) => Value::Object(
                    properties
                        .into_iter()
                        .map(|(name, schema)| (name, clean(schema, definitions, direction)))
                        .collect(),
                ),
                ("items" | "additionalProperties", schema) => clean(schema, definitions, direction),
                ("anyOf" | "oneOf" | "allOf", Value::Array(options)) => {
                    options.into_iter().map(|option| clean(option, definitions, direction)).collect()
                }
                (_, value) => value,
            };
            (key, value)
        })
        .collect();
    let mut object = object;
    if let Some(description) = object.get_mut("description")
        && let Value::String(text) = description
    {
        // Line breaks of a doc comment are where the source wraps.
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    if object.shift_remove(CLEARABLE).is_some()
        && let Some(kind) = object.remove("type")
    {
        object.insert("type".to_owned(), Value::Array(vec![kind, "null".into()]));
        if let Some(Value::Array(words)) = object.get_mut("enum") {
            words.push(Value::Null);
        }
    }
    if object.contains_key("properties") {
        object.entry("additionalProperties").or_insert(Value::Bool(false));
        drop_optional_from_required(&mut object, direction);
    }
    Value::Object(object)
}

/// `["T", "null"]` and `anyOf [T, null]` become `T`: a field without a value is absent.
fn unfold_nullable(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
        object.insert(NULLABLE.to_owned(), Value::Bool(true));
    }
    if let Some(Value::Array(options)) = object.get_mut("anyOf") {
        let before = options.len();
        options.retain(|option| option.get("type").is_none_or(|name| name != "null"));
        let nullable = options.len() < before;
        if let [only] = options.as_slice() {
            let only = only.clone();
            object.remove("anyOf");
            if let Value::Object(only) = only {
                for (key, value) in only {
                    object.entry(key).or_insert(value);
                }
            }
        }
        if nullable {
            object.insert(NULLABLE.to_owned(), Value::Bool(true));
        }
    }
}

/// A mark of this module's own, taken out again before a schema leaves it.
const NULLABLE: &str = "x-nullable";

/// A field that may be null is left out of answers when it is, so it is never required.
fn drop_optional_from_required(object: &mut Map<String, Value>, direction: Direction) {
    let mut optional = Vec::new();
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        for (name, schema) in properties {
            if let Value::Object(schema) = schema
                && schema.shift_remove(NULLABLE).is_some()
            {
                optional.push(name.clone());
            }
        }
    }
    if direction == Direction::Output
        && let Some(Value::Array(required)) = object.get_mut("required")
    {
        required.retain(|name| !optional.iter().any(|optional| name == optional));
        if required.is_empty() {
            object.shift_remove("required");
        }
    }
}

/// `oneOf [{const: a}, {const: b}]`, which documented enums become, as `enum [a, b]`.
fn fold_constants(object: &mut Map<String, Value>) {
    let Some(Value::Array(options)) = object.get("oneOf") else { return };
    let constants: Option<Vec<Value>> = options.iter().map(|option| option.get("const").cloned()).collect();
    if let Some(constants) = constants {
        object.remove("oneOf");
        object.insert("type".to_owned(), "string".into());
        object.insert("enum".to_owned(), Value::Array(constants));
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    use super::*;
    use crate::mcp::clearable::Clearable;

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Inner {
        /// A day.
        on: Option<String>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        /// One.
        Note,
        /// Two.
        File,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Sample {
        /// The text
        /// over two lines.
        #[schemars(length(min = 1))]
        path: String,
        #[schemars(range(min = 1, max = 50))]
        limit: Option<u32>,
        inner: Option<Inner>,
        kind: Option<Kind>,
        tags: Option<Vec<String>>,
    }

    #[test]
    fn input_schemas_have_no_formats_references_titles_or_null() {
        assert_eq!(
            Value::Object(of::<Sample>(Direction::Input)),
            json!({
                "type": "object",
                "properties": {
                    "path": {"description": "The text over two lines.", "type": "string", "minLength": 1},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 50},
                    "inner": {
                        "type": "object",
                        "properties": {"on": {"description": "A day.", "type": "string"}},
                        "additionalProperties": false,
                    },
                    "kind": {"type": "string", "enum": ["note", "file"]},
                    "tags": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["path"],
                "additionalProperties": false,
            })
        );
    }

    #[test]
    fn output_schemas_do_not_require_what_may_be_absent() {
        let schema = of::<Sample>(Direction::Output);
        assert_eq!(schema.get("required"), Some(&json!(["path"])));
        assert!(!Value::Object(schema).to_string().contains(NULLABLE));
    }

    #[test]
    fn what_null_clears_advertises_null() {
        #[derive(JsonSchema)]
        #[expect(dead_code, reason = "only its schema is looked at")]
        struct Clears {
            /// A day.
            #[serde(default)]
            due: Clearable<String>,
            #[serde(default)]
            kind: Clearable<Kind>,
            #[serde(default)]
            list: Clearable<Vec<String>>,
        }
        assert_eq!(
            Value::Object(of::<Clears>(Direction::Input)).get("properties"),
            Some(&json!({
                "due": {"description": "A day.", "type": ["string", "null"]},
                "kind": {"type": ["string", "null"], "enum": ["note", "file", null]},
                "list": {"type": ["array", "null"], "items": {"type": "string"}},
            }))
        );
    }

    #[test]
    fn a_tool_without_arguments_still_has_an_object() {
        #[derive(JsonSchema)]
        struct None {}
        assert_eq!(of::<None>(Direction::Input).get("type"), Some(&json!("object")));
    }
}
