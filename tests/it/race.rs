//! Many clients at once on the same few notes, for a while.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use harness::{Answer, Connection, Server, TestServer, TestVault, tool_call};
use serde_json::{Value, json};

const CLIENTS: usize = 16;
const NOTES: usize = 8;
/// How long they go on; `RACE_SECONDS` says otherwise.
const SECONDS: u64 = 20;

/// A client with a connection of its own.
struct Client<'a> {
    server: &'a Server,
    connection: Connection,
    number: usize,
    random: u64,
}

impl<'a> Client<'a> {
    fn new(server: &'a Server, number: usize) -> Self {
        let random = 0x9e37_79b9_7f4a_7c15 ^ (number as u64 + 1).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Self { server, connection: Connection::new(server.address()), number, random }
    }

    fn below(&mut self, most: usize) -> usize {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.random >> 33).unwrap() % most
    }

    /// The structured answer, or the error's text.
    fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value, String> {
        let request = self.server.post().json(&tool_call(1, tool, arguments.clone()));
        let response = self.connection.send(&request);
        assert_eq!(response.status, 200, "{tool} {arguments}");
        let result = response.json()["result"].clone();
        assert!(result.is_object(), "{tool} {arguments}: {}", response.json());
        if result["isError"] == true {
            Err(result["content"][0]["text"].as_str().unwrap().to_owned())
        } else {
            Ok(result["structuredContent"].clone())
        }
    }
}

/// What was acknowledged.
#[derive(Default)]
struct Acknowledged {
    /// Numbers of changes.
    changes: Mutex<BTreeSet<i64>>,
    /// Words that were written and not taken away by anybody.
    words: Mutex<BTreeSet<String>>,
    refused: AtomicUsize,
}

impl Acknowledged {
    fn change(&self, answer: &Value) {
        self.changes.lock().unwrap().insert(answer["change"].as_i64().unwrap());
    }
}

/// Refusals that a client among others must expect.
#[track_caller]
fn expected(error: &str) {
    let known = ["concurrent write in progress", "not found", "stale", "changed meanwhile", "keep changing"];
    let exists = error.contains("already exists");
    assert!(exists || known.iter().any(|text| error.contains(text)), "{error}");
}

