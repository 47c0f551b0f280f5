//! Bringing two changes of one text together, line by line.

use std::time::{Duration, Instant};

use similar::{Algorithm, capture_diff_slices_deadline};

/// How long looking for the differences may take: the note is locked meanwhile.
const PATIENCE: Duration = Duration::from_millis(500);

/// Why two changes cannot be brought together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum MergeFailed {
    /// Both changed the same lines: the text with both versions between markers.
    Conflict(String),
    /// The texts differ too much to find out in time.
    TooDifferent,
}

/// What `base` becomes by both changes, from it to `ours` and from it to `theirs`.
pub(crate) fn merge(base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<Vec<u8>, MergeFailed> {
    // The merge itself cannot be stopped, and takes time by the square of what differs. It looks for the same
    // differences as these two, which can be.
    let until = Instant::now() + PATIENCE;
    let base_lines = lines(base);
    for changed in [ours, theirs] {
        capture_diff_slices_deadline(Algorithm::Myers, &base_lines, &lines(changed), Some(until));
        if Instant::now() >= until {
            return Err(MergeFailed::TooDifferent);
        }
    }
    diffy::merge_bytes(base, ours, theirs)
        .map_err(|merged| MergeFailed::Conflict(String::from_utf8_lossy(&merged).into_owned()))
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_different_lines_come_together() {
        assert_eq!(merge(b"a\nb\nc\n", b"A\nb\nc\n", b"a\nb\nC\n").unwrap(), b"A\nb\nC\n");
        let conflict = merge(b"a\n", b"b\n", b"c\n");
        assert!(
            matches!(&conflict, Err(MergeFailed::Conflict(both)) if both.contains("b\n") && both.contains("c\n"))
        );
    }

    /// Every line of a quarter of a million differs: the merge alone would take minutes.
    #[test]
    fn texts_that_differ_too_much_are_given_up_in_time() {
        let text = |word: &str| (0..250_000).map(|line| format!("{word} {line}\n")).collect::<String>();
        let merged = merge(text("old").as_bytes(), text("new").as_bytes(), text("other").as_bytes());
        assert_eq!(merged, Err(MergeFailed::TooDifferent));
    }
}
