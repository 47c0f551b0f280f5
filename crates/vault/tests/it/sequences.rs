//! Whatever is done to a vault in whatever order: only what was asked for changes, and taking all of it
//! back restores every byte.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use markdown::document::{self, Document};
use markdown::edit::anchor::{Anchors, Side, delete_span, insert_at_anchor, replace_span};
use markdown::edit::memory::{NewEntry, Position, add};
use markdown::edit::properties::update;
use markdown::edit::replace::replace_text;
use markdown::edit::section::{Operation, Patch, patch};
use markdown::edit::write_note::overwrite;
use markdown::edit::{Edited, apply};
use markdown::tasks::{self, Settings, StatusType};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};
use vault::{FileKind, Lock, Undo, UndoOptions, WriteError, WriteOptions, Written};

use super::writer::{Writing, tree};
use super::*;

const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/vaults");

type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// Something done to one of the files there are then.
#[derive(Debug, Clone)]
struct Action {
    kind: Kind,
    /// Which file, line, heading or word: the number is taken as often as it goes into what there is.
    file: usize,
    place: usize,
    content: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Create,
    Properties,
    Patch,
    Replace,
    DeleteSpan,
    ReplaceSpan,
    Insert,
    Task,
    Memory,
    Overwrite,
    Move,
    Delete,
}

const CONTENTS: &[&str] =
    &["plain text", "- item [[Home]] #tag", "# New\n\ntext", "| a | b |\n|---|---|\n", "ü 日本 👍", "%%", ""];

fn action() -> impl Strategy<Value = Action> {
    use Kind::{
        Create, Delete, DeleteSpan, Insert, Memory, Move, Overwrite, Patch, Properties, Replace, ReplaceSpan,
        Task,
    };
    let kinds = vec![
        Create,
        Properties,
        Patch,
        Replace,
        DeleteSpan,
        ReplaceSpan,
        Insert,
        Task,
        Task,
        Memory,
        Overwrite,
        Move,
        Move,
        Delete,
    ];
    (select(kinds), any::<u16>(), any::<u16>(), select(CONTENTS)).prop_map(|(kind, file, place, content)| {
        Action { kind, file: file.into(), place: place.into(), content }
    })
}

/// One of several.
fn pick<T>(all: &[T], number: usize) -> Option<&T> {
    all.get(number.checked_rem(all.len())?)
}

/// What an edit makes of a text; `None` when it is refused or finds nothing to do.
struct Made {
    text: String,
    /// What was replaced, where that is told.
    edited: Option<Edited>,
}

fn edit(source: &str, action: &Action) -> Option<Made> {
    let (place, content) = (action.place, action.content);
    let lines: Vec<&str> = source.lines().filter(|line| !line.trim().is_empty()).collect();
    let line = pick(&lines, place).copied();
    let anchors = Anchors { start: line.unwrap_or("-"), end: None, first_match: true };
    let edited = match action.kind {
        Kind::Properties => {
            let key = *pick(&["status", "tags", "aliases", "a new one"], place)?;
            let values = [json!("done"), json!(["a", "b"]), json!(3), Value::Null];
            let value = pick(&values, place / 4)?.clone();
            update(source, &[(key.to_owned(), value)].into_iter().collect()).ok()?.edited
        }
        Kind::Patch => {
            let headings = document::parse(source).headings;
            let heading = pick(&headings, place).map(|heading| heading.text.as_str());
            let operations =
                [Operation::Append, Operation::Prepend, Operation::Replace, Operation::InsertBefore];
            let operation = *pick(&operations, place / 7)?;
            let patched =
                Patch { operation, content, heading, heading_level: None, include_children: Some(true) };
            patch(source, &patched).ok()?.edited
        }
        Kind::Replace => {
            let words: Vec<&str> = source.split_whitespace().collect();
            replace_text(source, pick(&words, place)?, content, true).ok()?.edited
        }
        Kind::DeleteSpan => delete_span(source, &anchors).ok()?.edited,
        Kind::ReplaceSpan => replace_span(source, &anchors, content).ok()?.edited,
        Kind::Insert => {
            let side = if place.is_multiple_of(2) { Side::Before } else { Side::After };
            insert_at_anchor(source, line?, side, content, true).ok()?.edited
        }
        Kind::Memory => {
            let date = jiff::civil::date(2026, 4, 1);
            let headings = document::parse(source).headings;
            let section = pick(&headings, place).map_or("Facts", |heading| heading.text.as_str());
            let new = NewEntry { section, text: "a new entry", date, position: Position::Top };
            add(source, &new).ok()?.edited
        }
        Kind::Overwrite => overwrite(source, content, &Map::new()).ok()?.edited,
        Kind::Task => return edit_task(source, place),
        Kind::Create | Kind::Move | Kind::Delete => return None,
    };
    Some(Made { text: edited.text.clone(), edited: Some(edited) })
}

