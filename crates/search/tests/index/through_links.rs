//! A path or folder may be given through a symbolic link in the vault: it means what the link leads to.

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;

use search::{Filters, Index, SearchQuery, StatusFilter, TaskQuery};
use vault::Principal;

use crate::harness::{Disk, found_by, limited, owner, path};

/// One way to name a folder or note, and the notes that come of it.
type Asked = (&'static str, fn(&Index, &Principal, &str) -> Vec<String>);

fn tasks(index: &Index, who: &Principal, query: TaskQuery) -> Vec<String> {
    let query = TaskQuery { statuses: vec![StatusFilter::All], limit: 100, ..query };
    index.tasks(who, &query).unwrap().items.into_iter().map(|task| task.path).collect()
}

/// Everything that takes a folder. Properties are told by their values, which are the notes' paths.
const FOLDERS: [Asked; 8] = [
    ("search", |index, who, folder| {
        let filters = Filters { folder: Some(folder.to_owned()), ..Filters::default() };
        found_by(index, who, &SearchQuery { filters, ..SearchQuery::new("needle") })
    }),
    ("search_by_folder", |index, who, folder| {
        let notes = index.search_by_folder(who, Some(&path(folder)), true, 100).unwrap();
        notes.items.into_iter().map(|note| note.path.as_str().to_owned()).collect()
    }),
    ("search_by_folder, not below", |index, who, folder| {
        let notes = index.search_by_folder(who, Some(&path(folder)), false, 100).unwrap();
        notes.items.into_iter().map(|note| note.path.as_str().to_owned()).collect()
    }),
    ("list_property_keys", |index, who, folder| {
        let keys = index.list_property_keys(who, Some(&path(folder))).unwrap();
        keys.into_iter().flat_map(|key| key.sample_values).collect()
    }),
    ("list_property_values", |index, who, folder| {
        let values = index.list_property_values(who, "me", Some(&path(folder)), 100).unwrap();
        values.items.into_iter().map(|value| value.value).collect()
    }),
    ("search_by_property", |index, who, folder| {
        let all = ["Open/In/a.md", "Hidden/h.md", "top.md"];
        let has = |value: &&str| {
            index.search_by_property(who, "me", value, Some(&path(folder)), 100).unwrap().total == 1
        };
        all.into_iter().filter(has).map(str::to_owned).collect()
    }),
    ("tasks", |index, who, folder| {
        tasks(index, who, TaskQuery { folder: Some(folder.to_owned()), ..TaskQuery::default() })
    }),
    ("find_orphans, all but these", |index, who, folder| {
        let orphans = |excluded: &[vault::VaultPath]| -> BTreeSet<String> {
            let notes = index.find_orphans(who, excluded, 100).unwrap();
            notes.items.into_iter().map(|note| note.path.as_str().to_owned()).collect()
        };
        orphans(&[]).difference(&orphans(&[path(folder)])).cloned().collect()
    }),
];

const FILES: [Asked; 2] = [
    ("note_meta", |index, who, note| {
        index
            .note_meta(who, &path(note))
            .unwrap()
            .into_iter()
            .map(|note| note.path.as_str().to_owned())
            .collect()
    }),
    ("tasks", |index, who, note| {
        tasks(index, who, TaskQuery { path: Some(path(note)), ..TaskQuery::default() })
    }),
];

#[track_caller]
fn check(asked: &[Asked], index: &Index, who: &Principal, place: &str, expected: &[&str]) {
    for (name, ask) in asked {
        assert_eq!(ask(index, who, place), expected, "{name} in {place}");
    }
}

#[test]
fn a_link_means_what_it_leads_to_as_far_as_the_caller_sees_both() {
    let disk = Disk::new();
    for note in ["Open/In/a.md", "Hidden/h.md", "top.md"] {
        disk.write(note, format!("---\nme: {note}\n---\nneedle\n- [ ] task\n"));
    }
    std::fs::create_dir(disk.root().join("Open/Empty")).unwrap();
    for (link, target) in [
        ("Open/to in", "In"),
        ("Open/to in.md", "In/a.md"),
        ("Open/to hidden", "../Hidden"),
        ("Open/to hidden.md", "../Hidden/h.md"),
        ("Hidden/to in", "../Open/In"),
        ("Hidden/to in.md", "../Open/In/a.md"),
        ("Open/to nowhere", "nowhere"),
        ("Open/to outside", "/"),
        ("Open/to empty", "Empty"),
    ] {
        symlink(target, disk.root().join(link)).unwrap();
    }
    let index = disk.indexed();
    let (all, who) = (owner(), limited(&["Open"]));
    for folder in ["Open/In", "Open/to in", "open/in"] {
        check(&FOLDERS, &index, &all, folder, &["Open/In/a.md"]);
        check(&FOLDERS, &index, &who, folder, &["Open/In/a.md"]);
    }
    for folder in ["Open/to hidden", "Hidden"] {
        check(&FOLDERS, &index, &all, folder, &["Hidden/h.md"]);
        check(&FOLDERS, &index, &who, folder, &[]);
    }
    check(&FOLDERS, &index, &all, "Hidden/to in", &["Open/In/a.md"]);
    check(&FOLDERS, &index, &who, "Hidden/to in", &[]);
    for folder in ["Open/to nowhere", "Open/to outside", "Open/to empty", "Open/none"] {
        check(&FOLDERS, &index, &all, folder, &[]);
        check(&FOLDERS, &index, &who, folder, &[]);
    }
    for note in ["Open/In/a.md", "Open/to in.md", "Open/to in/a.md"] {
        check(&FILES, &index, &all, note, &["Open/In/a.md"]);
        check(&FILES, &index, &who, note, &["Open/In/a.md"]);
    }
    check(&FILES, &index, &all, "Open/to hidden.md", &["Hidden/h.md"]);
    check(&FILES, &index, &all, "Hidden/to in.md", &["Open/In/a.md"]);
    check(&FILES, &index, &who, "Hidden/to in.md", &[]);
    for note in ["Open/to hidden.md", "Open/to hidden/h.md"] {
        check(&FILES, &index, &who, note, &[]);
    }
}

/// A link to the vault itself is every folder of it, for who sees it all.
#[test]
fn a_link_to_the_vault_is_the_vault() {
    let disk = Disk::new();
    disk.write("Open/In/a.md", "---\nme: Open/In/a.md\n---\nneedle\n- [ ] task\n");
    symlink("..", disk.root().join("Open/all")).unwrap();
    let index = disk.indexed();
    for (name, ask) in FOLDERS {
        let expected: &[&str] = if name.ends_with("not below") { &[] } else { &["Open/In/a.md"] };
        assert_eq!(ask(&index, &owner(), "Open/all"), expected, "{name}");
        assert!(ask(&index, &limited(&["Open"]), "Open/all").is_empty(), "{name}");
    }
}
