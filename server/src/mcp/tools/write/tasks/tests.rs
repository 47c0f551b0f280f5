//! Tasks made and changed through their tools. What an edit does to a line or a board is tested where it is
//! done; here it is what the tools add: arguments, refusals, answers, the vault's settings, and that the next
//! call sees it all.

use serde_json::{Value, json};
use tempfile::TempDir;
use vault::{FolderScope, Principal, Rights};

use super::super::tests::{answer, on_disk};
use crate::app::App;

const MOST: usize = 60_000;
const PLUGIN: &str = ".obsidian/plugins/obsidian-tasks-plugin/data.json";
const BOARD: &str = "---\n\nkanban-plugin: board\n\n---\n\n## Next\n\n- [ ] one ^one\n\t- [ ] part\n- [ ] two \
                     ^two\n\n\n## Done\n\n**Complete**\n- [x] old ^old\n\n\n\n\n%% kanban:settings\n```\n\
                     {\"kanban-plugin\":\"board\",\"list-collapsed\":[false,false]}\n```\n%%";

fn app(notes: &[(&str, &str)]) -> (App, TempDir) {
    App::over_notes(notes, MOST)
}

fn create(app: &App, arguments: Value) -> Value {
    answer(app, "vault_create_task", arguments)
}

fn update(app: &App, arguments: Value) -> Value {
    answer(app, "vault_update_task", arguments)
}

/// A call that is refused changes nothing.
#[track_caller]
fn refused(note: &str, tool: &str, arguments: Value, expected: &str) {
    let (app, folder) = app(&[("N.md", note)]);
    let shown = arguments.to_string();
    let error = app.call(tool, arguments).expect_err("a refusal");
    assert!(error.contains(expected), "{shown}: {error}");
    assert_eq!(on_disk(&folder, "N.md"), note, "{shown}");
}

/// A note after one call.
#[track_caller]
fn after(note: &str, tool: &str, arguments: Value) -> (Value, String) {
    let (app, folder) = app(&[("N.md", note)]);
    let told = answer(&app, tool, arguments);
    let today = app.today().to_string();
    (told, on_disk(&folder, "N.md").replace(&today, "TODAY"))
}

#[test]
fn every_field_is_written_in_the_plugins_order() {
    let arguments = json!({
        "path": "N.md", "description": "Book #trip", "block_id": "^book", "priority": "high",
        "recurrence": "every week on Monday", "on_completion": "delete", "due": "2030-07-04",
        "scheduled": "2030-07-03", "start": "2030-07-02", "task_id": "b1", "depends_on": ["a1", "a2"],
        "subtasks": ["tickets", "hotel"],
    });
    let (told, text) = after("text\n", "vault_create_task", arguments.clone());
    let line = "- [ ] Book #trip 🆔 b1 ⛔ a1,a2 ⏫ 🔁 every week on Monday 🏁 delete 🛫 2030-07-02 ⏳ 2030-07-03 📅 \
                2030-07-04 ^book";
    assert_eq!(text, format!("text\n\n{line}\n\t- [ ] tickets\n\t- [ ] hotel\n"));
    let expected = [
        ("path", json!("N.md")),
        ("line", json!(3)),
        ("description", json!("Book #trip")),
        ("block_id", json!("book")),
    ];
    for (name, value) in expected {
        assert_eq!(told[name], value, "{name}");
    }
    assert!(told["change"].is_i64() && told["hash"].is_string(), "{told}");
    let mut dataview = arguments;
    dataview["format"] = json!("dataview");
    let (_, text) = after("text\n", "vault_create_task", dataview);
    assert!(
        text.contains("[due:: 2030-07-04]") && text.contains("[repeat:: every week on Monday]"),
        "{text}"
    );
}

