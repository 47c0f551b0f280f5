//! A task takes the look of the list it joins.
//!
//! Another marker would begin a second list (CommonMark): outside of boards the two would be shown apart, and
//! on a board the Kanban plugin reads the first list of a lane alone and loses the other one on its next
//! save. So an item that comes to stand beside another one takes its indent, its marker and its way of
//! numbering, and what stands below the item stays below it.

use super::extent::columns;
use crate::tasks::line::marker_length;

/// What an item comes to stand beside.
#[derive(Debug, Clone, Copy)]
pub(super) enum Beside<'a> {
    /// No list: it begins one.
    Nothing,
    /// Above the item with this line.
    Above(&'a str),
    /// Below the last item of a list.
    Below {
        /// Its line.
        last: &'a str,
        /// The line of the one before it.
        earlier: Option<&'a str>,
    },
}

/// The lines of an item (the first one its own) as they are written beside others.
pub(super) fn conform(lines: &[String], beside: Beside<'_>) -> Vec<String> {
    let Some((first, below)) = lines.split_first() else { return Vec::new() };
    let Some(own) = Shape::of(first) else { return lines.to_vec() };
    let (indentation, marker) = match beside {
        Beside::Nothing => (own.indentation, restarted(own.marker)),
        Beside::Above(line) => match Shape::of(line) {
            Some(next) => (next.indentation, next.marker.to_owned()),
            None => return lines.to_vec(),
        },
        Beside::Below { last, earlier } => match Shape::of(last) {
            Some(last) => (last.indentation, following(last.marker, earlier.and_then(Shape::of))),
            None => return lines.to_vec(),
        },
    };
    let is_quoted = own.indentation.contains('>') || indentation.contains('>');
    if is_quoted && own.indentation != indentation {
        return lines.to_vec();
    }
    let mut written = vec![format!("{indentation}{marker}{}", own.rest)];
    if is_quoted {
        written.extend_from_slice(below);
    } else {
        let content = columns(indentation) + marker.len() + own.gap();
        written.extend(shifted(below, own.content(), content));
    }
    written
}

/// New items, each below the one before it, below an item that is there.
pub(super) fn conform_all(lines: &[String], last: &str, earlier: Option<&str>) -> Vec<String> {
    let mut written: Vec<String> = Vec::with_capacity(lines.len());
    for line in lines {
        let above = written.last().map_or(last, String::as_str);
        let earlier = match written.len() {
            0 => earlier,
            1 => Some(last),
            count => written.get(count - 2).map(String::as_str),
        };
        let line = conform(std::slice::from_ref(line), Beside::Below { last: above, earlier });
        written.extend(line);
    }
    written
}

/// The first line of a list item in parts.
struct Shape<'a> {
    indentation: &'a str,
    marker: &'a str,
    /// White space and everything after it.
    rest: &'a str,
}

impl<'a> Shape<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let start = line.len() - line.trim_start_matches([' ', '\t', '>']).len();
        let (indentation, item) = line.split_at(start);
        let (marker, rest) = item.split_at(marker_length(item)?);
        Some(Self { indentation, marker, rest })
    }

    /// The white space after the marker that counts as indent: of more than four spaces one does.
    fn gap(&self) -> usize {
        let spaces = self.rest.len() - self.rest.trim_start_matches(' ').len();
        if (1..=4).contains(&spaces) { spaces } else { 1 }
    }

    /// The column at which its text starts, and from which on lines belong to it.
    fn content(&self) -> usize {
        columns(self.indentation) + self.marker.len() + self.gap()
    }
}

/// The number of a numbered marker and what ends it.
fn number(marker: &str) -> Option<(&str, &str)> {
    let digits = marker.len() - marker.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    (digits > 0).then(|| marker.split_at(digits))
}

/// A marker that begins a list: a number can do so below a paragraph only when it is 1.
fn restarted(marker: &str) -> String {
    number(marker).map_or_else(|| marker.to_owned(), |(_, end)| format!("1{end}"))
}

