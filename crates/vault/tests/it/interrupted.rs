//! Changes that are cut short: by a full disk, a folder that may not be written, a kill.
//!
//! Every scenario is run once undisturbed, which tells its steps and its outcome; then again and again, cut
//! short at one step after the other. Whatever happens, every file is what it was or what it was to become,
//! nothing else lies about, and after the next start the journal says the same as the vault.

use std::collections::BTreeMap;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use vault::{
    Change, ChangeRecord, ChangeState, Faults, HistoryFilter, Step, Undo, UndoOptions, WriteError,
    WriteOptions,
};

use super::writer::{Setup, Writing, parse, tree};
use super::*;

type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// What is done to a vault in a scenario, and what the file system under it cannot do.
struct Scenario {
    name: &'static str,
    cannot: &'static [Step],
    /// What was done before.
    first: fn(&Writing) -> Result<(), WriteError>,
    act: fn(&Writing) -> Result<(), WriteError>,
}

const SCENARIOS: [Scenario; 12] = [
    Scenario { name: "create", cannot: &[], first: nothing, act: create },
    Scenario { name: "create by a link", cannot: &[Step::TakeName], first: nothing, act: create },
    Scenario {
        name: "create by a placeholder",
        cannot: &[Step::TakeName, Step::LinkName],
        first: nothing,
        act: create,
    },
    Scenario {
        name: "edit",
        cannot: &[],
        first: nothing,
        act: |writing| writing.set("a.md", &long("new")).map(drop),
    },
    Scenario {
        name: "delete",
        cannot: &[],
        first: nothing,
        act: |writing| writing.delete("b/deep/b.md").map(drop),
    },
    Scenario {
        name: "delete by a copy",
        cannot: &[Step::MoveToTrash],
        first: nothing,
        act: |writing| writing.delete("b/deep/b.md").map(drop),
    },
    Scenario { name: "delete for good and prune", cannot: &[], first: nothing, act: delete_for_good },
    Scenario { name: "undo", cannot: &[], first: nothing, act: undo },
    Scenario { name: "move", cannot: &[], first: nothing, act: rename },
    Scenario { name: "undo of a move", cannot: &[], first: rename, act: undo },
    Scenario { name: "undo of an undo", cannot: &[], first: undo, act: redo },
    Scenario {
        name: "move to another letter case",
        cannot: &[],
        first: nothing,
        act: |writing| writing.rename("b/deep/b.md", "b/deep/B.md").map(drop),
    },
];

/// The move among them.
const MOVE: usize = 8;

fn create(writing: &Writing) -> Result<(), WriteError> {
    writing.create("new/folder/n.md", &long("made")).map(drop)
}

