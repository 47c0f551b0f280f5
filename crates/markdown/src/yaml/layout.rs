//! Where the entries of a block lie, for edits that touch one of them and nothing else.

use super::{MAX_DEPTH, compose};
use crate::Span;
use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};
use std::collections::HashMap;

/// The top level of a block that holds a map.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// The map with its braces, when it is written in flow style.
    pub(crate) flow: Option<Span>,
    /// Its entries, first to last.
    pub(crate) entries: Vec<Entry>,
    /// All comments, first to last, from `#` to the end of the line.
    pub(crate) comments: Vec<Span>,
    /// The first explicit tag, and the entry it belongs to.
    pub(crate) tag: Option<(usize, Option<usize>)>,
    /// Where the map ends: before the end of the document, if one is marked.
    pub(crate) end: usize,
    /// Which entry defines an anchor.
    pub(crate) anchors: HashMap<usize, usize>,
}

impl Layout {
    /// The place of each named entry among the entries; of several with one name the first.
    pub(crate) fn index(&self) -> HashMap<&str, usize> {
        let named = self.entries.iter().enumerate().rev();
        named.filter_map(|(index, entry)| Some((entry.name.as_deref()?, index))).collect()
    }

    /// Whether a comment starts at an offset.
    pub(crate) fn is_comment(&self, offset: usize) -> bool {
        self.comments.binary_search_by_key(&offset, |comment| comment.start).is_ok()
    }

    /// The first comment that starts in a range.
    pub(crate) fn comment_in(&self, range: &Span) -> Option<&Span> {
        let first = self.comments.partition_point(|comment| comment.start < range.start);
        self.comments.get(first).filter(|comment| comment.start < range.end)
    }

    /// The entry below another one.
    pub(crate) fn after(&self, entry: &Entry) -> Option<&Entry> {
        self.entries.get(self.entries.partition_point(|other| other.key.start <= entry.key.start))
    }
}

/// One key with its value.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The name the key has in the map; `None` for a key that is no scalar.
    pub(crate) name: Option<String>,
    /// The key as written.
    pub(crate) key: Span,
    /// The end of the last piece of its value that is not empty; that of the key when there is none. A
    /// block scalar's includes its line breaks.
    pub(crate) end: usize,
    /// The start of the value's first piece that is not empty, properties such as anchors left out.
    pub(crate) start: Option<usize>,
    /// How the value is written.
    pub(crate) style: Style,
    /// Anchors that the value refers to.
    pub(crate) aliases: Vec<usize>,
}

/// How a value is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Style {
    /// A list in block style.
    BlockList,
    /// A list in flow style, as items when all of them are plain or quoted scalars.
    FlowList(Vec<Span>),
    /// Anything else.
    Other,
}

/// Reads the layout of a block; `None` when the parser cannot read it, or when it holds no map.
pub(crate) fn layout(yaml: &str) -> Option<Layout> {
    let options = granit_parser::options! {
        emit_comments: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut parser = Parser::new_from_str_with_options(yaml, options);
    let mut reader = Reader { yaml, ..Reader::default() };
    while let Some(event) = parser.next_event() {
        let (event, span) = event.ok()?;
        let tag = span.tag_start.as_ref().and_then(granit_parser::Marker::byte_offset);
        reader.add(&event, span.byte_range()?, tag);
    }
    reader.is_map.then_some(reader.layout)
}

#[derive(Default)]
struct Reader<'a> {
    yaml: &'a str,
    layout: Layout,
    is_map: bool,
    /// Collections open.
    depth: usize,
    /// Whether the next node of the map is a value.
    is_value: bool,
    /// Whether all items of the flow list so far are scalars without anchor or tag.
    simple_items: bool,
}

