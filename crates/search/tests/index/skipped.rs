//! What rules keep out is right at every moment, not only after a reconcile.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use search::{Index, SearchQuery};
use vault::{Change, ChangeListener};

use crate::harness::{Disk, found, found_by, owner, path, reconcile, wait_until};

fn pipe(place: &Path) {
    assert!(Command::new("mkfifo").arg(place).status().unwrap().success());
}

fn tell(index: &Index, file: &str) {
    index.changed(&[Change::Written(path(file))]).unwrap();
}

/// What is kept out, as `path: reason`.
fn kept_out(index: &Index) -> Vec<String> {
    let status = index.status(&owner()).unwrap();
    assert_eq!(status.skipped_by_reason.values().sum::<u64>(), status.skipped.len() as u64);
    status.skipped.into_iter().map(|file| format!("{}: {}", file.path, file.reason)).collect()
}

#[track_caller]
fn keeps_out(index: &Index, expected: &[&str]) {
    assert_eq!(kept_out(index), expected);
}

/// For the watcher, which takes its time.
#[track_caller]
fn comes_to_keep_out(index: &Index, expected: &[&str]) {
    wait_until(Duration::from_secs(5), &format!("{expected:?}"), || kept_out(index) == expected);
}

#[test]
fn each_kind_is_listed_when_it_appears_and_not_when_it_is_gone() {
    let disk = Disk::with(&[("a.md", "needle"), (".hidden/h.md", "hidden"), ("folder/b.md", "x")]);
    let outside = tempfile::tempdir_in(disk.root().parent().unwrap()).unwrap();
    std::fs::write(outside.path().join("secret.md"), "topsecret").unwrap();
    let index = disk.indexed();
    let place = disk.root().join("p.md");
    let secret = outside.path().join("secret.md");
    let kinds: [(&str, &dyn Fn()); 8] = [
        ("not_regular", &|| pipe(&place)),
        ("broken_link", &|| symlink("nowhere", &place).unwrap()),
        ("broken_link", &|| symlink("p.md", &place).unwrap()),
        ("leaves_vault", &|| symlink(&secret, &place).unwrap()),
        ("leads_to_hidden", &|| symlink(".hidden/h.md", &place).unwrap()),
        ("linked_twice", &|| symlink("a.md", &place).unwrap()),
        ("linked_twice", &|| symlink("folder", &place).unwrap()),
        ("hard_linked", &|| std::fs::hard_link(&secret, &place).unwrap()),
    ];
    for (reason, make) in kinds {
        make();
        tell(&index, "p.md");
        keeps_out(&index, &[&format!("p.md: {reason}")]);
        std::fs::remove_file(&place).unwrap();
        tell(&index, "p.md");
        keeps_out(&index, &[]);
        // And when its place is taken by a note, or it takes a note's place.
        disk.write("p.md", "a note");
        tell(&index, "p.md");
        assert_eq!(found(&index, "note"), ["p.md"], "{reason}");
        std::fs::remove_file(&place).unwrap();
        make();
        tell(&index, "p.md");
        keeps_out(&index, &[&format!("p.md: {reason}")]);
        assert!(found(&index, "note").is_empty(), "{reason}");
        std::fs::remove_file(&place).unwrap();
        disk.write("p.md", "a note");
        tell(&index, "p.md");
        keeps_out(&index, &[]);
        std::fs::remove_file(&place).unwrap();
        tell(&index, "p.md");
    }
    assert!(found(&index, "topsecret").is_empty());
}

#[test]
fn a_link_is_judged_anew_when_its_target_comes_or_goes() {
    let disk = Disk::with(&[("a.md", "x"), ("folder/b.md", "x")]);
    symlink("a.md", disk.root().join("to a.md")).unwrap();
    symlink("later", disk.root().join("to later")).unwrap();
    let index = disk.indexed();
    keeps_out(&index, &["to a.md: linked_twice", "to later: broken_link"]);
    disk.remove("a.md");
    tell(&index, "a.md");
    keeps_out(&index, &["to a.md: broken_link", "to later: broken_link"]);
    disk.write("later/c.md", "x");
    tell(&index, "later/c.md");
    keeps_out(&index, &["to a.md: broken_link", "to later: linked_twice"]);
}

#[test]
fn a_second_spelling_is_shadowed_until_the_first_goes() {
    let disk = Disk::with(&[("Café.md", "composed"), ("a b.md", "plain")]);
    let index = disk.indexed();
    disk.write("Cafe\u{301}.md", "respelt");
    disk.write("a\u{a0}b.md", "no-break");
    tell(&index, "Café.md");
    tell(&index, "a b.md");
    keeps_out(&index, &["Cafe\u{301}.md: shadowed", "a\u{a0}b.md: shadowed"]);
    assert!(found(&index, "respelt").is_empty());
    disk.remove("Café.md");
    disk.remove("a\u{a0}b.md");
    tell(&index, "Café.md");
    tell(&index, "a b.md");
    keeps_out(&index, &[]);
    assert_eq!(found(&index, "respelt"), ["Café.md"]);
    assert_eq!(found(&index, "plain"), ["a b.md"]);
}

