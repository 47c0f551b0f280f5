//! The memory files as prompts show them: what each is for and how much it holds.

use std::cmp::Reverse;

use jiff::civil::Date;
use markdown::document::{self, Document};
use markdown::lines::LineState;
use markdown::memory::{self, EntryPolicy};
use vault::VaultPath;

use super::boundary::one_line;
use crate::mcp::error::ToolError;
use crate::mcp::tool::Call;
use crate::mcp::tools::{entry_policy, shorten_text};

/// A memory file, read.
pub(super) struct Remembered {
    pub(super) path: VaultPath,
    pub(super) policy: EntryPolicy,
    /// The callout that opens it: what it is for.
    scope: Option<String>,
    /// Sections and how many entries stand directly in each.
    sections: Vec<(String, usize)>,
    /// Lines that belong to no entry, heading or callout.
    undated: usize,
    /// Its dated entries, newest first; those of one day in the order of the file.
    pub(super) entries: Vec<Dated>,
}

/// A dated entry as it is shown.
pub(super) struct Dated {
    pub(super) date: Date,
    /// The bullet, with the section it stands in.
    pub(super) text: String,
}

/// Reads a memory file.
pub(super) fn read(call: &Call<'_>, path: &VaultPath) -> Result<Remembered, ToolError> {
    let file = call.read_memory(path)?;
    let document = document::parse(&file.text);
    let entries = memory::entries(&file.text, &document);
    let mut counts = vec![0; document.headings.len()];
    for entry in &entries {
        if let Some(count) = entry.section.and_then(|index| counts.get_mut(index)) {
            *count += 1;
        }
    }
    // Sections are headings of level 2; another one counts when it holds something.
    let sections = document.headings.iter().zip(counts);
    let sections = sections.filter(|(heading, count)| *count > 0 || heading.level == 2);
    let sections = sections.map(|(heading, count)| (section_name(&heading.text), count)).collect();
    let undated = undated(&file.text, &document, &entries);
    let mut dated: Vec<Dated> = entries
        .iter()
        .map(|entry| {
            let heading = entry.section.and_then(|index| document.headings.get(index));
            let section =
                heading.map(|heading| format!("[{}] ", section_name(&heading.text))).unwrap_or_default();
            let text = entry.text.replace('\n', "\n  ");
            Dated { date: entry.date, text: memory::bullet(entry.date, &format!("{section}{text}")) }
        })
        .collect();
    dated.sort_by_key(|entry| Reverse(entry.date));
    let scope = document.leading_callout.as_ref().map(|callout| {
        let text = if callout.body.is_empty() { &callout.title } else { &callout.body };
        short(text)
    });
    Ok(Remembered {
        path: path.clone(),
        policy: entry_policy(&document),
        scope,
        sections,
        undated,
        entries: dated,
    })
}

impl Remembered {
    /// The line that says how it is built.
    pub(super) fn structure(&self) -> String {
        const MOST_SECTIONS: usize = 20;
        let mut sections: Vec<String> = self
            .sections
            .iter()
            .take(MOST_SECTIONS)
            .map(|(name, count)| format!("{name} ({count})"))
            .collect();
        if self.sections.len() > MOST_SECTIONS {
            sections.push(format!("and {} more", self.sections.len() - MOST_SECTIONS));
        }
        let sections = if sections.is_empty() { "none".to_owned() } else { sections.join(", ") };
        let scope = self.scope.as_deref().unwrap_or("not declared");
        let undated = match self.undated {
            0 => String::new(),
            lines => format!("; lines without a date: {lines}"),
        };
        let (name, policy) = (one_line(self.path.stem()), self.policy.name());
        format!("- {name} ({policy}); scope: {scope}; sections with entries: {sections}{undated}")
    }
}

/// Lines of text that say something and carry no date.
fn undated(text: &str, document: &Document, entries: &[memory::Entry]) -> usize {
    let callout = document.leading_callout.as_ref().map(|callout| callout.span.clone());
    let mut entries = entries.iter().peekable();
    let mut headings = document.headings.iter().peekable();
    let mut count = 0;
    for (number, line) in document.lines.iter().enumerate() {
        let start = line.span.start;
        while entries.next_if(|entry| entry.span.end <= start).is_some() {}
        while headings.next_if(|heading| heading.line < number).is_some() {}
        let belongs = entries.peek().is_some_and(|entry| entry.span.contains(&start))
            || headings.peek().is_some_and(|heading| heading.line == number)
            || callout.as_ref().is_some_and(|callout| callout.contains(&start))
            || matches!(line.state, LineState::Frontmatter | LineState::HtmlComment | LineState::Comment);
        let blank = text.get(line.span.clone()).is_none_or(|line| line.trim().is_empty());
        count += usize::from(!belongs && !blank);
    }
    count
}

/// The name of a section, without what its heading says of the order of its entries.
fn section_name(heading: &str) -> String {
    short(heading.strip_suffix(memory::NEWEST_FIRST).unwrap_or(heading))
}

fn short(text: &str) -> String {
    let mut text = one_line(text);
    shorten_text(&mut text);
    text
}
