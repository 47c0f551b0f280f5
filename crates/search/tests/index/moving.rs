//! Moves through the vault's writer, which asks the index whose links to rewrite.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use search::{Index, IndexOptions};
use vault::{
    FileKind, FolderScope, FoundFile, LinkSource, ListenerError, Principal, VaultPath, Walk, WriteError,
};

use crate::harness::{Disk, backlinks, outgoing, owner, path, reconcile, wait_until};
use crate::shared_vaults::shared;
use crate::writer::updated;

/// Files of an age at which the index trusts their times.
fn aged(files: &[(&str, &str)]) -> Disk {
    let disk = Disk::with(files);
    for (path, _) in files {
        disk.age(path, 600);
    }
    disk
}

fn walk(disk: &Disk) -> Walk {
    disk.vault().walk().expect("the vault can be walked")
}

#[track_caller]
fn unread(index: &Index, walk: &Walk) -> Vec<String> {
    let unread = LinkSource::unread(index, &walk.files).expect("the index tells what it has not read");
    unread.into_iter().map(|path| path.as_str().to_owned()).collect()
}

#[test]
fn links_of_every_form_are_rewritten_without_reading_what_has_none() {
    let disk = aged(&[
        ("a/Old.md", "# Old\n"),
        ("wiki.md", "[[Old]] [[Old#Old|shown]]"),
        ("markdown.md", "[x](a/Old.md#Old)"),
        ("embed.md", "![[Old]] ![x](a/Old.md)"),
        ("property.md", "---\nup: \"[[Old]]\"\nlist:\n  - \"[[a/Old]]\"\n---\n"),
        ("board.canvas", r#"{"nodes":[{"id":"1","type":"file","file":"a/Old.md"}]}"#),
        ("table.md", "| a |\n| -- |\n| [[Old\\|x]] |\n"),
        ("free.md", "[[wiki]]"),
    ]);
    let writing = disk.writing();
    assert!(unread(&writing.index, &walk(&disk)).is_empty());
    let moved = writing.rename("a/Old.md", "n/New.md");
    let expected = ["board.canvas", "embed.md", "markdown.md", "property.md", "table.md", "wiki.md"];
    assert_eq!(updated(&moved), expected);
    disk.holds("property.md", "---\nup: \"[[New]]\"\nlist:\n  - \"[[New]]\"\n---\n");
    disk.holds("table.md", "| a |\n| -- |\n| [[New\\|x]] |\n");
    assert_eq!(backlinks(&writing.index, &owner(), "n/New.md"), expected, "the index has what was written");
    assert!(backlinks(&writing.index, &owner(), "a/Old.md").is_empty());
}

#[test]
fn a_note_changed_outside_a_moment_ago_has_its_links_rewritten() {
    let disk = aged(&[("Old.md", ""), ("late.md", "nothing yet"), ("same.md", "[[Olx]]")]);
    let writing = disk.writing();
    // Nobody watches: the index has heard of none of this.
    disk.write("late.md", "now [[Old]]");
    disk.write("new/made.md", "[[Old]]");
    disk.write("new/made.canvas", r#"{"nodes":[{"id":"1","type":"file","file":"Old.md"}]}"#);
    // The size alone tells nothing.
    disk.write("same.md", "[[Old]]");
    assert_eq!(
        updated(&writing.rename("Old.md", "New.md")),
        ["late.md", "new/made.canvas", "new/made.md", "same.md"]
    );
    disk.holds("late.md", "now [[New]]");
    disk.holds("same.md", "[[New]]");
}

#[test]
fn a_note_that_the_index_read_is_not_read_again() {
    let disk = aged(&[("Old.md", ""), ("blind.md", "[[Olx]]")]);
    let writing = disk.writing();
    let blind = disk.root().join("blind.md");
    let before = std::fs::metadata(&blind).unwrap().modified().unwrap();
    // Same size, same time: whoever reads it sees the link, whoever trusts what was read does not.
    disk.write("blind.md", "[[Old]]");
    std::fs::File::options().append(true).open(&blind).unwrap().set_modified(before).unwrap();
    assert!(updated(&writing.rename("Old.md", "New.md")).is_empty());
    disk.holds("blind.md", "[[Old]]");
}

#[test]
fn a_note_read_while_it_was_fresh_is_compared_once_more_and_then_trusted() {
    let disk = Disk::with(&[("Old.md", ""), ("fresh.md", "[[Olx]]")]);
    let writing = disk.writing();
    let file = disk.root().join("fresh.md");
    let before = std::fs::metadata(&file).unwrap().modified().unwrap();
    // A change in the same tick of the file system's clock.
    disk.write("fresh.md", "[[Old]]");
    std::fs::File::options().append(true).open(&file).unwrap().set_modified(before).unwrap();
    assert_eq!(unread(&writing.index, &walk(&disk)), ["Old.md", "fresh.md"]);
    wait_until(Duration::from_secs(20), "fresh notes come of age", || {
        unread(&writing.index, &walk(&disk)).is_empty()
    });
    assert_eq!(outgoing(&writing.index, &owner(), "fresh.md"), ["Old.md"], "what was compared was read");
    assert_eq!(updated(&writing.rename("Old.md", "New.md")), ["fresh.md"]);
}

#[test]
fn what_is_read_in_part_or_not_at_all_counts_as_unread() {
    let long = format!(r#"{{"nodes":[{{"id":"1","type":"text","text":"{}"}}]}}"#, "word ".repeat(40_000));
    let disk = aged(&[
        ("bad.md", "---\na: [\n---\n[[Old]]"),
        ("board.canvas", "no json"),
        ("good.md", "[[Old]]"),
        ("large.md", &"x".repeat(2_000)),
        ("long.canvas", &long),
        ("picture.png", ""),
        ("unclosed.md", "---\na: \"[[Old]]\"\n"),
    ]);
    let writing = disk.writing_with(IndexOptions { max_note_bytes: 1_000_000, ..disk.options() });
    reconcile(&writing.index);
    assert_eq!(unread(&writing.index, &walk(&disk)), ["bad.md", "board.canvas", "unclosed.md"]);
    drop(writing);
    let writing = disk.writing_with(IndexOptions { max_note_bytes: 1_000, ..disk.options() });
    let all = ["bad.md", "board.canvas", "good.md", "large.md", "long.canvas", "unclosed.md"];
    assert_eq!(unread(&writing.index, &walk(&disk)), all, "nothing is read before the first look");
    reconcile(&writing.index);
    assert_eq!(
        unread(&writing.index, &walk(&disk)),
        ["bad.md", "board.canvas", "large.md", "long.canvas", "unclosed.md"]
    );
}

#[test]
fn an_index_that_knows_nothing_yet_costs_no_link() {
    let disk = aged(&[("Old.md", ""), ("a.md", "[[Old]]"), ("b.md", "[x](Old.md)")]);
    let writing = disk.writing_with(disk.options());
    assert_eq!(updated(&writing.rename("Old.md", "New.md")), ["a.md", "b.md"]);
}

#[test]
fn bare_links_that_a_new_name_makes_ambiguous_are_rewritten() {
    let disk = aged(&[
        ("x/Note.md", ""),
        ("Old.md", ""),
        ("from.md", "[[Note]] [[Old]]"),
        ("other.md", "[[x/Note]]"),
    ]);
    let writing = disk.writing();
    let moved = writing.rename("Old.md", "Note.md");
    assert_eq!(updated(&moved), ["from.md"]);
    assert_eq!(outgoing(&writing.index, &owner(), "from.md"), ["Note.md", "x/Note.md"]);
    assert_eq!(outgoing(&writing.index, &owner(), "other.md"), ["x/Note.md"]);
}

#[test]
fn links_in_notes_out_of_the_callers_sight_refuse_a_move() {
    let disk = aged(&[("open/Old.md", ""), ("secret/from.md", "[[Old]]")]);
    let writing = disk.writing();
    let who = Principal { folders: FolderScope::Only(vec!["open".to_owned()]), ..owner() };
    let caller = vault::Caller { who: &who, tool: "test" };
    let (from, to) = (path("open/Old.md"), path("open/New.md"));
    let moved = writing.writer.move_note(caller, &from, &to, &vault::WriteOptions::default(), false);
    assert!(matches!(moved, Err(WriteError::LinksOutOfScope { .. })), "{moved:?}");
    disk.holds("secret/from.md", "[[Old]]");
}

#[test]
fn links_in_notes_with_problems_are_rewritten_or_refuse_the_move() {
    let latin = b"caf\xe9 and nothing".as_slice();
    let disk = aged(&[("Old.md", ""), ("unclosed.md", "---\nup: x\n[[Old]]\n")]);
    disk.write("latin.md", latin);
    disk.age("latin.md", 600);
    let writing = disk.writing();
    assert_eq!(updated(&writing.rename("Old.md", "New.md")), ["unclosed.md"]);
    disk.write("latin.md", b"caf\xe9 [[New]]");
    let refused = writing.try_rename("New.md", "Newer.md", false);
    assert!(matches!(refused, Err(WriteError::NotText { .. })), "{refused:?}");
    disk.write("latin.md", latin);
    disk.write("broken.md", "---\na: [\n---\n[[New]]");
    let refused = writing.try_rename("New.md", "Newer.md", false);
    assert!(matches!(refused, Err(WriteError::LinkSource { .. })), "{refused:?}");
}

/// An index that can be made to know nothing, so that every file is looked at.
struct Forgetful {
    index: Index,
    forgets: AtomicBool,
}

impl LinkSource for Forgetful {
    fn backlinks(&self, path: &VaultPath) -> Result<Vec<VaultPath>, ListenerError> {
        if self.forgets.load(Ordering::Relaxed) {
            Ok(Vec::new())
        } else {
            LinkSource::backlinks(&self.index, path)
        }
    }

    fn unread(&self, files: &[FoundFile]) -> Result<Vec<VaultPath>, ListenerError> {
        if self.forgets.load(Ordering::Relaxed) {
            return Ok(files.iter().map(|file| file.path.clone()).collect());
        }
        LinkSource::unread(&self.index, files)
    }
}

/// A move that trusts the index rewrites what a move that reads the whole vault does.
#[test]
fn with_the_index_a_move_finds_what_reading_everything_finds() {
    for name in ["obsidian-help-en", "tasks-demo", "kepano-obsidian"] {
        let Some(root) = shared(&format!("vaults/{name}")) else { return };
        let disk = Disk::new();
        disk.copy_from(&root);
        let files = walk(&disk).files;
        files.iter().for_each(|file| disk.age(file.path.as_str(), 600));
        let index = disk.indexed();
        let source = Arc::new(Forgetful { index: index.clone(), forgets: AtomicBool::new(false) });
        let links = Arc::clone(&source) as Arc<dyn LinkSource>;
        let writing = disk.writing_of(index, links);
        let notes = files.iter().filter(|file| file.path.kind() == FileKind::Note);
        let (linked, free): (Vec<_>, Vec<_>) =
            notes.partition(|file| !backlinks(&writing.index, &owner(), file.path.as_str()).is_empty());
        let mut links = 0;
        for note in linked.iter().step_by(4).chain(free.iter().step_by(16)) {
            for to in [format!("moved here/{}", note.path.file_name()), "Some other name.md".to_owned()] {
                let moved = [false, true].map(|forgets| {
                    source.forgets.store(forgets, Ordering::Relaxed);
                    let moved = writing.try_rename(note.path.as_str(), &to, true);
                    moved
                        .map(|moved| {
                            links += moved.links;
                            let diffs: Vec<_> =
                                moved.updated.into_iter().map(|written| written.diff).collect();
                            (moved.links, moved.unwritable, diffs)
                        })
                        .map_err(|error| error.to_string())
                });
                assert_eq!(moved[0], moved[1], "{name}: {} to {to}", note.path.as_str());
            }
        }
        assert!(links > 0, "{name}: no note of the sample had links");
        println!("{name}: {} links", links / 2);
    }
}
