//! Files that are not what they should be: indexed as far as they can be read, named in the status,
//! and never in the way of the others.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, Instant};

use search::{IndexOptions, ProblemKind, SearchQuery};
use vault::{Change, ChangeListener};

use crate::harness::{Disk, first, found, outgoing, owner, path, reconcile};

#[track_caller]
fn problems(index: &search::Index) -> Vec<(String, ProblemKind, String)> {
    let status = index.status(&owner()).expect("status answers");
    status
        .problems
        .into_iter()
        .map(|problem| (problem.path.as_str().to_owned(), problem.kind, problem.message))
        .collect()
}

#[track_caller]
fn one_problem(index: &search::Index, path: &str, kind: ProblemKind) -> String {
    let problems = problems(index);
    let [(at, found, message)] = problems.as_slice() else { panic!("one problem: {problems:?}") };
    assert_eq!((at.as_str(), *found), (path, kind));
    message.clone()
}

#[test]
fn invalid_yaml_costs_the_properties_only() {
    let disk = Disk::with(&[
        ("a.md", "---\ntags: [x]\ntitle: one: two\n---\nneedle #inline [[b]]"),
        ("b.md", "other"),
    ]);
    let index = disk.indexed();
    let message = one_problem(&index, "a.md", ProblemKind::InvalidYaml);
    assert!(message.contains("line 3, column"), "{message}");
    assert_eq!(found(&index, "needle"), ["a.md"]);
    let meta = index.note_meta(&owner(), &path("a.md")).unwrap().unwrap();
    assert_eq!((meta.title.as_str(), meta.tags.as_slice()), ("a", &["inline".to_owned()][..]));
    assert_eq!(outgoing(&index, &owner(), "a.md"), ["b.md"]);
    assert!(found(&index, "one two").is_empty(), "the block is not text");
    disk.write("a.md", "---\ntags: [x]\ntitle: \"one: two\"\n---\nneedle");
    index.changed(&[Change::Written(path("a.md"))]).unwrap();
    assert!(problems(&index).is_empty());
}

#[test]
fn every_kind_of_broken_block_leaves_the_server_up() {
    let blocks = [
        "a: \"open",
        "a: 1\na: 2",
        "\ta: 1",
        "title: A: B",
        "x: @y",
        "- 1\n- 2",
        "{",
        "&a *a",
        "? ? ?",
        "a: !!binary x",
        "js\nprocess.exit()",
    ];
    let disk = Disk::new();
    for (number, block) in blocks.iter().enumerate() {
        disk.write(&format!("{number}.md"), format!("---\n{block}\n---\nneedle{number}"));
    }
    let index = disk.indexed();
    for number in 0..blocks.len() {
        assert_eq!(found(&index, &format!("needle{number}")), [format!("{number}.md")]);
    }
}

#[test]
fn an_unclosed_block_is_text() {
    let disk = Disk::with(&[("a.md", "---\ntitle: x\ntags: [t]\nneedle and more")]);
    let index = disk.indexed();
    one_problem(&index, "a.md", ProblemKind::UnclosedFrontmatter);
    let hit = first(&index, "needle");
    assert_eq!((hit.title.as_str(), hit.tags.len()), ("a", 0));
}

#[test]
fn a_byte_order_mark_hides_nothing() {
    let disk = Disk::with(&[("a.md", "\u{feff}---\ntitle: Marked\ntags: [t]\n---\nneedle")]);
    let index = disk.indexed();
    let hit = first(&index, "needle");
    assert_eq!((hit.title.as_str(), hit.tags.as_slice()), ("Marked", &["t".to_owned()][..]));
    assert_eq!(hit.lines.unwrap().start, 5);
    assert!(problems(&index).is_empty());
}

#[test]
fn carriage_returns_hide_nothing() {
    let disk = Disk::with(&[
        ("a.md", "---\r\ntitle: Windows\r\n---\r\n# One\r\ntext #t\r\n## Two\r\nneedle [[b]]\r\n"),
        ("b.md", ""),
    ]);
    let index = disk.indexed();
    let short = SearchQuery { snippet_tokens: 1, ..SearchQuery::new("needle") };
    let hit = index.search(&owner(), &short).unwrap().hits.remove(0);
    assert_eq!((hit.title.as_str(), hit.section.as_deref()), ("Windows", Some("One > Two")));
    assert_eq!(hit.lines.unwrap().start, 7);
    assert_eq!(outgoing(&index, &owner(), "a.md"), ["b.md"]);
}

#[test]
fn latin_1_is_read_as_such_and_named() {
    let disk = Disk::new();
    disk.write("a.md", b"caf\xe9 needle \x93quoted\x94");
    let index = disk.indexed();
    one_problem(&index, "a.md", ProblemKind::Latin1);
    assert_eq!(found(&index, "café"), ["a.md"]);
    assert!(first(&index, "needle").snippet.contains("café"));
}

