//! Passages of a source around the words that were found.

use std::ops::Range;

/// A passage of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The passage, runs of white space as one space, `…` where it was cut.
    pub text: String,
    /// Bytes of the source that it shows.
    pub range: Range<usize>,
    /// First byte of the first marked word, where a word was found.
    pub first_match: Option<usize>,
}
