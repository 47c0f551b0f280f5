//! Tasks: which lines are tasks, what they are filtered and sorted by, and settings that change.

use std::time::Duration;

use markdown::tasks::Priority;
use search::{
    DateField, DateRange, Direction, Index, IndexOptions, SearchError, StatusFilter, Subtasks, TaskItem,
    TaskQuery, TaskSort,
};
use vault::{Change, ChangeListener};

use crate::harness::{Disk, found, limited, owner, path, reconcile};

const SETTINGS: &str = ".obsidian/plugins/obsidian-tasks-plugin/data.json";

fn all() -> TaskQuery {
    TaskQuery { statuses: vec![StatusFilter::All], sort: TaskSort::Position, ..TaskQuery::default() }
}

#[track_caller]
fn ask(index: &Index, query: &TaskQuery) -> Vec<TaskItem> {
    index.tasks(&owner(), query).expect("tasks").items
}

/// The texts of the tasks, in the order of the answer.
#[track_caller]
fn texts(index: &Index, query: &TaskQuery) -> Vec<String> {
    ask(index, query).into_iter().map(|task| task.description).collect()
}

#[track_caller]
fn only(index: &Index, query: &TaskQuery) -> TaskItem {
    let mut tasks = ask(index, query);
    assert_eq!(tasks.len(), 1, "{tasks:?}");
    tasks.remove(0)
}

fn day(text: &str) -> jiff::civil::Date {
    text.parse().expect("a day")
}

fn on(text: &str) -> DateRange {
    DateRange { on: Some(day(text)), ..DateRange::default() }
}

#[test]
fn a_row_has_every_field_of_both_formats_and_its_place() {
    let disk = Disk::with(&[(
        "A/b/n.md",
        "# Top\n\n## Plan\n- [ ] parent ^p1\n  - [/] emoji #one 🆔 q1 ⛔ a,b 🔺 🔁 Every 2 Weeks 🏁 delete ➕ 2026-01-01 🛫 2026-01-02 \
         ⏳ 2026-01-03 📅 2026-01-04 ❌ 2026-01-05 ✅ 2026-01-06 #two ^blk\n\
         - [x] dataview [priority:: low]  [created:: 2026-02-01]  [start:: 2026-02-02]  [scheduled:: 2026-02-03]  \
         [due:: 2026-02-04]  [cancelled:: 2026-02-05]  [completion:: 2026-02-06]  [repeat:: every day]  \
         [onCompletion:: keep]  [id:: x]  [dependsOn:: y]\n",
    )]);
    let index = disk.indexed();
    let tasks = ask(&index, &all());
    assert_eq!(tasks.len(), 3);
    assert_eq!(
        tasks[1],
        TaskItem {
            path: "A/b/n.md".to_owned(),
            line: 5,
            status: "in_progress".to_owned(),
            status_char: "/".to_owned(),
            description: "emoji #one #two".to_owned(),
            folder: "A/b".to_owned(),
            heading: Some("Plan".to_owned()),
            created: Some(day("2026-01-01")),
            start: Some(day("2026-01-02")),
            scheduled: Some(day("2026-01-03")),
            due: Some(day("2026-01-04")),
            cancelled: Some(day("2026-01-05")),
            done: Some(day("2026-01-06")),
            priority: Some(Priority::Highest),
            recurrence: Some("every 2 weeks".to_owned()),
            on_completion: Some("delete".to_owned()),
            task_id: Some("q1".to_owned()),
            depends_on: vec!["a".to_owned(), "b".to_owned()],
            tags: vec!["one".to_owned(), "two".to_owned()],
            block_id: Some("blk".to_owned()),
            depth: 1,
            parent_block_id: Some("p1".to_owned()),
            ..TaskItem::default()
        }
    );
    assert_eq!(tasks[0].subtasks, Some(Subtasks { done: 0, total: 1 }));
    assert_eq!((tasks[2].status.as_str(), tasks[2].priority), ("done", Some(Priority::Low)));
    assert_eq!((tasks[2].due, tasks[2].done), (Some(day("2026-02-04")), Some(day("2026-02-06"))));
    assert_eq!(tasks[2].recurrence.as_deref(), Some("every day"));
    assert_eq!(index.status(&owner()).unwrap().tasks, 3);
}

