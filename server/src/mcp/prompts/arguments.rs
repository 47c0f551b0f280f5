//! The arguments of prompts: what they take, and how a call's are read. Clients send them as texts.

use jiff::civil::Date;
use rmcp::model::{JsonObject, PromptArgument};
use serde_json::{Map, Value, json};

use crate::mcp::arguments::Shape;
use crate::mcp::error::ToolError;
use crate::mcp::tools::parse_date;

/// An argument that a prompt may take. None is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Argument {
    /// The name of a memory file.
    File,
    /// A day.
    Date,
    /// How much of the vault's text the message holds at most.
    MaxChars,
}

/// What a call gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Given {
    pub(super) file: Option<String>,
    pub(super) date: Option<Date>,
    pub(super) max_chars: Option<usize>,
}

impl Argument {
    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Date => "date",
            Self::MaxChars => "max_chars",
        }
    }

    /// What it takes, for people who fill in a form.
    pub(crate) const fn description(self) -> &'static str {
        match self {
            Self::File => "Name of one memory file; all of them when left out",
            Self::Date => "The day, YYYY-MM-DD; today when left out",
            Self::MaxChars => "Most characters of vault text; as many as an answer may have when left out",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::File => "Memory file",
            Self::Date => "Day",
            Self::MaxChars => "Longest text",
        }
    }

    fn schema(self) -> Value {
        match self {
            Self::File => json!({"type": "string", "maxLength": 300}),
            Self::Date => json!({"type": "string", "maxLength": 32}),
            Self::MaxChars => json!({"type": "integer", "minimum": 1}),
        }
    }

    /// As it is listed.
    pub(super) fn definition(self) -> PromptArgument {
        PromptArgument::new(self.name())
            .with_title(self.title())
            .with_description(self.description())
            .with_required(false)
    }
}

/// Reads the arguments of a call of a prompt that takes `known`.
///
/// # Errors
/// The first argument that is unknown or not allowed.
pub(super) fn check(known: &[Argument], given: Option<JsonObject>) -> Result<Given, ToolError> {
    let properties: Map<String, Value> =
        known.iter().map(|argument| (argument.name().to_owned(), argument.schema())).collect();
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    let checked = Shape::read(&schema).check(given)?;
    let text = |argument: Argument| checked.get(argument.name()).and_then(Value::as_str);
    let max_chars = checked.get(Argument::MaxChars.name()).and_then(Value::as_u64);
    Ok(Given {
        file: text(Argument::File).map(str::to_owned),
        date: text(Argument::Date).map(|day| parse_date(Argument::Date.name(), day)).transpose()?,
        max_chars: max_chars.map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Argument; 3] = [Argument::File, Argument::Date, Argument::MaxChars];

    #[track_caller]
    fn read(known: &[Argument], given: Value) -> Result<Given, String> {
        let Value::Object(given) = given else { panic!("an object") };
        check(known, Some(given)).map_err(|error| error.to_string())
    }

    #[test]
    fn texts_are_read_and_empty_ones_are_absent() {
        assert_eq!(check(&ALL, None).unwrap(), Given::default());
        assert_eq!(read(&ALL, json!({"file": "", "date": null, "max_chars": ""})), Ok(Given::default()));
        let given = json!({"file": "Me", "date": "2026-01-15", "max_chars": "500"});
        let day = Date::constant(2026, 1, 15);
        let expected = Given { file: Some("Me".to_owned()), date: Some(day), max_chars: Some(500) };
        assert_eq!(read(&ALL, given), Ok(expected.clone()));
        assert_eq!(read(&ALL, json!({"file": "Me", "date": " 2026-01-15", "max_chars": 500})), Ok(expected));
    }

    #[test]
    fn what_is_not_allowed_is_named() {
        for (known, given, named) in [
            (&ALL[..], json!({"date": "2026-02-30"}), "argument date is"),
            (&ALL, json!({"date": "yesterday"}), "YYYY-MM-DD"),
            (&ALL, json!({"max_chars": "0"}), "argument max_chars is"),
            (&ALL, json!({"max_chars": "-5"}), "argument max_chars is"),
            (&ALL, json!({"max_chars": "1.5"}), "argument max_chars is"),
            (&ALL, json!({"max_chars": "many"}), "argument max_chars is"),
            (&ALL, json!({"file": 7}), "argument file is 7"),
            (&ALL, json!({"fil": "Me"}), "unknown argument fil: did you mean file?"),
            (&[], json!({"file": "Me"}), "unknown argument file: it takes none"),
        ] {
            let error = read(known, given.clone()).unwrap_err();
            assert!(error.contains(named), "{given}: {error}");
        }
    }
}
