//! Deleting: Obsidian's own setting, its numbering, and the sweep.

use std::path::Path;
use std::time::Duration;

use harness::{Server, TestServer, TestVault, eventually, python_client};
use serde_json::{Value, json};

use super::{done, refused, serve, text_of};

const SETTINGS: &str = ".obsidian/app.json";

fn trash_option(name: &str) -> String {
    format!("{{\"trashOption\": \"{name}\", \"promptDelete\": false}}")
}

#[track_caller]
fn delete(server: &Server, path: &str) -> Value {
    done(server, "vault_delete_note", json!({"path": path})).structured().clone()
}

/// What the trash holds, by name.
fn trash(server: &Server) -> Vec<(String, String)> {
    let Ok(entries) = std::fs::read_dir(server.vault().path(".trash")) else { return Vec::new() };
    let mut found: Vec<_> = entries
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    found.sort();
    found
}

fn names(server: &Server) -> Vec<String> {
    trash(server).into_iter().map(|(name, _)| name).collect()
}

/// The setting is read for every call: Obsidian may change it at any time.
#[test]
fn obsidians_setting_decides_and_is_read_for_every_call() {
    let vault = (1..=6).fold(TestVault::new(), |vault, number| vault.note(&format!("{number}.md"), "x\n"));
    let server = serve(vault);
    // Without a setting: Obsidian's default, the system's trash, which a server has in the vault.
    assert_eq!(delete(&server, "1.md")["trashed_to"], ".trash/1.md");
    for (setting, path, kept) in [
        (trash_option("system"), "2.md", true),
        (trash_option("local"), "3.md", true),
        (trash_option("none"), "4.md", false),
        ("{\"trashOption\": null}".to_owned(), "5.md", true),
        // What cannot be read does not make a delete final.
        ("{".to_owned(), "6.md", true),
    ] {
        server.vault().write(SETTINGS, &setting);
        let told = delete(&server, path);
        let expected = if kept { json!(format!(".trash/{path}")) } else { Value::Null };
        assert_eq!(told["trashed_to"], expected, "{setting}");
        assert!(!server.vault().path(path).exists());
    }
    assert_eq!(names(&server), ["1.md", "2.md", "3.md", "5.md", "6.md"]);
}

#[test]
fn what_no_trash_keeps_the_journal_has() {
    let vault =
        TestVault::new().note(SETTINGS, &trash_option("none")).bytes("In/A.md", "\u{feff}a\r\nb".as_bytes());
    let server = serve(vault);
    let change = delete(&server, "In/A.md")["change"].clone();
    assert!(trash(&server).is_empty());
    done(&server, "vault_undo", json!({"change": change}));
    assert_eq!(server.vault().read("In/A.md"), "\u{feff}a\r\nb".as_bytes());
}

#[test]
fn the_trash_is_flat_and_numbered_as_obsidian_numbers() {
    let vault = TestVault::new()
        .note("n.md", "top\n")
        .note("a/n.md", "a\n")
        .note("a/b/n.md", "b\n")
        .note("c/N.md", "c\n")
        .note("c/n 2.md", "named so\n")
        .note(".trash/n.md", "theirs\n")
        .note(".trash/folder/n.md", "theirs\n");
    vault.remove(".trash/folder");
    let server = serve(vault);
    assert_eq!(delete(&server, "n.md")["trashed_to"], ".trash/n 2.md");
    assert_eq!(delete(&server, "a/n.md")["trashed_to"], ".trash/n 3.md");
    assert_eq!(delete(&server, "a/b/n.md")["trashed_to"], ".trash/n 4.md");
    assert_eq!(delete(&server, "c/N.md")["trashed_to"], ".trash/N.md");
    assert_eq!(delete(&server, "c/n 2.md")["trashed_to"], ".trash/n 2 2.md");
    let text = |name: &str| text_of(&server, &format!(".trash/{name}"));
    assert_eq!(text("n.md"), "theirs\n");
    assert_eq!(text("n 2.md"), "top\n");
    assert_eq!(text("n 3.md"), "a\n");
    assert_eq!(text("n 4.md"), "b\n");
    assert_eq!(text("n 2 2.md"), "named so\n");
}