#[test]
fn fences_comments_and_what_is_no_task_do_not_count() {
    let disk = Disk::with(&[
        (
            "n.md",
            "```\n- [ ] code\n```\n%%\n- [ ] hidden\n%%\n- [ ] real\n- [Q] quote\n- [X] capital\n- [!] custom\n",
        ),
        (SETTINGS, r#"{"statusSettings":{"customStatuses":[{"symbol":"Q","type":"NON_TASK"}]}}"#),
    ]);
    let index = disk.indexed();
    let tasks: Vec<_> = ask(&index, &all())
        .into_iter()
        .map(|task| (task.description, task.status, task.status_char))
        .collect();
    let row =
        |text: &str, status: &str, symbol: &str| (text.to_owned(), status.to_owned(), symbol.to_owned());
    assert_eq!(
        tasks,
        [row("real", "todo", " "), row("capital", "todo", "X"), row("custom", "todo", "!")],
        "unknown characters are to do, and shown"
    );
}

#[test]
fn depth_is_of_tasks_and_headings_end_it() {
    let disk = Disk::with(&[(
        "n.md",
        "- [ ] a ^A\n\t- [ ] b\n\t\t- [x] c\n- plain\n\t- [ ] d\n> - [ ] e ^E\n>   - [ ] f\n\n# H\n  - [ ] g\n",
    )]);
    let index = disk.indexed();
    let rows: Vec<_> = ask(&index, &all())
        .into_iter()
        .map(|task| {
            format!("{} {} {}", task.description, task.depth, task.parent_block_id.unwrap_or_default())
        })
        .collect();
    assert_eq!(rows, ["a 0 ", "b 1 A", "c 2 ", "d 0 ", "e 0 ", "f 1 E", "g 0 "]);
    let top = TaskQuery { top_level_only: true, ..all() };
    assert_eq!(texts(&index, &top), ["a", "d", "e", "g"]);
}

#[test]
fn statuses_one_several_all_and_not_done_by_default() {
    let waiting = r#"{"statusSettings":{"customStatuses":[{"symbol":"/","type":"IN_PROGRESS"},
        {"symbol":"-","type":"CANCELLED"},{"symbol":"h","type":"ON_HOLD"},{"symbol":"X","type":"DONE"}]}}"#;
    let disk = Disk::with(&[
        ("n.md", "- [ ] a\n- [/] b\n- [x] c\n- [-] d\n- [h] e\n- [X] f\n"),
        (SETTINGS, waiting),
    ]);
    let index = disk.indexed();
    let by = |statuses: &[StatusFilter]| {
        texts(&index, &TaskQuery { statuses: statuses.to_vec(), ..all() }).concat()
    };
    assert_eq!(by(&[]), "abe");
    assert_eq!(by(&[StatusFilter::NotDone]), "abe");
    assert_eq!(by(&[StatusFilter::Todo]), "ae", "what waits is open");
    assert_eq!(by(&[StatusFilter::InProgress]), "b");
    assert_eq!(by(&[StatusFilter::Done]), "cf", "the registry says what X means");
    assert_eq!(by(&[StatusFilter::Cancelled]), "d");
    assert_eq!(by(&[StatusFilter::Done, StatusFilter::InProgress]), "bcf");
    assert_eq!(by(&[StatusFilter::Done, StatusFilter::All]), "abcdef");
}

