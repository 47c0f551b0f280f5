//! Several processes with one vault and one journal.

use std::collections::HashMap;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use vault::{ChangeRecord, ChangeState, Faults, HistoryFilter, Lock, Step, WriteError, WriteOptions};

use super::writer::{Setup, Writing, parse};
use super::*;

const FOLDER: &str = "VAULT_CORTEX_TEST_FOLDER";
const NAME: &str = "VAULT_CORTEX_TEST_NAME";
const STEP: &str = "VAULT_CORTEX_TEST_STEP";
const COMES_AND_GOES: &str = "VAULT_CORTEX_TEST_COMES_AND_GOES";
/// How long the processes write.
const TIME: Duration = Duration::from_secs(2);

/// Adds a line and answers with the change's number; `None` when somebody else was in the way.
fn add_line(writing: &Writing, path: &str, line: &str) -> Option<i64> {
    let add = |text: &str| Ok((format!("{text}{line}\n"), ()));
    let options = WriteOptions::default();
    match writing.writer.edit(writing.caller(), &parse(path), &options, Lock::Wait, add) {
        Ok((written, ())) => Some(written.change.unwrap().0),
        Err(WriteError::Busy { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Not a test: what each of the processes does.
#[test]
fn child_writes() {
    let (Ok(folder), Ok(name)) = (std::env::var(FOLDER), std::env::var(NAME)) else { return };
    let folder = Path::new(&folder);
    let kill_at: Option<usize> = std::env::var(STEP).ok().map(|step| step.parse().unwrap());
    let faults = kill_at.map(|step| Arc::new(Kill(step, Mutex::default())) as Arc<dyn Faults>);
    let comes_and_goes = std::env::var(COMES_AND_GOES).is_ok();
    let open = || {
        let setup = Setup { faults: faults.clone(), ..Setup::default() };
        super::writer::open(&folder.join("vault"), &folder.join("state/journal.db"), setup).unwrap()
    };
    let mut writing = open();
    let end = Instant::now() + TIME;
    for round in 0.. {
        if Instant::now() >= end {
            break;
        }
        if comes_and_goes {
            drop(writing);
            writing = open();
        }
        let (path, line) = match round % 3 {
            0 => (format!("{name}.md"), format!("{name} {round}")),
            1 => ("same.md".to_owned(), format!("{name} {round}")),
            _ => (format!("made/{name} {round}.md"), format!("{name} {round}")),
        };
        let change = if round % 3 == 2 {
            writing.create(&path, &format!("{line}\n")).unwrap().change.map(|change| change.0)
        } else {
            add_line(&writing, &path, &line)
        };
        if let Some(change) = change {
            println!("acknowledged\t{change}\t{path}\t{line}");
        }
    }
}

/// Ends the process before the step of a number.
struct Kill(usize, Mutex<usize>);

impl Faults for Kill {
    fn before(&self, _: Step) -> io::Result<()> {
        let mut steps = self.1.lock().unwrap();
        *steps += 1;
        if *steps > self.0 {
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).unwrap();
            std::thread::sleep(Duration::from_secs(60));
        }
        Ok(())
    }
}

fn start(fixture: &Fixture, name: &str, kill_at: Option<usize>) -> Child {
    start_with(fixture, name, kill_at, false)
}

fn start_with(fixture: &Fixture, name: &str, kill_at: Option<usize>, comes_and_goes: bool) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["processes::child_writes", "--exact", "--nocapture"]);
    command.env(FOLDER, fixture.folder.path()).env(NAME, name).stdout(Stdio::piped());
    if let Some(step) = kill_at {
        command.env(STEP, step.to_string());
    }
    if comes_and_goes {
        command.env(COMES_AND_GOES, "1");
    }
    command.spawn().unwrap()
}

/// What a process was told was done: change, path and line.
fn acknowledged(child: Child) -> Vec<(i64, String, String)> {
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    let lines = said.lines().filter_map(|line| line.split_once("acknowledged\t"));
    let all = lines.map(|(_, line)| {
        let mut parts = line.split('\t').map(str::to_owned);
        (parts.next().unwrap().parse().unwrap(), parts.next().unwrap(), parts.next().unwrap())
    });
    all.collect()
}

fn history(writing: &Writing) -> Vec<ChangeRecord> {
    let filter = HistoryFilter { aborted: true, limit: usize::MAX, ..HistoryFilter::default() };
    writing.writer.history(&writing.owner, &filter).unwrap().changes
}

fn temporaries(fixture: &Fixture) -> usize {
    let names = super::writer::tree(&fixture.root()).into_keys();
    names.filter(|path| path.to_string_lossy().contains(".vault-cortex-")).count()
}

#[test]
fn three_processes_write_into_one_journal_and_no_change_is_lost() {
    let fixture = Fixture::in_memory();
    for name in ["one", "two", "here", "same"] {
        fixture.write(format!("{name}.md"), "");
    }
    // This process has it open first, and for the whole time.
    let writing = fixture.writing();
    let children = ["one", "two"].map(|name| start(&fixture, name, None));
    let mut all = Vec::new();
    let end = Instant::now() + TIME;
    for round in 0.. {
        if Instant::now() >= end {
            break;
        }
        let (path, line) = (if round % 2 == 0 { "same.md" } else { "here.md" }, format!("here {round}"));
        all.extend(add_line(&writing, path, &line).map(|change| (change, path.to_owned(), line)));
    }
    for child in children {
        let theirs = acknowledged(child);
        assert!(theirs.len() > 10, "only {} changes of a process", theirs.len());
        all.extend(theirs);
    }
    let changes = assert_all_there(&fixture, &writing, &all);
    drop(writing);
    // The last one to go has left one whole file.
    assert_eq!(history(&fixture.writing()).len(), changes);
}

/// Each of them opens the journal for every change anew, and now and then is the last one to close it.
#[test]
fn processes_that_come_and_go_lose_no_change() {
    let fixture = Fixture::in_memory();
    let names = ["one", "two", "three", "four"];
    for name in names.iter().chain(&["same"]) {
        fixture.write(format!("{name}.md"), "");
    }
    let children = names.map(|name| start_with(&fixture, name, None, true));
    let all: Vec<_> = children.into_iter().flat_map(acknowledged).collect();
    assert!(all.len() > 20, "only {} changes", all.len());
    assert_all_there(&fixture, &fixture.writing(), &all);
}

/// Every change that was acknowledged is in the journal and in its file, and there are no others.
#[track_caller]
fn assert_all_there(fixture: &Fixture, writing: &Writing, all: &[(i64, String, String)]) -> usize {
    let mut changes = history(writing);
    changes.reverse();
    let known: HashMap<i64, &ChangeRecord> = changes.iter().map(|change| (change.id.0, change)).collect();
    assert_eq!(all.len(), changes.len());
    for (change, path, line) in all {
        let record = known[change];
        assert_eq!((record.state, record.path.as_str()), (ChangeState::Done, path.as_str()));
        let text = fs::read_to_string(fixture.on_disk(path)).unwrap();
        assert_eq!(text.lines().filter(|found| found == line).count(), 1, "{path}: {line}");
    }
    // The changes of every file are a chain that ends with what is there.
    let mut last = HashMap::new();
    for change in &changes {
        if let Some(before) = last.insert(&change.path, change.after) {
            assert_eq!(change.before, before, "change {} of {}", change.id, change.path);
        }
    }
    for (path, after) in last {
        assert_eq!(writing.writer.vault().read(path).ok().map(|content| content.hash()), after, "{path}");
    }
    assert_eq!(temporaries(fixture), 0);
    changes.len()
}

/// At every step of a change in turn.
#[test]
fn a_process_that_is_killed_beside_another_stops_neither_it_nor_the_next_start() {
    for step in 0..24 {
        let fixture = Fixture::in_memory();
        fixture.write("same.md", "");
        fixture.write("killed.md", "");
        let survivor = fixture.writing();
        let output = start(&fixture, "killed", Some(step)).wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(9), "{step}: {}", String::from_utf8_lossy(&output.stdout));
        let left = temporaries(&fixture);
        for path in ["same.md", "killed.md"] {
            add_line(&survivor, path, "survivor").unwrap();
        }
        // A start beside the survivor settles what nobody is at, and leaves what somebody may be at.
        drop(fixture.writing());
        assert!(history(&survivor).iter().all(|change| change.state != ChangeState::Begun), "{step}");
        assert_eq!(temporaries(&fixture), left, "{step}");
        drop(survivor);
        let alone = fixture.writing();
        assert_eq!(temporaries(&fixture), 0, "{step}");
        add_line(&alone, "killed.md", "alone").unwrap();
        let text = fs::read_to_string(fixture.on_disk("killed.md")).unwrap();
        assert!(text.ends_with("survivor\nalone\n") && text.lines().count() <= 4, "{step}: {text}");
    }
}

