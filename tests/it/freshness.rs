//! Edits from outside: found soon, and what is gone is never answered.

use std::time::{Duration, Instant};

use harness::{Server, TestServer, TestVault, eventually, never_within};
use serde_json::json;

/// The watcher waits so long for an editor to finish.
const DEBOUNCE: Duration = Duration::from_millis(500);

/// An edit is found within a second of the debounce.
const SOON: Duration = Duration::from_millis(1_500);

/// What a busy machine may add before a test calls it a fault.
const PATIENCE: Duration = Duration::from_secs(5);

fn server() -> Server {
    let vault = TestVault::new()
        .note("a.md", "alphaword")
        .note("folder/b.md", "betaword [[a]]")
        .note("c.md", "gammaword");
    TestServer::start().with_vault(vault).ready()
}

#[test]
fn an_edit_is_found_within_a_second_of_the_debounce() {
    let server = server();
    assert!(SOON > DEBOUNCE + Duration::from_millis(900));
    let mut times = Vec::new();
    for round in 0..5 {
        let word = format!("editedword{round}");
        server.vault().write("a.md", &word);
        let start = Instant::now();
        server.wait_for_hit(&word, "a.md", PATIENCE);
        times.push(start.elapsed());
    }
    times.sort();
    assert!(times[times.len() / 2] <= SOON, "{times:?}");
    assert!(!server.finds("alphaword", "a.md"), "the old text is gone");
}

#[test]
fn a_new_note_is_found_in_an_old_and_in_a_new_folder() {
    let server = server();
    server.vault().write("folder/new.md", "newword");
    server.wait_for_hit("newword", "folder/new.md", PATIENCE);
    // Folders that appear with their notes: the watch on a new folder begins after its first files.
    server.vault().write("brand/new/folder/deep.md", "deepword");
    server.vault().write("brand/new/shallow.md", "shallowword");
    server.wait_for_hit("deepword", "brand/new/folder/deep.md", PATIENCE);
    server.wait_for_hit("shallowword", "brand/new/shallow.md", PATIENCE);
}

#[test]
fn a_deleted_note_is_never_answered() {
    let server = server();
    server.vault().remove("a.md");
    // Even before the watcher has heard of it.
    let answer = server.call("vault_read_note", json!({"path": "a.md"}));
    assert!(answer.error().contains("not found"), "{}", answer.text());
    eventually("it is gone from the search", PATIENCE, || (!server.finds("alphaword", "a.md")).then_some(()));
    never_within("it comes back", Duration::from_secs(2), || server.finds("alphaword", "a.md"));
    let links = server.call("vault_get_outgoing_links", json!({"path": "folder/b.md"}));
    assert_eq!(links.structured()["outgoing_links"][0]["exists"], false);
}

#[test]
fn a_deleted_folder_takes_all_its_notes_with_it() {
    let vault = (0..20).fold(TestVault::new().note("stay.md", "commonword"), |vault, number| {
        vault.note(&format!("gone/deep/{number}.md"), "commonword")
    });
    let server = TestServer::start().with_vault(vault).ready();
    server.vault().remove("gone");
    eventually("only the other note is left", PATIENCE, || {
        let answer = server.call("vault_fts_search", json!({"query": "commonword", "max_results": 50}));
        (answer.list("results", "path") == ["stay.md"]).then_some(())
    });
}

/// An editor writes a temporary file and renames it over the note.
#[test]
fn a_save_by_rename_is_an_edit() {
    let server = server();
    for round in 0..3 {
        let word = format!("renamedword{round}");
        server.vault().save_by_rename("a.md", &word);
        server.wait_for_hit(&word, "a.md", PATIENCE);
    }
    let status = server.call("index_status", json!({}));
    assert_eq!(status.structured()["notes"], 3, "no temporary file is indexed");
    assert_eq!(status.structured()["files"], 0, "no temporary file is indexed");
}

#[test]
fn a_renamed_note_is_found_under_its_new_name_only() {
    let server = server();
    server.vault().rename("a.md", "folder/renamed.md");
    server.wait_for_hit("alphaword", "folder/renamed.md", PATIENCE);
    eventually("the old path is gone", PATIENCE, || (!server.finds("alphaword", "a.md")).then_some(()));
}

