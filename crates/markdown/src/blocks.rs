//! Block ids: `^id` at the end of a block, or on a line of its own after it.

use crate::Span;

/// A block id and the block it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockId {
    /// The id as written, without `^`. Ids compare without case.
    pub id: String,
    /// The id with its `^`.
    pub span: Span,
    /// Zero-based line of the id.
    pub line: usize,
    /// The whole block, id included.
    pub block: Span,
}
