//! The journal from the terminal, beside a running server and without one.

use std::time::Duration;

use harness::{Server, TestServer, TestVault, eventually};
use serde_json::{Value, json};

fn serve() -> Server {
    let vault = TestVault::new().note("About Me/Me.md", "# Me\n").note("A.md", "first words\r\n");
    TestServer::start().with_vault(vault).ready()
}

fn overwrite(server: &Server, body: &str) -> Value {
    let arguments = json!({"path": "A.md", "body": body, "overwrite": true});
    let written = server.call("vault_write_note", arguments).structured().clone();
    server.vault().accept();
    written
}

fn note(server: &Server) -> String {
    server.vault().accept();
    String::from_utf8(server.vault().read("A.md")).unwrap()
}

fn finds(server: &Server, word: &str) -> bool {
    server.call("vault_search", json!({"query": word})).list("results", "path").contains(&"A.md".to_owned())
}

#[test]
fn history_and_undo_work_beside_a_running_server() {
    let server = serve();
    let settings = server.settings();
    let nothing = settings.command(&["history"]).success().stdout;
    assert!(nothing.contains("No such changes") || nothing.contains("Nothing was changed"), "{nothing}");
    let change = overwrite(&server, "second words")["change"].to_string();

    let listed = settings.command(&["history"]).success().stdout;
    assert!(listed.contains("A.md") && listed.contains("vault_write_note by static-token"), "{listed}");
    let json = settings.command(&["history", "A.md", "--json"]).success().json();
    assert_eq!(json["changes"][0]["change"].to_string(), change);
    let diff = settings.command(&["history", "--diff", &change]).success().stdout;
    assert!(diff.contains("+second words"), "{diff}");

    let dry = settings.command(&["undo", &change, "--dry-run"]).success().stdout;
    assert!(dry.contains("would change A.md") && dry.contains("-second words"), "{dry}");
    assert!(finds(&server, "second"));

    settings.command(&["undo", &change]).success();
    assert_eq!(note(&server), "first words\r\n");
    eventually("the server sees the undo", Duration::from_secs(20), || finds(&server, "first").then_some(()));
    // The server's own journal has it: one journal for both.
    let history = server.call("vault_history", json!({}));
    let newest = &history.structured()["changes"][0];
    assert_eq!((&newest["principal"], &newest["tool"]), (&json!("command-line"), &json!("undo")));
    settings.command(&["undo", &change]).fails_naming(&["undone already"]);
}

#[test]
fn an_undo_that_meets_a_later_change_says_so_and_merges_when_told() {
    let server = serve();
    let settings = server.settings();
    let lines = |first: &str, last: &str| format!("{first}\n2\n3\n4\n5\n6\n7\n{last}\n");
    overwrite(&server, &lines("1", "8"));
    let change = overwrite(&server, &lines("one", "8"))["change"].to_string();
    overwrite(&server, &lines("one", "eight"));
    settings.command(&["undo", &change]).fails_naming(&["has changed since", "--merge"]);
    settings.command(&["undo", &change, "--merge"]).success();
    assert_eq!(note(&server).replace("\r\n", "\n"), lines("1", "eight"));
}

#[test]
fn everything_of_a_principal_goes_back_and_wrong_command_lines_are_refused() {
    let server = serve();
    let settings = server.settings();
    overwrite(&server, "second");
    overwrite(&server, "third");
    for wrong in [
        &["undo"][..],
        &["undo", "--by", "static-token"],
        &["undo", "1", "--by", "x", "--since", "2020-01-01"],
        &["history", "--limit", "0"],
    ] {
        assert_eq!(settings.command(wrong).code, Some(2), "{wrong:?}");
    }
    settings.command(&["history", "--since", "soon"]).fails_naming(&["--since"]);
    settings.command(&["undo", "999"]).fails_naming(&["999", "not in the journal"]);
    settings.command(&["undo", "--by", "static-token", "--since", "2020-01-01"]).success();
    assert_eq!(note(&server), "first words\r\n");
}

#[test]
fn a_read_only_server_shows_the_journal_that_another_left_and_changes_nothing() {
    let server = serve();
    overwrite(&server, "second");
    let arguments = json!({});
    assert_eq!(server.call("vault_history", arguments.clone()).structured()["total"], 1);
    let read_only = TestServer::start()
        .with_vault(TestVault::at(server.vault().root()))
        .with_env("JOURNAL_DIR", server.settings().index_path().parent().unwrap())
        .with_env("READONLY_MODE", "true")
        .ready();
    let names: Vec<String> =
        read_only.tools().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
    assert!(names.contains(&"vault_history".to_owned()) && !names.contains(&"vault_undo".to_owned()));
    assert_eq!(read_only.call("vault_history", arguments).structured()["total"], 1);
}

#[test]
fn a_server_whose_journal_cannot_be_opened_reads_and_says_why_it_does_not_write() {
    let vault = TestVault::new().note("About Me/Me.md", "# Me\n").note("A.md", "words\n");
    let settings = TestServer::start().with_vault(vault);
    let folder = settings.data().join("journal");
    std::fs::create_dir_all(folder.join("journal.db")).unwrap();
    let server = settings.with_env("JOURNAL_DIR", folder).ready();
    assert!(!server.call("vault_read_note", json!({"path": "A.md"})).is_error());
    let refused = server.call("vault_write_note", json!({"path": "B.md", "body": "x"}));
    let error = refused.error();
    assert!(error.contains("nothing can be changed") && error.contains("journal"), "{error}");
    let data = server.settings().data().to_str().unwrap().to_owned();
    assert!(!error.contains(&data), "a path of the machine: {error}");
    assert!(!server.vault().root().join("B.md").exists());
}
