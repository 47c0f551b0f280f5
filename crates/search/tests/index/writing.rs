//! Whoever changes the vault through its writer finds the change with the next question, whatever else
//! goes on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use search::{Index, RecallQuery, TaskQuery};
use vault::{Deleted, Lock, Undo, UndoOptions, Undone, WriteOptions, Written};

use crate::dump::{assert_same, dump};
use crate::harness::{Disk, backlinks, found, outgoing, owner, path, reconcile};
use crate::writer::Writing;

impl Writing {
    #[track_caller]
    fn create(&self, name: &str, text: &str) -> Written {
        let written = self.writer.create(self.caller(), &path(name), text, &WriteOptions::default());
        noted(written.expect("a note is made"))
    }

    /// Replaces the whole text.
    #[track_caller]
    fn set(&self, name: &str, text: &str) -> Written {
        let change = |_: &str| Ok((text.to_owned(), ()));
        let options = WriteOptions::default();
        let written = self.writer.edit(self.caller(), &path(name), &options, Lock::Wait, change);
        noted(written.expect("a note is edited").0)
    }

    #[track_caller]
    fn delete(&self, name: &str) -> Deleted {
        self.writer
            .delete(self.caller(), &path(name), &WriteOptions::default(), false)
            .expect("a note is deleted")
    }

    #[track_caller]
    fn undo(&self, written: &Written) -> Undone {
        let change = Undo::Change(written.change.expect("a change"));
        self.writer.undo(self.caller(), &change, UndoOptions::default()).expect("a change is undone")
    }
}

/// A change that the index took note of.
#[track_caller]
fn noted(written: Written) -> Written {
    assert!(written.index.is_ok(), "{:?}", written.index);
    written
}

#[track_caller]
fn tasks(index: &Index) -> Vec<String> {
    let tasks = index.tasks(&owner(), &TaskQuery::default()).expect("tasks are known");
    tasks.items.into_iter().map(|task| task.description).collect()
}

#[track_caller]
fn recalled(index: &Index, words: &str) -> Vec<String> {
    let answer = index.memory_recall(&owner(), &RecallQuery::new(words, "About Me"));
    answer.expect("memory is known").entries.into_iter().map(|entry| entry.text).collect()
}

#[track_caller]
fn tagged(index: &Index, tag: &str) -> Vec<String> {
    let notes = index.search_by_tag(&owner(), tag, false, 100).expect("tags are known");
    notes.items.into_iter().map(|note| note.path.as_str().to_owned()).collect()
}

#[test]
fn every_question_sees_a_change_as_soon_as_its_call_returns() {
    let disk = Disk::with(&[("from.md", "[[new]]"), ("old.md", "old")]);
    let writing = disk.writing();
    let index = &writing.index;

    let made = writing.create("a/new.md", "---\ntags: [fresh]\n---\nneedle [[old]]\n- [ ] buy milk\n");
    assert_eq!(found(index, "needle"), ["a/new.md"]);
    assert_eq!(tagged(index, "fresh"), ["a/new.md"]);
    assert_eq!(tasks(index), ["buy milk"]);
    assert_eq!(backlinks(index, &owner(), "old.md"), ["a/new.md"]);
    assert_eq!(outgoing(index, &owner(), "from.md"), ["a/new.md"], "links that led nowhere lead to it");

    let edited = writing.set("a/new.md", "thread\n- [x] buy milk\n- [ ] buy bread\n");
    assert!(found(index, "needle").is_empty());
    assert_eq!(found(index, "thread"), ["a/new.md"]);
    assert!(tagged(index, "fresh").is_empty());
    assert_eq!(tasks(index), ["buy bread"]);
    assert!(backlinks(index, &owner(), "old.md").is_empty());

    let moved = writing.rename("a/new.md", "b/newer.md").written;
    assert_eq!(found(index, "thread"), ["b/newer.md"]);
    assert_eq!(outgoing(index, &owner(), "from.md"), ["b/newer.md"]);
    assert!(index.note_meta(&owner(), &path("a/new.md")).unwrap().is_none());

    writing.undo(&moved);
    assert_eq!(found(index, "thread"), ["a/new.md"]);
    writing.undo(&edited);
    assert_eq!(found(index, "needle"), ["a/new.md"]);
    assert_eq!(tasks(index), ["buy milk"]);

    let deleted = writing.delete("a/new.md").written;
    assert!(found(index, "needle").is_empty());
    assert!(tasks(index).is_empty());
    assert!(tagged(index, "fresh").is_empty());
    assert!(backlinks(index, &owner(), "old.md").is_empty());
    assert_eq!(outgoing(index, &owner(), "from.md"), ["!new"]);

    writing.undo(&deleted);
    assert_eq!(found(index, "needle"), ["a/new.md"]);
    writing.undo(&made);
    assert!(found(index, "needle").is_empty());
}

#[test]
fn memory_is_recalled_as_it_was_written_last() {
    let disk = Disk::with(&[("About Me/Me.md", "# Likes\n- **2026-01-02**: tea in the morning\n")]);
    let writing = disk.writing();
    assert_eq!(recalled(&writing.index, "tea").len(), 1);
    writing.set(
        "About Me/Me.md",
        "# Likes\n- **2026-01-02**: tea in the morning\n- **2026-01-03**: tea at noon\n",
    );
    assert_eq!(recalled(&writing.index, "tea").len(), 2);
    writing.create("About Me/Other.md", "# Likes\n- **2026-01-04**: green tea\n");
    assert_eq!(recalled(&writing.index, "tea").len(), 3);
    writing.delete("About Me/Me.md");
    assert_eq!(recalled(&writing.index, "tea"), ["- **2026-01-04**: green tea"]);
}

