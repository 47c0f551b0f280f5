//! Changes that other programs make are found within a second of the debounce.

use std::time::Duration;

use search::{Index, IndexOptions, WatchHandle, WatcherState};

use crate::harness::{Disk, found, outgoing, owner, reconcile, wait_until};

const PATIENCE: Duration = Duration::from_secs(5);

fn watched(disk: &Disk) -> (Index, WatchHandle) {
    let index = disk.open();
    reconcile(&index);
    let handle = index.watch().expect("a watcher starts");
    let watching = || index.status(&owner()).expect("status answers").watcher == WatcherState::Watching;
    wait_until(PATIENCE, "the watcher watches", watching);
    (index, handle)
}

#[track_caller]
fn finds(index: &Index, words: &str, paths: &[&str]) {
    wait_until(PATIENCE, words, || {
        let mut found = found(index, words);
        found.sort();
        found == paths
    });
}

#[test]
fn edits_and_deletes() {
    let disk = Disk::with(&[("a.md", "old")]);
    let (index, _handle) = watched(&disk);
    disk.write("a.md", "new");
    finds(&index, "new", &["a.md"]);
    finds(&index, "old", &[]);
    disk.write("b.md", "another");
    finds(&index, "another", &["b.md"]);
    disk.remove("a.md");
    finds(&index, "new", &[]);
}

#[test]
fn a_save_by_rename_and_a_rename() {
    let disk = Disk::with(&[("a.md", "old"), ("from.md", "[[a]]")]);
    let (index, _handle) = watched(&disk);
    disk.write(".a.md.tmp", "saved");
    disk.rename(".a.md.tmp", "a.md");
    finds(&index, "saved", &["a.md"]);
    disk.rename("a.md", "folder/b.md");
    finds(&index, "saved", &["folder/b.md"]);
    assert_eq!(outgoing(&index, &owner(), "from.md"), ["!a"]);
    disk.rename("folder/b.md", "folder/A.md");
    finds(&index, "saved", &["folder/A.md"]);
    wait_until(PATIENCE, "the link follows", || outgoing(&index, &owner(), "from.md") == ["folder/A.md"]);
}

/// A debouncer that merges "moved in" and "removed" into nothing forgets the note that the move
/// had replaced.
#[test]
fn a_note_replaced_from_outside_and_removed_at_once_is_gone() {
    let disk = Disk::with(&[("a.md", "original")]);
    let (index, _handle) = watched(&disk);
    let outside = tempfile::tempdir_in(disk.root().parent().unwrap()).unwrap();
    std::fs::write(outside.path().join("a.md"), "replacement").unwrap();
    std::fs::rename(outside.path().join("a.md"), disk.root().join("a.md")).unwrap();
    disk.remove("a.md");
    finds(&index, "original", &[]);
    finds(&index, "replacement", &[]);
}

#[test]
fn new_folders_with_files_in_them() {
    let disk = Disk::with(&[("a.md", "x")]);
    let (index, _handle) = watched(&disk);
    for round in 0..5 {
        disk.write(&format!("new {round}/deep/er/b.md"), format!("fresh{round}"));
        finds(&index, &format!("fresh{round}"), &[&format!("new {round}/deep/er/b.md")]);
    }
    // And what is written into it later.
    disk.write("new 0/deep/er/c.md", "later");
    finds(&index, "later", &["new 0/deep/er/c.md"]);
}

#[test]
fn trees_that_move_in_about_and_out() {
    let disk = Disk::with(&[("a.md", "x")]);
    let (index, _handle) = watched(&disk);
    let outside = tempfile::tempdir_in(disk.root().parent().unwrap()).unwrap();
    std::fs::create_dir_all(outside.path().join("tree/below")).unwrap();
    std::fs::write(outside.path().join("tree/one.md"), "leaf").unwrap();
    std::fs::write(outside.path().join("tree/below/two.md"), "leaf").unwrap();
    std::fs::rename(outside.path().join("tree"), disk.root().join("tree")).unwrap();
    finds(&index, "leaf", &["tree/below/two.md", "tree/one.md"]);
    disk.rename("tree", "forest");
    finds(&index, "leaf", &["forest/below/two.md", "forest/one.md"]);
    disk.write("forest/below/three.md", "leaf");
    finds(&index, "leaf", &["forest/below/three.md", "forest/below/two.md", "forest/one.md"]);
    std::fs::rename(disk.root().join("forest"), outside.path().join("gone")).unwrap();
    finds(&index, "leaf", &[]);
    // What happens out there is no longer ours.
    std::fs::write(outside.path().join("gone/four.md"), "leaf").unwrap();
    std::thread::sleep(Duration::from_millis(300));
    finds(&index, "leaf", &[]);
}

#[test]
fn a_folder_that_is_hidden_takes_its_notes_away() {
    let disk = Disk::with(&[("folder/a.md", "needle")]);
    let (index, _handle) = watched(&disk);
    disk.rename("folder", ".folder");
    finds(&index, "needle", &[]);
    disk.rename(".folder", "folder");
    finds(&index, "needle", &["folder/a.md"]);
}

#[test]
fn a_burst_is_taken_whole() {
    let disk = Disk::with(&[("a.md", "x")]);
    let (index, _handle) = watched(&disk);
    for number in 0..1500 {
        disk.write(&format!("burst/{}/{number}.md", number % 7), "many");
    }
    let total = || index.search(&owner(), &search::SearchQuery::new("many")).unwrap().total;
    wait_until(Duration::from_secs(20), "all of them", || total() == 1500);
}

