//! The properties block: where it lies, and what its YAML says.

mod properties;

pub use crate::yaml::YamlError;
pub use properties::{PropertyLink, PropertyMap};

use crate::Span;
use crate::yaml::{self, LinkText};
use serde_json::Value;

/// Where the properties block of a note lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// From the opening `---` to the end of the closing one, its line break included. A byte order mark
    /// before the block is not part of it.
    pub span: Span,
    /// The YAML between the two marker lines, last line break included.
    pub yaml: Span,
}

/// The properties of a note.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Properties {
    /// There is no block, or it is empty.
    #[default]
    None,
    /// A block with properties.
    Map(PropertyMap),
    /// A block that holds a list or a single value: Obsidian sees no properties.
    Other,
    /// A block that is not valid YAML: Obsidian shows its text and changes nothing. Never fatal: the note is
    /// read without properties.
    Invalid(YamlError),
}

impl Properties {
    /// The properties, if the block holds any.
    #[must_use]
    pub fn map(&self) -> Option<&PropertyMap> {
        match self {
            Self::Map(map) => Some(map),
            _ => None,
        }
    }
}

/// Finds the properties block: a first line that is exactly `---`, and the next line that is `---` plus
/// optional spaces or tabs. Without the second one the whole text is body.
#[must_use]
pub fn locate(text: &str) -> Option<Block> {
    // The app drops a byte order mark when it reads a file, so a block may follow one.
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let rest = text.get(start..)?;
    let opening = if rest.starts_with("---\n") {
        4
    } else if rest.starts_with("---\r\n") {
        5
    } else {
        return None;
    };
    let yaml_start = start + opening;
    let mut line_start = yaml_start;
    for line in text.get(yaml_start..)?.split_inclusive('\n') {
        let end = line_start + line.len();
        if line.starts_with("---") {
            let content = line.strip_suffix('\n').unwrap_or(line);
            let content = content.strip_suffix('\r').unwrap_or(content);
            if content.trim_end_matches([' ', '\t']) == "---" {
                return Some(Block { span: start..end, yaml: yaml_start..line_start });
            }
        }
        line_start = end;
    }
    None
}

/// Reads the properties of a note. The position of an error is one in the file.
#[must_use]
pub fn properties(text: &str) -> Properties {
    locate(text).map_or(Properties::None, |block| read(text, &block))
}

/// Reads the properties of a block that was found.
pub(crate) fn read(text: &str, block: &Block) -> Properties {
    // The opening line: positions in the block are one line further down in the file.
    const LINES_BEFORE: usize = 1;
    let yaml = text.get(block.yaml.clone()).unwrap_or("");
    match yaml::compose(yaml) {
        Ok((Value::Null, _)) => Properties::None,
        Ok((Value::Object(values), links)) => {
            let links = links.into_iter().map(|link| LinkText {
                span: link.span.start + block.yaml.start..link.span.end + block.yaml.start,
                line: link.line + LINES_BEFORE,
                ..link
            });
            Properties::Map(PropertyMap { values, links: links.collect() })
        }
        Ok(_) => Properties::Other,
        Err(error) => Properties::Invalid(YamlError { line: error.line + LINES_BEFORE, ..error }),
    }
}