#[test]
fn what_is_in_the_trash_is_out_of_reach() {
    let server = serve(TestVault::new().note("A.md", "zebra\n").note("B.md", "[[A]]\n"));
    delete(&server, "A.md");
    assert!(!server.finds("zebra", ".trash/A.md") && !server.finds("zebra", "A.md"));
    for (tool, arguments) in [
        ("vault_delete_note", json!({"path": ".trash/A.md"})),
        ("vault_move_note", json!({"old_path": ".trash/A.md", "new_path": "C.md"})),
        ("vault_move_note", json!({"old_path": "B.md", "new_path": ".trash/B.md"})),
        ("vault_write_note", json!({"path": ".trash/C.md", "body": "x"})),
        ("vault_patch_note", json!({"path": ".trash/A.md", "operation": "append", "content": "x"})),
    ] {
        refused(&server, tool, arguments, &["hidden"]);
    }
}

#[test]
fn a_trash_that_leads_elsewhere_takes_nothing() {
    let vault = TestVault::new().note("A.md", "a\n").outside_file("keep", "x");
    let outside = vault.outside("");
    let server = serve(vault.symlink(".trash", &outside));
    refused(&server, "vault_delete_note", json!({"path": "A.md"}), &["A.md", ".trash is not a folder"]);
    assert!(!outside.join("A.md").exists());
}

#[test]
fn an_undone_delete_brings_the_note_and_leaves_the_trash() {
    let server = serve(TestVault::new().note("A.md", "zebra\n"));
    let change = delete(&server, "A.md")["change"].clone();
    done(&server, "vault_undo", json!({"change": change}));
    assert!(server.finds("zebra", "A.md"));
    assert_eq!(text_of(&server, "A.md"), "zebra\n");
    delete(&server, "A.md");
    assert_eq!(trash(&server).len(), 2);
}

/// Makes the journal believe that everything in the trash came there so many days earlier; whether it could.
fn age(journal: &Path, days: u64) -> bool {
    python_client("age_trash.py", &[journal.into(), days.to_string().into()]).is_some()
}

#[test]
fn the_sweep_takes_what_the_server_put_there_when_its_time_is_over_and_nothing_else() {
    let vault = TestVault::new()
        .note("system.md", "1\n")
        .note("changed.md", "2\n")
        .note("local.md", "3\n")
        .note("young.md", "4\n")
        .note("undone.md", "5\n")
        .note(".trash/theirs.md", "theirs\n");
    let server = serve(vault);
    for path in ["system.md", "changed.md"] {
        delete(&server, path);
    }
    let undone = delete(&server, "undone.md")["change"].clone();
    done(&server, "vault_undo", json!({"change": undone}));
    server.vault().write(SETTINGS, trash_option("local"));
    delete(&server, "local.md");
    server.vault().write(".trash/changed.md", "2, and more\n");
    let journal = server.settings().index_path().parent().unwrap().join("journal.db");
    if !age(&journal, 0) {
        server.vault().accept();
        return;
    }
    let restart = |server: Server, days: u64| {
        let settings = server.stop().with_env("TRASH_RETENTION_DAYS", "10");
        age(&journal, days);
        let server = settings.ready();
        // The sweep comes before the first change at the latest: both wait for the journal.
        eventually("the sweep", Duration::from_secs(20), || {
            let swept = !server.vault().path(".trash/system.md").exists();
            (swept || days < 10).then_some(())
        });
        server.vault().accept();
        server
    };
    let server = restart(server, 9);
    assert_eq!(names(&server), ["changed.md", "local.md", "system.md", "theirs.md", "undone.md"]);
    server.vault().write(SETTINGS, trash_option("system"));
    let server = restart(server, 1);
    delete(&server, "young.md");
    let server = restart(server, 9);
    assert_eq!(names(&server), ["changed.md", "local.md", "theirs.md", "young.md"]);
    assert!(server.vault().path("undone.md").is_file());
    // What the sweep took, the journal still has.
    let history = server.call("vault_history", json!({"path": "system.md"}));
    let change = history.structured()["changes"][0]["change"].clone();
    done(&server, "vault_undo", json!({"change": change}));
    assert_eq!(text_of(&server, "system.md"), "1\n");
}

#[test]
fn a_server_that_only_reads_sweeps_nothing() {
    let server = serve(TestVault::new().note("A.md", "a\n"));
    delete(&server, "A.md");
    let journal = server.settings().index_path().parent().unwrap().join("journal.db");
    let settings: TestServer = server.stop().with_env("READONLY_MODE", "true");
    age(&journal, 40);
    let server = settings.ready();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(names(&server), ["A.md"]);
}
