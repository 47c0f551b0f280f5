//! `types.json`: the types that the user gave to properties.

use std::collections::BTreeMap;

use serde_json::Value;

use super::error::SettingsError;
use super::fields;
use crate::path::VaultPath;

/// The type of a property in Obsidian's property editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PropertyType {
    /// `text`
    Text,
    /// `multitext`: a list.
    List,
    /// `number`
    Number,
    /// `checkbox`
    Checkbox,
    /// `date`
    Date,
    /// `datetime`
    DateTime,
    /// `tags`
    Tags,
    /// `aliases`
    Aliases,
    /// A type that a plugin adds.
    Other(String),
}

impl PropertyType {
    fn named(name: &str) -> Self {
        match name {
            "text" => Self::Text,
            "multitext" => Self::List,
            "number" => Self::Number,
            "checkbox" => Self::Checkbox,
            "date" => Self::Date,
            "datetime" => Self::DateTime,
            "tags" => Self::Tags,
            "aliases" => Self::Aliases,
            other => Self::Other(other.to_owned()),
        }
    }
}

/// The types of a vault's properties. Names are the same whatever their letter case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PropertyTypes {
    by_key: BTreeMap<String, PropertyType>,
}

impl PropertyTypes {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, SettingsError> {
        let fields = fields::parse(bytes)?;
        let types = fields.get("types").and_then(Value::as_object);
        let by_key = types
            .into_iter()
            .flatten()
            .filter_map(|(name, kind)| Some((VaultPath::fold(name), PropertyType::named(kind.as_str()?))))
            .collect();
        Ok(Self { by_key })
    }

    /// The type of a property; `None` when the user gave it none.
    #[must_use]
    pub fn of(&self, property: &str) -> Option<&PropertyType> {
        self.by_key.get(&VaultPath::fold(property))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_by_name_without_case() {
        let types = PropertyTypes::read(
            br#"{"types":{"Rating":"number","due":"date","made":"datetime","done":"checkbox","list":"multitext",
                "tags":"tags","aliases":"aliases","note":"text","odd":"plugin-type","broken":7}}"#,
        )
        .unwrap();
        assert_eq!(types.of("rating"), Some(&PropertyType::Number));
        assert_eq!(types.of("DUE"), Some(&PropertyType::Date));
        assert_eq!(types.of("made"), Some(&PropertyType::DateTime));
        assert_eq!(types.of("done"), Some(&PropertyType::Checkbox));
        assert_eq!(types.of("list"), Some(&PropertyType::List));
        assert_eq!(types.of("tags"), Some(&PropertyType::Tags));
        assert_eq!(types.of("aliases"), Some(&PropertyType::Aliases));
        assert_eq!(types.of("note"), Some(&PropertyType::Text));
        assert_eq!(types.of("odd"), Some(&PropertyType::Other("plugin-type".to_owned())));
        assert_eq!(types.of("broken"), None);
        assert_eq!(types.of("unheard"), None);
    }

    #[test]
    fn no_types_at_all() {
        assert_eq!(PropertyTypes::read(b"{}").unwrap(), PropertyTypes::default());
        assert_eq!(PropertyTypes::read(br#"{"types":null}"#).unwrap(), PropertyTypes::default());
    }
}
