//! Creating, updating and moving tasks in notes and on boards.

use jiff::civil::Date;
use proptest::prelude::*;
use vault_cortex_markdown::document::parse;
use vault_cortex_markdown::kanban;
use vault_cortex_markdown::kanban::Indent;
use vault_cortex_markdown::tasks::edit::{
    Context, Edit, EditError, Edited, NewTask, Place, Position, Target, Update, create, update,
};
use vault_cortex_markdown::tasks::{self, Format, Settings, StatusType};

const TODAY: Date = Date::constant(2026, 3, 10);

fn context(settings: &Settings) -> Context<'_> {
    Context { settings, today: TODAY, indent: "\t", format: None }
}

fn fields(description: &str) -> Edit {
    Edit { description: Some(description.to_owned()), ..Edit::default() }
}

fn status(status: StatusType) -> Update {
    Update { fields: Edit { status: Some(status), ..Edit::default() }, ..Update::default() }
}

fn heading(heading: &str, position: Position) -> Place {
    Place::Heading { heading: heading.to_owned(), position }
}

#[track_caller]
fn created(text: &str, place: Place, subtasks: &[&str], expected: &str) -> Edited {
    let subtasks = subtasks.iter().map(|text| (*text).to_owned()).collect();
    let new = NewTask { fields: fields("new"), place, subtasks };
    let edited = create(text, &new, &context(&Settings::default())).expect("created");
    assert_eq!(edited.text, expected);
    let line = edited.line.and_then(|line| edited.text.lines().nth(line)).expect("its line");
    assert!(line.contains("[ ] new"), "{line}");
    edited
}

#[track_caller]
fn updated_with(settings: &Settings, text: &str, line: usize, change: &Update, expected: &str) -> Edited {
    let edited = update(text, &Target::Line(line), change, &context(settings)).expect("updated");
    assert_eq!(edited.text, expected);
    edited
}

#[track_caller]
fn updated(text: &str, line: usize, change: &Update, expected: &str) -> Edited {
    updated_with(&Settings::default(), text, line, change, expected)
}

#[track_caller]
fn refused(text: &str, line: usize, change: &Update) -> EditError {
    update(text, &Target::Line(line), change, &context(&Settings::default())).expect_err("refused")
}

// ------------------------------------------------------------- creating

#[test]
fn at_the_end_of_a_note() {
    created("", Place::End, &[], "- [ ] new\n");
    created("text\n", Place::End, &["a", "b"], "text\n\n- [ ] new\n\t- [ ] a\n\t- [ ] b\n");
    created("- [ ] old\n", Place::End, &[], "- [ ] old\n- [ ] new\n");
    created("- old", Place::End, &[], "- old\n- [ ] new");
    created("a\r\nb\r\n", Place::End, &[], "a\r\nb\r\n\r\n- [ ] new\r\n");
    created("---\na: 1\n---\n", Place::End, &[], "---\na: 1\n---\n\n- [ ] new\n");
    created("```\ncode\n```\n\n\n", Place::End, &[], "```\ncode\n```\n\n- [ ] new\n\n");
}

#[test]
fn under_a_heading() {
    let note = "# A\n\n- [ ] one\n\t- [ ] sub\n- [ ] two\n\ntext\n\n# B\n";
    created(note, heading("A", Position::Top), &[], &note.replace("- [ ] one", "- [ ] new\n- [ ] one"));
    created(note, heading("# a", Position::At(2)), &[], &note.replace("- [ ] two", "- [ ] new\n- [ ] two"));
    created(note, heading("A", Position::Bottom), &[], &note.replace("two\n", "two\n- [ ] new\n"));
    created(note, heading("A", Position::At(9)), &[], &note.replace("two\n", "two\n- [ ] new\n"));
    created(note, heading("B", Position::Bottom), &[], &note.replace("# B\n", "# B\n\n- [ ] new\n"));
    created("# A\ntext\n# B\n", heading("A", Position::Bottom), &[], "# A\ntext\n\n- [ ] new\n# B\n");
    created("# A\n\ntext\n", heading("A", Position::Top), &[], "# A\n\n- [ ] new\n\ntext\n");
    created("A\n===\n\ntext", heading("A", Position::Bottom), &[], "A\n===\n\ntext\n\n- [ ] new");
}

#[test]
fn below_a_parent_as_deep_as_its_other_children() {
    created("- [ ] p\n", Place::Under { line: 0 }, &["s"], "- [ ] p\n\t- [ ] new\n\t\t- [ ] s\n");
    created(
        "- [ ] p\n  - [ ] c\n\n- q\n",
        Place::Under { line: 0 },
        &[],
        "- [ ] p\n  - [ ] c\n  - [ ] new\n\n- q\n",
    );
    created("> - [ ] p\n> text\n", Place::Under { line: 0 }, &[], "> - [ ] p\n> text\n> \t- [ ] new\n");
    created("100. [ ] p\n", Place::Under { line: 0 }, &[], "100. [ ] p\n     - [ ] new\n");
}