#[test]
fn a_new_task_goes_where_it_is_asked_to() {
    let note = "# A\n\n- [ ] a\n- [ ] b\n\n# B\n\n- [ ] p ^p\n";
    let new = |extra: Value| {
        let mut arguments = json!({"path": "N.md", "description": "new", "block_id": "n"});
        arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        after(note, "vault_create_task", arguments)
    };
    let lines = |extra: Value| new(extra).0["line"].clone();
    assert_eq!(lines(json!({"heading": "A", "position": "top"})), 3);
    assert_eq!(lines(json!({"heading": "A", "position": 2})), 4);
    assert_eq!(lines(json!({"heading": "A", "position": "2"})), 4);
    assert_eq!(lines(json!({"heading": "## A", "position": "bottom"})), 5);
    assert_eq!(lines(json!({"heading": "A"})), 5);
    assert_eq!(lines(json!({})), 9);
    let (told, text) = new(json!({"parent_block_id": "p"}));
    assert_eq!((told["line"].clone(), told["heading"].clone()), (json!(9), json!("B")));
    assert!(text.ends_with("- [ ] p ^p\n\t- [ ] new ^n\n"), "{text}");
    assert_eq!(new(json!({"parent_line": 8})).1, text);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let tool = "vault_create_task";
    let note = "# A\n- [ ] p ^p\n- [ ] q ^twice\n- [ ] r ^twice\n";
    let new = |extra: Value| {
        let mut arguments = json!({"path": "N.md", "description": "new"});
        arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        arguments
    };
    refused(note, tool, new(json!({})), "block_id is missing");
    refused(note, tool, new(json!({"heading": "A"})), "block_id is missing");
    refused(note, tool, new(json!({"parent_block_id": "p"})), "block_id is missing");
    for (extra, expected) in [
        (json!({"heading": "A", "parent_block_id": "p"}), "mutually exclusive"),
        (json!({"parent_line": 2, "parent_block_id": "p"}), "mutually exclusive"),
        (json!({"position": "top"}), "position needs a heading"),
        (json!({"position": "top", "parent_line": 2}), "position needs a heading"),
        (json!({"heading": "A", "position": "middle"}), "argument position"),
        (json!({"heading": "A", "position": 0}), "argument position"),
        (json!({"heading": "C"}), "no heading \"C\"; there are: A"),
        (json!({"parent_block_id": "none"}), "no task with the block id"),
        (json!({"parent_block_id": "twice"}), "at the end of 2 task lines: 3, 4"),
        (json!({"parent_line": 1}), "no task at line 1"),
        (json!({"block_id": "P"}), "is taken: line 2"),
        (json!({"block_id": "a b"}), "no block id"),
        (json!({"due": "2030-02-30"}), "argument due"),
        (json!({"recurrence": "now and then"}), "no repeat rule"),
        (json!({"task_id": "a b"}), "no task id"),
        (json!({"depends_on": ["a", "b c"]}), "no task id"),
        (json!({"description": "x\ny"}), "one line"),
        (json!({"description": "x 📅 2030-01-01"}), "pass \"📅 2030-01-01\" as that field"),
        (json!({"subtasks": ["a\nb"]}), "one line"),
    ] {
        let mut arguments = new(json!({"block_id": "n"}));
        arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        refused(note, tool, arguments, expected);
    }
    let tool = "vault_update_task";
    for (extra, expected) in [
        (json!({"status": "done"}), "Give its block_id or its line"),
        (json!({"block_id": "p", "line": 2, "status": "done"}), "mutually exclusive"),
        (json!({"block_id": "p"}), "nothing to change"),
        (json!({"block_id": "twice", "status": "done"}), "at the end of 2 task lines: 3, 4"),
        (json!({"line": 1, "status": "done"}), "no task at line 1"),
        (json!({"block_id": "p", "status": "waiting"}), "argument status"),
        (json!({"block_id": "p", "assign_block_id": "twice"}), "is taken: line 3"),
        (json!({"block_id": "p", "assign_block_id": null, "description": "x ^y"}), "as that field"),
        (json!({"block_id": "p", "heading": "C"}), "no heading \"C\""),
        (json!({"block_id": "p", "due": "tomorrow"}), "argument due"),
    ] {
        let mut arguments = json!({"path": "N.md"});
        arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        refused(note, tool, arguments, expected);
    }
    let (app, _folder) = app(&[("N.md", note)]);
    for path in ["None.md", "N.txt", "../N.md", ".obsidian/N.md"] {
        assert!(app.call(tool, json!({"path": path, "line": 1, "status": "done"})).is_err(), "{path}");
    }
}