impl Reader<'_> {
    fn add(&mut self, event: &Event<'_>, span: Span, tag: Option<usize>) {
        match event {
            Event::Comment(..) => self.layout.comments.push(span),
            Event::Scalar(text, style, anchor, tag_name) => {
                let name = compose::scalar_name(text, *style, tag_name.as_deref());
                let mut span = span;
                if !is_inline(*style) && !text.ends_with("\n\n") {
                    // Blank lines that are not part of the text belong to nobody.
                    let written = self.yaml.get(span.clone()).unwrap_or_default();
                    span.end = span.start + written.trim_end().len();
                }
                self.node(&span, Some(name), *anchor, tag);
                self.item(&span, *anchor == 0 && tag.is_none() && is_inline(*style));
                self.close();
            }
            Event::Alias(anchor) => {
                self.node(&span, None, 0, tag);
                if let Some(entry) = self.layout.entries.last_mut() {
                    entry.aliases.push(*anchor);
                }
                self.item(&span, false);
                self.close();
            }
            Event::SequenceStart(style, anchor, _) | Event::MappingStart(style, anchor, _) => {
                let is_list = matches!(event, Event::SequenceStart(..));
                self.open(&span, is_list, *style, *anchor, tag);
            }
            Event::SequenceEnd | Event::MappingEnd => {
                self.depth = self.depth.saturating_sub(1);
                self.extend(&span);
                if self.depth == 0 {
                    self.layout.end = span.start;
                    if let Some(flow) = &mut self.layout.flow {
                        flow.end = span.end;
                    }
                }
                self.close();
            }
            _ => {}
        }
    }

    fn open(&mut self, span: &Span, is_list: bool, style: StructureStyle, anchor: usize, tag: Option<usize>) {
        let is_flow = style == StructureStyle::Flow;
        if self.depth == 0 {
            self.note_tag(tag);
            self.is_map = !is_list;
            self.layout.flow = (is_flow && !is_list).then(|| span.clone());
        } else {
            self.node(span, None, anchor, tag);
            self.item(span, false);
            if self.depth == 1
                && self.is_value
                && is_list
                && let Some(entry) = self.layout.entries.last_mut()
            {
                self.simple_items = is_flow;
                entry.style = if is_flow { Style::FlowList(Vec::new()) } else { Style::BlockList };
            }
        }
        self.depth += 1;
    }

    /// A node starts: a new entry when it is a key of the map.
    fn node(&mut self, span: &Span, name: Option<String>, anchor: usize, tag: Option<usize>) {
        if self.depth == 1 && !self.is_value {
            self.layout.entries.push(Entry {
                name,
                key: span.clone(),
                end: span.end,
                start: None,
                style: Style::Other,
                aliases: Vec::new(),
            });
        }
        self.note_tag(tag);
        if anchor != 0 && !self.layout.entries.is_empty() {
            self.layout.anchors.insert(anchor, self.layout.entries.len() - 1);
        }
        self.extend(span);
    }

    fn note_tag(&mut self, tag: Option<usize>) {
        if let Some(at) = tag {
            self.layout.tag.get_or_insert((at, self.layout.entries.len().checked_sub(1)));
        }
    }

    /// The value of the entry reaches as far as a piece of it that is not empty.
    fn extend(&mut self, span: &Span) {
        let in_value = self.depth > 1 || (self.depth == 1 && self.is_value);
        if in_value
            && !span.is_empty()
            && let Some(entry) = self.layout.entries.last_mut()
        {
            entry.start.get_or_insert(span.start);
            entry.end = entry.end.max(span.end);
        }
    }

    /// A node inside of a list that is a value.
    fn item(&mut self, span: &Span, is_simple: bool) {
        if self.depth != 2 || !self.is_value {
            return;
        }
        let Some(Entry { style: Style::FlowList(items), .. }) = self.layout.entries.last_mut() else {
            return;
        };
        self.simple_items &= is_simple && !span.is_empty();
        if self.simple_items {
            items.push(span.clone());
        } else {
            items.clear();
        }
    }

    /// A node is complete: after a key comes a value, after a value a key.
    fn close(&mut self) {
        if self.depth == 1 {
            self.is_value = !self.is_value;
        }
    }
}

fn is_inline(style: ScalarStyle) -> bool {
    matches!(style, ScalarStyle::Plain | ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted)
}
