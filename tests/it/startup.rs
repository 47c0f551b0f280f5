//! Starting: at once, on an old index, on a broken one, and never inside the vault.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use harness::{Request, Server, TestServer, TestVault, eventually};
use serde_json::{Value, json};

fn many_notes(count: u32) -> TestVault {
    (0..count).fold(TestVault::new(), |vault, number| {
        vault.note(
            &format!("{}/{number}.md", number % 50),
            &format!("commonword number{number}x {}", "filler text ".repeat(60)),
        )
    })
}

fn last_reconcile(server: &Server) -> Value {
    server.call("index_status", json!({})).structured()["last_reconcile"].clone()
}

#[test]
fn the_server_listens_before_its_index_is_complete() {
    // Writing the vault is the test's own work.
    let settings = TestServer::start().with_vault(many_notes(3_000));
    let start = Instant::now();
    let server = settings.listening();
    let listened = start.elapsed();
    let health = server.send(&Request::new("GET", "/healthz"));
    assert_eq!(health.status, 200, "healthy while indexing");
    server.wait_until_indexed();
    assert!(listened < start.elapsed(), "it listened first");
    assert!(listened < Duration::from_secs(3), "{listened:?}");
    assert_eq!(server.call("vault_fts_search", json!({"query": "commonword"})).structured()["total"], 3_000);
}

/// While the index builds, answers say so with the progress: an empty answer must not look final.
#[test]
fn answers_say_that_they_are_not_complete_yet() {
    let server = TestServer::start().with_vault(many_notes(4_000)).listening();
    let mut seen = false;
    let limit = Instant::now() + Duration::from_secs(60);
    loop {
        let answer = server.call("vault_fts_search", json!({"query": "commonword"}));
        let (total, indexing) =
            (answer.structured()["total"].as_u64().unwrap(), answer.structured().get("indexing").cloned());
        match indexing {
            Some(progress) => {
                seen = true;
                assert!(
                    progress["done"].as_u64().unwrap() <= progress["total"].as_u64().unwrap(),
                    "{progress}"
                );
                for (tool, arguments) in [
                    ("vault_search", json!({"query": "commonword"})),
                    ("vault_list_tags", json!({})),
                    ("vault_search_by_tag", json!({"tag": "x"})),
                    ("vault_search_by_folder", json!({"folder": "0"})),
                    ("vault_search_by_property", json!({"key": "x", "value": "x"})),
                    ("vault_list_property_keys", json!({})),
                    ("vault_list_property_values", json!({"key": "x"})),
                    ("vault_recent_notes", json!({})),
                    ("vault_find_orphans", json!({})),
                    ("vault_get_backlinks", json!({"path": "0/0.md"})),
                    ("vault_get_outgoing_links", json!({"path": "0/0.md"})),
                    ("index_status", json!({})),
                ] {
                    let other = server.call(tool, arguments);
                    let status = server.call("index_status", json!({}));
                    let still = status.structured().get("indexing").is_some();
                    assert!(other.structured().get("indexing").is_some() || !still, "{tool} does not say so");
                }
            }
            None => {
                assert_eq!(total, 4_000, "complete, so it holds all");
                break;
            }
        }
        assert!(Instant::now() < limit, "not indexed within a minute");
    }
    assert!(seen, "4,000 notes were indexed before the first answer: make the vault larger");
}

/// The same for vaults that are indexed in a blink: an answer without `indexing` is complete.
#[test]
fn no_first_answer_is_silently_empty() {
    let vault =
        (0..40).fold(TestVault::new(), |vault, number| vault.note(&format!("{number}.md"), "commonword"));
    for _ in 0..10 {
        let server = TestServer::start().with_vault(vault.clone()).listening();
        for _ in 0..20 {
            let answer = server.call("vault_fts_search", json!({"query": "commonword"}));
            let complete = answer.structured().get("indexing").is_none();
            assert!(!complete || answer.structured()["total"] == 40, "{}", answer.text());
        }
        let health = server.send(&Request::new("GET", "/healthz")).json();
        if harness::is_indexed(&health) {
            assert!(server.finds("commonword", "0.md"), "{health}");
        }
    }
}

