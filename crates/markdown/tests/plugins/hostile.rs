//! Notes and boards of a size or shape nobody writes: still read and edited in time that grows with them.

use std::time::Duration;
use std::time::Instant;

use jiff::civil::Date;
use vault_cortex_markdown::document::parse;
use vault_cortex_markdown::kanban;
use vault_cortex_markdown::memory;
use vault_cortex_markdown::tasks;
use vault_cortex_markdown::tasks::edit::{Context, Edit, Target, Update, update};
use vault_cortex_markdown::tasks::{Settings, StatusType};

/// Far above what a linear function takes in a slow build, far below what a quadratic one does.
const LIMIT: Duration = Duration::from_secs(20);

#[test]
fn large_and_deep_notes() {
    let settings = Settings::default();
    let started = Instant::now();
    let deep: String =
        (0..2_000).map(|depth| format!("{}- [ ] x 📅 2026-01-01\n", " ".repeat(depth * 2))).collect();
    for (text, tasks_there) in [
        ("- [ ] task #tag ⏫ 📅 2026-01-01 ^id\n\t- [x] sub\n".repeat(50_000), 100_000),
        ("# H\n- [ ] a\n".repeat(50_000), 50_000),
        ("> - [ ] a\n".repeat(100_000), 100_000),
        (deep, 2_000),
        ("- [ ] ".repeat(200_000), 1),
    ] {
        let document = parse(&text);
        let found = tasks::in_note(&text, &document, &settings, None);
        assert!(found.len() >= tasks_there, "{} of {tasks_there}", found.len());
        assert!(memory::entries(&text, &document).is_empty());
        let fields = Edit { status: Some(StatusType::Done), ..Edit::default() };
        let change = Update { fields, add_subtasks: vec!["new".to_owned()], ..Update::default() };
        let context =
            Context { settings: &settings, today: Date::constant(2026, 3, 10), indent: "\t", format: None };
        let _edited = update(&text, &Target::Line(0), &change, &context);
    }
    let entries = "- **2026-01-01**: x\n  more\n".repeat(50_000);
    assert_eq!(memory::entries(&entries, &parse(&entries)).len(), 50_000);
    assert!(started.elapsed() < LIMIT, "{:?}", started.elapsed());
}

#[test]
fn large_boards() {
    let started = Instant::now();
    let head = "---\n\nkanban-plugin: board\n\n---\n\n";
    for body in [
        format!("## Lane\n\n{}", "- [ ] card @{2026-01-01} ^id\n\t- [ ] sub\n".repeat(30_000)),
        "## Lane (3)\n\n**Complete**\n- [x] a\n\n\n".repeat(30_000),
        format!("## Lane\n\n- [ ] {}\n", "@@{".repeat(100_000)),
        format!("## Lane\n\n- [ ] {}\n", "@[[".repeat(100_000)),
        "***\n\n## Archive\n\n".repeat(30_000),
        format!("{}\n%%", "```\n".repeat(50_000)),
    ] {
        if let Ok(board) = kanban::read(&format!("{head}{body}")) {
            let saved = kanban::saved(&board, kanban::Indent::Tab);
            assert!(saved.starts_with(head));
        }
    }
    assert!(started.elapsed() < LIMIT, "{:?}", started.elapsed());
}
