//! Rules of the house that no compiler holds: who may depend on whom, who may speak SQL or write
//! files, how large a file may grow, and that no module lies forgotten.

mod dependencies;
mod documents;
mod sources;

use std::path::{Path, PathBuf};

use harness::repository_root;

/// Folders that are made by building or running and belong to nobody's source.
const MADE: [&str; 9] = [
    "target",
    ".git",
    ".venv",
    ".venv-infra",
    ".venv-client-1",
    ".bench",
    "node_modules",
    "corpus",
    "artifacts",
];

/// Every file of the repository, relative to its root, sorted.
fn files() -> Vec<PathBuf> {
    let root = repository_root();
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let name = entry.file_name();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() && !MADE.iter().any(|made| name == *made) {
                folders.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path().strip_prefix(&root).unwrap().to_path_buf());
            }
        }
    }
    found.sort();
    found
}

/// The Rust sources, with their text.
fn rust_sources() -> Vec<(PathBuf, String)> {
    files()
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| {
            let text = std::fs::read_to_string(repository_root().join(&path)).unwrap();
            (path, text)
        })
        .collect()
}

/// Whether the path is one of these files or lies under one of these folders.
fn is_under(path: &Path, places: &[&str]) -> bool {
    places.iter().any(|place| path.starts_with(place))
}

/// Fails with all rows, so that one run shows everything there is to mend.
#[track_caller]
fn no_rows(rule: &str, rows: Vec<String>) {
    assert!(rows.is_empty(), "{rule}:\n{}", rows.join("\n"));
}
