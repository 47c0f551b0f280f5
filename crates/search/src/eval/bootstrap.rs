//! Whether one ranking is better than another, or only luckier: the paired bootstrap.

use super::random::Random;

const RESAMPLES: usize = 10_000;

/// A difference of means with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Difference {
    /// Mean of the second minus mean of the first.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Difference {
    /// Whether the interval leaves zero out.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// Compares two runs over the same queries, value by value. Queries are drawn again and again,
/// ten thousand times, always the same ones for the same seed.
#[must_use]
pub fn paired_bootstrap(first: &[f64], second: &[f64], seed: u64) -> Difference {
    let differences: Vec<f64> = second.iter().zip(first).map(|(second, first)| second - first).collect();
    if differences.is_empty() {
        return Difference::default();
    }
    let count = differences.len() as f64;
    let mut random = Random::new(seed);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| (0..differences.len()).filter_map(|_| random.pick(&differences)).sum::<f64>() / count)
        .collect();
    means.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| means.get((share * RESAMPLES as f64) as usize).copied().unwrap_or_default();
    Difference { mean: differences.iter().sum::<f64>() / count, low: at(0.025), high: at(0.975) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_runs_do_not_differ() {
        let run = [0.0, 0.5, 1.0, 0.25];
        assert_eq!(paired_bootstrap(&run, &run, 1), Difference::default());
        assert_eq!(paired_bootstrap(&[], &[], 1), Difference::default());
    }

    #[test]
    fn a_run_that_is_better_everywhere_is_clearly_better() {
        let first: Vec<f64> = (0..40).map(|number| f64::from(number % 5) / 10.0).collect();
        let second: Vec<f64> = first.iter().map(|value| value + 0.3).collect();
        let difference = paired_bootstrap(&first, &second, 1);
        assert!(difference.is_clear() && (difference.mean - 0.3).abs() < 1e-9, "{difference:?}");
    }

    #[test]
    fn one_lucky_query_is_not_clear() {
        let first = vec![0.5; 40];
        let mut second = first.clone();
        second[7] = 1.0;
        let difference = paired_bootstrap(&first, &second, 1);
        assert!(!difference.is_clear(), "{difference:?}");
        assert!(difference.low <= difference.mean && difference.mean <= difference.high);
    }
}
