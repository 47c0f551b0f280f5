//! Memory over the wire: the first files of a vault without memory, and entries that are written and deleted.

use std::time::Duration;

use harness::{Server, TestServer, TestVault, eventually};
use serde_json::{Value, json};

const FILES: [&str; 5] = ["Agents", "Me", "Opinions", "Principles", "Routines"];

fn memory_files(server: &Server) -> Vec<String> {
    server.call("vault_list_memory_files", json!({})).list("files", "file")
}

/// Waits until the server has made its first files.
#[track_caller]
fn wait_for_files(server: &Server) {
    eventually("the first memory files", Duration::from_secs(20), || {
        (memory_files(server) == FILES).then_some(())
    });
}

/// A vault with a note and without memory.
fn without_memory() -> TestVault {
    TestVault::bare().note("Note.md", "# Note\n")
}

/// The server has opened its journal, which comes before anything it makes, and looks for memory at once.
fn wait_for_writer(server: &Server) {
    let dry = json!({"path": "Probe.md", "body": "x", "dry_run": true});
    server.call("vault_write_note", dry).structured();
}

#[test]
fn a_vault_without_memory_gets_its_first_files_once() {
    let server = TestServer::start().with_vault(without_memory()).ready();
    wait_for_files(&server);
    let listed = server.call("vault_list_memory_files", json!({}));
    for file in listed.structured()["files"].as_array().unwrap() {
        assert_eq!(file["leading_callout"]["type"], "info", "{file}");
        assert_eq!(file["leading_callout"]["title"], "Scope of this file", "{file}");
        let policy = if file["file"] == "Routines" { "living" } else { "append-only" };
        assert_eq!(file["entry_policy"], policy, "{file}");
    }
    let history = server.call("vault_history", json!({}));
    let changes = history.structured().clone();
    assert_eq!(changes["total"], 5, "{changes}");
    assert_eq!(changes.to_string().matches("memory_start").count(), 5, "{changes}");
    assert!(server.call("vault_find_orphans", json!({})).list("notes", "path") == ["Note.md"]);
    let entry = json!({"file": "Me", "section": "Facts", "entry": "lives by the sea"});
    assert!(!server.call("vault_update_memory", entry).is_error());
    server.vault().accept();

    // What the owner takes away stays away.
    let stopped = server.stop();
    for file in FILES {
        stopped.vault().remove(&format!("About Me/{file}.md"));
    }
    stopped.vault().accept();
    let again = stopped.ready();
    wait_for_writer(&again);
    assert!(memory_files(&again).is_empty());
}

#[test]
fn no_first_files_where_they_are_not_wanted() {
    let bare = TestServer::start().with_vault(TestVault::bare()).ready();
    wait_for_writer(&bare);
    let off = TestServer::start().with_vault(without_memory()).with_env("MEMORY_ENABLED", "false").ready();
    wait_for_writer(&off);
    let read_only =
        TestServer::start().with_vault(without_memory()).with_env("READONLY_MODE", "true").ready();
    assert!(memory_files(&read_only).is_empty());
    let other_case = TestVault::bare().note("about me/Mine.md", "## A\n");
    let kept = TestServer::start().with_vault(other_case).ready();
    wait_for_writer(&kept);
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(memory_files(&kept), ["Mine"]);
    // Each vault is found untouched when its server stops.
    for server in [bare, off, read_only, kept] {
        server.stop();
    }
}

#[test]
fn the_folder_of_the_first_files_is_a_setting_and_nothing_is_overwritten() {
    let vault = without_memory().note("About Me/Me.md", "mine\n");
    let server = TestServer::start().with_vault(vault).with_env("MEMORY_DIR", "Deep/Memory").ready();
    wait_for_files(&server);
    assert_eq!(server.vault().read("About Me/Me.md"), b"mine\n");
    assert!(server.vault().path("Deep/Memory/Me.md").is_file());
    server.vault().accept();
}

#[test]
fn servers_that_start_at_once_make_each_file_once() {
    let vault = without_memory();
    let first = TestServer::start().with_vault(vault.clone());
    let journal = first.data().join("journal");
    let start = |server: TestServer| server.with_env("JOURNAL_DIR", &journal).listening();
    let servers: Vec<Server> = std::thread::scope(|scope| {
        let settings = [
            first,
            TestServer::start().with_vault(vault.clone()),
            TestServer::start().with_vault(vault.clone()),
        ];
        let starting: Vec<_> = settings.map(|server| scope.spawn(|| start(server))).into();
        starting.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for server in &servers {
        wait_for_files(server);
    }
    let changes = servers[0].call("vault_history", json!({})).structured().clone();
    assert_eq!(changes["total"], 5, "{changes}");
    vault.accept();
}

#[test]
fn hidden_tools_cannot_be_called() {
    let server = TestServer::start().with_env("MEMORY_ENABLED", "false").ready();
    for tool in ["vault_update_memory", "vault_delete_memory"] {
        let call = server.rpc("tools/call", json!({"name": tool, "arguments": {}}));
        assert_eq!(call["error"]["code"], -32602, "{call}");
    }
}

#[test]
fn entries_live_in_the_servers_day() {
    // It is never the same day in these two places.
    let day = |zone: &str| -> Value {
        let server = TestServer::start().with_vault(TestVault::new()).with_env("TZ", zone).ready();
        let told = server.call("vault_update_memory", json!({"file": "Me", "section": "A", "entry": "b"}));
        let day = told.structured()["date"].clone();
        server.vault().accept();
        day
    };
    assert_ne!(day("Etc/GMT+12"), day("Etc/GMT-14"));
}

#[test]
fn what_is_remembered_is_recalled_and_what_is_deleted_is_not() {
    let vault = TestVault::new().note("About Me/Me.md", "## Food\n\n- **2026-01-01**: Likes rye bread\n");
    let server = TestServer::start().with_vault(vault).ready();
    let recalled =
        |query: &str| server.call("vault_memory_recall", json!({"query": query})).list("entries", "text");
    let options = json!({"date": "2026-02-02"});
    let entry = json!({"file": "Me", "section": "food", "entry": "Likes pumpernickel", "options": options});
    let answer = server.call("vault_update_memory", entry.clone());
    assert_eq!(answer.text(), "Added entry to About Me/Me.md → ## Food");
    assert_eq!(recalled("pumpernickel"), ["- **2026-02-02**: Likes pumpernickel"]);
    let again = server.call("vault_update_memory", entry);
    assert!(again.text().contains("already exists"), "{}", again.text());
    let entry = json!({"file": "Me", "section": "Food", "date": "2026-01-01", "entry": "Likes rye bread"});
    let answer = server.call("vault_delete_memory", entry);
    assert_eq!(answer.text(), "Deleted entry from About Me/Me.md → ## Food");
    assert!(recalled("rye").is_empty());
    assert_eq!(server.vault().read("About Me/Me.md"), b"## Food\n\n- **2026-02-02**: Likes pumpernickel\n");
    server.vault().accept();
}
