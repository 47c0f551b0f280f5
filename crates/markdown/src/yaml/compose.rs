//! From parser events to values, with a stack of its own: nesting in the input is never nesting of calls.

use super::{LinkText, MAX_COPIED, MAX_DEPTH, YamlError, scalar};
use granit_parser::{Event, Marker, Parser, ScalarStyle, StrInput, StructureStyle, Tag};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

pub(super) struct Composer<'a> {
    yaml: &'a str,
    parser: Parser<'a, StrInput<'a>>,
    frames: Vec<Frame>,
    /// Collections open that were entered as, or inside of, a map's key.
    root: Option<Value>,
    /// What each anchor stands for. An anchor whose collection is still open has no entry.
    anchors: HashMap<usize, Anchored>,
    copied: usize,
    links: Vec<LinkText>,
}

struct Frame {
    kind: Kind,
    anchor: usize,
    /// The column that lines inside a flow collection or a quoted text must exceed; −1 at the root.
    indent: i64,
    flow: bool,
    /// The deepest nesting below, for aliases.
    depth: usize,
}

enum Kind {
    List(Vec<Value>),
    Map {
        values: Map<String, Value>,
        /// Scalar keys so far, by kind and text: `1` and `"1"` are different keys of the same name.
        keys: HashSet<(u8, String)>,
        /// The name of the key whose value comes next.
        key: Option<String>,
    },
}

struct Anchored {
    value: Value,
    depth: usize,
    weight: usize,
}

impl<'a> Composer<'a> {
    pub(super) fn new(yaml: &'a str) -> Self {
        let options = granit_parser::options! {
            emit_comments: false,
            flow_nesting_limit: MAX_DEPTH,
            block_nesting_limit: MAX_DEPTH,
        };
        Self {
            yaml,
            parser: Parser::new_from_str_with_options(yaml, options),
            frames: Vec::new(),
            root: None,
            anchors: HashMap::new(),
            copied: 0,
            links: Vec::new(),
        }
    }

    pub(super) fn run(mut self) -> Result<(Value, Vec<LinkText>), YamlError> {
        let mut documents = 0;
        loop {
            let (event, span) = match self.parser.next_event() {
                None => break,
                Some(Err(error)) => return Err(self.fail(error.marker(), error.info())),
                Some(Ok(next)) => next,
            };
            match event {
                Event::DocumentStart(..) => {
                    documents += 1;
                    if documents > 1 {
                        return Err(self.fail(&span.start, "a second document starts here"));
                    }
                }
                Event::Scalar(text, style, anchor, tag) => {
                    self.check_indent(&span)?;
                    if let Some(Frame { kind: Kind::Map { key: None, .. }, flow: false, .. }) =
                        self.frames.last()
                    {
                        self.check_tabs(&span)?;
                    }
                    let value = scalar_value(&text, style, tag.as_deref());
                    if let Value::String(value) = &value {
                        self.note_link(value, &span);
                    }
                    let is_scalar = Some(key_kind(&value));
                    self.finish(value, 0, anchor, is_scalar, &span.start)?;
                }
                Event::SequenceStart(style, anchor, _) => {
                    self.open(Kind::List(Vec::new()), style, anchor, &span)?;
                }
                Event::MappingStart(style, anchor, _) => {
                    let kind = Kind::Map { values: Map::new(), keys: HashSet::new(), key: None };
                    self.open(kind, style, anchor, &span)?;
                }
                Event::SequenceEnd | Event::MappingEnd => {
                    let Some(frame) = self.frames.pop() else { continue };
                    let value = match frame.kind {
                        Kind::List(items) => Value::Array(items),
                        Kind::Map { values, .. } => Value::Object(values),
                    };
                    self.finish(value, frame.depth + 1, frame.anchor, None, &span.start)?;
                }
                Event::Alias(anchor) => {
                    let Some(anchored) = self.anchors.get(&anchor) else {
                        return Err(self.fail(&span.start, "an alias inside the value it stands for"));
                    };
                    let (depth, weight) = (anchored.depth, anchored.weight);
                    self.charge(weight, &span.start)?;
                    self.check_depth(depth, &span.start)?;
                    let value = self.anchors.get(&anchor).map_or(Value::Null, |a| a.value.clone());
                    let scalar = (depth == 0).then(|| key_kind(&value));
                    self.finish(value, depth, 0, scalar, &span.start)?;
                }
                _ => {}
            }
        }
        let (mut line, mut counted) = (0, 0);
        for link in &mut self.links {
            let more = self.yaml.get(counted..link.span.start).unwrap_or("");
            line += more.bytes().filter(|byte| *byte == b'\n').count();
            counted = counted.max(link.span.start);
            link.line = line;
        }
        Ok((self.root.unwrap_or(Value::Null), self.links))
    }