fn edit_task(source: &str, place: usize) -> Option<Made> {
    let is_task = |line: &&(usize, &str)| line.1.contains("[ ] ") || line.1.contains("[x] ");
    let lines: Vec<(usize, &str)> = source.lines().enumerate().collect();
    let tasks: Vec<usize> = lines.iter().filter(is_task).map(|line| line.0).collect();
    let settings = Settings::default();
    let today = jiff::civil::date(2026, 3, 10);
    let context = tasks::edit::Context { settings: &settings, today, indent: "\t", format: None };
    let status = *pick(&[StatusType::Done, StatusType::Todo, StatusType::Cancelled], place / 5)?;
    let fields = tasks::edit::Edit { status: Some(status), ..tasks::edit::Edit::default() };
    let change = tasks::edit::Update { fields, ..tasks::edit::Update::default() };
    let target = tasks::edit::Target::Line(*pick(&tasks, place)?);
    let text = tasks::edit::update(source, &target, &change, &context).ok()?.text;
    Some(Made { text, edited: None })
}

/// What a note is known for.
fn known_for(document: &Document) -> (Vec<(u8, &str)>, Vec<&str>, Vec<&str>) {
    (
        document.headings.iter().map(|heading| (heading.level, heading.text.as_str())).collect(),
        document.links.iter().map(|link| link.target.as_str()).collect(),
        document.tags.iter().map(|tag| tag.name.as_str()).collect(),
    )
}

/// What an edit must leave of a note beside the spans that it names.
fn check_edit(before: &str, made: &Made, kind: Kind) {
    if let Some(edited) = &made.edited {
        assert_eq!(apply(before, &edited.edits).as_deref(), Ok(made.text.as_str()), "{kind:?}: the spans");
    }
    let (old, new) = (document::parse(before), document::parse(&made.text));
    match kind {
        Kind::Properties => assert_eq!(known_for(&old), known_for(&new), "{kind:?}"),
        Kind::Memory => {
            let ((headings, links, tags), after) = (known_for(&old), known_for(&new));
            assert_eq!((&links, &tags), (&after.1, &after.2), "{kind:?}");
            assert!(after.0.len() <= headings.len() + 1 && after.0.starts_with(&headings), "{kind:?}");
        }
        Kind::Task => {
            let others = |text: &str| -> Vec<String> {
                let kept = text.lines().filter(|line| !line.contains('[') && !line.trim().is_empty());
                kept.map(str::to_owned).collect()
            };
            assert_eq!(others(before), others(&made.text), "{kind:?}");
            assert_eq!(known_for(&old).0, known_for(&new).0, "{kind:?}");
        }
        _ => {}
    }
}

/// Notes whose links were rewritten: as many headings, links and tags as before, and no other line touched.
fn check_rewritten(before: &[u8], after: &[u8]) {
    let (Ok(before), Ok(after)) = (std::str::from_utf8(before), std::str::from_utf8(after)) else { return };
    let (old, new) = (document::parse(before), document::parse(after));
    assert_eq!(old.headings.len(), new.headings.len());
    assert_eq!(old.links.len(), new.links.len());
    assert_eq!(known_for(&old).2, known_for(&new).2);
    assert_eq!(before.lines().count(), after.lines().count());
    for (old, new) in before.lines().zip(after.lines()) {
        // The line of a canvas holds a whole node.
        assert!(old == new || old.contains([']', '"', '\'', '/']) || old.contains(".md"), "{old:?} {new:?}");
    }
}

/// The vault without its trash.
fn seen(fixture: &Fixture) -> Tree {
    let mut tree = tree(&fixture.root());
    tree.retain(|path, _| !path.starts_with(".trash"));
    tree
}

