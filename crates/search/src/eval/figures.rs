//! The figures that the ranking has to reach on labelled sets.

use std::path::{Path, PathBuf};

use super::*;
use crate::text::{Language, TextOptions};

/// A folder of the shared material, or `None` with a line that says so where it is absent.
pub(super) fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")).join(folder);
    if path.is_dir() {
        return Some(path);
    }
    #[expect(clippy::disallowed_methods, reason = "the switch that turns a skip into a failure")]
    let required = std::env::var("REQUIRE_SHARED").is_ok_and(|value| value == "1");
    assert!(!required, "{} is wanted by REQUIRE_SHARED=1", path.display());
    println!("skipped: {} is not present", path.display());
    None
}

fn measured(set: &str, languages: &str) -> Option<Summary> {
    let dataset = Dataset::load(&shared(&format!("eval/{set}"))?).unwrap();
    let languages = Language::parse_list(languages).unwrap();
    let searcher = EngineSearcher::over(TextOptions { languages, ..TextOptions::default() }, &dataset);
    let scores = run(&searcher, &dataset.queries, 10).unwrap();
    let summary = summarise(&scores);
    println!(
        "{set}: nDCG@10 {:.4} MRR {:.4} p50 {:?} p95 {:?}",
        summary.ndcg, summary.mrr, summary.p50, summary.p95
    );
    Some(summary)
}

/// Within a hundredth of the figure, or above it.
#[track_caller]
fn reaches(set: &str, languages: &str, ndcg: Option<f64>, mrr: f64) {
    let Some(summary) = measured(set, languages) else { return };
    assert!(ndcg.is_none_or(|figure| summary.ndcg >= figure - 0.01), "{set}: nDCG@10 {:.4}", summary.ndcg);
    assert!(summary.mrr >= mrr - 0.01, "{set}: MRR {:.4}", summary.mrr);
}

#[test]
fn cranfield() {
    reaches("cranfield", "en", Some(0.388), 0.553);
}

#[test]
fn cisi() {
    reaches("cisi", "en", Some(0.396), 0.674);
}

#[test]
fn paragraphs_in_english() {
    reaches("xquad-r/en", "en", Some(0.972), 0.965);
}

#[test]
fn paragraphs_in_german() {
    reaches("xquad-r/de", "en,de", None, 0.934);
}

#[test]
fn paragraphs_in_russian() {
    reaches("xquad-r/ru", "en", None, 0.941);
}

#[test]
fn paragraphs_in_arabic() {
    reaches("xquad-r/ar", "en", None, 0.925);
}

#[test]
fn paragraphs_in_chinese() {
    reaches("xquad-r/zh", "en", None, 0.949);
}

#[test]
fn gates_of_the_small_set() {
    let Some(folder) = shared("eval/qmd-eval") else { return };
    let dataset = Dataset::load(&folder).unwrap();
    let searcher = EngineSearcher::over(TextOptions::default(), &dataset);
    let scores = run(&searcher, &dataset.queries, 10).unwrap();
    let hit_3 = |difficulty: &str| {
        let chosen = dataset.queries.iter().zip(&scores).filter(|(query, _)| {
            difficulty.is_empty() || query.labels.get("difficulty").is_some_and(|of| of == difficulty)
        });
        summarise(chosen.map(|(_, score)| score)).hit_3
    };
    println!("easy {:.3} medium {:.3} all {:.3}", hit_3("easy"), hit_3("medium"), hit_3(""));
    assert!(hit_3("easy") >= 0.80);
    assert!(hit_3("medium") >= 0.15);
    assert!(hit_3("") >= 0.40);
}

/// The notes of a real vault.
fn notes(folder: &Path) -> Vec<KnownNote> {
    let vault = vault::Vault::open(folder, vault::VaultOptions::default()).unwrap();
    KnownNote::all(&vault).unwrap()
}

#[test]
fn known_notes_of_a_real_vault_are_found() {
    let Some(folder) = shared("vaults/obsidian-help-en") else { return };
    let notes = notes(&folder);
    let documents = notes.iter().map(|note| (note.fields.path.clone(), note.fields.clone()));
    let searcher = EngineSearcher::new(TextOptions::default(), documents);
    let tables = measure_known_items(&notes, &KnownItemOptions::default(), &[("index", &searcher)]).unwrap();
    for table in &tables {
        println!("{}", table.markdown());
    }
    let top_3: Vec<f64> = tables.iter().map(|table| table.rows[0].1.hit_3).collect();
    let [topic, body, form] = top_3[..] else { panic!("three kinds") };
    assert!(topic >= 0.97, "topic {topic:.3}");
    assert!(body >= 0.88, "body {body:.3}");
    assert!(form >= 0.97, "form {form:.3}");
    // Grep cannot ask for words on different lines, and does not rank.
    for table in &tables {
        for (name, summary) in &table.rows[1..] {
            assert!(summary.hit_3 < table.rows[0].1.hit_3, "{}: {name}", table.title);
        }
    }
}