#[test]
fn mutations_compose_and_null_clears() {
    let note = "# A\n\n- [ ] x 🆔 i ⛔ j ⏫ 🔁 every day 🏁 keep ➕ 2020-01-01 🛫 2020-01-02 ⏳ 2020-01-03 📅 2020-01-04 \
                ^x\n\n# B\n";
    let arguments = json!({
        "path": "N.md", "block_id": "x", "priority": null, "recurrence": null, "on_completion": null,
        "created": null, "start": null, "scheduled": null, "due": null, "task_id": null, "depends_on": null,
        "assign_block_id": null,
    });
    let (told, text) = after(note, "vault_update_task", arguments);
    assert_eq!(text, "# A\n\n- [ ] x\n\n# B\n");
    assert!(told.get("block_id").is_none());
    let changes = told["changes"].as_array().unwrap();
    assert!(changes.contains(&json!("due: 2020-01-04 → none")), "{changes:?}");
    assert!(changes.contains(&json!("priority: high → none")), "{changes:?}");

    let arguments = json!({
        "path": "N.md", "line": 3, "description": "y", "priority": "low", "due": "2030-01-01",
        "assign_block_id": "^y", "add_subtasks": ["s"], "heading": "B", "status": "in_progress",
        "recurrence": null, "depends_on": ["k"],
    });
    let (told, text) = after(note, "vault_update_task", arguments);
    let line = "- [/] y 🆔 i ⛔ k 🔽 🏁 keep ➕ 2020-01-01 🛫 2020-01-02 ⏳ 2020-01-03 📅 2030-01-01 ^y\n\t- [ ] s\n";
    assert!(text.starts_with("# A\n\n") && text.ends_with(&format!("# B\n\n{line}")), "{text}");
    assert_eq!((told["heading"].clone(), told["description"].clone()), (json!("B"), json!("y")));
    let line = usize::try_from(told["line"].as_u64().unwrap()).unwrap();
    assert!(text.lines().nth(line - 1).unwrap().starts_with("- [/] y"));
    assert!(told["changes"].as_array().unwrap().contains(&json!("heading: A → B")), "{told}");

    // Left out, null apart, means kept; "none" clears a priority as well.
    let (_, text) = after(note, "vault_update_task", json!({"path": "N.md", "line": 3, "priority": "none"}));
    assert_eq!(text, note.replace(" ⏫", ""));
}

#[test]
fn a_status_stamps_and_strips_dates() {
    let set = |note: &str, status: &str| {
        after(note, "vault_update_task", json!({"path": "N.md", "line": 1, "status": status})).1
    };
    assert_eq!(set("- [ ] a\n", "done"), "- [x] a ✅ TODAY\n");
    assert_eq!(set("- [ ] a\n", "cancelled"), "- [-] a ❌ TODAY\n");
    assert_eq!(set("- [x] a ✅ 2020-01-01\n", "todo"), "- [ ] a\n");
    assert_eq!(set("- [-] a ❌ 2020-01-01\n", "in_progress"), "- [/] a\n");
    let (told, text) = after(
        "- [x] a ✅ 2020-01-01\n",
        "vault_update_task",
        json!({"path": "N.md", "line": 1, "status": "done"}),
    );
    assert_eq!((text.as_str(), &told["changes"]), ("- [x] a ✅ 2020-01-01\n", &json!([])));
    assert!(told.get("change").is_none());
}

