//! Which words of a source to mark, learned by a search and used by the snippets.

/// The words a search matched, by the query word they stand for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Highlights {}