fn delete_for_good(writing: &Writing) -> Result<(), WriteError> {
    let settings = writing.writer.vault().root().join(".obsidian/app.json");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    fs::write(settings, r#"{"trashOption":"none"}"#).unwrap();
    let options = WriteOptions::default();
    writing.writer.delete(writing.caller(), &parse("b/deep/b.md"), &options, true).map(drop)
}

/// Takes back what [`prepare`] did: an edit, a create and a delete.
fn undo(writing: &Writing) -> Result<(), WriteError> {
    let since = jiff::Timestamp::UNIX_EPOCH;
    let undo = Undo::Since { principal: "owner".to_owned(), since };
    writing.writer.undo(writing.caller(), &undo, UndoOptions::default()).map(drop)
}

fn nothing(_: &Writing) -> Result<(), WriteError> {
    Ok(())
}

/// Moves a note with links to it.
fn rename(writing: &Writing) -> Result<(), WriteError> {
    writing.rename("b/deep/b.md", "moved/new.md").map(drop)
}

/// Takes that back.
fn redo(writing: &Writing) -> Result<(), WriteError> {
    let newest = history(writing)[0].id;
    writing.writer.undo(writing.caller(), &Undo::Call(newest), UndoOptions::default()).map(drop)
}

const LINKS: &str = "one [[b]], two [[deep/b|shown]]\n";

fn long(word: &str) -> String {
    format!("{} {word}\n", "word ".repeat(40)).repeat(60)
}

/// A vault with a past.
fn prepare(scenario: &Scenario) -> Fixture {
    let fixture = Fixture::in_memory();
    fixture.write("a.md", long("old"));
    fixture.write("b/deep/b.md", "b");
    fixture.write("gone.md", "gone");
    for number in 0..3 {
        fixture.write(format!("links/{number}.md"), LINKS);
    }
    let writing = fixture.writing();
    writing.set("a.md", &long("edited")).unwrap();
    writing.create("made.md", "made").unwrap();
    writing.delete("gone.md").unwrap();
    (scenario.first)(&writing).unwrap();
    drop(writing);
    fixture
}

/// Calls `at` before every step, with its number.
struct Hook<F> {
    cannot: &'static [Step],
    steps: Mutex<Vec<Step>>,
    at: F,
}

impl<F: Fn(usize) -> io::Result<()> + Send + Sync> Faults for Hook<F> {
    fn before(&self, step: Step) -> io::Result<()> {
        let number = {
            let mut steps = self.steps.lock().unwrap();
            steps.push(step);
            steps.len() - 1
        };
        (self.at)(number)?;
        if self.cannot.contains(&step) { Err(Errno::OPNOTSUPP.into()) } else { Ok(()) }
    }
}

fn hooked<F>(scenario: &Scenario, at: F) -> Arc<Hook<F>> {
    Arc::new(Hook { cannot: scenario.cannot, steps: Mutex::default(), at })
}

fn with<F: Fn(usize) -> io::Result<()> + Send + Sync + 'static>(hook: &Arc<Hook<F>>) -> Setup {
    Setup { faults: Some(Arc::clone(hook) as Arc<dyn Faults>), ..Setup::default() }
}

/// The steps of a scenario and the vault before and after it.
fn undisturbed(scenario: &Scenario) -> (Vec<Step>, Tree, Tree) {
    let fixture = prepare(scenario);
    let before = tree(&fixture.root());
    let hook = hooked(scenario, |_| Ok(()));
    let writing = fixture.writing_with(with(&hook)).unwrap();
    (scenario.act)(&writing).unwrap();
    let steps = hook.steps.lock().unwrap().clone();
    (steps, before, tree(&fixture.root()))
}

fn history(writing: &Writing) -> Vec<ChangeRecord> {
    let filter = HistoryFilter { aborted: true, limit: 1000, ..HistoryFilter::default() };
    writing.writer.history(&writing.owner, &filter).unwrap().changes
}

/// Every file is one of the two, and nothing else is there.
#[track_caller]
fn assert_whole(found: &Tree, before: &Tree, after: &Tree, what: &str) {
    for (path, bytes) in found {
        let known = [before.get(path), after.get(path)].contains(&Some(bytes));
        // The one thing that a file system without exclusive renames and links can leave.
        let placeholder = what.contains("placeholder") && bytes.is_empty();
        assert!(known || placeholder, "{what}: {} is neither old nor new", path.display());
    }
    for (path, bytes) in before {
        assert!(
            found.contains_key(path) || !after.contains_key(path) || after.get(path) != Some(bytes),
            "{what}: {} is lost",
            path.display()
        );
    }
}

/// The listener, which may have read the vault before, has heard of every file that the start changed.
#[track_caller]
fn assert_told(writing: &Writing, left: &Tree, repaired: &Tree, what: &str) {
    let told = writing.listener.0.lock().unwrap();
    for path in left.keys().chain(repaired.keys()).filter(|path| left.get(*path) != repaired.get(*path)) {
        let Some(path) = path.to_str().filter(|path| path.ends_with(".md") && !path.contains("/.")) else {
            continue;
        };
        let change = if repaired.contains_key(Path::new(path)) {
            Change::Written(parse(path))
        } else {
            Change::Removed(parse(path))
        };
        assert!(told.contains(&change), "{what}: {change:?} is not in {told:?}");
    }
}

