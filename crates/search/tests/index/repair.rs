//! Whatever happens to the vault and to the process, the index ends up equal to one built from
//! nothing: table by table, and in what the full-text engine answers from memory.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use proptest::prelude::*;
use search::{
    FtsAnswer, FtsQuery, Index, IndexOptions, RecallAnswer, RecallQuery, SearchAnswer, SearchQuery,
    StatusFilter, TaskQuery,
};
use vault::{Change, ChangeListener};

use crate::dump::{assert_same, dump};
use crate::harness::{Disk, backlinks, found, owner, path, reconcile};

/// Something that happens.
#[derive(Debug, Clone)]
enum Event {
    Write(usize, usize),
    Delete(usize),
    Rename(usize, usize),
    RenameFolder(usize, usize),
    /// `note.md` becomes `Note.md`, or back.
    ChangeCase(usize),
    DeleteAndRestore(usize),
    /// What lies at a file's path becomes a folder with a note in it.
    FileToFolder(usize),
    /// A folder leaves the vault and something else takes its name.
    Replace(usize, Instead),
    /// A folder leaves the vault, or comes back.
    MoveOutOrIn(usize),
    /// A FIFO takes a file's path.
    Pipe(usize),
    /// A symbolic link takes a file's path.
    Link(usize, Target),
    /// A file gets a second name in the vault.
    HardLink(usize, usize),
    /// A file gets a second name outside the vault, or loses it. No system tells of that alone.
    HardLinkOutside(usize),
    /// `ähre.md` or `a b.md` spelt otherwise appears in a folder, or goes.
    Twin(usize, bool),
    /// The index is told of what was touched since it was told last.
    Tell,
    Reconcile,
    /// Obsidian writes other settings of the Tasks plugin, or removes them.
    ChangeTaskSettings(usize),
    AskForTasks,
    /// A reconcile is cut off after so many microseconds, and the process starts again.
    Abort(u64),
    Restart,
    /// Somebody asks for memory entries in a folder: what is kept of them must follow every change.
    Recall(usize),
}

/// What takes a folder's name.
#[derive(Debug, Clone, Copy)]
enum Instead {
    File,
    LinkInside(usize),
    LinkOutside,
}

/// What a link leads to.
#[derive(Debug, Clone, Copy)]
enum Target {
    File(usize),
    Folder(usize),
    Outside,
    Hidden,
    Nowhere,
}

const FOLDERS: [&str; 4] = ["", "x/", "x/y/", "Z/"];
const NAMES: [&str; 8] =
    ["note.md", "Note.md", "other.md", "ähre.md", "board.canvas", "pic.png", "v1.2.md", "a b.md"];

fn file(number: usize) -> String {
    format!("{}{}", FOLDERS[number % FOLDERS.len()], NAMES[number / FOLDERS.len() % NAMES.len()])
}

const FILES: usize = FOLDERS.len() * NAMES.len();

const TASK_SETTINGS: &str = ".obsidian/plugins/obsidian-tasks-plugin/data.json";

const TASK_SETTINGS_TEXTS: [&str; 4] = [
    "",
    "{\"globalFilter\":\"#task\"}",
    "{\"taskFormat\":\"dataview\",\"statusSettings\":{\"customStatuses\":[{\"symbol\":\"X\",\"type\":\"DONE\"}]}}",
    "{ broken",
];

