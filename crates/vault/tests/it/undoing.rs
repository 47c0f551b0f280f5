//! The journal: history, differences, undo.

use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::Ordering;

use jiff::Timestamp;
use proptest::prelude::*;
use vault::{
    Caller, ChangeId, ChangeKind, FolderScope, HistoryFilter, Journal, JournalOptions, Principal, Rights,
    Undo, UndoOptions, Undone, WriteError, WriteOptions,
};

use super::writer::{START, Setup, Writing, parse, tree};
use super::*;

const PLAIN: UndoOptions = UndoOptions { dry_run: false, merge: false };
const MERGE: UndoOptions = UndoOptions { merge: true, ..PLAIN };

impl Writing {
    fn undo(&self, change: ChangeId) -> Result<Undone, WriteError> {
        self.writer.undo(self.caller(), &Undo::Change(change), PLAIN)
    }

    #[track_caller]
    fn undo_dry(&self, change: ChangeId) -> Result<Undone, WriteError> {
        let options = UndoOptions { dry_run: true, ..UndoOptions::default() };
        self.writer.undo(self.caller(), &Undo::Change(change), options)
    }

    fn done(&self, path: &str, text: &str) -> ChangeId {
        self.set(path, text).unwrap().change.unwrap()
    }

    fn ids(&self, filter: &HistoryFilter) -> Vec<i64> {
        let page = self.writer.history(&self.owner, filter).unwrap();
        page.changes.iter().map(|change| change.id.0).collect()
    }
}

fn all() -> HistoryFilter {
    HistoryFilter::default()
}

#[test]
fn every_kind_of_change_is_taken_back() {
    let fixture = Fixture::with(&["a.md"]);
    fixture.write("raw.md", b"\xff\xfe\0");
    fs::set_permissions(fixture.on_disk("raw.md"), fs::Permissions::from_mode(0o604)).unwrap();
    let before = tree(&fixture.root());
    let writing = fixture.writing();
    let made = writing.create("new/n.md", "n").unwrap().change.unwrap();
    let edited = writing.done("a.md", "changed");
    let deleted = writing.delete("raw.md").unwrap().written.change.unwrap();
    writing.heard();
    for change in [made, edited, deleted] {
        writing.undo(change).unwrap();
    }
    assert_eq!(writing.heard().len(), 3);
    fs::remove_dir_all(fixture.on_disk(".trash")).unwrap();
    assert_eq!(tree(&fixture.root()), before);
    let mode = fs::metadata(fixture.on_disk("raw.md")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o604);
    let history = writing.writer.history(&writing.owner, &all()).unwrap();
    assert_eq!(history.total, 6);
    assert_eq!(history.changes[0].undoes, [deleted]);
    assert_eq!(history.changes[0].kind, ChangeKind::Create);
    assert_eq!(history.changes[3].undone_by, Some(history.changes[0].id));
}

#[test]
fn an_undo_can_be_undone_and_nothing_is_undone_twice() {
    let fixture = Fixture::with(&["a.md"]);
    let writing = fixture.writing();
    let edited = writing.done("a.md", "changed");
    let undo = writing.undo(edited).unwrap().written[0].change.unwrap();
    assert!(matches!(writing.undo(edited), Err(WriteError::AlreadyUndone { by, .. }) if by == undo));
    writing.undo(undo).unwrap();
    fixture.holds("a.md", "changed");
    writing.undo(edited).unwrap();
    fixture.holds("a.md", "a.md");
    assert!(matches!(writing.undo(ChangeId(99)), Err(WriteError::Journal(_))));
}

/// An undo of an undo of an undo is an undo: what the journal says of a change is what the text shows.
#[test]
fn what_the_journal_says_is_undone_is_what_the_text_shows() {
    let fixture = Fixture::with(&["a.md"]);
    let writing = fixture.writing();
    let edited = writing.done("a.md", "changed");
    let mut newest = edited;
    for turn in 1..=6 {
        let undone = writing.undo(newest).unwrap();
        newest = undone.written[0].change.unwrap();
        let is_undone = turn % 2 == 1;
        fixture.holds("a.md", if is_undone { "a.md" } else { "changed" });
        let record = writing.writer.journal().change(&writing.owner, edited).unwrap();
        assert_eq!(record.undone_by.is_some(), is_undone, "after {turn} undos");
        assert_eq!(matches!(writing.undo_dry(edited), Err(WriteError::AlreadyUndone { .. })), is_undone);
    }
}

