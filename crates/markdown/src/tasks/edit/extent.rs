//! Which lines belong to a list item: its own, its further paragraphs, everything indented below it.

use crate::lines::{LineState, Lines};
use crate::tasks::line::marker_length;

/// The lines of the list item that starts on a line: from that line up to (not including) the second number.
/// Blank lines at its end do not belong to it.
#[must_use]
pub fn extent(text: &str, lines: &Lines, line: usize) -> std::ops::Range<usize> {
    let content = |number: usize| {
        let line = lines.get(number)?;
        Some((text.get(line.span.clone()).unwrap_or_default(), line.state))
    };
    let Some((first, _)) = content(line) else { return line..line };
    let quotes = quote_depth(first);
    let indent = columns(without_quotes(first, quotes).unwrap_or_default());
    let mut end = line + 1;
    let mut after_blank = false;
    for number in line + 1.. {
        let Some((written, state)) = content(number) else { break };
        // A line without the quote's marks ends the quote, except as the next line of a paragraph.
        let Some(inside) = without_quotes(written, quotes) else { break };
        if inside.trim().is_empty() {
            after_blank = true;
            continue;
        }
        let deeper = columns(inside) > indent;
        let lazy = !after_blank && state == LineState::Text && is_paragraph_line(inside);
        if !(deeper || lazy) {
            break;
        }
        after_blank = false;
        end = number + 1;
    }
    line..end
}

/// How many quote marks a line begins with.
pub(super) fn quote_depth(line: &str) -> usize {
    let mut depth = 0;
    let mut rest = line;
    while let Some(after) = after_quote(rest) {
        depth += 1;
        rest = after;
    }
    depth
}

/// The line after so many quote marks; `None` when it has fewer.
fn without_quotes(line: &str, depth: usize) -> Option<&str> {
    (0..depth).try_fold(line, |rest, _| after_quote(rest))
}

fn after_quote(line: &str) -> Option<&str> {
    let after = line.trim_start_matches(' ');
    let after = after.strip_prefix('>').filter(|_| line.len() - after.len() < 4)?;
    Some(after.strip_prefix(' ').unwrap_or(after))
}

/// Width of the white space at the start of a line; tabs lead to the next multiple of four.
pub(super) fn columns(line: &str) -> usize {
    let mut width = 0;
    for character in line.chars() {
        match character {
            ' ' => width += 1,
            '\t' => width += 4 - width % 4,
            _ => break,
        }
    }
    width
}

/// Whether a line that is not indented can go on with the paragraph before it.
fn is_paragraph_line(line: &str) -> bool {
    let line = line.trim_start();
    let starts_item = marker_length(line)
        .and_then(|length| line.get(length..))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
    let heading = line.trim_start_matches('#');
    let is_heading = heading.len() < line.len() && (heading.is_empty() || heading.starts_with([' ', '\t']));
    let mark = line.chars().next().unwrap_or_default();
    let rule = matches!(mark, '-' | '*' | '_' | '=')
        && line.chars().all(|character| character == mark || character == ' ');
    !(starts_item || is_heading || rule || line.starts_with('>') || line.starts_with("%%"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, line: usize, expected: std::ops::Range<usize>) {
        assert_eq!(extent(text, &crate::lines::scan(text), line), expected, "{text:?}");
    }

    #[test]
    fn own_lines_and_everything_below() {
        check("- [ ] a\n\t- [ ] b\n\t\t- c\n- [ ] d\n", 0, 0..3);
        check("- [ ] a\n  text\n\n  more\n\n- [ ] d\n", 0, 0..4);
        check("- [ ] a\nlazy\n\nno more\n", 0, 0..2);
        check("- [ ] a\n# H\n", 0, 0..1);
        check("- [ ] a\n---\n", 0, 0..1);
        check("- [ ] a\n  ```\n  - code\n  ```\n- b\n", 0, 0..4);
        check("  - [ ] b\n- [ ] d\n", 0, 0..1);
    }

    #[test]
    fn quotes_end_with_their_marks() {
        check("> - [ ] a\n>   - [ ] b\n> - c\n", 0, 0..2);
        check("> - [ ] a\n  - [ ] b\n", 0, 0..1);
        check("- [ ] a\n  > quote\n- b\n", 0, 0..2);
    }

    #[test]
    fn the_last_item_ends_before_the_blank_lines() {
        check("- [ ] a\n\n\n", 0, 0..1);
        check("", 0, 0..0);
    }
}
