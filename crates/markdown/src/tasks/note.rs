//! The tasks of a whole note, with their place in it.
//!
//! As in Obsidian's cache, a task is a list item with a box, in quotes and callouts too, but not in code,
//! comments or HTML. Check boxes that the status registry calls no task, and those without the global
//! filter, count as plain list items.

use jiff::civil::Date;

use super::line::split;
use super::settings::Settings;
use super::status::StatusType;
use super::task::Task;
use super::{Format, Reading};
use crate::Span;
use crate::document::Document;

/// A task in a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteTask {
    /// The task itself.
    pub task: Task,
    /// What its box means.
    pub status: StatusType,
    /// Zero-based line in the file.
    pub line: usize,
    /// The line, without its line break.
    pub span: Span,
    /// How many tasks it lies in: 0 for one that lies in none. A task below a plain list item is no sub-task
    /// of anything because of that item.
    pub depth: usize,
    /// Index in the list of the task it lies in directly.
    pub parent: Option<usize>,
    /// Index of the nearest heading before it, in the document's list.
    pub heading: Option<usize>,
}

/// The tasks of a note, first to last.
///
/// Fields of both formats are read; where a field is there in both, that of the settings counts. `file_date`
/// is the date in the note's name (see [`super::date_in_path`]).
#[must_use]
pub fn in_note(
    text: &str,
    document: &Document,
    settings: &Settings,
    file_date: Option<Date>,
) -> Vec<NoteTask> {
    let reading = Reading::Either(settings.format);
    let mut found: Vec<NoteTask> = Vec::new();
    // For each list item the innermost task it is or lies in.
    let mut innermost: Vec<Option<usize>> = Vec::with_capacity(document.structure.list_items.len());
    let mut headings = document.headings.iter().enumerate().peekable();
    let mut heading = None;
    for item in &document.structure.list_items {
        while let Some((index, _)) = headings.next_if(|(_, heading)| heading.line < item.line) {
            heading = Some(index);
        }
        let parent = item.parent_item.and_then(|parent| innermost.get(parent).copied().flatten());
        let span = document.lines.get(item.line).map(|line| line.span).unwrap_or_default();
        // A second item on one line has no line of its own that could be edited.
        let own_line = found.last().is_none_or(|last| last.line != item.line);
        let parts = item.task.filter(|_| own_line).and_then(|_| split(text.get(span.clone())?));
        let counted = parts.filter(|parts| {
            settings.includes(parts.body)
                && settings.statuses.status_type(parts.symbol) != StatusType::NonTask
        });
        let Some(parts) = counted else {
            innermost.push(parent);
            continue;
        };
        innermost.push(Some(found.len()));
        found.push(NoteTask {
            task: Task::from_parts(&parts, reading, settings, file_date),
            status: settings.statuses.status_type(parts.symbol),
            line: item.line,
            span,
            depth: parent.and_then(|parent| found.get(parent)).map_or(0, |parent| parent.depth + 1),
            parent,
            heading,
        });
    }
    found
}

impl NoteTask {
    /// The format its fields are written in: the settings' own, unless it only has fields of the other.
    #[must_use]
    pub fn format(&self, settings: &Settings) -> Format {
        match (settings.format, self.task.has_emoji_fields, self.task.has_dataview_fields) {
            (Format::Emoji, false, true) => Format::Dataview,
            (Format::Dataview, true, false) => Format::Emoji,
            (format, _, _) => format,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;
    use crate::tasks::{Status, StatusRegistry};

    /// Line, depth, line of the parent, heading, text.
    type Row<'a> = (usize, usize, Option<usize>, Option<&'a str>, &'a str);

    #[track_caller]
    fn check_with(settings: &Settings, text: &str, expected: &[Row<'_>]) {
        let document = parse(text);
        let tasks = in_note(text, &document, settings, None);
        let rows: Vec<Row<'_>> = tasks
            .iter()
            .map(|found| {
                let parent = found.parent.map(|parent| tasks[parent].line);
                let heading = found.heading.map(|index| document.headings[index].text.as_str());
                (found.line, found.depth, parent, heading, found.task.description.as_str())
            })
            .collect();
        assert_eq!(rows, expected, "{text:?}");
    }

    #[track_caller]
    fn check(text: &str, expected: &[Row<'_>]) {
        check_with(&Settings::default(), text, expected);
    }

    #[test]
    fn depth_parent_and_heading() {
        check(
            "- [ ] a\n\t- [ ] b\n\t\t- [x] c\n- [ ] d\n# H\n- [ ] e\n  - [ ] f\n## I\n  - [ ] g\n",
            &[
                (0, 0, None, None, "a"),
                (1, 1, Some(0), None, "b"),
                (2, 2, Some(1), None, "c"),
                (3, 0, None, None, "d"),
                (5, 0, None, Some("H"), "e"),
                (6, 1, Some(5), Some("H"), "f"),
                (8, 0, None, Some("I"), "g"),
            ],
        );
    }

    #[test]
    fn a_plain_item_closes_the_scope_at_its_indent() {
        check("- [ ] a\n- plain\n  - [ ] b\n", &[(0, 0, None, None, "a"), (2, 0, None, None, "b")]);
        check("- [ ] a\n  - plain\n    - [ ] b\n", &[(0, 0, None, None, "a"), (2, 1, Some(0), None, "b")]);
    }

    #[test]
    fn quotes_and_callouts_count_code_and_comments_do_not() {
        check(
            "> [!todo] T\n> - [ ] a\n>   - [ ] b\n\n```\n- [ ] code\n```\n%%\n- [ ] comment\n%%\n<!-- - [ ] html -->\n\n\
             text\n\n    - [ ] indented code\n\n- [ ] c\n",
            &[(1, 0, None, None, "a"), (2, 1, Some(1), None, "b"), (16, 0, None, None, "c")],
        );
    }

    #[test]
    fn numbered_items_windows_line_ends_and_properties() {
        check(
            "---\na: 1\n---\r\n1. [ ] a ^id\r\n2) [x] b\r\n",
            &[(3, 0, None, None, "a"), (4, 0, None, None, "b")],
        );
    }

    #[test]
    fn no_task_by_registry_or_filter() {
        let mut settings = Settings { global_filter: "#task".to_owned(), ..Settings::default() };
        settings.statuses = StatusRegistry::new([Status::new("Q", "Quote", "A", StatusType::NonTask)]);
        check_with(
            &settings,
            "- [ ] a #task\n  - [Q] b #task\n    - [ ] c #task\n  - [ ] d\n    - [ ] e #task\n",
            &[
                (0, 0, None, None, "a #task"),
                (2, 1, Some(0), None, "c #task"),
                (4, 1, Some(0), None, "e #task"),
            ],
        );
    }

    #[test]
    fn both_formats_in_one_pass_and_the_own_one_first() {
        let text = "- [ ] a [due:: 2026-01-01]\n- [ ] b [due:: 2026-01-01] 📅 2026-02-02\n- [ ] c 📅 2026-02-02 [due:: 2026-01-01]\n";
        for (format, b) in [(Format::Emoji, "2026-02-02"), (Format::Dataview, "2026-01-01")] {
            let settings = Settings { format, ..Settings::default() };
            let tasks = in_note(text, &parse(text), &settings, None);
            let due: Vec<String> =
                tasks.iter().filter_map(|found| found.task.due).map(|due| due.to_string()).collect();
            assert_eq!(due, ["2026-01-01", b, b], "{format:?}");
            assert_eq!(tasks[0].format(&settings), Format::Dataview);
            assert_eq!(tasks[1].format(&settings), format);
        }
    }
}
