//! What a document hands to the engine, and the fields it is searched by.

/// Whether a document is a note or another file that has text (canvas, PDF, plain text).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DocKind {
    /// A Markdown note.
    #[default]
    Note,
    /// Any other file; it scores half of what a note would.
    File,
}

impl DocKind {
    /// The factor on a document's score.
    #[must_use]
    pub fn weight(self) -> f64 {
        match self {
            Self::Note => 1.0,
            Self::File => 0.5,
        }
    }
}

/// A document as text, field by field. [`prepare`](super::prepare()) turns it into tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields {
    /// Path inside the vault, with its extension. Its folders are searched, and its file name
    /// too where that differs from the title; equal scores are ordered by it.
    pub path: String,
    /// The title: a title property or the file name.
    pub title: String,
    /// Other names of the note.
    pub aliases: Vec<String>,
    /// The description property.
    pub description: String,
    /// Tags, with or without `#`.
    pub tags: Vec<String>,
    /// Heading texts.
    pub headings: Vec<String>,
    /// The plain text of the body, headings included, properties not.
    pub body: String,
    /// What the plain text leaves out: link targets, addresses, comments, kinds of callouts
    /// ([`markup_of`](super::markup_of())). It is found, and counts little.
    pub markup: String,
    /// Note or file.
    pub kind: DocKind,
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
    /// Every field, in the order in which answers list them.
    pub const ALL: [Self; 7] =
        [Self::Path, Self::Title, Self::Aliases, Self::Description, Self::Tags, Self::Headings, Self::Body];

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

    /// The field of this name, in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name().eq_ignore_ascii_case(name))
    }
}

/// A stretch of a document's token stream. There is one more part than fields: the markup of the
/// body is kept apart, since it counts less. Title and body come first: nearness of words is
/// looked for in these two alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Part {
    Title = 0,
    Body = 1,
    Aliases = 2,
    Description = 3,
    /// Folders; and the file name, where it is not the title.
    Path = 4,
    Tags = 5,
    Headings = 6,
    /// What the plain text of the body leaves out.
    Markup = 7,
}

/// Number of [`Part`]s.
pub(crate) const PARTS: usize = 8;

impl Part {
    pub(crate) const ALL: [Self; PARTS] = [
        Self::Title,
        Self::Body,
        Self::Aliases,
        Self::Description,
        Self::Path,
        Self::Tags,
        Self::Headings,
        Self::Markup,
    ];

    /// Place in arrays indexed by part.
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// The part's bit in a mask of parts.
    pub(crate) fn bit(self) -> u8 {
        1 << (self as u8)
    }

    /// The field that answers name for this part.
    pub(crate) fn field(self) -> Field {
        match self {
            Self::Title => Field::Title,
            Self::Aliases => Field::Aliases,
            Self::Description => Field::Description,
            Self::Path => Field::Path,
            Self::Tags => Field::Tags,
            Self::Headings => Field::Headings,
            Self::Body | Self::Markup => Field::Body,
        }
    }
}

/// The fields of a mask of parts, in the order of [`Field::ALL`].
pub(crate) fn fields_of(mask: u8) -> Vec<Field> {
    Field::ALL
        .into_iter()
        .filter(|field| Part::ALL.iter().any(|part| mask & part.bit() != 0 && part.field() == *field))
        .collect()
}
