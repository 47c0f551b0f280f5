//! Tasks made and changed over the wire, on notes and boards.

use harness::{Server, TestServer, TestVault};
use serde_json::{Value, json};

const BOARD: &str = "---\n\nkanban-plugin: board\n\n---\n\n## Next\n\n- [ ] Pay rent 🔁 every month on the 1st 📅 \
                     2026-07-01 ^rent\n- [ ] Call\n\t- [ ] find number\n\n\n## Done\n\n**Complete**\n\n\n\n\n%% \
                     kanban:settings\n```\n{\"kanban-plugin\":\"board\"}\n```\n%%";

fn serve(note: &str) -> Server {
    TestServer::start().with_vault(TestVault::new().note("Board.md", note)).ready()
}

#[track_caller]
fn done(server: &Server, tool: &str, arguments: Value) -> Value {
    let answer = server.call(tool, arguments).structured().clone();
    server.vault().accept();
    answer
}

/// The board, with TODAY where a done date is.
fn note(server: &Server) -> String {
    let text = String::from_utf8(server.vault().read("Board.md")).unwrap();
    let mut parts = text.split("✅ ");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown.push_str("✅ TODAY");
        shown.push_str(part.get("2026-01-01".len()..).unwrap());
    }
    shown
}

#[test]
fn a_recurring_card_is_done_and_listed_at_once() {
    let server = serve(BOARD);
    let answer =
        done(&server, "vault_update_task", json!({"path": "Board.md", "block_id": "rent", "status": "done"}));
    let expected = BOARD.replace("2026-07-01 ^rent", "2026-08-01").replace(
        "**Complete**\n",
        "**Complete**\n- [x] Pay rent 🔁 every month on the 1st 📅 2026-07-01 ✅ TODAY ^rent\n",
    );
    assert_eq!(note(&server), expected);
    assert_eq!(answer["heading"], "Done");
    let open = server.call("vault_list_tasks", json!({"path": "Board.md", "due": {"on": "2026-08-01"}}));
    assert_eq!(open.structured()["tasks"][0]["line"], answer["next_line"]);
    let done = server.call("vault_list_tasks", json!({"path": "Board.md", "status": "done"}));
    assert_eq!(done.structured()["tasks"][0]["line"], answer["line"]);
    assert_eq!(done.structured()["tasks"][0]["done_lanes"], json!(["Done"]));
}

#[test]
fn a_card_is_made_subdivided_moved_and_cleared() {
    let server = serve(BOARD);
    let new = json!({
        "path": "Board.md", "description": "Paint", "block_id": "paint", "heading": "Next", "position": 2,
        "priority": "low", "due": "2026-07-09", "subtasks": ["buy paint"],
    });
    assert_eq!(done(&server, "vault_create_task", new)["line"], 10);
    let sub = json!({"path": "Board.md", "description": "buy brush", "parent_block_id": "paint"});
    let line = done(&server, "vault_create_task", sub)["line"].clone();
    assert_eq!(line, 12);
    done(&server, "vault_update_task", json!({"path": "Board.md", "line": line, "status": "done"}));
    let change =
        json!({"path": "Board.md", "block_id": "paint", "heading": "Done", "due": null, "priority": null});
    done(&server, "vault_update_task", change);
    let card = "- [x] Paint ✅ TODAY ^paint\n\t- [ ] buy paint\n\t- [x] buy brush ✅ TODAY\n";
    assert_eq!(note(&server), BOARD.replace("**Complete**\n", &format!("**Complete**\n{card}")));
    let listed = server.call(
        "vault_list_tasks",
        json!({"path": "Board.md", "heading": "Done", "status": "all", "top_level_only": true}),
    );
    assert_eq!(listed.structured()["tasks"][0]["subtask_progress"], json!({"done": 1, "total": 2}));
}

#[test]
fn null_clears_and_nothing_else_does() {
    let server = serve("- [ ] a 📅 2026-07-01 ^a\n");
    done(
        &server,
        "vault_update_task",
        json!({"path": "Board.md", "block_id": "a", "due": "", "priority": "high"}),
    );
    assert_eq!(note(&server), "- [ ] a ⏫ 📅 2026-07-01 ^a\n");
    done(
        &server,
        "vault_update_task",
        json!({"path": "Board.md", "block_id": "a", "due": null, "line": null}),
    );
    assert_eq!(note(&server), "- [ ] a ⏫ ^a\n");
    let error = server
        .call("vault_update_task", json!({"path": "Board.md", "block_id": "a", "status": null}))
        .error();
    assert!(error.contains("nothing to change"), "{error}");
}

#[test]
fn every_rehearsal_leaves_the_vault_alone() {
    let server = serve(BOARD);
    for (tool, arguments) in [
        (
            "vault_create_task",
            json!({"path": "Board.md", "description": "x", "block_id": "x", "heading": "Next"}),
        ),
        ("vault_update_task", json!({"path": "Board.md", "block_id": "rent", "status": "done"})),
    ] {
        let mut arguments = arguments;
        arguments["dry_run"] = json!(true);
        let answer = server.call(tool, arguments);
        assert_eq!(answer.structured()["dry_run"], true);
        assert_eq!(answer.text_json(), *answer.structured());
    }
    server.stop();
}

#[test]
fn a_done_task_is_undone_byte_for_byte() {
    let server = serve(&BOARD.replace('\n', "\r\n"));
    let answer =
        done(&server, "vault_update_task", json!({"path": "Board.md", "block_id": "rent", "status": "done"}));
    done(&server, "vault_undo", json!({"change": answer["change"]}));
    assert_eq!(server.vault().read("Board.md"), BOARD.replace('\n', "\r\n").as_bytes());
}
