//! What the index answers. Times are RFC 3339 with milliseconds and the offset of the index's time
//! zone; lines are 1-based lines of the file; `folder` is the full parent folder, `""` at the root.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};
use vault::VaultPath;

use crate::status::Progress;
use crate::text::{Field, MatchKind, QueryReading};

/// Whether a hit or a link target is a note or another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A Markdown note.
    Note,
    /// Anything else: a canvas, a base, an image, a PDF, …
    File,
}

/// The callout that stands at the top of a note, before any other text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct LeadingCallout {
    /// Its type in lower case: `info`.
    #[serde(rename = "type")]
    pub type_: String,
    /// Its title; the type's name when it has none of its own.
    pub title: String,
    /// Its text, quote marks dropped.
    pub body: String,
}

/// A range of lines of a file, both ends included, 1-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LineRange {
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
}

/// What is known of a note without reading it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NoteMeta {
    /// The note.
    pub path: VaultPath,
    /// Its `title` property, else its file name without `.md`.
    pub title: String,
    /// Its tags: of the properties first, then inline, each spelling once, without `#`.
    pub tags: Vec<String>,
    /// The texts of its `related` property.
    pub related: Vec<String>,
    /// Full parent folder.
    pub folder: String,
    /// Its `type` property.
    #[serde(rename = "type")]
    pub type_: Option<String>,
    /// Its `created` property as a moment, when it reads as a date or a time.
    pub created: Option<String>,
    /// Last change on disk.
    pub modified: String,
    /// Size on disk.
    pub bytes: u64,
    /// The callout that opens it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leading_callout: Option<LeadingCallout>,
    /// Every other property, in the order of the file.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub additional_properties: Map<String, Value>,
}

/// One hit of [`Index::search`](crate::Index::search).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchHit {
    /// The file.
    pub path: VaultPath,
    /// Title of the note; a file's name.
    pub title: String,
    /// The passage that holds most of the words, unmarked.
    pub snippet: String,
    /// How well it matches, in [0, 1].
    pub score: f64,
    /// As in [`NoteMeta::tags`].
    pub tags: Vec<String>,
    /// Full parent folder.
    pub folder: String,
    /// The `type` property.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_: Option<String>,
    /// Note or other file.
    pub kind: Kind,
    /// Extension of a file that is no note, lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extension: Option<String>,
    /// As in [`NoteMeta::created`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Last change on disk.
    pub modified: String,
    /// Size on disk.
    pub bytes: u64,
    /// The callout that opens the note, when it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leading_callout: Option<LeadingCallout>,
    /// Headings above the snippet, outermost first, joined by ` > `.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Lines of the file that the snippet comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<LineRange>,
    /// The fields in which words were found.
    #[serde(serialize_with = "field_names")]
    pub matched_fields: Vec<Field>,
}

/// The answer of [`Index::search`](crate::Index::search).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchAnswer {
    /// Best first.
    #[serde(rename = "results")]
    pub hits: Vec<SearchHit>,
    /// Notes that hold every term when there are any, else those that hold some.
    pub total: usize,
    /// The rung of the search ladder that answered: `fts`.
    pub search_mode: &'static str,
    /// Whether a cross-encoder reordered the hits.
    pub reranked: bool,
    /// How the query was read.
    #[serde(serialize_with = "reading_name")]
    pub query_mode: QueryReading,
    /// Set while the index is being built: the answer holds what there is so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexing: Option<Progress>,
}

/// One hit of [`Index::fts_search`](crate::Index::fts_search).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FtsHit {
    /// The note.
    pub path: VaultPath,
    /// Its title.
    pub title: String,
    /// The engine's own score, three decimals.
    pub score: f64,
    /// The fields in which words were found.
    #[serde(serialize_with = "field_names")]
    pub matched_fields: Vec<Field>,
    /// The best passage, matches marked «like this».
    pub snippet: String,
    /// The `description` property.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// As in [`NoteMeta::tags`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Whether the words were found as typed or in other forms.
    #[serde(rename = "match", serialize_with = "match_name")]
    pub match_: MatchKind,
    /// Headings above the snippet, outermost first, joined by ` > `.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Lines of the file that the snippet comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<LineRange>,
}

