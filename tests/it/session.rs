//! An agent's session from its first note to the last undo, through the real client, recorded.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use harness::{TestServer, TestVault, python_client};
use serde_json::Value;

const BOARD: &str = "---\r\nkanban-plugin: board\r\n---\r\n\r\n## Doing\r\n\r\n- [ ] feed the starter 🔁 every week 📅 2026-03-02 ^feed\r\n- [ ] read about [[Sourdough]]\r\n\r\n\r\n## Done\r\n\r\n**Complete**\r\n- [x] buy flour\r\n\r\n\r\n\r\n\r\n%% kanban:settings\r\n```\r\n{\"kanban-plugin\":\"board\"}\r\n```\r\n%%";

fn vault() -> TestVault {
    TestVault::new()
        .note("Board.md", BOARD)
        .note("Index.md", "| What |\n| --- |\n| [[Projects/Sourdough\\|bread]] |\n\n![[Sourdough#Log]]\n")
        .note("About Me/Me.md", "---\nentry-policy: append-only\n---\n\n# Me\n\n## Facts (newest first)\n")
}

/// What differs from run to run, by what it is.
struct Names {
    hashes: BTreeMap<String, usize>,
    /// The day of the run, in UTC, where the server works as well.
    today: String,
}

impl Names {
    /// A value with hashes numbered in the order of their appearance, times and days of the run named.
    fn steady(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.iter().map(|item| self.steady(item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, value)| {
                    let value = match name.as_str() {
                        "modified" | "at" => Value::String("TIME".to_owned()),
                        "score" => Value::String("SCORE".to_owned()),
                        _ => self.steady(value),
                    };
                    (name.clone(), value)
                })
                .collect(),
            other => other.clone(),
        }
    }

    fn text(&mut self, text: &str) -> String {
        let mut steady = String::new();
        let mut rest = text;
        while let Some(start) = rest.find(|letter: char| letter.is_ascii_alphanumeric()) {
            let (before, from) = rest.split_at(start);
            let end = from
                .find(|letter: char| !letter.is_ascii_alphanumeric() && !"-:.+".contains(letter))
                .unwrap_or(from.len());
            let (word, after) = from.split_at(end);
            steady.push_str(before);
            steady.push_str(&self.word(word));
            rest = after;
        }
        steady + rest
    }

    fn word(&mut self, word: &str) -> String {
        let hexadecimal = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let bare = word.trim_end_matches(['.', ':', '-']);
        if bare.len() == 64 && hexadecimal(bare) {
            let next = self.hashes.len() + 1;
            let number = *self.hashes.entry(bare.to_owned()).or_insert(next);
            return word.replace(bare, &format!("HASH-{number}"));
        }
        // The run's own time, in its two spellings.
        if bare.len() >= 20 && bare.starts_with("20") && bare.contains('T') && bare.contains(':') {
            return word.replace(bare, "TIME");
        }
        word.replace(&self.today, "TODAY")
    }
}

#[test]
fn a_session_from_the_first_note_to_the_last_undo() {
    let server = TestServer::start().with_vault(vault()).with_env("TZ", "UTC").ready();
    let before = server.vault().read("Board.md");
    let arguments = [server.endpoint().into(), server.token().into()];
    let Some(steps) = python_client("session.py", &arguments) else {
        return;
    };
    let today = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let mut names = Names { hashes: BTreeMap::new(), today };
    let mut page = String::new();
    for step in steps.as_array().unwrap() {
        let _ = writeln!(page, "# {} {}", step["tool"].as_str().unwrap(), names.steady(&step["arguments"]));
        for text in step["text"].as_array().unwrap() {
            let _ = writeln!(page, "{}", names.text(text.as_str().unwrap()).replace('\r', "␍"));
        }
        if step["is_error"] == true {
            page.push_str("(error)\n");
        } else {
            let structured = names.steady(&step["structured"]);
            let _ = writeln!(page, "{}", serde_json::to_string_pretty(&structured).unwrap());
        }
        page.push('\n');
    }
    // Everything was taken back: the vault is what it was.
    assert_eq!(server.vault().read("Board.md"), before);
    assert!(!server.vault().path("Archive/Baking/Bread.md").exists());
    server.vault().accept();
    insta::assert_snapshot!("session", page);
}
