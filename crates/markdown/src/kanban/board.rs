//! Reading a board.
//!
//! Error policy: a board that cannot be read is never edited. Each error says what the plugin itself would
//! stumble over.

use serde_json::{Map, Value};

use super::card::{Card, card};
use super::settings;
use crate::Span;
use crate::block::{Blocks, LeafKind, RawItem};
use crate::frontmatter::{self, Properties, YamlError};
use crate::lines::Lines;
use crate::sections::SectionKind;

/// A Kanban board.
#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    /// The properties; the old name `basic` of the plugin's key reads `board`.
    pub properties: Map<String, Value>,
    /// The board's settings: those at the end of the file, then properties that are settings.
    pub settings: Map<String, Value>,
    /// Lanes from left to right.
    pub lanes: Vec<Lane>,
    /// Archived cards.
    pub archive: Vec<Card>,
    /// Where the lanes stand in the file: from the end of the properties to the start of the settings.
    pub body: Span,
}

/// A lane of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    /// Its title, without limit and block id; `<br>` reads as a line feed.
    pub title: String,
    /// The most cards it is to hold; 0 for no limit.
    pub max: u64,
    /// Whether cards in it count as done: it is marked with the word `Complete`.
    pub complete: bool,
    /// Its cards from top to bottom.
    pub cards: Vec<Card>,
    /// Zero-based line of its heading.
    pub line: usize,
    /// The heading, without line break.
    pub heading: Span,
}

/// The text is no board, or one that the plugin cannot read.
#[derive(Debug, thiserror::Error)]
pub enum KanbanError {
    /// There are no properties at the start.
    #[error("the note has no properties at its start")]
    NoProperties,
    /// The properties are not valid YAML.
    #[error("the properties of the board cannot be read: line {}: {}", .0.line, .0.message)]
    InvalidProperties(YamlError),
    /// The properties do not have `kanban-plugin`.
    #[error("the note is no Kanban board: it has no property `kanban-plugin`")]
    NotABoard,
    /// The settings at the end are not a JSON object.
    #[error("the settings at the end of the board are no JSON object: {0}")]
    Settings(#[from] serde_json::Error),
}

/// Whether properties make a note a board.
#[must_use]
pub fn is_board(properties: &Properties) -> bool {
    let key = properties.map().and_then(|map| map.get("kanban-plugin"));
    key.is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
}

/// Reads a board. Blank lines before the properties are allowed, as in the plugin.
///
/// # Errors
/// See [`KanbanError`]; the plugin does not touch such a note either.
pub fn read(text: &str) -> Result<Board, KanbanError> {
    let blank = text.len() - text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).len();
    let note = text.get(blank..).unwrap_or_default();
    let block = frontmatter::locate(note).ok_or(KanbanError::NoProperties)?;
    let mut properties = match frontmatter::properties(note) {
        Properties::Map(map) => map.into_values(),
        Properties::None | Properties::Other => return Err(KanbanError::NotABoard),
        Properties::Invalid(error) => return Err(KanbanError::InvalidProperties(error)),
    };
    match properties.get_mut("kanban-plugin") {
        Some(kind) if *kind == "basic" => *kind = Value::from("board"),
        Some(_) => {}
        None => return Err(KanbanError::NotABoard),
    }
    let body_start = blank + block.span.end;
    let body = text.get(body_start..).unwrap_or_default();
    let footer = settings::footer(body);
    let settings = settings::merged(footer.map(|(_, json)| json), &properties)?;
    let body_end = footer.map_or(text.len(), |(start, _)| body_start + start);
    let visible = text.get(..body_end).unwrap_or(text);
    let blocks = crate::block::read(visible, body_start..body_end);
    let (lanes, archive) = lanes(visible, &blocks, &settings);
    Ok(Board { properties, settings, lanes, archive, body: body_start..body_end })
}

