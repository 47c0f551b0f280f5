//! The values of a properties block, and the few keys Obsidian gives a meaning.

use crate::Span;
use crate::links::{self, Link};
use crate::tags::is_tag_name;
use crate::yaml::LinkText;
use serde_json::{Map, Value};

/// The properties of a note, in the order they are written.
///
/// Values are what Obsidian reads: dates are text, numbers that are whole are integers. JSON has no
/// infinities: `.inf`, `-.inf` and `.nan` are kept as that text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PropertyMap {
    pub(crate) values: Map<String, Value>,
    /// The text values that begin like a link, placed in the file.
    pub(crate) links: Vec<LinkText>,
}

/// A property value, or an item of a list property, that is a link as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertyLink {
    /// Where the link stands: `up`, or `related.0` for the first item of a list.
    pub key: String,
    /// The link. Its spans are ranges of the decoded value, its line is that of the value in the file.
    pub link: Link,
    /// The value as written in the file, quotes included.
    pub source: Span,
}

impl PropertyMap {
    /// All values, in the order they are written.
    #[must_use]
    pub fn values(&self) -> &Map<String, Value> {
        &self.values
    }

    /// Gives up the values.
    #[must_use]
    pub fn into_values(self) -> Map<String, Value> {
        self.values
    }

    /// The value of a key, compared exactly.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// The value of a key, compared without case; of several the first written.
    #[must_use]
    pub fn get_ci(&self, name: &str) -> Option<&Value> {
        let folded = name.to_lowercase();
        self.values.iter().find(|(key, _)| key.to_lowercase() == folded).map(|(_, value)| value)
    }

    /// The text of a key; numbers and booleans as they print, lists and maps not at all.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        match self.get_ci(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// The tags of the `tags` property, without a `#` before or a `/` after, in order, repeats kept. Only
    /// text that is one whole tag counts, so `tags: a, b` has none.
    #[must_use]
    pub fn tags(&self) -> Vec<String> {
        self.texts("tags")
            .filter_map(|item| {
                let name = item.trim().trim_start_matches('#').trim_end_matches('/');
                is_tag_name(name).then(|| name.to_owned())
            })
            .collect()
    }

    /// The names of the `aliases` property, trimmed; only text counts, and empty items do not.
    #[must_use]
    pub fn aliases(&self) -> Vec<String> {
        self.texts("aliases").map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
    }

    /// Values and list items that are links as a whole, in the order they are written.
    #[must_use]
    pub fn links(&self) -> Vec<PropertyLink> {
        let link = |text: &LinkText| {
            let link = Link { line: text.line, ..links::whole(&text.value)? };
            Some(PropertyLink { key: text.key.clone(), link, source: text.span.clone() })
        };
        self.links.iter().filter_map(link).collect()
    }

    /// The text items of a list property, or its single text value.
    fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        match self.get_ci(name) {
            Some(Value::Array(items)) => items.as_slice(),
            Some(value) => std::slice::from_ref(value),
            None => &[],
        }
        .iter()
        .filter_map(Value::as_str)
    }
}
