//! Vaults that people really use, and the link graph that Obsidian itself recorded for one of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use search::{Index, IndexOptions};
use serde_json::Value;
use vault::{Change, ChangeListener, Vault, VaultOptions};

use crate::dump::{assert_same, dump};
use crate::harness::{Disk, outgoing, owner, path, reconcile};

/// A path in the folder of shared data, if there is such a folder.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    if folder.is_dir() {
        return Some(folder.join(path));
    }
    let required = std::env::var("REQUIRE_SHARED").is_ok_and(|value| value == "1");
    assert!(!required, "REQUIRE_SHARED=1 and {} is missing", folder.display());
    println!("skipped: {} not present", folder.display());
    None
}

fn indexed(root: &Path, disk: &Disk) -> Index {
    let vault = Vault::open(root, VaultOptions::default()).unwrap();
    let index = Index::open(vault, IndexOptions { db_path: disk.database(), ..disk.options() }).unwrap();
    reconcile(&index);
    index
}

#[test]
fn the_link_graph_is_the_one_obsidian_recorded() {
    let (Some(vault), Some(cases)) =
        (shared("vaults/tasks-demo"), shared("cases/obsidian-metadata-cache.json"))
    else {
        return;
    };
    let disk = Disk::new();
    let index = indexed(&vault, &disk);
    let cases: Value = serde_json::from_slice(&std::fs::read(cases).unwrap()).unwrap();
    let mut edges = 0;
    let mut wrong = Vec::new();
    for case in cases["cases"].as_array().unwrap() {
        let source = case["path"].as_str().unwrap();
        if !vault.join(source).exists() {
            continue;
        }
        let recorded = case["expect"]["resolves_to"].as_object().unwrap();
        // The copy of the vault is without some attachments.
        let missing = |target: &Value| target.as_str().is_some_and(|target| !vault.join(target).exists());
        let expected: BTreeSet<String> = recorded
            .iter()
            .filter(|(_, target)| !missing(target))
            .map(|(link, target)| match target.as_str() {
                Some(target) => target.to_owned(),
                None => format!("!{}", link.split('#').next().unwrap()),
            })
            .collect();
        edges += expected.len();
        let unknown: BTreeSet<String> = recorded
            .iter()
            .filter(|(_, target)| missing(target))
            .map(|(link, _)| format!("!{}", link.split('#').next().unwrap()))
            .collect();
        let found: BTreeSet<String> =
            outgoing(&index, &owner(), source).into_iter().filter(|link| !unknown.contains(link)).collect();
        if found != expected {
            wrong.push(format!("{source}: found {found:?}, Obsidian has {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(edges >= 12, "{edges} edges were compared");
}

/// Each row three times: all files at once, and one after the other, forwards and backwards, so that
/// every link has to be found again and again.
#[test]
fn links_reach_the_same_files_in_whatever_order_files_come() {
    let Some(rows) = shared("cases/link-resolution.json") else { return };
    let rows: Value = serde_json::from_slice(&std::fs::read(rows).unwrap()).unwrap();
    for row in rows["rows"].as_array().unwrap() {
        let (from, link) = (row["from"].as_str().unwrap(), row["link"].as_str().unwrap());
        let mut files: Vec<&str> =
            row["files"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let check = |index: &Index, how: &str| {
            let links = index.outgoing_links(&owner(), &path(from)).unwrap();
            let to = links.first().filter(|link| link.exists).map(|link| link.path.as_str());
            assert_eq!(to, row["to"].as_str(), "{how}: {row}");
        };
        let text = |file: &str| if file == from { format!("[[{link}]]") } else { String::new() };

        let disk = Disk::new();
        files.iter().for_each(|file| disk.write(file, text(file)));
        disk.write(from, text(from));
        check(&disk.indexed(), "at once");
        for how in ["forwards", "backwards"] {
            let disk = Disk::with(&[(from, &text(from))]);
            let index = disk.indexed();
            for file in &files {
                disk.write(file, text(file));
                index.changed(&[Change::Written(path(file))]).unwrap();
            }
            check(&index, how);
            files.reverse();
        }
    }
}

#[test]
fn real_vaults_are_indexed_whole_and_the_same_twice() {
    for (name, notes) in [("obsidian-help-en", 173), ("tasks-demo", 205), ("kepano-obsidian", 103)] {
        let Some(root) = shared(&format!("vaults/{name}")) else { return };
        let (first, second) = (Disk::new(), Disk::new());
        let index = indexed(&root, &first);
        let status = index.status(&owner()).unwrap();
        assert_eq!(status.notes, notes, "{name}");
        println!(
            "{name}: {} notes, {} files, {} links ({} unresolved), {} tags, {} problems",
            status.notes,
            status.files,
            status.links,
            status.unresolved_links,
            status.tags,
            status.problems.len()
        );
        index.close();
        indexed(&root, &second).close();
        assert_same(&dump(&second.database()), &dump(&first.database()), name);
    }
}

/// Every line that the grammar calls a task is in the index, in its order, and counted.
#[test]
fn every_task_of_a_real_vault_is_accounted_for() {
    let Some(root) = shared("vaults/tasks-demo") else { return };
    let disk = Disk::new();
    let vault = Vault::open(&root, VaultOptions::default()).unwrap();
    let settings = vault.settings().tasks().or_default();
    let index = indexed(&root, &disk);
    let mut expected = Vec::new();
    let mut files = vault.walk().unwrap().files;
    files.sort_by(|one, other| one.path.cmp(&other.path));
    for file in files.iter().filter(|file| file.path.kind() == vault::FileKind::Note) {
        let content = vault.read(&file.path).unwrap();
        let (text, _) = content.text();
        let document = markdown::document::parse(&text);
        let today = jiff::civil::date(2026, 3, 10);
        let english = markdown::moment::Locale::english();
        let date = markdown::tasks::date_in_path(file.path.as_str(), &settings, english, today);
        for task in markdown::tasks::in_note(&text, &document, &settings, date) {
            expected.push((file.path.as_str().to_owned(), task.line + 1, task.task.description));
        }
    }
    let query = search::TaskQuery {
        statuses: vec![search::StatusFilter::All],
        sort: search::TaskSort::Position,
        limit: usize::MAX,
        ..search::TaskQuery::default()
    };
    let page = index.tasks(&owner(), &query).unwrap();
    let found: Vec<_> =
        page.items.into_iter().map(|task| (task.path, task.line as usize, task.description)).collect();
    println!("tasks-demo: {} tasks", found.len());
    assert!(found.len() > 900, "{} tasks", found.len());
    assert_eq!(found, expected);
    assert_eq!(index.status(&owner()).unwrap().tasks, expected.len() as u64);
    assert_eq!(page.total, expected.len());
}