#[test]
fn completing_makes_the_next_one_or_removes_the_task() {
    let done =
        |note: &str| after(note, "vault_update_task", json!({"path": "N.md", "line": 1, "status": "done"}));
    let (told, text) = done("- [ ] a 🆔 i 🔁 every week 📅 2030-01-01 ^a\n");
    let next = "- [ ] a 🔁 every week 📅 2030-01-08\n";
    assert_eq!(text, format!("{next}- [x] a 🆔 i 🔁 every week 📅 2030-01-01 ✅ TODAY ^a\n"));
    assert_eq!((told["line"].clone(), told["next_line"].clone()), (json!(2), json!(1)));

    let (told, text) = done("- [ ] a 🏁 delete\n- [ ] b\n");
    assert_eq!(text, "- [ ] b\n");
    assert_eq!((told["removed"].clone(), told["description"].clone()), (json!(true), json!("a")));
    assert!(told.get("line").is_none());
    assert_eq!(told["changes"], json!(["removed: a"]));

    let (told, text) = done("- [ ] a 🔁 every week 🏁 delete 📅 2030-01-01\n");
    assert_eq!(text, "- [ ] a 🔁 every week 🏁 delete 📅 2030-01-08\n");
    assert_eq!((told["removed"].clone(), told["next_line"].clone()), (json!(true), json!(1)));
    refused(
        "- [ ] a 🏁 delete\n\t- [ ] sub\n",
        "vault_update_task",
        json!({"path": "N.md", "line": 1, "status": "done"}),
        "lines below it",
    );
}

#[test]
fn the_settings_of_the_plugin_count_as_they_are_now() {
    let settings = |json: Value| json.to_string();
    let first = settings(json!({"setDoneDate": false, "taskFormat": "dataview", "globalFilter": "#task"}));
    let (app, folder) = app(&[("N.md", "- [ ] #task a\n"), (PLUGIN, &first)]);
    update(&app, json!({"path": "N.md", "line": 1, "status": "done"}));
    assert_eq!(on_disk(&folder, "N.md"), "- [x] #task a\n");
    create(&app, json!({"path": "N.md", "description": "b", "block_id": "b", "due": "2030-01-01"}));
    assert!(on_disk(&folder, "N.md").ends_with("- [ ] #task b  [due:: 2030-01-01] ^b\n"));
    let second = settings(json!({
        "setDoneDate": true, "setCreatedDate": true, "recurrenceOnNextLine": true,
        "statusSettings": {
            "coreStatuses": [
                {"symbol": " ", "name": "Todo", "nextStatusSymbol": "D", "availableAsCommand": true, "type": "TODO"},
                {"symbol": "D", "name": "Done", "nextStatusSymbol": " ", "availableAsCommand": true, "type": "DONE"},
                {"symbol": "x", "name": "Thing", "nextStatusSymbol": " ", "availableAsCommand": true, "type": "NON_TASK"},
            ],
            "customStatuses": [],
        },
    }));
    write(&folder, PLUGIN, &second);
    write(&folder, "N.md", "- [ ] r 🔁 every day 📅 2030-01-01 ^r\n- [x] thing\n");
    let told = update(&app, json!({"path": "N.md", "block_id": "r", "status": "done"}));
    let today = app.today();
    assert_eq!(
        on_disk(&folder, "N.md"),
        format!(
            "- [D] r 🔁 every day 📅 2030-01-01 ✅ {today} ^r\n- [ ] r 🔁 every day ➕ {today} 📅 2030-01-02\n- [x] thing\n"
        )
    );
    assert_eq!((told["line"].clone(), told["next_line"].clone()), (json!(1), json!(2)));
    let error =
        app.call("vault_update_task", json!({"path": "N.md", "line": 3, "status": "todo"})).unwrap_err();
    assert!(error.contains("no task at line 3"), "{error}");
    write(&folder, PLUGIN, "{broken");
    let told = update(&app, json!({"path": "N.md", "line": 3, "status": "todo"}));
    assert!(told["settings_problem"].as_str().unwrap().contains("data.json cannot be used"), "{told}");
}

