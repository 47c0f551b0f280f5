//! Creating, updating and moving tasks in notes and on boards.

use jiff::civil::Date;
use proptest::prelude::*;
use vault_cortex_markdown::document::parse;
use vault_cortex_markdown::kanban;
use vault_cortex_markdown::kanban::Indent;
use vault_cortex_markdown::tasks::edit::{
    Context, Edit, EditError, Edited, NewTask, Place, Position, Target, Update, create, update,
};
use vault_cortex_markdown::tasks::{self, Settings, StatusType};

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
        let others = |text: &str, without: &[&str]| {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let mut lines: Vec<String> = lines.filter(|line| !without.iter().any(|word| line.contains(word))).map(str::to_owned).collect();
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