#[test]
fn binary_and_utf_16_files_named_as_notes() {
    let disk = Disk::new();
    disk.write("binary.md", b"abc\0\x01\x02needle");
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("wide needle".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    disk.write("wide.md", utf16);
    let index = disk.indexed();
    one_problem(&index, "binary.md", ProblemKind::Binary);
    assert_eq!(found(&index, "needle"), ["wide.md"]);
    assert_eq!(found(&index, "binary"), ["binary.md"], "by its name");
}

#[test]
fn ten_megabytes_are_indexed() {
    let disk = Disk::new();
    let line = "The quick brown fox jumps over the lazy dog and looks for a word in a very long text. ";
    let mut text = line.repeat(10 * 1024 * 1024 / line.len());
    text.push_str("\nneedle at the end [[b]]\n");
    disk.write("big.md", &text);
    disk.write("b.md", "small");
    let started = Instant::now();
    let index = disk.indexed();
    assert_eq!(found(&index, "needle"), ["big.md"]);
    assert_eq!(outgoing(&index, &owner(), "big.md"), ["b.md"]);
    assert!(first(&index, "needle").snippet.contains("needle"));
    assert!(started.elapsed() < Duration::from_secs(60), "took {:?}", started.elapsed());
}

#[test]
fn a_note_over_the_limit_is_listed_and_linkable() {
    let disk = Disk::with(&[("big.md", &"words ".repeat(1000)), ("a.md", "[[big]]")]);
    let index = disk.open_with(IndexOptions { max_note_bytes: 1000, ..disk.options() });
    reconcile(&index);
    let message = one_problem(&index, "big.md", ProblemKind::TooLarge);
    assert!(message.contains("6000 bytes") && message.contains("1000"), "{message}");
    assert_eq!(outgoing(&index, &owner(), "a.md"), ["big.md"]);
    assert!(found(&index, "words").is_empty());
    assert_eq!(found(&index, "big")[0], "big.md", "by its name");
    disk.write("big.md", "few words");
    index.changed(&[Change::Written(path("big.md"))]).unwrap();
    assert!(problems(&index).is_empty());
    assert_eq!(found(&index, "words"), ["big.md"]);
}

#[test]
fn fifty_thousand_headings_and_a_line_of_a_megabyte() {
    let disk = Disk::new();
    let headings: String =
        (0..50_000).map(|number| format!("{} Heading {number}\n", "#".repeat(number % 6 + 1))).collect();
    disk.write("headings.md", headings + "needle\n");
    disk.write("line.md", "word ".repeat(200_000) + "[[headings]] needle2");
    disk.write("brackets.md", "[[".repeat(100_000) + " needle3");
    let started = Instant::now();
    let index = disk.indexed();
    assert_eq!(first(&index, "needle").path.as_str(), "headings.md");
    assert_eq!(found(&index, "needle2"), ["line.md"]);
    assert_eq!(found(&index, "needle3"), ["brackets.md"]);
    assert_eq!(outgoing(&index, &owner(), "line.md"), ["headings.md"]);
    assert!(started.elapsed() < Duration::from_secs(60), "took {:?}", started.elapsed());
}

#[test]
fn links_are_followed_inside_once_and_never_outside() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.md"), "topsecret").unwrap();
    let disk = Disk::with(&[("real/a.md", "needle"), ("b.md", "other")]);
    symlink(outside.path().join("secret.md"), disk.root().join("leak.md")).unwrap();
    symlink(outside.path(), disk.root().join("leaks")).unwrap();
    symlink(disk.root().join("real"), disk.root().join("alias")).unwrap();
    symlink(disk.root().join("b.md"), disk.root().join("also b.md")).unwrap();
    symlink(disk.root(), disk.root().join("real/loop")).unwrap();
    symlink("nowhere", disk.root().join("broken.md")).unwrap();
    let index = disk.indexed();
    assert_eq!(found(&index, "needle"), ["real/a.md"]);
    assert_eq!(found(&index, "other"), ["b.md"]);
    assert!(found(&index, "topsecret").is_empty());
    // Said to have changed under its other names, it is still there once.
    for name in ["alias/a.md", "also b.md", "leak.md", "leaks/secret.md", "real/loop/b.md", "broken.md"] {
        index.changed(&[Change::Written(path(name))]).unwrap();
    }
    assert_eq!(found(&index, "needle"), ["real/a.md"]);
    assert_eq!(found(&index, "other"), ["b.md"]);
    assert!(found(&index, "topsecret").is_empty());
    let status = index.status(&owner()).unwrap();
    assert_eq!(status.notes, 2);
    let reasons: Vec<_> =
        status.skipped_by_reason.iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
    assert_eq!(reasons, [("broken_link", 1), ("leaves_vault", 2), ("linked_twice", 3)]);
}

