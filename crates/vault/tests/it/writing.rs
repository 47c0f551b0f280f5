//! Creating, editing and deleting.

use std::os::unix::fs::{MetadataExt, PermissionsExt};

use vault::{
    Caller, Change, ContentHash, EditRefused, FolderScope, HistoryFilter, Lock, Principal, Protection,
    Rights, WriteError, WriteOptions,
};

use super::writer::{Setup, parse};
use super::*;

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, WriteError>, text: &str) {
    let error = result.unwrap_err().to_string();
    assert!(error.contains(text), "{error:?} does not say {text:?}");
}

#[test]
fn a_note_is_made_with_its_folders_and_told() {
    let fixture = Fixture::new();
    let writing = fixture.writing();
    let written = writing.create("a/b/Note.md", "hello\n").unwrap();
    fixture.holds("a/b/Note.md", "hello\n");
    assert_eq!(written.after, Some(ContentHash::of(b"hello\n")));
    assert_eq!(written.before, None);
    assert_eq!(writing.heard(), [Change::Written(parse("a/b/Note.md"))]);
    let history = writing.writer.history(&writing.owner, &HistoryFilter::default()).unwrap();
    assert_eq!(history.total, 1);
    assert_eq!(Some(history.changes[0].id), written.change);
    assert_eq!(history.changes[0].summary, "+1 -0 lines");
    assert_eq!(fs::read_dir(fixture.on_disk("a/b")).unwrap().count(), 1);
}

#[test]
fn a_name_that_is_taken_is_not_overwritten_whatever_takes_it() {
    let fixture = Fixture::with(&["note.md", "folder/x.md"]);
    fixture.write("Cafe\u{301}.md", "decomposed");
    fixture.link("broken.md", "nowhere");
    let writing = fixture.writing();
    refused(writing.create("note.md", "new"), "already exists");
    refused(writing.create("folder", "new"), "already exists");
    refused(writing.create("Caf\u{e9}.md", "new"), "already exists");
    refused(writing.create("broken.md", "new"), "broken symbolic link");
    refused(writing.create("note.md/below.md", "new"), "not a folder");
    refused(writing.create("a:b.md", "new"), "invalid name");
    refused(writing.create("n.md", "a\u{7}b"), "U+0007");
    refused(writing.create("n.md", "---\n- list\n---\n"), "holds a list");
    fixture.holds("note.md", "note.md");
    assert!(writing.heard().is_empty());
}

#[test]
fn an_edit_keeps_mark_line_ends_and_permissions() {
    let fixture = Fixture::new();
    fixture.write("n.md", "\u{feff}one\r\ntwo");
    fs::set_permissions(fixture.on_disk("n.md"), fs::Permissions::from_mode(0o640)).unwrap();
    let writing = fixture.writing();
    let change = |text: &str| Ok((text.replace("one", "eins"), text.len()));
    let (_, length) = writing
        .writer
        .edit(writing.caller(), &parse("n.md"), &WriteOptions::default(), Lock::FailFast, change)
        .unwrap();
    assert_eq!(length, "one\r\ntwo".len());
    fixture.holds("n.md", "\u{feff}eins\r\ntwo");
    assert_eq!(fs::metadata(fixture.on_disk("n.md")).unwrap().mode() & 0o7777, 0o640);
    assert_eq!(writing.heard(), [Change::Written(parse("n.md"))]);
}

#[test]
fn the_same_text_is_no_change() {
    let fixture = Fixture::with(&["n.md"]);
    let writing = fixture.writing();
    let inode = fs::metadata(fixture.on_disk("n.md")).unwrap().ino();
    let written = writing.set("n.md", "n.md").unwrap();
    assert_eq!(written.change, None);
    assert_eq!(fs::metadata(fixture.on_disk("n.md")).unwrap().ino(), inode);
    assert!(writing.heard().is_empty());
}

#[test]
fn what_is_no_utf8_is_not_edited() {
    let fixture = Fixture::new();
    fixture.write("latin.md", b"caf\xe9");
    fixture.write("utf16.md", b"\xff\xfea\0");
    fixture.write("binary.md", b"a\0b");
    let writing = fixture.writing();
    refused(writing.set("latin.md", "x"), "not UTF-8 text (Latin1)");
    refused(writing.set("utf16.md", "x"), "Utf16");
    refused(writing.set("binary.md", "x"), "Binary");
    refused(writing.set("missing.md", "x"), "not found");
    assert_eq!(fs::read(fixture.on_disk("latin.md")).unwrap(), b"caf\xe9");
}

