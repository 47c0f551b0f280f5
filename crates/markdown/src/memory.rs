//! Memory files: notes whose sections hold dated bullets, `- **2026-03-10**: text`.
//!
//! Each entry was true when it was written. Sections are headings; a trailing ` (newest first)` in a heading
//! says how its entries are ordered and does not belong to its name.

use jiff::civil::Date;

use crate::Span;
use crate::document::Document;
use crate::headings::Heading;
use crate::lines::LineState;

/// What a new section's heading ends with.
pub const NEWEST_FIRST: &str = " (newest first)";

/// One dated entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The day in its prefix.
    pub date: Date,
    /// The text after the prefix. Further lines of the bullet follow, each after a line feed, as written but
    /// for white space at their ends.
    pub text: String,
    /// Index of the heading it stands under; `None` before the first heading.
    pub section: Option<usize>,
    /// Zero-based line of the bullet.
    pub line: usize,
    /// The bullet with its further lines, the last line break included.
    pub span: Span,
}

impl Entry {
    /// The entry as it is written into a memory file and shown by a recall.
    #[must_use]
    pub fn bullet(&self) -> String {
        bullet(self.date, &self.text)
    }
}

/// Writes an entry: `- **2026-03-10**: text`.
#[must_use]
pub fn bullet(date: Date, text: &str) -> String {
    format!("- **{:04}-{:02}-{:02}**: {text}", date.year(), date.month(), date.day())
}

/// What the owner wants of old entries: the property `entry-policy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum EntryPolicy {
    /// Entries are kept for ever: the default.
    #[default]
    AppendOnly,
    /// Entries describe the present and may be replaced.
    Living,
}

impl EntryPolicy {
    /// The policy a property value names; anything but `living` is append-only.
    #[must_use]
    pub fn from_property(value: Option<&str>) -> Self {
        match value {
            Some(value) if value.trim().eq_ignore_ascii_case("living") => Self::Living,
            _ => Self::AppendOnly,
        }
    }

    /// The name used in properties and answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AppendOnly => "append-only",
            Self::Living => "living",
        }
    }
}

/// The dated entries of a note, first to last.
///
/// An entry is a list item that is not nested, with a day that exists in bold at its start. Lines that belong
/// to the item (indented ones, and those that follow without a blank line) belong to the entry. Bullets in
/// code and comments are none.
#[must_use]
pub fn entries(text: &str, document: &Document) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut headings = document.headings.iter().enumerate().peekable();
    let mut section = None;
    // Whether the last entry can still go on, and whether a blank line stands in between.
    let mut open = false;
    let mut after_blank = false;
    for (number, line) in document.lines.iter().enumerate() {
        let content = text.get(line.span.clone()).unwrap_or_default();
        if let Some((index, _)) = headings.next_if(|(_, heading)| heading.line <= number) {
            section = Some(index);
            open = false;
            continue;
        }
        if line.state != LineState::Text {
            // Code or a comment indented below a bullet is a part of it.
            open &= starts_indented(content);
        } else if let Some((date, entry_text)) = dated_bullet(content) {
            entries.push(Entry {
                date,
                text: entry_text.to_owned(),
                section,
                line: number,
                span: line.span.start..line.end,
            });
            open = true;
            after_blank = false;
            continue;
        } else if content.trim().is_empty() {
            after_blank = true;
            continue;
        } else if !starts_indented(content) && (after_blank || is_list_item(content)) {
            open = false;
        }
        after_blank = false;
        if open && let Some(entry) = entries.last_mut() {
            entry.text.push('\n');
            entry.text.push_str(content.trim());
            entry.span.end = line.end;
        }
    }
    entries
}

/// The day and text of `- **2026-03-10**: text`. The colon may stand inside the bold, behind white space or
/// not at all.
fn dated_bullet(line: &str) -> Option<(Date, &str)> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let item = line.get(indent..).filter(|_| indent < 2)?;
    let item = item.strip_prefix(['-', '*', '+'])?.strip_prefix([' ', '\t'])?.trim_start();
    let inside = item.strip_prefix("**")?;
    let (date, rest) = inside.split_at_checked(10)?;
    let date = crate::tasks::TaskDate::parse(date)?.day()?;
    let rest = rest.strip_prefix(':').unwrap_or(rest).strip_prefix("**")?;
    Some((date, without_colon(rest).trim()))
}

