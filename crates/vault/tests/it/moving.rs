//! Moving notes and the links to them.

use vault::{
    Caller, Change, ChangeKind, FolderScope, HistoryFilter, Moved, Principal, Undo, UndoOptions, WriteError,
    WriteOptions,
};

use super::writer::{Writing, parse, tree};
use super::*;

impl Writing {
    pub(super) fn rename(&self, from: &str, to: &str) -> Result<Moved, WriteError> {
        self.writer.move_note(self.caller(), &parse(from), &parse(to), &WriteOptions::default(), false)
    }
}

fn linked() -> Fixture {
    let fixture = Fixture::new();
    fixture.write("a/Old.md", "# Old\nself [[#Old]], relative [x](../b/Other.md)\n");
    fixture.write("b/Other.md", "one [[Old]], two [[Old|shown]], ![[Old#Old]]\r\n[md](../a/Old.md)\r\n");
    fixture.write("c.md", "---\nup: \"[[Old]]\" # kept\n---\nnothing else");
    fixture.write("board.canvas", r#"{"nodes":[{"id":"1","type":"file","file":"a/Old.md"}]}"#);
    fixture.write("free.md", "no link, [[Other]]");
    fixture
}

#[test]
fn a_moved_note_takes_its_links_along() {
    let fixture = linked();
    let before = tree(&fixture.root());
    let writing = fixture.writing();
    let moved = writing.rename("a/Old.md", "n/New.md").unwrap();
    let updated: Vec<&str> = moved.updated.iter().map(|written| written.path.as_str()).collect();
    assert_eq!(updated, ["b/Other.md", "board.canvas", "c.md"]);
    assert_eq!(moved.links, 6);
    fixture.lacks("a/Old.md");
    fixture.holds("n/New.md", "# Old\nself [[#Old]], relative [x](../b/Other.md)\n");
    fixture.holds("b/Other.md", "one [[New]], two [[New|shown]], ![[New#Old]]\r\n[md](New.md)\r\n");
    fixture.holds("c.md", "---\nup: \"[[New]]\" # kept\n---\nnothing else");
    fixture.holds("board.canvas", r#"{"nodes":[{"id":"1","type":"file","file":"n/New.md"}]}"#);
    let heard = writing.heard();
    assert!(heard.contains(&Change::Removed(parse("a/Old.md"))));
    assert!(heard.contains(&Change::Written(parse("n/New.md"))));
    assert_eq!(heard.len(), 5);
    let history = writing.writer.history(&writing.owner, &HistoryFilter::default()).unwrap();
    let record = history.changes.last().unwrap();
    assert_eq!(record.kind, ChangeKind::Move);
    assert_eq!((record.path.as_str(), record.new_path.as_ref()), ("a/Old.md", Some(&parse("n/New.md"))));
    // Any part of it stands for the whole.
    let part = history.changes[0].id;
    let undo = |change| writing.writer.undo(writing.caller(), &Undo::Change(change), UndoOptions::default());
    undo(part).unwrap();
    assert_eq!(tree(&fixture.root()), before);
}

#[test]
fn an_undone_move_can_be_undone() {
    let fixture = linked();
    let writing = fixture.writing();
    let moved = writing.rename("a/Old.md", "n/New.md").unwrap();
    let after = tree(&fixture.root());
    let undo = |what: &Undo| writing.writer.undo(writing.caller(), what, UndoOptions::default());
    let undone = undo(&Undo::Change(moved.written.change.unwrap())).unwrap();
    fixture.holds("c.md", "---\nup: \"[[Old]]\" # kept\n---\nnothing else");
    undo(&Undo::Call(undone.written[0].change.unwrap())).unwrap();
    assert_eq!(tree(&fixture.root()), after);
    undo(&Undo::Change(moved.written.change.unwrap())).unwrap();
    fixture.lacks("n/New.md");
}

#[test]
fn a_dry_run_of_a_move_writes_nothing() {
    let fixture = linked();
    let before = tree(&fixture.root());
    let writing = fixture.writing();
    let dry = WriteOptions { dry_run: true, ..WriteOptions::default() };
    let moved =
        writing.writer.move_note(writing.caller(), &parse("a/Old.md"), &parse("New.md"), &dry, true).unwrap();
    assert_eq!(moved.updated.len(), 3);
    assert!(moved.updated[2].diff.as_ref().unwrap().contains("+up: \"[[New]]\" # kept"));
    assert_eq!(tree(&fixture.root()), before);
}

#[test]
fn a_move_that_would_lose_something_is_refused_whole() {
    #[track_caller]
    fn refused(prepare: impl FnOnce(&Fixture), to: &str, text: &str) {
        let fixture = linked();
        prepare(&fixture);
        let before = tree(&fixture.root());
        let writing = fixture.writing();
        let error = writing.rename("a/Old.md", to).unwrap_err().to_string();
        assert!(error.contains(text), "{error:?} does not say {text:?}");
        assert_eq!(tree(&fixture.root()), before);
    }
    refused(|_| {}, "a/Old.md", "same path");
    refused(|_| {}, "c.md", "already exists");
    refused(|_| {}, "Daily Notes/x.md", "protected path");
    refused(|fixture| fixture.write("bad.md", "---\na: [\n---\n[[Old]]"), "n.md", "bad.md");
    refused(|fixture| fixture.write("latin.md", b"caf\xe9 [[Old]]"), "n.md", "not UTF-8 text");
    refused(
        |fixture| {
            fixture.write("x.md", "[[Old]]");
            fs::hard_link(fixture.on_disk("x.md"), fixture.on_disk("y.md")).unwrap();
        },
        "n.md",
        "hard link",
    );
    refused(|fixture| fixture.link("n", "../elsewhere"), "n/x.md", "leads outside");
}

#[test]
fn notes_that_cannot_be_read_and_do_not_link_are_no_reason_to_refuse() {
    let fixture = linked();
    fixture.write("bad.md", "---\na: [\n---\n[[Other]]");
    fixture.write("latin.md", b"caf\xe9 [[Other]]");
    fixture.write("broken.canvas", "{");
    fixture.writing().rename("a/Old.md", "n.md").unwrap();
    fixture.holds("bad.md", "---\na: [\n---\n[[Other]]");
}

#[test]
fn a_token_of_some_folders_changes_no_links_elsewhere() {
    let fixture = linked();
    let writing = fixture.writing();
    let who = Principal { folders: FolderScope::Only(vec!["a".to_owned()]), ..Principal::owner("limited") };
    let caller = Caller { who: &who, tool: "test" };
    let rename = |to: &str| {
        let options = WriteOptions::default();
        writing.writer.move_note(caller, &parse("a/Old.md"), &parse(to), &options, false)
    };
    assert!(
        rename("a/New.md").unwrap_err().to_string().contains("outside the folders of this token link to")
    );
    assert!(rename("n/New.md").unwrap_err().to_string().contains("is outside the folders"));
    // Links that stay right are none of its business.
    fs::remove_file(fixture.on_disk("board.canvas")).unwrap();
    fixture.write("b/Other.md", "[[Old]]");
    rename("a/sub/Old.md").unwrap();
    fixture.holds("b/Other.md", "[[Old]]");
}

#[test]
fn links_to_another_note_whose_name_becomes_shared_are_rewritten() {
    let fixture = Fixture::new();
    fixture.write("x/New.md", "the other");
    fixture.write("a/Old.md", "old");
    fixture.write("links.md", "[[New]] and [[Old]]");
    fixture.writing().rename("a/Old.md", "a/New.md").unwrap();
    fixture.holds("links.md", "[[x/New]] and [[a/New]]");
}

#[test]
fn a_moved_note_keeps_its_time_and_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::with(&["a.md"]);
    fs::set_permissions(fixture.on_disk("a.md"), fs::Permissions::from_mode(0o606)).unwrap();
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    fs::File::open(fixture.on_disk("a.md")).unwrap().set_modified(time).unwrap();
    let writing = fixture.writing();
    let moved = writing.rename("a.md", "b/b.md").unwrap();
    let found = fs::metadata(fixture.on_disk("b/b.md")).unwrap();
    assert_eq!(found.modified().unwrap(), time);
    assert_eq!(found.permissions().mode() & 0o7777, 0o606);
    let undo = Undo::Change(moved.written.change.unwrap());
    writing.writer.undo(writing.caller(), &undo, UndoOptions::default()).unwrap();
    assert_eq!(fs::metadata(fixture.on_disk("a.md")).unwrap().modified().unwrap(), time);
}

fn names(fixture: &Fixture) -> Vec<String> {
    let mut names: Vec<String> = tree(&fixture.root())
        .into_keys()
        .map(|path| path.to_str().unwrap().to_owned())
        .filter(|path| !path.starts_with(".trash"))
        .collect();
    names.sort();
    names
}

/// On every file system, whether or not it takes the two names for one.
#[test]
fn a_name_may_change_in_case_alone_and_back() {
    let fixture = Fixture::new();
    fixture.write("f/note.md", "text of [[note]]");
    fixture.write("l.md", "[[note]] [[f/note|x]]");
    let writing = fixture.writing();
    let same = fixture.on_disk("f/NOTE.md").exists();
    println!("letter case makes {} here", if same { "no other name" } else { "another name" });
    let moved = writing.rename("f/note.md", "f/Note.md").unwrap();
    assert_eq!(names(&fixture), ["f/Note.md", "l.md"]);
    writing.set("f/Note.md", "edited").unwrap();
    let second = writing.rename("f/Note.md", "f/nOTE.md").unwrap();
    assert_eq!(names(&fixture), ["f/nOTE.md", "l.md"]);
    fixture.holds("f/nOTE.md", "edited");
    let undo = Undo::Call(second.written.change.unwrap());
    writing.writer.undo(writing.caller(), &undo, UndoOptions::default()).unwrap();
    assert_eq!(names(&fixture), ["f/Note.md", "l.md"]);
    let since = Undo::Since { principal: "owner".to_owned(), since: jiff::Timestamp::UNIX_EPOCH };
    writing.writer.undo(writing.caller(), &since, UndoOptions::default()).unwrap();
    assert_eq!(names(&fixture), ["f/note.md", "l.md"]);
    fixture.holds("f/note.md", "text of [[note]]");
    fixture.holds("l.md", "[[note]] [[f/note|x]]");
    assert!(moved.written.change.is_some());
    // Another file of that name is never replaced, nor is one made that differs in case alone.
    assert!(writing.create("f/Note.md", "other").is_err());
    if !same {
        fixture.write("f/Note.md", b"other");
        let error = writing.rename("f/note.md", "f/Note.md").unwrap_err();
        assert!(matches!(error, WriteError::Exists { .. }), "{error}");
        fixture.holds("f/Note.md", "other");
    }
}

#[test]
fn empty_folders_are_pruned_after_a_move_when_asked() {
    let fixture = Fixture::with(&["a/b/n.md"]);
    let writing = fixture.writing();
    let options = WriteOptions::default();
    let moved = writing
        .writer
        .move_note(writing.caller(), &parse("a/b/n.md"), &parse("n.md"), &options, true)
        .unwrap();
    let pruned: Vec<&str> = moved.pruned.iter().map(VaultPath::as_str).collect();
    assert_eq!(pruned, ["a/b", "a"]);
}

/// Every file that changes was once held open from planning to the end, and a process may have 1024 open.
#[test]
fn a_note_with_more_links_to_it_than_files_can_be_open_is_moved() {
    let fixture = Fixture::in_memory();
    fixture.write("hub.md", "hub");
    for number in 0..1500 {
        fixture.write(format!("{}/{number}.md", number / 2), "[[hub]]");
    }
    let moved = fixture.writing().rename("hub.md", "moved.md").unwrap();
    assert_eq!(moved.updated.len(), 1500);
    fixture.holds("700/1401.md", "[[moved]]");
}

/// A rehearsal says which folders would go, and a move that cannot be made leaves none behind.
#[test]
fn a_dry_run_tells_which_folders_would_be_pruned() {
    let options = WriteOptions { dry_run: true, ..WriteOptions::default() };
    for (to, expected) in [("n.md", &["a/b", "a"][..]), ("a/m.md", &["a/b"]), ("a/b/c/m.md", &[])] {
        let fixture = Fixture::with(&["a/b/n.md"]);
        let writing = fixture.writing();
        for dry_run in [true, false] {
            let options = WriteOptions { dry_run, ..options.clone() };
            let (from, to) = (parse("a/b/n.md"), parse(to));
            let moved = writing.writer.move_note(writing.caller(), &from, &to, &options, true).unwrap();
            let pruned: Vec<&str> = moved.pruned.iter().map(VaultPath::as_str).collect();
            assert_eq!(pruned, expected, "{to}, dry run: {dry_run}");
        }
    }
    let fixture = Fixture::with(&["a/b/n.md"]);
    let writing = fixture.writing();
    let deleted = writing.writer.delete(writing.caller(), &parse("a/b/n.md"), &options, true).unwrap();
    assert_eq!(deleted.pruned.len(), 2);
}

/// Where a link leads out of a caller's folders, it is told nothing of what is there, nor that nothing is.
#[test]
fn a_caller_of_some_folders_learns_nothing_through_a_link() {
    let fixture = Fixture::with(&["open/n.md", "hidden/secret.md"]);
    std::os::unix::fs::symlink(fixture.on_disk("hidden"), fixture.on_disk("open/way")).unwrap();
    std::os::unix::fs::symlink(fixture.on_disk("hidden/secret.md"), fixture.on_disk("open/link.md")).unwrap();
    let writing = fixture.writing();
    let who =
        Principal { folders: FolderScope::Only(vec!["open".to_owned()]), ..Principal::owner("limited") };
    let caller = Caller { who: &who, tool: "test" };
    let options = WriteOptions::default();
    let edit = |path: &str| {
        let change = |_: &str| Ok((String::new(), ()));
        writing.writer.edit(caller, &parse(path), &options, vault::Lock::Wait, change).map(drop)
    };
    for path in ["open/way/secret.md", "open/way/nothing.md", "open/way/new/nothing.md", "open/link.md"] {
        let errors = [
            edit(path).unwrap_err(),
            writing.writer.create(caller, &parse(path), "x", &options).map(drop).unwrap_err(),
            writing.writer.delete(caller, &parse(path), &options, false).map(drop).unwrap_err(),
            writing
                .writer
                .move_note(caller, &parse(path), &parse("open/m.md"), &options, false)
                .map(drop)
                .unwrap_err(),
            writing
                .writer
                .move_note(caller, &parse("open/n.md"), &parse(path), &options, false)
                .map(drop)
                .unwrap_err(),
        ];
        for (number, error) in errors.into_iter().enumerate() {
            // That the name of a link in its own folder is taken is no secret.
            let taken =
                path == "open/link.md" && matches!(error, WriteError::Exists { .. } | WriteError::Vault(_));
            assert!(taken || matches!(error, WriteError::OutOfScope { .. }), "{path} {number}: {error}");
            assert!(!error.to_string().contains("hidden"), "{path} {number}: {error}");
        }
    }
}