#[test]
fn control_characters_that_were_there_stay_and_new_ones_do_not_come() {
    let fixture = Fixture::new();
    fixture.write("n.md", "a\u{c}b");
    let writing = fixture.writing();
    writing.set("n.md", "a\u{c}b\nc").unwrap();
    refused(writing.set("n.md", "a\u{c}b\nc\u{1b}"), "U+001B in line 2");
}

#[test]
fn a_dry_run_shows_and_writes_nothing() {
    let fixture = Fixture::with(&["n.md"]);
    let writing = fixture.writing();
    let dry = WriteOptions { dry_run: true, ..WriteOptions::default() };
    let written = writing.set_with("n.md", "new\n", &dry).unwrap();
    let diff = "--- a/n.md\n+++ b/n.md\n@@ -1 +1 @@\n-n.md\n\\ No newline at end of file\n+new\n";
    assert_eq!(written.diff.as_deref(), Some(diff));
    let made = writing.writer.create(writing.caller(), &parse("x/new.md"), "text\n", &dry).unwrap();
    assert!(made.diff.unwrap().starts_with("--- /dev/null\n+++ b/x/new.md\n"));
    let gone = writing.writer.delete(writing.caller(), &parse("n.md"), &dry, true).unwrap();
    assert!(gone.written.diff.unwrap().contains("+++ /dev/null"));
    fixture.holds("n.md", "n.md");
    fixture.lacks("x");
    assert!(writing.heard().is_empty());
    assert_eq!(writing.writer.history(&writing.owner, &HistoryFilter::default()).unwrap().total, 0);
}

#[test]
fn a_stale_write_is_refused_and_told_what_came_between() {
    let fixture = Fixture::with(&["n.md"]);
    let writing = fixture.writing();
    let read = ContentHash::of(b"n.md");
    let expecting = WriteOptions { expected_hash: Some(read), ..WriteOptions::default() };
    let between = writing.set("n.md", "between").unwrap().change.unwrap();
    let error = writing.set_with("n.md", "mine", &expecting).unwrap_err().to_string();
    assert!(error.contains(&format!("change {between} came between: test by owner at 2026-")), "{error}");
    fixture.write("n.md", "outside");
    let error = writing.set_with("n.md", "mine", &expecting).unwrap_err().to_string();
    assert!(error.contains("stale") && !error.contains("came between"), "{error}");
    refused(writing.writer.delete(writing.caller(), &parse("n.md"), &expecting, false), "stale");
    fixture.write("n.md", "n.md");
    writing.set_with("n.md", "mine", &expecting).unwrap();
    fixture.holds("n.md", "mine");
}

#[test]
fn a_change_function_may_refuse() {
    let fixture = Fixture::with(&["n.md"]);
    let writing = fixture.writing();
    let change = |_: &str| Err::<(String, ()), _>(EditRefused::from("no such heading"));
    let result =
        writing.writer.edit(writing.caller(), &parse("n.md"), &WriteOptions::default(), Lock::Wait, change);
    refused(result, "no such heading");
}

#[test]
fn properties_that_would_be_lost_are_not_written() {
    let fixture = Fixture::new();
    fixture.write("n.md", "text\n---\nmore");
    fixture.write("bad.md", "---\na: [\n---\nbody\n");
    let writing = fixture.writing();
    refused(writing.set("n.md", "---\n[\n---\nmore"), "cannot be kept");
    // A block that is bad already is none of the body's business.
    writing.set("bad.md", "---\na: [\n---\nother body\n").unwrap();
    // Other files have no properties.
    writing.create("n.txt", "---\n- list\n---\n").unwrap();
}