#[test]
fn a_restart_with_nothing_changed_reads_no_note_again() {
    let server = TestServer::start().with_vault(many_notes(500)).ready();
    assert_eq!(server.call("index_status", json!({})).structured()["notes"], 500);
    let server = server.stop().ready();
    let summary = last_reconcile(&server);
    assert_eq!(
        (&summary["indexed"], &summary["unchanged"], &summary["removed"]),
        (&json!(0), &json!(500), &json!(0)),
        "{summary}"
    );
    assert!(server.finds("number499x", "49/499.md"));
}

#[test]
fn what_changed_while_the_server_was_down_is_found() {
    let vault = TestVault::new()
        .note("edit.md", "before")
        .note("gone.md", "goneword")
        .note("moved.md", "movedword")
        .note("same.md", "sameword");
    let settings = TestServer::start().with_vault(vault).ready().stop();
    settings.vault().write("edit.md", "afterwards");
    settings.vault().remove("gone.md");
    settings.vault().rename("moved.md", "elsewhere/moved.md");
    settings.vault().write("new.md", "newword");
    let server = settings.ready();
    for (word, path) in [
        ("afterwards", "edit.md"),
        ("movedword", "elsewhere/moved.md"),
        ("newword", "new.md"),
        ("sameword", "same.md"),
    ] {
        assert!(server.finds(word, path), "{word}");
    }
    for (word, path) in [("before", "edit.md"), ("goneword", "gone.md"), ("movedword", "moved.md")] {
        assert!(!server.finds(word, path), "{word}");
    }
}

/// A touched note is hashed, found the same, and not indexed again.
#[test]
fn a_new_time_alone_does_not_index_again() {
    let settings = TestServer::start().with_vault(TestVault::new().note("a.md", "alphaword")).ready().stop();
    settings.vault().set_modified("a.md", std::time::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    let server = settings.ready();
    assert_eq!(last_reconcile(&server)["indexed"], 0, "{}", last_reconcile(&server));
    let answer = server.call("vault_search", json!({"query": "alphaword"}));
    assert_eq!(answer.structured()["results"][0]["modified"], "2023-11-14T22:13:20.000+00:00");
}

#[track_caller]
fn rebuilds_from(damage: impl FnOnce(&std::path::Path)) {
    let settings = TestServer::start().with_vault(TestVault::new().note("a.md", "alphaword")).ready().stop();
    let path = settings.index_path();
    damage(&path);
    let server = settings.ready();
    assert!(server.finds("alphaword", "a.md"));
    let rebuilt = server.call("index_status", json!({})).structured()["rebuilt"].clone();
    assert!(rebuilt.is_string(), "it says that it was built anew, and why: {rebuilt}");
    assert!(
        server.log().iter().any(|line| line.json().is_some_and(|event| event["level"] == "warn")),
        "it warns"
    );
    // And the new one is good.
    let server = server.stop().ready();
    assert!(server.call("index_status", json!({})).structured().get("rebuilt").is_none());
    assert_eq!(last_reconcile(&server)["indexed"], 0);
}

#[test]
fn a_corrupt_index_is_put_aside_and_built_anew() {
    rebuilds_from(|path| fs::write(path, "this is no database").unwrap());
}

#[test]
fn an_index_corrupt_in_the_middle_is_built_anew() {
    rebuilds_from(|path| {
        let mut bytes = fs::read(path).unwrap();
        let length = bytes.len();
        for byte in bytes.iter_mut().skip(100).take(length / 2) {
            *byte = 0xa5;
        }
        fs::write(path, bytes).unwrap();
    });
}

#[test]
fn a_cut_off_index_is_built_anew() {
    rebuilds_from(|path| {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..bytes.len() / 3]).unwrap();
    });
}

#[test]
fn an_empty_index_file_is_filled() {
    let settings = TestServer::start().with_vault(TestVault::new().note("a.md", "alphaword"));
    fs::create_dir_all(settings.index_path().parent().unwrap()).unwrap();
    fs::write(settings.index_path(), "").unwrap();
    assert!(settings.ready().finds("alphaword", "a.md"));
}

