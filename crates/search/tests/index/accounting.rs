//! Every link, tag and task of a vault is counted: the status against a count of the test's own, file by
//! file, straight from the grammar. `REAL_VAULT=/path/to/notes` adds a vault of one's own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jiff::civil::date;
use markdown::canvas;
use markdown::document;
use markdown::frontmatter::PropertyMap;
use markdown::tasks::{self, Settings};
use search::{Index, IndexOptions, ProblemKind};
use vault::{FileKind, Vault, VaultOptions};

use crate::harness::{Disk, owner, reconcile};
use crate::shared_vaults::shared;

#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    notes: u64,
    files: u64,
    links: u64,
    tags: u64,
    tasks: u64,
}

/// Counts what the files of a vault hold.
fn count(vault: &Vault, settings: &Settings) -> Counts {
    let mut counts = Counts::default();
    let mut tags = BTreeSet::new();
    for file in vault.walk().unwrap().files {
        match file.path.kind() {
            FileKind::Note => counts.notes += 1,
            _ => counts.files += 1,
        }
        if !matches!(file.path.kind(), FileKind::Note | FileKind::Canvas) {
            continue;
        }
        let content = vault.read(&file.path).unwrap();
        let (text, _) = content.text();
        if file.path.kind() == FileKind::Canvas {
            counts.links += canvas::file_nodes(&text).map_or(0, |nodes| nodes.len() as u64);
            continue;
        }
        let document = document::parse(&text);
        let empty = PropertyMap::default();
        let map = document.properties.map().unwrap_or(&empty);
        counts.links += (document.links.len() + map.links().len()) as u64;
        tags.extend(document.all_tags().iter().map(|tag| markdown::tags::fold(tag)));
        counts.tasks += tasks::in_note(&text, &document, settings, Some(date(2000, 1, 1))).len() as u64;
    }
    counts.tags = tags.len() as u64;
    counts
}

#[track_caller]
fn accounts_for(root: &Path) {
    let disk = Disk::new();
    let vault = Vault::open(root, VaultOptions::default()).unwrap();
    let settings = vault.settings().tasks().or_default();
    let expected = count(&vault, &settings);
    let options = IndexOptions { db_path: disk.database(), ..disk.options() };
    let index = Index::open(vault, options).unwrap();
    let summary = reconcile(&index);
    let status = index.status(&owner()).unwrap();
    let found = Counts {
        notes: status.notes,
        files: status.files,
        links: status.links,
        tags: status.tags,
        tasks: status.tasks,
    };
    println!(
        "{}: {found:?}, {} links reach nothing, {} files indexed in part, {} paths skipped, {:.2} s",
        root.display(),
        status.unresolved_links,
        status.problems.len(),
        status.skipped.len(),
        summary.duration.as_secs_f64()
    );
    assert_eq!(found, expected, "{}", root.display());
    let faults: Vec<_> =
        status.problems.iter().filter(|problem| problem.kind == ProblemKind::Internal).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn the_sample_vault() {
    accounts_for(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/vault")));
}

#[test]
fn the_shared_vaults() {
    for name in ["obsidian-help-en", "tasks-demo", "kepano-obsidian"] {
        let Some(root) = shared(&format!("vaults/{name}")) else { return };
        accounts_for(&root);
    }
}

#[test]
fn a_vault_of_ones_own() {
    match std::env::var_os("REAL_VAULT").map(PathBuf::from) {
        Some(root) => accounts_for(&root),
        None => println!("skipped: REAL_VAULT names no vault"),
    }
}