/// The answer of [`Index::fts_search`](crate::Index::fts_search).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FtsAnswer {
    /// Best first.
    pub results: Vec<FtsHit>,
    /// Notes that hold every term when there are any, else those that hold some.
    pub total: usize,
    /// Whether there are more than `results` holds.
    pub truncated: bool,
    /// How the query was read.
    #[serde(serialize_with = "reading_name")]
    pub query_mode: QueryReading,
    /// Words of the query that were left out as too common.
    pub ignored_stopwords: Vec<String>,
    /// For each word of the query the other forms that count as it.
    pub word_forms: BTreeMap<String, Vec<String>>,
    /// Set while the index is being built: the answer holds what there is so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexing: Option<Progress>,
}

/// A dated entry of a memory file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecalledEntry {
    /// The memory file.
    pub path: VaultPath,
    /// The heading it stands under, as written; `None` before the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Its day, `YYYY-MM-DD`.
    pub date: String,
    /// The bullet: `- **2026-03-10**: text`.
    pub text: String,
    /// The line of the file it stands on.
    pub line: u32,
}

/// The answer of [`Index::memory_recall`](crate::Index::memory_recall).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecallAnswer {
    /// Most relevant first, so that whoever has to leave some out leaves the least relevant out.
    pub entries: Vec<RecalledEntry>,
    /// How many entries match, before any limit.
    pub total: usize,
    /// The rung of the search ladder that answered: `fts`.
    pub search_mode: &'static str,
    /// Whether a cross-encoder had a say.
    pub reranked: bool,
    /// Set while the index is being built: the answer holds what there is so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexing: Option<Progress>,
}

/// A tag and how many notes carry it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TagCount {
    /// The spelling used most, without `#`.
    pub tag: String,
    /// Notes that carry it in any spelling.
    pub count: u64,
    /// Notes that carry it or a tag nested below it.
    pub with_children: u64,
}

/// Part of a longer list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Page<T> {
    /// The first rows, up to the limit.
    pub items: Vec<T>,
    /// How many there are in all.
    pub total: usize,
}

/// A file with a link to the one asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Backlink {
    /// The file that holds the link.
    pub path: VaultPath,
    /// Its title; a file's name when it is no note.
    pub title: String,
    /// Size on disk.
    pub bytes: u64,
}

/// A property, however often it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PropertyKey {
    /// Its name in the spelling used most; spellings that differ in case only are one property.
    pub key: String,
    /// Notes that have it, also without a value.
    pub count: u64,
    /// Its most used values, at most three: texts, numbers and checkboxes, each item of a list on its
    /// own.
    pub sample_values: Vec<String>,
}

/// A value of a property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PropertyValue {
    /// As text: the number 1 and the text `1` are one value, the text `1.0` another.
    pub value: String,
    /// How often it stands there; each item of a list counts.
    pub count: u64,
}

/// A target that a file links to, once however often it is linked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutgoingLink {
    /// The file it reaches; for an unresolved link its path as written, without a final `.md`.
    pub path: String,
    /// Title of a note that exists.
    pub title: Option<String>,
    /// Whether it reaches a file.
    pub exists: bool,
    /// Note or other file; by the name as written when nothing is reached.
    pub kind: Kind,
    /// Size on disk of what it reaches.
    pub bytes: Option<u64>,
    /// For an unresolved link, a note that has this text as an alias: aliases never resolve, but
    /// the note is probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias_of: Option<VaultPath>,
    /// The subpaths (`#heading`, `#a#b`, `#^block`) of the links to a note that no heading and no block id of
    /// it answers, as written, each once, in the order of the links. Links to them open the note at its top.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_subpaths: Vec<String>,
}

/// How much there is in the vault.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct VaultStats {
    /// Notes.
    pub notes: u64,
    /// Tags; spellings that differ in case only are one.
    pub tags: u64,
    /// Property keys; spellings that differ in case only are one.
    pub property_keys: u64,
    /// Notes without a tag.
    pub untagged: u64,
    /// Notes without a property.
    pub without_properties: u64,
}

/// A folder with notes in it or below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FolderCount {
    /// Its path; `""` is the top of the vault.
    pub folder: String,
    /// Notes directly in it.
    pub notes: u64,
    /// Notes in it and below it.
    pub with_subfolders: u64,
}

/// Links that reach nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct BrokenLinks {
    /// Targets that do not exist, each counted once in every file that links to it.
    pub links: u64,
    /// Files with such a link.
    pub files: u64,
}

fn field_names<S: serde::Serializer>(fields: &[Field], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(fields.iter().map(|field| field.name()))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn reading_name<S: serde::Serializer>(reading: &QueryReading, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(reading.name())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn match_name<S: serde::Serializer>(kind: &MatchKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}
