//! From the bytes of a file to the rows the index keeps of it. Pure: no database, no clock, and no
//! knowledge of other files, so it runs on any thread.

pub(crate) mod dates;
mod files;
pub(crate) mod line_map;
pub(crate) mod memory;
pub(crate) mod properties;
pub(crate) mod tasks;

use std::borrow::Cow;

use jiff::tz::TimeZone;
use markdown::blocks::{self, BlockId};
use markdown::document::{self, Document};
use markdown::frontmatter::{Properties, PropertyMap};
use markdown::headings::{self, Heading};
use markdown::links::{Link, LinkKind};
use markdown::{kanban, plain, resolve};
use vault::{Content, Decoding, FileKind, VaultPath};

use self::dates::Created;
use self::line_map::LineMap;
use self::memory::MemoryRow;
use self::properties::PropertyRow;
use self::tasks::{TaskRow, TaskRules};
use crate::answer::LeadingCallout;
use crate::status::ProblemKind;
use crate::text::{self, DocKind, Fields, Prepared};

/// What the index keeps of a file beside its `files` row.
#[derive(Default)]
pub(crate) struct Rows {
    pub(crate) note: Option<NoteRow>,
    pub(crate) aliases: Vec<String>,
    pub(crate) tags: Vec<TagRow>,
    pub(crate) headings: Vec<HeadingRow>,
    pub(crate) blocks: Vec<BlockRow>,
    pub(crate) properties: Vec<PropertyRow>,
    pub(crate) links: Vec<LinkRow>,
    pub(crate) memory: Vec<MemoryRow>,
    pub(crate) tasks: Vec<TaskRow>,
    /// What `files.rules` is to hold: see [`TaskRules::of`].
    pub(crate) rules: i64,
    pub(crate) problems: Vec<(ProblemKind, String)>,
    /// What is searched of it; `None` for a file that is not.
    pub(crate) text: Option<TextRow>,
}

/// What is searched of a file, and where it stands.
pub(crate) struct TextRow {
    /// Without markup.
    pub(crate) text: String,
    /// From its offsets to lines.
    pub(crate) line_map: Vec<u8>,
    /// The tokens for the full-text engine.
    pub(crate) prepared: Prepared,
}

pub(crate) struct NoteRow {
    pub(crate) title: String,
    pub(crate) type_: Option<String>,
    pub(crate) created: Option<Created>,
    pub(crate) description: Option<String>,
    pub(crate) related: Vec<String>,
    /// Properties without a column, as JSON.
    pub(crate) additional: String,
    /// As JSON.
    pub(crate) leading_callout: Option<String>,
    /// Headings of the lanes whose cards count as done, as JSON; `None` for a note that is no Kanban board.
    pub(crate) done_lanes: Option<String>,
}

/// One spelling of a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TagRow {
    pub(crate) tag: String,
    pub(crate) tag_key: String,
    pub(crate) source: &'static str,
    pub(crate) occurrences: u32,
}

pub(crate) struct HeadingRow {
    pub(crate) level: u8,
    pub(crate) text: String,
    /// What a link's `#heading` is matched by.
    pub(crate) key: String,
    pub(crate) line: usize,
}

impl HeadingRow {
    fn of(heading: &Heading) -> Self {
        Self {
            level: heading.level,
            text: heading.text.clone(),
            key: headings::match_key(&heading.text),
            line: heading.line,
        }
    }
}

pub(crate) struct BlockRow {
    pub(crate) id: String,
    /// What a link's `#^id` is matched by.
    pub(crate) key: String,
    pub(crate) line: usize,
}

impl BlockRow {
    fn of(block: &BlockId) -> Self {
        Self { id: block.id.clone(), key: blocks::match_key(&block.id), line: block.line }
    }
}

pub(crate) struct LinkRow {
    pub(crate) kind: &'static str,
    pub(crate) embed: bool,
    pub(crate) path: String,
    pub(crate) subpath: Option<String>,
    pub(crate) display: Option<String>,
    pub(crate) property_key: Option<String>,
    pub(crate) line: usize,
    pub(crate) name_key: String,
}

pub(crate) use self::files::{read_canvas, read_text, unread_file};

/// The kind of link that a canvas's file node is: its path is exact.
pub(crate) const CANVAS_LINK: &str = "canvas";

/// Reads a note.
pub(crate) fn read_note(path: &VaultPath, content: &Content, zone: &TimeZone, rules: &TaskRules) -> Rows {
    let (source, decoding) = content.text();
    let document = document::parse(&source);
    let empty = PropertyMap::default();
    let map = document.properties.map().unwrap_or(&empty);

    let title = properties::text(map, "title").unwrap_or_else(|| path.stem().to_owned());
    let aliases = map.aliases();
    let description = properties::text(map, "description");
    let plain = plain::plain(&source, document.body_start..source.len());
    let line_map = LineMap::new(&plain, &document.lines).pack();
    let prepared = text::prepare(&Fields {
        path: path.as_str().to_owned(),
        title: title.clone(),
        aliases: aliases.clone(),
        description: description.clone().unwrap_or_default(),
        tags: document.all_tags(),
        headings: document.headings.iter().map(|heading| heading_words(&heading.text).into_owned()).collect(),
        markup: text::markup_of(&source, document.body_start..source.len(), &plain.text, &plain.map),
        body: plain.text.clone(),
        kind: DocKind::Note,
    });
    Rows {
        aliases,
        tags: tag_rows(map, &document),
        headings: document.headings.iter().map(HeadingRow::of).collect(),
        blocks: document.block_ids.iter().map(BlockRow::of).collect(),
        properties: properties::rows(map),
        links: link_rows(map, &document.links),
        memory: memory::rows(&source, &document),
        tasks: rules.tasks(path, &source, &document),
        rules: rules.of(FileKind::Note),
        problems: problems(&source, decoding, &document),
        text: Some(TextRow { text: plain.text, line_map, prepared }),
        note: Some(NoteRow {
            title,
            type_: properties::text(map, "type"),
            created: map
                .get_ci("created")
                .and_then(serde_json::Value::as_str)
                .and_then(|raw| dates::created(raw, zone)),
            description,
            related: properties::texts(map, "related"),
            additional: serde_json::Value::Object(properties::additional(map)).to_string(),
            leading_callout: leading_callout(&document),
            done_lanes: done_lanes(&source, &document),
        }),
    }
}

