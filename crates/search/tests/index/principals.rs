//! What lies outside a caller's folders is not there: in no hit, no count, no link and no error.

use search::{FtsQuery, SearchQuery};
use vault::{FolderScope, Principal, Rights};

use crate::harness::{Disk, backlinks, found_by, limited, outgoing, owner, path};

fn disk() -> Disk {
    Disk::with(&[
        (
            "Open/a.md",
            "---\ntags: [shared, mine]\n---\nrocket [[secret]] [[b]] [[Hidden/secret]] [[nowhere]] [[Sly]]",
        ),
        ("Open/b.md", "rocket rocket #shared"),
        ("Open/Below/c.md", "rocket"),
        ("Opener/d.md", "rocket"),
        ("Hidden/secret.md", "---\naliases: [Sly]\n---\nrocket rocketry [[a]] [[b]] #shared #hidden/tag"),
        ("Hidden/broken.md", "---\n: [\n---\n"),
    ])
}

#[test]
fn a_caller_finds_only_what_lies_in_its_folders() {
    let disk = disk();
    let index = disk.indexed();
    let who = limited(&["open"]);
    let mut paths = found_by(&index, &who, &SearchQuery::new("rocket"));
    paths.sort();
    assert_eq!(paths, ["Open/Below/c.md", "Open/a.md", "Open/b.md"]);
    let answer = index.search(&who, &SearchQuery::new("rocket")).unwrap();
    assert_eq!(answer.total, 3);
    let answer = index.fts_search(&who, &FtsQuery::new("rocket")).unwrap();
    assert_eq!((answer.total, answer.results.len()), (3, 3));
    let forms: Vec<_> = answer.word_forms.values().flatten().collect();
    assert!(!forms.iter().any(|form| *form == "rocketry"), "a hidden note's words are hidden: {forms:?}");
    let several = limited(&["Open/Below", "Hidden"]);
    let mut paths = found_by(&index, &several, &SearchQuery::new("rocket"));
    paths.sort();
    assert_eq!(paths, ["Hidden/secret.md", "Open/Below/c.md"]);
}

#[test]
fn hidden_notes_have_no_influence_on_scores() {
    let disk = disk();
    let index = disk.indexed();
    let who = limited(&["Open"]);
    let before = index.fts_search(&who, &FtsQuery::new("rocket shared")).unwrap().results;
    for number in 0..20 {
        disk.write(&format!("Hidden/more {number}.md"), "rocket rocket shared words of all kinds");
    }
    crate::harness::reconcile(&index);
    assert_eq!(index.fts_search(&who, &FtsQuery::new("rocket shared")).unwrap().results, before);
}

#[test]
fn a_link_to_a_hidden_note_reads_as_unresolved() {
    let disk = disk();
    let index = disk.indexed();
    let who = limited(&["Open"]);
    assert_eq!(
        outgoing(&index, &who, "Open/a.md"),
        ["!Hidden/secret", "Open/b.md", "!Sly", "!nowhere", "!secret"].map(str::to_owned)
    );
    let links = index.outgoing_links(&who, &path("Open/a.md")).unwrap();
    assert!(links.iter().all(|link| link.exists || (link.title.is_none() && link.bytes.is_none())));
    assert!(links.iter().all(|link| link.alias_of.is_none()), "a hidden note's alias is hidden");
    assert_eq!(
        outgoing(&index, &owner(), "Open/a.md"),
        ["Hidden/secret.md", "Open/b.md", "!Sly", "!nowhere"]
    );
}

#[test]
fn hidden_sources_give_no_backlinks_and_hidden_targets_have_none() {
    let disk = disk();
    let index = disk.indexed();
    let who = limited(&["Open"]);
    assert_eq!(backlinks(&index, &owner(), "Open/b.md"), ["Hidden/secret.md", "Open/a.md"]);
    assert_eq!(backlinks(&index, &who, "Open/b.md"), ["Open/a.md"]);
    assert_eq!(backlinks(&index, &who, "Hidden/secret.md"), Vec::<String>::new());
    assert_eq!(outgoing(&index, &who, "Hidden/secret.md"), Vec::<String>::new());
    assert_eq!(index.note_meta(&who, &path("Hidden/secret.md")).unwrap(), None);
}

#[test]
fn tags_and_counts_are_those_of_visible_notes() {
    let disk = disk();
    let index = disk.indexed();
    let who = limited(&["Open"]);
    let tags: Vec<_> = index.list_tags(&who).unwrap().into_iter().map(|tag| (tag.tag, tag.count)).collect();
    assert_eq!(tags, [("shared".to_owned(), 2), ("mine".to_owned(), 1)]);
    let page = index.search_by_tag(&who, "shared", false, 1).unwrap();
    assert_eq!((page.items.len(), page.total), (1, 2));
    assert_eq!(index.search_by_tag(&who, "hidden", false, 9).unwrap().total, 0);
    let status = index.status(&who).unwrap();
    assert_eq!((status.notes, status.tags, status.links, status.unresolved_links), (3, 2, 5, 4));
    assert!(status.problems.is_empty() && status.last_reconcile.is_none());
    assert_eq!(index.status(&owner()).unwrap().problems.len(), 1);
}

#[test]
fn without_the_right_to_read_nothing_is_seen() {
    let disk = disk();
    let index = disk.indexed();
    let who = Principal {
        name: "writer".to_owned(),
        rights: Rights { read: false, write: true, delete: false },
        folders: FolderScope::All,
    };
    assert!(found_by(&index, &who, &SearchQuery::new("rocket")).is_empty());
    assert!(index.list_tags(&who).unwrap().is_empty());
    assert_eq!(index.status(&who).unwrap().notes, 0);
    assert!(backlinks(&index, &who, "Open/b.md").is_empty());
    let nowhere = limited(&[]);
    assert!(found_by(&index, &nowhere, &SearchQuery::new("rocket")).is_empty());
}

#[test]
fn an_empty_folder_name_is_the_whole_vault() {
    let disk = disk();
    let index = disk.indexed();
    assert_eq!(index.status(&limited(&[""])).unwrap().notes, 6);
}
