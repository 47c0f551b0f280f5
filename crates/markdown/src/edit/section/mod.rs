//! Text above, below or in place of what stands under a heading; without a heading, at the two ends of the
//! body.
//!
//! What is inserted is a block of its own: blank lines at its two ends are taken off, and one is put between
//! it and its neighbours where Markdown would read them as one thing otherwise (a paragraph below a list, a
//! line above an underlined heading). Paragraphs and list items of the same kind go line by line, as an
//! entry is added to a log. Blank lines that are there stay.

mod block;
mod error;
mod find;
mod fit;
mod note;

pub use block::{BlockReplaced, replace_block};
pub use error::{SectionError, WayOut};

use super::{Edited, without_mark};
use crate::document;
use crate::headings::{Heading, composed, match_key};
use note::Note;

/// What is done with the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// It goes to the end of the section, or of the body.
    Append,
    /// It goes below the heading, or to the start of the body.
    Prepend,
    /// It takes the place of what stands under the heading; the heading stays.
    Replace,
    /// It goes above the heading.
    InsertBefore,
}

impl Operation {
    /// The name used in calls and answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Append => "append",
            Self::Prepend => "prepend",
            Self::Replace => "replace",
            Self::InsertBefore => "insert_before",
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patch<'a> {
    /// What to do.
    pub operation: Operation,
    /// The Markdown to write.
    pub content: &'a str,
    /// The heading it is about, with or without its hashes, or `Parent > Heading`; for a replacement also the
    /// id of a block, `^id`. `None`: the whole body.
    pub heading: Option<&'a str>,
    /// The heading's level, when several have the name.
    pub heading_level: Option<u8>,
    /// Whether the sections below the heading count as part of it. By default an append goes behind them, a
    /// replacement that would lose them is refused, and an append told `false` goes in front of them.
    pub include_children: Option<bool>,
}

/// A note after a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patched {
    /// The note.
    pub edited: Edited,
    /// The heading that was meant, as `## Text`; `None`: the body of the file.
    pub heading: Option<String>,
    /// What a new heading at the start of the body has pulled into its section.
    pub nested: Option<Nested>,
    /// The beginning of what a block with an id held before.
    pub replaced: Option<String>,
}

/// Text that stood above the first heading and now stands under a new one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nested {
    /// How many bytes of it there are, blank lines around it left out.
    pub bytes: usize,
    /// The new heading it stands under, as `## Text`.
    pub under: String,
    /// The first heading that was there before, as `## Text`: inserting before it nests nothing.
    pub next_heading: Option<String>,
}

/// Patches a note. Headings in code, comments and the properties block are none.
///
/// # Errors
/// See [`SectionError`]; nothing is changed then.
pub fn patch(source: &str, patch: &Patch<'_>) -> Result<Patched, SectionError> {
    let rest = without_mark(source);
    let patched = patch_unmarked(rest, patch)?;
    Ok(Patched { edited: patched.edited.with_mark(source, rest), ..patched })
}

fn patch_unmarked(source: &str, patch: &Patch<'_>) -> Result<Patched, SectionError> {
    let document = document::parse(source);
    let note = Note::new(source, &document);
    let content = trimmed(patch.content);
    if content.is_empty() && patch.operation != Operation::Replace {
        return Err(SectionError::EmptyContent);
    }
    let Some(name) = patch.heading else {
        let edit = match patch.operation {
            Operation::Append => note.append(note.body_start..note.end(source.len()), content, true),
            Operation::Prepend => note.prepend(note.body_start..source.len(), content),
            operation => return Err(SectionError::NeedsHeading { operation: operation.name() }),
        };
        let edited = note.finish(edit, content)?;
        let is_prepend = patch.operation == Operation::Prepend;
        let nested = if is_prepend { note.nested(content) } else { None };
        return Ok(Patched { edited, heading: None, nested, replaced: None });
    };
    if patch.operation == Operation::Replace && name.trim().starts_with('^') {
        let BlockReplaced { edited, replaced } = replace_block(source, name, patch.content)?;
        let heading = Some(name.trim().to_owned());
        return Ok(Patched { edited, heading, nested: None, replaced: Some(replaced) });
    }
    let index = find::heading(&document.headings, name, patch.heading_level)?;
    let Some(heading) = document.headings.get(index) else { return Err(SectionError::EmptyContent) };
    if patch.operation != Operation::InsertBefore {
        no_double_heading(heading, content)?;
    }
    let whole = match (patch.operation, patch.include_children) {
        (_, Some(with_children)) => with_children,
        (Operation::Replace, None) => {
            note.no_children(index, heading)?;
            false
        }
        _ => true,
    };
    if patch.operation == Operation::Replace && !whole {
        note.no_children(index, heading)?;
    }
    let end = if whole { heading.section.end } else { heading.own.end };
    let body = note.after_line(heading.span.end)..note.end(end);
    let edit = match patch.operation {
        Operation::Append => note.append(body, content, false),
        Operation::Prepend => note.prepend(body, content),
        Operation::Replace => note.replace(body, content),
        Operation::InsertBefore => note.insert_before(heading.section.start, content),
    };
    let edited = note.finish(edit, content)?;
    Ok(Patched { edited, heading: Some(find::shown(heading)), nested: None, replaced: None })
}

/// Puts content at the end of what stands under a heading, sections below it left out; without a heading at
/// the end of the body.
pub(crate) fn append_to(source: &str, heading: Option<usize>, content: &str) -> Result<Edited, SectionError> {
    let document = document::parse(source);
    let note = Note::new(source, &document);
    let region = match heading.and_then(|index| document.headings.get(index)) {
        Some(heading) => note.after_line(heading.span.end)..note.end(heading.own.end),
        None => note.body_start..note.end(source.len()),
    };
    let edit = note.append(region, content, heading.is_none());
    note.finish(edit, content)
}

/// A text without the blank lines at its two ends.
fn trimmed(content: &str) -> &str {
    let content = content.trim_end();
    let mut start = 0;
    for line in content.split_inclusive('\n') {
        if !line.trim().is_empty() {
            break;
        }
        start += line.len();
    }
    content.get(start..).unwrap_or_default()
}

/// Refuses content that repeats the heading it goes under.
fn no_double_heading(heading: &Heading, content: &str) -> Result<(), SectionError> {
    let first = document::parse(content).headings.into_iter().next();
    let starts = first.filter(|first| first.line == 0).filter(|first| {
        let (first, own) = (composed(&first.text), composed(&heading.text));
        first == own || {
            let key = match_key(&first);
            !key.is_empty() && key == match_key(&own)
        }
    });
    match starts {
        None => Ok(()),
        Some(_) => Err(SectionError::DoubleHeading { heading: find::shown(heading) }),
    }
}