/// Appends a word to a note that is only appended to, and finds it with the next call.
fn append(client: &mut Client<'_>, all: &Acknowledged, turn: usize) {
    let path = format!("shared/{}.md", client.below(NOTES));
    let word = format!("w{}x{turn}q", client.number);
    let arguments = json!({"path": path, "operation": "append", "content": format!("- {word} [[Moving]]")});
    match client.call("vault_patch_note", &arguments) {
        Ok(answer) => {
            all.change(&answer);
            let found = client.call("vault_search", &json!({"query": word})).unwrap();
            let paths: Vec<&str> =
                found["results"].as_array().unwrap().iter().filter_map(|row| row["path"].as_str()).collect();
            assert_eq!(paths, [path.as_str()], "{word} is not found by the next call");
            all.words.lock().unwrap().insert(word);
        }
        Err(error) => {
            expected(&error);
            all.refused.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Moves the note that all the others link to.
fn move_about(client: &mut Client<'_>, all: &Acknowledged) {
    let folders = ["", "a/", "a/b/", "c/"];
    let (from, to) = (folders[client.below(4)], folders[client.below(4)]);
    if from == to {
        return;
    }
    let arguments = json!({"old_path": format!("{from}Moving.md"), "new_path": format!("{to}Moving.md")});
    match client.call("vault_move_note", &arguments) {
        Ok(answer) => {
            all.change(&answer);
            let old =
                client.call("vault_get_backlinks", &json!({"path": format!("{from}Moving.md")})).unwrap();
            // Somebody may have moved it back meanwhile: then it is there, and may be linked to.
            let back = client.call("vault_read_note", &json!({"path": format!("{from}Moving.md")})).is_ok();
            assert!(back || old["count"] == 0, "links still lead to where a moved note was: {old}");
        }
        Err(error) => {
            expected(&error);
            all.refused.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Makes a note of its own, finds it, deletes it, and never meets it again.
fn make_and_delete(client: &mut Client<'_>, all: &Acknowledged, turn: usize) {
    let path = format!("own/{}-{turn}.md", client.number);
    let word = format!("d{}y{turn}q", client.number);
    let made =
        client.call("vault_write_note", &json!({"path": path, "body": format!("# {word}\n\n#t{word}")}));
    all.change(&made.unwrap());
    let found = |client: &mut Client<'_>| {
        let answer = client.call("vault_search", &json!({"query": word})).unwrap();
        answer["results"].as_array().unwrap().len()
    };
    assert_eq!(found(client), 1, "{path} is not found");
    all.change(&client.call("vault_delete_note", &json!({"path": path})).unwrap());
    assert_eq!(found(client), 0, "{path} is found after it was deleted");
    let tagged = client.call("vault_search_by_tag", &json!({"tag": format!("t{word}")})).unwrap();
    assert_eq!(tagged["total"], 0, "{path} has its tag after it was deleted");
    assert!(client.call("vault_read_note", &json!({"path": path})).is_err());
}

/// Every client adds to the same list under one lock: none of them is refused.
fn remember(client: &mut Client<'_>, all: &Acknowledged, turn: usize) {
    let entry = format!("m{}z{turn}q", client.number);
    let arguments = json!({"file": "Race", "section": "All", "entry": entry});
    let answer = client.call("vault_update_memory", &arguments).unwrap();
    all.change(&answer);
    let recalled = client.call("vault_memory_recall", &json!({"query": entry})).unwrap();
    assert_eq!(recalled["total"], 1, "{entry} is not recalled by the next call");
    all.words.lock().unwrap().insert(entry);
}

fn vault() -> TestVault {
    let vault = TestVault::new().note("Moving.md", "# Moving\n").note("About Me/Me.md", "# Me\n");
    (0..NOTES).fold(vault, |vault, number| {
        vault.note(&format!("shared/{number}.md"), &format!("# Shared {number}\n\n- [[Moving]]\n"))
    })
}

#[test]
fn sixteen_clients_on_the_same_notes_lose_nothing_and_find_what_they_wrote() {
    let seconds = std::env::var("RACE_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(SECONDS);
    let server = TestServer::start().with_vault(vault()).ready();
    let (all, failed) = (Acknowledged::default(), AtomicBool::new(false));
    let end = Instant::now() + Duration::from_secs(seconds);
    std::thread::scope(|scope| {
        for number in 0..CLIENTS {
            let (server, all, failed) = (&server, &all, &failed);
            scope.spawn(move || {
                // One that fails ends the others.
                let failing = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    let mut client = Client::new(server, number);
                    let mut turn = 0;
                    while Instant::now() < end && !failed.load(Ordering::Relaxed) {
                        match client.below(8) {
                            0 => move_about(&mut client, all),
                            1 => make_and_delete(&mut client, all, turn),
                            2 => remember(&mut client, all, turn),
                            _ => append(&mut client, all, turn),
                        }
                        turn += 1;
                    }
                }));
                if let Err(panic) = failing {
                    failed.store(true, Ordering::Relaxed);
                    std::panic::resume_unwind(panic);
                }
            });
        }
    });
    server.vault().accept();
    let changes = all.changes.into_inner().unwrap();
    println!("{} changes, {} refused", changes.len(), all.refused.into_inner());
    assert!(changes.len() > CLIENTS);

    // Every acknowledged change is in the journal, as done.
    let listed = journal(&server);
    let missing: Vec<&i64> = changes.difference(&listed).collect();
    assert!(missing.is_empty(), "not in the journal: {missing:?}");
    // Every word is where it was written, once; nothing of the others' was lost.
    let text: String = (0..NOTES)
        .map(|number| server.vault().read(&format!("shared/{number}.md")))
        .chain([server.vault().read("About Me/Race.md")])
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .collect();
    let words: Vec<&str> = text.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
    for word in &*all.words.lock().unwrap() {
        assert_eq!(words.iter().filter(|found| **found == word).count(), 1, "{word}");
    }
    // All links lead to the note that was moved about.
    let moving = ["Moving.md", "a/Moving.md", "a/b/Moving.md", "c/Moving.md"];
    let there: Vec<&str> = moving.into_iter().filter(|path| server.vault().path(path).exists()).collect();
    assert_eq!(there.len(), 1, "{there:?}");
    let links: Answer = server.call("vault_get_backlinks", json!({"path": there[0]}));
    assert_eq!(links.structured()["count"], NOTES, "{}", links.text());
}

/// The numbers of all changes that were made.
fn journal(server: &Server) -> BTreeSet<i64> {
    let mut listed = BTreeSet::new();
    loop {
        let part = server.call("vault_history", json!({"limit": 500, "offset": listed.len()}));
        let rows = part.structured()["changes"].as_array().unwrap().clone();
        if rows.is_empty() {
            return listed;
        }
        for row in rows {
            assert!(row.get("state").is_none(), "not settled: {row}");
            listed.insert(row["change"].as_i64().unwrap());
        }
    }
}
