//! Opening, closing, starting again, and files that cannot be used.

use std::os::unix::fs::PermissionsExt;

use search::{Index, IndexOptions, Progress, SearchError, SearchQuery};
use vault::{Change, ChangeListener};

use crate::harness::{Disk, found, owner, path, reconcile};

#[test]
fn an_index_inside_the_vault_is_refused() {
    let disk = Disk::with(&[("a.md", "x")]);
    for place in ["index.db", "deep/er/index.db", ".obsidian/index.db", "../linked/index.db"] {
        let inside = disk.root().join(place);
        if place.starts_with("..") {
            let link = disk.root().parent().unwrap().join("linked");
            let _ = std::fs::remove_file(&link);
            std::os::unix::fs::symlink(disk.root(), &link).unwrap();
        }
        let options = IndexOptions { db_path: inside, ..disk.options() };
        let refused = Index::open(disk.vault(), options.clone());
        assert!(matches!(refused, Err(SearchError::InsideVault(_))), "{place}");
        let refused = Index::open_read_only(disk.vault(), options);
        assert!(matches!(refused, Err(SearchError::InsideVault(_))), "{place}");
    }
    std::fs::remove_file(disk.root().parent().unwrap().join("linked")).unwrap();
    assert_eq!(std::fs::read_dir(disk.root()).unwrap().count(), 1, "nothing was made in the vault");
}

#[test]
fn the_file_is_private() {
    let disk = Disk::with(&[("a.md", "x")]);
    let _index = disk.indexed();
    let mode = disk.database().metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn one_process_writes_and_others_read_beside_it() {
    let disk = Disk::with(&[("a.md", "needle")]);
    let index = disk.indexed();
    assert!(matches!(disk.try_open(), Err(SearchError::InUse(_))));
    let reader = Index::open_read_only(disk.vault(), disk.options()).unwrap();
    assert_eq!(found(&reader, "needle"), ["a.md"]);
    assert!(matches!(reader.reconcile(&|_| {}), Err(SearchError::ReadOnly)));
    assert!(reader.changed(&[Change::Written(path("a.md"))]).is_err());
    assert!(matches!(reader.watch(), Err(SearchError::ReadOnly)));
    index.close();
    drop(disk.try_open().unwrap());
}

#[test]
fn reading_needs_an_index() {
    let disk = Disk::with(&[("a.md", "x")]);
    let missing = Index::open_read_only(disk.vault(), disk.options());
    assert!(matches!(missing, Err(SearchError::NotBuilt { .. })));
    assert!(!disk.database().exists());
}

#[test]
fn a_restart_finds_everything_in_place_and_reads_nothing() {
    let disk = Disk::with(&[("a.md", "needle [[b]]"), ("b.md", "hay"), ("c.png", "")]);
    for file in ["a.md", "b.md", "c.png"] {
        disk.age(file, 100);
    }
    disk.indexed().close();
    let index = disk.open();
    assert_eq!(found(&index, "needle"), ["a.md"], "before any reconcile");
    let summary = reconcile(&index);
    assert_eq!((summary.files, summary.indexed, summary.unchanged, summary.removed), (3, 0, 3, 0));
    assert!(index.status(&owner()).unwrap().rebuilt.is_none());
}

#[test]
fn what_changed_meanwhile_is_found_at_the_start() {
    let disk = Disk::with(&[("a.md", "old"), ("b.md", "stays"), ("gone.md", "gone")]);
    for file in ["a.md", "b.md", "gone.md"] {
        disk.age(file, 100);
    }
    disk.indexed().close();
    disk.write("a.md", "new");
    disk.write("c.md", "added");
    disk.remove("gone.md");
    let index = disk.open();
    let summary = reconcile(&index);
    assert_eq!((summary.indexed, summary.unchanged, summary.removed), (2, 1, 1));
    assert_eq!(found(&index, "new"), ["a.md"]);
    assert_eq!(found(&index, "added"), ["c.md"]);
    assert!(found(&index, "old").is_empty() && found(&index, "gone").is_empty());
}

#[test]
fn a_file_that_was_touched_only_is_not_indexed_again() {
    let disk = Disk::with(&[("a.md", "needle")]);
    disk.age("a.md", 100);
    let index = disk.indexed();
    disk.age("a.md", 50);
    let summary = reconcile(&index);
    assert_eq!((summary.indexed, summary.unchanged), (0, 1));
}

/// The file system's clock ticks: a second change within a tick leaves size and time as they were.
#[test]
fn a_change_within_a_tick_of_the_clock_is_found() {
    let disk = Disk::with(&[("a.md", "one two")]);
    let index = disk.indexed();
    let time = disk.root().join("a.md").metadata().unwrap().modified().unwrap();
    disk.write("a.md", "two one");
    std::fs::File::options().append(true).open(disk.root().join("a.md")).unwrap().set_modified(time).unwrap();
    reconcile(&index);
    assert_eq!(found(&index, "\"two one\""), ["a.md"]);
}

#[test]
fn other_bytes_in_the_file_are_put_aside_with_a_word() {
    let disk = Disk::with(&[("a.md", "needle")]);
    disk.indexed().close();
    std::fs::write(disk.database(), "this is no database, however long it may be ".repeat(500)).unwrap();
    let index = disk.indexed();
    assert_eq!(found(&index, "needle"), ["a.md"]);
    let rebuilt = index.status(&owner()).unwrap().rebuilt.unwrap();
    let aside = rebuilt.put_aside.unwrap();
    assert!(aside.to_string_lossy().ends_with("index.db.bad-1"));
    assert!(std::fs::read(aside).unwrap().starts_with(b"this is no database"));
}

/// Every page in turn: whatever is damaged shows when the index is opened, reconciled or asked, and
/// the next reconcile mends it.
#[test]
fn damage_anywhere_in_the_file_is_mended() {
    let disk = Disk::new();
    for number in 0..60 {
        let links = format!("[[{}]] #t{}", number + 1, number % 7);
        let text = format!("---\nstatus: s{number}\n---\n# Heading\nneedle {number} {links}\n");
        disk.write(&format!("{number}.md"), text + &"and more hay to fill a page or two ".repeat(100));
    }
    disk.indexed().close();
    let sound = std::fs::read(disk.database()).unwrap();
    let pages = sound.len() / 4096;
    assert!(pages > 20, "{pages} pages");
    for page in 1..pages {
        let mut bytes = sound.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0xa5);
        std::fs::write(disk.database(), bytes).unwrap();
        let index = disk.open();
        for _ in 0..2 {
            // What an answer meets here may be an error; the reconcile after it hears of it.
            let _ = index.search(&owner(), &SearchQuery::new("needle"));
            let _ = index.list_tags(&owner());
            let _ = index.outgoing_links(&owner(), &path("1.md"));
            reconcile(&index);
        }
        assert_eq!(index.search(&owner(), &SearchQuery::new("needle")).unwrap().total, 60, "page {page}");
        assert_eq!(index.list_tags(&owner()).unwrap().len(), 7, "page {page}");
        assert_eq!(index.outgoing_links(&owner(), &path("1.md")).unwrap().len(), 1, "page {page}");
        index.close();
    }
}