#[test]
fn sub_items_are_indented_as_the_vault_indents() {
    let app_json = r#"{"useTab": false, "tabSize": 2}"#;
    let (app, folder) = app(&[("N.md", "- [ ] a ^a\n"), (".obsidian/app.json", app_json)]);
    update(&app, json!({"path": "N.md", "block_id": "a", "add_subtasks": ["b", "c"]}));
    assert_eq!(on_disk(&folder, "N.md"), "- [ ] a ^a\n  - [ ] b\n  - [ ] c\n");
}

#[test]
fn a_done_card_goes_to_the_done_lane_and_nothing_else_changes() {
    let (told, text) =
        after(BOARD, "vault_update_task", json!({"path": "N.md", "block_id": "one", "status": "done"}));
    let expected = BOARD
        .replace("- [ ] one ^one\n\t- [ ] part\n", "")
        .replace("- [x] old ^old\n", "- [x] old ^old\n- [x] one ✅ TODAY ^one\n\t- [ ] part\n");
    assert_eq!(text, expected);
    assert_eq!(told["heading"], "Done");
    assert!(told["changes"].as_array().unwrap().contains(&json!("heading: Next → Done")), "{told}");
    // CRLF stays CRLF, the settings block to the byte.
    let dos = BOARD.replace('\n', "\r\n");
    let (_, text) =
        after(&dos, "vault_update_task", json!({"path": "N.md", "block_id": "one", "status": "done"}));
    assert_eq!(text, expected.replace('\n', "\r\n"));
}

#[test]
fn a_card_moved_into_a_complete_lane_is_done_and_takes_its_marker() {
    let board = BOARD.replace("- [x] old", "* [x] old");
    let (told, text) =
        after(&board, "vault_update_task", json!({"path": "N.md", "block_id": "two", "heading": "Done"}));
    let expected = board
        .replace("- [ ] two ^two\n", "")
        .replace("* [x] old ^old\n", "* [x] old ^old\n* [x] two ✅ TODAY ^two\n");
    assert_eq!(text, expected);
    assert!(told["changes"].as_array().unwrap().contains(&json!("status: todo → done")), "{told}");
    let new = json!({"path": "N.md", "description": "n", "block_id": "n", "heading": "Done"});
    let (_, text) = after(&board, "vault_create_task", new);
    assert!(text.contains("* [x] old ^old\n* [x] n ✅ TODAY ^n\n"), "{text}");
}

#[test]
fn a_format_that_is_asked_for_converts_the_line() {
    let note = "- [ ] a 📅 2030-01-01\n";
    let arguments = json!({"path": "N.md", "line": 1, "format": "dataview", "priority": "high"});
    let (told, text) = after(note, "vault_update_task", arguments);
    assert_eq!(text, "- [ ] a  [priority:: high]  [due:: 2030-01-01]\n");
    assert_eq!(told["changes"], json!(["priority: none → high", "format: emoji → dataview"]));
    let (_, text) = after(&text, "vault_update_task", json!({"path": "N.md", "line": 1, "format": "emoji"}));
    assert_eq!(text, "- [ ] a ⏫ 📅 2030-01-01\n");
}

#[test]
fn a_recurring_card_leaves_its_next_one_in_its_lane() {
    let board = BOARD.replace("two ^two", "two 🔁 every week 📅 2030-01-01 ^two");
    let (told, text) =
        after(&board, "vault_update_task", json!({"path": "N.md", "block_id": "two", "status": "done"}));
    let expected = board
        .replace("- [ ] two 🔁 every week 📅 2030-01-01 ^two\n", "- [ ] two 🔁 every week 📅 2030-01-08\n")
        .replace("- [x] old ^old\n", "- [x] old ^old\n- [x] two 🔁 every week 📅 2030-01-01 ✅ TODAY ^two\n");
    assert_eq!(text, expected);
    let line = |name: &str| {
        let number = usize::try_from(told[name].as_u64().unwrap()).unwrap();
        text.lines().nth(number - 1).unwrap().to_owned()
    };
    assert!(line("line").starts_with("- [x] two") && line("next_line").starts_with("- [ ] two"), "{told}");
}