#[test]
fn creating_is_refused_where_it_would_not_be_a_task() {
    let new = |place| NewTask { fields: fields("new"), place, subtasks: Vec::new() };
    let make = |text: &str, place| create(text, &new(place), &context(&Settings::default()));
    assert_eq!(make("```\nopen fence\n", Place::End), Err(EditError::NotReadThere));
    assert_eq!(make("- plain\n", Place::Under { line: 0 }), Err(EditError::NoTask { line: 0 }));
    let unknown = make("# A\n", heading("C", Position::Top));
    assert_eq!(
        unknown,
        Err(EditError::UnknownHeading { heading: "C".to_owned(), available: vec!["A".to_owned()] })
    );
    let twice = make("# A\n# A\n", heading("A", Position::Top));
    assert_eq!(twice, Err(EditError::AmbiguousHeading { heading: "A".to_owned(), lines: vec![0, 1] }));
}

// ------------------------------------------------------------- updating

#[test]
fn a_completion_in_place_and_its_next_occurrence() {
    let note = "a\r\n- [ ] r 🔁 every day 📅 2026-03-10 ^b\r\n\t- [ ] sub\r\nb";
    let edited = updated(
        note,
        1,
        &status(StatusType::Done),
        "a\r\n- [ ] r 🔁 every day 📅 2026-03-11\r\n- [x] r 🔁 every day 📅 2026-03-10 ✅ 2026-03-10 ^b\r\n\t- [ ] sub\r\nb",
    );
    assert_eq!((edited.line, edited.next_line), (Some(2), Some(1)));
    let what: Vec<&str> = edited.changes.iter().map(|change| change.what).collect();
    assert_eq!(what, ["status", "done", "next occurrence"]);
    let below = Settings { recurrence_on_next_line: true, ..Settings::default() };
    let edited = updated_with(
        &below,
        "- [ ] r 🔁 every day\n",
        0,
        &status(StatusType::Done),
        "- [x] r 🔁 every day ✅ 2026-03-10\n- [ ] r 🔁 every day\n",
    );
    assert_eq!((edited.line, edited.next_line), (Some(0), Some(1)));
}

#[test]
fn deletion_on_completion() {
    let done = status(StatusType::Done);
    let edited = updated("- a\n- [ ] x 🏁 delete\n- b\n", 1, &done, "- a\n- b\n");
    assert_eq!(edited.line, None);
    updated("- [ ] x 🏁 delete", 0, &done, "");
    updated("- [ ] r 🔁 every day 🏁 delete\n", 0, &done, "- [ ] r 🔁 every day 🏁 delete\n");
    assert_eq!(refused("- [ ] x 🏁 delete\n\t- [ ] sub\n", 0, &done), EditError::WouldOrphan);
}

#[test]
fn by_block_id() {
    let settings = Settings::default();
    let text = "- [ ] a ^one\n- [ ] b ^two\n- [ ] c ^two\n";
    let by = |id: &str| {
        update(text, &Target::BlockId(id.to_owned()), &status(StatusType::Done), &context(&settings))
    };
    assert_eq!(by("^One").map(|edited| edited.line), Ok(Some(0)));
    assert_eq!(by("two"), Err(EditError::AmbiguousBlockId { id: "two".to_owned(), lines: vec![1, 2] }));
    assert_eq!(by("three"), Err(EditError::UnknownBlockId { id: "three".to_owned() }));
}

#[test]
fn moving_to_a_heading_takes_the_sub_items_along() {
    let note = "# A\n\n- [ ] a\n\t- [ ] sub\n\ttext\n- [ ] b\n\n# B\n\n- [ ] c\n";
    let to = |heading: &str, position| Update {
        heading: Some(heading.to_owned()),
        position: Some(position),
        ..Update::default()
    };
    let edited = updated(
        note,
        2,
        &to("B", Position::Top),
        "# A\n\n- [ ] b\n\n# B\n\n- [ ] a\n\t- [ ] sub\n\ttext\n- [ ] c\n",
    );
    assert_eq!(edited.line, Some(6));
    updated(
        note,
        2,
        &to("A", Position::Bottom),
        "# A\n\n- [ ] b\n- [ ] a\n\t- [ ] sub\n\ttext\n\n# B\n\n- [ ] c\n",
    );
    let reorder = Update { position: Some(Position::Top), ..Update::default() };
    updated(note, 5, &reorder, "# A\n\n- [ ] b\n- [ ] a\n\t- [ ] sub\n\ttext\n\n# B\n\n- [ ] c\n");
    updated("- [ ] a\n# A\n\n- [ ] b", 3, &to("A", Position::Top), "- [ ] a\n# A\n\n- [ ] b");
    let odd = "# A\n\n- [ ] a\n-  [ ]  b 📅2026-02-30 🔁 bogus\n";
    updated(odd, 3, &reorder, "# A\n\n-  [ ]  b 📅2026-02-30 🔁 bogus\n- [ ] a\n");
    assert_eq!(refused(note, 3, &reorder), EditError::SubTaskStays);
    assert_eq!(refused("- [ ] a\n# A\n", 0, &reorder), EditError::NoHeadingToReorder);
    assert_eq!(refused(note, 5, &Update::default()), EditError::Nothing);
    assert_eq!(refused(note, 1, &reorder), EditError::NoTask { line: 1 });
}

