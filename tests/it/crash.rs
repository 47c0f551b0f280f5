//! Kill at any moment: whatever was being written, the next start answers as a fresh index would.

use std::time::Duration;

use harness::{Server, TestServer, TestVault, eventually};
use serde_json::{Value, json};

/// Moments of the kill, spread by a fixed sequence so that a failure can be repeated.
struct Moments(u64);

impl Moments {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

fn text(number: u64, version: u64) -> String {
    format!(
        "---\ntags: [group{}]\nversion: {version}\n---\n# Note {number}\n\ncommonword version{version}x of{number}x [[{}]] [[missing {}]] #t{}\n\n{}\n",
        number % 7,
        (number + 1) % 60,
        number % 5,
        version % 4,
        "filler words for some weight ".repeat(20)
    )
}

fn vault(count: u64) -> TestVault {
    (0..count).fold(TestVault::new(), |vault, number| {
        vault.note(&format!("{}/{number}.md", number % 6), &text(number, 0))
    })
}

/// Everything the index answers, in one value that two servers can be compared by.
fn answers(server: &Server, count: u64) -> Value {
    let mut all = Vec::new();
    // A look at notes that changed within the last seconds may follow the first index: it is waited for.
    let mut ask = |tool: &str, arguments: Value| {
        let answer = eventually("the index is complete", Duration::from_secs(60), || {
            let answer = server.call(tool, arguments.clone());
            answer.structured().get("indexing").is_none().then_some(answer)
        });
        all.push(json!({"tool": tool, "arguments": arguments, "answer": answer.structured()}));
    };
    for query in
        ["commonword", "version0x", "version1x", "version2x", "filler weight", "missing", "of7x", "note 12"]
    {
        ask("vault_search", json!({"query": query, "limit": 100}));
        ask("vault_fts_search", json!({"query": query, "max_results": 50}));
    }
    ask("vault_list_tags", json!({}));
    for tag in ["group1", "t1", "t2"] {
        ask("vault_search_by_tag", json!({"tag": tag, "limit": 200}));
    }
    for number in 0..count {
        let path = format!("{}/{number}.md", number % 6);
        ask("vault_get_backlinks", json!({"path": path}));
        ask("vault_get_outgoing_links", json!({"path": path}));
    }
    let status = server.call("index_status", json!({}));
    let status = status.structured();
    for name in ["notes", "files", "links", "unresolved_links", "tags", "problems", "skipped"] {
        all.push(json!({name: status[name]}));
    }
    Value::Array(all)
}

/// The answers of an index built from nothing on the same vault.
fn fresh(vault: &TestVault, count: u64) -> Value {
    answers(&TestServer::start().with_vault(vault.clone()).ready(), count)
}

#[track_caller]
fn same(after_the_crash: &Value, fresh: &Value) {
    let (after, fresh) = (after_the_crash.as_array().unwrap(), fresh.as_array().unwrap());
    assert_eq!(after.len(), fresh.len());
    for (one, other) in after.iter().zip(fresh) {
        assert!(one == other, "after the crash: {one}\nfresh: {other}");
    }
}

#[test]
fn killed_while_it_builds_its_first_index() {
    let count = 1_200;
    let vault = vault(count);
    let mut moments = Moments(1);
    let mut settings = TestServer::start().with_vault(vault.clone());
    for _ in 0..8 {
        let server = settings.listening();
        std::thread::sleep(Duration::from_millis(moments.next(250)));
        settings = server.kill();
    }
    let server = settings.ready();
    same(&answers(&server, 60), &fresh(&vault, 60));
}

#[test]
fn killed_while_it_follows_edits() {
    let count = 60;
    let vault = vault(count);
    let mut moments = Moments(2);
    let mut settings = TestServer::start().with_vault(vault.clone());
    for round in 1..=8 {
        let server = settings.ready();
        for _ in 0..30 {
            let number = moments.next(count);
            let path = format!("{}/{number}.md", number % 6);
            match moments.next(4) {
                0 => vault.save_by_rename(&path, text(number, round)),
                1 if vault.path(&path).exists() => vault.remove(&path),
                _ => vault.write(&path, text(number, round)),
            }
            std::thread::sleep(Duration::from_millis(moments.next(40)));
        }
        // Some kills fall within the debounce, some within the indexing, some after it.
        std::thread::sleep(Duration::from_millis(moments.next(900)));
        settings = server.kill();
        // And the vault changes while nobody looks.
        let number = moments.next(count);
        vault.write(&format!("{}/{number}.md", number % 6), text(number, round));
    }
    let server = settings.ready();
    same(&answers(&server, count), &fresh(&vault, count));
}

#[test]
fn killed_again_and_again_while_it_starts() {
    let vault = vault(300);
    let mut moments = Moments(3);
    let mut settings = TestServer::start().with_vault(vault.clone()).ready().stop();
    for round in 1..=6 {
        for _ in 0..40 {
            let number = moments.next(300);
            vault.write(&format!("{}/{number}.md", number % 6), text(number, round));
        }
        let server = settings.listening();
        std::thread::sleep(Duration::from_millis(moments.next(60)));
        settings = server.kill();
    }
    same(&answers(&settings.ready(), 60), &fresh(&vault, 60));
}