/// Stops before a step until it is let go on.
struct Pause {
    at: Step,
    there: Mutex<Sender<()>>,
    go_on: Mutex<Receiver<()>>,
}

impl Faults for Pause {
    fn before(&self, step: Step) -> io::Result<()> {
        if step == self.at {
            self.there.lock().unwrap().send(()).unwrap();
            self.go_on.lock().unwrap().recv().unwrap();
        }
        Ok(())
    }
}

#[test]
fn a_start_beside_a_write_takes_nothing_away_from_it() {
    let fixture = Fixture::with(&["n.md", "other.md"]);
    let ((there, is_there), (go, go_on)) = (channel(), channel());
    let pause = Pause { at: Step::Replace, there: Mutex::new(there), go_on: Mutex::new(go_on) };
    let setup = Setup { faults: Some(Arc::new(pause)), ..Setup::default() };
    let writing = fixture.writing_with(setup).unwrap();
    std::thread::scope(|scope| {
        let write = scope.spawn(|| writing.set("n.md", "written"));
        is_there.recv().unwrap();
        let other = fixture.writing();
        assert_eq!(temporaries(&fixture), 1);
        assert_eq!(history(&other)[0].state, ChangeState::Begun);
        other.set("other.md", "not in the way").unwrap();
        let waiting = scope.spawn(move || {
            let written = add_line(&other, "n.md", " and more");
            drop(other);
            written
        });
        std::thread::sleep(Duration::from_millis(50));
        assert!(!waiting.is_finished(), "it did not wait for the other process");
        go.send(()).unwrap();
        write.join().unwrap().unwrap();
        assert!(waiting.join().unwrap().is_some());
    });
    fixture.holds("n.md", "written and more\n");
    assert!(history(&writing).iter().all(|change| change.state == ChangeState::Done));
}

