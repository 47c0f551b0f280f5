//! How good a ranking is, and how fast.

use std::time::{Duration, Instant};

use super::dataset::Query;
use super::error::EvalError;
use super::searcher::Searcher;

/// Results that count.
pub const CUT: usize = 10;

/// How one query did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QueryScore {
    /// The query.
    pub id: String,
    /// Normalised discounted cumulative gain of the first ten.
    pub ndcg: f64,
    /// One over the rank of the first relevant document among the first ten, else 0.
    pub reciprocal_rank: f64,
    /// Rank of the first relevant document, from 1.
    pub first: Option<usize>,
    /// Share of the relevant documents among the first ten.
    pub recall: f64,
    /// Documents returned.
    pub returned: usize,
    /// Bytes returned.
    pub bytes: usize,
    /// Calls made.
    pub calls: usize,
    /// How long it took.
    pub time: Duration,
}

/// Means over queries.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// Queries.
    pub queries: usize,
    /// Mean nDCG@10.
    pub ndcg: f64,
    /// Mean reciprocal rank within ten.
    pub mrr: f64,
    /// Share with a relevant document first, among the first 3, the first 5.
    pub hit_1: f64,
    /// See `hit_1`.
    pub hit_3: f64,
    /// See `hit_1`.
    pub hit_5: f64,
    /// Share with a relevant document anywhere in the answer.
    pub found: f64,
    /// Mean recall within ten.
    pub recall: f64,
    /// Mean number of documents returned.
    pub returned: f64,
    /// Mean size of the answer in bytes.
    pub bytes: f64,
    /// Mean number of calls.
    pub calls: f64,
    /// Median and 95th percentile of the time of a query.
    pub p50: Duration,
    /// See `p50`.
    pub p95: Duration,
}

/// Runs every query and judges its answer. `limit` documents are asked for.
///
/// # Errors
/// The searcher's.
pub fn run(searcher: &dyn Searcher, queries: &[Query], limit: usize) -> Result<Vec<QueryScore>, EvalError> {
    queries
        .iter()
        .map(|query| {
            let start = Instant::now();
            let answer = searcher.answer(&query.text, limit)?;
            let time = start.elapsed();
            let mut score = judge(query, &answer.documents);
            score.bytes = answer.bytes;
            score.calls = answer.calls;
            score.time = time;
            Ok(score)
        })
        .collect()
}

/// Judges the documents returned for a query.
#[must_use]
pub fn judge(query: &Query, documents: &[String]) -> QueryScore {
    let gain = |document: &String| query.relevant.get(document).copied().unwrap_or(0.0);
    let gains = documents.iter().take(CUT).map(gain);
    let mut ideal: Vec<f64> = query.relevant.values().copied().collect();
    ideal.sort_by(|one, other| other.total_cmp(one));
    let best = discounted(ideal.into_iter().take(CUT));
    let first = documents.iter().position(|document| gain(document) > 0.0).map(|at| at + 1);
    let found = documents.iter().take(CUT).filter(|document| gain(document) > 0.0).count();
    QueryScore {
        id: query.id.clone(),
        ndcg: if best > 0.0 { discounted(gains) / best } else { 0.0 },
        reciprocal_rank: first.filter(|rank| *rank <= CUT).map_or(0.0, |rank| 1.0 / rank as f64),
        first,
        recall: found as f64 / query.relevant.len().max(1) as f64,
        returned: documents.len(),
        ..QueryScore::default()
    }
}

fn discounted(gains: impl Iterator<Item = f64>) -> f64 {
    (2..).zip(gains).map(|(place, gain)| gain / f64::from(place).log2()).sum()
}

/// Means of some scores.
#[must_use]
pub fn summarise<'a>(scores: impl IntoIterator<Item = &'a QueryScore>) -> Summary {
    let scores: Vec<&QueryScore> = scores.into_iter().collect();
    let mean = |value: &dyn Fn(&QueryScore) -> f64| -> f64 {
        scores.iter().map(|score| value(score)).sum::<f64>() / scores.len().max(1) as f64
    };
    let hit = |within: usize| mean(&|score| f64::from(score.first.is_some_and(|rank| rank <= within)));
    let mut times: Vec<Duration> = scores.iter().map(|score| score.time).collect();
    times.sort_unstable();
    Summary {
        queries: scores.len(),
        ndcg: mean(&|score| score.ndcg),
        mrr: mean(&|score| score.reciprocal_rank),
        hit_1: hit(1),
        hit_3: hit(3),
        hit_5: hit(5),
        found: hit(usize::MAX),
        recall: mean(&|score| score.recall),
        returned: mean(&|score| score.returned as f64),
        bytes: mean(&|score| score.bytes as f64),
        calls: mean(&|score| score.calls as f64),
        p50: percentile(&times, 50),
        p95: percentile(&times, 95),
    }
}

/// The value below which a share of sorted values lies (nearest rank); zero of none.
#[must_use]
pub fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(relevant: &[(&str, f64)]) -> Query {
        Query {
            relevant: relevant.iter().map(|(id, gain)| ((*id).to_owned(), *gain)).collect(),
            ..Query::default()
        }
    }

    #[track_caller]
    fn judged(relevant: &[(&str, f64)], documents: &[&str], ndcg: f64, reciprocal_rank: f64, recall: f64) {
        let documents: Vec<String> = documents.iter().map(|id| (*id).to_owned()).collect();
        let score = judge(&query(relevant), &documents);
        assert!((score.ndcg - ndcg).abs() < 1e-6, "{score:?}");
        assert!((score.reciprocal_rank - reciprocal_rank).abs() < 1e-9, "{score:?}");
        assert!((score.recall - recall).abs() < 1e-9, "{score:?}");
    }

    #[test]
    fn textbook_values() {
        judged(&[("a", 1.0)], &["a", "b"], 1.0, 1.0, 1.0);
        judged(&[("a", 1.0)], &["b", "a"], 0.630_929_75, 0.5, 1.0);
        judged(&[("a", 1.0)], &["b"], 0.0, 0.0, 0.0);
        judged(&[("a", 3.0), ("b", 1.0)], &["b", "a"], 0.796_707_58, 1.0, 1.0);
        judged(&[("a", 1.0), ("b", 1.0)], &["a"], 0.613_147_2, 1.0, 0.5);
    }

    #[test]
    fn only_ten_count() {
        let documents: Vec<String> = (0..20).map(|number| number.to_string()).collect();
        let score = judge(&query(&[("15", 1.0)]), &documents);
        assert_eq!(score.first, Some(16));
        assert_eq!((score.ndcg, score.reciprocal_rank, score.recall), (0.0, 0.0, 0.0));
    }

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let times: Vec<Duration> = (1..=20).map(Duration::from_millis).collect();
        assert_eq!(percentile(&times, 50), Duration::from_millis(10));
        assert_eq!(percentile(&times, 95), Duration::from_millis(19));
        assert_eq!(percentile(&[], 50), Duration::ZERO);
    }
}
