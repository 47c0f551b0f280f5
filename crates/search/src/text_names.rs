//! Names of the full-text engine that the answers use, until its module is in place.

/// How a query was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryReading {
    /// Plain words, and the first result holds every one of them.
    All,
    /// Plain words, and no result holds every one of them.
    Relaxed,
    /// FTS5 syntax, run as written.
    Syntax,
}

impl QueryReading {
    /// The name in answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Relaxed => "relaxed",
            Self::Syntax => "syntax",
        }
    }
}

/// Whether a hit holds the words as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchKind {
    /// Every word that matched did so as typed.
    Exact,
    /// Some word matched only in another form.
    WordForms,
}

impl MatchKind {
    /// The name in answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::WordForms => "word_forms",
        }
    }
}

/// A field that a word was found in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// Folders and, where it is not the title, the file name.
    Path,
    /// The title.
    Title,
    /// Other names.
    Aliases,
    /// The description.
    Description,
    /// The tags.
    Tags,
    /// The headings.
    Headings,
    /// The body.
    Body,
}

impl Field {
    /// The name in answers and in column filters.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Title => "title",
            Self::Aliases => "aliases",
            Self::Description => "description",
            Self::Tags => "tags",
            Self::Headings => "headings",
            Self::Body => "body",
        }
    }
}

/// Languages and ranking.
#[derive(Debug, Clone, Default)]
pub struct TextOptions {}
