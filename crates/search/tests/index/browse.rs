//! Notes by folder and by time, and those that nothing leads to.

use jiff::tz::TimeZone;
use search::{Index, IndexOptions, NoteMeta, Page, Part, SortBy};
use vault::{Principal, VaultPath};

use crate::harness::{Disk, limited, owner, path, reconcile};

fn paths(page: &Page<NoteMeta>) -> Vec<&str> {
    page.items.iter().map(|note| note.path.as_str()).collect()
}

fn folder(text: &str) -> Option<VaultPath> {
    VaultPath::parse_folder(text).unwrap()
}

fn folders() -> Disk {
    let disk = Disk::with(&[
        ("top.md", "> [!note] Mind\n> this\n\ntext"),
        ("Projects/a.md", ""),
        ("Projects/Deep/b.md", ""),
        ("Projects/Deep/Er/c.md", ""),
        ("Projects/picture.png", ""),
        ("Projects-old/d.md", ""),
        ("Größe/e.md", ""),
        ("Größe/Sub/f.md", ""),
    ]);
    for (age, path) in ["top.md", "Projects/a.md", "Projects/Deep/b.md", "Projects/Deep/Er/c.md"]
        .into_iter()
        .chain(["Projects-old/d.md", "Größe/e.md", "Größe/Sub/f.md"])
        .enumerate()
    {
        disk.age(path, 1_000 - age as u64 * 100);
    }
    disk
}

#[test]
fn a_folder_is_searched_with_those_below_it_or_alone() {
    let index = folders().indexed();
    #[track_caller]
    fn case(index: &Index, name: &str, recursive: bool, expected: &[&str]) {
        let found = index.search_by_folder(&owner(), folder(name).as_ref(), recursive, 20).unwrap();
        assert_eq!(paths(&found), expected, "{name:?} {recursive}");
        assert_eq!(found.total, expected.len());
    }
    // Latest change first; files that are not notes are no notes.
    case(&index, "Projects", true, &["Projects/Deep/Er/c.md", "Projects/Deep/b.md", "Projects/a.md"]);
    case(&index, "Projects", false, &["Projects/a.md"]);
    case(&index, "projects/deep/", true, &["Projects/Deep/Er/c.md", "Projects/Deep/b.md"]);
    case(&index, "PROJECTS/DEEP", false, &["Projects/Deep/b.md"]);
    // Folders are counted in characters, not bytes.
    case(&index, "größe", false, &["Größe/e.md"]);
    case(&index, "Größe", true, &["Größe/Sub/f.md", "Größe/e.md"]);
    case(&index, "/", false, &["top.md"]);
    case(&index, "Project", true, &[]);
    case(&index, "Nowhere", true, &[]);
    case(&index, "Projects/a.md", true, &[]);
    let all = index.search_by_folder(&owner(), None, true, 2).unwrap();
    assert_eq!((paths(&all), all.total), (vec!["Größe/Sub/f.md", "Größe/e.md"], 7));
}

#[test]
fn rows_carry_size_and_leading_callout() {
    let index = folders().indexed();
    let top = index.search_by_folder(&owner(), None, false, 1).unwrap();
    assert_eq!(top.items[0].bytes, "> [!note] Mind\n> this\n\ntext".len() as u64);
    assert_eq!(top.items[0].leading_callout.as_ref().unwrap().title, "Mind");
}

#[test]
fn recent_notes_are_sorted_by_either_time() {
    let disk = Disk::with(&[
        ("first.md", "---\ncreated: 2026-05-01\n---\n"),
        ("second.md", "---\ncreated: 2026-03-01T23:00:00-05:00\n---\n"),
        ("third.md", "---\ncreated: 2026-03-02\n---\n"),
        ("unknown.md", "---\ncreated: some day\n---\n"),
        ("none.md", ""),
    ]);
    for (age, path) in ["none.md", "first.md", "unknown.md", "third.md", "second.md"].into_iter().enumerate()
    {
        disk.age(path, 1_000 - age as u64 * 100);
    }
    let index = disk.indexed();
    let recent = |sort_by, limit| index.recent_notes(&owner(), sort_by, limit).unwrap();
    let by_change = ["second.md", "third.md", "unknown.md", "first.md", "none.md"];
    assert_eq!(paths(&recent(SortBy::Modified, 20)), by_change);
    assert_eq!(paths(&recent(SortBy::default(), 20)), by_change);
    // Notes without a readable one come last, by their last change.
    assert_eq!(
        paths(&recent(SortBy::Created, 20)),
        ["first.md", "second.md", "third.md", "unknown.md", "none.md"]
    );
    let two = recent(SortBy::Created, 2);
    assert_eq!((paths(&two), two.total), (vec!["first.md", "second.md"], 5));
}

#[test]
fn created_is_an_instant_also_where_the_clock_changes() {
    // In Berlin the hour from two to three comes twice on this day.
    let disk = Disk::with(&[
        ("later.md", "---\ncreated: 2026-10-25T01:10:00Z\n---\n"),
        ("earlier.md", "---\ncreated: 2026-10-25T00:40:00Z\n---\n"),
    ]);
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let index = disk.open_with(IndexOptions { time_zone: zone, ..disk.options() });
    reconcile(&index);
    let recent = index.recent_notes(&owner(), SortBy::Created, 20).unwrap();
    assert_eq!(paths(&recent), ["later.md", "earlier.md"]);
    assert!(recent.items[0].created < recent.items[1].created, "as text they are the other way round");
}

fn orphans(index: &Index, who: &Principal, exclude: &[&str]) -> Vec<String> {
    let exclude: Vec<VaultPath> = exclude.iter().map(|folder| path(folder)).collect();
    let found = index.find_orphans(who, &exclude, 50).unwrap();
    assert_eq!(found.total, found.items.len());
    let mut paths: Vec<_> = found.items.iter().map(|note| note.path.as_str().to_owned()).collect();
    paths.sort();
    paths
}

