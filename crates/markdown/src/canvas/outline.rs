//! A canvas as Markdown: groups as headings, cards in reading order, edges as a list.
//!
//! A card or group belongs to the smallest group whose rectangle holds it; of two groups with the same
//! rectangle the one whose id sorts later is the inner one. Within a group cards come before inner groups,
//! both from top to bottom and left to right.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt::Write as _;

use super::CanvasError;
use super::model::{Area, Canvas, Content, Edge, Group, Node};

/// Comparing every card with every group stops being quick beyond this; such a canvas is written flat.
const MAX_COMPARISONS: usize = 20_000_000;
/// A card's name in the list of connections is cut after this many characters.
const MAX_NAME: usize = 60;

/// Reads a canvas and writes it as Markdown.
///
/// # Errors
/// [`CanvasError::NotACanvas`] when the text is no JSON.
pub fn linearize(json: &str) -> Result<String, CanvasError> {
    Canvas::read(json).map(|canvas| outline(&canvas))
}

/// Writes a canvas as Markdown, without a line break at the end.
pub fn outline(canvas: &Canvas) -> String {
    let mut blocks = vec![title(canvas)];
    let tree = Tree::new(canvas);
    tree.write_cards(None, &mut blocks);
    // Groups from the outside in; the stack holds the next sibling below the first child.
    let mut stack: Vec<(usize, usize)> = tree.inner_groups(None).rev().map(|group| (group, 2)).collect();
    while let Some((index, level)) = stack.pop() {
        if let Some(group) = canvas.groups.get(index) {
            blocks.push(format!("{} Group: {}", "#".repeat(level.min(6)), group_name(group)));
        }
        tree.write_cards(Some(index), &mut blocks);
        stack.extend(tree.inner_groups(Some(index)).rev().map(|group| (group, level + 1)));
    }
    if !canvas.edges.is_empty() {
        blocks.push("## Connections".to_owned());
        let names = names(canvas);
        let lines: Vec<String> = canvas.edges.iter().map(|edge| connection(edge, &names)).collect();
        blocks.push(lines.join("\n"));
    }
    blocks.join("\n\n")
}

fn title(canvas: &Canvas) -> String {
    let mut title = format!("# Canvas: {}", count(canvas.nodes.len(), "node"));
    // Writing to a String cannot fail.
    let _infallible = match canvas.groups.len() {
        0 => write!(title, ", {}", count(canvas.edges.len(), "edge")),
        groups => write!(title, ", {}, {}", count(groups, "group"), count(canvas.edges.len(), "edge")),
    };
    title
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

fn card(node: &Node) -> String {
    match &node.content {
        Content::Text(text) => format!("[text]\n{}", text.trim_end()),
        Content::File { path, subpath } => {
            format!("[file]\n{path}{}", subpath.as_deref().unwrap_or_default())
        }
        Content::Link(url) => format!("[link]\n{url}"),
    }
}

fn group_name(group: &Group) -> String {
    group.label.as_deref().map_or_else(|| "(no name)".to_owned(), one_line)
}

/// What a card is called where it is only mentioned.
fn node_name(node: &Node) -> String {
    match &node.content {
        Content::Text(text) => {
            let line = text.lines().map(plain_line).find(|line| !line.is_empty());
            line.map_or_else(|| "(empty card)".to_owned(), |line| one_line(&line))
        }
        Content::File { path, subpath } => {
            let name = path.rsplit('/').next().unwrap_or(path);
            let name = name.strip_suffix(".md").unwrap_or(name);
            one_line(&format!("{name}{}", subpath.as_deref().unwrap_or_default()))
        }
        Content::Link(url) => one_line(url),
    }
}

/// A line without the marks of a heading, list or quote before it.
fn plain_line(line: &str) -> String {
    let line = line.trim().trim_start_matches(['#', '>', '-', '*', '+']);
    line.trim().trim_matches('*').to_owned()
}

/// A text as one line of limited length.
fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text,
    }
}

