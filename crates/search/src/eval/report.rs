//! Results as tables: Markdown for people, JSON for programs.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use super::metrics::Summary;

/// A table of one set of queries: a line for each search that was measured on it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// What was measured.
    pub title: String,
    /// The searches, by name.
    pub rows: Vec<(String, Summary)>,
    /// Columns of judgements, for labelled sets, or of what a caller has to read, for look-ups.
    pub columns: Columns,
}

/// Which columns a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Columns {
    /// nDCG, MRR, hits and recall.
    #[default]
    Judged,
    /// Found, top 3, notes returned, size of the answer, calls.
    LookUp,
}

type Column = (&'static str, fn(&Summary) -> String);

const JUDGED: [Column; 8] = [
    ("queries", |summary| summary.queries.to_string()),
    ("nDCG@10", |summary| format!("{:.3}", summary.ndcg)),
    ("MRR@10", |summary| format!("{:.3}", summary.mrr)),
    ("Hit@1", |summary| format!("{:.3}", summary.hit_1)),
    ("Hit@3", |summary| format!("{:.3}", summary.hit_3)),
    ("Hit@5", |summary| format!("{:.3}", summary.hit_5)),
    ("Recall@10", |summary| format!("{:.3}", summary.recall)),
    ("p50 / p95", times),
];

const LOOK_UP: [Column; 7] = [
    ("queries", |summary| summary.queries.to_string()),
    ("found", |summary| percent(summary.found)),
    ("in top 3", |summary| percent(summary.hit_3)),
    ("notes returned", |summary| format!("{:.1}", summary.returned)),
    ("calls", |summary| format!("{:.1}", summary.calls)),
    ("response", |summary| format!("{:.1} kB (~{:.0} tokens)", summary.bytes / 1000.0, summary.bytes / 4.0)),
    ("p50 / p95", times),
];

impl Table {
    fn columns(&self) -> &'static [Column] {
        match self.columns {
            Columns::Judged => &JUDGED,
            Columns::LookUp => &LOOK_UP,
        }
    }

    /// The names of the columns, that of the search first.
    #[must_use]
    pub fn header(&self) -> Vec<String> {
        let names = self.columns().iter().map(|(name, _)| (*name).to_owned());
        std::iter::once("search".to_owned()).chain(names).collect()
    }

    /// The lines, as text.
    #[must_use]
    pub fn lines(&self) -> Vec<Vec<String>> {
        let line = |(name, summary): &(String, Summary)| {
            let cells = self.columns().iter().map(|(_, cell)| cell(summary));
            std::iter::once(name.clone()).chain(cells).collect()
        };
        self.rows.iter().map(line).collect()
    }

    /// A Markdown table under its title.
    #[must_use]
    pub fn markdown(&self) -> String {
        let header = self.header();
        let mut text = format!("### {}\n\n| {} |\n|", self.title, header.join(" | "));
        for _ in &header {
            text.push_str("---|");
        }
        for line in self.lines() {
            // Writing to a string does not fail.
            let _ = write!(text, "\n| {} |", line.join(" | "));
        }
        text.push('\n');
        text
    }

    /// Every number, under names that do not change. Times are in microseconds.
    #[must_use]
    pub fn json(&self) -> Value {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|(name, summary)| {
                json!({
                    "search": name,
                    "queries": summary.queries,
                    "ndcg_at_10": summary.ndcg,
                    "mrr_at_10": summary.mrr,
                    "hit_at_1": summary.hit_1,
                    "hit_at_3": summary.hit_3,
                    "hit_at_5": summary.hit_5,
                    "recall_at_10": summary.recall,
                    "found": summary.found,
                    "notes_returned": summary.returned,
                    "response_bytes": summary.bytes,
                    "calls": summary.calls,
                    "p50_us": microseconds(summary.p50),
                    "p95_us": microseconds(summary.p95),
                })
            })
            .collect();
        json!({ "title": self.title, "rows": rows })
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn times(summary: &Summary) -> String {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    format!("{:.2} / {:.2} ms", milliseconds(summary.p50), milliseconds(summary.p95))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables() {
        let summary = Summary {
            queries: 2,
            ndcg: 0.5,
            hit_3: 0.94,
            found: 1.0,
            bytes: 2_000.0,
            p50: Duration::from_micros(250),
            ..Summary::default()
        };
        let mut table = Table {
            title: "Look-ups".into(),
            rows: vec![("index".into(), summary)],
            columns: Columns::LookUp,
        };
        assert_eq!(
            table.markdown(),
            "### Look-ups\n\n\
             | search | queries | found | in top 3 | notes returned | calls | response | p50 / p95 |\n\
             |---|---|---|---|---|---|---|---|\n\
             | index | 2 | 100 % | 94 % | 0.0 | 0.0 | 2.0 kB (~500 tokens) | 0.25 / 0.00 ms |\n"
        );
        table.columns = Columns::Judged;
        assert!(table.markdown().contains("| index | 2 | 0.500 | 0.000 |"));
        assert_eq!(table.json()["rows"][0]["p50_us"], 250);
    }
}
