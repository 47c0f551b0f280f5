//! Labelled sets in the layout of BEIR.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use search::eval::{CUT, Dataset, EngineSearcher, Summary, run, summarise};
use search::text::{Language, TextOptions};
use serde_json::json;

use crate::cli::output;
use crate::config::{Environment, IndexConfig};

/// Runs every query of labelled sets and prints a Markdown table of the figures.
#[derive(Debug, Args)]
pub(super) struct Sets {
    /// Folders of sets (corpus.jsonl, queries.jsonl, qrels.tsv), or folders that hold such folders.
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// Languages whose word forms match (default: VAULT_FTS_LANGUAGES, else en).
    #[arg(long)]
    languages: Option<String>,
    /// Print the figures as JSON.
    #[arg(long)]
    json: bool,
}

/// How deep a folder is looked through for sets.
const DEPTH: usize = 3;

impl Sets {
    pub(super) fn run(&self, environment: &Environment) -> anyhow::Result<ExitCode> {
        let mut options = IndexConfig::from_environment(environment)?.text;
        if let Some(languages) = &self.languages {
            options.languages = Language::parse_list(languages)?;
        }
        let mut rows = Vec::new();
        for folder in &self.folders {
            let mut sets = Vec::new();
            find_sets(folder, DEPTH, &mut sets)?;
            if sets.is_empty() {
                bail!("there is no labelled set in {}: none has a corpus.jsonl", folder.display());
            }
            for set in sets {
                let name = match set.strip_prefix(folder) {
                    Ok(below) if !below.as_os_str().is_empty() => below.display().to_string(),
                    _ => set.file_name().map_or_else(
                        || set.display().to_string(),
                        |name| name.to_string_lossy().into_owned(),
                    ),
                };
                output::note(&format!("measuring {name} …"));
                rows.push((name, measure(&set, &options)?));
            }
        }
        if self.json {
            let rows: Vec<_> = rows.iter().map(|(name, summary)| as_json(name, summary)).collect();
            output::line(&serde_json::to_string_pretty(&rows)?);
        } else {
            output::line(&table(&rows));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn measure(folder: &Path, options: &TextOptions) -> anyhow::Result<Summary> {
    let dataset = Dataset::load(folder)?;
    let searcher = EngineSearcher::over(options.clone(), &dataset);
    Ok(summarise(&run(&searcher, &dataset.queries, CUT)?))
}

/// The folders with a corpus, in order of their names.
fn find_sets(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if folder.join("corpus.jsonl").is_file() {
        found.push(folder.to_path_buf());
        return Ok(());
    }
    if depth == 0 {
        return Ok(());
    }
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut below: Vec<PathBuf> =
        entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    below.sort();
    for folder in below {
        find_sets(&folder, depth - 1, found)?;
    }
    Ok(())
}

fn table(rows: &[(String, Summary)]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header([
        "Set",
        "Queries",
        "nDCG@10",
        "MRR@10",
        "Hit@1",
        "Hit@3",
        "Hit@5",
        "Recall@10",
        "p50 ms",
        "p95 ms",
    ]);
    for (name, summary) in rows {
        let figures =
            [summary.ndcg, summary.mrr, summary.hit_1, summary.hit_3, summary.hit_5, summary.recall];
        let mut row = vec![name.clone(), summary.queries.to_string()];
        row.extend(figures.iter().map(|figure| format!("{figure:.3}")));
        row.extend([summary.p50, summary.p95].iter().map(|time| format!("{:.2}", time.as_secs_f64() * 1e3)));
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

fn as_json(name: &str, summary: &Summary) -> serde_json::Value {
    json!({
        "set": name,
        "queries": summary.queries,
        "ndcg_at_10": summary.ndcg,
        "mrr_at_10": summary.mrr,
        "hit_at_1": summary.hit_1,
        "hit_at_3": summary.hit_3,
        "hit_at_5": summary.hit_5,
        "recall_at_10": summary.recall,
        "p50_ms": summary.p50.as_secs_f64() * 1e3,
        "p95_ms": summary.p95.as_secs_f64() * 1e3,
    })
}