#[test]
fn an_index_of_another_version_is_put_aside() {
    let disk = Disk::with(&[("a.md", "needle")]);
    disk.indexed().close();
    let database = store::Database::open(&disk.database(), &store::Options::default()).unwrap();
    database
        .write(store::Lane::Bulk, |connection| {
            connection.execute("UPDATE meta SET value = '0' WHERE key = 'version'", &[])
        })
        .unwrap();
    database.close();
    let refused = Index::open_read_only(disk.vault(), disk.options());
    assert!(matches!(refused, Err(SearchError::NotBuilt { .. })));
    let index = disk.indexed();
    assert_eq!(found(&index, "needle"), ["a.md"]);
    assert!(index.status(&owner()).unwrap().rebuilt.unwrap().reason.contains("version 0"));
    assert!(disk.database().with_file_name("index.db.bad-1").exists());
}

#[test]
fn other_settings_build_the_index_anew_without_leaving_the_old_one() {
    let disk = Disk::with(&[("a.md", "---\ncreated: 2026-07-01\n---\nneedle")]);
    disk.indexed().close();
    let zone = jiff::tz::TimeZone::get("Asia/Tokyo").unwrap();
    let index = disk.open_with(IndexOptions { time_zone: zone, ..disk.options() });
    assert!(index.status(&owner()).unwrap().rebuilt.unwrap().put_aside.is_none());
    reconcile(&index);
    let meta = index.note_meta(&owner(), &path("a.md")).unwrap().unwrap();
    assert_eq!(meta.created.as_deref(), Some("2026-07-01T00:00:00.000+09:00"));
    assert!(!disk.database().with_file_name("index.db.bad-1").exists());
}