#[test]
fn the_names_of_one_file_are_refused_and_allowed_together() {
    let disk = Disk::with(&[("a.md", "needle")]);
    let outside = tempfile::tempdir_in(disk.root().parent().unwrap()).unwrap();
    let index = disk.indexed();
    std::fs::hard_link(disk.root().join("a.md"), disk.root().join("b.md")).unwrap();
    tell(&index, "b.md");
    keeps_out(&index, &[]);
    assert_eq!(found(&index, "needle").len(), 2);
    // What is written under one name is read under the other.
    std::fs::write(disk.root().join("b.md"), "thread").unwrap();
    tell(&index, "b.md");
    assert_eq!(found(&index, "thread").len(), 2);
    // One leaves the vault: only its own path is said to have changed.
    std::fs::rename(disk.root().join("b.md"), outside.path().join("b.md")).unwrap();
    tell(&index, "b.md");
    keeps_out(&index, &["a.md: hard_linked"]);
    assert!(found(&index, "thread").is_empty());
    std::fs::rename(outside.path().join("b.md"), disk.root().join("c.md")).unwrap();
    tell(&index, "c.md");
    keeps_out(&index, &[]);
    assert_eq!(found(&index, "thread").len(), 2);
}

/// The names are found anew while another file is looked at, before the event of the one that left.
#[test]
fn a_name_that_left_is_noticed_with_another_file() {
    let disk = Disk::with(&[("a.md", "needle"), ("x.md", "other")]);
    let outside = tempfile::tempdir_in(disk.root().parent().unwrap()).unwrap();
    std::fs::hard_link(disk.root().join("a.md"), disk.root().join("b.md")).unwrap();
    let index = disk.indexed();
    std::fs::rename(disk.root().join("b.md"), outside.path().join("b.md")).unwrap();
    std::fs::hard_link(disk.root().join("x.md"), outside.path().join("x.md")).unwrap();
    tell(&index, "x.md");
    tell(&index, "b.md");
    keeps_out(&index, &["a.md: hard_linked", "x.md: hard_linked"]);
    assert!(found(&index, "needle").is_empty());
}

/// A link made outside gives no event. The next event on any name in the vault finds it out.
#[test]
fn a_new_name_shows_that_an_old_one_is_linked_outside() {
    let disk = Disk::with(&[("a.md", "needle")]);
    let outside = tempfile::tempdir_in(disk.root().parent().unwrap()).unwrap();
    let index = disk.indexed();
    std::fs::hard_link(disk.root().join("a.md"), outside.path().join("a.md")).unwrap();
    std::fs::hard_link(disk.root().join("a.md"), disk.root().join("b.md")).unwrap();
    tell(&index, "b.md");
    keeps_out(&index, &["a.md: hard_linked", "b.md: hard_linked"]);
    assert!(found(&index, "needle").is_empty());
}

#[test]
fn the_watcher_keeps_it_right_in_folders_and_under_names_without_a_path() {
    let disk = Disk::with(&[("a.md", "x"), ("folder/b.md", "x")]);
    let outside = tempfile::tempdir_in(disk.root().parent().unwrap()).unwrap();
    let index = disk.indexed();
    let _handle = index.watch().unwrap();
    let root = disk.root();
    std::fs::create_dir(outside.path().join("in")).unwrap();
    pipe(&outside.path().join("in/pipe"));
    symlink("../a.md", outside.path().join("in/link.md")).unwrap();
    std::fs::rename(outside.path().join("in"), root.join("in")).unwrap();
    comes_to_keep_out(&index, &["in/link.md: linked_twice", "in/pipe: not_regular"]);
    disk.rename("in", "about");
    comes_to_keep_out(&index, &["about/link.md: linked_twice", "about/pipe: not_regular"]);
    disk.write("folder/back\\slash.md", "x");
    disk.write("line\nbreak.md", "x");
    comes_to_keep_out(
        &index,
        &[
            "about/link.md: linked_twice",
            "about/pipe: not_regular",
            "folder/back\\slash.md: bad_name",
            "line\nbreak.md: bad_name",
        ],
    );
    std::fs::rename(root.join("about"), outside.path().join("gone")).unwrap();
    disk.remove("line\nbreak.md");
    comes_to_keep_out(&index, &["folder/back\\slash.md: bad_name"]);
    std::fs::remove_dir_all(root.join("folder")).unwrap();
    comes_to_keep_out(&index, &[]);
    symlink(outside.path(), root.join("folder")).unwrap();
    comes_to_keep_out(&index, &["folder: leaves_vault"]);
}

