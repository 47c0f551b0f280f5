//! The walk: what it finds, what it passes over, in which order.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::process::Command;

use proptest::prelude::*;
use vault::{FileKind, SkipReason, VaultError, VaultPath};

use crate::{Fixture, assert_walk, bytes, may_be_refused, vault};

#[test]
fn files_come_in_the_order_of_their_bytes() {
    // A space and a dash sort before the slash, letters after it; upper case before lower.
    let files = ["B.md", "a-b.md", "a b.md", "a/x.md", "a.md", "ab/x.md", "Ä.md", "a/X.md"];
    let fixture = Fixture::with(&files);
    let mut sorted = files;
    sorted.sort_unstable();
    fixture.walks(&sorted, &[]);
}

#[test]
fn every_kind_of_file_is_found_and_nothing_hidden() {
    let fixture = Fixture::with(&[
        "note.md",
        "board.canvas",
        "x/image.PNG",
        "no-extension",
        ".obsidian/app.json",
        ".trash/old.md",
        ".git/HEAD",
        ".hidden.md",
        "x/.hidden/a.md",
        "x/.DS_Store",
    ]);
    fs::create_dir(fixture.on_disk("empty")).unwrap();
    fixture.walks(&["board.canvas", "no-extension", "note.md", "x/image.PNG"], &[]);
}

#[test]
fn the_walk_and_the_read_agree_on_size_and_time() {
    let fixture = Fixture::with(&["a.md", "b/c.md"]);
    for file in fixture.vault().walk().unwrap().files {
        assert_eq!(fixture.read(file.path.as_str()).unwrap().stat, file.stat);
    }
}

#[test]
fn names_that_no_path_can_spell_are_reported() {
    let fixture = Fixture::with(&["a.md"]);
    fixture.write("line\nbreak.md", "x");
    fixture.write(r"back\slash.md", "x");
    fixture.write("C:/a.md", "x");
    fixture.write(" ", "x");
    fixture.write(bytes(b"caf\xe9.md"), "x");
    fixture.write(bytes(b"caf\xe9/inside.md"), "x");
    fixture.walks(
        &["a.md"],
        &[
            (" ", SkipReason::BadName),
            ("C:", SkipReason::BadName),
            (r"back\slash.md", SkipReason::BadName),
            ("caf\u{fffd}", SkipReason::NotUtf8Name),
            ("caf\u{fffd}.md", SkipReason::NotUtf8Name),
            ("line\nbreak.md", SkipReason::BadName),
        ],
    );
}

#[test]
fn of_two_spellings_of_one_path_the_exact_one_wins() {
    let fixture = Fixture::new();
    fixture.write("Cafe\u{301}.md", "decomposed");
    fixture.write("Café.md", "composed");
    fixture.write("a\u{a0}b/x.md", "no-break");
    fixture.write("a\u{202f}b/y.md", "narrow");
    fixture.walks(
        &["Café.md", "a b/x.md"],
        &[("Cafe\u{301}.md", SkipReason::Shadowed), ("a\u{202f}b", SkipReason::Shadowed)],
    );
    // And reading finds what the walk has found.
    fixture.reads("Café.md", "composed");
    fixture.reads("a b/x.md", "no-break");
}

#[test]
fn pipes_sockets_and_devices_are_reported_and_not_opened() {
    let fixture = Fixture::with(&["a.md"]);
    assert!(Command::new("mkfifo").arg(fixture.on_disk("pipe")).status().unwrap().success());
    let _socket = UnixListener::bind(fixture.on_disk("socket")).unwrap();
    fixture.walks(&["a.md"], &[("pipe", SkipReason::NotRegular), ("socket", SkipReason::NotRegular)]);
}

#[test]
fn a_folder_that_may_not_be_read_is_reported_and_not_fatal() {
    let fixture = Fixture::with(&["a.md", "locked/b.md"]);
    if !may_be_refused("walking::a_folder_that_may_not_be_read_is_reported_and_not_fatal") {
        return;
    }
    fs::set_permissions(fixture.on_disk("locked"), Permissions::from_mode(0o0)).unwrap();
    let walk = fixture.vault().walk().unwrap();
    fs::set_permissions(fixture.on_disk("locked"), Permissions::from_mode(0o700)).unwrap();
    assert_eq!(walk.files.len(), 1);
    assert!(matches!(walk.skipped[0].reason, SkipReason::Unreadable(_)), "{:?}", walk.skipped);
}

#[test]
fn folders_nested_too_deep_are_reported() {
    let fixture = Fixture::with(&["a.md"]);
    fixture.write("d/".repeat(129) + "deep.md", "x");
    fixture.write("e/".repeat(128) + "deep.md", "x");
    let walk = fixture.vault().walk().unwrap();
    assert_eq!(walk.files.len(), 2);
    assert_eq!(walk.skipped.len(), 1);
    assert_eq!(walk.skipped[0].reason, SkipReason::TooDeep);
}

#[test]
fn a_folder_alone() {
    let fixture = Fixture::with(&["a.md", "x/b.md", "x/y/c.md", "xy/d.md"]);
    let vault = fixture.vault();
    assert_walk(&vault.walk_folder("x").unwrap(), &["x/b.md", "x/y/c.md"], &[]);
    assert_walk(&vault.walk_folder("x/y/").unwrap(), &["x/y/c.md"], &[]);
    assert_walk(&vault.walk_folder("missing/x").unwrap(), &[], &[]);
    assert_walk(&vault.walk_folder("a.md").unwrap(), &[], &[]);
    for root in ["", "/", "."] {
        assert_eq!(vault.walk_folder(root).unwrap(), vault.walk().unwrap());
    }
    for bad in ["..", "/etc", ".obsidian"] {
        assert!(matches!(vault.walk_folder(bad), Err(VaultError::Path(_))), "{bad}");
    }
}