/// A merge is offered where there are two texts to merge, and nowhere else.
#[test]
fn a_merge_is_offered_where_it_can_help() {
    let fixture = Fixture::with(&["a.md"]);
    let writing = fixture.writing();
    let made = writing.create("new.md", "n\n").unwrap().change.unwrap();
    let edited = writing.done("a.md", "one\n");
    for (change, path, expected) in [(made, "new.md", false), (edited, "a.md", true)] {
        fixture.write(path, b"written by another program\n");
        for merge in [false, true] {
            let options = UndoOptions { merge, ..UndoOptions::default() };
            match writing.writer.undo(writing.caller(), &Undo::Change(change), options) {
                Err(WriteError::UndoConflict { mergeable, .. }) => assert_eq!(mergeable, expected, "{path}"),
                Err(WriteError::MergeConflict { .. }) => assert!(merge && expected, "{path}"),
                other => panic!("{path}: {other:?}"),
            }
        }
    }
}

#[test]
fn what_has_changed_since_is_shown_and_merged_when_asked() {
    let fixture = Fixture::new();
    fixture.write("n.md", "one\ntwo\nthree\nfour\nfive\n");
    let writing = fixture.writing();
    let change = writing.done("n.md", "ONE\ntwo\nthree\nfour\nfive\n");
    fixture.write("n.md", "ONE\ntwo\nthree\nfour\nFIVE\n");
    let error = writing.undo(change).unwrap_err().to_string();
    assert!(error.contains("has changed since") && error.contains("-five\n+FIVE\n"), "{error}");
    fixture.holds("n.md", "ONE\ntwo\nthree\nfour\nFIVE\n");
    writing.writer.undo(writing.caller(), &Undo::Change(change), MERGE).unwrap();
    fixture.holds("n.md", "one\ntwo\nthree\nfour\nFIVE\n");
    let change = writing.done("n.md", "1\ntwo\nthree\nfour\nFIVE\n");
    fixture.write("n.md", "eins\ntwo\nthree\nfour\nFIVE\n");
    let error = writing.writer.undo(writing.caller(), &Undo::Change(change), MERGE).unwrap_err();
    assert!(
        matches!(&error, WriteError::MergeConflict { merged, .. } if merged.contains("<<<<<<<")),
        "{error}"
    );
    fixture.holds("n.md", "eins\ntwo\nthree\nfour\nFIVE\n");
}

#[test]
fn a_name_that_somebody_has_taken_since_is_not_overwritten() {
    let fixture = Fixture::with(&["a.md"]);
    let writing = fixture.writing();
    let deleted = writing.delete("a.md").unwrap().written.change.unwrap();
    fixture.write("a.md", "somebody's");
    for options in [PLAIN, MERGE] {
        let result = writing.writer.undo(writing.caller(), &Undo::Change(deleted), options);
        assert!(matches!(result, Err(WriteError::UndoConflict { .. })));
    }
    let made = writing.create("b.md", "b").unwrap().change.unwrap();
    fs::remove_file(fixture.on_disk("b.md")).unwrap();
    assert!(matches!(writing.undo(made), Err(WriteError::UndoConflict { .. })));
    fixture.holds("a.md", "somebody's");
}