/// Starts anew, and compares what the journal says with what is there; then takes everything back.
#[track_caller]
fn assert_agreed(fixture: &Fixture, what: &str) {
    let left = tree(&fixture.root());
    let writing = fixture.writing();
    assert_told(&writing, &left, &tree(&fixture.root()), what);
    let mut seen = std::collections::HashSet::new();
    for change in history(&writing) {
        assert_ne!(change.state, ChangeState::Begun, "{what}");
        if change.state != ChangeState::Done {
            continue;
        }
        // The newest change of every file left it as it is.
        let other_name = |new: &&VaultPath| new.key() != change.path.key();
        let old = change.new_path.as_ref().filter(other_name).map(|_| (&change.path, None));
        let new = (change.new_path.as_ref().unwrap_or(&change.path), change.after);
        for (path, after) in old.into_iter().chain([new]) {
            if seen.insert(path.clone()) {
                let found = writing.writer.vault().read(path).ok().map(|content| content.hash());
                let placeholder = what.contains("placeholder") && after.is_none();
                assert!(found == after || placeholder, "{what}: {path} and the journal differ");
            }
        }
    }
    let undone = undo(&writing);
    assert!(matches!(undone, Ok(()) | Err(WriteError::NothingToUndo)), "{what}: {undone:?}");
    fixture.holds("a.md", &long("old"));
    fixture.holds("b/deep/b.md", "b");
    fixture.holds("gone.md", "gone");
    fixture.lacks("made.md");
    for number in 0..3 {
        fixture.holds(&format!("links/{number}.md"), LINKS);
    }
}

/// Cuts every scenario short at every step by an error of the system.
fn fail_everywhere(errno: Errno, fails: fn(at: usize, from: usize) -> bool, lasting: bool) {
    for scenario in &SCENARIOS {
        let (steps, before, after) = undisturbed(scenario);
        for (number, step) in steps.iter().enumerate() {
            let what = format!("{}, {errno:?} at {number} {step:?}", scenario.name);
            let fixture = prepare(scenario);
            let fail = move |at: usize| if fails(at, number) { Err(errno.into()) } else { Ok(()) };
            let writing = fixture.writing_with(with(&hooked(scenario, fail))).unwrap();
            let result = (scenario.act)(&writing);
            let mut found = tree(&fixture.root());
            assert_whole(&found, &before, &after, &what);
            if result.is_ok() {
                assert_eq!(found, after, "{what}");
            } else if !lasting && !scenario.name.starts_with("undo") {
                // What was not acknowledged was not done: only settings and copies in the trash differ.
                found.retain(|path, _| !path.starts_with(".obsidian") && !path.starts_with(".trash"));
                let mut before = before.clone();
                before.retain(|path, _| !path.starts_with(".trash"));
                assert_eq!(found, before, "{what}");
            }
            drop(writing);
            assert_agreed(&fixture, &what);
        }
    }
}

#[test]
fn a_step_that_fails_changes_nothing_or_is_made_good() {
    for errno in [Errno::NOSPC, Errno::ROFS, Errno::ACCESS] {
        fail_everywhere(errno, |at, from| at == from, false);
    }
}

#[test]
fn a_disk_that_is_full_from_some_step_on_loses_nothing() {
    fail_everywhere(Errno::NOSPC, |at, from| at >= from, true);
    fail_everywhere(Errno::ROFS, |at, from| at >= from, true);
}

#[test]
fn a_failure_names_what_the_system_said_and_the_vault_is_as_it_was() {
    let fixture = prepare(&SCENARIOS[3]);
    let fail = |_: usize| Err(Errno::NOSPC.into());
    let writing = fixture.writing_with(with(&hooked(&SCENARIOS[3], fail))).unwrap();
    let error = writing.set("a.md", "new").unwrap_err().to_string();
    assert!(error.contains("journal of changes cannot be used"), "{error}");
    drop(writing);
    let fail = |number: usize| if number == 1 { Err(Errno::NOSPC.into()) } else { Ok(()) };
    let writing = fixture.writing_with(with(&hooked(&SCENARIOS[3], fail))).unwrap();
    let error = writing.set("a.md", "new").unwrap_err().to_string();
    assert!(error.contains("No space left on device") && error.contains("as it was"), "{error}");
}