#[test]
fn a_folder_spelt_otherwise_on_disk_is_found() {
    let fixture = Fixture::new();
    fixture.write("U\u{308}ber\u{a0}uns/a.md", "a");
    let walk = fixture.vault().walk_folder("Über uns").unwrap();
    assert_walk(&walk, &["Über uns/a.md"], &[]);
}

#[test]
fn a_vault_that_is_gone_is_an_error_and_not_empty() {
    let fixture = Fixture::with(&["a.md"]);
    let vault = fixture.vault();
    fs::remove_dir_all(fixture.root()).unwrap();
    assert!(matches!(vault.walk(), Err(VaultError::RootLost { .. })));
}

/// A note that cannot be looked up says nothing while the whole vault is away.
#[test]
fn in_a_vault_that_is_gone_no_path_reads_as_missing() {
    let fixture = Fixture::with(&["a.md", "b/c.md"]);
    let vault = fixture.vault();
    fs::remove_dir_all(fixture.root()).unwrap();
    let path = VaultPath::parse("b/c.md").unwrap();
    assert!(matches!(vault.stat(&path), Err(VaultError::RootLost { .. })));
    assert!(matches!(vault.read(&path), Err(VaultError::RootLost { .. })));
    assert!(matches!(vault.walk_folder("b"), Err(VaultError::RootLost { .. })));
    assert!(matches!(vault.skipped_at(&path), Err(VaultError::RootLost { .. })));
    assert!(matches!(vault.check_root(), Err(VaultError::RootLost { .. })));
}

/// What a look at one path says is what the walk says of it.
#[test]
fn a_look_at_each_path_lists_what_the_walk_lists() {
    let fixture =
        Fixture::with(&["a.md", "x/b.md", "Café.md", "Cafe\u{301}.md", "x/a b.md", "x/a\u{a0}b.md"]);
    fixture.write("line\nbreak.md", "x");
    fixture.write("x/back\\slash.md", "x");
    fixture.write("C:/a.md", "x");
    fixture.write("x/C:/a.md", "x");
    let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, fixture.on_disk(name)).unwrap();
    link("nowhere", "broken.md");
    link("../a.md", "x/twice.md");
    link("x", "y");
    link("/", "out");
    assert!(Command::new("mkfifo").arg(fixture.on_disk("x/pipe.md")).status().unwrap().success());
    let outside = tempfile::tempdir_in(fixture.root().parent().unwrap()).unwrap();
    fs::hard_link(fixture.on_disk("a.md"), outside.path().join("a.md")).unwrap();
    let vault = fixture.vault();
    let walk = vault.walk().unwrap();
    let mut found = Vec::new();
    let paths =
        ["a.md", "x", "x/b.md", "Café.md", "x/a b.md", "broken.md", "x/twice.md", "y", "out", "y/pipe.md"];
    for path in paths.into_iter().chain(["x/pipe.md", "nothing.md", "x/C:", "no/where.md"]) {
        found.extend(vault.skipped_at(&VaultPath::parse(path).unwrap()).unwrap());
    }
    for folder in ["", "x", "y", "nowhere"] {
        found.extend(vault.skipped_names_in(folder).unwrap());
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    assert_eq!(found, walk.skipped);
    assert_eq!(found.len(), 11, "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Whatever the names are: each file is found once or reported, and what is found can be read.
    #[test]
    fn every_name_is_found_or_reported(names in prop::collection::btree_set("[a-cA. \\\\\u{a0}\u{301}\u{e1}\n:]{1,4}", 1..8)) {
        let fixture = Fixture::new();
        let usable: Vec<_> = names.iter().filter(|name| *name != "." && *name != "..").collect();
        for name in &usable {
            fixture.write(name, name);
        }
        let walk = fixture.vault().walk().unwrap();
        let hidden = usable.iter().filter(|name| name.starts_with('.')).count();
        prop_assert_eq!(walk.files.len() + walk.skipped.len() + hidden, usable.len());
        for file in &walk.files {
            let content = fixture.vault().read(&file.path).unwrap();
            prop_assert_eq!(content.stat, file.stat);
            prop_assert_eq!(VaultPath::parse(&String::from_utf8(content.bytes).unwrap()), Ok(file.path.clone()));
        }
        prop_assert!(walk.files.is_sorted_by(|one, other| one.path < other.path));
    }
}

#[test]
fn a_walk_for_some_kinds_finds_what_the_whole_walk_finds_of_them() {
    let fixture = Fixture::with(&[
        "a.md",
        "b.png",
        "folder/c.md",
        "folder/d.pdf",
        "folder/deep/e.canvas",
        "no extension",
    ]);
    fixture.link("folder/link.png", "../b.png");
    fs::write(fixture.outside("linked.png"), "x").unwrap();
    fs::hard_link(fixture.outside("linked.png"), fixture.on_disk("refused.png")).unwrap();
    // Its other name is a note, which is not looked at.
    fs::hard_link(fixture.on_disk("a.md"), fixture.on_disk("a.txt")).unwrap();
    let opened = fixture.vault();
    for wanted in [
        (|kind| kind != FileKind::Note) as fn(FileKind) -> bool,
        |kind| kind == FileKind::Note,
        |kind| kind == FileKind::Image,
        |_| true,
    ] {
        let mut expected = opened.walk().unwrap().files;
        expected.retain(|file| wanted(file.path.kind()));
        assert_eq!(opened.walk_kinds(wanted).unwrap(), expected);
        assert!(!expected.is_empty());
    }
}
