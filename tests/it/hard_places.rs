//! Where noticing changes is hard: thousands of files at once, events that the system loses, a limit on
//! what it watches, links in circles, notes that come back.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use harness::{Server, TestServer, TestVault, eventually};
use serde_json::{Value, json};

/// What a busy machine may add before a test calls it a fault.
const PATIENCE: Duration = Duration::from_secs(30);

/// Queries whose answers show what is indexed.
const QUERIES: [&str; 4] = ["word", "common", "branch", "number77"];

fn status(server: &Server) -> Value {
    server.call("index_status", json!({})).structured().clone()
}

fn total(server: &Server, query: &str) -> u64 {
    server.call("vault_fts_search", json!({"query": query})).structured()["total"].as_u64().unwrap()
}

fn watching(server: &Server) {
    eventually("the vault is watched", PATIENCE, || {
        (status(server)["watcher"]["state"] == "watching").then_some(())
    });
}

/// What is indexed, as far as answers show it.
fn contents(server: &Server) -> Value {
    let status = status(server);
    let counts: Vec<&Value> =
        ["notes", "files", "links", "unresolved_links", "tags"].map(|name| &status[name]).to_vec();
    json!([
        counts,
        QUERIES.map(|query| {
            let answer = server.call("vault_fts_search", json!({"query": query, "max_results": 50}));
            json!([answer.structured()["total"], answer.list("results", "path")])
        })
    ])
}

/// Asserts that a server which starts without an index finds the same, and stops both.
#[track_caller]
fn equals_a_rebuild(server: Server) {
    let found = contents(&server);
    server.vault().accept();
    let settings = server.stop();
    let elsewhere = settings.data().join("index").join("anew.db");
    let rebuilt = settings.with_env("INDEX_DB_PATH", elsewhere).ready();
    assert_eq!(found, contents(&rebuilt));
}

#[track_caller]
fn git(root: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "gc.auto=0"])
        .args(arguments)
        .current_dir(root)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", root)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("git runs");
    assert!(done.success(), "git {arguments:?}: {done}");
}

#[test]
fn a_checkout_of_thousands_of_notes() {
    const NOTES: usize = 3_000;
    let vault = TestVault::new();
    let root = vault.root().to_path_buf();
    let name = |number: usize| format!("{}/{}/{number}.md", number % 7, number % 31);
    for number in 0..NOTES {
        vault.write(
            &name(number),
            format!("common mainbranch word [[{}]] #t{}", (number + 1) % NOTES, number % 9),
        );
    }
    git(&root, &["init", "-q", "-b", "main"]);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "main"]);
    git(&root, &["checkout", "-q", "-b", "other"]);
    for number in 0..NOTES {
        match number % 3 {
            0 => vault.write(&name(number), format!("common otherbranch number{number}")),
            1 => std::fs::remove_file(root.join(name(number))).unwrap(),
            _ => vault.write(&format!("added/{number}.md"), format!("common otherbranch [[{number}]]")),
        }
    }
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "other"]);
    git(&root, &["checkout", "-q", "main"]);
    vault.accept();
    let server = TestServer::start().with_vault(vault).ready();
    watching(&server);
    assert_eq!((total(&server, "mainbranch"), total(&server, "otherbranch")), (3_000, 0));

    git(&root, &["checkout", "-q", "other"]);
    eventually("the other branch is indexed", PATIENCE, || {
        (total(&server, "otherbranch") == 2_000 && total(&server, "mainbranch") == 1_000).then_some(())
    });
    // There and back, and there again before anybody has looked.
    git(&root, &["checkout", "-q", "main"]);
    git(&root, &["checkout", "-q", "other"]);
    git(&root, &["checkout", "-q", "main"]);
    eventually("the main branch is indexed", PATIENCE, || {
        (total(&server, "mainbranch") == 3_000 && total(&server, "otherbranch") == 0).then_some(())
    });
    equals_a_rebuild(server);
}

/// The system keeps a queue of events for a program, and drops what does not fit.
#[test]
fn events_that_the_system_loses() {
    let Some(queue) = number_in("/proc/sys/fs/inotify/max_queued_events").filter(|queue| *queue <= 50_000)
    else {
        println!("skipped: the system's queue of events is unknown, or too long to be filled");
        return;
    };
    let vault = (0..40).fold(TestVault::new(), |vault, number| vault.note(&format!("{number}.md"), "before"));
    let server = TestServer::start().with_vault(vault).ready();
    watching(&server);
    server.pause();
    // Equal events in a row are one; each write is at least one that differs from the last.
    for round in 0..=queue / 40 {
        for number in 0..40 {
            let text = if number < 20 { format!("round{round}") } else { "after".to_owned() };
            std::fs::write(server.vault().path(&format!("{number}.md")), text).unwrap();
        }
    }
    // None of these has a place in the queue any more.
    std::fs::remove_file(server.vault().path("39.md")).unwrap();
    server.vault().write("late/folder/note.md", "forgotten [[1]]");
    server.resume();
    eventually("what was lost is found", PATIENCE, || {
        (total(&server, "forgotten") == 1 && total(&server, "after") == 19 && total(&server, "before") == 0)
            .then_some(())
    });
    server.vault().write("late/folder/note.md", "remembered");
    server.wait_for_hit("remembered", "late/folder/note.md", PATIENCE);
    equals_a_rebuild(server);
}