/// A task under a plain list item is no sub-task: it moves, to the margin, and leaves the item behind.
#[test]
fn a_task_below_a_plain_item_moves_as_one_of_its_own() {
    let to_b = Update { heading: Some("B".to_owned()), ..Update::default() };
    let note = "# A\n\n- plain\n  - [ ] t ^t\n\t- [ ] sub\n    text\n- [ ] a\n\n# B\n\n- [ ] b\n";
    let after = "# A\n\n- plain\n- [ ] a\n\n# B\n\n- [ ] b\n- [ ] t ^t\n\t- [ ] sub\n  text\n";
    assert_eq!(updated(note, 3, &to_b, after).line, Some(8));
    let tabs = "# A\n- plain\n\t- [ ] t\n\t\t- [ ] sub\n# B\n";
    updated(tabs, 2, &to_b, "# A\n- plain\n# B\n\n- [ ] t\n\t- [ ] sub\n");
    // Below a plain item of a task it lies in that task; and what a card holds goes with the card.
    let nested = "# A\n- [ ] a\n\t- plain\n\t\t- [ ] t\n# B\n";
    assert_eq!(refused(nested, 3, &to_b), EditError::SubTaskStays);
    let board = "---\nkanban-plugin: board\n---\n\n## A\n\n- plain\n\t- [ ] t\n\n\n## B\n\n";
    assert_eq!(refused(board, 7, &to_b), EditError::SubTaskStays);
}

#[test]
fn sub_tasks_are_added_below_the_ones_that_are_there() {
    let add = Update { add_subtasks: vec!["x".to_owned(), "y".to_owned()], ..Update::default() };
    updated("- [ ] a\n  - [ ] b\n- c\n", 0, &add, "- [ ] a\n  - [ ] b\n  - [ ] x\n  - [ ] y\n- c\n");
    let bad = Update { add_subtasks: vec!["x\ny".to_owned()], ..Update::default() };
    assert_eq!(refused("- [ ] a\n", 0, &bad), EditError::LineBreak { text: "x\ny".to_owned() });
}

#[test]
fn a_line_keeps_the_format_it_is_written_in() {
    let due = Update {
        fields: Edit { due: Some(Some(Date::constant(2026, 4, 1))), ..Edit::default() },
        ..Update::default()
    };
    updated("- [ ] a [priority:: high]\n", 0, &due, "- [ ] a  [priority:: high]  [due:: 2026-04-01]\n");
    updated("- [ ] a ⏫\n", 0, &due, "- [ ] a ⏫ 📅 2026-04-01\n");
}

// --------------------------------------------------------------- boards

fn board(lanes: &str) -> String {
    format!(
        "---\n\nkanban-plugin: board\n\n---\n\n{lanes}\n\n%% kanban:settings\n```\n{{\"kanban-plugin\":\"board\"}}\n```\n%%"
    )
}

#[track_caller]
fn is_fixed_point(text: &str) {
    let read = kanban::read(text).expect("a board");
    assert_eq!(kanban::saved(&read, Indent::Tab), text, "the plugin would change it");
}

#[test]
fn completing_a_card_moves_it_to_the_done_lane() {
    let before = board("## Doing\n\n- [ ] a\n\t- [ ] sub\n\n\n## Done\n\n**Complete**\n- [x] old\n\n\n");
    let after =
        board("## Doing\n\n\n\n## Done\n\n**Complete**\n- [x] old\n- [x] a ✅ 2026-03-10\n\t- [ ] sub\n\n\n");
    let edited = updated(&before, 8, &status(StatusType::Done), &after);
    assert_eq!(edited.line, Some(14));
    is_fixed_point(&before);
    is_fixed_point(&after);
}

#[test]
fn the_next_occurrence_of_a_card_stays_in_its_lane() {
    let before = board("## Doing\n\n- [ ] r 🔁 every day 📅 2026-03-10\n\n\n## Done\n\n**Complete**\n\n\n");
    let after = board(
        "## Doing\n\n- [ ] r 🔁 every day 📅 2026-03-11\n\n\n## Done\n\n**Complete**\n- [x] r 🔁 every day 📅 2026-03-10 ✅ 2026-03-10\n\n\n",
    );
    let edited = updated(&before, 8, &status(StatusType::Done), &after);
    assert_eq!((edited.next_line, edited.line), (Some(8), Some(14)));
    is_fixed_point(&after);
}

#[test]
fn a_card_that_is_done_stays_where_the_lane_is_not_clear() {
    let done = status(StatusType::Done);
    let before = board("## A\n\n- [ ] a\n\n\n");
    updated(&before, 8, &done, &before.replace("- [ ] a", "- [x] a ✅ 2026-03-10"));
    let two = board("## A\n\n- [ ] a\n\n\n## B\n\n**Complete**\n\n\n## C\n\n**Complete**\n\n\n");
    let lanes = vec!["B".to_owned(), "C".to_owned()];
    assert_eq!(refused(&two, 8, &done), EditError::SeveralDoneLanes { lanes });
}

