//! Whatever happens to the vault and to the process, the index ends up equal to one built from
//! nothing: table by table, and in what the full-text engine answers from memory.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use proptest::prelude::*;
use search::{
    FtsAnswer, FtsQuery, Index, IndexOptions, RecallAnswer, RecallQuery, SearchAnswer, SearchQuery,
};
use vault::{Change, ChangeListener};

use crate::dump::{assert_same, dump};
use crate::harness::{Disk, backlinks, outgoing, owner, path, reconcile};

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
    /// The index is told of what was touched since it was told last.
    Tell,
    Reconcile,
    /// A reconcile is cut off after so many microseconds, and the process starts again.
    Abort(u64),
    Restart,
    /// Somebody asks for memory entries in a folder: what is kept of them must follow every change.
    Recall(usize),
}

const FOLDERS: [&str; 4] = ["", "x/", "x/y/", "Z/"];
const NAMES: [&str; 7] = ["note.md", "Note.md", "other.md", "ähre.md", "board.canvas", "pic.png", "v1.2.md"];

fn file(number: usize) -> String {
    format!("{}{}", FOLDERS[number % FOLDERS.len()], NAMES[number / FOLDERS.len() % NAMES.len()])
}

const FILES: usize = FOLDERS.len() * NAMES.len();

const TEXTS: [&str; 17] = [
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
];

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        6 => (0..FILES, 0..TEXTS.len()).prop_map(|(file, text)| Event::Write(file, text)),
        2 => (0..FILES).prop_map(Event::Delete),
        2 => (0..FILES, 0..FILES).prop_map(|(from, to)| Event::Rename(from, to)),
        1 => (1..FOLDERS.len(), 1..FOLDERS.len()).prop_map(|(from, to)| Event::RenameFolder(from, to)),
        1 => (0..FOLDERS.len()).prop_map(Event::ChangeCase),
        1 => (0..FILES).prop_map(Event::DeleteAndRestore),
        3 => Just(Event::Tell),
        1 => Just(Event::Reconcile),
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

/// A vault, its index, and what the index was not told yet.
struct World {
    disk: Disk,
    index: Option<Index>,
    untold: Vec<String>,
}

impl World {
    fn new() -> Self {
        let disk = Disk::new();
        let index = Some(disk.open());
        Self { disk, index, untold: Vec::new() }
    }

    fn index(&self) -> &Index {
        self.index.as_ref().expect("an open index")
    }

    fn on_disk(&self, file: &str) -> PathBuf {
        self.disk.root().join(file)
    }

    /// Every file below a folder, whatever renames have made of its path.
    fn below(&self, folder: &str) -> Vec<String> {
        let mut files = Vec::new();
        let mut folders = vec![folder.trim_end_matches('/').to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(self.on_disk(&folder)).unwrap() {
                let entry = entry.unwrap();
                let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
                if entry.file_type().unwrap().is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files
    }

    fn happen(&mut self, event: &Event) {
        match event {
            Event::Write(number, text) => {
                self.disk.write(&file(*number), TEXTS[*text]);
                self.untold.push(file(*number));
            }
            Event::Delete(number) if self.on_disk(&file(*number)).exists() => {
                self.disk.remove(&file(*number));
                self.untold.push(file(*number));
            }
            Event::Rename(from, to) if self.on_disk(&file(*from)).exists() => {
                self.disk.rename(&file(*from), &file(*to));
                self.untold.extend([file(*from), file(*to)]);
            }
            Event::RenameFolder(from, to) => self.rename_folder(FOLDERS[*from], FOLDERS[*to]),
            Event::ChangeCase(folder) => {
                let names = ["note.md", "Note.md"].map(|name| format!("{}{name}", FOLDERS[*folder]));
                let [lower, upper] = &names;
                match (self.on_disk(lower).exists(), self.on_disk(upper).exists()) {
                    (true, false) => self.disk.rename(lower, upper),
                    (false, true) => self.disk.rename(upper, lower),
                    _ => return,
                }
                self.untold.extend(names);
            }
            Event::DeleteAndRestore(number) if self.on_disk(&file(*number)).exists() => {
                let content = std::fs::read(self.on_disk(&file(*number))).unwrap();
                self.disk.remove(&file(*number));
                self.untold.push(file(*number));
                self.tell();
                self.disk.write(&file(*number), content);
                self.untold.push(file(*number));
            }
            Event::Tell => self.tell(),
            Event::Reconcile => {
                reconcile(self.index());
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
            Event::Delete(_) | Event::Rename(..) | Event::DeleteAndRestore(_) => {}
        }
    }

    fn rename_folder(&mut self, from: &str, to: &str) {
        let (from, to) = (from.trim_end_matches('/'), to.trim_end_matches('/'));
        if from == to || to.starts_with(from) || !self.on_disk(from).exists() || self.on_disk(to).exists() {
            return;
        }
        let moved = self.below(&format!("{from}/"));
        self.untold.extend(moved.iter().cloned());
        self.untold.extend(moved.iter().map(|file| file.replacen(from, to, 1)));
        self.disk.rename(from, to);
    }

    fn tell(&mut self) {
        let changes: Vec<Change> = self
            .untold
            .drain(..)
            .map(|file| match self.disk.root().join(&file).exists() {
                true => Change::Written(path(&file)),
                false => Change::Removed(path(&file)),
            })
            .collect();
        self.index().changed(&changes).expect("changes are indexed");
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
        for name in (0..FILES).map(file) {
            assert_eq!(outgoing(index, &owner(), &name), outgoing(&rebuilt, &owner(), &name), "{story}");
            assert_eq!(backlinks(index, &owner(), &name), backlinks(&rebuilt, &owner(), &name), "{story}");
        }
        let (left, right) = (self.disk.database(), elsewhere.database());
        self.index.take().expect("an open index").close();
        rebuilt.close();
        assert_same(&dump(&left), &dump(&right), story);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 40,
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
