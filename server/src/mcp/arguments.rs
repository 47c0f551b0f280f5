//! Arguments, checked against the schema that is advertised.
//!
//! Models write numbers as text, send `""` or null for what they leave out, and give one value
//! where a list is asked for: that is put right here, once for all tools. What is left is either
//! what the schema says or an error that names the argument and what is allowed.

use std::fmt::Write as _;

use rmcp::model::JsonObject;
use serde_json::{Map, Number, Value};

use super::error::ToolError;
use super::nearest::nearest;

/// What an argument must look like: an input schema, read once at start.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    /// A text of so many characters; `empty` when it must be given and may hold none.
    Text { least: usize, most: Option<usize>, empty: bool },
    /// One of some words.
    Choice(Vec<String>),
    /// A whole number within bounds.
    Integer { least: Option<i64>, most: Option<i64> },
    /// Any number.
    Number,
    /// True or false.
    Boolean,
    /// A list.
    List(Box<Self>),
    /// Named fields and no others.
    Fields(Vec<Field>),
    /// Any names, all values of one shape.
    Map(Box<Self>),
    /// One of several shapes.
    Any(Vec<Self>),
    /// A shape or null, which clears.
    Clearable(Box<Self>),
    /// Anything.
    Open,
}

/// A named field of an object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    name: String,
    required: bool,
    shape: Shape,
}

impl Shape {
    /// Reads a cleaned input schema.
    pub(crate) fn read(schema: &JsonObject) -> Self {
        let bound = |name: &str| schema.get(name).and_then(Value::as_i64);
        let length = |name: &str| bound(name).and_then(|number| usize::try_from(number).ok());
        let inner = |name: &str| match schema.get(name) {
            Some(Value::Object(schema)) => Box::new(Self::read(schema)),
            _ => Box::new(Self::Open),
        };
        if let Some(Value::Array(types)) = schema.get("type")
            && types.iter().any(|kind| kind == "null")
        {
            let mut schema = schema.clone();
            let kind = types.iter().find(|kind| *kind != "null").cloned();
            schema.insert("type".to_owned(), kind.unwrap_or_default());
            return Self::Clearable(Box::new(Self::read(&schema)));
        }
        if let Some(Value::Array(options)) = schema.get("anyOf").or_else(|| schema.get("oneOf")) {
            return Self::Any(options.iter().filter_map(Value::as_object).map(Self::read).collect());
        }
        if let Some(Value::Array(words)) = schema.get("enum") {
            return Self::Choice(words.iter().filter_map(Value::as_str).map(str::to_owned).collect());
        }
        match schema.get("type").and_then(Value::as_str) {
            Some("string") => {
                let least = length("minLength");
                Self::Text { least: least.unwrap_or(0), most: length("maxLength"), empty: least == Some(0) }
            }
            Some("integer") => Self::Integer { least: bound("minimum"), most: bound("maximum") },
            Some("number") => Self::Number,
            Some("boolean") => Self::Boolean,
            Some("array") => Self::List(inner("items")),
            Some("object") => match (schema.get("properties"), schema.get("additionalProperties")) {
                (Some(Value::Object(properties)), _) => {
                    let required = |name: &str| {
                        schema
                            .get("required")
                            .and_then(Value::as_array)
                            .is_some_and(|required| required.iter().any(|entry| entry == name))
                    };
                    Self::Fields(
                        properties
                            .iter()
                            .map(|(name, schema)| Field {
                                name: name.clone(),
                                required: required(name),
                                shape: schema.as_object().map_or(Self::Open, Self::read),
                            })
                            .collect(),
                    )
                }
                (None, Some(Value::Object(_))) => Self::Map(inner("additionalProperties")),
                (None, Some(Value::Bool(true))) => Self::Map(Box::new(Self::Open)),
                _ => Self::Fields(Vec::new()),
            },
            _ => Self::Open,
        }
    }

    /// Checks the arguments of a call and puts right what may be put right.
    ///
    /// # Errors
    /// The first argument that is unknown, missing or not allowed.
    pub(crate) fn check(&self, arguments: Option<JsonObject>) -> Result<Value, ToolError> {
        let arguments = Value::Object(arguments.unwrap_or_default());
        self.check_value(arguments, "", self)
    }

