//! Why a note cannot be patched.
//!
//! Error policy: a heading is found or named with all that could have been meant; text is lost only when the
//! caller has said so.

use crate::edit::{Place, list_names, list_places};

/// How one of several headings with a name can be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WayOut {
    /// They differ in their levels.
    Level,
    /// They stand below different headings.
    Parent,
    /// No name tells them apart.
    Quote,
}

impl WayOut {
    const fn text(self) -> &'static str {
        match self {
            Self::Level => "pass heading_level",
            Self::Parent => "name the headings above it too, as \"Parent > Heading\"",
            Self::Quote => {
                "no name tells them apart: quote a line or a text that stands under the one that is meant, and \
                 insert there or replace it instead"
            }
        }
    }
}

/// Why a note cannot be patched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SectionError {
    /// There is nothing to write.
    #[error("the content is empty")]
    EmptyContent,
    /// Only text at the two ends of the body needs no heading.
    #[error("the operation \"{operation}\" needs a heading")]
    NeedsHeading {
        /// What was asked for.
        operation: &'static str,
    },
    /// No heading has the name.
    #[error("no heading \"{heading}\"; {}", list(.available))]
    NotFound {
        /// The name asked for.
        heading: String,
        /// The headings of the note, as `## Text`.
        available: Vec<String>,
    },
    /// Several headings have the name.
    #[error(
        "the heading \"{heading}\" is there {} times ({}): {}",
        .places.len(),
        list_places(.places, .places.len()),
        .way_out.text()
    )]
    Ambiguous {
        /// The name asked for.
        heading: String,
        /// Where they are.
        places: Vec<Place>,
        /// How one of them can be named.
        way_out: WayOut,
    },
    /// The content would repeat the heading it goes under.
    #[error("the content begins with the heading \"{heading}\", which stays where it is: leave it out")]
    DoubleHeading {
        /// The heading, as `## Text`.
        heading: String,
    },
    /// A replacement would lose the sections below the heading.
    #[error(
        "the section \"{heading}\" has {} below it ({}): pass include_children to replace them too",
        headings(.children.len()),
        list_names(.children)
    )]
    HasChildren {
        /// The heading, as `## Text`.
        heading: String,
        /// Those below it.
        children: Vec<String>,
    },
    /// The content opens a code block or comment that it does not close.
    #[error(
        "the content opens a code block, comment or the like that is not closed: it would hide the headings that follow"
    )]
    HidesHeadings,
    /// Several blocks have the id.
    #[error(
        "the block id \"^{id}\" is there {} times ({}): quote the text that is meant and replace it instead",
        .places.len(),
        list_places(.places, .places.len())
    )]
    AmbiguousBlock {
        /// The id without `^`.
        id: String,
        /// Where they are.
        places: Vec<Place>,
    },
    /// The content ends with an id of its own, but the block keeps the one it has.
    #[error("the content ends with the block id \"^{found}\", but the block keeps \"^{id}\": leave it out")]
    OtherBlockId {
        /// The id of the block.
        id: String,
        /// The id at the end of the content.
        found: String,
    },
    /// The id at the end of the content would not name it: the content ends with code, a heading takes one
    /// line, and the like.
    #[error(
        "the id \"^{id}\" would not name this content: it must be one block of the kind that is there (a heading is \
         one line), and its last line a text"
    )]
    BlockLost {
        /// The id without `^`.
        id: String,
    },
    /// No block has the id.
    #[error("no block \"^{id}\" in the note")]
    NoBlock {
        /// The id without `^`.
        id: String,
    },
}

fn list(available: &[String]) -> String {
    if available.is_empty() {
        return "the note has none".to_owned();
    }
    format!("there are: {}", list_names(available))
}

fn headings(count: usize) -> String {
    if count == 1 { "a heading".to_owned() } else { format!("{count} headings") }
}
