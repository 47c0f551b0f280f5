//! The vault as a whole: counts, folders, broken links, the changes of a day.

use std::time::{Duration, SystemTime};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use search::{BrokenLinks, IndexOptions, Part, VaultStats};

use crate::harness::{Disk, limited, owner, reconcile};

fn vault() -> Disk {
    Disk::with(&[
        (
            "top.md",
            "---\ntags: [a, b/c]\nstatus: open\n---\n#A #d [[Missing]] [[missing.md]] [[Missing#x|shown]]",
        ),
        (
            "Projects/a.md",
            "---\nStatus: done\n---\n[[Daily Notes/2030-01-01]] [[top]] [[#here]] [x](gone%20too.md)",
        ),
        ("Projects/Deep/Er/b.md", "plain [[Secret/s]] ![[Secret/pic.png]] [[https://example.org]]"),
        ("Projects-old/c.md", "#a"),
        ("Secret/s.md", "---\nk: 1\n---\n#hidden [[nowhere]]"),
        ("Secret/pic.png", ""),
        (
            "board.canvas",
            r#"{"nodes":[{"id":"1","type":"file","file":"lost.md","x":0,"y":0,"width":1,"height":1}],"edges":[]}"#,
        ),
    ])
}

#[test]
fn notes_tags_and_properties_are_counted_as_the_caller_sees_them() {
    let index = vault().indexed();
    let stats = |notes, tags, property_keys, untagged, without_properties| VaultStats {
        notes,
        tags,
        property_keys,
        untagged,
        without_properties,
    };
    // a, b/c, d, hidden; tags, status, k.
    assert_eq!(index.vault_stats(&owner()).unwrap(), stats(5, 4, 3, 2, 2));
    assert_eq!(index.vault_stats(&limited(&["secret"])).unwrap(), stats(1, 1, 1, 0, 0));
    assert_eq!(index.vault_stats(&limited(&["Projects"])).unwrap(), stats(2, 0, 1, 2, 1));
    assert_eq!(index.vault_stats(&limited(&[])).unwrap(), VaultStats::default());
}

#[test]
fn folders_carry_their_own_notes_and_those_below() {
    let index = vault().indexed();
    let folders = |who| {
        let counts = index.folder_counts(&who).unwrap();
        counts.into_iter().map(|count| (count.folder, count.notes, count.with_subfolders)).collect::<Vec<_>>()
    };
    let row = |folder: &str, notes, all| (folder.to_owned(), notes, all);
    assert_eq!(
        folders(owner()),
        [
            row("", 1, 5),
            row("Projects", 1, 2),
            row("Projects/Deep", 0, 1),
            row("Projects/Deep/Er", 1, 1),
            row("Projects-old", 1, 1),
            row("Secret", 1, 1),
        ]
    );
    assert_eq!(folders(limited(&["Secret"])), [row("", 0, 1), row("Secret", 1, 1)]);
    assert_eq!(folders(limited(&[])), []);
}

#[test]
fn broken_links_are_counted_once_a_target_and_file() {
    let index = vault().indexed();
    let broken = |who, links, files| {
        let leave_out = |path: &str| path.starts_with("Daily Notes/");
        assert_eq!(index.broken_links(&who, &leave_out).unwrap(), BrokenLinks { links, files });
    };
    // top: Missing, missing; Projects/a: gone too; Secret/s: nowhere; the canvas: lost. What a link tool
    // lists as unresolved is what is counted: the address in brackets is a name without a file, too.
    let all = index.broken_links(&owner(), &|_| false).unwrap();
    let mut listed = 0;
    for path in ["top.md", "Projects/a.md", "Projects/Deep/Er/b.md", "Secret/s.md", "board.canvas"] {
        let links = index.outgoing_links(&owner(), &crate::harness::path(path)).unwrap();
        listed += links.iter().filter(|link| !link.exists).count() as u64;
    }
    assert_eq!(all.links, listed);
    broken(owner(), listed - 1, all.files);
    broken(limited(&["Secret"]), 1, 1);
    // What is hidden is as good as gone: the target in `top.md`, and both in `Secret`.
    let seen = index.outgoing_links(&limited(&["Projects"]), &crate::harness::path("Projects/a.md")).unwrap();
    let deep = index
        .outgoing_links(&limited(&["Projects"]), &crate::harness::path("Projects/Deep/Er/b.md"))
        .unwrap();
    let listed = seen.iter().chain(&deep).filter(|link| !link.exists).count() as u64;
    broken(limited(&["Projects"]), listed - 1, 2);
    broken(limited(&[]), 0, 0);
}

#[test]
fn the_changes_of_a_day_are_those_of_the_local_day() {
    let disk =
        Disk::with(&[("before.md", ""), ("first.md", ""), ("last.md", ""), ("after.md", ""), ("S/x.md", "")]);
    let set = |path: &str, time: &str| {
        let instant: jiff::Timestamp = time.parse().unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(instant.as_second().unsigned_abs());
        std::fs::File::options()
            .append(true)
            .open(disk.root().join(path))
            .unwrap()
            .set_modified(time)
            .unwrap();
    };
    // The clocks of Berlin go forward on this day: it has 23 hours.
    set("before.md", "2026-03-28T22:59:59Z");
    set("first.md", "2026-03-28T23:00:00Z");
    set("S/x.md", "2026-03-29T12:00:00Z");
    set("last.md", "2026-03-29T21:59:59Z");
    set("after.md", "2026-03-29T22:00:00Z");
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let index = disk.open_with(IndexOptions { time_zone: zone, ..disk.options() });
    reconcile(&index);
    let day: Date = "2026-03-29".parse().unwrap();
    let found = |who, part: Part| {
        let page = index.modified_on(&who, day, part).unwrap();
        (page.items.into_iter().map(|note| note.path.as_str().to_owned()).collect::<Vec<_>>(), page.total)
    };
    let all = ["last.md", "S/x.md", "first.md"].map(str::to_owned);
    assert_eq!(found(owner(), 10.into()), (all.to_vec(), 3));
    assert_eq!(found(owner(), Part { offset: 1, limit: 1 }), (vec!["S/x.md".to_owned()], 3));
    assert_eq!(found(limited(&["S"]), 10.into()), (vec!["S/x.md".to_owned()], 1));
    for day in [Date::MIN, Date::MAX] {
        assert_eq!(index.modified_on(&owner(), day, 10).unwrap().total, 0);
    }
}