fn names(canvas: &Canvas) -> HashMap<&str, String> {
    let nodes = canvas.nodes.iter().map(|node| (node.id.as_str(), node_name(node)));
    let groups = canvas.groups.iter().map(|group| (group.id.as_str(), group_name(group)));
    groups.chain(nodes).collect()
}

fn connection(edge: &Edge, names: &HashMap<&str, String>) -> String {
    let name = |id: &str| names.get(id).map_or("", String::as_str);
    let arrow = match (edge.arrow_at_start, edge.arrow_at_end) {
        (false, true) => "→",
        (true, false) => "←",
        (true, true) => "↔",
        (false, false) => "—",
    };
    let label = edge.label.as_deref().map(|label| format!(" ({})", one_line(label))).unwrap_or_default();
    format!("{} {arrow} {}{label}", name(&edge.from), name(&edge.to))
}

/// Which group holds what.
struct Tree<'a> {
    canvas: &'a Canvas,
    /// Cards of each group (by its index; `None`: of no group), in reading order.
    cards: HashMap<Option<usize>, Vec<usize>>,
    /// Inner groups of each group, in reading order.
    groups: HashMap<Option<usize>, Vec<usize>>,
}

impl<'a> Tree<'a> {
    fn new(canvas: &'a Canvas) -> Self {
        // The smallest group first, so that the first one that holds a card is its own.
        let mut innermost_first: Vec<usize> = (0..canvas.groups.len()).collect();
        innermost_first.sort_by(|one, other| inner_first(canvas.groups.get(*one), canvas.groups.get(*other)));
        let members = canvas.nodes.len() + canvas.groups.len();
        if members.saturating_mul(canvas.groups.len()) > MAX_COMPARISONS {
            innermost_first.clear();
        }
        let mut tree = Self { canvas, cards: HashMap::new(), groups: HashMap::new() };
        for (index, node) in canvas.nodes.iter().enumerate() {
            let holds = |group: &&usize| {
                canvas.groups.get(**group).is_some_and(|group| group.area.contains(&node.area))
            };
            let group = innermost_first.iter().find(holds).copied();
            tree.cards.entry(group).or_default().push(index);
        }
        for (position, index) in innermost_first.iter().enumerate() {
            let outer = innermost_first.get(position + 1..).unwrap_or_default().iter().find(|outer| {
                let pair = canvas.groups.get(**outer).zip(canvas.groups.get(*index));
                pair.is_some_and(|(outer, inner)| outer.area.contains(&inner.area))
            });
            tree.groups.entry(outer.copied()).or_default().push(*index);
        }
        if innermost_first.is_empty() && !canvas.groups.is_empty() {
            tree.groups.insert(None, (0..canvas.groups.len()).collect());
        }
        let order = |one: (Area, &str), other: (Area, &str)| {
            let by_place = one.0.y.total_cmp(&other.0.y).then(one.0.x.total_cmp(&other.0.x));
            by_place.then_with(|| one.1.cmp(other.1))
        };
        let node =
            |index: usize| canvas.nodes.get(index).map(|n| (n.area, n.id.as_str())).unwrap_or_default();
        let group =
            |index: usize| canvas.groups.get(index).map(|g| (g.area, g.id.as_str())).unwrap_or_default();
        for cards in tree.cards.values_mut() {
            cards.sort_by(|one, other| order(node(*one), node(*other)));
        }
        for groups in tree.groups.values_mut() {
            groups.sort_by(|one, other| order(group(*one), group(*other)));
        }
        tree
    }

    fn write_cards(&self, group: Option<usize>, blocks: &mut Vec<String>) {
        let cards = self.cards.get(&group).into_iter().flatten();
        blocks.extend(cards.filter_map(|index| self.canvas.nodes.get(*index)).map(card));
    }

    fn inner_groups(&self, group: Option<usize>) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.groups.get(&group).map_or(&[][..], Vec::as_slice).iter().copied()
    }
}