    fn open(
        &mut self,
        kind: Kind,
        style: StructureStyle,
        anchor: usize,
        span: &granit_parser::Span,
    ) -> Result<(), YamlError> {
        self.check_indent(span)?;
        self.check_depth(1, &span.start)?;
        let flow = style == StructureStyle::Flow;
        if !flow {
            self.check_tabs(span)?;
        }
        let indent = match (flow, self.frames.last()) {
            (false, _) => i64::try_from(span.start.col()).unwrap_or(i64::MAX),
            (true, Some(parent)) => parent.indent,
            (true, None) => -1,
        };
        self.frames.push(Frame { kind, anchor, indent, flow, depth: 0 });
        Ok(())
    }

    /// Puts a finished value where it belongs. `scalar` is the kind of a scalar, for comparing keys.
    fn finish(
        &mut self,
        value: Value,
        depth: usize,
        anchor: usize,
        scalar: Option<u8>,
        at: &Marker,
    ) -> Result<(), YamlError> {
        if anchor != 0 {
            let weight = weigh(&value);
            self.charge(weight, at)?;
            self.anchors.insert(anchor, Anchored { value: value.clone(), depth, weight });
        }
        let Some(frame) = self.frames.last_mut() else {
            self.root = Some(value);
            return Ok(());
        };
        frame.depth = frame.depth.max(depth);
        match &mut frame.kind {
            Kind::List(items) => items.push(value),
            Kind::Map { values, keys, key } => match key.take() {
                Some(name) => {
                    values.insert(name, value);
                }
                None => {
                    let name = key_name(&value);
                    if let Some(kind) = scalar
                        && !keys.insert((kind, name.clone()))
                    {
                        return Err(self.fail(at, format!("the key {name:?} is written twice")));
                    }
                    *key = Some(name);
                }
            },
        }
        Ok(())
    }

    /// An error at a place. The parser counts a lone CR as a line break; lines here end with LF.
    fn fail(&self, at: &Marker, message: impl Into<String>) -> YamlError {
        let before = at.byte_offset().and_then(|offset| self.yaml.get(..offset)).unwrap_or("");
        let line = 1 + before.bytes().filter(|byte| *byte == b'\n').count();
        let column = 1 + before.chars().rev().take_while(|character| *character != '\n').count();
        YamlError { line, column, message: message.into() }
    }

    fn charge(&mut self, weight: usize, at: &Marker) -> Result<(), YamlError> {
        self.copied = self.copied.saturating_add(weight);
        if self.copied > MAX_COPIED {
            return Err(self.fail(at, "aliases copy too much"));
        }
        Ok(())
    }

    fn check_depth(&self, more: usize, at: &Marker) -> Result<(), YamlError> {
        if self.frames.len().saturating_add(more) > MAX_DEPTH {
            return Err(self.fail(at, format!("nested deeper than {MAX_DEPTH}")));
        }
        Ok(())
    }