#[test]
fn polling_finds_the_same() {
    let disk = Disk::with(&[("a.md", "old")]);
    let index = disk.open_with(IndexOptions { poll: Some(Duration::from_millis(50)), ..disk.options() });
    reconcile(&index);
    let _handle = index.watch().unwrap();
    let polling = |state: &WatcherState| matches!(state, WatcherState::Polling { interval_seconds, .. } if *interval_seconds == 0.05);
    wait_until(PATIENCE, "it polls", || polling(&index.status(&owner()).unwrap().watcher));
    disk.write("a.md", "new");
    disk.write("folder/b.md", "another");
    finds(&index, "new", &["a.md"]);
    finds(&index, "another", &["folder/b.md"]);
    assert_eq!(index.progress(), None, "a quiet look is not announced");
    disk.remove("a.md");
    finds(&index, "new", &[]);
}

#[test]
fn a_vault_that_goes_away_is_polled_for_and_its_index_kept() {
    let disk = Disk::with(&[("vault/a.md", "needle")]);
    let root = disk.root().join("vault");
    let vault = vault::Vault::open(&root, vault::VaultOptions::default()).unwrap();
    let data = tempfile::tempdir().unwrap();
    let options = IndexOptions { db_path: data.path().join("index.db"), ..disk.options() };
    let index = Index::open(vault, options).unwrap();
    let _handle = index.watch().unwrap();
    finds(&index, "needle", &["a.md"]);
    disk.rename("vault", "elsewhere");
    let polling = || matches!(index.status(&owner()).unwrap().watcher, WatcherState::Polling { .. });
    wait_until(PATIENCE, "it polls", polling);
    let error = || index.status(&owner()).unwrap().vault_error;
    wait_until(PATIENCE, "it says so", || error().is_some());
    let text = error().unwrap();
    assert!(text.contains("cannot be read at this moment"), "{text}");
    assert!(!text.contains(root.to_str().unwrap()), "{text}");
    // Whoever says that a note has changed now, knows nothing of it; neither does a look at everything.
    use vault::ChangeListener;
    let gone = vault::VaultPath::parse("a.md").unwrap();
    index.changed(&[vault::Change::Removed(gone.clone()), vault::Change::Written(gone)]).unwrap();
    assert!(index.reconcile(&|_| {}).is_err());
    assert_eq!(found(&index, "needle"), ["a.md"], "a vault that cannot be read empties no index");
    disk.rename("elsewhere", "vault");
    disk.write("vault/b.md", "more");
    finds(&index, "more", &["b.md"]);
    assert_eq!(error(), None);
    let watching = || index.status(&owner()).unwrap().watcher == WatcherState::Watching;
    wait_until(PATIENCE, "it watches again at once", watching);
}

#[test]
fn a_watcher_that_is_dropped_stops() {
    let disk = Disk::with(&[("a.md", "old")]);
    let (index, handle) = watched(&disk);
    drop(handle);
    assert_eq!(index.status(&owner()).unwrap().watcher, WatcherState::Off);
    disk.write("a.md", "new");
    std::thread::sleep(Duration::from_millis(300));
    assert!(found(&index, "new").is_empty());
}

/// What lies at a path now says nothing of what lay there before.
#[test]
fn a_path_that_becomes_something_else() {
    let disk = Disk::with(&[
        ("file.md", "wasfile"),
        ("folder/deep/a.md", "wasfolder"),
        ("out/deep/b.md", "wasinside"),
    ]);
    let (index, _handle) = watched(&disk);
    let outside = tempfile::tempdir_in(disk.root().parent().unwrap()).unwrap();
    let root = disk.root();

    disk.remove("file.md");
    std::fs::create_dir(root.join("file.md")).unwrap();
    finds(&index, "wasfile", &[]);

    std::fs::rename(root.join("folder"), outside.path().join("folder")).unwrap();
    disk.write("folder", "now a file");
    finds(&index, "wasfolder", &[]);

    std::fs::rename(root.join("out"), outside.path().join("out")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("out"), root.join("out")).unwrap();
    finds(&index, "wasinside", &[]);
}

/// A folder is looked at twice after it was touched, not for ever: however many events a storm on it
/// brings, the walks are few, and they end with it.
#[test]
fn a_storm_on_one_folder_leads_to_few_walks() {
    use std::os::unix::fs::PermissionsExt;
    let disk = Disk::with(&[("folder/a.md", "x")]);
    let (index, handle) = watched(&disk);
    let folder = disk.root().join("folder");
    std::thread::sleep(Duration::from_millis(300));
    let before = handle.walks();
    let begun = std::time::Instant::now();
    let mut events = 0u64;
    while begun.elapsed() < Duration::from_secs(1) {
        // The folder itself is touched, and its place is taken by another folder of its name.
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755 - (events % 2) as u32))
            .unwrap();
        std::fs::create_dir(disk.root().join("other")).unwrap();
        std::fs::remove_dir(disk.root().join("other")).unwrap();
        events += 3;
        std::thread::sleep(Duration::from_millis(2));
    }
    let lasted = begun.elapsed();
    disk.write("folder/b.md", "after the storm");
    finds(&index, "storm", &["folder/b.md"]);
    // Every look that was still to come.
    std::thread::sleep(Duration::from_millis(600));
    let walks = handle.walks() - before;
    // A batch waits for the debounce time at least, and each may be followed by a second look.
    let most = (lasted.as_millis() / 50 + 4) as u64 * 2 * 2;
    assert!(walks > 0 && walks <= most && walks < events / 2, "{walks} walks for {events} events");
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!(handle.walks() - before, walks, "the walks go on without an event");
}
