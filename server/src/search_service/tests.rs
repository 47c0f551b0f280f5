//! Several processes over one vault, and an index that cannot be made.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

fn wait_until_ready(service: &SearchService) {
    let started = Instant::now();
    while service.health() != Health::Ready {
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", service.health());
        thread::sleep(Duration::from_millis(5));
    }
}

fn start(folder: &Path) -> SearchService {
    let vault = Vault::open(&folder.join("vault"), vault::VaultOptions::default()).unwrap();
    SearchService::start(vault, IndexOptions::new(folder.join("data/index.db"), app::now))
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test makes a folder of its own")]
fn a_second_process_has_an_index_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("vault")).unwrap();
    let first = start(folder.path());
    wait_until_ready(&first);
    let second = start(folder.path());
    wait_until_ready(&second);
    let files: BTreeSet<_> = std::fs::read_dir(folder.path().join("data"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".db"))
        .collect();
    assert_eq!(files.into_iter().collect::<Vec<_>>(), ["index-2.db", "index.db"]);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test makes files of its own")]
fn an_index_that_cannot_be_made_says_so_without_paths() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("vault")).unwrap();
    // A file where the folder of the index should be.
    std::fs::write(folder.path().join("data"), "").unwrap();
    let service = start(folder.path());
    let reason = service.index().err().unwrap();
    assert!(reason.starts_with("search is not available: "), "{reason}");
    assert!(!reason.contains(folder.path().to_str().unwrap()), "{reason}");
    assert!(matches!(service.health(), Health::Unavailable(_)));
}

/// While set, looking at a file takes as long as on a slow disk.
static SLOW: AtomicBool = AtomicBool::new(false);

fn slow_clock() -> jiff::Timestamp {
    if SLOW.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(20));
    }
    app::now()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test makes files of its own")]
fn closing_does_not_wait_for_a_watcher_that_looks_over_a_big_vault() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("vault");
    std::fs::create_dir(&root).unwrap();
    let vault = Vault::open(&root, vault::VaultOptions::default()).unwrap();
    let options = IndexOptions::new(folder.path().join("data/index.db"), slow_clock);
    let service = SearchService::start(vault, options);
    wait_until_ready(&service);
    let is_watching = || {
        let status = service.index().unwrap().status(&vault::Principal::owner("test")).unwrap();
        status.watcher == search::WatcherState::Watching
    };
    while !is_watching() {
        thread::sleep(Duration::from_millis(5));
    }
    SLOW.store(true, Ordering::Relaxed);
    // So many that the watcher looks the vault over instead of at each: 20 ms for each of them.
    for number in 0..1_500 {
        std::fs::write(root.join(format!("{number}.md")), "text").unwrap();
    }
    let started = Instant::now();
    while !matches!(service.health(), Health::Indexing(progress) if progress.done > 0) {
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", service.health());
        thread::sleep(Duration::from_millis(1));
    }
    let closing = Instant::now();
    service.close();
    let took = closing.elapsed();
    SLOW.store(false, Ordering::Relaxed);
    assert!(took < Duration::from_secs(5), "closing took {took:?}");
}