/// What stands behind the colon after a day. Behind white space `:smile:` is the text itself.
fn without_colon(rest: &str) -> &str {
    if let Some(text) = rest.strip_prefix(':') {
        return text;
    }
    let apart = rest.trim_start().strip_prefix(':');
    apart.filter(|text| text.is_empty() || text.starts_with(char::is_whitespace)).unwrap_or(rest)
}

fn starts_indented(line: &str) -> bool {
    line.starts_with("  ") || line.starts_with('\t')
}

fn is_list_item(line: &str) -> bool {
    let line = line.trim_start_matches(' ');
    crate::tasks::marker_length(line)
        .and_then(|length| line.get(length..))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// What section names are compared by: without the ordering suffix, HTML entities decoded, case and the
/// width of white space ignored.
#[must_use]
pub fn section_key(name: &str) -> String {
    let name = decode_entities(name.trim());
    let words = name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    words.strip_suffix(NEWEST_FIRST).unwrap_or(&words).trim_end().to_owned()
}

/// The sections with a name: the one heading that is written exactly so, else all whose key is the same.
/// Several are a doubt that nobody but the caller can settle.
#[must_use]
pub fn find_sections(headings: &[Heading], name: &str) -> Vec<usize> {
    let name = name.trim().trim_start_matches('#').trim();
    let wanted = section_key(name);
    let chosen = |is_it: &dyn Fn(&Heading) -> bool| -> Vec<usize> {
        let found = headings.iter().enumerate().filter(|(_, heading)| is_it(heading));
        found.map(|(index, _)| index).collect()
    };
    let exact = chosen(&|heading| heading.text == name);
    if exact.len() == 1 { exact } else { chosen(&|heading| section_key(&heading.text) == wanted) }
}

/// A section whose name differs from the wanted one only by punctuation, a plural or one slip of the pen: a
/// sign that a new section would double it. A section with the very name is not among them.
#[must_use]
pub fn nearly_same_section(headings: &[Heading], name: &str) -> Option<usize> {
    let wanted = letters(&section_key(name));
    headings.iter().position(|heading| {
        let found = letters(&section_key(&heading.text));
        section_key(&heading.text) != section_key(name) && !wanted.is_empty() && nearly_same(&wanted, &found)
    })
}

fn letters(key: &str) -> Vec<char> {
    key.chars().filter(|character| character.is_alphanumeric()).collect()
}

/// Equal, or one insertion, deletion or replacement apart in a word long enough for that to be a slip.
fn nearly_same(one: &[char], other: &[char]) -> bool {
    const MIN_LENGTH: usize = 5;
    if one == other {
        return true;
    }
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if short.len() < MIN_LENGTH || long.len() - short.len() > 1 {
        return false;
    }
    let start = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let end = short.iter().rev().zip(long.iter().rev()).take_while(|(a, b)| a == b).count();
    let digits_differ = |at: usize, from: &[char]| from.get(at).is_some_and(|c| c.is_numeric());
    // "Goals 2025" and "Goals 2026" are two sections.
    start + end + 1 >= long.len() && !digits_differ(start, long)
}

/// Decodes the HTML entities that an agent may send in a name.
pub(crate) fn decode_entities(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        let (before, entity) = rest.split_at(start);
        decoded.push_str(before);
        let end = entity.bytes().take(12).position(|byte| byte == b';');
        let name = end.and_then(|end| entity.get(1..end));
        match (name.and_then(entity_character), end) {
            (Some(character), Some(end)) => {
                decoded.push(character);
                rest = entity.get(end + 1..).unwrap_or_default();
            }
            _ => {
                decoded.push('&');
                rest = entity.get(1..).unwrap_or_default();
            }
        }
    }
    decoded.push_str(rest);
    decoded
}

