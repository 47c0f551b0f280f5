//! Links and embeds, of both kinds, with the spans a rename needs.

use crate::Span;

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

/// The link a text is, if the whole of it is one link and no embed.
pub(crate) fn whole(_text: &str) -> Option<Link> {
    None
}
