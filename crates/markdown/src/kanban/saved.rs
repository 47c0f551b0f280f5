//! The text of a board as the plugin saves it.

use serde_json::Value;

use super::board::{Board, Lane};
use super::card::Card;
use super::settings::SETTING_KEYS;
use super::yaml;

/// What the plugin indents the further lines of a card with: Obsidian's setting `useTab`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Indent {
    /// One tab, the default.
    #[default]
    Tab,
    /// Four spaces.
    Spaces,
}

impl Indent {
    /// The characters.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Tab => "\t",
            Self::Spaces => "    ",
        }
    }
}

/// The text the plugin writes for a board.
#[must_use]
pub fn saved(board: &Board, indent: Indent) -> String {
    let mut text = String::from("---\n\n");
    for (key, value) in &board.properties {
        if key == "kanban-plugin" || !SETTING_KEYS.contains(&key.as_str()) {
            yaml::write_property(key, value, &mut text);
        }
    }
    text.push_str("\n---\n\n");
    for lane in &board.lanes {
        write_lane(lane, indent, &mut text);
    }
    if !board.archive.is_empty() {
        text.push_str("***\n\n## Archive\n\n");
        let cards: Vec<String> = board.archive.iter().map(|card| card_lines(card, indent)).collect();
        text.push_str(&cards.join("\n"));
    }
    text.push_str("\n\n%% kanban:settings\n```\n");
    text.push_str(&Value::Object(board.settings.clone()).to_string());
    text.push_str("\n```\n%%");
    text
}

fn write_lane(lane: &Lane, indent: Indent, text: &mut String) {
    text.push_str("## ");
    text.push_str(&lane.title.replace('\n', "<br>"));
    if lane.max > 0 {
        text.push_str(&format!(" ({})", lane.max));
    }
    text.push_str("\n\n");
    if lane.complete {
        text.push_str("**Complete**\n");
    }
    for card in &lane.cards {
        text.push_str(&card_lines(card, indent));
        text.push('\n');
    }
    text.push_str("\n\n");
}

/// A card's lines: the block id at the end of the first, the further ones indented.
fn card_lines(card: &Card, indent: Indent) -> String {
    let (first, rest) =
        card.title.split_once('\n').map_or((card.title.as_str(), None), |(a, b)| (a, Some(b)));
    let mut text = format!("- [{}] {first}", card.check);
    if let Some(id) = &card.block_id {
        text.push_str(" ^");
        text.push_str(id);
    }
    for line in rest.into_iter().flat_map(|rest| rest.split('\n')) {
        text.push('\n');
        text.push_str(indent.text());
        text.push_str(line);
    }
    text
}