#[test]
fn of_a_link_the_file_is_written_and_the_link_stays() {
    let fixture = Fixture::with(&["real/n.md"]);
    fixture.link("link.md", "real/n.md");
    fixture.link("folder", "real");
    let writing = fixture.writing();
    assert_eq!(writing.set("link.md", "one").unwrap().path, parse("real/n.md"));
    assert_eq!(writing.set("folder/n.md", "two").unwrap().path, parse("real/n.md"));
    fixture.holds("real/n.md", "two");
    assert!(fixture.on_disk("link.md").is_symlink());
    assert_eq!(writing.create("folder/sub/new.md", "new").unwrap().path, parse("real/sub/new.md"));
    fixture.holds("real/sub/new.md", "new");
    refused(writing.delete("link.md"), "symbolic link blocked");
    fixture.link("outside", "../elsewhere");
    refused(writing.create("outside/new.md", "x"), "leads outside");
    refused(writing.set("outside/secret.md", "x"), "leads outside");
    assert_eq!(fs::read(fixture.outside("elsewhere/secret.md")).unwrap(), b"secret");
    writing.delete("folder/n.md").unwrap();
    fixture.lacks("real/n.md");
}

#[test]
fn hard_linked_files_are_not_changed() {
    let fixture = Fixture::with(&["n.md"]);
    fs::hard_link(fixture.on_disk("n.md"), fixture.on_disk("m.md")).unwrap();
    let writing = fixture.writing();
    refused(writing.set("n.md", "x"), "hard link blocked");
    refused(writing.delete("n.md"), "hard link blocked");
    fixture.holds("m.md", "n.md");
}

#[test]
fn rights_and_folders_are_kept() {
    let fixture = Fixture::with(&["in/n.md", "out/n.md"]);
    fixture.link("in/link.md", "../out/n.md");
    fixture.link("in/folder", "../out");
    let writing = fixture.writing();
    let try_as = |rights: Rights, path: &str| {
        let who = Principal {
            name: "limited".to_owned(),
            rights,
            folders: FolderScope::Only(vec!["in".to_owned()]),
        };
        let caller = Caller { who: &who, tool: "test" };
        let options = WriteOptions::default();
        let change = |text: &str| Ok((format!("{text}+"), ()));
        let edited = writing.writer.edit(caller, &parse(path), &options, Lock::Wait, change).map(|_| ());
        let folder = path.rsplit_once('/').unwrap().0;
        let new = parse(&format!("{folder}/new.md"));
        let made = writing.writer.create(caller, &new, "new", &options).map(|_| ());
        let gone = writing.writer.delete(caller, &parse(path), &options, false).map(|_| ());
        [edited, made, gone].map(|result| result.map_err(|error| error.to_string()).err().unwrap_or_default())
    };
    let all = Rights { read: true, write: true, delete: true };
    let outside = "is outside the folders of this token";
    assert!(try_as(all, "out/n.md").iter().all(|error| error.contains(outside)));
    assert!(try_as(all, "in/folder/n.md").iter().all(|error| error.contains(outside)));
    let linked = try_as(Rights { delete: false, ..all }, "in/link.md");
    assert!(linked[0].contains(outside), "{linked:?}");
    let reader = try_as(Rights { write: false, delete: false, read: true }, "in/n.md");
    assert!(reader.iter().all(|error| error.contains("may not")), "{reader:?}");
    fixture.holds("out/n.md", "out/n.md");
    fixture.lacks("out/new.md");
    fs::remove_file(fixture.on_disk("in/new.md")).unwrap();
    assert_eq!(try_as(all, "in/n.md"), [String::new(), String::new(), String::new()]);
}

#[test]
fn a_deleted_note_goes_to_the_trash_and_gets_a_number_there() {
    let fixture = Fixture::with(&["a/n.md", "b/n.md", "c/n.md", "c/no extension"]);
    let writing = fixture.writing();
    let trashed = |path: &str| writing.delete(path).unwrap().trashed.unwrap();
    assert_eq!(trashed("a/n.md"), ".trash/n.md");
    assert_eq!(trashed("b/n.md"), ".trash/n 2.md");
    fixture.write(".trash/n 3.md", "somebody's");
    assert_eq!(trashed("c/n.md"), ".trash/n 4.md");
    assert_eq!(trashed("c/no extension"), ".trash/no extension");
    fixture.holds(".trash/n.md", "a/n.md");
    fixture.holds(".trash/n 2.md", "b/n.md");
    fixture.holds(".trash/n 3.md", "somebody's");
    assert_eq!(writing.heard()[0], Change::Removed(parse("a/n.md")));
    assert!(fixture.on_disk("a").is_dir());
}