#[test]
fn an_orphan_is_a_note_that_no_other_file_links_to() {
    let index = Disk::with(&[
        (
            "hub.md",
            "---\nrelated: [\"[[by property]]\"]\n---\n[[by wikilink]] [md](by-markdown.md) ![[embedded]]",
        ),
        ("by wikilink.md", ""),
        ("by-markdown.md", ""),
        ("embedded.md", ""),
        ("by property.md", ""),
        ("by canvas.md", ""),
        (
            "b.canvas",
            r#"{"nodes":[{"id":"1","type":"file","file":"by canvas.md","x":0,"y":0,"width":1,"height":1}]}"#,
        ),
        ("only to itself.md", "[[only to itself]]"),
        ("in code.md", "`[[nowhere]]`"),
        ("shows code.md", "```\n[[in code]]\n```"),
        ("picture.png", ""),
    ])
    .indexed();
    assert_eq!(
        orphans(&index, &owner(), &[]),
        ["hub.md", "in code.md", "only to itself.md", "shows code.md"]
    );
}

#[test]
fn excluded_folders_are_left_out_whole_and_without_case() {
    let disk = Disk::with(&[
        ("a.md", ""),
        ("Templates/b.md", ""),
        ("Templates/Deep/c.md", ""),
        ("Templates old/d.md", "[[e]]"),
        ("About Me/e.md", ""),
    ]);
    let index = disk.indexed();
    assert_eq!(
        orphans(&index, &owner(), &[]),
        ["Templates old/d.md", "Templates/Deep/c.md", "Templates/b.md", "a.md"]
    );
    assert_eq!(orphans(&index, &owner(), &["templates", "About Me"]), ["Templates old/d.md", "a.md"]);
    assert_eq!(
        orphans(&index, &owner(), &["Templates/Deep"]),
        ["Templates old/d.md", "Templates/b.md", "a.md"]
    );
    let one = index.find_orphans(&owner(), &[path("Templates old")], 1).unwrap();
    assert_eq!((one.items.len(), one.total), (1, 3));
}

#[test]
fn a_link_that_the_caller_cannot_see_leads_nowhere() {
    let index = Disk::with(&[
        ("Open/seen.md", "[[linked]]"),
        ("Open/linked.md", ""),
        ("Open/linked from hidden.md", ""),
        ("Hidden/secret.md", "[[linked from hidden]] [[linked]]"),
        ("Hidden/alone.md", ""),
    ])
    .indexed();
    assert_eq!(orphans(&index, &owner(), &[]), ["Hidden/alone.md", "Hidden/secret.md", "Open/seen.md"]);
    assert_eq!(orphans(&index, &limited(&["Open"]), &[]), ["Open/linked from hidden.md", "Open/seen.md"]);
    assert_eq!(orphans(&index, &limited(&["Hidden"]), &[]), ["Hidden/alone.md", "Hidden/secret.md"]);
    assert_eq!(orphans(&index, &limited(&[]), &[]), [""; 0]);
}

#[test]
fn folders_and_recent_notes_are_those_of_the_caller() {
    let index = folders().indexed();
    let who = limited(&["Projects/Deep"]);
    let found = index.search_by_folder(&who, folder("Projects").as_ref(), true, 1).unwrap();
    assert_eq!((paths(&found), found.total), (vec!["Projects/Deep/Er/c.md"], 2));
    assert_eq!(index.search_by_folder(&who, folder("Größe").as_ref(), true, 9).unwrap().total, 0);
    let recent = index.recent_notes(&who, SortBy::Created, 20).unwrap();
    assert_eq!(paths(&recent), ["Projects/Deep/Er/c.md", "Projects/Deep/b.md"]);
}

#[test]
fn a_list_is_had_part_by_part_each_row_once() {
    let disk = Disk::new();
    for number in 0..23 {
        disk.write(&format!("{number}.md"), format!("---\ntags: t\nkey: v{number}\nsame: x\n---\n"));
    }
    let index = disk.indexed();
    let who = owner();
    type Ask<'a> = Box<dyn Fn(Part) -> (Vec<String>, usize) + 'a>;
    let names = |page: Page<NoteMeta>| {
        (page.items.into_iter().map(|note| note.path.as_str().to_owned()).collect(), page.total)
    };
    let lists: [(&str, Ask<'_>); 6] = [
        ("tag", Box::new(|part| names(index.search_by_tag(&who, "t", false, part).unwrap()))),
        ("folder", Box::new(|part| names(index.search_by_folder(&who, None, true, part).unwrap()))),
        ("recent", Box::new(|part| names(index.recent_notes(&who, SortBy::Created, part).unwrap()))),
        ("orphans", Box::new(|part| names(index.find_orphans(&who, &[], part).unwrap()))),
        (
            "property",
            Box::new(|part| names(index.search_by_property(&who, "same", "x", None, part).unwrap())),
        ),
        (
            "values",
            Box::new(|part| {
                let page = index.list_property_values(&who, "key", None, part).unwrap();
                (page.items.into_iter().map(|value| value.value).collect(), page.total)
            }),
        ),
    ];
    for (name, ask) in &lists {
        let (whole, total) = ask(Part::from(100));
        assert_eq!((whole.len(), total), (23, 23), "{name}");
        let parts: Vec<String> =
            (0..6).flat_map(|number| ask(Part { offset: number * 5, limit: 5 }).0).collect();
        assert_eq!(parts, whole, "{name}");
        assert!(ask(Part { offset: usize::MAX, limit: usize::MAX }).0.is_empty(), "{name}");
    }
}