/// A note whose text could not be read at all: it is listed under its file name and found by its
/// path, and the problem says why there is no more.
pub(crate) fn unread_note(path: &VaultPath, kind: ProblemKind, message: String) -> Rows {
    let title = path.stem().to_owned();
    let fields = Fields { path: path.as_str().to_owned(), title: title.clone(), ..Fields::default() };
    Rows {
        text: Some(TextRow { text: String::new(), line_map: Vec::new(), prepared: text::prepare(&fields) }),
        note: Some(NoteRow {
            title,
            type_: None,
            created: None,
            description: None,
            related: Vec::new(),
            additional: "{}".to_owned(),
            leading_callout: None,
            done_lanes: None,
        }),
        problems: vec![(kind, message)],
        ..Rows::default()
    }
}

/// A heading as words: its markup would be searched as text.
pub(crate) fn heading_words(text: &str) -> Cow<'_, str> {
    let marked = text.contains(['[', '*', '_', '`', '~', '=', '<', '%', '$', '\\', '&', '^']);
    if marked { Cow::Owned(plain::plain(text, 0..text.len()).text) } else { Cow::Borrowed(text) }
}

/// Each spelling once, those of the properties first.
fn tag_rows(map: &PropertyMap, document: &Document) -> Vec<TagRow> {
    let mut rows: Vec<TagRow> = Vec::new();
    let mut places = std::collections::HashMap::new();
    let of_properties = map.tags().into_iter().map(|tag| (tag, "property"));
    let inline = document.tags.iter().map(|tag| (tag.name.clone(), "inline"));
    for (tag, source) in of_properties.chain(inline) {
        let place = *places.entry(tag.clone()).or_insert(rows.len());
        match rows.get_mut(place) {
            Some(row) => row.occurrences += 1,
            None => rows.push(TagRow { tag_key: markdown::tags::fold(&tag), tag, source, occurrences: 1 }),
        }
    }
    rows
}

/// Links of the body in their order, then those of the properties.
fn link_rows(map: &PropertyMap, body: &[Link]) -> Vec<LinkRow> {
    let row = |link: &Link, property_key: Option<String>| LinkRow {
        kind: match link.kind {
            LinkKind::Wiki => "wiki",
            LinkKind::Markdown => "markdown",
        },
        embed: link.embed,
        path: link.path.clone(),
        subpath: link.subpath.clone(),
        display: link.display.clone(),
        property_key,
        line: link.line,
        name_key: resolve::name_key(&link.path),
    };
    let of_properties = map.links();
    body.iter()
        .map(|link| row(link, None))
        .chain(of_properties.iter().map(|property| row(&property.link, Some(property.key.clone()))))
        .collect()
}

fn leading_callout(document: &Document) -> Option<String> {
    let callout = document.leading_callout.as_ref()?;
    let title = if callout.title.is_empty() { named_by_type(&callout.kind) } else { callout.title.clone() };
    let callout = LeadingCallout { type_: callout.kind.clone(), title, body: callout.body.clone() };
    serde_json::to_string(&callout).ok()
}

/// The lanes of a board whose cards count as done.
fn done_lanes(source: &str, document: &Document) -> Option<String> {
    if !kanban::is_board(&document.properties) {
        return None;
    }
    let lanes = kanban::done_lanes(source, document);
    let lanes: Vec<&str> = lanes
        .into_iter()
        .filter_map(|lane| document.headings.get(lane))
        .map(|heading| heading.text.as_str())
        .collect();
    serde_json::to_string(&lanes).ok()
}

/// The title Obsidian shows for a callout without one: `info` → `Info`.
fn named_by_type(kind: &str) -> String {
    let mut characters = kind.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

fn problems(source: &str, decoding: Decoding, document: &Document) -> Vec<(ProblemKind, String)> {
    let mut problems: Vec<_> = encoding_problem(decoding).into_iter().collect();
    if let Properties::Invalid(error) = &document.properties {
        problems.push((
            ProblemKind::InvalidYaml,
            format!(
                "properties are not valid YAML at line {}, column {}: {}",
                error.line, error.column, error.message
            ),
        ));
    }
    if document.block.is_none() && (source.starts_with("---\n") || source.starts_with("---\r\n")) {
        problems.push((
            ProblemKind::UnclosedFrontmatter,
            "opens with --- on line 1 and no line closes it: all of it is read as text".to_owned(),
        ));
    }
    problems
}

/// What is wrong with a file that is not read as Unicode.
fn encoding_problem(decoding: Decoding) -> Option<(ProblemKind, String)> {
    match decoding {
        Decoding::Latin1 => {
            Some((ProblemKind::Latin1, "not UTF-8: read as Windows-1252; save it as UTF-8".to_owned()))
        }
        Decoding::Binary => {
            Some((ProblemKind::Binary, "holds NUL bytes: its text is not searched".to_owned()))
        }
        Decoding::Utf8 | Decoding::Utf8Bom | Decoding::Utf16 => None,
    }
}