/// The files that differ.
fn differing(one: &Tree, other: &Tree) -> Vec<String> {
    let names: std::collections::BTreeSet<&PathBuf> = one.keys().chain(other.keys()).collect();
    let differ = names.into_iter().filter(|path| one.get(*path) != other.get(*path));
    differ.map(|path| path.to_str().unwrap().to_owned()).collect()
}

/// Does one thing and answers with the files it may have changed; nothing may have when it was refused.
fn act(writing: &Writing, action: &Action, before: &Tree) -> Result<(Vec<Written>, Vec<String>), WriteError> {
    let walked = writing.writer.vault().walk().unwrap().files;
    let is_note = |path: &VaultPath| path.kind() == FileKind::Note;
    let files: Vec<VaultPath> = walked.into_iter().map(|file| file.path).collect();
    let mut notes: Vec<&VaultPath> = files.iter().filter(|path| is_note(path)).collect();
    if action.kind == Kind::Task {
        let text = |path: &VaultPath| String::from_utf8_lossy(&before[Path::new(path.as_str())]).into_owned();
        notes.retain(|path| text(path).contains("[ ] "));
    }
    let Some(note) = pick(&notes, action.file).copied() else { return Ok((Vec::new(), Vec::new())) };
    let file = pick(&files, action.file).unwrap_or(note);
    let options = WriteOptions::default();
    let one = |written: Written| {
        let path = written.path.as_str().to_owned();
        Ok((vec![written], vec![path]))
    };
    match action.kind {
        Kind::Create => {
            let path = format!("{}/new {}.md", note.folder(), action.place % 50);
            one(writing.create(path.trim_start_matches('/'), action.content)?)
        }
        Kind::Delete => one(writing.delete(file.as_str())?.written),
        Kind::Move => {
            // To another folder, under another name, or both; sometimes to the name of another file.
            let target = pick(&files, action.place).unwrap_or(file);
            let extension = file.as_str().rsplit_once('.').map_or("", |(_, extension)| extension);
            let name = match action.place % 3 {
                0 => file.file_name().to_owned(),
                1 => format!("Moved {} (ü).{extension}", action.place % 40),
                _ => format!("{}.{extension}", target.stem()),
            };
            let to =
                format!("{}/{name}", if action.file.is_multiple_of(2) { "Moved" } else { target.folder() });
            let moved = writing.rename(file.as_str(), to.trim_start_matches('/'))?;
            for written in &moved.updated {
                let path = PathBuf::from(written.path.as_str());
                let now = fs::read(writing.writer.vault().root().join(&path)).unwrap();
                check_rewritten(&before[&path], &now);
            }
            let mut changed: Vec<String> =
                moved.updated.iter().map(|written| written.path.as_str().to_owned()).collect();
            changed.extend([file.as_str().to_owned(), moved.written.path.as_str().to_owned()]);
            Ok((vec![moved.written], changed))
        }
        kind => {
            let mut made = None;
            let change = |text: &str| {
                let edited = edit(text, action).ok_or("nothing to do")?;
                check_edit(text, &edited, kind);
                let text = edited.text.clone();
                made = Some(edited);
                Ok((text, ()))
            };
            let (written, ()) = writing.writer.edit(writing.caller(), note, &options, Lock::Wait, change)?;
            // What is there is what the edit made, after the mark that stays.
            let now = fs::read(writing.writer.vault().root().join(note.as_str())).unwrap();
            let bare =
                |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_start_matches('\u{feff}').to_owned();
            assert_eq!(bare(&now), made.unwrap().text.trim_start_matches('\u{feff}'), "{kind:?}");
            one(written)
        }
    }
}