#[test]
fn what_the_journal_could_not_note_is_noted_with_the_next_change() {
    let fixture = prepare(&SCENARIOS[3]);
    let hook = hooked(&SCENARIOS[3], |_| Ok(()));
    let steps = {
        let writing = fixture.writing_with(with(&hook)).unwrap();
        writing.set("a.md", "one").unwrap();
        hook.steps.lock().unwrap().clone()
    };
    let finish = steps.iter().position(|step| *step == Step::Finish).unwrap();
    let fail = move |number: usize| if number == finish { Err(Errno::NOSPC.into()) } else { Ok(()) };
    let writing = fixture.writing_with(with(&hooked(&SCENARIOS[3], fail))).unwrap();
    let change = writing.set("a.md", "two").unwrap().change.unwrap();
    assert_eq!(history(&writing)[0].state, ChangeState::Begun);
    writing.set("b/deep/b.md", "other").unwrap();
    let found = history(&writing).into_iter().find(|record| record.id == change).unwrap();
    assert_eq!(found.state, ChangeState::Done);
}

#[test]
fn a_folder_that_may_not_be_written_is_left_alone() {
    if !may_be_refused("interrupted::a_folder_that_may_not_be_written_is_left_alone") {
        return;
    }
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::with(&["locked/n.md"]);
    let writing = fixture.writing();
    let locked = fixture.on_disk("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    let errors = [
        writing.set("locked/n.md", "new").unwrap_err(),
        writing.create("locked/new.md", "new").unwrap_err(),
        writing.create("locked/folder/new.md", "new").unwrap_err(),
        writing.delete("locked/n.md").unwrap_err(),
    ];
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    for error in errors {
        assert!(error.to_string().contains("Permission denied"), "{error}");
    }
    fixture.holds("locked/n.md", "locked/n.md");
    assert_eq!(fs::read_dir(locked).unwrap().count(), 1);
}

/// Variables of the process that is to be killed.
const FOLDER: &str = "VAULT_CORTEX_TEST_FOLDER";
const SCENARIO: &str = "VAULT_CORTEX_TEST_SCENARIO";
const STEP: &str = "VAULT_CORTEX_TEST_STEP";

/// Not a test: what the process that is to be killed does.
#[test]
fn killed() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let number = |name: &str| std::env::var(name).unwrap().parse::<usize>().unwrap();
    let (scenario, step) = (&SCENARIOS[number(SCENARIO)], number(STEP));
    let kill = move |at: usize| {
        if at == step {
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).unwrap();
            std::thread::sleep(Duration::from_secs(60));
        }
        Ok(())
    };
    let folder = Path::new(&folder);
    let setup = with(&hooked(scenario, kill));
    let writing =
        super::writer::open(&folder.join("vault"), &folder.join("state/journal.db"), setup).unwrap();
    (scenario.act)(&writing).unwrap();
}

/// Whether the process was killed, and not through with it before.
fn run_killed(fixture: &Fixture, scenario: usize, step: usize) -> bool {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["interrupted::killed", "--exact", "--nocapture"])
        .env(FOLDER, fixture.folder.path())
        .env(SCENARIO, scenario.to_string())
        .env(STEP, step.to_string())
        .output()
        .unwrap();
    let killed = output.status.signal() == Some(9);
    assert!(killed || output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    killed
}

#[test]
fn a_process_that_is_killed_at_any_step_leaves_what_the_next_start_repairs() {
    /// Enough kills, or enough time.
    const KILLS: usize = 300;
    const PATIENCE: Duration = Duration::from_secs(40);
    let start = Instant::now();
    let known: Vec<_> = SCENARIOS.iter().map(undisturbed).collect();
    let total: usize = known.iter().map(|(steps, ..)| steps.len()).sum();
    let kills = AtomicUsize::new(0);
    // Every step once, then again as long as there is time, the vault of the last kill in use.
    for round in 0..KILLS.div_ceil(total) {
        for (index, (scenario, (steps, before, after))) in SCENARIOS.iter().zip(&known).enumerate() {
            for (step, name) in steps.iter().enumerate() {
                if round > 0 && start.elapsed() > PATIENCE {
                    break;
                }
                let what = format!("{}, killed before {step} {name:?}", scenario.name);
                let fixture = prepare(scenario);
                assert!(run_killed(&fixture, index, step), "{what}: it was not killed");
                kills.fetch_add(1, Ordering::Relaxed);
                let mut found = tree(&fixture.root());
                found.retain(|path, _| !path.to_string_lossy().contains(".vault-cortex-"));
                assert_whole(&found, before, after, &what);
                assert_agreed(&fixture, &what);
                let leftovers = tree(&fixture.root()).into_keys();
                let ours = |path: &PathBuf| path.to_string_lossy().contains(".vault-cortex-");
                assert_eq!(leftovers.filter(ours).count(), 0, "{what}");
            }
        }
    }
    println!("{} kills at {total} steps in {:?}", kills.into_inner(), start.elapsed());
}