/// Walks over the top-level blocks: a heading opens a lane, the first list under it holds its cards, the
/// word `Complete` before the list marks it. Everything else is not the plugin's.
fn lanes(text: &str, blocks: &Blocks, settings: &Map<String, Value>) -> (Vec<Lane>, Vec<Card>) {
    let mut lanes: Vec<Lane> = Vec::new();
    let mut archive = Vec::new();
    let mut has_list = false;
    let mut after_break = false;
    let mut in_archive = false;
    for (index, section) in blocks.sections.iter().enumerate() {
        let written = text.get(section.span.clone()).unwrap_or_default();
        match section.kind {
            SectionKind::Heading => {
                has_list = false;
                let lane = lane(text, blocks, index, &section.span);
                let list_follows = blocks
                    .sections
                    .iter()
                    .skip(index + 1)
                    .take_while(|next| next.kind != SectionKind::Heading)
                    .any(|next| next.kind == SectionKind::List);
                in_archive = after_break && list_follows && lane.title == "Archive";
                if !in_archive {
                    lanes.push(lane);
                }
            }
            SectionKind::Paragraph if is_complete_mark(written) && !has_list && !in_archive => {
                if let Some(lane) = lanes.last_mut() {
                    lane.complete = true;
                }
            }
            SectionKind::List if !has_list && (in_archive || !lanes.is_empty()) => {
                has_list = true;
                let cards = cards(text, blocks, &section.span, settings);
                match lanes.last_mut() {
                    Some(lane) if !in_archive => lane.cards = cards,
                    _ => archive = cards,
                }
            }
            _ => {}
        }
        after_break = section.kind == SectionKind::ThematicBreak;
    }
    (lanes, archive)
}

/// A paragraph that is the word `Complete`, emphasised or not.
pub(super) fn is_complete_mark(paragraph: &str) -> bool {
    paragraph.trim().trim_matches(['*', '_']) == "Complete"
}

fn lane(text: &str, blocks: &Blocks, section: usize, span: &Span) -> Lane {
    let leaf = blocks
        .leaves
        .binary_search_by(|leaf| leaf.section.cmp(&section))
        .ok()
        .and_then(|index| blocks.leaves.get(index))
        .filter(|leaf| matches!(leaf.kind, LeafKind::Heading(_)));
    let written = leaf.and_then(|leaf| text.get(leaf.content.clone())).unwrap_or_default().trim();
    let (title, max) = title_and_limit(cut_block_id(written));
    Lane {
        title: title.replace("<br>", "\n"),
        max,
        complete: false,
        cards: Vec::new(),
        line: leaf.map_or(0, |leaf| leaf.first_line),
        heading: span.clone(),
    }
}

fn cut_block_id(title: &str) -> &str {
    let start = title.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).len();
    match title.get(..start).and_then(|before| before.strip_suffix(" ^")) {
        Some(before) if start < title.len() => before.trim_end(),
        _ => title,
    }
}

/// `Title (3)` is a title with a limit; `(3)` alone is a title.
fn title_and_limit(title: &str) -> (&str, u64) {
    let limit = title.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    match limit {
        Some((before, digits))
            if !before.trim().is_empty()
                && !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            (before.trim_end(), digits.parse().unwrap_or(u64::MAX))
        }
        _ => (title, 0),
    }
}

fn cards(text: &str, blocks: &Blocks, list: &Span, settings: &Map<String, Value>) -> Vec<Card> {
    let first = blocks.items.partition_point(|item| item.span.start < list.start);
    let inside = blocks.items.iter().skip(first).take_while(|item| item.span.start < list.end);
    let top: Vec<&RawItem> = inside.filter(|item| item.parent.is_none()).collect();
    let last_line = blocks.lines.line_of(list.end.saturating_sub(1).max(list.start));
    let ends = top.iter().skip(1).map(|next| next.line).chain([last_line + 1]);
    top.iter().zip(ends).map(|(item, end)| item_card(text, &blocks.lines, item, end, settings)).collect()
}

fn item_card(text: &str, lines: &Lines, item: &RawItem, end: usize, settings: &Map<String, Value>) -> Card {
    let line = |number: usize| lines.get(number).and_then(|line| text.get(line.span)).unwrap_or_default();
    let mut end = end;
    while end > item.line + 1 && line(end - 1).trim().is_empty() {
        end -= 1;
    }
    let first = line(item.line).trim_start();
    let after_marker =
        crate::tasks::marker_length(first).and_then(|length| first.get(length..)).unwrap_or(first);
    let after_marker = after_marker.trim_start();
    let content = match item.task {
        Some(check) => after_marker.get(check.len_utf8() + 2..).unwrap_or_default(),
        None => after_marker,
    };
    let contents: Vec<&str> = std::iter::once(content).chain((item.line + 1..end).map(line)).collect();
    let start = lines.get(item.line).map_or(item.span.start, |line| line.span.start);
    let stop = lines.get(end.saturating_sub(1)).map_or(item.span.end, |line| line.end);
    card(item.task, &contents, settings, start..stop)
}
