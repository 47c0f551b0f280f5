//! Programs that save in place, as Obsidian does: they empty a file and write into it, at any moment of a
//! change of ours. What they write is never lost.

use std::fs::File;
use std::io::{self, Write as _};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use vault::{Faults, Step, WriteError};

use super::writer::{Setup, Writing};
use super::*;

/// Does something before a step, once.
struct At<F>(Step, Mutex<Option<F>>);

impl<F: FnOnce() + Send> Faults for At<F> {
    fn before(&self, step: Step) -> io::Result<()> {
        if step == self.0
            && let Some(act) = self.1.lock().unwrap().take()
        {
            act();
        }
        Ok(())
    }
}

fn at(step: Step, act: impl FnOnce() + Send + 'static) -> Setup {
    Setup { faults: Some(Arc::new(At(step, Mutex::new(Some(act))))), ..Setup::default() }
}

/// A save that has begun: the file is empty, and what is to be in it not written yet.
fn begin_save(file: &Path) -> File {
    File::create(file).unwrap()
}

#[track_caller]
fn was_refused<T>(outcome: Result<T, WriteError>) {
    match outcome {
        Err(WriteError::ChangedMeanwhile { .. }) => {}
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it was changed although another program was writing"),
    }
}

/// What is in the vault's root, names alone.
fn names(fixture: &Fixture) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(fixture.root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Runs a change beside a save that begins right before `step` and ends when the change is over, and looks
/// whether the save is there.
#[track_caller]
fn saved_beside(step: Step, change: impl FnOnce(&Writing) -> Result<(), WriteError>) {
    let fixture = Fixture::with(&["n.md"]);
    let saving = Arc::new(Mutex::new(None));
    let (file, kept) = (fixture.on_disk("n.md"), Arc::clone(&saving));
    let setup = at(step, move || *kept.lock().unwrap() = Some(begin_save(&file)));
    let writing = fixture.writing_with(setup).unwrap();
    was_refused(change(&writing));
    let mut save = saving.lock().unwrap().take().unwrap();
    save.write_all(b"saved by another program").unwrap();
    drop(save);
    fixture.holds("n.md", "saved by another program");
    assert_eq!(names(&fixture), ["n.md"]);
}

#[test]
fn a_save_that_begins_before_the_file_is_replaced_is_kept() {
    for step in [Step::LookAgain, Step::Replace] {
        saved_beside(step, |writing| writing.set("n.md", "ours").map(drop));
    }
}

#[test]
fn a_save_that_begins_before_the_file_is_deleted_is_kept() {
    let for_good = |writing: &Writing| {
        let settings = writing.writer.vault().root().join(".obsidian");
        fs::create_dir_all(&settings).unwrap();
        fs::write(settings.join("app.json"), r#"{"trashOption":"none"}"#).unwrap();
        let deleted = writing.delete("n.md").map(drop);
        fs::remove_dir_all(settings).unwrap();
        deleted
    };
    for step in [Step::LookAgain, Step::Remove] {
        saved_beside(step, for_good);
    }
}

#[test]
fn a_save_that_begins_before_the_old_file_of_a_move_goes_is_kept() {
    saved_beside(Step::Remove, |writing| writing.rename("n.md", "m.md").map(drop));
}

#[test]
fn a_save_that_ends_before_the_file_is_replaced_is_kept() {
    let fixture = Fixture::with(&["n.md"]);
    let file = fixture.on_disk("n.md");
    let setup = at(Step::Replace, move || fs::write(file, "saved").unwrap());
    was_refused(fixture.writing_with(setup).unwrap().set("n.md", "ours"));
    fixture.holds("n.md", "saved");
    assert_eq!(names(&fixture), ["n.md"]);
}

/// One program still writes into the file that was replaced when another puts its own in the place.
#[test]
fn of_two_programs_that_write_at_once_both_are_kept() {
    let fixture = Fixture::with(&["n.md"]);
    let (file, other) = (fixture.on_disk("n.md"), fixture.on_disk("other"));
    let mut save = File::options().append(true).open(&file).unwrap();
    let setup = at(Step::LookAtDisplaced, move || {
        save.write_all(b"one").unwrap();
        fs::write(&other, "the other").unwrap();
        fs::rename(&other, &file).unwrap();
    });
    was_refused(fixture.writing_with(setup).unwrap().set("n.md", "ours"));
    fixture.holds("n.md", "the other");
    let names = names(&fixture);
    assert!(names[0].starts_with("n (conflict ") && names[0].ends_with(").md"), "{names:?}");
    assert!(fs::read_to_string(fixture.on_disk(&names[0])).unwrap().ends_with("one"));
    assert_eq!(names.len(), 2);
}

/// What a program is writing is waited for: half of a note is nothing to work on.
#[test]
fn a_save_under_way_is_waited_for() {
    let fixture = Fixture::with(&["n.md"]);
    let setup = Setup { clock: Some(Arc::new(Timestamp::now)), ..Setup::default() };
    let writing = fixture.writing_with(setup).unwrap();
    let mut save = begin_save(&fixture.on_disk("n.md"));
    std::thread::scope(|scope| {
        let change = scope.spawn(|| writing.append("n.md", "ours\n"));
        std::thread::sleep(Duration::from_millis(30));
        save.write_all(b"first half, ").unwrap();
        std::thread::sleep(Duration::from_millis(20));
        save.write_all(b"second half\n").unwrap();
        drop(save);
        change.join().unwrap().unwrap();
    });
    fixture.holds("n.md", "first half, second half\nours\n");
}

/// The random way to the same: a program saves over and over while two calls append to the note.
#[test]
fn no_save_is_ever_lost_beside_edits() {
    let fixture = Fixture::with(&["n.md"]);
    let clock = || Setup { clock: Some(Arc::new(Timestamp::now)), ..Setup::default() };
    let writing = fixture.writing_with(clock()).unwrap();
    let file = fixture.on_disk("n.md");
    let over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !over.load(std::sync::atomic::Ordering::Relaxed) {
                    match writing.append("n.md", "e\n") {
                        Ok(()) | Err(WriteError::ChangedMeanwhile { .. }) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
            });
        }
        for number in 0..60_u64 {
            fs::write(&file, format!("V{number}\n")).unwrap();
            // Around the time that a file must rest, so that saves meet every step of a change.
            std::thread::sleep(Duration::from_millis(44 + number * 7 % 23));
            let found = fs::read_to_string(&file).unwrap();
            if !found.starts_with(&format!("V{number}\n")) {
                over.store(true, std::sync::atomic::Ordering::Relaxed);
                panic!("save {number} was lost: {found:?}");
            }
        }
        over.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!(names(&fixture), ["n.md"]);
}
