//! How far two words are apart: letters left out, added, changed, or swapped with their neighbour
//! (optimal string alignment).

/// The distance between two words, or `None` when it is more than `limit`.
pub(crate) fn distance(one: &[char], other: &[char], limit: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) > limit {
        return None;
    }
    // Three rows of the usual table: two before, one before, and this one.
    let width = other.len() + 1;
    let mut before_last = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    let mut row = vec![0; width];
    for (i, a) in one.iter().enumerate() {
        let mut least = i + 1;
        if let Some(first) = row.first_mut() {
            *first = least;
        }
        for (j, b) in other.iter().enumerate() {
            let cell = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX / 2);
            let mut best =
                (cell(&last, j) + usize::from(a != b)).min(cell(&last, j + 1) + 1).min(cell(&row, j) + 1);
            let swapped = i > 0 && j > 0 && one.get(i - 1) == Some(b) && other.get(j - 1) == Some(a);
            if swapped && a != b {
                best = best.min(cell(&before_last, j - 1) + 1);
            }
            if let Some(place) = row.get_mut(j + 1) {
                *place = best;
            }
            least = least.min(best);
        }
        if least > limit {
            return None;
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last.last().copied().filter(|found| *found <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn apart(one: &str, other: &str, limit: usize, expected: Option<usize>) {
        let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
        assert_eq!(distance(&a, &b, limit), expected, "{one} {other}");
        assert_eq!(distance(&b, &a, limit), expected, "{other} {one}");
    }

    #[test]
    fn distances() {
        apart("certificate", "certificate", 2, Some(0));
        apart("certifcate", "certificate", 2, Some(1));
        apart("recieve", "receive", 1, Some(1));
        apart("kubernetse", "kubernetes", 2, Some(1));
        apart("traefik", "trafeik", 1, Some(1));
        apart("сертификат", "сертефикат", 2, Some(1));
        apart("cat", "dog", 2, None);
        apart("abcd", "abcdefg", 2, None);
        apart("", "ab", 2, Some(2));
        apart("ca", "abc", 3, Some(3));
    }
}
