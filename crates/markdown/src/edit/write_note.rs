//! A whole note: a new one, or a new body for an old one.

use super::apply::with_line_breaks;
use super::properties::{self, PropertiesError, block_text, check_changes, guard, update};
use super::{Edit, Edited, line_break};
use crate::frontmatter;
use serde_json::{Map, Value};

/// A note as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NoteWritten {
    /// The note; for a new one the edits start from an empty text.
    pub edited: Edited,
    /// Properties that got a new value or were added.
    pub set: Vec<String>,
    /// Properties that are gone.
    pub removed: Vec<String>,
    /// Whether the note opens with a properties block that came with the body: there were no properties to
    /// write, and the body starts with `---` lines.
    pub block_from_body: bool,
}

/// The text of a new note. Properties that are null are left out; a body with text gets a final line break;
/// line ends are the body's own.
///
/// # Errors
/// See [`PropertiesError`]. Without properties a body that starts with `---` lines opens the note as its
/// block, and is refused when that could not be read or kept.
pub fn create(body: &str, properties: &Map<String, Value>) -> Result<NoteWritten, PropertiesError> {
    check_changes(properties)?;
    // A byte order mark is only one at the very start.
    let (mark, body) = match body.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", body),
    };
    let own = line_break(body);
    let block = block_text(properties, own)?;
    let text = format!("{mark}{block}{}", ended(body, own));
    if block.is_empty() {
        guard(&text)?;
    }
    let present = properties.iter().filter(|(_, value)| !value.is_null());
    Ok(NoteWritten {
        set: present.map(|(key, _)| key.clone()).collect(),
        removed: Vec::new(),
        block_from_body: block.is_empty() && frontmatter::locate(&text).is_some(),
        edited: Edited::new("", vec![Edit::new(0..0, text)]),
    })
}

/// A new body for a note that is there; its properties stay, but for those passed: a value sets, null
/// removes. The body takes the line end of the note.
///
/// # Errors
/// See [`PropertiesError`]; a block that cannot be kept is refused even when no property is passed.
pub fn overwrite(
    source: &str,
    body: &str,
    properties: &Map<String, Value>,
) -> Result<NoteWritten, PropertiesError> {
    properties::check(source)?;
    let changed = update(source, properties)?;
    let text = &changed.edited.text;
    let own = if source.is_empty() { line_break(body) } else { line_break(source) };
    let body = body.strip_prefix('\u{feff}').unwrap_or(body);
    let body = ended(&with_line_breaks(body, own), own);
    // What the update took away or left: the block of the note, never one that its old body opens with.
    let had_block = frontmatter::locate(source).is_some();
    let has_block = if had_block { kept_block(source, text) } else { frontmatter::locate(text).is_some() };
    let head = if has_block {
        let end = frontmatter::locate(text).map_or(0, |block| block.span.end);
        let head = text.get(..end).unwrap_or_default();
        // A closing line at the very end of the file has no line break.
        if head.ends_with('\n') || body.is_empty() { head.to_owned() } else { format!("{head}{own}") }
    } else {
        text.chars().next().filter(|first| *first == '\u{feff}').map(String::from).unwrap_or_default()
    };
    let whole = format!("{head}{body}");
    if !has_block {
        guard(&whole)?;
    }
    let block_from_body = !has_block && frontmatter::locate(&whole).is_some();
    let edits = between(source, &whole, had_block && has_block);
    Ok(NoteWritten {
        edited: Edited::new(source, edits),
        set: changed.set,
        removed: changed.removed,
        block_from_body,
    })
}

/// Whether a text still opens with the block of the source, after properties were taken out of it.
fn kept_block(source: &str, text: &str) -> bool {
    let Some(old) = frontmatter::locate(source) else { return false };
    let body = source.get(old.span.end..).unwrap_or_default();
    frontmatter::locate(text).is_some_and(|new| text.get(new.span.end..) == Some(body))
}

/// One edit for the block and one for the body, each only when it differs.
fn between(source: &str, whole: &str, both_have_block: bool) -> Vec<Edit> {
    let blocks = frontmatter::locate(source).zip(frontmatter::locate(whole)).filter(|_| both_have_block);
    let Some((old, new)) = blocks else {
        return vec![Edit::new(0..source.len(), whole)];
    };
    let part = |span: crate::Span| whole.get(span).unwrap_or_default();
    vec![
        Edit::new(0..old.span.end, part(0..new.span.end)),
        Edit::new(old.span.end..source.len(), part(new.span.end..whole.len())),
    ]
}

/// A body with a final line break; one without any text stays empty.
fn ended(body: &str, line_break: &str) -> String {
    if body.is_empty() || body.ends_with('\n') { body.to_owned() } else { format!("{body}{line_break}") }
}