#[test]
fn boards_take_no_block_ids_on_indented_lines() {
    let text = board("## A\n\n- [ ] a\n\t- [ ] sub\n\n\n");
    let id = |line| {
        let fields = Edit { block_id: Some(Some("x".to_owned())), ..Edit::default() };
        update(
            &text,
            &Target::Line(line),
            &Update { fields, ..Update::default() },
            &context(&Settings::default()),
        )
    };
    assert_eq!(id(9), Err(EditError::BlockIdOnBoard));
    assert!(id(8).is_ok());
    let add = Update { add_subtasks: vec!["b ^x".to_owned()], ..Update::default() };
    assert_eq!(refused(&text, 8, &add), EditError::BlockIdOnBoard);
    let new = NewTask { fields: fields("new"), place: Place::End, subtasks: Vec::new() };
    let refused = create(&text, &new, &context(&Settings::default()));
    assert_eq!(refused, Err(EditError::BoardNeedsLane { available: vec!["A".to_owned()] }));
}

#[test]
fn a_card_takes_the_marker_of_its_lane() {
    let lanes = "## Todo\n\n* [ ] a ^a\n* [ ] b\n\n\n## Done\n\n- [x] z\n- [x] y\n\n\n## Numbers\n\n3) [ ] n\n4) [ ] m\n\n\n## None\n\n\n\n";
    let text = board(lanes);
    let with = |from: &str, to: &str| board(&lanes.replacen("* [ ] a ^a\n", "", 1).replacen(from, to, 1));
    updated(&text, 8, &status(StatusType::Done), &with("y\n", "y\n- [x] a ✅ 2026-03-10 ^a\n"));
    let to = |heading: &str, position| Update {
        heading: Some(heading.to_owned()),
        position: Some(position),
        ..Update::default()
    };
    updated(&text, 8, &to("Done", Position::Top), &with("- [x] z", "- [ ] a ^a\n- [x] z"));
    updated(&text, 8, &to("Numbers", Position::Top), &with("3) [ ] n", "3) [ ] a ^a\n3) [ ] n"));
    updated(&text, 8, &to("Numbers", Position::Bottom), &with("4) [ ] m\n", "4) [ ] m\n5) [ ] a ^a\n"));
    updated(&text, 8, &to("None", Position::Bottom), &with("## None\n\n", "## None\n\n* [ ] a ^a\n"));
    let with = |from: &str, to: &str| board(&lanes.replacen(from, to, 1));
    created(&text, heading("Todo", Position::Bottom), &["s"], &with("b\n", "b\n* [ ] new\n\t- [ ] s\n"));
    created(&text, heading("Todo", Position::Top), &[], &with("* [ ] a", "* [ ] new\n* [ ] a"));
    created(&text, heading("Numbers", Position::At(2)), &[], &with("4) [ ] m", "4) [ ] new\n4) [ ] m"));
    created(&text, heading("None", Position::Bottom), &[], &with("## None\n\n", "## None\n\n- [ ] new\n"));
}

#[test]
fn a_numbered_card_begins_an_empty_lane_with_one() {
    // Right below a paragraph no other number begins a list (CommonMark).
    let text = board("## A\n\n7. [x] a\n\n\n## Done\n\n**Complete**\n\n\n");
    let to = Update { heading: Some("Done".to_owned()), ..Update::default() };
    updated(&text, 8, &to, &board("## A\n\n\n\n## Done\n\n**Complete**\n1. [x] a\n\n\n"));
}

#[test]
fn outside_of_boards_a_task_begins_no_second_list_either() {
    let note = "# A\n\n- [ ] a\n  - [ ] sub\n  text\n\n# B\n\n9. x\n10. y\n";
    let to = Update { heading: Some("B".to_owned()), ..Update::default() };
    updated(note, 2, &to, "# A\n\n\n# B\n\n9. x\n10. y\n11. [ ] a\n    - [ ] sub\n    text\n");
    created("* x\n", Place::End, &[], "* x\n* [ ] new\n");
    created("- [ ] p\n  + [ ] c\n", Place::Under { line: 0 }, &[], "- [ ] p\n  + [ ] c\n  + [ ] new\n");
    let add = Update { add_subtasks: vec!["x".to_owned(), "y".to_owned()], ..Update::default() };
    updated("- [ ] p\n  1. [ ] c\n", 0, &add, "- [ ] p\n  1. [ ] c\n  2. [ ] x\n  3. [ ] y\n");
    // An item that is indented a little would lie in the one above it.
    let note = "# A\n\n  - [ ] a\n\n# B\n\n- x\n";
    updated(note, 2, &to, "# A\n\n\n# B\n\n- x\n- [ ] a\n");
}