#[test]
fn answers_say_that_the_index_is_being_built() {
    let disk = Disk::new();
    for number in 0..300 {
        disk.write(&format!("{number}.md"), format!("needle {number}"));
    }
    let index = disk.open();
    let told = std::cell::RefCell::new(Vec::new());
    let beside = index.clone();
    let summary = index
        .reconcile(&|progress| {
            told.borrow_mut().push((progress, beside.progress(), found(&beside, "needle").len()));
        })
        .unwrap();
    assert_eq!(summary.indexed, 300);
    let told = told.into_inner();
    assert_eq!(told.first().map(|(progress, ..)| *progress), Some(Progress { done: 0, total: 0 }));
    assert_eq!(told.last().map(|(progress, ..)| *progress), Some(Progress { done: 300, total: 300 }));
    assert!(told.iter().all(|(progress, shown, _)| Some(*progress) == *shown));
    assert!(told.is_sorted_by_key(|(progress, ..)| progress.done));
    assert_eq!(index.progress(), None);
}

#[test]
fn a_write_is_searchable_before_its_call_returns_even_while_the_vault_is_indexed() {
    let disk = Disk::new();
    for number in 0..1500 {
        disk.write(&format!("notes/{number}.md"), format!("hay {number} ").repeat(50));
    }
    let index = disk.open();
    std::thread::scope(|scope| {
        let building = scope.spawn(|| reconcile(&index));
        let mut round = 0;
        while !building.is_finished() && round < 40 {
            let name = format!("written/{round}.md");
            disk.write(&name, format!("needle{round}"));
            index.changed(&[Change::Written(path(&name))]).unwrap();
            assert_eq!(found(&index, &format!("needle{round}")), [name.as_str()]);
            // And an old one, which the build may be about to read or to write.
            let old = format!("notes/{}.md", round * 37);
            disk.write(&old, format!("changed{round}"));
            index.changed(&[Change::Written(path(&old))]).unwrap();
            assert_eq!(found(&index, &format!("changed{round}")), [old.as_str()]);
            round += 1;
        }
        building.join().unwrap();
        for round in 0..round {
            assert_eq!(found(&index, &format!("needle{round}")).len(), 1);
            assert_eq!(found(&index, &format!("changed{round}")).len(), 1, "older work overwrote newer");
        }
    });
}

#[test]
fn closing_ends_a_build_that_runs() {
    let disk = Disk::new();
    for number in 0..3000 {
        disk.write(&format!("{number}.md"), format!("hay {number} ").repeat(40));
    }
    let index = disk.open();
    std::thread::scope(|scope| {
        let building = scope.spawn(|| index.reconcile(&|_| {}));
        while index.progress().is_none_or(|progress| progress.done == 0) && !building.is_finished() {
            std::thread::yield_now();
        }
        index.clone().close();
        let ended = building.join().unwrap();
        assert!(matches!(ended, Ok(_) | Err(SearchError::Closed)), "{ended:?}");
    });
    drop(index);
    let again = disk.indexed();
    assert_eq!(again.status(&owner()).unwrap().notes, 3000);
}

#[test]
fn the_counts_of_a_status_follow_every_change() {
    let disk = Disk::new();
    disk.write("one.md", "#tag [[two]]");
    let index = disk.indexed();
    let counts = |index: &Index| {
        let status = index.status(&owner()).unwrap();
        (status.notes, status.links, status.unresolved_links, status.tags, status.problems.len())
    };
    assert_eq!(counts(&index), (1, 1, 1, 1, 0));
    assert_eq!(counts(&index), (1, 1, 1, 1, 0));
    disk.write("two.md", "---\na: b: c\n---\n#other");
    index.changed(&[Change::Written(path("two.md"))]).unwrap();
    assert_eq!(counts(&index), (2, 1, 0, 2, 1));
    disk.remove("two.md");
    index.changed(&[Change::Removed(path("two.md"))]).unwrap();
    assert_eq!(counts(&index), (1, 1, 1, 1, 0));
    disk.write("three.md", "no tag");
    reconcile(&index);
    assert_eq!(counts(&index).0, 2);
}
