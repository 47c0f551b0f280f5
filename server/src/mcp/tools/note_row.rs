//! The row that every tool shows of a note it lists.

use ::search::NoteMeta;
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
    /// The related property.
    related: Vec<String>,
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

impl From<::search::LeadingCallout> for CalloutRow {
    fn from(callout: ::search::LeadingCallout) -> Self {
        Self { type_: callout.type_, title: callout.title, body: callout.body }
    }
}

impl From<NoteMeta> for NoteRow {
    fn from(meta: NoteMeta) -> Self {
        Self {
            path: meta.path.as_str().to_owned(),
            title: meta.title,
            tags: meta.tags,
            related: meta.related,
            folder: meta.folder,
            type_: meta.type_,
            created: meta.created,
            modified: meta.modified,
            bytes: meta.bytes,
            leading_callout: meta.leading_callout.map(CalloutRow::from),
            additional_properties: meta.additional_properties,
        }
    }
}

impl Shorten for NoteRow {
    fn shorten(&mut self) {
        self.additional_properties = Map::new();
        self.related.truncate(MOST_ENTRIES);
        self.tags.truncate(MOST_ENTRIES);
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

/// Cuts the parts of a callout that is too long.
pub(super) fn shorten_callout(callout: &mut CalloutRow) {
    shorten_text(&mut callout.title);
    shorten_text(&mut callout.body);
}

/// Cuts a text that is too long for a row.
pub(super) fn shorten_text(text: &mut String) {
    const MOST: usize = 200;
    if let Some(end) = crate::mcp::answer::cut(text, MOST) {
        text.truncate(end);
        text.push('…');
    }
}