#[test]
fn what_the_board_would_lose_is_refused() {
    let text = board("## A\n\n- [ ] a\n- [ ] b\n\n\n## B\n\n> - [ ] q\n\n\n");
    let to = Update { heading: Some("A".to_owned()), position: Some(Position::At(2)), ..Update::default() };
    assert_eq!(refused(&text, 14, &to), EditError::LostOnSave);
    // A change in place of what the plugin does not read anyway is none of its losses.
    updated(&text, 14, &status(StatusType::Done), &text.replace("[ ] q", "[x] q ✅ 2026-03-10"));
}

#[test]
fn a_card_that_comes_into_a_complete_lane_is_done() {
    let lanes = |todo: &str, done: &str| {
        board(&format!("## Todo\n\n{todo}\n\n## Done\n\n**Complete**\n{done}\n\n## Rest\n\n\n\n"))
    };
    let to = |heading: &str| Update { heading: Some(heading.to_owned()), ..Update::default() };
    let text = lanes("- [ ] a 📅 2026-12-01 ^a\n", "- [x] z\n");
    let edited =
        updated(&text, 8, &to("Done"), &lanes("", "- [x] z\n- [x] a 📅 2026-12-01 ✅ 2026-03-10 ^a\n"));
    let what: Vec<&str> = edited.changes.iter().map(|change| change.what).collect();
    assert_eq!(what, ["status", "done", "heading"]);
    // With all that follows: the next occurrence stays where the card was, a card to be deleted goes.
    let text = lanes("- [ ] r 🔁 every day 📅 2026-03-10\n", "");
    let after =
        lanes("- [ ] r 🔁 every day 📅 2026-03-11\n", "- [x] r 🔁 every day 📅 2026-03-10 ✅ 2026-03-10\n");
    updated(&text, 8, &to("Done"), &after);
    updated(&lanes("- [ ] x 🏁 delete\n", ""), 8, &to("Done"), &lanes("", ""));
    // A status that is asked for counts; one that is done stays as it is; other lanes change none.
    let asked = Update { heading: Some("Done".to_owned()), ..status(StatusType::InProgress) };
    updated(&lanes("- [ ] a\n", ""), 8, &asked, &lanes("", "- [/] a\n"));
    updated(&lanes("- [x] a ✅ 2020-01-01\n", ""), 8, &to("Done"), &lanes("", "- [x] a ✅ 2020-01-01\n"));
    updated(
        &lanes("- [ ] a\n", ""),
        8,
        &to("Rest"),
        &lanes("", "").replace("## Rest\n\n", "## Rest\n\n- [ ] a\n"),
    );
    // Within the lane nothing but its place changes, and outside of boards the mark is text.
    let text = lanes("", "- [ ] a\n- [ ] b\n");
    let top = Update { position: Some(Position::Top), ..to("Done") };
    updated(&text, 14, &top, &lanes("", "- [ ] b\n- [ ] a\n"));
    let note = "# A\n\n- [ ] a\n\n# Done\n\n**Complete**\n\n- [x] z\n";
    updated(note, 2, &to("Done"), "# A\n\n\n# Done\n\n**Complete**\n\n- [x] z\n- [ ] a\n");
}

#[test]
fn a_card_made_in_a_complete_lane_is_done() {
    let lane = |cards: &str| board(&format!("## Done\n\n**Complete**\n{cards}\n\n"));
    let make = |fields| NewTask { fields, place: heading("Done", Position::Bottom), subtasks: Vec::new() };
    let settings = Settings::default();
    let edited = create(&lane(""), &make(fields("new")), &context(&settings)).expect("created");
    assert_eq!(edited.text, lane("- [x] new ✅ 2026-03-10\n"));
    for fields in [
        Edit { recurrence: Some(Some("every day".to_owned())), ..fields("new") },
        Edit { on_completion: Some(Some(tasks::OnCompletion::Delete)), ..fields("new") },
    ] {
        let made = create(&lane(""), &make(fields), &context(&settings));
        assert_eq!(made, Err(EditError::DoneAtOnce));
    }
}

#[test]
fn a_position_chooses_the_slot_in_the_done_lane() {
    let text = board("## Todo\n\n- [ ] b\n- [ ] a\n\n\n## Done\n\n- [x] z\n\n\n");
    let top = Update { position: Some(Position::Top), ..status(StatusType::Done) };
    let after = board("## Todo\n\n- [ ] b\n\n\n## Done\n\n- [x] a ✅ 2026-03-10\n- [x] z\n\n\n");
    updated(&text, 9, &top, &after);
    // A heading that is given counts; without a done lane the slot is in the card's own.
    let own = Update { heading: Some("Todo".to_owned()), ..top.clone() };
    let after = text.replace("- [ ] b\n- [ ] a\n", "- [x] a ✅ 2026-03-10\n- [ ] b\n");
    updated(&text, 9, &own, &after);
    let text = board("## Todo\n\n- [ ] b\n- [ ] a\n\n\n");
    updated(&text, 9, &top, &board("## Todo\n\n- [x] a ✅ 2026-03-10\n- [ ] b\n\n\n"));
}