fn inner_first(one: Option<&Group>, other: Option<&Group>) -> Ordering {
    let Some((one, other)) = one.zip(other) else { return Ordering::Equal };
    one.area.size().total_cmp(&other.area.size()).then_with(|| other.id.cmp(&one.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expected: &str) {
        assert_eq!(linearize(json).expect("JSON"), expected);
    }

    #[test]
    fn two_cards_and_a_labelled_edge() {
        check(
            r#"{"nodes":[{"id":"b","type":"text","text":"Node B","x":300,"y":0,"width":100,"height":50},
                         {"id":"a","type":"text","text":"Node A","x":0,"y":0,"width":100,"height":50}],
                "edges":[{"id":"e","fromNode":"a","toNode":"b","label":"connects to"}]}"#,
            "# Canvas: 2 nodes, 1 edge\n\n[text]\nNode A\n\n[text]\nNode B\n\n## Connections\n\nNode A → Node B (connects to)",
        );
    }

    #[test]
    fn groups_hold_what_lies_inside_them() {
        check(
            r##"{"nodes":[
                {"id":"out","type":"group","label":"Outer","x":0,"y":0,"width":1000,"height":1000},
                {"id":"in","type":"group","x":10,"y":500,"width":400,"height":400},
                {"id":"1","type":"file","file":"a/Note.md","subpath":"#Part","x":20,"y":510,"width":50,"height":50},
                {"id":"2","type":"link","url":"https://example.com/","x":20,"y":20,"width":50,"height":50},
                {"id":"3","type":"text","text":"# Free\nmore","x":2000,"y":0,"width":50,"height":50}],
               "edges":[{"id":"e","fromNode":"1","toNode":"3","fromEnd":"arrow","toEnd":"none"},
                        {"id":"f","fromNode":"2","toNode":"out","fromEnd":"arrow"},
                        {"id":"g","fromNode":"2","toNode":"in","toEnd":"none"}]}"##,
            "# Canvas: 3 nodes, 2 groups, 3 edges\n\n[text]\n# Free\nmore\n\n## Group: Outer\n\n[link]\nhttps://example.com/\n\n\
             ### Group: (no name)\n\n[file]\na/Note.md#Part\n\n## Connections\n\nNote#Part ← Free\nhttps://example.com/ ↔ Outer\n\
             https://example.com/ — (no name)",
        );
    }

    #[test]
    fn equal_rectangles_nest_by_id() {
        check(
            r#"{"nodes":[{"id":"b","type":"group","label":"B","x":0,"y":0,"width":9,"height":9},
                         {"id":"a","type":"group","label":"A","x":0,"y":0,"width":9,"height":9},
                         {"id":"n","type":"text","text":"in","x":0,"y":0,"width":9,"height":9}]}"#,
            "# Canvas: 1 node, 2 groups, 0 edges\n\n## Group: A\n\n### Group: B\n\n[text]\nin",
        );
    }

    #[test]
    fn what_cannot_be_understood_is_left_out() {
        check(
            r#"{"nodes":[7,{"id":"a"},{"type":"text","text":"no id"},{"id":"b","type":"text"},
                         {"id":"c","type":"widget"},{"id":"d","type":"text","text":"kept","colour":1}],
                "edges":[{"fromNode":"d","toNode":"nobody"},{"toNode":"d"},[]],"more":true}"#,
            "# Canvas: 1 node, 0 edges\n\n[text]\nkept",
        );
        check("", "# Canvas: 0 nodes, 0 edges");
        check("[]", "# Canvas: 0 nodes, 0 edges");
        assert!(linearize("{").is_err());
    }

    #[test]
    fn many_nested_groups_take_no_stack_and_no_square_time() {
        let groups: Vec<String> = (0..30_000)
            .map(|n| {
                format!(r#"{{"id":"{n}","type":"group","x":0,"y":0,"width":{w},"height":{w}}}"#, w = n + 1)
            })
            .collect();
        let text = linearize(&format!(r#"{{"nodes":[{}]}}"#, groups.join(","))).expect("JSON");
        assert!(text.starts_with("# Canvas: 0 nodes, 30000 groups, 0 edges"));
    }
}