#[test]
fn everything_of_somebody_since_a_time_is_taken_back_at_once_or_not_at_all() {
    let fixture = Fixture::with(&["a.md", "b.md", "c.md"]);
    let writing = fixture.writing();
    let agent = Principal::owner("agent");
    let set = |path: &str, text: &str| {
        let caller = Caller { who: &agent, tool: "test" };
        let change = |_: &str| Ok((text.to_owned(), ()));
        let options = WriteOptions::default();
        writing.writer.edit(caller, &parse(path), &options, vault::Lock::Wait, change).unwrap();
    };
    set("a.md", "early");
    writing.now_ms.fetch_add(1_000_000, Ordering::Relaxed);
    let since = Timestamp::from_millisecond(START + 1_000_000).unwrap();
    set("a.md", "1");
    writing.done("c.md", "the owner's");
    set("a.md", "2");
    set("b.md", "1");
    set("b.md", "b.md");
    let undo = Undo::Since { principal: "agent".to_owned(), since };
    fixture.write("a.md", "outside");
    assert!(writing.writer.undo(writing.caller(), &undo, PLAIN).is_err());
    fixture.holds("b.md", "b.md");
    fixture.write("a.md", "2");
    let dry =
        writing.writer.undo(writing.caller(), &undo, UndoOptions { dry_run: true, merge: false }).unwrap();
    assert!(dry.written[0].diff.as_ref().unwrap().contains("+early"));
    fixture.holds("a.md", "2");
    let undone = writing.writer.undo(writing.caller(), &undo, PLAIN).unwrap();
    assert_eq!(undone.changes.len(), 4);
    assert_eq!(undone.written.len(), 2);
    fixture.holds("a.md", "early");
    fixture.holds("b.md", "b.md");
    fixture.holds("c.md", "the owner's");
    assert!(matches!(writing.writer.undo(writing.caller(), &undo, PLAIN), Err(WriteError::NothingToUndo)));
    // The files of one call are one call in the journal.
    let call = undone.written[0].change.unwrap();
    writing.writer.undo(writing.caller(), &Undo::Call(call), PLAIN).unwrap();
    fixture.holds("a.md", "2");
    writing.writer.undo(writing.caller(), &undo, PLAIN).unwrap();
    fixture.holds("a.md", "early");
}

#[test]
fn history_is_filtered_paged_and_shows_what_one_may_see() {
    let fixture = Fixture::with(&["a/1.md", "b/2.md", "ab.md"]);
    let writing = fixture.writing();
    for path in ["a/1.md", "b/2.md", "ab.md", "a/1.md"] {
        writing.done(path, &format!("{path} {}", writing.ids(&all()).len()));
    }
    assert_eq!(writing.ids(&all()), [4, 3, 2, 1]);
    assert_eq!(writing.ids(&HistoryFilter { limit: usize::MAX, ..all() }).len(), 4);
    assert_eq!(writing.ids(&HistoryFilter { limit: 2, offset: 1, ..all() }), [3, 2]);
    assert_eq!(writing.ids(&HistoryFilter { path: Some(parse("A/1.md")), ..all() }), [4, 1]);
    assert_eq!(writing.ids(&HistoryFilter { principal: Some("nobody".to_owned()), ..all() }), [0; 0]);
    let at = |id: usize| writing.writer.history(&writing.owner, &all()).unwrap().changes[4 - id].at;
    assert_eq!(writing.ids(&HistoryFilter { since: Some(at(3)), ..all() }), [4, 3]);
    assert_eq!(writing.ids(&HistoryFilter { until: Some(at(3)), ..all() }), [2, 1]);
    let limited = |folder: &str, read: bool| Principal {
        name: "limited".to_owned(),
        rights: Rights { read, write: true, delete: true },
        folders: FolderScope::Only(vec![folder.to_owned()]),
    };
    let page = writing.writer.history(&limited("A", true), &all()).unwrap();
    assert_eq!((page.total, page.changes.len()), (2, 2));
    assert_eq!(writing.writer.history(&limited("a", false), &all()).unwrap().total, 0);
    assert!(writing.writer.diff(&limited("a", true), ChangeId(2)).is_err());
    let (record, diff) = writing.writer.diff(&writing.owner, ChangeId(2)).unwrap();
    assert_eq!(record.path, parse("b/2.md"));
    assert!(diff.contains("-b/2.md") && diff.contains("+b/2.md 1"), "{diff}");
    let who = limited("a", true);
    let caller = Caller { who: &who, tool: "test" };
    assert!(writing.writer.undo(caller, &Undo::Change(ChangeId(2)), PLAIN).is_err());
    writing.writer.undo(caller, &Undo::Change(ChangeId(4)), PLAIN).unwrap();
    // Beside the process that writes.
    let reader = Journal::open_read_only(&fixture.journal_path()).unwrap();
    assert_eq!(reader.history(&writing.owner, &all()).unwrap().total, 5);
}

#[test]
fn old_changes_are_dropped_and_their_copies_with_them() {
    let fixture = Fixture::with(&["a.md"]);
    let writing = fixture.writing();
    let first = writing.done("a.md", "1");
    let day = 24 * 60 * 60 * 1000;
    writing.now_ms.fetch_add(91 * day, Ordering::Relaxed);
    let second = writing.done("a.md", "2");
    assert_eq!(writing.ids(&all()), [second.0]);
    assert!(writing.undo(first).is_err());
    writing.undo(second).unwrap();
    fixture.holds("a.md", "1");
}