#[test]
fn cards_are_placed_moved_and_reordered_in_lanes() {
    let order = |text: &str| -> Vec<String> {
        let cards = text.lines().filter(|line| line.starts_with("- ["));
        cards.map(|line| line.rsplit_once('^').map_or("", |(_, id)| id).to_owned()).collect()
    };
    let new = |position: Value| {
        let arguments = json!({"path": "N.md", "description": "n", "block_id": "n", "heading": "Next", "position": position});
        order(&after(BOARD, "vault_create_task", arguments).1)
    };
    assert_eq!(new(json!("top")), ["n", "one", "two", "old"]);
    assert_eq!(new(json!(2)), ["one", "n", "two", "old"]);
    assert_eq!(new(json!("bottom")), ["one", "two", "n", "old"]);
    assert_eq!(new(json!(99)), ["one", "two", "n", "old"]);
    let moved = |extra: Value| {
        let mut arguments = json!({"path": "N.md", "block_id": "two"});
        arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        order(&after(BOARD, "vault_update_task", arguments).1)
    };
    assert_eq!(moved(json!({"position": "top"})), ["two", "one", "old"]);
    assert_eq!(moved(json!({"position": 1})), ["two", "one", "old"]);
    assert_eq!(moved(json!({"heading": "Done", "position": "top"})), ["one", "two", "old"]);
    assert_eq!(moved(json!({"heading": "Done"})), ["one", "old", "two"]);
    refused(
        BOARD,
        "vault_create_task",
        json!({"path": "N.md", "description": "n", "block_id": "n"}),
        "needs a heading (its lane); there are: Next, Done",
    );
}

#[test]
fn sub_tasks_of_boards_have_no_block_id_and_stay_where_they_are() {
    let new = json!({"path": "N.md", "description": "sub", "parent_block_id": "one"});
    let (told, text) = after(BOARD, "vault_create_task", new.clone());
    assert_eq!(text, BOARD.replace("\t- [ ] part\n", "\t- [ ] part\n\t- [ ] sub\n"));
    // Its line is what it is called by.
    let line = told["line"].as_u64().unwrap();
    let (app, folder) = app(&[("N.md", &text)]);
    let done = update(&app, json!({"path": "N.md", "line": line, "status": "done"}));
    let today = app.today();
    assert_eq!(on_disk(&folder, "N.md"), text.replace("[ ] sub", &format!("[x] sub ✅ {today}")));
    assert_eq!(done["line"], line);

    let with = |extra: Value| {
        let mut arguments = new.clone();
        arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        arguments
    };
    refused(BOARD, "vault_create_task", with(json!({"block_id": "s"})), "must not get a block id");
    let card =
        json!({"path": "N.md", "description": "c", "heading": "Next", "block_id": "c", "subtasks": ["x ^y"]});
    refused(BOARD, "vault_create_task", card, "must not get a block id");
    for (extra, expected) in [
        (json!({"assign_block_id": "s"}), "must not get a block id"),
        (json!({"description": "x ^y"}), "field or block id"),
        (json!({"heading": "Done"}), "cannot be moved"),
        (json!({"position": "top"}), "cannot be moved"),
    ] {
        let mut arguments = json!({"path": "N.md", "line": 10});
        arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        refused(BOARD, "vault_update_task", arguments, expected);
    }
    refused(
        BOARD,
        "vault_update_task",
        json!({"path": "N.md", "block_id": "one", "add_subtasks": ["x ^y"]}),
        "must not get a block id",
    );
}