#[test]
fn each_date_has_bounds_that_exclude_and_hold_together() {
    for (field, emoji) in DateField::ALL.into_iter().zip(["📅", "⏳", "🛫", "➕", "✅", "❌"]) {
        let line = |name: &str, day: &str| format!("- [ ] {name} {emoji} {day}\n");
        let text = [
            line("a", "2026-03-09"),
            line("b", "2026-03-10"),
            line("c", "2026-03-11"),
            line("impossible", "2026-02-30"),
            "- [ ] none\n".to_owned(),
        ];
        let disk = Disk::with(&[("n.md", &text.concat())]);
        let index = disk.indexed();
        let by = |before: Option<&str>, on: Option<&str>, after: Option<&str>| {
            let range = DateRange { before: before.map(day), on: on.map(day), after: after.map(day) };
            texts(&index, &all().dated(field, range)).concat()
        };
        let name = field.name();
        assert_eq!(by(Some("2026-03-10"), None, None), "a", "{name}");
        assert_eq!(by(None, Some("2026-03-10"), None), "b", "{name}");
        assert_eq!(by(None, None, Some("2026-03-10")), "c", "{name}");
        assert_eq!(by(Some("2026-03-11"), None, Some("2026-03-09")), "b", "{name}");
        assert_eq!(by(Some("2026-03-11"), Some("2026-03-11"), None), "", "{name}");
        let impossible = ask(&index, &all()).into_iter().find(|task| task.description == "impossible");
        assert_eq!(impossible.unwrap().invalid_dates, [name]);
    }
}