#[test]
fn a_journal_that_is_too_big_loses_its_oldest_changes() {
    let fixture = Fixture::with(&["a.md"]);
    let journal = JournalOptions { max_bytes: 60_000, ..JournalOptions::default() };
    let writing = fixture.writing_with(Setup { journal, ..Setup::default() }).unwrap();
    for number in 0..300_u32 {
        // Digits that do not deflate well.
        let text: String =
            (0..200_u32).map(|index| ContentHashText(number * 1000 + index).to_string()).collect();
        writing.done("a.md", &text);
    }
    let ids = writing.ids(&HistoryFilter { limit: 1000, ..all() });
    assert!(!ids.is_empty() && ids.len() < 200 && ids[0] == 300, "{} are left", ids.len());
    writing.undo(ChangeId(300)).unwrap();
    assert!(writing.writer.diff(&writing.owner, ChangeId(299)).is_ok());
}

#[test]
fn without_a_sound_journal_nothing_is_written() {
    let fixture = Fixture::with(&["a.md"]);
    fs::create_dir_all(fixture.outside("state")).unwrap();
    fs::write(
        fixture.journal_path(),
        "this is no database, but it may hold what nothing else does".repeat(99),
    )
    .unwrap();
    let error = fixture.writing_with(Setup::default()).map(drop).unwrap_err().to_string();
    assert!(error.contains("journal of changes cannot be used"), "{error}");
    assert!(fs::read(fixture.journal_path()).unwrap().starts_with(b"this is no database"));
    assert!(Journal::open_read_only(&fixture.outside("none.db")).is_err());
    fixture.lacks("none.db");
}

struct ContentHashText(u32);

impl std::fmt::Display for ContentHashText {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        vault::ContentHash::of(&self.0.to_le_bytes()).fmt(formatter)
    }
}

/// A step of a random life of a vault.
#[derive(Debug, Clone)]
enum Action {
    Create(usize, String),
    Edit(usize, String),
    Delete(usize),
    Move(usize, usize),
    Undo(usize),
}

const NAMES: [&str; 6] = ["a.md", "b/a.md", "b/c.md", "b/c/d.md", "Ü.md", "e.txt"];

fn action() -> impl Strategy<Value = Action> {
    let text = prop_oneof![
        "[a-c\n\r]{0,12}",
        Just("---\nk: v # kept\n---\r\nbody".to_owned()),
        Just(String::new()),
        Just("same\n".to_owned()),
        Just("[[c]] and [[Ü]]\r\n".to_owned()),
        Just("---\nup: '[[d]]'\n---\n[x](b/a.md)".to_owned()),
    ];
    let name = 0..NAMES.len();
    prop_oneof![
        (name.clone(), text.clone()).prop_map(|(name, text)| Action::Create(name, text)),
        (name.clone(), text).prop_map(|(name, text)| Action::Edit(name, text)),
        name.clone().prop_map(Action::Delete),
        (name.clone(), name).prop_map(|(from, to)| Action::Move(from, to)),
        (0..8_usize).prop_map(Action::Undo),
    ]
}

fn act(writing: &Writing, action: &Action) -> Option<ChangeId> {
    let done = match action {
        Action::Create(name, text) => writing.create(NAMES[*name], text),
        Action::Edit(name, text) => writing.set(NAMES[*name], text),
        Action::Delete(name) => writing.delete(NAMES[*name]).map(|deleted| deleted.written),
        Action::Move(from, to) => writing.rename(NAMES[*from], NAMES[*to]).map(|moved| moved.written),
        Action::Undo(back) => {
            let id = *writing.ids(&all()).get(*back)?;
            writing.undo(ChangeId(id)).map(|mut undone| undone.written.remove(0))
        }
    };
    done.ok()?.change
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn undoing_everything_in_reverse_restores_every_byte(
        actions in prop::collection::vec(action(), 1..14),
        at_once in any::<bool>(),
    ) {
        let fixture = Fixture::in_memory();
        fixture.write("a.md", "\u{feff}a\r\nb");
        fixture.write("b/c.md", "---\nx: 'y'   # comment\n---\nc");
        fixture.write("e.txt", b"not \xff utf-8");
        let before = tree(&fixture.root());
        let writing = fixture.writing();
        let changes: Vec<ChangeId> = actions.iter().filter_map(|action| act(&writing, action)).collect();
        if at_once {
            let since = Timestamp::from_millisecond(START).unwrap();
            let undo = Undo::Since { principal: "owner".to_owned(), since };
            match writing.writer.undo(writing.caller(), &undo, PLAIN) {
                Ok(_) | Err(WriteError::NothingToUndo) => {}
                Err(error) => return Err(TestCaseError::fail(error.to_string())),
            }
        } else {
            for change in changes.iter().rev() {
                match writing.undo(*change) {
                    Ok(_) | Err(WriteError::AlreadyUndone { .. }) => {}
                    Err(error) => return Err(TestCaseError::fail(format!("{change}: {error}"))),
                }
            }
        }
        let mut after = tree(&fixture.root());
        after.retain(|path, _| !path.starts_with(".trash"));
        prop_assert_eq!(after, before);
    }
}

