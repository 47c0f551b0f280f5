//! Why a memory file is not changed.
//!
//! Error policy: an entry is one line under a section that is found or made on purpose. Doubt is an error:
//! a section that is nearly there, an entry that is there twice, a file that would lose most of its text.

use crate::edit::{Place, excerpt, list_names, list_places};
use jiff::civil::Date;

/// Why a memory file is not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// A text that has to be one line is none or several.
    #[error("the {what} must be a single line with text")]
    NotOneLine {
        /// `entry` or `section`.
        what: &'static str,
    },
    /// No such day, or not in this form.
    #[error("the date must be a real day as YYYY-MM-DD (such as 2026-07-02), not \"{}\"", excerpt(.date))]
    NoDate {
        /// What was passed.
        date: String,
    },
    /// The section does not exist, but one that is named nearly the same does.
    #[error(
        "no section \"{}\" was made: \"{}\" is nearly the same; there are: {}",
        excerpt(.section),
        excerpt(.similar),
        list_names(.available)
    )]
    SimilarSection {
        /// The name asked for.
        section: String,
        /// The section that is there.
        similar: String,
        /// All of them.
        available: Vec<String>,
    },
    /// The section to delete from does not exist.
    #[error("no section \"{}\"; {}", excerpt(.section), sections(.available))]
    NoSection {
        /// The name asked for.
        section: String,
        /// Those that are there.
        available: Vec<String>,
    },
    /// Several sections have the name.
    #[error(
        "ambiguous section: \"{}\" matches {} sections ({}): {}",
        excerpt(.section),
        .places.len(),
        list_places(.places, .places.len()),
        if *.are_alike { "they are written alike: rename one of them first" } else { "give one exactly as it is written" }
    )]
    AmbiguousSection {
        /// The name asked for.
        section: String,
        /// Their headings.
        places: Vec<Place>,
        /// Whether they are written alike, so that none can be asked for.
        are_alike: bool,
    },
    /// No entry has the date and the text.
    #[error("no entry of {date} reads \"{}\" under {}{}", excerpt(.entry), excerpt(.section), of_day(.same_day))]
    NoEntry {
        /// The section's heading.
        section: String,
        /// The day.
        date: Date,
        /// The text.
        entry: String,
        /// Texts of that day in the section.
        same_day: Vec<String>,
    },
    /// Several entries have the date and the text.
    #[error("{} entries of {date} read so ({}): edit the file itself", .places.len(), list_places(.places, .places.len()))]
    Ambiguous {
        /// The day.
        date: Date,
        /// Where they are.
        places: Vec<Place>,
    },
    /// The text would not be read as this entry where it would be written: the place lies in code or a
    /// comment, or the text is markup of its own.
    #[error("the entry would not be read as one under \"{}\"", excerpt(.section))]
    NotRead {
        /// The section.
        section: String,
    },
    /// The file would lose more than half of its text.
    #[error("refused: the file would shrink from {before} to {after} bytes, by more than half")]
    Shrinks {
        /// Bytes before.
        before: usize,
        /// Bytes after.
        after: usize,
    },
}

fn sections(available: &[String]) -> String {
    if available.is_empty() {
        "the file has none".to_owned()
    } else {
        format!("there are: {}", list_names(available))
    }
}

fn of_day(texts: &[String]) -> String {
    if texts.is_empty() { String::new() } else { format!("; that day there are: {}", list_names(texts)) }
}
