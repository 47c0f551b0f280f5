//! Links and embeds, of both kinds, with the spans a rename needs.

use crate::Span;
use crate::inline::{self, Kind, MarkdownLink, Mode, Scanner, Token, Unit};

/// How a link is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LinkKind {
    /// `[[target|shown]]`.
    Wiki,
    /// `[shown](target "title")`.
    Markdown,
}

/// A link or an embed. Links to the web (a destination with a scheme) are not among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// How it is written.
    pub kind: LinkKind,
    /// Whether a `!` stands before it.
    pub embed: bool,
    /// Path and subpath as Obsidian stores them: what stands before the first `|`; percent-decoded in a
    /// Markdown link.
    pub target: String,
    /// The part before the first `#`: empty for a link into its own note.
    pub path: String,
    /// The part from the first `#` on, `#` included.
    pub subpath: Option<String>,
    /// The text to show, when it is written: after the first `|`, or between the brackets of a Markdown link.
    pub display: Option<String>,
    /// The title of a Markdown link.
    pub title: Option<String>,
    /// The whole link; it starts with `[`, or with `!` for an embed.
    pub span: Span,
    /// The path and subpath as written (percent-encoded, without angle brackets, without an escaping
    /// backslash before `|`): what a rename rewrites.
    pub target_span: Span,
    /// Zero-based line where it starts.
    pub line: usize,
    /// Whether it stands in a table, where the bar of a wikilink must be written `\|`.
    pub in_table: bool,
    /// Whether a Markdown link's destination stands in angle brackets.
    pub angle: bool,
}

impl Link {
    /// The text Obsidian shows: the written one, else the target with each `#` as ` > ` (a leading one goes).
    #[must_use]
    pub fn shown(&self) -> String {
        match &self.display {
            Some(display) => display.clone(),
            None => self.target.strip_prefix('#').unwrap_or(&self.target).replace('#', " > "),
        }
    }
}

impl Link {
    /// The range of the path within [`Self::target_span`]: what changes when the file moves. The subpath
    /// stays as it is.
    #[must_use]
    pub fn path_span(&self, text: &str) -> Span {
        let written = text.get(self.target_span.clone()).unwrap_or("");
        let length = written.find('#').unwrap_or(written.len());
        self.target_span.start..self.target_span.start + length
    }
}

/// The links of an inline text that has been scanned, in order of their starts. Their lines are left 0.
pub(crate) fn collect(unit: &Unit<'_>, scanner: &Scanner, links: &mut Vec<Link>) {
    let first = links.len();
    for token in &scanner.tokens {
        match token.kind {
            Kind::Wiki { embed } => links.extend(wiki(unit, token, embed)),
            Kind::LinkClose(index) => {
                links.extend(scanner.links.get(index).and_then(|link| markdown(unit, link)));
            }
            _ => {}
        }
    }
    // A link in the text of another ends before it, but starts after it.
    if let Some(added) = links.get_mut(first..) {
        added.sort_by_key(|link| link.span.start);
    }
}

/// The link a text is, if the whole of it is one link and no embed.
pub(crate) fn whole(text: &str) -> Option<Link> {
    let mut scanner = Scanner::default();
    scanner.scan(text, false, Mode::Links);
    let mut links = Vec::new();
    collect(&Unit::new(text, &[(0, 0)], false), &scanner, &mut links);
    links.into_iter().next().filter(|link| !link.embed && link.span == (0..text.len()))
}

fn wiki(unit: &Unit<'_>, token: &Token, embed: bool) -> Option<Link> {
    let start = token.start + 2 + usize::from(embed);
    let inner = unit.text.get(start..token.end - 2)?;
    let (written, display) = match inner.split_once('|') {
        // Without a target the bar splits nothing: the raw text is the target, and never resolves.
        None | Some(("" | "\\", _)) => (inner, None),
        // In a table the bar must be escaped, or it would end the cell.
        Some((target, display)) if unit.in_table => {
            (target.strip_suffix('\\').unwrap_or(target), Some(display.replace("\\|", "|")))
        }
        Some((target, display)) => (target, Some(display.to_owned())),
    };
    let span = unit.source_span(&(token.start..token.end));
    let target_span = unit.source_span(&(start..start + written.len()));
    Some(link(LinkKind::Wiki, embed, written.to_owned(), display, span, target_span, unit.in_table))
}

fn markdown(unit: &Unit<'_>, found: &MarkdownLink) -> Option<Link> {
    let written = unit.text.get(found.destination.span.clone())?;
    let text = unit.text.get(found.text.clone())?;
    let unrecorded = written.is_empty() || (text.is_empty() && !found.embed);
    if unrecorded || inline::html::scheme(written.as_bytes()) {
        return None;
    }
    let title = found.destination.title.clone().and_then(|title| unit.text.get(title));
    let span = unit.source_span(&found.span);
    let target_span = unit.source_span(&found.destination.span);
    let target = inline::decode(written).into_owned();
    let link = link(
        LinkKind::Markdown,
        found.embed,
        target,
        Some(text.to_owned()),
        span,
        target_span,
        unit.in_table,
    );
    Some(Link {
        title: title.map(|title| inline::unescape(title).into_owned()),
        angle: found.destination.angle,
        ..link
    })
}

fn link(
    kind: LinkKind,
    embed: bool,
    target: String,
    display: Option<String>,
    span: Span,
    target_span: Span,
    in_table: bool,
) -> Link {
    let (path, subpath) = match target.find('#') {
        Some(hash) => (target.get(..hash), target.get(hash..).map(str::to_owned)),
        None => (Some(target.as_str()), None),
    };
    let path = path.unwrap_or("").to_owned();
    Link {
        kind,
        embed,
        target,
        path,
        subpath,
        display,
        title: None,
        span,
        target_span,
        line: 0,
        in_table,
        angle: false,
    }
}
