//! Prints how long questions about tasks take on 10,000 notes with two tasks each:
//! `cargo run --package vault-cortex-search --example task_times`.
#![expect(clippy::disallowed_methods, reason = "makes a vault of its own to measure on")]
#![expect(clippy::print_stdout, reason = "prints what it measures")]

extern crate vault_cortex_search as search;

use std::error::Error;
use std::time::{Duration, Instant};

use jiff::civil::Date;
use search::{DateField, DateRange, Index, IndexOptions, StatusFilter, TaskQuery, TaskSort};
use vault::{Principal, Vault, VaultOptions, VaultPath};

const NOTES: u32 = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let (root, data) = (tempfile::tempdir()?, tempfile::tempdir()?);
    for number in 0..NOTES {
        let folder = root.path().join(format!("folder{}", number % 40));
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(format!("note {number}.md")), note(number))?;
    }
    let vault = Vault::open(root.path(), VaultOptions::default())?;
    let options = IndexOptions::new(data.path().join("index.db"), jiff::Timestamp::now);
    let index = Index::open(vault, options)?;
    let start = Instant::now();
    index.reconcile(&|_| {})?;
    println!("built in {:?}", start.elapsed());
    for (name, query) in questions()? {
        let mut times = Vec::new();
        for _ in 0..100 {
            let start = Instant::now();
            index.tasks(&Principal::owner("example"), &query)?;
            times.push(start.elapsed());
        }
        times.sort();
        let median = times.get(50).copied().unwrap_or(Duration::ZERO);
        let total = index.tasks(&Principal::owner("example"), &query)?.total;
        println!("{name}: p50 {:.2} ms of {total}", median.as_secs_f64() * 1_000.0);
    }
    let settings = root.path().join(".obsidian/plugins/obsidian-tasks-plugin");
    std::fs::create_dir_all(&settings)?;
    std::fs::write(settings.join("data.json"), r#"{"globalFilter":"o"}"#)?;
    let start = Instant::now();
    index.tasks(&Principal::owner("example"), &TaskQuery::default())?;
    println!("the first question after a change of settings: {:?}", start.elapsed());
    Ok(())
}

fn note(number: u32) -> String {
    let day =
        |shift: u32| format!("2026-{:02}-{:02}", (number + shift) % 12 + 1, (number * 7 + shift) % 28 + 1);
    let mark = if number.is_multiple_of(3) { 'x' } else { ' ' };
    format!(
        "# Note {number}\n\nwords about {number}\n\n## Tasks {}\n- [ ] open {number} #t{} 📅 {}\n- [{mark}] other {number} ➕ {}\n",
        number % 50,
        number % 20,
        day(0),
        day(5)
    )
}

fn questions() -> Result<Vec<(&'static str, TaskQuery)>, Box<dyn Error>> {
    let open = TaskQuery::default;
    let all = || TaskQuery { statuses: vec![StatusFilter::All], ..open() };
    let tagged = || TaskQuery { tag: Some("t3".to_owned()), ..open() };
    let day: Date = "2026-03-15".parse()?;
    let before = DateRange { before: Some(day), ..DateRange::default() };
    let on = DateRange { on: Some(day), ..DateRange::default() };
    Ok(vec![
        ("open, by due date", open()),
        ("the same, far down", TaskQuery { offset: 5_000, ..open() }),
        ("all, by due date", all()),
        ("all, by position", TaskQuery { sort: TaskSort::Position, ..all() }),
        ("all, by change of the note", TaskQuery { sort: TaskSort::NoteModified, ..all() }),
        ("open, by priority", TaskQuery { sort: TaskSort::Priority, ..open() }),
        ("with a tag", tagged()),
        ("with a tag, due before", tagged().dated(DateField::Due, before)),
        ("due before", open().dated(DateField::Due, before)),
        ("due on", open().dated(DateField::Due, on)),
        ("in a folder", TaskQuery { folder: Some("folder7".to_owned()), ..open() }),
        ("under a heading", TaskQuery { headings: vec!["Tasks 7".to_owned()], ..open() }),
        ("in a note", TaskQuery { path: Some(VaultPath::parse("folder7/note 7.md")?), ..open() }),
    ])
}
