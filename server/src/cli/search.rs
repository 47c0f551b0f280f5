//! `vault-cortex search`: a search from the terminal.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width, presets};
use search::text::tokens;
use search::{FtsQuery, Index, SearchAnswer, SearchHit, SearchQuery};
use vault::Principal;

use super::location::Location;
use super::output::{self, printable};
use crate::config::Environment;

/// Searches an indexed vault and shows where the words stand.
#[derive(Debug, Args)]
pub(super) struct Search {
    /// Words, a question, or an FTS5 expression.
    #[arg(value_parser = query)]
    query: String,
    /// Most results.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=500))]
    limit: u16,
    /// Only results with at least this score, from 0 to 1.
    #[arg(long, default_value_t = 0.0, value_parser = score)]
    min_score: f64,
    /// Folder of the vault (default: VAULT_PATH, else the one served or indexed last).
    #[arg(long)]
    vault: Option<PathBuf>,
    /// Print the results as JSON.
    #[arg(long)]
    json: bool,
}

fn query(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("say what to search for".to_owned()) } else { Ok(text.to_owned()) }
}

fn score(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(score) if (0.0..=1.0).contains(&score) => Ok(score),
        _ => Err("a number from 0 to 1 is wanted".to_owned()),
    }
}

impl Search {
    pub(super) fn run(&self, environment: &Environment) -> anyhow::Result<ExitCode> {
        let location = Location::find(self.vault.as_deref(), environment)?;
        let index = location.open_read_only()?;
        let owner = Principal::owner("command-line");
        let query = SearchQuery { limit: self.limit.into(), ..SearchQuery::new(self.query.clone()) };
        let mut answer = index.search(&owner, &query)?;
        answer.hits.retain(|hit| hit.score >= self.min_score);
        if self.json {
            output::json(&answer)?;
        } else if answer.hits.is_empty() {
            output::line("Nothing found.");
        } else {
            let words = words_to_mark(&index, &owner, &self.query);
            output::line(&table(&answer, &words, output::is_terminal()));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The words of the query and the forms that count as them, folded.
fn words_to_mark(index: &Index, owner: &Principal, query: &str) -> BTreeSet<String> {
    let mut words: BTreeSet<String> = tokens(query).map(|token| token.text.into_owned()).collect();
    // How the query was read is known to the other search; without it only the words as typed are
    // marked, which is no reason to fail.
    let reading = index.fts_search(owner, &FtsQuery { max_results: 1, ..FtsQuery::new(query) });
    if let Ok(reading) = reading {
        for word in &reading.ignored_stopwords {
            tokens(word).for_each(|token| {
                words.remove(token.text.as_ref());
            });
        }
        let forms = reading.word_forms.values().flatten();
        words.extend(forms.flat_map(|form| tokens(form)).map(|token| token.text.into_owned()));
    }
    words
}

fn table(answer: &SearchAnswer, words: &BTreeSet<String>, styled: bool) -> String {
    let mut table = Table::new();
    table.load_style(if styled { presets::UTF8_FULL_CONDENSED } else { presets::ASCII_MARKDOWN });
    table.set_content_arrangement(if styled {
        ContentArrangement::Dynamic
    } else {
        ContentArrangement::Disabled
    });
    table.set_header(["Path", "Score", "Section", "Lines", "Excerpt"]);
    for hit in &answer.hits {
        table.add_row(row(hit, words, styled));
    }
    if styled && let Some(column) = table.column_mut(4) {
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(30)));
    }
    table.to_string()
}

fn row(hit: &SearchHit, words: &BTreeSet<String>, styled: bool) -> [String; 5] {
    let lines = match hit.lines {
        Some(lines) if lines.start == lines.end => lines.start.to_string(),
        Some(lines) => format!("{}–{}", lines.start, lines.end),
        None => String::new(),
    };
    let excerpt = hit.snippet.split_whitespace().collect::<Vec<_>>().join(" ");
    [
        printable(hit.path.as_str()),
        format!("{:.3}", hit.score),
        printable(hit.section.as_deref().unwrap_or_default()),
        lines,
        mark(&printable(&excerpt), words, styled),
    ]
}

/// Marks the words: bold on a terminal, «like this» elsewhere.
fn mark(text: &str, words: &BTreeSet<String>, styled: bool) -> String {
    let (before, after) = if styled { ("\u{1b}[1m", "\u{1b}[0m") } else { ("«", "»") };
    let mut marked = String::with_capacity(text.len() + 32);
    let mut done = 0;
    for token in tokens(text) {
        // Overlapping pieces (of Chinese, of Thai) are marked once.
        if token.span.start < done || !words.contains(token.text.as_ref()) {
            continue;
        }
        marked.push_str(text.get(done..token.span.start).unwrap_or_default());
        marked.push_str(before);
        marked.push_str(text.get(token.span.clone()).unwrap_or_default());
        marked.push_str(after);
        done = token.span.end;
    }
    marked.push_str(text.get(done..).unwrap_or_default());
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(text: &str, words: &[&str], expected: &str) {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(mark(text, &words, false), expected);
    }

    #[test]
    fn words_are_marked_whatever_their_case_and_accents() {
        case("Renew the Müller certificate.", &["renew", "muller"], "«Renew» the «Müller» certificate.");
        case("nothing here", &["other"], "nothing here");
        case("", &["a"], "");
    }

    #[test]
    fn a_query_has_words() {
        assert_eq!(query("to be"), Ok("to be".to_owned()));
        for empty in ["", "  ", "\t"] {
            assert!(query(empty).is_err(), "{empty:?}");
        }
    }

    #[test]
    fn scores_are_between_zero_and_one() {
        assert_eq!(score("0.5"), Ok(0.5));
        for wrong in ["-0.1", "1.1", "NaN", "high"] {
            assert!(score(wrong).is_err(), "{wrong}");
        }
    }
}