    /// The parser takes flow collections and quoted texts whose later lines are not indented enough; the
    /// library of the app does not, but for a closing bracket.
    fn check_indent(&self, span: &granit_parser::Span) -> Result<(), YamlError> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let Some(written) = span.byte_range().and_then(|range| self.yaml.get(range)) else { return Ok(()) };
        let too_little = |columns: usize| i64::try_from(columns).is_ok_and(|columns| columns <= frame.indent);
        if frame.flow && !written.is_empty() && too_little(span.start.col()) {
            return Err(self.fail(&span.start, "not indented enough"));
        }
        if written.starts_with(['"', '\'']) {
            for (number, line) in written.lines().enumerate().skip(1) {
                let content = line.trim_start_matches([' ', '\t']);
                if !content.is_empty() && too_little(line.len() - content.len()) {
                    let first = self.fail(&span.start, "not indented enough");
                    return Err(YamlError { line: first.line + number, column: 1, ..first });
                }
            }
        }
        Ok(())
    }

    /// Lists, maps and their keys must not be indented by tabs; before a value a tab is white space.
    fn check_tabs(&self, span: &granit_parser::Span) -> Result<(), YamlError> {
        if self.is_indented_by_tab(span) { Err(self.fail(&span.start, "indented by a tab")) } else { Ok(()) }
    }

    /// Whether a tab is in the white space that a node's line begins with.
    fn is_indented_by_tab(&self, span: &granit_parser::Span) -> bool {
        let before = span.byte_range().and_then(|range| self.yaml.get(..range.start)).unwrap_or("");
        let indentation = before.len() - before.trim_end_matches([' ', '\t']).len();
        let (line, indentation) = before.split_at(before.len() - indentation);
        (line.is_empty() || line.ends_with('\n')) && indentation.contains('\t')
    }

    /// Remembers a text value that begins like a link.
    fn note_link(&mut self, value: &str, span: &granit_parser::Span) {
        if !value.starts_with('[') {
            return;
        }
        let Some(range) = span.byte_range() else { return };
        let mut path = String::new();
        for frame in &self.frames {
            let step = match &frame.kind {
                Kind::List(items) => Cow::Owned(items.len().to_string()),
                Kind::Map { key: Some(name), .. } => Cow::Borrowed(name.as_str()),
                // The text is a key, or part of one.
                Kind::Map { key: None, .. } => return,
            };
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&step);
        }
        self.links.push(LinkText { key: path, value: value.to_owned(), span: range, line: 0 });
    }
}

/// The name a scalar has as a key.
pub(super) fn scalar_name(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> String {
    // The parser writes a value that is not there as `~`.
    key_name(&scalar_value(text, style, tag))
}

/// The value of a scalar: only plain ones have other types than text, unless a tag says so. A tag nobody
/// knows makes text.
fn scalar_value(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    match tag {
        None if style == ScalarStyle::Plain => scalar::plain(text),
        None => Value::String(text.to_owned()),
        Some(tag) => tag
            .core_suffix()
            .and_then(|suffix| scalar::tagged(suffix, text))
            .unwrap_or_else(|| Value::String(text.to_owned())),
    }
}

/// Tells apart keys of one name but different types.
fn key_kind(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) | Value::Object(_) => 4,
    }
}

/// The name a key has in the map: that of null is empty, that of a collection its text in flow style.
fn key_name(value: &Value) -> String {
    let mut name = String::new();
    match value {
        Value::Null => {}
        value => write_key(value, &mut name),
    }
    name
}

fn write_key(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::String(text) => out.push_str(text),
        Value::Bool(_) | Value::Number(_) => out.push_str(&value.to_string()),
        Value::Array(items) if items.is_empty() => out.push_str("[]"),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "[ " } else { ", " });
                write_key(item, out);
            }
            out.push_str(" ]");
        }
        Value::Object(values) if values.is_empty() => out.push_str("{}"),
        Value::Object(values) => {
            for (index, (name, item)) in values.iter().enumerate() {
                out.push_str(if index == 0 { "{ " } else { ", " });
                out.push_str(name);
                if !item.is_null() {
                    out.push_str(": ");
                    write_key(item, out);
                }
            }
            out.push_str(" }");
        }
    }
}

/// Nodes plus bytes of text. Recursion is bounded by [`MAX_DEPTH`].
fn weigh(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
        Value::String(text) => 1 + text.len(),
        Value::Array(items) => 1 + items.iter().map(weigh).sum::<usize>(),
        Value::Object(values) => {
            1 + values.iter().map(|(name, item)| name.len() + weigh(item)).sum::<usize>()
        }
    }
}
