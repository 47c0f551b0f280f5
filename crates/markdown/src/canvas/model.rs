//! The nodes and edges of a canvas, read leniently: what cannot be understood is left out.

use serde_json::Value;

use super::CanvasError;

/// A canvas file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Canvas {
    /// Text, file and link nodes in the order of the file (the last lies on top).
    pub nodes: Vec<Node>,
    /// Groups in the order of the file.
    pub groups: Vec<Group>,
    /// Edges whose two ends exist, in the order of the file.
    pub edges: Vec<Edge>,
}

/// A card of a canvas.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its id within the canvas.
    pub id: String,
    /// Where it lies.
    pub area: Area,
    /// What it shows.
    pub content: Content,
}

/// What a card shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Markdown of its own.
    Text(String),
    /// A file of the vault, or a part of it (`#heading`, `#^block`).
    File {
        /// Vault path.
        path: String,
        /// With its `#`.
        subpath: Option<String>,
    },
    /// A web page.
    Link(String),
}

/// A frame around cards. What lies inside it belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Its id within the canvas.
    pub id: String,
    /// Where it lies.
    pub area: Area,
    /// Its title.
    pub label: Option<String>,
}

/// A line between two nodes or groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// Id of the node or group where it begins.
    pub from: String,
    /// Id of the node or group where it ends.
    pub to: String,
    /// Whether there is an arrow at its beginning (by default not).
    pub arrow_at_start: bool,
    /// Whether there is an arrow at its end (by default there is).
    pub arrow_at_end: bool,
    /// Its text.
    pub label: Option<String>,
}

/// A rectangle; x grows to the right, y downwards. A missing measure is 0.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Area {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Area {
    /// Whether the other rectangle lies within this one; edges may touch.
    pub fn contains(&self, other: &Self) -> bool {
        self.x <= other.x
            && self.y <= other.y
            && self.x + self.width >= other.x + other.width
            && self.y + self.height >= other.y + other.height
    }

    /// Width times height.
    pub fn size(&self) -> f64 {
        self.width * self.height
    }
}

impl Canvas {
    /// Reads a canvas. An empty file is an empty canvas; unknown keys are ignored; a node without an id, of
    /// an unknown type or without its content is left out, and so is an edge whose ends are not both there.
    ///
    /// # Errors
    /// [`CanvasError::NotACanvas`] when the text is no JSON.
    pub fn read(json: &str) -> Result<Self, CanvasError> {
        let json = json.trim_start_matches('\u{feff}').trim();
        if json.is_empty() {
            return Ok(Self::default());
        }
        let value: Value = serde_json::from_str(json)?;
        let mut canvas = Self::default();
        for node in list(&value, "nodes") {
            canvas.add_node(node);
        }
        let ids: std::collections::HashSet<&str> = canvas
            .nodes
            .iter()
            .map(|node| node.id.as_str())
            .chain(canvas.groups.iter().map(|g| g.id.as_str()))
            .collect();
        let edges = list(&value, "edges").iter().filter_map(edge);
        let edges = edges.filter(|edge| ids.contains(edge.from.as_str()) && ids.contains(edge.to.as_str()));
        canvas.edges = edges.collect();
        Ok(canvas)
    }

    fn add_node(&mut self, node: &Value) {
        let Some(id) = text(node, "id") else { return };
        let area = area(node);
        let content = match text(node, "type").as_deref() {
            Some("group") => {
                self.groups.push(Group {
                    id,
                    area,
                    label: text(node, "label").filter(|label| !label.trim().is_empty()),
                });
                return;
            }
            Some("text") => text(node, "text").map(Content::Text),
            Some("link") => text(node, "url").map(Content::Link),
            Some("file") => text(node, "file").map(|path| Content::File {
                path,
                subpath: text(node, "subpath").filter(|subpath| !subpath.is_empty()),
            }),
            _ => None,
        };
        self.nodes.extend(content.map(|content| Node { id, area, content }));
    }
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}

fn area(node: &Value) -> Area {
    let number = |key: &str| node.get(key).and_then(Value::as_f64).unwrap_or_default();
    Area { x: number("x"), y: number("y"), width: number("width"), height: number("height") }
}

fn edge(edge: &Value) -> Option<Edge> {
    let arrow = |key: &str, default: bool| match edge.get(key).and_then(Value::as_str) {
        Some("arrow") => true,
        Some("none") => false,
        _ => default,
    };
    Some(Edge {
        from: text(edge, "fromNode")?,
        to: text(edge, "toNode")?,
        arrow_at_start: arrow("fromEnd", false),
        arrow_at_end: arrow("toEnd", true),
        label: text(edge, "label").filter(|label| !label.trim().is_empty()),
    })
}