#[test]
fn the_history_of_a_folder_is_that_of_the_files_in_it() {
    let fixture = Fixture::with(&["a/1.md", "A/b/2.md", "a0/3.md", "ab.md", "a.md"]);
    let writing = fixture.writing();
    for path in ["a/1.md", "A/b/2.md", "a0/3.md", "ab.md", "a.md"] {
        writing.done(path, "changed");
    }
    writing.rename("ab.md", "a/moved.md").unwrap();
    let of = |path: &str| {
        let filter = HistoryFilter { path: Some(parse(path)), ..all() };
        let page = writing.writer.history(&writing.owner, &filter).unwrap();
        let found: Vec<i64> = page.changes.iter().map(|change| change.id.0).collect();
        found
    };
    assert_eq!(of("a"), [6, 2, 1]);
    assert_eq!(of("a/B"), [2]);
    assert_eq!(of("a/b/2.md"), [2]);
    assert_eq!(of("a/moved.md"), [6]);
    let status = writing.writer.journal().status().unwrap();
    let oldest = writing.writer.history(&writing.owner, &all()).unwrap().changes.last().unwrap().at;
    assert_eq!((status.changes, status.oldest), (6, Some(oldest)));
    assert!(status.bytes > 0);
}

/// Whatever room there is: the newest call can be undone, and no call is there in part.
#[test]
fn the_newest_call_is_kept_and_older_ones_are_dropped_whole() {
    let fixture = Fixture::with(&["a.md"]);
    for number in 0..6 {
        // Hard to deflate, so that the copies of one call are more than there is room for.
        let noise: String = (0..4000_u64)
            .map(|at| format!("{:x}", at.wrapping_mul(0x9e37_79b9_7f4a_7c15 + number)))
            .collect();
        fixture.write(format!("{number}.md").as_str(), format!("[[a]] {noise}").as_bytes());
    }
    let setup =
        Setup { journal: JournalOptions { max_bytes: 1, ..JournalOptions::default() }, ..Setup::default() };
    let writing = fixture.writing_with(setup).unwrap();
    let before = tree(&fixture.root());
    writing.done("0.md", "[[a]] earlier");
    let moved = writing.rename("a.md", "b.md").unwrap();
    let history = writing.writer.history(&writing.owner, &all()).unwrap();
    assert_eq!(history.total, 7, "a move, the links of six notes, and nothing earlier");
    writing.undo(moved.written.change.unwrap()).unwrap();
    let mut expected = before;
    expected.insert("0.md".into(), b"[[a]] earlier".to_vec());
    assert_eq!(tree(&fixture.root()), expected);
}

/// What one undo took back over several files is one thing again.
#[test]
fn an_undo_of_several_files_is_undone_whole() {
    let fixture = Fixture::with(&["a.md", "b.md"]);
    let writing = fixture.writing();
    writing.done("a.md", "A");
    writing.done("b.md", "B");
    let since = Undo::Since { principal: "owner".to_owned(), since: jiff::Timestamp::UNIX_EPOCH };
    let undone = writing.writer.undo(writing.caller(), &since, UndoOptions::default()).unwrap();
    fixture.holds("a.md", "a.md");
    writing.undo(undone.written[1].change.unwrap()).unwrap();
    fixture.holds("a.md", "A");
    fixture.holds("b.md", "B");
    let history = writing.writer.history(&writing.owner, &all()).unwrap();
    assert!(
        history
            .changes
            .iter()
            .filter(|change| change.undoes.is_empty())
            .all(|change| change.undone_by.is_none())
    );
}
