//! Canvas files (JSON Canvas 1.0): their file nodes are links, and the whole reads as Markdown.

mod model;
mod outline;

use crate::Span;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

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

/// The file nodes of a canvas, first to last. An empty file is an empty canvas; nodes that cannot be
/// understood are left out.
///
/// # Errors
/// [`CanvasError::NotACanvas`] when the text is no JSON object with a list of nodes.
pub fn file_nodes(json: &str) -> Result<Vec<CanvasLink>, CanvasError> {
    let text = json.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let canvas: Fields = serde_json::from_str(text)?;
    let nodes: Vec<&RawValue> = match canvas.get("nodes") {
        Some(nodes) => serde_json::from_str(nodes.get())?,
        None => Vec::new(),
    };
    Ok(nodes.into_iter().filter_map(|node| file_node(json, node)).collect())
}

/// The fields of an object, values as written: slices of the text, which is how their places are known.
type Fields<'a> = BTreeMap<String, &'a RawValue>;

fn file_node(json: &str, node: &RawValue) -> Option<CanvasLink> {
    let fields: Fields = serde_json::from_str(node.get()).ok()?;
    let text = |key: &str| serde_json::from_str::<String>(fields.get(key)?.get()).ok();
    if text("type")? != "file" {
        return None;
    }
    let path = text("file")?;
    let written = fields.get("file")?.get();
    let start = (written.as_ptr() as usize).checked_sub(json.as_ptr() as usize)?;
    let span = start + 1..(start + written.len()).checked_sub(1)?;
    let subpath = text("subpath").filter(|subpath| !subpath.is_empty());
    Some(CanvasLink { path, subpath, span })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_nodes_are_links_with_the_place_of_their_path() {
        let json = "\u{feff}{\n\t\"nodes\":[\n\t\t{\"id\":\"1\",\"type\":\"file\",\"file\":\"a/\\u00e9 \\\"n.md\",\"subpath\":\"#h\"},\n\t\t{\"type\":\"text\",\"text\":\"x\",\"file\":\"no\"},\n\t\t{\"type\":\"file\",\"file\":7},\n\t\t{\"type\":\"file\",\"file\":\"b.png\"}, 3]}";
        let links = file_nodes(json).expect("a canvas");
        assert_eq!(links.len(), 2);
        assert_eq!((links[0].path.as_str(), links[0].subpath.as_deref()), ("a/\u{e9} \"n.md", Some("#h")));
        assert_eq!(&json[links[0].span.clone()], "a/\\u00e9 \\\"n.md");
        assert_eq!((links[1].path.as_str(), &json[links[1].span.clone()]), ("b.png", "b.png"));
    }

    #[test]
    fn empty_files_are_empty_canvases() {
        #[track_caller]
        fn check(json: &str, expected: Option<usize>) {
            assert_eq!(file_nodes(json).ok().map(|links| links.len()), expected, "{json}");
        }
        check("", Some(0));
        check(" \n", Some(0));
        check("{}", Some(0));
        check("{\"nodes\":[]}", Some(0));
        check("[]", None);
        check("{\"nodes\":1}", None);
        check("{\"nodes\":[", None);
    }
}