/// A note with many links to it, killed here and there on its way.
#[test]
fn a_move_with_fifty_links_is_brought_to_its_end_or_not_begun() {
    const LINKING: usize = 50;
    const PATIENCE: Duration = Duration::from_secs(20);
    let start = Instant::now();
    let make = || {
        let fixture = prepare(&SCENARIOS[MOVE]);
        for number in 0..LINKING {
            fixture.write(format!("many/{number}.md"), LINKS);
        }
        fixture
    };
    let (steps, before, after) = {
        let fixture = make();
        let before = tree(&fixture.root());
        let hook = hooked(&SCENARIOS[MOVE], |_| Ok(()));
        let writing = fixture.writing_with(with(&hook)).unwrap();
        rename(&writing).unwrap();
        let steps = hook.steps.lock().unwrap().len();
        (steps, before, tree(&fixture.root()))
    };
    assert!(steps > LINKING * 6);
    let (mut kills, mut carried_out) = (0, 0);
    // Writing one note takes eight steps, so every fifth step comes by each of them in the end.
    for step in (0..steps).step_by(5) {
        if start.elapsed() > PATIENCE {
            break;
        }
        let what = format!("move, killed before {step} of {steps}");
        let fixture = make();
        assert!(run_killed(&fixture, MOVE, step), "{what}: it was not killed");
        kills += 1;
        let mut found = tree(&fixture.root());
        found.retain(|path, _| !path.to_string_lossy().contains(".vault-cortex-"));
        assert_whole(&found, &before, &after, &what);
        // Where there is much left to do, the next start is killed over it as well.
        if (20..100).contains(&step) {
            assert!(run_killed(&fixture, MOVE, step - 15), "{what}: the start was not killed");
            kills += 1;
        }
        // Never half: the next start has either left all as it was or brought it to its end.
        drop(fixture.writing());
        let found = tree(&fixture.root());
        assert!(found == before || found == after, "{what}: half a move");
        carried_out += usize::from(found == after);
        assert_agreed(&fixture, &what);
        assert_eq!(tree(&fixture.root()).get(Path::new("many/7.md")).unwrap(), LINKS.as_bytes());
    }
    assert!(carried_out > 0 && carried_out < steps.div_ceil(5));
    println!("{kills} kills, {carried_out} moves carried out, in {:?}", start.elapsed());
}

/// A file system of its own, unmounted when this goes.
struct Small(PathBuf);

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).output();
    }
}

/// No stand-in: a file system that is full, which only root may make.
#[test]
fn a_disk_that_is_really_full_refuses_writes_and_keeps_every_byte() {
    let fixture = Fixture::new();
    let mounted =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=512k", "tmpfs"]).arg(fixture.root()).output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        println!("skipped: a small file system may not be mounted here");
        return;
    }
    let small = Small(fixture.root());
    let text = |number: usize| format!("{number} ").repeat(8000);
    let writing = fixture.writing();
    let (mut made, mut refused) = (Vec::new(), 0);
    for number in 0..60 {
        match writing.create(&format!("n/{number}.md"), &text(number)) {
            Ok(_) => made.push(number),
            Err(error) => {
                assert!(error.to_string().contains("No space left on device"), "{error}");
                refused += 1;
            }
        }
    }
    assert!(made.len() > 5 && refused > 5, "{} made, {refused} refused", made.len());
    // An edit needs room for both; a delete needs none.
    let first = format!("n/{}.md", made[0]);
    let error = writing.set(&first, &"x".repeat(60_000)).unwrap_err().to_string();
    assert!(error.contains("No space left on device"), "{error}");
    for number in &made {
        fixture.holds(&format!("n/{number}.md"), &text(*number));
    }
    assert_eq!(tree(&fixture.root()).len(), made.len());
    writing.delete(&first).unwrap();
    drop(writing);
    drop(small);
}
