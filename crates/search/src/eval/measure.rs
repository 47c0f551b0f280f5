//! The two measurements: labelled sets, and look-ups of known notes beside grep.

use std::path::Path;

use super::dataset::{Dataset, Query};
use super::error::EvalError;
use super::grep::{Grep, Strategy};
use super::known_item::{KIND, KINDS, KnownItemOptions, known_item_queries};
use super::metrics::{CUT, run, summarise};
use super::notes::KnownNote;
use super::report::{Columns, Table};
use super::searcher::{EngineSearcher, Searcher};
use crate::text::TextOptions;

/// Results that a look-up asks for, as `vault_fts_search` does.
const LOOK_UP_RESULTS: usize = 20;

/// Measures the engine on labelled sets: the folder of one, or a folder of several.
///
/// # Errors
/// A set that cannot be read; a folder without any.
pub fn measure_labelled(folder: &Path, options: &TextOptions) -> Result<Table, EvalError> {
    let mut folders = Vec::new();
    find_sets(folder, 2, &mut folders);
    folders.sort();
    let mut rows = Vec::new();
    for set in &folders {
        let dataset = Dataset::load(set)?;
        let searcher = EngineSearcher::over(options.clone(), &dataset);
        let name = set.strip_prefix(folder).ok().filter(|name| !name.as_os_str().is_empty());
        let name = name.map_or_else(|| dataset.name.clone(), |name| name.to_string_lossy().into_owned());
        rows.push((name, summarise(&run(&searcher, &dataset.queries, CUT)?)));
    }
    if rows.is_empty() {
        // The error of reading it names the file that makes a folder a set.
        Dataset::load(folder)?;
    }
    Ok(Table { title: "Labelled sets, keyword search".to_owned(), rows, columns: Columns::Judged })
}

/// The folders that hold a corpus, at most `depth` below.
fn find_sets(folder: &Path, depth: usize, found: &mut Vec<std::path::PathBuf>) {
    if folder.join("corpus.jsonl").is_file() {
        found.push(folder.to_owned());
        return;
    }
    if depth == 0 {
        return;
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        find_sets(&entry.path(), depth - 1, found);
    }
}

/// Measures look-ups of known notes: one table for each kind of query, a line for each search
/// given and for each way to use grep. `searchers` are named; most callers give the index.
///
/// # Errors
/// A searcher's.
pub fn measure_known_items(
    notes: &[KnownNote],
    options: &KnownItemOptions,
    searchers: &[(&str, &dyn Searcher)],
) -> Result<Vec<Table>, EvalError> {
    let queries = known_item_queries(notes, options);
    let greps: Vec<Grep> = Strategy::ALL.into_iter().map(|strategy| Grep::new(strategy, notes)).collect();
    let greps = Strategy::ALL
        .into_iter()
        .zip(&greps)
        .map(|(strategy, grep)| (strategy.name(), grep as &dyn Searcher));
    let searchers: Vec<(&str, &dyn Searcher)> = searchers.iter().copied().chain(greps).collect();
    KINDS
        .into_iter()
        .map(|kind| {
            let queries: Vec<Query> = queries
                .iter()
                .filter(|query| query.labels.get(KIND).is_some_and(|of| of == kind))
                .cloned()
                .collect();
            let rows = searchers
                .iter()
                .map(|(name, searcher)| {
                    Ok(((*name).to_owned(), summarise(&run(*searcher, &queries, LOOK_UP_RESULTS)?)))
                })
                .collect::<Result<Vec<_>, EvalError>>()?;
            Ok(Table { title: title(kind).to_owned(), rows, columns: Columns::LookUp })
        })
        .collect()
}

fn title(kind: &str) -> &'static str {
    match kind {
        "topic" => "Two words from title, aliases or description",
        "body" => "Two words from the body, on different lines",
        _ => "Word forms that the note does not contain",
    }
}