#[test]
fn deleting_a_note_makes_room_for_the_links_of_its_namesake() {
    let disk = Disk::with(&[("from.md", "[[Note]]"), ("a/Note.md", ""), ("bb/Note.md", "")]);
    let writing = disk.writing();
    assert_eq!(outgoing(&writing.index, &owner(), "from.md"), ["a/Note.md"]);
    writing.delete("a/Note.md");
    assert_eq!(outgoing(&writing.index, &owner(), "from.md"), ["bb/Note.md"]);
}

/// One note's life, again and again; every step is looked for at once. Answers how many lives it had.
fn live(writing: &Writing, number: usize, until: &dyn Fn() -> bool) -> usize {
    let index = &writing.index;
    let (here, there) = (format!("live/{number}.md"), format!("moved/{number}b.md"));
    let mut lives = 0;
    while !until() {
        let word = |step: &str| format!("{step}{number}life{lives}");
        writing.create(&here, &format!("{} [[hub]]\n- [ ] {}\n", word("made"), word("task")));
        assert_eq!(found(index, &word("made")), [here.as_str()]);
        assert!(backlinks(index, &owner(), "hub.md").contains(&here));
        assert!(tasks_named(index, &word("task")));
        writing.set(&here, &format!("{}\n", word("edited")));
        assert_eq!(found(index, &word("edited")), [here.as_str()]);
        assert!(found(index, &word("made")).is_empty(), "the text before the edit");
        assert!(!tasks_named(index, &word("task")));
        assert!(!backlinks(index, &owner(), "hub.md").contains(&here));
        // The other lives lock notes too, but never these.
        writing.rename(&here, &there);
        assert_eq!(found(index, &word("edited")), [there.as_str()]);
        writing.delete(&there);
        assert!(found(index, &word("edited")).is_empty(), "the note is deleted");
        lives += 1;
    }
    lives
}

fn tasks_named(index: &Index, word: &str) -> bool {
    let query = TaskQuery { limit: 1_000, ..TaskQuery::default() };
    let tasks = index.tasks(&owner(), &query).expect("tasks are known");
    tasks.items.iter().any(|task| task.description == word)
}

fn big() -> Disk {
    let disk = Disk::with(&[("hub.md", "hub")]);
    for number in 0..1_200 {
        disk.write(&format!("notes/{}/{number}.md", number % 7), format!("hay {number} [[hub]] ").repeat(3));
    }
    disk
}

/// That the index is what one made anew would be.
#[track_caller]
fn assert_right(disk: &Disk, writing: Writing) {
    let Writing { index, writer, .. } = writing;
    reconcile(&index);
    drop(writer);
    index.close();
    let kept = dump(&disk.database());
    let anew = Disk::new();
    let index = search::Index::open(disk.vault(), anew.options()).expect("the index opens");
    reconcile(&index);
    index.close();
    assert_same(&kept, &dump(&anew.database()), "kept up against made anew");
}

#[test]
fn changes_are_seen_while_the_index_is_built() {
    let disk = big();
    let writing = disk.writing_with(disk.options());
    // A link leads nowhere while the build has not come to the file it means, and answers say meanwhile
    // that the index is being built: the hub is known first.
    let hub = vault::Change::Written(vault::VaultPath::parse("hub.md").unwrap());
    vault::ChangeListener::changed(&writing.index, &[hub]).unwrap();
    let built = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let lives: Vec<_> = (0..2)
            .map(|number| {
                let (writing, built) = (&writing, &built);
                scope.spawn(move || live(writing, number, &|| built.load(Ordering::Relaxed)))
            })
            .collect();
        reconcile(&writing.index);
        built.store(true, Ordering::Relaxed);
        let lives: usize = lives.into_iter().map(|live| live.join().unwrap()).sum();
        assert!(lives > 0, "nothing was changed meanwhile");
    });
    assert_right(&disk, writing);
}

#[test]
fn changes_are_seen_while_a_watcher_and_reconciles_look_at_the_same_notes() {
    let disk = big();
    let writing = disk.writing();
    let watcher = writing.index.watch().expect("the vault can be watched");
    let end = Instant::now() + Duration::from_secs(3);
    let is_over = || Instant::now() >= end;
    std::thread::scope(|scope| {
        let lives: Vec<_> = (0..3)
            .map(|number| {
                let writing = &writing;
                scope.spawn(move || live(writing, number, &is_over))
            })
            .collect();
        let mut round = 0;
        while !is_over() {
            // Somebody else changes other notes meanwhile, so that there is something to read.
            for number in 0..40 {
                disk.write(&format!("notes/{}/{number}.md", number % 7), format!("hay {round} [[hub]]"));
            }
            reconcile(&writing.index);
            round += 1;
        }
        let lives: usize = lives.into_iter().map(|live| live.join().unwrap()).sum();
        assert!(lives > 0 && round > 0, "nothing was changed meanwhile");
    });
    drop(watcher);
    assert_right(&disk, writing);
}
