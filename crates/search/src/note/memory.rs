//! Dated bullets of a note as rows. They are kept for every note, whatever folder it is in: which folder
//! holds the memory files is a setting, and what is stored depends on a note's content alone.

use markdown::document::Document;
use markdown::memory;
use vault::ContentHash;

/// A dated entry.
pub(crate) struct MemoryRow {
    pub(crate) section: Option<String>,
    pub(crate) date: String,
    pub(crate) text: String,
    pub(crate) line: usize,
    pub(crate) hash: ContentHash,
}

/// The dated entries of a note, first to last.
pub(crate) fn rows(source: &str, document: &Document) -> Vec<MemoryRow> {
    if !may_hold_entries(source) {
        return Vec::new();
    }
    let entries = memory::entries(source, document).into_iter().map(|entry| {
        let section = entry.section.and_then(|index| document.headings.get(index));
        let section = section.map(|heading| heading.text.clone());
        let date = entry.date.to_string();
        let identity = [date.as_str(), section.as_deref().unwrap_or_default(), &entry.text].join("\0");
        let hash = ContentHash::of(identity.as_bytes());
        MemoryRow { section, date, text: entry.text, line: entry.line, hash }
    });
    entries.collect()
}

/// Whether a digit follows `**` somewhere: few notes get past this, so that the others cost a glance.
fn may_hold_entries(source: &str) -> bool {
    source.match_indices("**").any(|(at, _)| source.as_bytes().get(at + 2).is_some_and(u8::is_ascii_digit))
}
