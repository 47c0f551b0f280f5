//! Kanban: reading boards, and the text the plugin saves.

use serde_json::{Value, json};
use vault_cortex_markdown::kanban;
use vault_cortex_markdown::kanban::{Board, Card, Indent};

use crate::rows::{Report, list, text};
use crate::shared::case_file;

fn cards(cards: &[Card]) -> Value {
    let cards = cards.iter().map(|card| {
        json!({
            "check": card.check.to_string(),
            "checked": card.is_checked(),
            "title": card.title,
            "block_id": card.block_id,
            "tags": card.tags,
            "date": card.date,
            "time": card.time,
        })
    });
    cards.collect()
}

fn lanes(board: &Board) -> Value {
    let lanes = board.lanes.iter().map(|lane| {
        json!({"title": lane.title, "max": lane.max, "complete": lane.complete, "cards": cards(&lane.cards)})
    });
    lanes.collect()
}

#[test]
fn reading_and_saving() {
    let Some(rows) = case_file("kanban-roundtrip.json") else { return };
    let mut report = Report::default();
    for row in list(&rows, "cases") {
        report.row();
        let id = text(row, "id");
        let file = text(row, "file");
        let board = kanban::read(file);
        report.compare(id, &format!("error {file:?}"), &board.is_err(), &row.get("error").is_some());
        let Ok(board) = board else { continue };
        report.compare(id, file, &lanes(&board), &row["lanes"]);
        report.compare(id, file, &cards(&board.archive), &row["archive"]);
        report.compare(id, file, &Value::Object(board.settings.clone()), &row["settings"]);
        report.compare(id, file, &Value::Object(board.properties.clone()), &row["frontmatter"]);
        let use_tab = row.pointer("/options/useTab").and_then(Value::as_bool).unwrap_or(true);
        let indent = if use_tab { Indent::Tab } else { Indent::Spaces };
        let saved = kanban::saved(&board, indent);
        report.compare(id, "saved", &saved.as_str(), &text(row, "saved"));
        let again = kanban::read(&saved).map(|board| kanban::saved(&board, indent));
        report.compare(id, "saved again", &again.ok().as_deref(), &Some(text(row, "saved")));
    }
    report.finish(88);
}