fn entity_character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_bullet(line: &str, expected: Option<(&str, &str)>) {
        let found = dated_bullet(line).map(|(date, text)| (date.to_string(), text));
        assert_eq!(found.as_ref().map(|(date, text)| (date.as_str(), *text)), expected, "{line:?}");
    }

    #[test]
    fn dated_bullets() {
        check_bullet("- **2026-01-12**: Prefers dark mode", Some(("2026-01-12", "Prefers dark mode")));
        check_bullet("* **2026-01-12:** x", Some(("2026-01-12", "x")));
        check_bullet("- **2026-01-12** x", Some(("2026-01-12", "x")));
        check_bullet("- **2026-03-04** : x", Some(("2026-03-04", "x")));
        check_bullet("- **2026-03-04**  :", Some(("2026-03-04", "")));
        check_bullet("- **2026-03-04** :smile: x", Some(("2026-03-04", ":smile: x")));
        check_bullet("- **2026-02-30**: no such day", None);
        check_bullet("- 2026-01-12: not bold", None);
        check_bullet("  - **2026-01-12**: nested", None);
        check_bullet("- **ä**", None);
    }

    #[test]
    fn entries_with_their_section_and_further_lines() {
        let text = "> [!info] Scope\n\n# Me\n\n## Tools (newest first)\n\n- **2026-01-12**: Dark mode\n  in all editors\n\
                    \n  also at night\n- plain\n- **2026-01-08**: Vim\n\ntext\n```\n- **2026-01-01**: code\n```\n## Food\n\
                    - **2026-02-30**: never\n- **2026-02-01**: Tea\nlazily\n";
        let document = crate::document::parse(text);
        let found = entries(text, &document);
        let rows: Vec<(String, &str, &str, &str)> = found
            .iter()
            .map(|entry| {
                let section = entry.section.and_then(|index| document.headings.get(index));
                let section = section.map_or("", |heading| heading.text.as_str());
                (entry.date.to_string(), section, entry.text.as_str(), &text[entry.span.clone()])
            })
            .collect();
        assert_eq!(
            rows,
            [
                (
                    "2026-01-12".to_owned(),
                    "Tools (newest first)",
                    "Dark mode\nin all editors\nalso at night",
                    "- **2026-01-12**: Dark mode\n  in all editors\n\n  also at night\n"
                ),
                ("2026-01-08".to_owned(), "Tools (newest first)", "Vim", "- **2026-01-08**: Vim\n"),
                ("2026-02-01".to_owned(), "Food", "Tea\nlazily", "- **2026-02-01**: Tea\nlazily\n"),
            ]
        );
        assert_eq!(found[1].bullet(), "- **2026-01-08**: Vim");
        assert_eq!(find_sections(&document.headings, "## tools"), [1]);
        assert!(find_sections(&document.headings, "Drinks").is_empty());
        assert_eq!(nearly_same_section(&document.headings, "Foods"), None, "too short to be a slip");
        assert_eq!(nearly_same_section(&document.headings, "Tools!"), Some(1));
    }

    #[test]
    fn section_names_compare_loosely() {
        assert_eq!(section_key("Editor  Settings (newest first)"), section_key("editor settings"));
        assert_eq!(section_key("Q&amp;A &#39;x&#x27;"), section_key("q&a 'X'"));
        assert_eq!(section_key("A & B; c"), "a & b; c");
    }

    #[test]
    fn names_one_slip_apart_are_nearly_the_same() {
        let near = |a: &str, b: &str| nearly_same(&letters(&section_key(a)), &letters(&section_key(b)));
        assert!(near("Preference", "Preferences"));
        assert!(near("Work-life", "worklife"));
        assert!(near("Comunication", "Communication"));
        assert!(!near("Goals 2025", "Goals 2026"));
        assert!(!near("Cats", "Cars"));
        assert!(!near("Work", "Home"));
    }

    #[test]
    fn policies() {
        assert_eq!(EntryPolicy::from_property(Some(" Living ")), EntryPolicy::Living);
        assert_eq!(EntryPolicy::from_property(Some("x")), EntryPolicy::AppendOnly);
        assert_eq!(EntryPolicy::from_property(None).name(), "append-only");
    }
}