    fn check_value(&self, value: Value, name: &str, root: &Self) -> Result<Value, ToolError> {
        let refuse = |value: &Value| Err(ToolError::argument(name, self.describe(), value));
        match (self, value) {
            (Self::Open, value) => Ok(value),
            (Self::Clearable(_), Value::Null) => Ok(Value::Null),
            (Self::Clearable(shape), value) => {
                shape.check_value(value.clone(), name, root).or_else(|_| refuse(&value))
            }
            (Self::Text { least, most, .. }, Value::String(text)) => {
                let count = text.chars().count();
                if count < *least || most.is_some_and(|most| count > most) {
                    return refuse(&Value::String(text));
                }
                Ok(Value::String(text))
            }
            (Self::Choice(words), Value::String(text)) => {
                match words.iter().find(|word| word.eq_ignore_ascii_case(text.trim())) {
                    Some(word) => Ok(Value::String(word.clone())),
                    None => refuse(&Value::String(text)),
                }
            }
            (Self::Integer { least, most }, value) => match as_integer(&value) {
                Some(number)
                    if least.is_none_or(|least| number >= least)
                        && most.is_none_or(|most| number <= most) =>
                {
                    Ok(Value::Number(number.into()))
                }
                _ => refuse(&value),
            },
            (Self::Number, Value::Number(number)) => Ok(Value::Number(number)),
            (Self::Number, Value::String(text)) => {
                match text.trim().parse::<f64>().ok().and_then(Number::from_f64) {
                    Some(number) => Ok(Value::Number(number)),
                    None => refuse(&Value::String(text)),
                }
            }
            (Self::Boolean, Value::Bool(flag)) => Ok(Value::Bool(flag)),
            (Self::Boolean, Value::String(text)) => match text.trim() {
                "true" => Ok(Value::Bool(true)),
                "false" => Ok(Value::Bool(false)),
                _ => refuse(&Value::String(text)),
            },
            (Self::List(item), Value::Array(values)) => values
                .into_iter()
                .enumerate()
                .map(|(index, value)| item.check_value(value, &format!("{name}[{index}]"), root))
                .collect(),
            // One value where a list is advertised.
            (Self::List(item), value) if !value.is_object() => {
                Ok(Value::Array(vec![item.check_value(value, name, root)?]))
            }
            (Self::Fields(fields), Value::Object(values)) => check_fields(fields, values, name, root),
            (Self::Map(shape), Value::Object(values)) => values
                .into_iter()
                // A text that is not given; other shapes may have a use for null.
                .filter(|(_, value)| {
                    !matches!(**shape, Self::Text { .. }) || !(value.is_null() || *value == "")
                })
                .map(|(key, value)| {
                    let value = shape.check_value(value, &joined(name, &key), root)?;
                    Ok((key, value))
                })
                .collect::<Result<Map<_, _>, _>>()
                .map(Value::Object),
            (Self::Any(options), value) => {
                // The first option that takes the value as it is, then the first that can be helped.
                let mut helped = None;
                for option in options {
                    if let Ok(checked) = option.check_value(value.clone(), name, root) {
                        if checked == value {
                            return Ok(checked);
                        }
                        helped.get_or_insert(checked);
                    }
                }
                helped.map_or_else(|| refuse(&value), Ok)
            }
            (_, value) => refuse(&value),
        }
    }

    /// What is allowed, in words.
    fn describe(&self) -> String {
        match self {
            Self::Text { most: Some(most), .. } => format!("a text of at most {most} characters"),
            Self::Text { .. } => "a text".to_owned(),
            Self::Choice(words) => format!("one of {}", words.join(", ")),
            Self::Integer { least: Some(least), most: Some(most) } => {
                format!("a whole number from {least} to {most}")
            }
            Self::Integer { least: Some(least), most: None } => {
                format!("a whole number from {least} up")
            }
            Self::Integer { .. } => "a whole number".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Boolean => "true or false".to_owned(),
            Self::List(item) => format!("a list, each entry {}", item.describe()),
            Self::Fields(fields) => {
                let mut names = String::new();
                for (index, field) in fields.iter().enumerate() {
                    let _ = write!(names, "{}{}", if index > 0 { ", " } else { "" }, field.name);
                }
                format!("an object with the fields {names}")
            }
            Self::Map(_) => "an object".to_owned(),
            Self::Any(options) => options.iter().map(Self::describe).collect::<Vec<_>>().join(" or "),
            Self::Clearable(shape) => format!("{}, or null to clear it", shape.describe()),
            Self::Open => "any value".to_owned(),
        }
    }

    /// The places of a field of this name, at any depth.
    fn places_of(&self, wanted: &str, prefix: &str, found: &mut Vec<String>) {
        match self {
            Self::Fields(fields) => {
                for field in fields {
                    let place = joined(prefix, &field.name);
                    field.shape.places_of(wanted, &place, found);
                    if field.name == wanted {
                        found.push(place);
                    }
                }
            }
            Self::List(shape) | Self::Clearable(shape) => shape.places_of(wanted, prefix, found),
            _ => {}
        }
    }
}

fn check_fields(
    fields: &[Field],
    mut values: JsonObject,
    name: &str,
    root: &Shape,
) -> Result<Value, ToolError> {
    let unknown = values.keys().find(|key| !fields.iter().any(|field| field.name == **key));
    if let Some(unknown) = unknown {
        return Err(unknown_argument(fields, unknown, name, root));
    }
    let mut checked = JsonObject::new();
    for field in fields {
        let place = joined(name, &field.name);
        let given = |value: &Value| match &field.shape {
            Shape::Clearable(_) if value.is_null() => true,
            // A text that must be given and may be empty: leaving it out is a mistake, "" is not.
            Shape::Text { empty: true, .. } if value.is_string() => true,
            _ => !is_absent(value),
        };
        match values.remove(&field.name).filter(given) {
            Some(value) => {
                let value = field.shape.check_value(value, &place, root)?;
                checked.insert(field.name.clone(), value);
            }
            None if field.required => {
                return Err(ToolError::MissingArgument { name: place, allowed: field.shape.describe() });
            }
            None => {}
        }
    }
    Ok(Value::Object(checked))
}

/// Names the nearest known argument, or the place where the same name is known.
fn unknown_argument(fields: &[Field], unknown: &str, name: &str, root: &Shape) -> ToolError {
    let mut elsewhere = Vec::new();
    root.places_of(unknown, "", &mut elsewhere);
    let names = || fields.iter().map(|field| field.name.as_str());
    let hint = match (elsewhere.first(), nearest(unknown, names())) {
        (Some(place), _) => format!("it belongs at {place}"),
        (None, Some(near)) => format!("did you mean {}?", joined(name, near)),
        (None, None) if fields.is_empty() => "it takes none".to_owned(),
        (None, None) => format!("allowed are {}", names().collect::<Vec<_>>().join(", ")),
    };
    ToolError::UnknownArgument { name: joined(name, unknown), hint }
}

/// Null and the empty text mean that an argument was left out, where it may be.
fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

/// A whole number, also one written as text or with a fraction of zero.
fn as_integer(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| {
            let float = number.as_f64()?;
            #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
            (float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0).then_some(float as i64)
        }),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn joined(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}
