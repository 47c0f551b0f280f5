//! "Did you mean …?": the nearest of some names.

/// The name that differs least from `word`, when it differs little enough to be meant by it.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names
        .into_iter()
        .filter_map(|name| Some((difference(word, name)?, name)))
        .min_by_key(|(difference, _)| *difference)
        .map(|(_, name)| name)
}

/// In how many letters two names differ; `None` when they differ too much for one to be meant by the
/// other. A third of the shorter one may differ: of one or two letters, none.
pub(crate) fn difference(word: &str, name: &str) -> Option<usize> {
    let letters = |text: &str| -> Vec<char> { text.to_lowercase().chars().take(MOST_LETTERS).collect() };
    let (word, name) = (letters(word), letters(name));
    let allowed = word.len().min(name.len()) / 3;
    // The length alone says that most names are far: it spares the table.
    if word.len().abs_diff(name.len()) > allowed {
        return None;
    }
    Some(distance(&word, &name)).filter(|distance| *distance <= allowed)
}

/// Longer names are compared by their beginning: the table below grows with the square.
const MOST_LETTERS: usize = 200;

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
fn distance(from: &[char], to: &[char]) -> usize {
    let width = to.len() + 1;
    let mut before_last: Vec<usize> = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for (row, letter) in from.iter().enumerate() {
        let mut current = Vec::with_capacity(width);
        current.push(row + 1);
        for (column, other) in to.iter().enumerate() {
            let at = |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX / 2);
            let mut best = (at(&last, column + 1) + 1)
                .min(at(&current, column) + 1)
                .min(at(&last, column) + usize::from(letter != other));
            let swapped = row > 0
                && column > 0
                && from.get(row - 1) == Some(other)
                && to.get(column - 1) == Some(letter);
            if swapped {
                best = best.min(at(&before_last, column - 1) + 1);
            }
            current.push(best);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(word: &str, expected: Option<&str>) {
        assert_eq!(nearest(word, ["path", "limit", "heading", "start_line"]), expected, "{word}");
    }

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        case("pth", Some("path"));
        case("Path", Some("path"));
        case("paht", Some("path"));
        case("limits", Some("limit"));
        case("startline", Some("start_line"));
        case("startLine", Some("start_line"));
        case("headings", Some("heading"));
        case("query", None);
        case("", None);
        case("x", None);
    }

    #[track_caller]
    fn differs(word: &str, name: &str, expected: Option<usize>) {
        assert_eq!(difference(word, name), expected, "{word} and {name}");
    }

    #[test]
    fn short_names_are_not_taken_for_each_other() {
        differs("a", "b", None);
        differs("a", "A", Some(0));
        differs("a", "ab", None);
        differs("ab", "ac", None);
        differs("abc", "abd", Some(1));
        differs("abc", "ab", None);
        differs("alhpa", "alpha", Some(1));
        differs("certificates", "certificate", Some(1));
        differs("", "", Some(0));
    }
}
