//! A power cut at any moment of a client's work, again and again: no file is torn, no note is lost, the journal
//! agrees with the files and the index with both.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use harness::{Connection, Request, Server, TestServer, TestVault, eventually, tool_call};
use serde_json::{Value, json};

/// Notes that are written, appended to and given properties; the last is deleted as well.
const NOTES: u64 = 12;
/// Notes that link to the one that moves.
const LINKING: u64 = 15;
/// How often the server is killed; `KILLS` says otherwise.
const KILLS: u64 = 40;
/// Where the note is that moves. At the top of the vault it has a namesake, so that links name its folder.
const PLACES: [&str; 3] = ["a/Target.md", "b/Target.md", "c/d/Target.md"];

/// Numbers by a fixed sequence, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn place(&mut self) -> &'static str {
        PLACES[usize::try_from(self.below(3)).unwrap()]
    }
}

/// A text that shows when it is torn: every line names its version, and the last how many there are.
fn body(number: u64, version: &str, lines: u64) -> String {
    let filler = format!("word{number}w {version} filler\n").repeat(usize::try_from(lines).unwrap());
    format!("# Note {number}\n\n{filler}end of {lines} lines {version}\n")
}

/// Checks that a text is of one version, from its first line to its last, and answers which.
#[track_caller]
fn whole(path: &str, text: &str) -> String {
    let (head, tail) =
        text.split_once("\nend of ").unwrap_or_else(|| panic!("{path} has lost its end: {text:?}"));
    let mut last = tail.split_whitespace();
    let lines: usize = last.next().unwrap().parse().unwrap();
    let version = last.nth(1).unwrap().to_owned();
    let filler: Vec<&str> = head.lines().filter(|line| line.contains(" filler")).collect();
    assert_eq!(filler.len(), lines, "{path} is torn: {text:?}");
    assert!(filler.iter().all(|line| line.contains(&version)), "{path} is of two versions: {text:?}");
    assert!(text.ends_with('\n'), "{path} has lost its end: {text:?}");
    version
}

fn vault() -> TestVault {
    let vault = (0..NOTES).fold(TestVault::new(), |vault, number| {
        vault.note(&format!("notes/{number}.md"), &body(number, "v0v", 30))
    });
    let vault = (0..LINKING).fold(vault, |vault, number| {
        let text = format!("---\nup: \"[[a/Target]]\"\n---\nto [[a/Target]] and [x](a/Target.md) {number}\n");
        vault.note(&format!("links/{number}.md"), &text)
    });
    vault.note("a/Target.md", "the target, see [[0]]\n").note("Target.md", "its namesake\n")
}

/// A call at random; those that undo take a change of `mine`.
fn call(random: &mut Random, mine: &mut Vec<i64>) -> Option<(&'static str, Value)> {
    let note = format!("notes/{}.md", random.below(NOTES));
    let version = format!("v{}v", random.below(1_000_000_000));
    Some(match random.below(10) {
        0 | 1 => {
            let body = body(7, &version, 10 + random.below(2_000));
            ("vault_write_note", json!({"path": note, "body": body, "overwrite": true}))
        }
        2 | 3 => {
            let content = format!("appended {version}");
            ("vault_patch_note", json!({"path": note, "operation": "append", "content": content}))
        }
        4 => ("vault_update_properties", json!({"path": note, "properties": {"version": version}})),
        5..=7 => {
            let (from, to) = (random.place(), random.place());
            let arguments = json!({"old_path": from, "new_path": to, "prune_empty_folders": true});
            ("vault_move_note", arguments)
        }
        8 => ("vault_undo", json!({"change": mine.pop()?})),
        _ => ("vault_delete_note", json!({"path": format!("notes/{}.md", NOTES - 1)})),
    })
}

