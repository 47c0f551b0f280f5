//! `vault_list_tasks` over the wire: the shape of rows, arguments, paging, and settings that change.
//!
//! What is filtered and sorted how is tested at the index.

use harness::{Server, TestServer, TestVault};
use serde_json::{Value, json};

const SETTINGS: &str = ".obsidian/plugins/obsidian-tasks-plugin/data.json";

fn vault() -> TestVault {
    TestVault::new()
        .note(
            "Board.md",
            "---\nkanban-plugin: board\n---\n\n## Active\n\n- [ ] Card one #work/x 📅 2026-02-01 ^card1\n\t- [ ] sub item\n\
             - [/] Card two ⏫ 📅 2026-03-01\n- [-] Card three ❌ 2026-01-01\n\n## Done\n\n**Complete**\n- [x] Old card ✅ 2026-01-02\n",
        )
        .note(
            "Projects/alpha.md",
            "# Alpha\n\n## Tasks\n\n- [ ] First task for Alpha ➕ 2026-01-10 📅 2026-02-20 ^alpha-task-1\n\
             - [x] Completed task  [created:: 2026-01-05]  [completion:: 2026-01-08] ^alpha-done-1\n\
             - [ ] Second task ⏫ ➕ 2026-01-12 ^alpha-task-2\n",
        )
        .note("Daily Notes/2026-01-15.md", "## Tasks\n\n- [ ] Review integration test results\n")
}

fn server() -> Server {
    TestServer::start().with_vault(vault()).ready()
}

#[track_caller]
fn texts(server: &Server, arguments: Value) -> Vec<String> {
    server.call("vault_list_tasks", arguments).list("tasks", "description")
}

#[test]
fn rows_have_what_has_a_value_and_nothing_else() {
    let server = server();
    let answer = server.call("vault_list_tasks", json!({}));
    assert_eq!(answer.text_json(), *answer.structured(), "one object, twice");
    assert_eq!(
        answer.text_json(),
        json!({"total": 6, "tasks": [
            {"path": "Board.md", "line": 7, "status": "todo", "status_char": " ", "description": "Card one #work/x",
             "heading": "Active", "due": "2026-02-01", "tags": ["work/x"], "block_id": "card1",
             "subtask_progress": {"done": 0, "total": 1}, "is_kanban_task": true, "done_lanes": ["Done"]},
            {"path": "Projects/alpha.md", "line": 5, "status": "todo", "status_char": " ",
             "description": "First task for Alpha", "heading": "Tasks", "folder": "Projects",
             "created": "2026-01-10", "due": "2026-02-20", "block_id": "alpha-task-1"},
            {"path": "Board.md", "line": 9, "status": "in_progress", "status_char": "/", "description": "Card two",
             "heading": "Active", "due": "2026-03-01", "priority": "high", "is_kanban_task": true,
             "done_lanes": ["Done"]},
            {"path": "Projects/alpha.md", "line": 7, "status": "todo", "status_char": " ",
             "description": "Second task", "heading": "Tasks", "folder": "Projects", "created": "2026-01-12",
             "priority": "high", "block_id": "alpha-task-2"},
            {"path": "Board.md", "line": 8, "status": "todo", "status_char": " ", "description": "sub item",
             "heading": "Active", "depth": 1, "parent_block_id": "card1", "is_kanban_task": true,
             "done_lanes": ["Done"]},
            {"path": "Daily Notes/2026-01-15.md", "line": 3, "status": "todo", "status_char": " ",
             "description": "Review integration test results", "heading": "Tasks", "folder": "Daily Notes"},
        ]})
    );
}