/// Linux gives each user a number of folders to watch. The test lowers it for its own server, in a
/// user namespace.
#[test]
fn the_limit_on_watched_folders() {
    let lowered = ["unshare", "--user", "--map-root-user", "sh", "-c"];
    let script = "echo 8 > /proc/sys/user/max_inotify_watches && exec \"$0\" \"$@\"";
    let launcher: Vec<&str> = lowered.into_iter().chain([script]).collect();
    let possible = Command::new("unshare").args(&launcher[1..]).arg("true").stderr(Stdio::null()).status();
    if !possible.is_ok_and(|status| status.success()) {
        println!("skipped: the limit on watched folders cannot be lowered here");
        return;
    }
    let vault = (0..30)
        .fold(TestVault::new(), |vault, number| vault.note(&format!("folder {number}/note.md"), "alphaword"));
    let server = TestServer::start()
        .with_vault(vault)
        .with_env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .launched_by(&launcher)
        .ready();
    let watcher = eventually("the vault is looked over instead", PATIENCE, || {
        let watcher = status(&server)["watcher"].clone();
        (watcher["state"] == "polling").then_some(watcher)
    });
    let reason = watcher["reason"].as_str().unwrap();
    assert!(reason.contains("fs.inotify.max_user_watches"), "it says what to raise: {watcher}");
    let told = server.log().iter().filter(|line| line.text.contains("max_user_watches")).count();
    assert_eq!(told, 1, "it is told once, and the log says what to do");
    server.vault().write("folder 29/note.md", "polledword");
    server.wait_for_hit("polledword", "folder 29/note.md", PATIENCE);
    server.vault().write("new folder/note.md", "newword");
    server.wait_for_hit("newword", "new folder/note.md", PATIENCE);
}

#[test]
fn links_in_circles_that_appear_while_serving() {
    let vault = TestVault::new().note("a/b/note.md", "word");
    let server = TestServer::start().with_vault(vault).ready();
    watching(&server);
    let link = |from: &str, to: &str| std::os::unix::fs::symlink(to, server.vault().path(from)).unwrap();
    link("a/b/up", "../..");
    link("a/b/self", "self");
    link("ping", "pong");
    link("pong", "ping");
    link("copy", "a");
    server.vault().write("a/b/second.md", "word");
    server.wait_for_hit("word", "a/b/second.md", PATIENCE);
    server.vault().accept();
    eventually("each note is there once", PATIENCE, || (total(&server, "word") == 2).then_some(()));
    equals_a_rebuild(server);
}

#[test]
fn a_note_that_comes_back_unchanged_or_older() {
    let vault = TestVault::new()
        .note("same.md", "sameword")
        .modified("same.md", 1_700_000_000)
        .note("old.md", "newerword")
        .note("from.md", "[[same]] [[old]]");
    let server = TestServer::start().with_vault(vault).ready();
    watching(&server);
    for round in 0..3 {
        server.vault().remove("same.md");
        server.vault().remove("old.md");
        eventually("both are gone", PATIENCE, || {
            (total(&server, "sameword") == 0 && total(&server, "newerword") == 0).then_some(())
        });
        server.vault().write("same.md", "sameword");
        server.vault().set_modified("same.md", SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
        // A backup puts the note back as it was years before.
        server.vault().write("old.md", format!("olderword{round}x"));
        server
            .vault()
            .set_modified("old.md", SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000 + round));
        server.wait_for_hit("sameword", "same.md", PATIENCE);
        server.wait_for_hit(&format!("olderword{round}x"), "old.md", PATIENCE);
        server.vault().write("old.md", "newerword");
        server.wait_for_hit("newerword", "old.md", PATIENCE);
    }
    let backlinks = server.call("vault_get_backlinks", json!({"path": "same.md"}));
    assert_eq!(backlinks.structured()["count"], 1);
    equals_a_rebuild(server);
}

#[test]
fn names_that_change_in_case_only() {
    let vault = (0..20).fold(TestVault::new().note("from.md", "[[note 7]]"), |vault, number| {
        vault.note(&format!("Folder/Note {number}.md"), "word")
    });
    let server = TestServer::start().with_vault(vault).ready();
    watching(&server);
    server.vault().rename("Folder", "folder");
    for number in 0..20 {
        server.vault().rename(&format!("folder/Note {number}.md"), &format!("folder/note {number}.md"));
    }
    server.wait_for_hit("word", "folder/note 7.md", PATIENCE);
    eventually("the old names are gone", PATIENCE, || {
        let answer = server.call("vault_fts_search", json!({"query": "word", "max_results": 50}));
        let paths = answer.list("results", "path");
        (paths.len() == 20 && paths.iter().all(|path| path.starts_with("folder/note "))).then_some(())
    });
    equals_a_rebuild(server);
}

fn number_in(path: &str) -> Option<usize> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}