/// Works until the server is gone, and answers which changes were acknowledged.
fn work(address: SocketAddr, post: &Request, seed: u64) -> Vec<i64> {
    let mut random = Random(seed);
    let mut connection = Connection::new(address);
    let (mut mine, mut acknowledged) = (Vec::new(), Vec::new());
    loop {
        let Some((tool, arguments)) = call(&mut random, &mut mine) else { continue };
        let Ok(answer) = connection.try_send(&post.clone().json(&tool_call(1, tool, arguments))) else {
            return acknowledged;
        };
        let told = answer.json()["result"]["structuredContent"].clone();
        let undone = told["files"].as_array().into_iter().flatten().map(|file| &file["change"]);
        let changes: Vec<i64> =
            std::iter::once(&told["change"]).chain(undone).filter_map(Value::as_i64).collect();
        if tool != "vault_undo" {
            mine.extend(&changes);
        }
        acknowledged.extend(changes);
    }
}

/// What the journal says of every file it ever changed: its hash, or that it is gone.
#[derive(Default)]
struct Journal {
    newest: i64,
    files: BTreeMap<String, Option<String>>,
}

impl Journal {
    /// Reads what is new, and checks that every acknowledged change is there and that none hangs in the air.
    #[track_caller]
    fn follow(&mut self, server: &Server, acknowledged: &[i64]) {
        let mut rows: Vec<Value> = Vec::new();
        loop {
            let page = server.call("vault_history", json!({"limit": 500, "offset": rows.len()}));
            let new = page.structured()["changes"].as_array().unwrap().clone();
            let old = new.is_empty() || new.iter().any(|row| row["change"].as_i64().unwrap() <= self.newest);
            rows.extend(new);
            if old {
                break;
            }
        }
        rows.retain(|row| row["change"].as_i64().unwrap() > self.newest);
        rows.sort_by_key(|row| row["change"].as_i64());
        let made = |row: &&Value| row.get("state").is_none();
        for row in &rows {
            assert_ne!(row["state"], "begun", "a change is neither made nor not: {row}");
        }
        let done: Vec<i64> = rows.iter().filter(made).map(|row| row["change"].as_i64().unwrap()).collect();
        for change in acknowledged {
            assert!(done.contains(change), "change {change} was acknowledged and is not in the journal");
        }
        for row in rows.iter().filter(made) {
            let path = |name: &str| row[name].as_str().map(str::to_owned);
            if row["kind"] == "move" {
                self.files.insert(path("path").unwrap(), None);
            }
            let now = path("new_path").or_else(|| path("path")).unwrap();
            self.files.insert(now, path("hash_after"));
        }
        self.newest = rows.last().map_or(self.newest, |row| row["change"].as_i64().unwrap());
    }

    #[track_caller]
    fn agrees(&self, server: &Server) {
        for (path, hash) in &self.files {
            let read = server.call("vault_read_note", json!({"path": path}));
            let found = (!read.is_error()).then(|| read.structured()["hash"].as_str().unwrap().to_owned());
            assert_eq!(found, *hash, "{path} is not what the journal's last change left");
        }
    }
}

/// Nothing is torn, lost, doubled or left over. Answers where the target is.
#[track_caller]
fn sound(vault: &TestVault) -> String {
    let files = vault.files();
    let place: Vec<&str> = PLACES.into_iter().filter(|place| files.contains_key(*place)).collect();
    assert_eq!(place.len(), 1, "the note that moves is in {place:?}");
    for (path, text) in &files {
        if path.starts_with("notes/") {
            whole(path, text);
        } else if path.starts_with("links/") {
            let stem = place[0].trim_end_matches(".md");
            let up = format!("---\nup: \"[[{stem}]]\"\n---\nto [[{stem}]] and [x]({stem}.md) ");
            assert!(
                text.starts_with(&up) && text.ends_with('\n'),
                "{path} does not lead to {place:?}: {text:?}"
            );
        } else {
            assert!(PLACES.contains(&path.as_str()) || path == "Target.md", "{path} is left over");
        }
    }
    for number in 0..NOTES - 1 {
        assert!(files.contains_key(&format!("notes/{number}.md")), "note {number} is lost");
    }
    assert_eq!(files.keys().filter(|path| path.starts_with("links/")).count() as u64, LINKING);
    let hidden = std::fs::read_dir(vault.root()).unwrap().map(|entry| entry.unwrap().file_name());
    let hidden: Vec<_> = hidden.filter(|name| name.to_string_lossy().starts_with('.')).collect();
    assert!(hidden.iter().all(|name| name == ".trash"), "left over: {hidden:?}");
    for folder in ["notes", "links", "a", "b", "c", "c/d", ".trash"] {
        let Ok(entries) = std::fs::read_dir(vault.path(folder)) else { continue };
        for name in entries.map(|entry| entry.unwrap().file_name()) {
            assert!(!name.to_string_lossy().starts_with('.'), "left over in {folder}: {name:?}");
        }
    }
    place[0].to_owned()
}

