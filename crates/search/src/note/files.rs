//! Files that are no notes: the files a canvas shows are links, and what a text file or a canvas says is
//! searched.

use std::borrow::Cow;

use markdown::{canvas, document, plain, resolve};
use vault::{Content, Decoding, VaultPath};

use super::line_map::LineMap;
use super::{CANVAS_LINK, HeadingRow, LinkRow, Rows, TextRow, encoding_problem, heading_words};
use crate::status::ProblemKind;
use crate::text::{self, DocKind, Fields};

/// How much of a text is searched, in bytes: what lies behind is data rather than writing.
const MOST_TEXT: usize = 100 * 1024;

/// Reads a canvas: the files it shows are links. With `searched`, its cards are searched as the outline
/// that reading the file answers, so sections and lines of a hit are those of the outline.
pub(crate) fn read_canvas(path: &VaultPath, content: &Content, searched: bool) -> Rows {
    let (json, decoding) = content.text();
    let mut rows = Rows { problems: encoding_problem(decoding).into_iter().collect(), ..Rows::default() };
    let outline = match canvas::file_nodes(&json) {
        Ok(nodes) => {
            let links = nodes.into_iter().map(|node| LinkRow {
                kind: CANVAS_LINK,
                embed: true,
                name_key: resolve::file_key(&node.path),
                path: node.path,
                subpath: node.subpath,
                display: None,
                property_key: None,
                line: line_at(&json, node.span.start),
            });
            rows.links = links.collect();
            canvas::linearize(&json)
        }
        Err(error) => Err(error),
    };
    let outline = outline.unwrap_or_else(|error| {
        rows.problems.push((ProblemKind::InvalidCanvas, error.to_string()));
        String::new()
    });
    if !searched {
        return rows;
    }
    let outline = shortened(&outline, &mut rows);
    let document = document::parse(outline);
    let plain = plain::plain(outline, 0..outline.len());
    let line_map = LineMap::new(&plain, &document.lines).pack();
    rows.headings = document.headings.iter().map(HeadingRow::of).collect();
    let fields = Fields {
        headings: document.headings.iter().map(|heading| heading_words(&heading.text).into_owned()).collect(),
        markup: text::markup_of(outline, 0..outline.len(), &plain.text, &plain.map),
        body: plain.text.clone(),
        ..named(path)
    };
    rows.text = Some(TextRow { text: plain.text, line_map, prepared: text::prepare(&fields) });
    rows
}

/// Reads a text file.
pub(crate) fn read_text(path: &VaultPath, content: &Content) -> Rows {
    let (text, decoding) = content.text();
    let mut rows = Rows { problems: encoding_problem(decoding).into_iter().collect(), ..Rows::default() };
    let text = if decoding == Decoding::Binary { Cow::Borrowed("") } else { text };
    let text = shortened(&text, &mut rows);
    let fields = Fields { body: text.to_owned(), ..named(path) };
    rows.text = Some(TextRow {
        text: text.to_owned(),
        line_map: LineMap::of_whole(text).pack(),
        prepared: text::prepare(&fields),
    });
    rows
}

/// A file that could not be read: its name is all there is to find, if it is searched at all.
pub(crate) fn unread_file(path: &VaultPath, searched: bool, kind: ProblemKind, message: String) -> Rows {
    let text = searched.then(|| TextRow {
        text: String::new(),
        line_map: Vec::new(),
        prepared: text::prepare(&named(path)),
    });
    Rows { text, problems: vec![(kind, message)], ..Rows::default() }
}

/// What is known of a file by its name.
fn named(path: &VaultPath) -> Fields {
    Fields {
        path: path.as_str().to_owned(),
        title: path.file_name().to_owned(),
        kind: DocKind::File,
        ..Fields::default()
    }
}

/// The part of a text that is searched. That there is more is told.
fn shortened<'a>(text: &'a str, rows: &mut Rows) -> &'a str {
    if text.len() <= MOST_TEXT {
        return text;
    }
    let message = format!("{} bytes of text: the first {MOST_TEXT} are searched", text.len());
    rows.problems.push((ProblemKind::SearchedInPart, message));
    text.get(..text.floor_char_boundary(MOST_TEXT)).unwrap_or_default()
}

fn line_at(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}