#[test]
fn a_renamed_folder_moves_all_its_notes() {
    let vault = (0..20)
        .fold(TestVault::new(), |vault, number| vault.note(&format!("old/deep/{number}.md"), "commonword"));
    let server = TestServer::start().with_vault(vault).ready();
    server.vault().rename("old", "new");
    eventually("all paths are new", PATIENCE, || {
        let paths = server
            .call("vault_fts_search", json!({"query": "commonword", "max_results": 50}))
            .list("results", "path");
        (paths.len() == 20 && paths.iter().all(|path| path.starts_with("new/deep/"))).then_some(())
    });
}

#[test]
fn a_rename_that_changes_only_case_is_followed() {
    let server = server();
    server.vault().rename("a.md", "A.md");
    server.wait_for_hit("alphaword", "A.md", PATIENCE);
    eventually("the old spelling is gone", PATIENCE, || (!server.finds("alphaword", "a.md")).then_some(()));
}

/// Size and time the same, other bytes: only the hash can tell, and the watcher's event says so.
#[test]
fn an_edit_that_keeps_size_and_time_is_found() {
    let vault = TestVault::new().note("a.md", "oneoneone").modified("a.md", 1_700_000_000);
    let server = TestServer::start().with_vault(vault).ready();
    // What looks over the vault trusts size and time; only an event asks for the content.
    eventually("the vault is watched", PATIENCE, || {
        let status = server.call("index_status", json!({}));
        (status.structured()["watcher"]["state"] == "watching").then_some(())
    });
    server.vault().write("a.md", "twotwotwo");
    server.vault().set_modified("a.md", std::time::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    server.wait_for_hit("twotwotwo", "a.md", PATIENCE);
}

#[test]
fn many_edits_at_once_are_all_found() {
    let server = TestServer::start().ready();
    for number in 0..300 {
        server.vault().write(&format!("batch/{number}.md"), format!("batchword number{number}x"));
    }
    eventually("all 300 are counted", Duration::from_secs(20), || {
        let answer = server.call("vault_fts_search", json!({"query": "batchword"}));
        (answer.structured()["total"] == 300).then_some(())
    });
    assert!(server.finds("number299x", "batch/299.md"));
}

#[test]
fn an_edit_is_seen_by_tags_and_links_too() {
    let server = server();
    server.vault().write("c.md", "#freshtag [[a]]");
    eventually("the tag is there", PATIENCE, || {
        let tags = server.call("vault_list_tags", json!({})).list("tags", "tag");
        (tags == ["freshtag"]).then_some(())
    });
    let backlinks = server.call("vault_get_backlinks", json!({"path": "a.md"}));
    assert_eq!(backlinks.structured()["count"], 2);
}

#[test]
fn hidden_files_stay_unseen_while_running() {
    let server = server();
    server.vault().write(".obsidian/plugins/x.md", "hiddenword");
    server.vault().write(".trash/a.md", "hiddenword");
    server.vault().write("seen.md", "seenword");
    server.wait_for_hit("seenword", "seen.md", PATIENCE);
    let answer = server.call("vault_fts_search", json!({"query": "hiddenword"}));
    assert_eq!(answer.structured()["total"], 0);
    // A note that is moved to the trash is gone.
    server.vault().rename("seen.md", ".trash/seen.md");
    eventually("it is gone", PATIENCE, || (!server.finds("seenword", "seen.md")).then_some(()));
}

/// Polling, for file systems that report nothing.
#[test]
fn a_polled_vault_is_fresh_too() {
    let vault = TestVault::new().note("a.md", "alphaword");
    let server = TestServer::start().with_vault(vault).with_env("WINDOWS_MODE", "true").ready();
    server.vault().write("a.md", "polledword");
    server.wait_for_hit("polledword", "a.md", PATIENCE);
    server.vault().write("new/b.md", "polledtoo");
    server.wait_for_hit("polledtoo", "new/b.md", PATIENCE);
    server.vault().remove("new");
    eventually("it is gone", PATIENCE, || (!server.finds("polledtoo", "new/b.md")).then_some(()));
}
