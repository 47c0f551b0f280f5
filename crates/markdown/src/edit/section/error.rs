//! Why a note cannot be patched.
//!
//! Error policy: a heading is found or named with all that could have been meant; text is lost only when the
//! caller has said so.

use crate::edit::{Place, list_names, list_places};

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
        way_out(*.by_level)
    )]
    Ambiguous {
        /// The name asked for.
        heading: String,
        /// Where they are.
        places: Vec<Place>,
        /// Whether they differ in their levels.
        by_level: bool,
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

fn way_out(by_level: bool) -> &'static str {
    if by_level { "pass heading_level" } else { "name the headings above it too, as \"Parent > Heading\"" }
}

fn headings(count: usize) -> String {
    if count == 1 { "a heading".to_owned() } else { format!("{count} headings") }
}
