//! The row that every tool shows of a note it lists.

use std::collections::BTreeSet;
use std::sync::Arc;

use ::search::NoteMeta;
use markdown::document::Document;
use markdown::tags::fold;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::mcp::answer::Shorten;

/// What is known of a note without reading it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct NoteRow {
    /// Path in the vault.
    path: String,
    /// The title property, else the file name.
    title: String,
    /// Tags of the properties, then inline ones.
    tags: Vec<String>,
    /// How many tags there are, when some are left out here.
    #[serde(skip_serializing_if = "Option::is_none")]
    tags_total: Option<usize>,
    /// The related property.
    related: Vec<String>,
    /// How many entries it has, when some are left out here.
    #[serde(skip_serializing_if = "Option::is_none")]
    related_total: Option<usize>,
    /// Parent folder; empty at the top of the vault.
    folder: String,
    /// The type property.
    #[serde(rename = "type")]
    type_: Option<String>,
    /// The created property, when it is a date or time.
    created: Option<String>,
    /// Last change on disk.
    modified: String,
    /// Size on disk.
    bytes: u64,
    /// The callout that opens the note.
    #[serde(skip_serializing_if = "Option::is_none")]
    leading_callout: Option<CalloutRow>,
    /// The other properties.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schemars(with = "Option<Map<String, Value>>")]
    additional_properties: Map<String, Value>,
    /// How many other properties there are, when they are left out here.
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_properties_total: Option<usize>,
    /// The tag that was asked for, which is never left out.
    #[serde(skip)]
    asked: Arc<[String]>,
}

/// The callout that opens a note.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CalloutRow {
    /// Its type in lower case.
    #[serde(rename = "type")]
    pub(super) type_: String,
    /// Its title.
    pub(super) title: String,
    /// Its text.
    pub(super) body: String,
}

impl CalloutRow {
    /// The callout that opens a note.
    pub(super) fn opening(document: &Document) -> Option<Self> {
        document.leading_callout.as_ref().map(|callout| Self {
            type_: callout.kind.clone(),
            // Obsidian shows the type's name for a callout without a title.
            title: if callout.title.is_empty() { callout.kind.clone() } else { callout.title.clone() },
            body: callout.body.clone(),
        })
    }
}

impl From<::search::LeadingCallout> for CalloutRow {
    fn from(callout: ::search::LeadingCallout) -> Self {
        Self { type_: callout.type_, title: callout.title, body: callout.body }
    }
}

impl NoteRow {
    /// The row of a note that was found by these tags, as they were asked for.
    pub(super) fn found_by(meta: NoteMeta, asked: &Arc<[String]>) -> Self {
        Self { asked: Arc::clone(asked), ..Self::from(meta) }
    }
}

impl From<NoteMeta> for NoteRow {
    fn from(meta: NoteMeta) -> Self {
        Self {
            path: meta.path.as_str().to_owned(),
            title: meta.title,
            tags: meta.tags,
            tags_total: None,
            related: meta.related,
            related_total: None,
            folder: meta.folder,
            type_: meta.type_,
            created: meta.created,
            modified: meta.modified,
            bytes: meta.bytes,
            leading_callout: meta.leading_callout.map(CalloutRow::from),
            additional_properties: meta.additional_properties,
            additional_properties_total: None,
            asked: Arc::default(),
        }
    }
}

impl Shorten for NoteRow {
    fn shorten(&mut self) {
        if !self.additional_properties.is_empty() {
            self.additional_properties_total = Some(self.additional_properties.len());
            self.additional_properties = Map::new();
        }
        self.related_total = shorten_list(&mut self.related);
        self.tags_total = shorten_tags(&mut self.tags, &self.asked);
        shorten_text(&mut self.title);
        if let Some(type_) = &mut self.type_ {
            shorten_text(type_);
        }
        if let Some(callout) = &mut self.leading_callout {
            shorten_callout(callout);
        }
    }
}

/// The most tags or related notes of a row that is too long.
pub(super) const MOST_ENTRIES: usize = 20;

/// Cuts a list that is too long for a row. How many entries it had, when some had to go.
pub(super) fn shorten_list(entries: &mut Vec<String>) -> Option<usize> {
    let total = entries.len();
    entries.truncate(MOST_ENTRIES);
    entries.iter_mut().for_each(shorten_text);
    (entries.len() < total).then_some(total)
}

/// The same for tags: of those asked for, the first that this note carries stays, and stays whole.
pub(super) fn shorten_tags(tags: &mut Vec<String>, asked: &[String]) -> Option<usize> {
    let total = tags.len();
    let kept: BTreeSet<usize> =
        asked.iter().filter_map(|asked| tags.iter().position(|tag| is_or_is_below(tag, asked))).collect();
    let mut index = 0;
    tags.retain(|_| {
        index += 1;
        index <= MOST_ENTRIES || kept.contains(&(index - 1))
    });
    for tag in tags.iter_mut() {
        if !asked.iter().any(|asked| is_or_is_below(tag, asked)) {
            shorten_text(tag);
        }
    }
    (tags.len() < total).then_some(total)
}

/// Whether a tag is the one asked for or nested below it.
fn is_or_is_below(tag: &str, asked: &str) -> bool {
    let (tag, asked) = (fold(tag.trim()), fold(asked.trim()));
    let asked = asked.trim_end_matches('/');
    tag.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Cuts the parts of a callout that is too long.
pub(super) fn shorten_callout(callout: &mut CalloutRow) {
    shorten_text(&mut callout.title);
    shorten_text(&mut callout.body);
}

/// Cuts a text that is too long for a row.
pub(in crate::mcp) fn shorten_text(text: &mut String) {
    const MOST: usize = 200;
    if let Some(end) = crate::mcp::answer::cut(text, MOST) {
        text.truncate(end);
        text.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many() -> Vec<String> {
        (0..60).map(|number| format!("tag{number}")).collect()
    }

    #[test]
    fn a_cut_list_says_how_many_there_were() {
        let mut list = many();
        assert_eq!(shorten_list(&mut list), Some(60));
        assert_eq!(list.len(), MOST_ENTRIES);
        let mut short = vec!["x".repeat(500)];
        assert_eq!(shorten_list(&mut short), None);
        assert!(short[0].ends_with('…'), "{}", short[0].len());
    }

    #[track_caller]
    fn stays(asked: &str, expected: &str) {
        let mut tags = many();
        tags.push("Project/Alpha".to_owned());
        tags.push("projects".to_owned());
        assert_eq!(shorten_tags(&mut tags, &[asked.to_owned()]), Some(62));
        assert_eq!(tags.len(), MOST_ENTRIES + 1, "{asked}");
        assert_eq!(tags.last().map(String::as_str), Some(expected), "{asked}");
    }

    #[test]
    fn the_tag_that_was_asked_for_stays() {
        stays("#project", "Project/Alpha");
        stays("PROJECT/ALPHA", "Project/Alpha");
        stays("projects", "projects");
        stays("tag40", "tag40");
        let mut tags = many();
        assert_eq!(shorten_tags(&mut tags, &["tag3".to_owned()]), Some(60));
        assert_eq!(tags.len(), MOST_ENTRIES, "it was among the first");
    }
}
