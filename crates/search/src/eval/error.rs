//! Error policy: a labelled set that cannot be read names its file and what is wrong there; a
//! searcher's own error is passed on as text, since searchers are of many kinds.

use std::path::PathBuf;

/// What can go wrong in a measurement.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// A file of a labelled set cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line of a labelled set is not what it should be.
    #[error("{} line {line}: {reason}", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The search under measurement failed.
    #[error("the search failed: {0}")]
    Search(String),
}