/// A walk is long: what is seen while it is under way is newer than what it saw.
#[test]
fn a_walk_does_not_take_back_what_was_seen_since() {
    let disk = Disk::new();
    for number in 0..300 {
        disk.write(&format!("notes/{number}.md"), format!("hay {number}"));
    }
    let index = disk.indexed();
    let place = disk.root().join("notes/p.md");
    for round in 0..60u64 {
        std::thread::scope(|scope| {
            let walking = scope.spawn(|| reconcile(&index));
            std::thread::sleep(Duration::from_micros(round * 100));
            if round % 2 == 0 {
                pipe(&place);
            } else {
                std::fs::remove_file(&place).unwrap();
            }
            tell(&index, "notes/p.md");
            walking.join().unwrap();
        });
        let expected: &[&str] = if round % 2 == 0 { &["notes/p.md: not_regular"] } else { &[] };
        keeps_out(&index, expected);
    }
}

/// A folder of packages looks so: each change in the vault once cost a look at every pair of links.
#[test]
fn thousands_of_links_make_no_change_slow() {
    for target in ["nowhere {}", "../../kept", "../nowhere{}"] {
        let disk = Disk::with(&[("a.md", "x"), ("kept/b.md", "x")]);
        for number in 0..4_000 {
            let folder = disk.root().join(format!("nm/{}", number % 50));
            std::fs::create_dir_all(&folder).unwrap();
            symlink(target.replace("{}", &number.to_string()), folder.join(format!("l {number}"))).unwrap();
        }
        let index = disk.indexed();
        let before = kept_out(&index);
        assert_eq!(before.len(), 4_000);
        let started = Instant::now();
        disk.write("new.md", "needle");
        tell(&index, "new.md");
        assert_eq!(found(&index, "needle"), ["new.md"]);
        assert_eq!(kept_out(&index), before, "{target}");
        // What all of them depend on goes.
        disk.rename("kept", "renamed");
        tell(&index, "kept/b.md");
        let broken = kept_out(&index).iter().filter(|row| row.ends_with("broken_link")).count();
        assert_eq!(broken, 4_000);
        assert!(started.elapsed() < Duration::from_secs(2), "{target}: {:?}", started.elapsed());
        index.close();
    }
}

/// The watcher looks at many paths together: each of them once cost a look at every link.
#[test]
fn many_changes_beside_thousands_of_links_are_watched_at_once() {
    let disk = Disk::with(&[("a.md", "x")]);
    std::fs::create_dir_all(disk.root().join("nm")).unwrap();
    for number in 0..4_000 {
        symlink("../a.md", disk.root().join(format!("nm/{number}"))).unwrap();
    }
    let index = disk.indexed();
    let handle = index.watch().unwrap();
    wait_until(Duration::from_secs(5), "watching", || handle.walks() > 0);
    for number in 0..200 {
        disk.write(&format!("new {number}.md"), "needle");
    }
    let all = || found_by(&index, &owner(), &SearchQuery { limit: 300, ..SearchQuery::new("needle") });
    wait_until(Duration::from_secs(5), "200 notes", || all().len() == 200);
    let closing = Instant::now();
    drop(handle);
    index.close();
    assert!(closing.elapsed() < Duration::from_secs(2), "{:?}", closing.elapsed());
}

#[test]
fn a_change_beside_thousands_of_links_ends_when_the_index_is_closed() {
    let disk = Disk::with(&[("a.md", "x")]);
    std::fs::create_dir_all(disk.root().join("nm")).unwrap();
    for number in 0..4_000 {
        symlink(format!("nowhere/{number}"), disk.root().join(format!("nm/{number}"))).unwrap();
    }
    let index = disk.indexed();
    std::thread::scope(|scope| {
        let changing = scope.spawn(|| {
            for number in 0.. {
                disk.write(&format!("new {number}.md"), "x");
                if index.changed(&[Change::Written(path(&format!("new {number}.md")))]).is_err() {
                    return Instant::now();
                }
            }
            unreachable!("an index that is closed takes no changes")
        });
        std::thread::sleep(Duration::from_millis(100));
        let closing = Instant::now();
        index.clone().close();
        assert!(closing.elapsed() < Duration::from_secs(1), "{:?}", closing.elapsed());
        let ended = changing.join().unwrap();
        assert!(ended.duration_since(closing) < Duration::from_secs(1));
    });
}