/// The property.
fn check(fixture: &Fixture, actions: &[Action], at_once: bool) {
    let original = seen(fixture);
    let writing = fixture.writing();
    let mut before = original.clone();
    let mut changes = Vec::new();
    for action in actions {
        let result = act(&writing, action, &before);
        let after = seen(fixture);
        let differing = differing(&before, &after);
        match result {
            Ok((written, may_change)) => {
                for path in &differing {
                    assert!(may_change.contains(path), "{action:?} changed {path}");
                }
                changes.extend(written.into_iter().filter_map(|written| written.change));
            }
            Err(error @ (WriteError::Io { .. } | WriteError::Journal(_) | WriteError::Incomplete { .. })) => {
                panic!("{action:?}: {error}")
            }
            Err(error) => assert!(differing.is_empty(), "{action:?} was refused ({error}): {differing:?}"),
        }
        before = after;
    }
    if at_once {
        let since = Undo::Since { principal: "owner".to_owned(), since: jiff::Timestamp::UNIX_EPOCH };
        let undone = writing.writer.undo(writing.caller(), &since, UndoOptions::default());
        assert!(matches!(undone, Ok(_) | Err(WriteError::NothingToUndo)), "{undone:?}");
    } else {
        for change in changes.iter().rev() {
            writing.writer.undo(writing.caller(), &Undo::Call(*change), UndoOptions::default()).unwrap();
        }
    }
    assert_eq!(differing(&original, &seen(fixture)), Vec::<String>::new(), "after undoing everything");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().unwrap().is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(path, target).unwrap();
        }
    }
}

/// Lines that notes are made of.
const LINES: &[&str] = &[
    "# One",
    "## Facts (newest first)",
    "- **2026-01-02**: an entry",
    "",
    "text with [[Note 1]] and [[Note 2|another]] #tag",
    "![[Folder/Note 3#One]] [x](Note%201.md) `[[Note 1]]`",
    "- [ ] a task 📅 2026-03-12",
    "- [ ] again 🔁 every day 📅 2026-03-12",
    "\t- [x] done ✅ 2026-01-01",
    "```\n[[Note 1]]\n```",
    "%% [[Note 2]] %%",
    "| [[Note 1\\|a]] | b |",
    "<!-- c -->",
    "> [!info] Scope",
    "^id",
];
const BLOCKS: &[&str] = &[
    "",
    "---\nstatus: open # kept\ntags: [a, 'b']\nup: \"[[Note 1]]\"\n---\n",
    "---\n# only a comment\n---\n",
    "---\nbroken: [\n---\n",
    "\u{feff}---\naliases:\n  - x\n---\n",
];

fn note() -> impl Strategy<Value = String> {
    (select(BLOCKS), vec(select(LINES), 0..14), any::<bool>(), any::<bool>()).prop_map(
        |(block, lines, windows, ends)| {
            let end = if ends { "\n" } else { "" };
            let text = format!("{block}{}{end}", lines.join("\n"));
            if windows { text.replace('\n', "\r\n") } else { text }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn generated_vaults_change_as_asked_and_back(
        notes in vec(note(), 1..8),
        actions in vec(action(), 1..12),
        at_once in any::<bool>(),
    ) {
        let fixture = Fixture::in_memory();
        for (number, note) in notes.iter().enumerate() {
            let folder = ["", "Folder/", "Folder/Deep/"][number % 3];
            fixture.write(format!("{folder}Note {number}.md"), note);
        }
        fixture.write("picture.png", [0x89, 0, 1, 0xff]);
        fixture.write("latin.md", b"caf\xe9 [[Note 1]]");
        fixture.write("board.canvas", r#"{"nodes":[{"id":"1","type":"file","file":"Note 0.md"}]}"#);
        check(&fixture, &actions, at_once);
    }
}

#[test]
fn real_vaults_change_as_asked_and_back() {
    /// Enough sequences, or enough time.
    const SEQUENCES: u32 = 40;
    const PATIENCE: Duration = Duration::from_secs(6);
    let Ok(vaults) = Path::new(SHARED).read_dir() else {
        assert!(std::env::var_os("REQUIRE_SHARED").is_none_or(|value| value != "1"), "{SHARED} is required");
        println!("skipped: {SHARED} is not present");
        return;
    };
    for folder in vaults.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        let start = Instant::now();
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
            cases: SEQUENCES,
            failure_persistence: None,
            ..ProptestConfig::default()
        });
        let mut sequences = 0;
        let counted = std::cell::RefCell::new(&mut sequences);
        let outcome = runner.run(&(vec(action(), 4..16), any::<bool>()), |(actions, at_once)| {
            if start.elapsed() < PATIENCE {
                let fixture = Fixture::in_memory();
                copy(&folder, &fixture.root());
                check(&fixture, &actions, at_once);
                **counted.borrow_mut() += 1;
            }
            Ok(())
        });
        assert!(outcome.is_ok(), "{}: {}", folder.display(), outcome.unwrap_err());
        println!("{}: {sequences} sequences in {:?}", folder.display(), start.elapsed());
    }
}
