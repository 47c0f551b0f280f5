//! Top-level blocks and list items, as Obsidian's metadata cache lists them.

use crate::block::{Blocks, RawItem};
use crate::blocks::{BlockId, Named};
use crate::frontmatter::Block;
use crate::{Span, document};

/// What a top-level block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// The properties block.
    Yaml,
    /// A heading, of either form.
    Heading,
    /// A paragraph.
    Paragraph,
    /// A list: items with the same kind of marker.
    List,
    /// A code block, fenced or indented.
    Code,
    /// An HTML block, comments included.
    Html,
    /// A comment block, `%% … %%`.
    Comment,
    /// A quote that is a callout.
    Callout,
    /// Any other quote.
    Blockquote,
    /// A table.
    Table,
    /// A math block.
    Math,
    /// A line of `***`, `---` or `___`.
    ThematicBreak,
    /// A footnote's text.
    FootnoteDefinition,
}

impl SectionKind {
    /// The name Obsidian's API uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Yaml => "yaml",
            Self::Heading => "heading",
            Self::Paragraph => "paragraph",
            Self::List => "list",
            Self::Code => "code",
            Self::Html => "html",
            Self::Comment => "comment",
            Self::Callout => "callout",
            Self::Blockquote => "blockquote",
            Self::Table => "table",
            Self::Math => "math",
            Self::ThematicBreak => "thematicBreak",
            Self::FootnoteDefinition => "footnoteDefinition",
        }
    }
}

/// A top-level block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it is.
    pub kind: SectionKind,
    /// The block, without the line break after its last line.
    pub span: Span,
    /// Its block id, if it carries one.
    pub id: Option<String>,
}

/// An item of a list, at any depth, also inside quotes and callouts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListItem {
    /// Zero-based line of the parent item, or minus the line where the list starts; −1 when that is line 0.
    /// So −1 also stands for a list that starts on line 1, as in Obsidian.
    pub parent: i64,
    /// Index of the parent item among the items of the note.
    pub parent_item: Option<usize>,
    /// The character between the brackets when the item is a task.
    pub task: Option<char>,
    /// Its block id, if it carries one.
    pub id: Option<String>,
    /// The item up to its first child on a later line, without the line break after it.
    pub span: Span,
    /// Zero-based line where it starts.
    pub line: usize,
}

/// The blocks of a note.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Structure {
    /// Top-level blocks, first to last, the properties block included.
    pub sections: Vec<Section>,
    /// List items, first to last.
    pub list_items: Vec<ListItem>,
}

/// The top-level blocks and list items of a note.
#[must_use]
pub fn structure(text: &str) -> Structure {
    document::parse(text).structure
}

/// The structure of a text whose blocks are known.
pub(crate) fn collect(
    text: &str,
    block: Option<&Block>,
    blocks: &Blocks,
    ids: &[(BlockId, Named)],
) -> Structure {
    let yaml = block.map(|block| {
        let written = text.get(block.span.clone()).unwrap_or("");
        let end = block.span.start + written.trim_end_matches(['\n', '\r']).len();
        Section { kind: SectionKind::Yaml, span: block.span.start..end, id: None }
    });
    let before = usize::from(yaml.is_some());
    let bodies = blocks.sections.iter();
    let bodies = bodies.map(|section| Section { kind: section.kind, span: section.span.clone(), id: None });
    let mut sections: Vec<_> = yaml.into_iter().chain(bodies).collect();
    let mut list_items: Vec<_> = blocks.items.iter().map(|item| list_item(blocks, item)).collect();
    for (block_id, named) in ids {
        let slot = match named {
            Named::Section(index) => sections.get_mut(index + before).map(|section| &mut section.id),
            Named::Item(index) => list_items.get_mut(*index).map(|item| &mut item.id),
            Named::Leaf => None,
        };
        if let Some(slot) = slot {
            *slot = Some(block_id.id.clone());
        }
    }
    Structure { sections, list_items }
}

fn list_item(blocks: &Blocks, item: &RawItem) -> ListItem {
    let number = |line: usize| i64::try_from(line).unwrap_or(i64::MAX);
    let parent = match item.parent.and_then(|parent| blocks.items.get(parent)) {
        Some(parent) => number(parent.line),
        None => -number(item.list_line.max(1)),
    };
    ListItem {
        parent,
        parent_item: item.parent,
        task: item.task,
        id: None,
        span: item.span.clone(),
        line: item.line,
    }
}
