//! Real vaults: every task, board and canvas in them is read, written and edited without a surprise.

use std::path::Path;
use std::path::PathBuf;

use jiff::civil::Date;
use vault_cortex_markdown::canvas;
use vault_cortex_markdown::document::parse;
use vault_cortex_markdown::kanban;
use vault_cortex_markdown::tasks;
use vault_cortex_markdown::tasks::edit::{Context, Edit, Target, Update, update};
use vault_cortex_markdown::tasks::{Settings, StatusType, Task};

use crate::shared::shared;

/// All files of the shared vaults with this extension, or `None` when they are absent.
fn files(extension: &str) -> Option<Vec<PathBuf>> {
    let mut folders = vec![shared("vaults")?];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Some(found)
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned()
}

#[test]
fn every_task_can_be_rewritten_and_completed() {
    let Some(notes) = files("md") else { return };
    let settings = Settings::default();
    let today = Date::constant(2026, 3, 10);
    let context = Context { settings: &settings, today, indent: "\t", format: None };
    let (mut tasks_seen, mut boards) = (0, 0);
    for path in notes {
        let text = read(&path);
        let document = parse(&text);
        let found = tasks::in_note(&text, &document, &settings, None);
        for task in &found {
            tasks_seen += 1;
            let line = text.get(task.span.clone()).expect("a line");
            let written = Task::read(line, &settings, None).expect("a task").to_line(settings.format);
            let again = Task::read(&written, &settings, None).expect("a task").to_line(settings.format);
            assert_eq!(again, written, "{} {line:?}", path.display());

            let done = Edit { status: Some(StatusType::Done), ..Edit::default() };
            let change = Update { fields: done, ..Update::default() };
            if let Ok(edited) = update(&text, &Target::Line(task.line), &change, &context) {
                // Every other line of the note is still there.
                let mut lines: Vec<&str> = edited.text.lines().collect();
                let others = text.lines().enumerate().filter(|(number, _)| *number != task.line);
                for (number, other) in others {
                    let place = lines.iter().position(|line| *line == other);
                    let place = place.unwrap_or_else(|| panic!("{} lost line {number}", path.display()));
                    lines.swap_remove(place);
                }
            }
        }
        if kanban::is_board(&document.properties) {
            boards += 1;
            let board = kanban::read(&text).expect("a board");
            let saved = kanban::saved(&board, kanban::Indent::Tab);
            let again = kanban::read(&saved).expect("still a board");
            assert_eq!(kanban::saved(&again, kanban::Indent::Tab), saved, "{}", path.display());
        }
    }
    assert!(tasks_seen > 500, "only {tasks_seen} tasks were there");
    assert!(boards > 0, "no board was there");
}

#[test]
fn every_canvas_is_written_as_markdown() {
    let Some(canvases) = files("canvas") else { return };
    assert!(!canvases.is_empty());
    for path in canvases {
        let json = read(&path);
        let canvas = canvas::Canvas::read(&json).expect("a canvas");
        let outline = canvas::linearize(&json).expect("a canvas");
        assert!(outline.starts_with("# Canvas: "), "{}", path.display());
        assert!(outline.matches("\n[").count() >= canvas.nodes.len(), "{}", path.display());
    }
}