#[test]
fn a_place_it_has_already_changes_nothing() {
    let at =
        |position| Update { heading: Some("H".to_owned()), position: Some(position), ..Update::default() };
    for note in ["# H\n- [ ] a\n# I\n", "# H\n\n- [ ] a", "# H\n\n  3. [ ] a\n\n# I\n"] {
        let line = note.lines().position(|line| line.contains("[ ] a")).expect("a task");
        for position in [Position::Top, Position::Bottom, Position::At(1), Position::At(0), Position::At(7)] {
            let edited = updated(note, line, &at(position), note);
            assert_eq!((edited.line, edited.changes), (Some(line), Vec::new()));
        }
    }
    let note = "# H\n- [ ] a\n* [ ] b\n- [ ] c\n";
    updated(note, 2, &at(Position::At(2)), note);
    updated(note, 3, &at(Position::Bottom), note);
}

#[test]
fn a_blank_line_before_the_next_heading_stays() {
    let under = heading("H", Position::Bottom);
    created("# H\n\ntext\n\n## K\n", under.clone(), &[], "# H\n\ntext\n\n- [ ] new\n\n## K\n");
    created("# H\n\n## K\n", under.clone(), &[], "# H\n\n- [ ] new\n\n## K\n");
    created("# H\n\ntext\n\n\n## K\n", under.clone(), &[], "# H\n\ntext\n\n- [ ] new\n\n## K\n");
    created("# H\n## K\n", under, &[], "# H\n\n- [ ] new\n## K\n");
}

#[test]
fn a_line_of_the_other_format_is_converted_when_that_one_is_asked_for() {
    #[track_caller]
    fn check(own: Format, line: &str, fields: Edit, format: Option<Format>, expected: &str) {
        let settings = Settings { format: own, ..Settings::default() };
        let context = Context { format, ..context(&settings) };
        let change = Update { fields, ..Update::default() };
        let edited = update(line, &Target::Line(0), &change, &context).expect("updated");
        assert_eq!(edited.text, expected);
    }
    let low = || Edit { priority: Some(Some(tasks::Priority::Low)), ..Edit::default() };
    let (emoji, dataview) = (Format::Emoji, Format::Dataview);
    let line = "- [ ] a #t 📅 2026-12-01 ^b";
    let converted = "- [ ] a #t  [priority:: low]  [due:: 2026-12-01] ^b";
    check(emoji, line, low(), Some(dataview), converted);
    check(dataview, line, low(), Some(dataview), converted);
    check(emoji, line, Edit::default(), Some(dataview), "- [ ] a #t  [due:: 2026-12-01] ^b");
    check(emoji, converted, Edit::default(), Some(emoji), "- [ ] a #t 🔽 📅 2026-12-01 ^b");
    check(dataview, line, low(), None, "- [ ] a #t 🔽 📅 2026-12-01 ^b");
    // Both on one line: all are fields for who lists tasks, so that is what an edit of one of them changes.
    check(emoji, "- [ ] a ⏫ [due:: 2026-12-05]", low(), None, "- [ ] a 🔽 📅 2026-12-05");
    check(
        dataview,
        "- [ ] a ⏫ [due:: 2026-12-05]",
        low(),
        None,
        "- [ ] a  [priority:: low]  [due:: 2026-12-05]",
    );
    check(emoji, "- [ ] a [due:: 2026-12-05] ⏫", low(), None, "- [ ] a [due:: 2026-12-05] 🔽");
    check(emoji, "- [ ] a [priority:: high] 📅 2026-12-05", low(), None, "- [ ] a 🔽 📅 2026-12-05");
    check(
        emoji,
        "- [ ] a [due:: 2026-12-05] ⏫",
        low(),
        Some(dataview),
        "- [ ] a  [priority:: low]  [due:: 2026-12-05]",
    );
    check(emoji, "- [ ] a [due:: 2026-12-05] ⏫", fields("b"), None, "- [ ] b ⏫ 📅 2026-12-05");
    let twice = "- [ ] a ⏫ 📅 2026-12-01 [due:: 2026-12-05]";
    let change = Update { fields: low(), ..Update::default() };
    let lost = tasks::Dropped { field: tasks::Field::Due, text: "[due:: 2026-12-05]".to_owned() };
    assert_eq!(refused(twice, 0, &change), EditError::WouldDrop { pieces: vec![lost] });
    let both = Edit { due: Some(Some(Date::constant(2026, 12, 7))), ..low() };
    check(emoji, twice, both, None, "- [ ] a 🔽 📅 2026-12-07");
}

#[test]
fn changes_are_told_as_tasks_are_listed() {
    let settings = Settings::default();
    let context = Context { format: Some(Format::Dataview), ..context(&settings) };
    let low = Edit { priority: Some(Some(tasks::Priority::Low)), ..Edit::default() };
    let change = Update { fields: low, ..Update::default() };
    let edited = update("- [ ] a 📅 2026-12-01\n", &Target::Line(0), &change, &context).expect("updated");
    let told: Vec<String> = edited
        .changes
        .iter()
        .map(|change| format!("{}: {} → {}", change.what, change.before, change.after))
        .collect();
    assert_eq!(told, ["priority: none → low", "format: emoji → dataview"]);
}