#[test]
fn every_field_that_a_task_can_have() {
    let vault = TestVault::new()
        .note("2026-04-05.md", "- [ ] guessed\n")
        .note(
            "n.md",
            "- [ ] a 🆔 a1 ⛔ b1,c1 🔺 🔁 every day when done 🏁 keep ➕ 2026-01-01 🛫 2026-01-02 ⏳ 2026-01-03 📅 2026-02-30\n\
             - [x] b ✅ 2026-01-04\n- [-] c ❌ 2026-01-05\n",
        )
        .note(SETTINGS, r#"{"useFilenameAsScheduledDate":true}"#);
    let server = TestServer::start().with_vault(vault).ready();
    let answer = server.call("vault_list_tasks", json!({"status": "all", "sort_by": "position"}));
    let tasks = &answer.structured()["tasks"];
    assert_eq!(
        (&tasks[0]["scheduled"], &tasks[0]["scheduled_inferred"]),
        (&json!("2026-04-05"), &json!(true))
    );
    assert_eq!(
        tasks[1],
        json!({"path": "n.md", "line": 1, "status": "todo", "status_char": " ", "description": "a",
               "created": "2026-01-01", "start": "2026-01-02", "scheduled": "2026-01-03", "invalid_dates": ["due"],
               "priority": "highest", "recurrence": "every day when done", "on_completion": "keep", "task_id": "a1",
               "depends_on": ["b1", "c1"]})
    );
    assert_eq!((&tasks[2]["done"], &tasks[3]["cancelled"]), (&json!("2026-01-04"), &json!("2026-01-05")));
    assert_eq!(server.call("index_status", json!({})).structured()["tasks"], 4);
}

#[test]
fn single_values_lists_and_what_counts_as_absent() {
    let server = server();
    let board = ["Card one #work/x", "sub item", "Card two", "Card three", "Old card"];
    for lanes in [json!(["Active", "Done"]), json!(["active", "## Done"])] {
        let arguments = json!({"heading": lanes, "status": "all", "path": "Board.md", "sort_by": "position"});
        assert_eq!(texts(&server, arguments), board);
    }
    assert_eq!(texts(&server, json!({"heading": "Active", "top_level_only": true})).len(), 2);
    for status in [json!("done"), json!(["done"]), json!(["Done"])] {
        assert_eq!(texts(&server, json!({"status": status, "folder": "projects/"})), ["Completed task"]);
    }
    assert_eq!(
        texts(&server, json!({"priority": "high", "sort_by": "position"})),
        ["Card two", "Second task"]
    );
    assert_eq!(texts(&server, json!({"tag": "#Work"})), ["Card one #work/x"]);
    let everything = server.call("vault_list_tasks", json!({}));
    let absent = [
        "status",
        "due",
        "priority",
        "folder",
        "tag",
        "heading",
        "path",
        "sort_by",
        "sort_direction",
        "limit",
    ];
    for name in absent {
        for value in [json!(""), Value::Null] {
            let answer = server.call("vault_list_tasks", json!({name: value}));
            assert_eq!(answer.structured(), everything.structured(), "{name} {value}");
        }
    }
    let bounds = json!({"due": {"before": "", "on": null, "after": "2026-02-10"}, "limit": "1"});
    assert_eq!(texts(&server, bounds), ["First task for Alpha"]);
    assert_eq!(texts(&server, json!({"done": {"on": "2026-01-02"}, "status": ["done"]})), ["Old card"]);
}

#[test]
fn what_has_no_meaning_is_refused_with_what_has() {
    let server = server();
    for (arguments, words) in [
        (json!({"due": {"on": "tomorrow"}}), vec!["due.on", "YYYY-MM-DD"]),
        (json!({"cancelled": {"after": "2026-02-30"}}), vec!["cancelled.after", "YYYY-MM-DD"]),
        (json!({"due": {"until": "2026-02-03"}}), vec!["due.until", "before"]),
        (json!({"status": "finished"}), vec!["status", "not_done", "cancelled"]),
        (json!({"priority": ["urgent"]}), vec!["priority", "highest"]),
        (json!({"path": "Board"}), vec!["path", ".md"]),
        (json!({"path": "../out.md"}), vec!["out.md"]),
        (json!({"tag": "#"}), vec!["tag"]),
        (json!({"lane": "Active"}), vec!["lane"]),
        (json!({"limit": 0}), vec!["limit"]),
    ] {
        let error = server.call("vault_list_tasks", arguments.clone()).error();
        for word in words {
            assert!(error.contains(word), "{arguments}: {error}");
        }
    }
}

#[test]
fn a_note_that_is_not_there_is_said_to_be_missing() {
    let server = server();
    let answer = server.call("vault_list_tasks", json!({"path": "Projects/alhpa.md"}));
    assert_eq!((&answer.structured()["total"], &answer.structured()["missing"]), (&json!(0), &json!(true)));
    assert_eq!(answer.structured()["did_you_mean"], json!(["Projects/alpha.md"]));
    server.vault().write("Plain.md", "no tasks");
    let answer = server.call("vault_list_tasks", json!({"path": "Plain.md"}));
    assert_eq!(*answer.structured(), json!({"total": 0, "tasks": []}));
}

#[test]
fn a_long_list_comes_in_parts() {
    let tasks: String = (0..120).map(|number| format!("- [ ] task {number:03}\n")).collect();
    let long = format!("- [ ] {}\n", "long ".repeat(20_000));
    let vault = TestVault::new().note("a.md", &tasks).note("b.md", &long);
    let server = TestServer::start().with_vault(vault).ready();
    let (mut seen, mut offset) = (Vec::new(), json!(0));
    loop {
        let answer = server.call("vault_list_tasks", json!({"offset": offset}));
        assert!(answer.text().chars().count() <= 60_000);
        assert_eq!(answer.structured()["total"], 121);
        seen.extend(answer.list("tasks", "description"));
        let Some(left_out) = answer.structured().get("left_out") else { break };
        assert_eq!(left_out["count"].as_u64().unwrap(), 121 - seen.len() as u64);
        offset = left_out["continue_with"]["offset"].clone();
    }
    assert_eq!(seen.len(), 121);
    assert_eq!(seen[49], "task 049", "fifty by default");
}

#[test]
fn a_change_of_the_plugins_settings_holds_for_the_next_call() {
    let vault = TestVault::new().note("n.md", "- [X] capital\n- [ ] a #task\n");
    let server = TestServer::start().with_vault(vault).ready();
    assert_eq!(texts(&server, json!({})), ["capital", "a #task"]);
    let done = r#"{"statusSettings":{"customStatuses":[{"symbol":"X","name":"X","nextStatusSymbol":" ","type":"DONE"}]}}"#;
    server.vault().write(SETTINGS, done);
    assert_eq!(texts(&server, json!({})), ["a #task"]);
    assert_eq!(texts(&server, json!({"status": "done"})), ["capital"]);
    server.vault().write(SETTINGS, r##"{"globalFilter":"#task"}"##);
    assert_eq!(texts(&server, json!({"status": "all"})), ["a #task"]);
    server.vault().remove(SETTINGS);
    assert_eq!(texts(&server, json!({})), ["capital", "a #task"]);
}

#[test]
fn its_entry_in_the_list_is_short() {
    let server = TestServer::start().ready();
    let tools = server.tools();
    let tool = tools.iter().find(|tool| tool["name"] == "vault_list_tasks").unwrap();
    let entry =
        json!({"name": tool["name"], "description": tool["description"], "inputSchema": tool["inputSchema"]});
    let bytes = entry.to_string().len();
    println!("vault_list_tasks: {bytes} bytes");
    assert!(bytes <= 2_600, "{bytes} bytes");
}
