//! Text files and canvases in search.

use search::{FtsQuery, IndexOptions, Kind, LineRange, ProblemKind, SearchQuery};

use crate::harness::{Disk, first, found, outgoing, owner, reconcile};

const CANVAS: &str = r#"{"nodes":[
    {"id":"g","type":"group","x":0,"y":0,"width":500,"height":500,"label":"The loft"},
    {"id":"t","type":"text","x":10,"y":10,"width":100,"height":50,"text":"**Lanterns** over the stove"},
    {"id":"f","type":"file","x":10,"y":100,"width":100,"height":50,"file":"Heron.md"}
],"edges":[]}"#;

#[test]
fn a_text_file_is_found_by_its_words_with_their_lines() {
    let disk = Disk::with(&[
        ("data/budget.csv", "month,amount\nJanuary,12\nFebruary,lantern oil\n"),
        ("note.md", "Lantern."),
        ("view.base", "filters: lanternfish"),
    ]);
    let index = disk.indexed();
    assert_eq!(found(&index, "lantern oil"), ["data/budget.csv", "note.md"]);
    assert_eq!(found(&index, "lanternfish"), ["view.base"]);
    assert_eq!(found(&index, "budget.csv"), ["data/budget.csv"], "its name is searched");
    let hit = first(&index, "february");
    assert_eq!((hit.kind, hit.extension.as_deref()), (Kind::File, Some("csv")));
    assert_eq!((hit.title.as_str(), hit.folder.as_str()), ("budget.csv", "data"));
    assert_eq!(hit.lines, Some(LineRange { start: 1, end: 3 }));
    assert!(hit.snippet.contains("February,lantern oil"), "{}", hit.snippet);
}

#[test]
fn a_canvas_is_found_by_its_cards_as_the_outline_shows_them() {
    let disk = Disk::with(&[("Loft.canvas", CANVAS), ("Heron.md", "A machine.")]);
    let index = disk.indexed();
    let hit = first(&index, "lantern");
    assert_eq!(hit.path.as_str(), "Loft.canvas");
    assert!(hit.section.as_deref().is_some_and(|section| section.ends_with("Group: The loft")), "{hit:?}");
    let outline = markdown::canvas::linearize(CANVAS).unwrap();
    let line = outline.lines().position(|line| line.contains("Lanterns")).unwrap();
    let lines = hit.lines.unwrap();
    assert!((lines.start..=lines.end).contains(&u32::try_from(line + 1).unwrap()), "{lines:?}\n{outline}");
    assert_eq!(outgoing(&index, &owner(), "Loft.canvas"), ["Heron.md"]);
}

#[test]
fn full_text_search_is_over_notes() {
    let disk = Disk::with(&[("a.txt", "lantern"), ("a.md", "lantern"), ("B.canvas", CANVAS)]);
    let index = disk.indexed();
    for query in ["lantern", "lantern*", "lantern OR stove"] {
        let answer = index.fts_search(&owner(), &FtsQuery::new(query)).unwrap();
        let paths: Vec<_> = answer.results.iter().map(|hit| hit.path.as_str()).collect();
        assert_eq!((paths, answer.total), (vec!["a.md"], 1), "{query}");
    }
}

#[test]
fn without_file_texts_only_links_of_canvases_are_known() {
    let disk = Disk::with(&[("a.txt", "lantern"), ("B.canvas", CANVAS), ("Heron.md", "A machine.")]);
    let options = || IndexOptions { file_texts: false, ..disk.options() };
    let index = disk.open_with(options());
    reconcile(&index);
    assert!(found(&index, "lantern").is_empty());
    assert_eq!(outgoing(&index, &owner(), "B.canvas"), ["Heron.md"]);
    drop(index);
    let index = disk.indexed();
    assert_eq!(found(&index, "lantern"), ["a.txt", "B.canvas"], "switched on at the next start");
    drop(index);
    let index = disk.open_with(options());
    reconcile(&index);
    assert!(found(&index, "lantern").is_empty(), "and off");
}

#[test]
fn files_are_kept_up_with() {
    let disk = Disk::with(&[("a.txt", "lantern"), ("B.canvas", CANVAS)]);
    let index = disk.indexed();
    disk.write("a.txt", "candle");
    disk.write("B.canvas", "{}");
    reconcile(&index);
    assert!(found(&index, "lantern").is_empty());
    assert_eq!(found(&index, "candle"), ["a.txt"]);
    disk.remove("a.txt");
    reconcile(&index);
    assert!(found(&index, "candle").is_empty());
}

#[test]
fn what_cannot_be_searched_is_told() {
    let disk = Disk::new();
    disk.write("binary.txt", b"lantern\0\x01");
    disk.write("latin.csv", b"caf\xe9;lantern");
    disk.write("broken.canvas", "{\"nodes\": [");
    let long = format!("{}tail lantern", "filler words\n".repeat(9_000));
    disk.write("long.log", &long);
    let index = disk.indexed();
    assert_eq!(found(&index, "lantern"), ["latin.csv"]);
    assert_eq!(found(&index, "caf\u{e9}"), ["latin.csv"]);
    assert_eq!(found(&index, "filler"), ["long.log"]);
    for name in ["binary.txt", "broken.canvas", "long.log"] {
        assert_eq!(found(&index, name)[0], name, "found by its name");
    }
    let problems: Vec<_> = index.status(&owner()).unwrap().problems;
    let problems: Vec<_> = problems.iter().map(|problem| (problem.path.as_str(), problem.kind)).collect();
    assert_eq!(
        problems,
        [
            ("binary.txt", ProblemKind::Binary),
            ("broken.canvas", ProblemKind::InvalidCanvas),
            ("latin.csv", ProblemKind::Latin1),
            ("long.log", ProblemKind::SearchedInPart),
        ]
    );
}

#[test]
fn filters_hold_for_files_too() {
    let disk = Disk::with(&[
        ("in/a.txt", "lantern"),
        ("b.txt", "lantern"),
        ("in/n.md", "---\ntags: x\n---\nlantern"),
    ]);
    let index = disk.indexed();
    let mut query = SearchQuery::new("lantern");
    query.filters.folder = Some("in".to_owned());
    assert_eq!(crate::harness::found_by(&index, &owner(), &query), ["in/n.md", "in/a.txt"]);
    query.filters.tags = vec!["x".to_owned()];
    assert_eq!(crate::harness::found_by(&index, &owner(), &query), ["in/n.md"], "files carry no tags");
}