#[test]
fn a_rule_that_is_written_with_other_words_is_told() {
    #[track_caller]
    fn check(rule: &str, expected: &[&str]) {
        let high = Edit { priority: Some(Some(tasks::Priority::High)), ..Edit::default() };
        let change = Update { fields: high, ..Update::default() };
        let line = format!("- [ ] a 🔁 {rule}\n");
        let edited =
            update(&line, &Target::Line(0), &change, &context(&Settings::default())).expect("updated");
        let told = edited.changes.iter().filter(|change| change.what == "recurrence");
        let told: Vec<&str> = told.map(|change| change.after.as_str()).collect();
        assert_eq!(told, expected, "{rule}");
    }
    check("every week, month", &["every week"]);
    check("every morning", &["every week on Monday"]);
    check("Every Week on monday", &[]);
}

#[test]
fn a_rule_that_cannot_be_written_back_is_named() {
    let line = "- [ ] a 🔁 every month on the 1st and 3rd Monday 📅 2026-12-01";
    let error = refused(line, 0, &status(StatusType::Done));
    assert!(matches!(error, EditError::RuleChanges { .. }), "{error:?}");
    assert!(error.to_string().starts_with("the recurrence"), "{error}");
    let rule = Some(Some("every month on the 1st Monday and 3rd Monday".to_owned()));
    let change = Update { fields: Edit { recurrence: rule, ..Edit::default() }, ..Update::default() };
    updated(line, 0, &change, "- [ ] a 🔁 every month on the 1st Monday and 3rd Monday 📅 2026-12-01");
}

fn board_text() -> impl Strategy<Value = String> {
    let card = (prop::sample::select(vec![' ', 'x', '/']), "[a-z]{1,6}", prop::bool::ANY).prop_map(
        |(check, title, sub)| format!("- [{check}] {title}{}\n", if sub { "\n\t- [ ] sub" } else { "" }),
    );
    let lane = (prop::bool::ANY, prop::collection::vec(card, 0..4));
    prop::collection::vec(lane, 1..4).prop_map(|lanes| {
        let lanes: Vec<String> = lanes
            .into_iter()
            .enumerate()
            .map(|(index, (complete, cards))| {
                let mark = if complete && index > 0 { "**Complete**\n" } else { "" };
                format!("## Lane {index}\n\n{mark}{}\n\n", cards.concat())
            })
            .collect();
        board(&lanes.concat())
    })
}

/// A board whose lanes have lists of all markers, one each.
fn mixed_board() -> impl Strategy<Value = String> {
    let marker = prop::sample::select(vec!["-", "*", "+", "1.", "1)", "98.", "7)", "same."]);
    let below = prop::sample::select(vec!["", "\n\t- [ ] sub", "\n\ttext", "\n\t* sub\n\t\t- [ ] deep"]);
    let rule = prop::sample::select(vec!["", " 🔁 every day"]);
    let card = (prop::sample::select(vec![' ', 'x', '/']), "[a-z]{1,6}", rule, below);
    let lane = (prop::bool::ANY, marker, prop::collection::vec(card, 0..4));
    prop::collection::vec(lane, 1..5).prop_map(|lanes| {
        let lanes = lanes.into_iter().enumerate().map(|(index, (complete, marker, cards))| {
            let mark = if complete { "**Complete**\n\n" } else { "" };
            let cards = cards.into_iter().enumerate().map(|(index, (check, title, rule, below))| {
                let digits = marker.trim_end_matches(['.', ')']);
                let marker = match digits.parse::<usize>() {
                    Ok(first) => marker.replace(digits, &(first + index).to_string()),
                    Err(_) => marker.replace("same", "1"),
                };
                // A text below is indented as far as the widest marker wants.
                let below = if marker.len() > 3 { below.replace("\n\t", "\n\t\t") } else { below.to_owned() };
                format!("{marker} [{check}] {title}{rule}{below}\n")
            });
            format!("## Lane {index}\n\n{mark}{}\n\n", cards.collect::<String>())
        });
        board(&lanes.collect::<String>())
    })
}

/// Whether every word of a board is there after the plugin's save.
#[track_caller]
fn loads_whole(text: &str) {
    let words = |text: &str| -> Vec<String> {
        let mut words: Vec<String> = text
            .lines()
            .map(str::trim_start)
            .flat_map(|line| {
                line.get(tasks::marker_length(line).unwrap_or(0)..).unwrap_or_default().split_whitespace()
            })
            .map(str::to_owned)
            .collect();
        words.sort();
        words
    };
    let read = kanban::read(text).expect("a board");
    let saved = kanban::saved(&read, Indent::Tab);
    assert_eq!(words(&saved), words(text), "the plugin would lose something of {text:?}");
    let tasks = |text: &str| text.lines().filter(|line| line.contains("[ ]")).count();
    assert_eq!(tasks(&saved), tasks(text), "{text:?}");
}