/// The marker of the item below another: the next number, unless all of the list have one.
fn following(marker: &str, earlier: Option<Shape<'_>>) -> String {
    /// Markdown reads no longer numbers as markers.
    const MOST_DIGITS: usize = 9;
    let Some((digits, end)) = number(marker) else { return marker.to_owned() };
    let before = earlier.and_then(|earlier| number(earlier.marker));
    let next = digits.parse::<u64>().ok().and_then(|digits| digits.checked_add(1));
    let Some(next) = next.filter(|_| before != Some((digits, end))) else { return marker.to_owned() };
    let width = if digits.starts_with('0') { digits.len() } else { 0 };
    let next = format!("{next:0width$}");
    if next.len() > MOST_DIGITS { marker.to_owned() } else { next + end }
}

/// The lines below an item whose text now starts at another column: moved only when they would belong to it
/// no more, or be code. Lines that go on with its paragraph without being indented stay.
fn shifted(lines: &[String], old: usize, new: usize) -> Vec<String> {
    /// From here on a line is code.
    const CODE: usize = 4;
    let belongs = |line: &&String| !line.trim().is_empty() && columns(line) >= old;
    let Some(least) = lines.iter().filter(belongs).map(|line| columns(line)).min() else {
        return lines.to_vec();
    };
    let is_kept = (new..new + CODE).contains(&least) || (least >= new && least >= old + CODE);
    let moved = |line: &String| {
        if is_kept || !belongs(&line) {
            return line.clone();
        }
        let text = line.trim_start_matches([' ', '\t']);
        let (indentation, _) = line.split_at(line.len() - text.len());
        if new > least {
            return format!("{indentation}{}{text}", " ".repeat(new - least));
        }
        format!("{}{text}", " ".repeat(columns(line) - (least - new)))
    };
    lines.iter().map(moved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &str, beside: Beside<'_>, expected: &str) {
        let lines: Vec<String> = lines.split('\n').map(str::to_owned).collect();
        assert_eq!(conform(&lines, beside).join("\n"), expected);
    }

    fn below<'a>(last: &'a str, earlier: Option<&'a str>) -> Beside<'a> {
        Beside::Below { last, earlier }
    }

    #[test]
    fn the_marker_and_the_indent_of_the_list() {
        check("- [ ] a", Beside::Above("* b"), "* [ ] a");
        check("  -  [ ] a", Beside::Above("+ b"), "+  [ ] a");
        check("- [ ] a", Beside::Above(" - b"), " - [ ] a");
        check("* [ ] a", Beside::Nothing, "* [ ] a");
        check("> - [ ] a", Beside::Above("* b"), "> - [ ] a");
        check("> - [ ] a", Beside::Above("> * b"), "> * [ ] a");
    }

    #[test]
    fn numbers_go_on_as_the_list_has_them() {
        check("- [ ] a", below("3. c", Some("2. b")), "4. [ ] a");
        check("- [ ] a", below("1) c", Some("1) b")), "1) [ ] a");
        check("- [ ] a", below("1) c", None), "2) [ ] a");
        check("- [ ] a", below("09. c", Some("08. b")), "10. [ ] a");
        check("- [ ] a", below("999999999. c", None), "999999999. [ ] a");
        check("- [ ] a", Beside::Above("7. c"), "7. [ ] a");
        check("7) [ ] a", Beside::Nothing, "1) [ ] a");
        check("7) [ ] a", below("- b", None), "- [ ] a");
    }

    #[test]
    fn what_stands_below_stays_below() {
        check("- [ ] a\n  - b\n    - c", below("9. x", Some("8. x")), "10. [ ] a\n    - b\n      - c");
        check("- [ ] a\n\t- b\n\n\ttext", below("1. x", None), "2. [ ] a\n\t- b\n\n\ttext");
        check("- [ ] a\n\t- b", below("99. x", None), "100. [ ] a\n\t - b");
        check("1000. [ ] a\n      - b\nlazy", Beside::Above("- x"), "- [ ] a\n  - b\nlazy");
        check("- [ ] a\n      code", Beside::Above("* x"), "* [ ] a\n      code");
    }
}
