//! What of a board its plugin does not read, and so loses on its next save.

use super::board::read;

/// The lanes of a board and how much of it is no part of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsaved {
    /// Title of each lane, and whether its cards count as done.
    pub lanes: Vec<(String, bool)>,
    /// How many lines with text are neither heading of a lane nor part of a card. The mark `Complete` and the
    /// heading of the archive are among them, so only a comparison of two texts of a board says something.
    pub lines: usize,
}

/// Looks through a board; `None` when the plugin cannot read it and so never saves it.
#[must_use]
pub fn unsaved(text: &str) -> Option<Unsaved> {
    let board = read(text).ok()?;
    let cards = board.lanes.iter().flat_map(|lane| &lane.cards).chain(&board.archive);
    let headings = board.lanes.iter().map(|lane| lane.heading.clone());
    let mut kept: Vec<crate::Span> = cards.map(|card| card.span.clone()).chain(headings).collect();
    kept.sort_by_key(|span| span.start);
    let mut lines = 0;
    let mut start = board.body.start;
    for line in text.get(board.body.clone()).unwrap_or_default().split_inclusive('\n') {
        let end = start + line.len();
        let candidate = kept.partition_point(|span| span.end <= start);
        let is_kept = kept.get(candidate).is_some_and(|span| span.start < end);
        lines += usize::from(!is_kept && !line.trim().is_empty());
        start = end;
    }
    let lanes = board.lanes.into_iter().map(|lane| (lane.title, lane.complete)).collect();
    Some(Unsaved { lanes, lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lanes: &str, expected: usize) {
        let text = format!("---\nkanban-plugin: board\n---\n{lanes}");
        assert_eq!(unsaved(&text).map(|unsaved| unsaved.lines), Some(expected), "{lanes:?}");
    }

    #[test]
    fn lines_that_belong_to_no_card() {
        check("## A\n\n- [ ] a\n\ttext\n\n\n## B\n", 0);
        check("## A\n\n- a\n* b\n* c\n", 2);
        check("## A\n\ntext\n\n- a\n\n> - [ ] b\n", 2);
        check("A\n===\n\n**Complete**\n- [x] a\n\n%% kanban:settings\n```\n{}\n```\n%%", 1);
        assert_eq!(unsaved("# no board"), None);
    }
}
