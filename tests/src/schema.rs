//! A strict validator for the part of JSON Schema 2020-12 that our schemas use.
//!
//! Stricter than the specification in two ways, both on purpose: an object may hold only the
//! properties its schema declares unless it says `additionalProperties`, and a keyword that this
//! validator does not know is an error, so that a schema cannot promise what nobody checks.

use serde_json::{Map, Value};

/// Keywords that describe and do not constrain.
const ANNOTATIONS: [&str; 9] =
    ["$schema", "$defs", "$id", "title", "description", "default", "examples", "deprecated", "readOnly"];

/// Checks a value against a schema.
///
/// # Errors
/// Every violation found, each with a JSON pointer to the place.
pub fn validate(schema: &Value, value: &Value) -> Result<(), Vec<String>> {
    let mut validator = Validator { root: schema, faults: Vec::new() };
    validator.check(schema, value, "");
    if validator.faults.is_empty() { Ok(()) } else { Err(validator.faults) }
}

struct Validator<'a> {
    root: &'a Value,
    faults: Vec<String>,
}

impl Validator<'_> {
    fn fault(&mut self, at: &str, what: impl AsRef<str>) {
        self.faults.push(format!("{}: {}", if at.is_empty() { "/" } else { at }, what.as_ref()));
    }

    fn passes(&self, schema: &Value, value: &Value) -> bool {
        let mut trial = Validator { root: self.root, faults: Vec::new() };
        trial.check(schema, value, "");
        trial.faults.is_empty()
    }

    fn check(&mut self, schema: &Value, value: &Value, at: &str) {
        let keywords = match schema {
            Value::Bool(true) => return,
            Value::Bool(false) => return self.fault(at, "nothing is allowed here"),
            Value::Object(keywords) => keywords,
            other => return self.fault(at, format!("not a schema: {other}")),
        };
        for (keyword, argument) in keywords {
            self.check_keyword(keywords, keyword, argument, value, at);
        }
    }

    fn check_keyword(
        &mut self,
        all: &Map<String, Value>,
        keyword: &str,
        argument: &Value,
        value: &Value,
        at: &str,
    ) {
        match keyword {
            _ if ANNOTATIONS.contains(&keyword) => {}
            "$ref" => {
                match argument.as_str().and_then(|path| self.root.pointer(path.trim_start_matches('#'))) {
                    Some(target) => self.check(target, value, at),
                    None => self.fault(at, format!("$ref leads nowhere: {argument}")),
                }
            }
            "type" => {
                let allowed: Vec<&str> = match argument {
                    Value::String(name) => vec![name],
                    Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
                    _ => Vec::new(),
                };
                if !allowed.iter().any(|name| is_type(name, value)) {
                    self.fault(at, format!("expected {argument}, found {}", short(value)));
                }
            }
            "const" if argument != value => {
                self.fault(at, format!("expected {argument}, found {}", short(value)));
            }
            "enum" if !argument.as_array().is_some_and(|all| all.contains(value)) => {
                self.fault(at, format!("not one of {argument}: {}", short(value)));
            }
            "const" | "enum" => {}
            "anyOf" => {
                if !list(argument).iter().any(|option| self.passes(option, value)) {
                    self.fault(at, format!("fits no option of anyOf: {}", short(value)));
                }
            }
            "oneOf" => {
                let fitting = list(argument).iter().filter(|option| self.passes(option, value)).count();
                if fitting != 1 {
                    self.fault(at, format!("fits {fitting} options of oneOf: {}", short(value)));
                }
            }
            "allOf" => list(argument).iter().for_each(|part| self.check(part, value, at)),
            "minimum" | "maximum" | "exclusiveMinimum" => self.check_bound(keyword, argument, value, at),
            "minLength" | "maxLength" => {
                let (bound, length) = (
                    argument.as_u64().unwrap_or_default(),
                    value.as_str().map(|text| text.chars().count() as u64),
                );
                if length.is_some_and(
                    |length| if keyword == "minLength" { length < bound } else { length > bound },
                ) {
                    self.fault(at, format!("{keyword} {bound} not kept by {}", short(value)));
                }
            }
            "minItems" | "maxItems" => {
                let (bound, length) =
                    (argument.as_u64().unwrap_or_default(), value.as_array().map(|items| items.len() as u64));
                if length
                    .is_some_and(|length| if keyword == "minItems" { length < bound } else { length > bound })
                {
                    self.fault(at, format!("{keyword} {bound} not kept"));
                }
            }
            "items" => {
                for (index, item) in list(value).iter().enumerate() {
                    self.check(argument, item, &format!("{at}/{index}"));
                }
            }
            "required" => {
                for name in list(argument).iter().filter_map(Value::as_str) {
                    if value.as_object().is_some_and(|object| !object.contains_key(name)) {
                        self.fault(at, format!("{name:?} is missing"));
                    }
                }
            }
            "properties" => self.check_properties(all, argument, value, at),
            "additionalProperties" => self.check_additional(all, argument, value, at),
            "propertyNames" => {
                for name in value.as_object().into_iter().flat_map(Map::keys) {
                    self.check(argument, &Value::String(name.clone()), &format!("{at}/{name}"));
                }
            }
            "pattern" | "format" => {
                self.fault(at, format!("{keyword} is not used in our schemas: say it in words"));
            }
            _ => self.fault(at, format!("unknown keyword {keyword:?}")),
        }
    }

    fn check_bound(&mut self, keyword: &str, argument: &Value, value: &Value, at: &str) {
        let (Some(bound), Some(number)) = (argument.as_f64(), value.as_f64()) else { return };
        let kept = match keyword {
            "minimum" => number >= bound,
            "maximum" => number <= bound,
            _ => number > bound,
        };
        if !kept {
            self.fault(at, format!("{keyword} {bound} not kept by {number}"));
        }
    }

    fn check_properties(&mut self, all: &Map<String, Value>, declared: &Value, value: &Value, at: &str) {
        let Some(object) = value.as_object() else { return };
        for (name, item) in object {
            match declared.get(name) {
                Some(schema) => self.check(schema, item, &format!("{at}/{name}")),
                None if all.contains_key("additionalProperties") => {}
                None => self.fault(at, format!("{name:?} is not declared")),
            }
        }
    }

    fn check_additional(&mut self, all: &Map<String, Value>, schema: &Value, value: &Value, at: &str) {
        for (name, item) in value.as_object().into_iter().flatten() {
            if all.get("properties").is_none_or(|declared| declared.get(name).is_none()) {
                self.check(schema, item, &format!("{at}/{name}"));
            }
        }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn is_type(name: &str, value: &Value) -> bool {
    match name {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => false,
    }
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(120).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn case(schema: Value, value: Value, expected: &[&str]) {
        let faults = validate(&schema, &value).err().unwrap_or_default();
        assert_eq!(faults.len(), expected.len(), "{faults:?}");
        for (fault, part) in faults.iter().zip(expected) {
            assert!(fault.contains(part), "{fault:?} does not say {part:?}");
        }
    }

    #[test]
    fn finds_what_a_lenient_validator_lets_through() {
        let schema = json!({
            "type": "object",
            "properties": {"path": {"type": "string"}, "lines": {"$ref": "#/$defs/lines"}},
            "required": ["path"],
            "$defs": {"lines": {"type": "array", "items": {"type": "integer", "minimum": 1}}},
        });
        case(schema.clone(), json!({"path": "a.md", "lines": [1, 2]}), &[]);
        case(schema.clone(), json!({"path": "a.md", "extra": 1}), &["\"extra\" is not declared"]);
        case(schema.clone(), json!({"lines": [0]}), &["/lines/0: minimum 1", "\"path\" is missing"]);
        case(schema, json!({"path": 3}), &["/path: expected \"string\""]);
    }

    #[test]
    fn a_map_takes_any_name_and_checks_its_values() {
        let schema = json!({"type": "object", "additionalProperties": {"type": "integer"}});
        case(schema.clone(), json!({"a": 1, "b": 2}), &[]);
        case(schema, json!({"a": "one"}), &["/a: expected"]);
    }

    #[test]
    fn a_keyword_nobody_checks_is_a_fault_of_the_schema() {
        case(json!({"type": "string", "contentEncoding": "x"}), json!("a"), &["unknown keyword"]);
    }
}
