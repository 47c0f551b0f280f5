//! HTML blocks: the seven ways one can start, and how each ends (CommonMark 0.31, section 4.6).

use crate::work::spend;

/// What ends an HTML block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HtmlEnd {
    /// A line that holds the end tag of `pre`, `script`, `style` or `textarea`.
    RawText,
    /// A line that holds `-->`: the block is a comment.
    Comment,
    /// A line that holds `?>`.
    Instruction,
    /// A line that holds `>`.
    Declaration,
    /// A line that holds `]]>`.
    Data,
    /// A blank line.
    Blank,
}

/// Elements that start a block by their name alone.
const BLOCK_NAMES: &[&str] = &[
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];

const RAW_TEXT_NAMES: &[&str] = &["pre", "script", "style", "textarea"];

/// Whether an HTML block starts at a line that begins with `<`, and what ends it. `in_paragraph`: a lone tag
/// of another name does not interrupt a paragraph.
pub(super) fn start(line: &[u8], in_paragraph: bool) -> Option<HtmlEnd> {
    spend(line.len().min(32));
    let rest = line.strip_prefix(b"<")?;
    if rest.starts_with(b"!--") {
        return Some(HtmlEnd::Comment);
    }
    if rest.starts_with(b"?") {
        return Some(HtmlEnd::Instruction);
    }
    if rest.starts_with(b"![CDATA[") {
        return Some(HtmlEnd::Data);
    }
    if rest.first() == Some(&b'!') && rest.get(1).is_some_and(u8::is_ascii_alphabetic) {
        return Some(HtmlEnd::Declaration);
    }
    let (closing, name_start) = match rest.strip_prefix(b"/") {
        Some(name) => (true, name),
        None => (false, rest),
    };
    let length = name_start.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, after) = name_start.split_at_checked(length)?;
    let is_one_of = |names: &[&str]| names.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(name));
    let ends_name = matches!(after.first(), None | Some(b' ' | b'\t' | b'\r' | b'>'));
    if !closing && ends_name && is_one_of(RAW_TEXT_NAMES) {
        return Some(HtmlEnd::RawText);
    }
    if (ends_name || after.starts_with(b"/>")) && is_one_of(BLOCK_NAMES) {
        return Some(HtmlEnd::Blank);
    }
    let tag = crate::inline::html::tag(line)?;
    let alone = super::marks::is_blank(line.get(tag..)?);
    (alone && !in_paragraph && (closing || !is_one_of(RAW_TEXT_NAMES))).then_some(HtmlEnd::Blank)
}

/// Whether a line ends the block; a block that ends with a blank line never does.
pub(super) fn ends(line: &[u8], end: HtmlEnd) -> bool {
    spend(line.len());
    let holds = |mark: &[u8]| memchr::memmem::find(line, mark).is_some();
    match end {
        HtmlEnd::RawText => closes_raw_text(line),
        HtmlEnd::Comment => holds(b"-->"),
        HtmlEnd::Instruction => holds(b"?>"),
        HtmlEnd::Declaration => line.contains(&b'>'),
        HtmlEnd::Data => holds(b"]]>"),
        HtmlEnd::Blank => false,
    }
}

fn closes_raw_text(line: &[u8]) -> bool {
    memchr::memmem::find_iter(line, b"</").any(|start| {
        let rest = line.get(start + 2..).unwrap_or(&[]);
        RAW_TEXT_NAMES.iter().any(|name| {
            rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
                && rest.get(name.len()) == Some(&b'>')
        })
    })
}