fn position() -> impl Strategy<Value = Position> {
    prop_oneof![Just(Position::Top), Just(Position::Bottom), (0_usize..5).prop_map(Position::At)]
}

proptest! {
    #[test]
    fn a_board_the_plugin_saved_stays_as_the_plugin_would_save_it(
        text in board_text(),
        lane in 0_usize..3,
        slot in position(),
        pick in 0_usize..8,
    ) {
        let settings = Settings::default();
        is_fixed_point(&text);
        let lanes = kanban::read(&text).expect("a board").lanes.len();
        let lane = format!("Lane {}", lane % lanes);
        let new = NewTask {
            fields: fields("new"),
            place: heading(&lane, slot),
            subtasks: vec!["below".to_owned()],
        };
        let edited = create(&text, &new, &context(&settings)).expect("created");
        is_fixed_point(&edited.text);

        let document = parse(&edited.text);
        let found = tasks::in_note(&edited.text, &document, &settings, None);
        let task = &found[pick % found.len()];
        for change in [
            status(StatusType::Done),
            Update { heading: Some(lane.clone()), position: Some(slot), ..Update::default() },
            Update { add_subtasks: vec!["more".to_owned()], ..Update::default() },
        ] {
            match update(&edited.text, &Target::Line(task.line), &change, &context(&settings)) {
                Ok(changed) => is_fixed_point(&changed.text),
                Err(EditError::SubTaskStays | EditError::SeveralDoneLanes { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn a_board_that_loads_whole_does_so_after_every_edit(
        text in mixed_board(),
        lane in 0_usize..4,
        slot in position(),
        pick in 0_usize..12,
    ) {
        let settings = Settings::default();
        loads_whole(&text);
        let lanes = kanban::read(&text).expect("a board").lanes.len();
        let lane = format!("Lane {}", lane % lanes);
        let place = heading(&lane, slot);
        let new = NewTask { fields: fields("new"), place, subtasks: vec!["below".to_owned()] };
        let edited = create(&text, &new, &context(&settings)).expect("created");
        loads_whole(&edited.text);

        let document = parse(&edited.text);
        let found = tasks::in_note(&edited.text, &document, &settings, None);
        let task = &found[pick % found.len()];
        for change in [
            status(StatusType::Done),
            Update { position: Some(slot), ..status(StatusType::Done) },
            Update { heading: Some(lane.clone()), position: Some(slot), ..Update::default() },
            Update { position: Some(slot), ..Update::default() },
            Update { add_subtasks: vec!["more".to_owned(), "yet".to_owned()], ..Update::default() },
        ] {
            match update(&edited.text, &Target::Line(task.line), &change, &context(&settings)) {
                Ok(changed) => loads_whole(&changed.text),
                Err(EditError::SubTaskStays | EditError::SeveralDoneLanes { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn an_edit_keeps_every_line_that_is_not_the_tasks(
        lines in prop::collection::vec(prop::sample::select(vec![
            "# A", "## B", "- [ ] one", "\t- [ ] sub", "  text", "", "- [x] two ^id", "> - [ ] quoted", "text", "---",
            "```", "1. [ ] three 🔁 every day", "%%", "* star", "    - [ ] deep", "| a | b |",
        ]), 0..14),
        line in 0_usize..14,
        slot in position(),
        last_break in prop::bool::ANY,
    ) {
        let mut text = lines.join("\n");
        if last_break {
            text.push('\n');
        }
        let settings = Settings::default();
        // A task takes the indent and the marker of the list it joins.
        let unmarked = |line: &str| -> String {
            let line = line.trim_start();
            line.get(tasks::marker_length(line).unwrap_or(0)..).unwrap_or_default().to_owned()
        };
        let others = |text: &str, without: &[&str]| {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let lines = lines.filter(|line| !without.iter().any(|word| line.contains(word)));
            let mut lines: Vec<String> = lines.map(unmarked).collect();
            lines.sort();
            lines
        };
        for change in [
            Update { heading: Some("A".to_owned()), position: Some(slot), ..Update::default() },
            Update { position: Some(slot), ..Update::default() },
            Update { add_subtasks: vec!["fresh".to_owned()], ..Update::default() },
        ] {
            if let Ok(edited) = update(&text, &Target::Line(line), &change, &context(&settings)) {
                prop_assert_eq!(others(&edited.text, &["fresh"]), others(&text, &[]), "{:?}", edited.text);
                prop_assert_eq!(edited.text.ends_with('\n'), text.ends_with('\n'), "{:?}", edited.text);
            }
        }
        for place in [Place::End, heading("A", slot), Place::Under { line }] {
            let new = NewTask { fields: fields("fresh"), place, subtasks: Vec::new() };
            if let Ok(edited) = create(&text, &new, &context(&settings)) {
                prop_assert_eq!(others(&edited.text, &["fresh"]), others(&text, &[]));
                let written = edited.line.and_then(|line| edited.text.lines().nth(line).map(str::to_owned));
                prop_assert!(written.is_some_and(|line| line.ends_with("[ ] fresh")), "{:?}", edited.text);
            }
        }
    }
}
