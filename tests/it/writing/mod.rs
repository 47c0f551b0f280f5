//! The tools that change the vault, over the wire: what holds of every one of them, and what each does to the
//! files, which are read from disk here.

mod bytes;
mod every_writer;
mod folders;
mod killed;
mod moves;
mod names;
mod pain;
mod protected;
mod read_only;
mod repair;
mod trash;

use harness::{Answer, Server, TestServer, TestVault};
use serde_json::{Value, json};

pub(crate) const BOARD: &str = "---\nkanban-plugin: board\n---\n\n## Next\n\n- [ ] Card ^card\n\n\n## Done\n\n**Complete**\n\
                                - [x] Old\n\n\n\n\n%% kanban:settings\n```\n{\"kanban-plugin\":\"board\"}\n```\n%%";

/// A vault in which every writing tool has something to do.
pub(crate) fn vault() -> TestVault {
    TestVault::new()
        .note(
            "Note.md",
            "---\ntitle: \"T\" # why\ntags: [a]\n---\n# Head\n\none line\ntwo lines\n\n## Tasks\n\n- [ ] Task 📅 2026-07-01 \
             ^task\n",
        )
        .note("In/Move.md", "# Move\nto [[Note]] and [n](../Note.md)\n")
        .note("Links.md", "[[Move]] [[In/Move|x]] [[Note#Head]]\n")
        .note("Board.md", BOARD)
        .note(
            "About Me/Me.md",
            "# Me\n\n## Food\n\n- **2026-01-02**: Rye bread\n- **2026-01-01**: Oat milk\n- **2025-12-31**: Beans\n",
        )
}

pub(crate) fn serve(vault: TestVault) -> Server {
    TestServer::start().with_vault(vault).ready()
}

/// Calls that change [`vault`], with the file whose hash they expect; at least one for every writing tool but
/// `vault_undo`.
pub(crate) fn calls() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("vault_write_note", json!({"path": "Note.md", "body": "new\n", "overwrite": true}), "Note.md"),
        ("vault_patch_note", json!({"path": "Note.md", "operation": "append", "content": "x"}), "Note.md"),
        (
            "vault_patch_note",
            json!({"path": "Note.md", "operation": "replace", "heading": "Head", "content": "x", "include_children": true}),
            "Note.md",
        ),
        ("vault_replace_in_note", json!({"path": "Note.md", "old_text": "one", "new_text": "1"}), "Note.md"),
        ("vault_delete_span", json!({"path": "Note.md", "start_anchor": "one"}), "Note.md"),
        ("vault_replace_span", json!({"path": "Note.md", "start_anchor": "one", "content": "1"}), "Note.md"),
        (
            "vault_insert_at_anchor",
            json!({"path": "Note.md", "anchor": "one", "position": "before", "content": "0"}),
            "Note.md",
        ),
        ("vault_update_properties", json!({"path": "Note.md", "properties": {"title": null}}), "Note.md"),
        (
            "vault_update_properties",
            json!({"path": "Note.md", "properties": {"x": 1}, "replace": true}),
            "Note.md",
        ),
        ("vault_delete_note", json!({"path": "Note.md"}), "Note.md"),
        ("vault_delete_note", json!({"path": "In/Move.md", "prune_empty_folders": true}), "In/Move.md"),
        (
            "vault_move_note",
            json!({"old_path": "In/Move.md", "new_path": "Far/Away/Moved.md", "prune_empty_folders": true}),
            "In/Move.md",
        ),
        (
            "vault_create_task",
            json!({"path": "Note.md", "description": "More", "block_id": "more", "heading": "Tasks"}),
            "Note.md",
        ),
        ("vault_update_task", json!({"path": "Note.md", "block_id": "task", "status": "done"}), "Note.md"),
        ("vault_update_task", json!({"path": "Board.md", "block_id": "card", "status": "done"}), "Board.md"),
        ("vault_update_memory", json!({"file": "Me", "section": "Drinks", "entry": "Tea"}), "About Me/Me.md"),
        (
            "vault_delete_memory",
            json!({"file": "Me", "section": "Food", "date": "2026-01-01", "entry": "Oat milk"}),
            "About Me/Me.md",
        ),
    ]
}

/// Calls that make a new file in [`vault`].
pub(crate) fn calls_that_make() -> Vec<(&'static str, Value)> {
    vec![
        ("vault_write_note", json!({"path": "New/Deep/Note.md", "body": "new\n"})),
        (
            "vault_write_note",
            json!({"path": "New.md", "body": "new\n", "properties": {"a": 1}, "overwrite": true}),
        ),
        ("vault_update_memory", json!({"file": "New", "section": "A", "entry": "b"})),
    ]
}

/// The arguments with one more.
pub(crate) fn with(arguments: &Value, name: &str, value: impl Into<Value>) -> Value {
    let mut arguments = arguments.clone();
    arguments[name] = value.into();
    arguments
}

/// A call that succeeds and may change the vault.
#[track_caller]
pub(crate) fn done(server: &Server, tool: &str, arguments: Value) -> Answer {
    let answer = server.call(tool, arguments.clone());
    assert!(!answer.is_error(), "{tool} {arguments}: {}", answer.text());
    server.vault().accept();
    answer
}

/// A call that is refused with all these words and changes nothing.
#[track_caller]
pub(crate) fn refused(server: &Server, tool: &str, arguments: Value, words: &[&str]) -> String {
    let before = server.vault().state();
    let answer = server.call(tool, arguments.clone());
    assert!(answer.is_error(), "{tool} {arguments} was not refused: {}", answer.text());
    let error = answer.error();
    for word in words {
        assert!(error.contains(word), "{tool} {arguments}: no {word:?} in {error:?}");
    }
    let root = server.vault().root().to_str().unwrap();
    assert!(arguments.to_string().contains(root) || !error.contains(root), "a path of the machine: {error}");
    assert!(server.vault().state() == before, "{tool} {arguments}: the vault was touched: {error}");
    error
}

#[track_caller]
pub(crate) fn text_of(server: &Server, path: &str) -> String {
    String::from_utf8(server.vault().read(path)).unwrap()
}

/// The hash of a note as reading it answers.
#[track_caller]
pub(crate) fn hash_of(server: &Server, path: &str) -> String {
    let read = server.call("vault_read_note", json!({"path": path}));
    read.structured()["hash"].as_str().unwrap().to_owned()
}

/// How many changes the journal has.
#[track_caller]
pub(crate) fn changes(server: &Server) -> u64 {
    server.call("vault_history", json!({})).structured()["total"].as_u64().unwrap()
}