const TEXTS: [&str; 22] = [
    "",
    "plain words about rockets",
    "[[note]] and [[x/y/note]] and [[Other|shown]] #tag",
    "---\ntitle: Titled\ntags: [a/b, C]\naliases: [other]\nrelated: [\"[[other]]\"]\n---\n# Head\n[[../note]] ![[pic.png]] #c",
    "# One\n## Two\nrocket [[#One]] [[v1.2]] [[board.canvas]] [md](other.md)",
    "---\nbroken: [\n---\nstill words",
    "---\nnever closed\nwords",
    "\u{feff}---\r\ncreated: 2026-01-02\r\n---\r\nwindows rockets\r\n",
    "> [!note] Top\n> callout words\n\n[[ähre]] [[ÄHRE]] [[missing]]",
    "{\"nodes\":[{\"id\":\"1\",\"type\":\"file\",\"file\":\"x/note.md\",\"x\":0,\"y\":0,\"width\":1,\"height\":1}],\"edges\":[]}",
    "{\"nodes\": [",
    "%% [[note]] #hidden %% `[[other]]` ~~~\n[[x]]\n~~~",
    "日本語のテキスト #日本 [[other]]",
    "rocket rocketry rockets rocketed",
    "# Me\n## Tools (newest first)\n- **2026-01-12**: Rockets in **2026**\n  and words\n- **2026-01-08**: [[note]] words",
    "- **2025-12-31**: rocket before any heading\n# Tools\n* **2026-01-12**: rockets\n- **2026-02-30**: no such day",
    "---\ntitle: Titled\n---\n## Tools\n- **2026-01-12**: Rockets in **2026**\n```\n- **2026-01-01**: code\n```\n",
    "# To do\n- [ ] rockets #task ⏫ 📅 2026-03-10 ^r1\n  - [x] words [due:: 2026-02-30] #a/b\n- [X] [[note]]\n",
    "---\nkanban-plugin: board\n---\n## Active (2)\n\n- [ ] card #task\n\n## Done\n\n**Complete**\n- [x] card ✅ 2026-01-01\n",
    "# One ^h\nwords ^Id-1\n\n- item ^i\n\n[[#^id-1]] [[note#One]] [[other#One#Two]] [[x/y/note#^H]]",
    "# Two\n## One?\n[[note#^i]] [[#two#one]] ![[other#^none]] rockets\n\n> quote\n\n^Id-1",
    "{\"nodes\":[{\"id\":\"1\",\"type\":\"file\",\"file\":\"x/note.md\",\"subpath\":\"#One\",\"x\":0,\"y\":0,\"width\":1,\"height\":1},{\"id\":\"2\",\"type\":\"file\",\"file\":\"note.md\",\"subpath\":\"#^id-1\",\"x\":0,\"y\":9,\"width\":1,\"height\":1}],\"edges\":[]}",
];

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        6 => (0..FILES, 0..TEXTS.len()).prop_map(|(file, text)| Event::Write(file, text)),
        2 => (0..FILES).prop_map(Event::Delete),
        2 => (0..FILES, 0..FILES).prop_map(|(from, to)| Event::Rename(from, to)),
        1 => (1..FOLDERS.len(), 1..FOLDERS.len()).prop_map(|(from, to)| Event::RenameFolder(from, to)),
        1 => (0..FOLDERS.len()).prop_map(Event::ChangeCase),
        1 => (0..FILES).prop_map(Event::DeleteAndRestore),
        1 => (0..FILES).prop_map(Event::FileToFolder),
        1 => (1..FOLDERS.len(), instead()).prop_map(|(folder, instead)| Event::Replace(folder, instead)),
        1 => (1..FOLDERS.len()).prop_map(Event::MoveOutOrIn),
        1 => (0..FILES).prop_map(Event::Pipe),
        2 => (0..FILES, target()).prop_map(|(file, target)| Event::Link(file, target)),
        1 => (0..FILES, 0..FILES).prop_map(|(from, to)| Event::HardLink(from, to)),
        1 => (0..FILES).prop_map(Event::HardLinkOutside),
        1 => (0..FOLDERS.len(), any::<bool>()).prop_map(|(folder, accent)| Event::Twin(folder, accent)),
        3 => Just(Event::Tell),
        1 => Just(Event::Reconcile),
        1 => (0..TASK_SETTINGS_TEXTS.len()).prop_map(Event::ChangeTaskSettings),
        1 => Just(Event::AskForTasks),
        1 => (0..20_000u64).prop_map(Event::Abort),
        1 => Just(Event::Restart),
        1 => (0..FOLDERS.len()).prop_map(Event::Recall),
    ]
}

/// What is recalled of a folder's notes.
fn recall(index: &Index, words: &str, folder: usize) -> RecallAnswer {
    let query = RecallQuery::new(words, FOLDERS[folder].trim_end_matches('/'));
    let answer = index.memory_recall(&owner(), &query).expect("a recall");
    RecallAnswer { indexing: None, ..answer }
}

fn every_task() -> TaskQuery {
    TaskQuery { statuses: vec![StatusFilter::All], limit: 10_000, ..TaskQuery::default() }
}

fn instead() -> impl Strategy<Value = Instead> {
    prop_oneof![
        Just(Instead::File),
        (0..FOLDERS.len()).prop_map(Instead::LinkInside),
        Just(Instead::LinkOutside)
    ]
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![
        3 => (0..FILES).prop_map(Target::File),
        1 => (0..FOLDERS.len()).prop_map(Target::Folder),
        1 => Just(Target::Outside),
        1 => Just(Target::Hidden),
        1 => Just(Target::Nowhere),
    ]
}

