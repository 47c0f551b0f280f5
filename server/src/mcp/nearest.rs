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
    let (word, name) = (letters(word), letters(name));
    let allowed = allowed(&word, &name);
    // The length alone says that most names are far: it spares the table.
    if word.len().abs_diff(name.len()) > allowed {
        return None;
    }
    Some(distance(&word, &name)).filter(|distance| *distance <= allowed)
}

/// Names that are near a word.
pub(crate) struct Alike {
    /// In how many letters each differs, and its place among the names.
    pub(crate) found: Vec<(usize, usize)>,
    /// How many cells of tables were worked out for it.
    pub(crate) cells: usize,
}

/// The names that differ from `word` little enough to be meant by it: at least the `most` nearest of them,
/// while comparing them takes no more than [`MOST_CELLS`]. Names that can be nearest are compared first.
pub(crate) fn alike<'a>(word: &str, names: impl Iterator<Item = &'a str>, most: usize) -> Alike {
    let word = letters(word);
    let counted = count(&word);
    let mut candidates: Vec<(usize, usize, usize, Vec<char>)> = names
        .enumerate()
        .filter_map(|(index, name)| {
            let name = letters(name);
            let allowed = allowed(&word, &name);
            if word.len().abs_diff(name.len()) > allowed {
                return None;
            }
            let least = least_distance(&counted, &count(&name));
            (least <= allowed).then_some((least, index, allowed, name))
        })
        .collect();
    candidates.sort_unstable();
    let mut alike = Alike { found: Vec::new(), cells: 0 };
    for (least, index, allowed, name) in candidates {
        let cells = word.len() * name.len();
        let nearer = alike.found.iter().filter(|(difference, _)| *difference < least).count();
        if nearer >= most || alike.cells + cells > MOST_CELLS {
            break;
        }
        alike.cells += cells;
        let difference = distance(&word, &name);
        if difference <= allowed {
            alike.found.push((difference, index));
        }
    }
    alike
}

/// How much is compared for one word, in cells of the tables of [`distance`]: some fifty names of the
/// greatest length, or thousands of usual ones.
const MOST_CELLS: usize = 2_000_000;

fn letters(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).take(MOST_LETTERS).collect()
}

fn allowed(word: &[char], name: &[char]) -> usize {
    word.len().min(name.len()) / 3
}

/// How often letters occur; some share a place.
type Counts = [u16; 64];

fn count(letters: &[char]) -> Counts {
    let mut counts = [0; 64];
    for letter in letters {
        if let Some(place) = counts.get_mut(*letter as usize % 64) {
            *place += 1;
        }
    }
    counts
}

/// Two names differ in at least as many letters as one has and the other has not, wherever they stand.
fn least_distance(one: &Counts, other: &Counts) -> usize {
    let (mut more, mut fewer) = (0, 0);
    for (one, other) in one.iter().zip(other) {
        more += usize::from(one.saturating_sub(*other));
        fewer += usize::from(other.saturating_sub(*one));
    }
    more.max(fewer)
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
    fn the_work_for_a_word_is_bounded_however_many_and_long_the_names() {
        // Ten thousand names of the same letters in another order: only the tables could tell them apart.
        let long = |number: usize| {
            let (before, after) = ("ab".repeat(number % 90), "ab".repeat(90 - number % 90));
            format!("{before}{number:010}{after}")
        };
        let names: Vec<String> = (0..10_000).map(long).collect();
        let found = alike(&long(10_000), names.iter().map(String::as_str), 3);
        assert!(found.cells <= MOST_CELLS, "{}", found.cells);
        assert!(!found.found.is_empty());
        // The best are compared first, whatever stands before them.
        let mut names: Vec<String> =
            (0..10_000).map(|number| format!("note {number:05} of the year")).collect();
        names.push("nothing like the others".to_owned());
        let found = alike("nothing like teh others", names.iter().map(String::as_str), 3);
        assert_eq!(found.found, [(1, 10_000)]);
        assert!(found.cells < 10_000, "{}", found.cells);
    }

    #[test]
    fn the_least_distance_is_never_more_than_the_distance() {
        for (one, other) in
            [("alhpa", "alpha"), ("abc", "xyz"), ("", "abc"), ("aab", "bba"), ("straße", "strasse")]
        {
            let (one, other) = (letters(one), letters(other));
            assert!(least_distance(&count(&one), &count(&other)) <= distance(&one, &other));
        }
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