#[test]
fn a_write_through_a_linked_folder_is_indexed_under_its_real_path() {
    let disk = Disk::with(&[("real/a.md", "old"), ("real/p.png", "1")]);
    symlink("real", disk.root().join("alias")).unwrap();
    let index = disk.indexed();
    disk.write("alias/a.md", "new");
    disk.write("alias/p.png", "12");
    index.changed(&[Change::Written(path("alias/a.md")), Change::Written(path("alias/p.png"))]).unwrap();
    assert_eq!(found(&index, "new"), ["real/a.md"]);
    let status = index.status(&owner()).unwrap();
    assert_eq!((status.notes, status.files), (1, 1));
}

#[test]
fn a_hard_link_to_elsewhere_is_refused_and_counted() {
    let disk = Disk::with(&[("a.md", "inside"), ("twice.md", "two paths of the vault")]);
    let outside = tempfile::tempdir_in(disk.root().parent().unwrap()).unwrap();
    let secret = outside.path().join("secret");
    std::fs::write(&secret, "topsecret").unwrap();
    std::fs::hard_link(&secret, disk.root().join("leak.md")).unwrap();
    std::fs::hard_link(disk.root().join("twice.md"), disk.root().join("again.md")).unwrap();
    let index = disk.indexed();
    assert!(found(&index, "topsecret").is_empty());
    index.changed(&[Change::Written(path("leak.md"))]).unwrap();
    assert!(found(&index, "topsecret").is_empty());
    assert_eq!(found(&index, "two paths").len(), 2);
    let status = index.status(&owner()).unwrap();
    assert_eq!(status.skipped_by_reason, [("hard_linked".to_owned(), 1)].into());
    assert_eq!(status.skipped[0].path, "leak.md");
}

#[test]
fn pipes_are_not_opened() {
    let disk = Disk::with(&[("a.md", "needle")]);
    let pipe = disk.root().join("pipe.md");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let index = disk.indexed();
    index.changed(&[Change::Written(path("pipe.md"))]).unwrap();
    assert_eq!(found(&index, "needle"), ["a.md"]);
    assert_eq!(index.status(&owner()).unwrap().skipped_by_reason, [("not_regular".to_owned(), 1)].into());
}

#[test]
fn hidden_files_are_not_there() {
    let disk = Disk::with(&[
        (".obsidian/a.md", "needle"),
        (".trash/b.md", "needle"),
        ("c/.d/e.md", "needle"),
        (".f.md", "needle"),
        ("g.md", "needle"),
    ]);
    let index = disk.indexed();
    assert_eq!(found(&index, "needle"), ["g.md"]);
}

#[test]
fn a_file_that_may_not_be_read_is_named_and_read_when_it_may() {
    let disk = Disk::with(&[("a.md", "needle"), ("b.md", "other")]);
    disk.age("a.md", 100);
    let file = disk.root().join("a.md");
    let allow = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    allow(0o000);
    if std::fs::read(&file).is_ok() {
        println!("skipped: this user may read everything");
        allow(0o644);
        return;
    }
    let index = disk.indexed();
    one_problem(&index, "a.md", ProblemKind::Unreadable);
    assert_eq!(found(&index, "other"), ["b.md"]);
    allow(0o644);
    reconcile(&index);
    assert_eq!(found(&index, "needle"), ["a.md"]);
    assert!(problems(&index).is_empty());
}

#[test]
fn a_broken_canvas_is_named() {
    let disk = Disk::with(&[("a.canvas", "{\"nodes\": ["), ("empty.canvas", ""), ("b.md", "[[a.canvas]]")]);
    let index = disk.indexed();
    one_problem(&index, "a.canvas", ProblemKind::InvalidCanvas);
    assert_eq!(outgoing(&index, &owner(), "b.md"), ["a.canvas"]);
}

#[test]
fn names_that_differ_only_in_composition_or_case() {
    let disk = Disk::with(&[
        ("caf\u{e9}.md", "composed"),
        ("cafe\u{301}.md", "decomposed"),
        ("Note.md", "upper"),
        ("note.md", "lower"),
    ]);
    let index = disk.indexed();
    assert_eq!(found(&index, "upper"), ["Note.md"]);
    assert_eq!(found(&index, "lower"), ["note.md"]);
    let status = index.status(&owner()).unwrap();
    assert_eq!((status.notes, status.skipped_by_reason.get("shadowed")), (3, Some(&1)));
}

#[test]
fn an_empty_vault_and_empty_notes() {
    let disk = Disk::new();
    let index = disk.indexed();
    assert_eq!(index.status(&owner()).unwrap().notes, 0);
    disk.write("empty.md", "");
    disk.write("only properties.md", "---\na: 1\n---\n");
    reconcile(&index);
    let hit = first(&index, "empty");
    assert_eq!((hit.snippet.as_str(), hit.lines), ("", None));
    assert_eq!(index.status(&owner()).unwrap().notes, 2);
}