#[test]
fn two_vaults_do_not_share_a_journal() {
    let fixture = Fixture::with(&["n.md"]);
    fs::create_dir(fixture.outside("other")).unwrap();
    let open = |root: &Path| super::writer::open(root, &fixture.journal_path(), Setup::default());
    let writing = open(&fixture.root()).unwrap();
    let error = open(&fixture.outside("other")).map(drop).unwrap_err().to_string();
    assert!(error.contains("in use for another vault"), "{error}");
    // By another path it is the same vault; moved while nobody has the journal open it keeps it.
    std::os::unix::fs::symlink(fixture.root(), fixture.outside("alias")).unwrap();
    drop(open(&fixture.outside("alias")).unwrap());
    writing.set("n.md", "changed").unwrap();
    drop(writing);
    fs::rename(fixture.root(), fixture.outside("moved")).unwrap();
    let moved = open(&fixture.outside("moved")).unwrap();
    assert_eq!(history(&moved).len(), 1);
    drop(moved);
    // Nor does another vault get it as long as its own is there.
    let error = open(&fixture.outside("other")).map(drop).unwrap_err().to_string();
    assert!(error.contains("another vault"), "{error}");
    fs::remove_dir_all(fixture.outside("moved")).unwrap();
    assert_eq!(history(&open(&fixture.outside("other")).unwrap()).len(), 1);
}