/// An index that an older version wrote: its header says another schema.
#[test]
fn an_index_of_an_older_schema_is_built_anew() {
    rebuilds_from(|path| {
        // A database file of another program: valid, with tables we do not know.
        let python = "import sqlite3,sys\nc=sqlite3.connect(sys.argv[1])\nc.executescript('''PRAGMA journal_mode=DELETE;DROP TABLE IF EXISTS meta;CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);INSERT INTO meta VALUES('schema_version','0');PRAGMA user_version=0;''')\nc.close()\n";
        let output = std::process::Command::new("python3").args(["-c", python]).arg(path).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    });
}

#[test]
fn the_index_is_readable_by_its_owner_alone() {
    let server = TestServer::start().with_vault(TestVault::new().note("a.md", "x")).ready();
    let folder = server.settings().index_path().parent().unwrap().to_path_buf();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}: it holds the text of the vault", entry.path().display());
    }
}

#[test]
fn an_index_inside_the_vault_is_refused() {
    let vault = TestVault::new().note("a.md", "x").folder("sub");
    let link = vault.outside("way-in");
    std::os::unix::fs::symlink(vault.path("sub"), &link).unwrap();
    for path in [
        vault.path("index.db"),
        vault.path(".hidden/index.db"),
        vault.path("sub/../index.db"),
        link.join("index.db"),
    ] {
        TestServer::start()
            .with_vault(vault.clone())
            .with_env("INDEX_DB_PATH", &path)
            .refused()
            .fails_naming(&["INDEX_DB_PATH", "vault"]);
        assert!(!path.exists(), "nothing was written");
    }
}

/// Two processes cannot share an index, since each keeps part of it in memory: the second has one
/// of its own beside the first. A server that starts before its predecessor has ended answers all.
#[test]
fn a_second_server_has_an_index_of_its_own() {
    let first = TestServer::start().with_vault(TestVault::new().note("a.md", "alphaword")).ready();
    let second = first.settings().clone().ready();
    assert!(second.finds("alphaword", "a.md"));
    first.vault().write("a.md", "betaword");
    for server in [&first, &second] {
        server.wait_for_hit("betaword", "a.md", Duration::from_secs(5));
    }
    first.stop();
    second.vault().write("a.md", "gammaword");
    second.wait_for_hit("gammaword", "a.md", Duration::from_secs(5));
}

#[test]
fn a_port_that_is_taken_stops_the_start() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    TestServer::start().with_env("PORT", &port).refused().fails_naming(&[&port]);
}

/// A failure of the search engine takes the search tools with it, not the server.
#[test]
fn an_index_that_cannot_be_made_costs_only_the_search() {
    let settings = TestServer::start().with_vault(TestVault::new().note("a.md", "alphaword"));
    let blocked = settings.data().join("file");
    fs::write(&blocked, "").unwrap();
    let server = settings.with_env("INDEX_DB_PATH", blocked.join("index.db")).listening();
    assert_eq!(server.call("vault_read_note", json!({"path": "a.md"})).structured()["text"], "alphaword");
    assert_eq!(server.call("vault_list_notes", json!({})).text_json(), json!(["a.md"]));
    let served = server.tools().iter().any(|tool| tool["name"] == "vault_fts_search");
    if served {
        let error = server.call("vault_fts_search", json!({"query": "alphaword"})).error();
        assert!(error.contains("index"), "{error}");
        assert!(!error.contains(server.settings().data().to_str().unwrap()), "{error}");
    }
    assert!(
        server.log().iter().any(|line| line.json().is_some_and(|event| event["level"] == "error")),
        "it is logged"
    );
}

#[test]
fn one_bad_note_never_stops_a_boot() {
    let vault = TestVault::new()
        .note("a.md", "alphaword")
        .bytes("bad.md", b"---\n\xff\xfe\0: [}\n---\n\0\0")
        .note("bad.canvas", "{\"nodes\": [{\"file\": 3}], \"edges\": {}}")
        .note("worse.canvas", "not json");
    let server = TestServer::start().with_vault(vault).ready();
    eventually("it is found", Duration::from_secs(5), || server.finds("alphaword", "a.md").then_some(()));
}