#[test]
fn a_date_that_does_not_exist_is_a_date_all_the_same() {
    let disk = Disk::with(&[
        ("2026-03-12.md", "- [ ] invalid 📅 2026-02-30\n- [ ] none\n"),
        (SETTINGS, r#"{"useFilenameAsScheduledDate":true}"#),
    ]);
    let index = disk.indexed();
    let tasks = ask(&index, &all());
    assert_eq!((tasks[0].due, tasks[0].scheduled), (None, None), "the name gives no date to a task with one");
    assert_eq!((tasks[1].scheduled, tasks[1].scheduled_inferred), (Some(day("2026-03-12")), true));
}

#[test]
fn priorities_none_among_them() {
    let disk =
        Disk::with(&[("n.md", "- [ ] a 🔺\n- [ ] b ⏫\n- [ ] c 🔼\n- [ ] d\n- [ ] e 🔽\n- [ ] f ⏬\n")]);
    let index = disk.indexed();
    let by = |priorities: &[Option<Priority>]| {
        texts(&index, &TaskQuery { priorities: priorities.to_vec(), ..all() }).concat()
    };
    assert_eq!(by(&[None]), "d");
    assert_eq!(by(&[Some(Priority::Highest), Some(Priority::Lowest)]), "af");
    assert_eq!(by(&[Some(Priority::High), None]), "bd");
    let sorted =
        |direction| texts(&index, &TaskQuery { sort: TaskSort::Priority, direction, ..all() }).concat();
    assert_eq!(sorted(None), "abcdef", "none between medium and low");
    assert_eq!(sorted(Some(Direction::Ascending)), "abcdef");
    assert_eq!(sorted(Some(Direction::Descending)), "fedcba");
}

#[test]
fn folders_are_whole_segments_in_any_case() {
    let disk = Disk::with(&[
        ("a/x.md", "- [ ] x"),
        ("a/b/y.md", "- [ ] y"),
        ("ab/z.md", "- [ ] z"),
        ("r.md", "- [ ] r"),
    ]);
    let index = disk.indexed();
    let within =
        |folder: &str| texts(&index, &TaskQuery { folder: Some(folder.to_owned()), ..all() }).concat();
    assert_eq!(within("a"), "yx");
    assert_eq!(within("A/"), "yx");
    assert_eq!(within("a/B"), "y");
    assert_eq!(within("nowhere"), "");
    for root in ["", "/"] {
        assert_eq!(within(root), "yxzr", "{root:?}");
    }
    let outside = TaskQuery { folder: Some("../x".to_owned()), ..all() };
    assert!(matches!(index.tasks(&owner(), &outside), Err(SearchError::InvalidFilter(_))));
}

#[test]
fn tags_are_those_of_the_line_and_a_parent_finds_its_children() {
    let disk = Disk::with(&[(
        "n.md",
        "---\ntags: [work]\n---\n#work\n- [ ] a #Work/Home\n- [ ] b #work\n- [ ] c #works\n- [ ] d #123\n- [ ] e\n",
    )]);
    let index = disk.indexed();
    let tagged = |tag: &str| texts(&index, &TaskQuery { tag: Some(tag.to_owned()), ..all() }).join("|");
    assert_eq!(tagged("work"), "a #Work/Home|b #work");
    assert_eq!(tagged("#WORK"), "a #Work/Home|b #work");
    assert_eq!(tagged("work/home"), "a #Work/Home");
    assert_eq!(tagged("123"), "d #123", "as the Tasks plugin reads tags");
    let empty = TaskQuery { tag: Some("#".to_owned()), ..all() };
    assert!(matches!(index.tasks(&owner(), &empty), Err(SearchError::InvalidTag(_))));
}

const BOARD: &str = "---\n\nkanban-plugin: board\n\n---\n\n## Active (2)\n\n- [ ] card b\n- [ ] card a\n\t- [x] step one\n\t- [-] step two\n\
    \t- [ ] step three\n\n\n## Waiting On?\n\n- [ ] card c\n\n\n## Shipped\n\n**Complete**\n- [x] card d\n\n\n\n\n\
    %% kanban:settings\n```\n{\"kanban-plugin\":\"board\"}\n```\n%%\n";

#[test]
fn several_headings_in_one_question() {
    let disk = Disk::with(&[
        ("board.md", BOARD),
        ("note.md", "# Active\n- [ ] under\n## Sub\n- [ ] below sub\n# !\n- [ ] odd\n"),
    ]);
    let index = disk.indexed();
    let under = |headings: &[&str]| {
        let headings = headings.iter().map(|heading| (*heading).to_owned()).collect();
        texts(&index, &TaskQuery { headings, top_level_only: true, ..all() }).join("|")
    };
    assert_eq!(under(&["Active"]), "card b|card a|under", "a limit of cards is no part of a lane's name");
    assert_eq!(under(&["Active (2)"]), "card b|card a");
    assert_eq!(under(&["active", "waiting on"]), "card b|card a|card c|under");
    assert_eq!(under(&["## Sub"]), "below sub", "the nearest heading");
    assert_eq!(under(&["!"]), "odd");
    assert_eq!(under(&["nowhere"]), "");
}

#[test]
fn a_board_says_so_and_keeps_the_order_of_its_cards() {
    let disk = Disk::with(&[("board.md", BOARD), ("plain.md", "## Done\n- [x] e\n")]);
    let index = disk.indexed();
    let cards = ask(&index, &TaskQuery { top_level_only: true, ..all() });
    let rows: Vec<_> = cards
        .iter()
        .map(|card| {
            let heading = card.heading.as_deref().unwrap_or_default();
            (card.description.as_str(), heading, card.is_kanban_task, card.done_lanes.join(","))
        })
        .collect();
    let shipped = || "Shipped".to_owned();
    assert_eq!(
        rows,
        [
            ("card b", "Active (2)", true, shipped()),
            ("card a", "Active (2)", true, shipped()),
            ("card c", "Waiting On?", true, shipped()),
            ("card d", "Shipped", true, shipped()),
            ("e", "Done", false, String::new()),
        ]
    );
}

#[test]
fn progress_is_of_direct_children_whatever_is_asked() {
    let disk = Disk::with(&[
        ("board.md", BOARD),
        ("deep.md", "- [ ] top\n  - [x] one\n    - [x] two\n  - plain\n    - [ ] three\n"),
    ]);
    let index = disk.indexed();
    for query in [
        all(),
        TaskQuery { top_level_only: true, ..all() },
        TaskQuery { statuses: vec![StatusFilter::Todo], ..all() },
    ] {
        let tasks = ask(&index, &query);
        let progress = |text: &str| tasks.iter().find(|task| task.description == text).unwrap().subtasks;
        assert_eq!(progress("card a"), Some(Subtasks { done: 1, total: 3 }), "cancelled is not done");
        assert_eq!(progress("card b"), None, "no list, no progress");
        assert_eq!(progress("top"), Some(Subtasks { done: 1, total: 2 }), "{query:?}");
    }
}

#[test]
fn sparse_dates_cascade_each_in_its_own_direction() {
    let text = "- [ ] none\n- [ ] created early ➕ 2026-01-01\n- [ ] created late ➕ 2026-01-09\n\
                - [ ] start late 🛫 2026-02-02\n- [ ] start early 🛫 2026-02-01\n\
                - [ ] scheduled late ⏳ 2026-03-02\n- [ ] scheduled early ⏳ 2026-03-01\n\
                - [ ] due late 📅 2026-04-02\n- [ ] due early 📅 2026-04-01\n";
    let disk = Disk::with(&[("n.md", text)]);
    let index = disk.indexed();
    let by = |sort, direction| texts(&index, &TaskQuery { sort, direction, ..all() }).join("|");
    let (due, scheduled, start, created) = (
        "due early|due late",
        "scheduled early|scheduled late",
        "start early|start late",
        "created late|created early",
    );
    assert_eq!(by(TaskSort::Due, None), format!("{due}|{scheduled}|{start}|{created}|none"));
    assert_eq!(by(TaskSort::Scheduled, None), format!("{scheduled}|{due}|{start}|{created}|none"));
    assert_eq!(by(TaskSort::Start, None), format!("{start}|{due}|{scheduled}|{created}|none"));
    assert_eq!(by(TaskSort::Created, None), format!("{created}|{due}|{scheduled}|{start}|none"));
    assert_eq!(
        by(TaskSort::Due, Some(Direction::Descending)),
        format!("due late|due early|{scheduled}|{start}|{created}|none"),
        "only the key itself is turned round, and what has none stays last"
    );
    assert_eq!(
        by(TaskSort::Created, Some(Direction::Ascending)),
        format!("created early|created late|{due}|{scheduled}|{start}|none")
    );
}

#[test]
fn done_stands_alone() {
    let text =
        "- [x] b 📅 2026-01-02\n- [x] a 📅 2026-01-01\n- [x] early ✅ 2026-03-01\n- [x] late ✅ 2026-03-02\n";
    let disk = Disk::with(&[("n.md", text)]);
    let index = disk.indexed();
    let by = |direction| texts(&index, &TaskQuery { sort: TaskSort::Done, direction, ..all() }).join("|");
    assert_eq!(by(None), "late|early|b|a");
    assert_eq!(by(Some(Direction::Ascending)), "early|late|b|a");
}

#[test]
fn position_and_the_notes_last_change() {
    let disk =
        Disk::with(&[("a.md", "- [ ] a1\n- [ ] a2\n"), ("b.md", "- [ ] b1\n"), ("c.md", "- [ ] c1\n")]);
    disk.age("a.md", 300);
    disk.age("b.md", 100);
    disk.age("c.md", 200);
    let index = disk.indexed();
    let by = |sort, direction| texts(&index, &TaskQuery { sort, direction, ..all() }).join(" ");
    assert_eq!(by(TaskSort::Position, None), "a1 a2 b1 c1");
    assert_eq!(by(TaskSort::Position, Some(Direction::Descending)), "c1 b1 a2 a1");
    assert_eq!(by(TaskSort::NoteModified, None), "b1 c1 a1 a2");
    assert_eq!(by(TaskSort::NoteModified, Some(Direction::Ascending)), "a1 a2 c1 b1");
}

#[test]
fn a_page_of_what_matches_and_how_many_match() {
    let text: String = (0..30).map(|number| format!("- [ ] t{number:02}\n")).collect();
    let disk = Disk::with(&[("n.md", &text), ("o.md", "- [x] done\n")]);
    let index = disk.indexed();
    let page = index.tasks(&owner(), &TaskQuery { limit: 3, offset: 5, ..TaskQuery::default() }).unwrap();
    assert_eq!(page.total, 30, "before the limit");
    assert_eq!(page.items.iter().map(|task| task.line).collect::<Vec<_>>(), [6, 7, 8]);
    let page = index.tasks(&owner(), &TaskQuery { offset: 500, ..TaskQuery::default() }).unwrap();
    assert_eq!((page.items.len(), page.total), (0, 30));
}

#[test]
fn one_note_and_what_a_caller_sees() {
    let disk = Disk::with(&[("open/a.md", "- [ ] a #t"), ("hidden/b.md", "- [ ] b #t"), ("c.md", "- [ ] c")]);
    let index = disk.indexed();
    let of = |file: &str| TaskQuery { path: Some(path(file)), ..all() };
    assert_eq!(texts(&index, &of("hidden/b.md")), ["b #t"]);
    assert_eq!(texts(&index, &of("HIDDEN/B.md")), ["b #t"], "case is no part of a name on many disks");
    assert_eq!(texts(&index, &of("none.md")), [""; 0]);
    let who = limited(&["open"]);
    let seen = index.tasks(&who, &all()).unwrap();
    assert_eq!((seen.items[0].path.as_str(), seen.total), ("open/a.md", 1));
    let tagged = TaskQuery { tag: Some("t".to_owned()), ..all() };
    assert_eq!(index.tasks(&who, &tagged).unwrap().total, 1);
    assert_eq!(index.tasks(&who, &of("hidden/b.md")).unwrap().total, 0);
    assert_eq!(index.tasks(&limited(&[]), &all()).unwrap().total, 0);
    assert_eq!(index.status(&who).unwrap().tasks, 1);
}

#[test]
fn filters_hold_together() {
    let disk = Disk::with(&[
        (
            "p/a.md",
            "# H\n- [ ] yes #t ⏫ 📅 2026-01-01\n- [ ] no tag ⏫ 📅 2026-01-01\n- [x] done #t ⏫ 📅 2026-01-01\n- [ ] late #t ⏫ 📅 2026-01-02\n",
        ),
        ("q/a.md", "# H\n- [ ] elsewhere #t ⏫ 📅 2026-01-01\n"),
    ]);
    let index = disk.indexed();
    let query = TaskQuery {
        statuses: Vec::new(),
        priorities: vec![Some(Priority::High)],
        folder: Some("p".to_owned()),
        tag: Some("t".to_owned()),
        headings: vec!["h".to_owned()],
        top_level_only: true,
        ..all().dated(DateField::Due, on("2026-01-01"))
    };
    assert_eq!(only(&index, &query).description, "yes #t");
}

#[test]
fn tasks_follow_the_note() {
    let disk = Disk::with(&[("n.md", "- [ ] a #t\n- [ ] b\n")]);
    let index = disk.indexed();
    let changed = |change| index.changed(&[change]).expect("indexed");
    disk.write("n.md", "- [ ] c\n");
    changed(Change::Written(path("n.md")));
    assert_eq!(texts(&index, &all()), ["c"]);
    disk.rename("n.md", "m.md");
    index.changed(&[Change::Removed(path("n.md")), Change::Written(path("m.md"))]).expect("indexed");
    assert_eq!(only(&index, &all()).path, "m.md");
    disk.remove("m.md");
    changed(Change::Removed(path("m.md")));
    assert_eq!(texts(&index, &all()), [""; 0]);
    let none = TaskQuery { tag: Some("t".to_owned()), ..all() };
    assert_eq!(texts(&index, &none), [""; 0]);
}

#[test]
fn a_change_of_settings_holds_for_the_next_question() {
    let disk =
        Disk::with(&[("2026-05-01 n.md", "- [ ] a #task\n- [X] b\n"), ("o.md", "no tasks, but words")]);
    let index = disk.indexed();
    assert_eq!(texts(&index, &TaskQuery::default()), ["a #task", "b"]);
    disk.write(SETTINGS, r##"{"globalFilter":"#task"}"##);
    assert_eq!(texts(&index, &TaskQuery::default()), ["a #task"]);
    disk.write(SETTINGS, r#"{"statusSettings":{"customStatuses":[{"symbol":"X","type":"DONE"}]}}"#);
    assert_eq!(texts(&index, &TaskQuery::default()), ["a #task"]);
    assert_eq!(texts(&index, &all()), ["a #task", "b"]);
    disk.write(SETTINGS, r#"{"useFilenameAsScheduledDate":true}"#);
    assert_eq!(ask(&index, &all())[0].scheduled, Some(day("2026-05-01")));
    disk.write(SETTINGS, "{ broken");
    assert_eq!(ask(&index, &all())[0].scheduled, None, "settings that cannot be read are the defaults");
    disk.remove(SETTINGS);
    assert_eq!(texts(&index, &TaskQuery::default()), ["a #task", "b"]);
    assert_eq!(found(&index, "words"), ["o.md"], "the rest of the index stays");
}

#[test]
fn a_change_while_nobody_ran_is_seen_by_the_next_reconcile() {
    let disk = Disk::with(&[("n.md", "- [ ] a #task\n- [ ] b\n"), ("pic.png", "")]);
    disk.age("n.md", 60);
    disk.indexed().close();
    disk.write(SETTINGS, r##"{"globalFilter":"#task"}"##);
    let index = disk.open();
    let summary = reconcile(&index);
    assert_eq!((summary.indexed, summary.unchanged), (0, 2), "only its tasks are read anew");
    let reader = Index::open_read_only(disk.vault(), disk.options()).expect("a reader");
    assert_eq!(texts(&reader, &all()), ["a #task"]);
    index.close();
}

#[test]
fn several_questions_at_once_after_a_change() {
    let disk = Disk::new();
    for number in 0..300 {
        disk.write(&format!("{number}.md"), format!("- [ ] a{number} #task\n- [ ] b{number}\n"));
    }
    let index = disk.open_with(IndexOptions { workers: 3, ..disk.options() });
    reconcile(&index);
    let wide = TaskQuery { limit: 1_000, ..all() };
    assert_eq!(ask(&index, &wide).len(), 600);
    disk.write(SETTINGS, r##"{"globalFilter":"#task"}"##);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(ask(&index, &wide).len(), 300));
        }
        // A tool's own write does not wait for all of it.
        scope.spawn(|| {
            disk.write("new.md", "- [ ] new #task\n#only");
            index.changed(&[Change::Written(path("new.md"))]).expect("indexed");
            disk.remove("new.md");
            index.changed(&[Change::Removed(path("new.md"))]).expect("indexed");
        });
    });
    assert_eq!(index.tasks(&owner(), &wide).unwrap().total, 300);
}

#[test]
fn settings_that_change_while_tasks_are_read_anew_lose_nothing() {
    let disk = Disk::new();
    for number in 0..200 {
        disk.write(&format!("{number}.md"), "- [ ] a #task\n- [ ] b\n");
    }
    let index = disk.indexed();
    let filters = [r##"{"globalFilter":"#task"}"##, r#"{"globalFilter":"b"}"#, "{}"];
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| (0..20).for_each(|_| drop(ask(&index, &all()))));
        for round in 0..30 {
            disk.write(SETTINGS, filters[round % filters.len()]);
            std::thread::sleep(Duration::from_millis(7));
        }
        asking.join().expect("questions are answered");
    });
    disk.write(SETTINGS, filters[1]);
    assert_eq!(index.tasks(&owner(), &all()).unwrap().total, 200);
}

#[test]
fn a_format_without_a_year_follows_the_calendar() {
    let settings = r#"{"useFilenameAsScheduledDate":true,"filenameAsScheduledDateFormat":"MM-DD"}"#;
    let disk = Disk::with(&[("03-12.md", "- [ ] a\n"), (SETTINGS, settings)]);
    let in_year = |clock: search::Clock| {
        let index = disk.open_with(IndexOptions { clock, ..disk.options() });
        let date = only(&index, &all()).scheduled;
        reconcile(&index);
        let after = only(&index, &all()).scheduled;
        index.close();
        (date, after)
    };
    disk.indexed().close();
    let (date, after) = in_year(|| "2031-06-01T00:00:00Z".parse().expect("a moment"));
    assert_eq!((date, after), (Some(day("2031-03-12")), Some(day("2031-03-12"))));
}