/// What a path on disk is: kind, inode, size, time and what a link says.
type Entry = (bool, bool, u64, u64, std::time::SystemTime, Option<PathBuf>);

/// A vault, its index, and what the index was told.
struct World {
    disk: Disk,
    outside: tempfile::TempDir,
    index: Option<Index>,
    /// The disk when the index was last told of changes.
    told: BTreeMap<String, Entry>,
    /// Paths that changed without a trace on disk.
    besides: Vec<String>,
}

impl World {
    fn new() -> Self {
        let disk = Disk::new();
        let outside = tempfile::tempdir_in(disk.root().parent().unwrap()).unwrap();
        std::fs::create_dir(outside.path().join("folder")).unwrap();
        std::fs::write(outside.path().join("folder/secret.md"), "topsecret rockets").unwrap();
        disk.write(".hidden/secret.md", "topsecret rockets");
        let index = Some(disk.open());
        Self { disk, outside, index, told: BTreeMap::new(), besides: Vec::new() }
    }

    fn index(&self) -> &Index {
        self.index.as_ref().expect("an open index")
    }

    fn on_disk(&self, file: &str) -> PathBuf {
        self.disk.root().join(file)
    }

    /// Everything in the vault that is not hidden.
    fn look(&self) -> BTreeMap<String, Entry> {
        let mut found = BTreeMap::new();
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(self.on_disk(&folder)).unwrap() {
                let entry = entry.unwrap();
                let name = entry.file_name().into_string().unwrap();
                if name.starts_with('.') {
                    continue;
                }
                let (path, stat) = (format!("{folder}{name}"), entry.metadata().unwrap());
                if stat.is_dir() {
                    folders.push(format!("{path}/"));
                }
                let time = if stat.is_dir() { std::time::UNIX_EPOCH } else { stat.modified().unwrap() };
                let target = std::fs::read_link(entry.path()).ok();
                found.insert(path, (stat.is_dir(), stat.is_file(), stat.ino(), stat.size(), time, target));
            }
        }
        found
    }

    /// A plain path to put something at: nothing is there, folders lead there. `None` when it is taken
    /// by a folder, or no folder can be there.
    fn free(&self, file: &str) -> Option<PathBuf> {
        let place = self.on_disk(file);
        std::fs::create_dir_all(place.parent().unwrap()).ok()?;
        match place.symlink_metadata() {
            Ok(stat) if stat.is_dir() => return None,
            Ok(_) => std::fs::remove_file(&place).unwrap(),
            Err(_) => {}
        }
        Some(place)
    }

    /// Takes a folder (or what has its name) out of the vault.
    fn take_out(&self, folder: &str) -> bool {
        let (from, to) = (self.on_disk(folder), self.outside.path().join(folder.replace('/', "-")));
        let _ = std::fs::remove_dir_all(&to).or_else(|_| std::fs::remove_file(&to));
        std::fs::rename(from, to).is_ok()
    }

    fn happen(&mut self, event: &Event) {
        match event {
            Event::Write(number, text) => {
                let place = self.on_disk(&file(*number));
                let writable = place.metadata().map_or(true, |stat| stat.is_file());
                if writable && std::fs::create_dir_all(place.parent().unwrap()).is_ok() {
                    let _ = std::fs::write(place, TEXTS[*text]);
                }
            }
            Event::Delete(number) => {
                let _ = std::fs::remove_file(self.on_disk(&file(*number)));
            }
            Event::Rename(from, to) => {
                let to = self.on_disk(&file(*to));
                if std::fs::create_dir_all(to.parent().unwrap()).is_ok() {
                    let _ = std::fs::rename(self.on_disk(&file(*from)), to);
                }
            }
            Event::RenameFolder(from, to) => {
                let (from, to) = (FOLDERS[*from].trim_end_matches('/'), FOLDERS[*to].trim_end_matches('/'));
                let taken = self.on_disk(to).symlink_metadata().is_ok();
                if from != to && !to.starts_with(from) && !taken && self.on_disk(from).exists() {
                    let to = self.on_disk(to);
                    if std::fs::create_dir_all(to.parent().unwrap()).is_ok() {
                        let _ = std::fs::rename(self.on_disk(from), to);
                    }
                }
            }
            Event::ChangeCase(folder) => {
                let [lower, upper] =
                    ["note.md", "Note.md"].map(|name| self.on_disk(&format!("{}{name}", FOLDERS[*folder])));
                match (lower.exists(), upper.exists()) {
                    (true, false) => std::fs::rename(lower, upper).unwrap(),
                    (false, true) => std::fs::rename(upper, lower).unwrap(),
                    _ => {}
                }
            }
            Event::DeleteAndRestore(number) => {
                let place = self.on_disk(&file(*number));
                if place.symlink_metadata().is_ok_and(|stat| stat.is_file()) {
                    let content = std::fs::read(&place).unwrap();
                    std::fs::remove_file(&place).unwrap();
                    self.tell();
                    std::fs::write(&place, content).unwrap();
                }
            }
            Event::FileToFolder(number) => {
                if let Some(place) = self.free(&file(*number)) {
                    std::fs::create_dir(&place).unwrap();
                    std::fs::write(place.join("inner.md"), "inner rockets [[note]]").unwrap();
                }
            }
            Event::Replace(folder, instead) => {
                let folder = FOLDERS[*folder].trim_end_matches('/');
                if !self.take_out(folder) {
                    return;
                }
                let place = self.on_disk(folder);
                match instead {
                    Instead::File => std::fs::write(place, "a file now").unwrap(),
                    Instead::LinkInside(to) => symlink(self.on_disk(FOLDERS[*to]), place).unwrap(),
                    Instead::LinkOutside => symlink(self.outside.path().join("folder"), place).unwrap(),
                }
            }
            Event::MoveOutOrIn(folder) => {
                let folder = FOLDERS[*folder].trim_end_matches('/');
                let place = self.on_disk(folder);
                if place.symlink_metadata().is_ok() {
                    self.take_out(folder);
                } else if place.parent().unwrap().is_dir() {
                    let _ = std::fs::rename(self.outside.path().join(folder.replace('/', "-")), place);
                }
            }
            Event::Pipe(number) => {
                if let Some(place) = self.free(&file(*number)) {
                    assert!(Command::new("mkfifo").arg(place).status().unwrap().success());
                }
            }
            Event::Link(number, target) => {
                if let Some(place) = self.free(&file(*number)) {
                    let target = match target {
                        Target::File(number) => self.on_disk(&file(*number)),
                        Target::Folder(folder) => self.on_disk(FOLDERS[*folder]),
                        Target::Outside => self.outside.path().join("folder/secret.md"),
                        Target::Hidden => self.on_disk(".hidden/secret.md"),
                        Target::Nowhere => self.on_disk("nowhere"),
                    };
                    symlink(target, place).unwrap();
                }
            }
            Event::HardLink(from, to) => {
                let from = self.on_disk(&file(*from));
                let plain = from.symlink_metadata().is_ok_and(|stat| stat.is_file());
                if plain && let Some(place) = self.free(&file(*to)) {
                    // It can be the very file that had to go.
                    let _ = std::fs::hard_link(from, place);
                }
            }
            Event::HardLinkOutside(number) => {
                let (name, outside) = (file(*number), self.outside.path().join(format!("link {number}")));
                if std::fs::remove_file(&outside).is_err() && self.on_disk(&name).is_file() {
                    let _ = std::fs::hard_link(self.on_disk(&name), outside);
                }
                // Whatever has that file's name in the vault now.
                self.besides.extend(self.look().into_keys());
            }
            Event::Twin(folder, accent) => {
                let name = if *accent { "a\u{308}hre.md" } else { "a\u{a0}b.md" };
                let place = self.on_disk(&format!("{}{name}", FOLDERS[*folder]));
                if place.parent().unwrap().is_dir() && std::fs::remove_file(&place).is_err() {
                    std::fs::write(place, "the twin's rockets").unwrap();
                }
            }
            Event::Tell => self.tell(),
            Event::Reconcile => {
                reconcile(self.index());
            }
            Event::ChangeTaskSettings(number) => match TASK_SETTINGS_TEXTS[*number] {
                "" => drop(std::fs::remove_file(self.on_disk(TASK_SETTINGS))),
                text => self.disk.write(TASK_SETTINGS, text),
            },
            Event::AskForTasks => {
                self.index().tasks(&owner(), &every_task()).expect("tasks");
            }
            Event::Abort(microseconds) => {
                let index = self.index.take().expect("an open index");
                std::thread::scope(|scope| {
                    let running = scope.spawn(|| index.reconcile(&|_| {}));
                    std::thread::sleep(Duration::from_micros(*microseconds));
                    index.clone().close();
                    let _ = running.join();
                });
                drop(index);
                self.index = Some(self.disk.open());
            }
            Event::Restart => {
                drop(self.index.take());
                self.index = Some(self.disk.open());
            }
            Event::Recall(folder) => {
                recall(self.index(), "rockets tools", *folder);
            }
        }
    }

    /// Tells the index of every path that is not as it was when it was told last.
    fn tell(&mut self) {
        let now = self.look();
        let differs = |path: &&String| now.get(*path) != self.told.get(*path);
        let mut paths: BTreeSet<String> =
            now.keys().chain(self.told.keys()).filter(differs).cloned().collect();
        paths.extend(self.besides.drain(..));
        let changes: Vec<Change> = paths
            .iter()
            .map(|file| match now.contains_key(file) {
                true => Change::Written(path(file)),
                false => Change::Removed(path(file)),
            })
            .collect();
        self.told = now;
        self.index().changed(&changes).expect("changes are indexed");
    }

    /// Waits until the index counts what a new one counts; then gives stragglers the time to be seen.
    fn wait_for_a_rebuild(&self, story: &str) {
        let elsewhere = Disk::new();
        let rebuilt =
            self.disk.open_with(IndexOptions { db_path: elsewhere.database(), ..self.disk.options() });
        reconcile(&rebuilt);
        let counts = |index: &Index| {
            let status = index.status(&owner()).unwrap();
            let words = ["rockets", "words", "inner", "twin"];
            let found = words.map(|words| found(index, words));
            (status.notes, status.files, status.links, status.unresolved_links, status.skipped, found)
        };
        let expected = counts(&rebuilt);
        let started = std::time::Instant::now();
        while counts(self.index()) != expected {
            let now = counts(self.index());
            assert!(started.elapsed() < Duration::from_secs(5), "{story}\n{now:?}\nnot {expected:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(200));
        rebuilt.close();
    }

    /// Compares with an index that is built now, from nothing. Closes the index.
    fn assert_equal_to_a_rebuild(&mut self, story: &str) {
        let elsewhere = Disk::new();
        let options = IndexOptions { db_path: elsewhere.database(), ..self.disk.options() };
        let rebuilt = self.disk.open_with(options);
        reconcile(&rebuilt);
        let index = self.index();
        for words in ["rockets", "rocket", "words", "note", "titled", "日本", "x", "\"rocket rocketry\""] {
            let (query, syntax) = (SearchQuery::new(words), FtsQuery::new(words));
            // One that was not reconciled since it was opened says so, and answers the same.
            let search = |index: &Index| SearchAnswer {
                indexing: None,
                ..index.search(&owner(), &query).expect("a search")
            };
            let fts_search = |index: &Index| FtsAnswer {
                indexing: None,
                ..index.fts_search(&owner(), &syntax).expect("a search")
            };
            assert_eq!(search(index), search(&rebuilt), "{story}");
            assert_eq!(fts_search(index), fts_search(&rebuilt), "{story}");
        }
        for (words, folder) in ["rockets", "tools 2026", "note me"].iter().zip([1, 2, 3]) {
            // Twice each: kept from before this, and of a folder that was not asked about.
            assert_eq!(recall(index, words, folder), recall(&rebuilt, words, folder), "{story}");
            assert_eq!(recall(index, words, folder), recall(&rebuilt, words, folder), "{story}");
        }
        assert_eq!(index.list_tags(&owner()).unwrap(), rebuilt.list_tags(&owner()).unwrap(), "{story}");
        let tasks = |index: &Index| index.tasks(&owner(), &every_task()).expect("tasks");
        assert_eq!(tasks(index), tasks(&rebuilt), "{story}");
        for name in (0..FILES).map(file) {
            let links = |index: &Index| index.outgoing_links(&owner(), &path(&name)).expect("links");
            assert_eq!(links(index), links(&rebuilt), "{story}");
            assert_eq!(backlinks(index, &owner(), &name), backlinks(&rebuilt, &owner(), &name), "{story}");
        }
        let (left, right) = (self.disk.database(), elsewhere.database());
        self.index.take().expect("an open index").close();
        rebuilt.close();
        assert_same(&dump(&left), &dump(&right), story);
    }
}

/// As many as asked for in the environment, or else few.
fn cases(few: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(few)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(40),
        max_shrink_iters: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_history_ends_in_what_a_rebuild_gives(events in proptest::collection::vec(event(), 1..40)) {
        let mut world = World::new();
        for event in &events {
            world.happen(event);
        }
        reconcile(world.index());
        world.assert_equal_to_a_rebuild(&format!("{events:?}"));
    }

    /// Without a reconcile: an index that is told of every change is as good.
    #[test]
    fn an_index_that_is_told_everything_needs_no_reconcile(events in proptest::collection::vec(event(), 1..40)) {
        let mut world = World::new();
        for event in &events {
            if !matches!(event, Event::Reconcile | Event::Abort(_)) {
                world.happen(event);
            }
        }
        world.tell();
        world.assert_equal_to_a_rebuild(&format!("{events:?}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(8),
        max_shrink_iters: 30,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// The system's events are enough: of a folder that comes or goes it tells the folder's name alone.
    #[test]
    fn a_watched_vault_ends_in_what_a_rebuild_gives(events in proptest::collection::vec(event(), 1..25)) {
        let mut world = World::new();
        let watching = world.index().watch().unwrap();
        for event in &events {
            match event {
                // The system is silent about these, or they would end the watching.
                Event::Reconcile | Event::Abort(_) | Event::Restart | Event::HardLinkOutside(_) => {}
                // Here: time for the watcher to look.
                Event::Tell | Event::DeleteAndRestore(_) => std::thread::sleep(Duration::from_millis(70)),
                // A name that leaves the vault before anybody saw it leaves no trace in the events of the
                // file's other name.
                Event::HardLink(..) => {
                    world.happen(event);
                    world.wait_for_a_rebuild(&format!("{events:?}"));
                }
                event => world.happen(event),
            }
        }
        world.wait_for_a_rebuild(&format!("{events:?}"));
        drop(watching);
        world.assert_equal_to_a_rebuild(&format!("{events:?}"));
    }
}

/// A folder that was moved twice, the second time into one that its first name had.
#[test]
fn a_folder_that_is_moved_and_moved_again() {
    let mut world = World::new();
    for event in [Event::Write(10, 11), Event::RenameFolder(1, 3), Event::RenameFolder(3, 2)] {
        world.happen(&event);
    }
    world.tell();
    world.assert_equal_to_a_rebuild("moved twice");
}

/// Says where the child of the next test works.
const CHILD: &str = "VAULT_CORTEX_TEST_CHILD";

/// The child of the next test: works on the vault and the index until it is killed. Without the
/// variable it is no child and passes.
#[test]
fn child_that_is_killed() {
    let Ok(places) = std::env::var(CHILD) else { return };
    let (root, database) = places.split_once('\n').expect("two places");
    let vault = vault::Vault::open(root.as_ref(), vault::VaultOptions::default()).unwrap();
    let index = Index::open(vault, IndexOptions::new(database, jiff::Timestamp::now)).unwrap();
    println!("open");
    reconcile(&index);
    for round in 0..1_000_000usize {
        let name = file(round * 31 + round / 7);
        let place = std::path::Path::new(root).join(&name);
        if round % 5 == 4 {
            let _ = std::fs::remove_file(&place);
        } else {
            std::fs::create_dir_all(place.parent().unwrap()).unwrap();
            std::fs::write(&place, format!("{} round {round}", TEXTS[round % TEXTS.len()])).unwrap();
        }
        if round % 3 != 0 {
            index.changed(&[Change::Written(path(&name))]).unwrap();
        }
        if round % 50 == 49 {
            reconcile(&index);
        }
    }
}

#[test]
fn a_process_killed_at_any_moment_leaves_an_index_that_repairs_itself() {
    let mut world = World::new();
    world.index = None;
    for number in 0..400 {
        world.disk.write(
            &format!("many/{number}.md"),
            format!("hay {number} [[{}]] [[note]] #t{number}", number + 1),
        );
    }
    for round in 0..12u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["repair::child_that_is_killed", "--exact", "--nocapture"])
            .env(CHILD, format!("{}\n{}", world.disk.root().display(), world.disk.database().display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Not before it has opened the index, and then at another moment each time.
        let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
        assert!(lines.any(|line| line.is_ok_and(|line| line.contains("open"))), "the child opened the index");
        std::thread::sleep(Duration::from_millis(7 * round * round));
        child.kill().unwrap();
        child.wait().unwrap();

        let index = world.disk.open();
        assert!(index.status(&owner()).unwrap().rebuilt.is_none(), "nothing had to be put aside");
        reconcile(&index);
        world.index = Some(index);
        world.assert_equal_to_a_rebuild(&format!("killed in round {round}"));
    }
}
