//! Documents as tokens.

use super::fields::Fields;

/// A tokenised document. Made on any thread; storing it is all the writer does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prepared {}

/// Tokenises a document.
#[must_use]
pub fn prepare(_fields: &Fields) -> Prepared {
    Prepared {}
}