#[test]
fn a_dry_run_and_a_stale_hash_change_nothing() {
    let (app, folder) = app(&[("N.md", BOARD)]);
    let old = answer(&app, "vault_read_note", json!({"path": "N.md"}))["hash"].clone();
    for (tool, mut arguments) in [
        ("vault_update_task", json!({"path": "N.md", "block_id": "one", "status": "done"})),
        (
            "vault_create_task",
            json!({"path": "N.md", "description": "n", "block_id": "n", "heading": "Next"}),
        ),
    ] {
        arguments["dry_run"] = json!(true);
        let dry = answer(&app, tool, arguments.clone());
        assert_eq!(dry["dry_run"], true);
        assert!(dry["diff"].as_str().unwrap().contains("\n+- ["), "{dry}");
        assert!(dry["line"].is_u64() && dry.get("change").is_none());
        assert_eq!(on_disk(&folder, "N.md"), BOARD);
    }
    update(&app, json!({"path": "N.md", "block_id": "two", "priority": "high", "expected_hash": old}));
    let now = on_disk(&folder, "N.md");
    let stale = json!({"path": "N.md", "block_id": "two", "priority": "low", "expected_hash": old});
    let error = app.call("vault_update_task", stale).unwrap_err();
    assert!(error.contains("stale") && error.contains("vault_update_task by test"), "{error}");
    assert_eq!(on_disk(&folder, "N.md"), now);
}

#[test]
fn the_next_list_sees_it() {
    let (app, _folder) = app(&[("N.md", BOARD)]);
    let listed = |arguments: Value| -> Vec<Value> {
        answer(&app, "vault_list_tasks", arguments)["tasks"].as_array().unwrap().clone()
    };
    let new =
        json!({"path": "N.md", "description": "n", "block_id": "n", "heading": "Next", "due": "2030-01-01"});
    let told = create(&app, new);
    let found = listed(json!({"path": "N.md", "due": {"on": "2030-01-01"}}));
    assert_eq!(found.len(), 1);
    for name in ["line", "description", "block_id", "heading"] {
        assert_eq!(found[0][name], told[name], "{name}");
    }
    let told = update(&app, json!({"path": "N.md", "block_id": "n", "status": "done"}));
    let done = listed(json!({"path": "N.md", "status": "done", "done": {"on": app.today().to_string()}}));
    assert_eq!(done.len(), 1);
    assert_eq!((&done[0]["line"], &done[0]["heading"]), (&told["line"], &json!("Done")));
    assert!(listed(json!({"path": "N.md", "due": {"on": "2030-01-01"}})).is_empty(), "it is done");
}

#[test]
fn only_what_a_token_may_is_changed_and_the_journal_knows_it() {
    let (app, folder) = app(&[("In/A.md", "- [ ] a\n"), ("Out/A.md", "- [ ] a\n")]);
    let who = |write| Principal {
        name: "limited".to_owned(),
        rights: Rights { read: true, write, delete: false },
        folders: FolderScope::Only(vec!["In".to_owned()]),
    };
    let done = |who: &Principal, path: &str| {
        app.call_as(who, "vault_update_task", json!({"path": path, "line": 1, "status": "done"}))
    };
    assert!(done(&who(true), "Out/A.md").unwrap_err().contains("not permitted"));
    assert!(done(&who(false), "In/A.md").unwrap_err().contains("not permitted"));
    assert!(done(&who(true), "In/A.md").is_ok());
    assert_eq!(on_disk(&folder, "Out/A.md"), "- [ ] a\n");
    let history = answer(&app, "vault_history", json!({"path": "In/A.md"}));
    assert!(history.to_string().contains("vault_update_task"), "{history}");
}

#[test]
fn of_two_calls_at_once_none_is_lost() {
    let (app, folder) = app(&[("N.md", &"- [ ] a\n".repeat(16))]);
    std::thread::scope(|scope| {
        for line in 1..=16 {
            let app = &app;
            scope.spawn(move || {
                let arguments = json!({"path": "N.md", "line": line, "priority": "high"});
                while let Err(error) = app.call("vault_update_task", arguments.clone()) {
                    assert!(error.contains("concurrent write in progress"), "{error}");
                    std::thread::sleep(std::time::Duration::from_millis(2));
                }
            });
        }
    });
    assert_eq!(on_disk(&folder, "N.md"), "- [ ] a ⏫\n".repeat(16));
}

fn write(folder: &TempDir, path: &str, text: &str) {
    #[expect(clippy::disallowed_methods, reason = "the test is the other program that writes")]
    std::fs::write(folder.path().join("vault").join(path), text).unwrap();
}
