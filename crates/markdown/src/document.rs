//! Everything the index wants of a note, in one call.

use crate::blocks::BlockId;
use crate::callouts::Callout;
use crate::frontmatter::{self, Block, Properties};
use crate::headings::Heading;
use crate::inline::{self, Mode, Scanner};
use crate::lines::Lines;
use crate::links::Link;
use crate::sections::Structure;
use crate::tags::Tag;
use crate::{block, blocks, callouts, headings, links, sections, tags};

/// A note, read.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// Where the properties block lies.
    pub block: Option<Block>,
    /// What it says.
    pub properties: Properties,
    /// Where the body starts.
    pub body_start: usize,
    /// The lines, the properties block's included.
    pub lines: Lines,
    /// Headings, first to last.
    pub headings: Vec<Heading>,
    /// Links and embeds of the body, by start. Those of properties: `properties.map()…links()`.
    pub links: Vec<Link>,
    /// Inline tags of the body, first to last. Those of properties: `properties.map()…tags()`.
    pub tags: Vec<Tag>,
    /// Block ids, first to last.
    pub block_ids: Vec<BlockId>,
    /// Top-level blocks and list items.
    pub structure: Structure,
    /// The first callout, if it stands before any heading.
    pub leading_callout: Option<Callout>,
}

impl Document {
    /// All tags as Obsidian lists them, without `#`: those of properties, then inline ones, repeats kept.
    #[must_use]
    pub fn all_tags(&self) -> Vec<String> {
        let mut tags = self.properties.map().map(frontmatter::PropertyMap::tags).unwrap_or_default();
        tags.extend(self.tags.iter().map(|tag| tag.name.clone()));
        tags
    }
}

/// Reads a note. Never fails and never panics; time is linear in the text.
#[must_use]
pub fn parse(text: &str) -> Document {
    let block = frontmatter::locate(text);
    let properties = block.as_ref().map_or(Properties::None, |block| frontmatter::read(text, block));
    let body_start = block.as_ref().map_or(0, |block| block.span.end);
    let (mut links, mut tags, mut ids) = (Vec::new(), Vec::new(), Vec::new());
    let mut headings = headings::Gathered::default();
    let mut scanner = Scanner::default();
    let blocks = block::walk(text, body_start..text.len(), |leaf, blocks| {
        inline::each_unit(text, blocks, leaf, |unit| {
            scanner.scan(unit.text, unit.in_table, Mode::Links);
            links::collect(unit, &scanner, &mut links);
            tags::collect(unit, &scanner, &mut tags);
        });
        headings.add(text, blocks, leaf);
        ids.extend(blocks::of_leaf(text, blocks, leaf));
    });
    for link in &mut links {
        link.line = blocks.lines.line_of(link.span.start);
    }
    blocks::settle(text, &blocks, &mut ids);
    Document {
        headings: headings.finish(),
        structure: sections::collect(text, block.as_ref(), &blocks, &ids),
        leading_callout: callouts::collect(text, &blocks),
        block_ids: ids.into_iter().map(|(id, _)| id).collect(),
        lines: blocks.lines,
        block,
        properties,
        body_start,
        links,
        tags,
    }
}