/// An answer of the index once it has followed everything: until then it says that it has not.
#[track_caller]
fn ask(server: &Server, tool: &str, arguments: Value) -> Value {
    eventually("the index is complete", Duration::from_secs(60), || {
        let answer = server.call(tool, arguments.clone()).structured().clone();
        answer.get("indexing").is_none().then_some(answer)
    })
}

/// What the index tells of the vault, in one value.
fn answers(server: &Server) -> Value {
    let ask = |tool: &str, arguments: Value| ask(server, tool, arguments);
    let mut all = Vec::new();
    for (path, text) in server.vault().files() {
        all.push(ask("vault_get_backlinks", json!({"path": path})));
        all.push(ask("vault_get_outgoing_links", json!({"path": path})));
        if path.starts_with("notes/") {
            let query = json!({"query": whole(&path, &text), "max_results": 50});
            let found = ask("vault_fts_search", query);
            let rows = found["results"].as_array().unwrap();
            assert!(rows.iter().any(|row| row["path"] == path.as_str()), "{path} is not found");
            all.push(found);
        }
    }
    all.push(ask("vault_list_property_values", json!({"key": "version", "limit": 100})));
    let status = ask("index_status", json!({}));
    all.push(json!([status["notes"], status["links"], status["unresolved_links"], status["problems"]]));
    Value::Array(all)
}

#[test]
fn a_server_killed_while_it_writes_comes_back_with_every_note_whole() {
    let kills = std::env::var("KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS);
    let mut random = Random(4);
    let mut journal = Journal::default();
    let mut settings = TestServer::start().with_vault(vault());
    let started = Instant::now();
    let mut total = 0;
    for round in 0..kills {
        let server = settings.ready();
        let (address, post, seed) = (server.address(), server.post(), random.below(u64::from(u32::MAX)));
        let client = thread::spawn(move || work(address, &post, seed));
        thread::sleep(Duration::from_millis(20 + random.below(250)));
        settings = server.kill();
        let acknowledged = client.join().unwrap();
        total += acknowledged.len();
        // What the kill left is put in order before the first answer.
        let server = settings.ready();
        journal.follow(&server, &acknowledged);
        let place = sound(server.vault());
        journal.agrees(&server);
        let links = ask(&server, "vault_get_backlinks", json!({"path": place}));
        let from = links["backlinks"].as_array().unwrap();
        assert_eq!(from.len() as u64, LINKING, "round {round}: {links}");
        settings = server.kill();
    }
    println!("{kills} kills, {total} acknowledged changes, {:?}", started.elapsed());
    assert!(total as u64 > kills, "the client hardly worked");
    let server = settings.ready();
    let after = answers(&server);
    // Beside an index that is made anew of the same files.
    let fresh =
        TestServer::start().with_vault(server.vault().clone()).with_env("READONLY_MODE", "true").ready();
    let anew = answers(&fresh);
    for (one, other) in after.as_array().unwrap().iter().zip(anew.as_array().unwrap()) {
        assert_eq!(one, other);
    }
    server.vault().accept();
}
