//! Times of many calls, and what is said about them.

use std::time::Duration;

/// Sorted times.
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn new(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }

    /// The time that `per_mille` of 1,000 calls stay under (nearest rank); zero without calls.
    pub(crate) fn rank(&self, per_mille: usize) -> Duration {
        let rank = (self.0.len() * per_mille).div_ceil(1_000).max(1);
        self.0.get(rank - 1).or(self.0.last()).copied().unwrap_or_default()
    }

    pub(crate) fn median(&self) -> Duration {
        self.rank(500)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// All times of several kinds together.
    pub(crate) fn all<'a>(kinds: impl Iterator<Item = &'a Self>) -> Self {
        Self::new(kinds.flat_map(|times| times.0.iter().copied()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_nearest_ranks() {
        let times = Times::new((1..=100).rev().map(Duration::from_millis).collect());
        assert_eq!(times.median(), Duration::from_millis(50));
        assert_eq!(times.rank(990), Duration::from_millis(99));
        assert_eq!(times.rank(1_000), Duration::from_millis(100));
        assert_eq!(Times::new(Vec::new()).median(), Duration::ZERO);
    }
}