#[test]
fn the_longest_name_gets_a_number_too() {
    let name = format!("{}.md", "ü".repeat(126));
    assert_eq!(name.len(), 255);
    let fixture = Fixture::with(&[&format!("a/{name}"), &format!("b/{name}")]);
    let writing = fixture.writing();
    writing.delete(&format!("a/{name}")).unwrap();
    let second = writing.delete(&format!("b/{name}")).unwrap().trashed.unwrap();
    assert_eq!(second, format!(".trash/{} 2.md", "ü".repeat(125)));
    fixture.holds(&second, &format!("b/{name}"));
}

#[test]
fn obsidians_setting_decides_what_deleting_means() {
    let fixture = Fixture::with(&["a.md", "b.md"]);
    fixture.write(".obsidian/app.json", r#"{"trashOption":"none"}"#);
    let writing = fixture.writing();
    assert_eq!(writing.delete("a.md").unwrap().trashed, None);
    fixture.lacks("a.md");
    fixture.lacks(".trash");
    fixture.write(".obsidian/app.json", r#"{"trashOption":"local"} "#);
    assert_eq!(writing.delete("b.md").unwrap().trashed.as_deref(), Some(".trash/b.md"));
}

#[test]
fn a_trash_that_is_a_link_takes_nothing() {
    let fixture = Fixture::with(&["a.md"]);
    fixture.link(".trash", "../elsewhere");
    let writing = fixture.writing();
    refused(writing.delete("a.md"), ".trash is not a folder");
    fixture.holds("a.md", "a.md");
    assert_eq!(fs::read_dir(fixture.outside("elsewhere")).unwrap().count(), 1);
}

#[test]
fn the_sweep_removes_only_what_the_server_put_there_and_only_when_it_is_the_same() {
    let fixture = Fixture::with(&["old.md", "changed.md", "replaced.md", "kept.md", "young.md"]);
    fixture.write(".trash/theirs.md", "theirs");
    let writing = fixture.writing();
    for path in ["old.md", "changed.md", "replaced.md"] {
        writing.delete(path).unwrap();
    }
    fixture.write(".obsidian/app.json", r#"{"trashOption":"local"}"#);
    writing.delete("kept.md").unwrap();
    fixture.write(".trash/changed.md", "changed since");
    fs::remove_file(fixture.on_disk(".trash/replaced.md")).unwrap();
    fixture.link(".trash/replaced.md", "../../secret.md");
    assert_eq!(writing.writer.sweep_trash().unwrap(), 0);
    let day = 24 * 60 * 60 * 1000;
    writing.now_ms.fetch_add(20 * day, std::sync::atomic::Ordering::Relaxed);
    fixture.write(".obsidian/app.json", r#"{"trashOption":"system"}  "#);
    writing.delete("young.md").unwrap();
    writing.now_ms.fetch_add(11 * day, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(writing.writer.sweep_trash().unwrap(), 1);
    assert_eq!(writing.writer.sweep_trash().unwrap(), 0);
    fixture.lacks(".trash/old.md");
    for kept in ["theirs.md", "changed.md", "replaced.md", "kept.md", "young.md"] {
        assert!(fixture.on_disk(format!(".trash/{kept}")).symlink_metadata().is_ok(), "{kept}");
    }
    assert_eq!(fs::read(fixture.outside("secret.md")).unwrap(), b"secret");
}

#[test]
fn empty_folders_are_pruned_when_asked() {
    let fixture = Fixture::with(&["a/b/c/n.md", "a/other.md", "x/y/n.md", "x/.hidden"]);
    let writing = fixture.writing();
    let delete = |path: &str| {
        let deleted =
            writing.writer.delete(writing.caller(), &parse(path), &WriteOptions::default(), true).unwrap();
        deleted.pruned.iter().map(|path| path.as_str().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(delete("a/b/c/n.md"), ["a/b/c", "a/b"]);
    assert_eq!(delete("x/y/n.md"), ["x/y"]);
    assert_eq!(delete("a/other.md"), ["a"]);
    assert!(fixture.root().is_dir());
}

#[test]
fn protected_folders_lose_nothing() {
    let fixture = Fixture::with(&["Daily Notes/d.md", "About Me/m.md", "Archive/a.md", "free.md"]);
    let memory = || Some(parse("About Me"));
    let usual = Protection::Usual { memory: memory(), daily: vault::DailyNotesOverrides::default() };
    let setup = || Setup { protection: Some(usual.clone()), ..Setup::default() };
    let writing = fixture.writing_with(setup()).unwrap();
    refused(writing.delete("Daily Notes/d.md"), "protected path");
    refused(writing.delete("About Me/m.md"), "protected path");
    writing.set("About Me/m.md", "may be written").unwrap();
    fixture.write(".obsidian/daily-notes.json", "{");
    refused(writing.delete("free.md"), "daily-notes.json cannot be read");
    fixture.write(".obsidian/daily-notes.json", r#"{"folder":"Archive"}"#);
    refused(writing.delete("Archive/a.md"), "protected path");
    writing.delete("Daily Notes/d.md").unwrap();
    drop(writing);
    let only = Protection::Only(vec!["archive/".to_owned()]);
    let writing = fixture.writing_with(Setup { protection: Some(only), ..Setup::default() }).unwrap();
    refused(writing.delete("Archive/a.md"), "protected path");
    writing.delete("About Me/m.md").unwrap();
}

#[test]
fn leftovers_are_removed_at_the_start_and_nothing_else() {
    let fixture = Fixture::with(&["a/n.md", "a/.vault-cortex-note.md", ".trash/t.md"]);
    fixture.write("a/.vault-cortex-0123456789abcdef.tmp", "half");
    fixture.write(".trash/.vault-cortex-0.tmp", "half");
    fs::hard_link(fixture.on_disk("a/n.md"), fixture.on_disk(".vault-cortex-1.tmp")).unwrap();
    fs::create_dir(fixture.on_disk("a/.vault-cortex-folder.tmp")).unwrap();
    let writing = fixture.writing();
    fixture.lacks("a/.vault-cortex-0123456789abcdef.tmp");
    fixture.lacks(".trash/.vault-cortex-0.tmp");
    fixture.lacks(".vault-cortex-1.tmp");
    assert!(fixture.on_disk("a/.vault-cortex-folder.tmp").is_dir());
    fixture.holds("a/.vault-cortex-note.md", "a/.vault-cortex-note.md");
    writing.set("a/n.md", "has one link again").unwrap();
}

#[test]
fn the_journal_is_not_put_into_the_vault() {
    let fixture = Fixture::new();
    let inside = super::writer::open(&fixture.root(), &fixture.on_disk("journal.db"), Setup::default());
    refused(inside.map(|_| ()), "must not lie inside the vault");
}

#[test]
fn who_finds_a_file_being_changed_gives_up_or_waits() {
    let fixture = Fixture::with(&["n.md"]);
    let writing = fixture.writing();
    let (entered, wait) = (std::sync::Barrier::new(2), std::sync::Barrier::new(2));
    std::thread::scope(|scope| {
        let slow = scope.spawn(|| {
            let change = |text: &str| {
                entered.wait();
                wait.wait();
                Ok((format!("{text}1"), ()))
            };
            let path = parse("N.md");
            // Another spelling of the same key.
            let result = writing.writer.edit(
                writing.caller(),
                &parse("n.md"),
                &WriteOptions::default(),
                Lock::Wait,
                change,
            );
            drop(path);
            result.map(|_| ())
        });
        entered.wait();
        let busy = writing.writer.edit(
            writing.caller(),
            &parse("n.md"),
            &WriteOptions::default(),
            Lock::FailFast,
            |text| Ok((text.to_owned(), ())),
        );
        refused(busy.map(|_| ()), "concurrent write in progress");
        refused(writing.delete("n.md").map(|_| ()), "concurrent write in progress");
        let waiting = scope.spawn(|| {
            let change = |text: &str| Ok((format!("{text}2"), ()));
            let result = writing.writer.edit(
                writing.caller(),
                &parse("n.md"),
                &WriteOptions::default(),
                Lock::Wait,
                change,
            );
            result.map(|_| ())
        });
        wait.wait();
        slow.join().unwrap().unwrap();
        waiting.join().unwrap().unwrap();
    });
    fixture.holds("n.md", "n.md12");
}

#[test]
fn an_edit_from_outside_that_comes_between_is_not_overwritten() {
    let fixture = Fixture::with(&["n.md", "m.md"]);
    let writing = fixture.writing();
    let change = |_: &str| {
        fixture.write("n.md", "outside");
        Ok(("mine".to_owned(), ()))
    };
    let result =
        writing.writer.edit(writing.caller(), &parse("n.md"), &WriteOptions::default(), Lock::Wait, change);
    refused(result.map(|_| ()), "changed meanwhile");
    fixture.holds("n.md", "outside");
    let filter = HistoryFilter { aborted: true, ..HistoryFilter::default() };
    let history = writing.writer.history(&writing.owner, &filter).unwrap();
    assert_eq!(history.changes[0].state, vault::ChangeState::Aborted);
    assert_eq!(writing.writer.history(&writing.owner, &HistoryFilter::default()).unwrap().total, 0);
    assert_eq!(fs::read_dir(fixture.root()).unwrap().count(), 2);
}

#[test]
fn a_file_that_is_missing_is_made_and_filled_in_one_change() {
    let fixture = Fixture::with(&["there.md"]);
    let writing = fixture.writing();
    let set = |path: &str, options: &WriteOptions, text: &'static str| {
        let (new, change) = (|| Ok("new ".to_owned()), |old: &str| Ok((format!("{old}{text}"), ())));
        let path = parse(path);
        writing.writer.edit_or_create(writing.caller(), &path, options, Lock::FailFast, new, change)
    };
    let plain = WriteOptions::default();
    let rehearsed = set("f/made.md", &WriteOptions { dry_run: true, ..plain.clone() }, "text").unwrap().0;
    assert!(rehearsed.diff.unwrap().contains("+new text"));
    fixture.lacks("f/made.md");
    assert_eq!(set("f/made.md", &plain, "text").unwrap().0.before, None);
    fixture.holds("f/made.md", "new text");
    set("there.md", &plain, " more").unwrap();
    fixture.holds("there.md", "there.md more");
    let stale = WriteOptions { expected_hash: Some(ContentHash::of(b"x")), ..plain };
    for path in ["none.md", "there.md"] {
        let error = set(path, &stale, "x").unwrap_err();
        assert!(matches!(error, WriteError::Stale { .. }), "{error}");
    }
    let refuse = |_: &str| Err::<(String, ()), _>("no".into());
    let path = parse("g/none.md");
    let new = || Ok(String::new());
    let options = WriteOptions::default();
    let refused = writing.writer.edit_or_create(writing.caller(), &path, &options, Lock::Wait, new, refuse);
    assert_eq!(refused.unwrap_err().to_string(), "no");
    fixture.lacks("g");
}

/// A link ends at each of these, so nothing could ever link to such a note; those that are there can be
/// edited all the same.
#[test]
fn a_new_name_that_no_link_can_hold_is_refused() {
    let fixture = Fixture::with(&["C# old.md", "n.md"]);
    let writing = fixture.writing();
    for name in ["a#b.md", "a^b.md", "a|b.md", "[[a]].md", "a%%b.md", "x/a:b.md"] {
        let error = writing.create(name, "x").unwrap_err().to_string();
        assert!(error.starts_with("invalid name"), "{name}: {error}");
        assert!(writing.rename("n.md", name).is_err(), "{name}");
    }
    writing.set("C# old.md", "edited").unwrap();
    writing.rename("C# old.md", "C sharp.md").unwrap();
}

/// On a system that takes them for one, a sync would keep one of the two.
#[test]
fn a_new_name_that_differs_in_letter_case_alone_is_refused() {
    let fixture = Fixture::with(&["Projects/b.md", "n.md"]);
    let writing = fixture.writing();
    for (name, found) in [
        ("Projects/B.md", "Projects/b.md"),
        ("projects/c.md", "Projects"),
        ("Projects/b.MD", "Projects/b.md"),
    ] {
        if fixture.on_disk(name).exists() {
            println!("skipped: letter case makes no other name here");
            return;
        }
        let refused = |error: WriteError| match error {
            WriteError::CaseTwin { found: named, .. } => assert_eq!(named, found, "{name}"),
            error => panic!("{name}: {error}"),
        };
        refused(writing.create(name, "x").unwrap_err());
        refused(writing.rename("n.md", name).map(drop).unwrap_err());
    }
    // The note itself may be spelt otherwise, and what is taken back keeps its name.
    let moved = writing.rename("Projects/b.md", "Projects/B.md").unwrap();
    fixture.holds("Projects/B.md", "Projects/b.md");
    drop(moved);
}
