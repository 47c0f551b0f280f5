//! Long answers: cut to a bounded length, with the exact arguments for the next part, and nothing
//! lost between two parts. The harness checks the length of every answer.

use harness::{Answer, Server, TestServer, TestVault};
use serde_json::{Map, Value, json};

/// Calls again with `left_out.continue_with` until nothing is left out.
#[track_caller]
fn all_parts(server: &Server, tool: &str, arguments: Value) -> Vec<Answer> {
    let mut parts = Vec::new();
    let mut next: Map<String, Value> = arguments.as_object().unwrap().clone();
    loop {
        let answer = server.call(tool, Value::Object(next.clone()));
        let left_out = answer.structured().get("left_out").cloned();
        if let Some(left_out) = &left_out {
            assert!(left_out["count"].as_u64().unwrap() > 0, "{left_out}");
            for (name, value) in left_out["continue_with"].as_object().unwrap() {
                // In words below a bare text or array, as a field within an object.
                let shown = [format!("{name}: {value}"), format!("\"{name}\":{value}")];
                let text = answer.text();
                assert!(
                    shown.iter().any(|shown| text.contains(shown)),
                    "not {shown:?} in the text: {text:.300}"
                );
                next.insert(name.clone(), value.clone());
            }
        }
        parts.push(answer);
        if left_out.is_none() {
            return parts;
        }
        assert!(parts.len() < 200, "{tool}: no end after 200 parts");
    }
}

#[track_caller]
fn whole_list(server: &Server, tool: &str, arguments: Value, list: &str) -> Vec<String> {
    let parts = all_parts(server, tool, arguments);
    assert!(parts.len() > 1, "{tool}: the list was not cut");
    parts
        .iter()
        .flat_map(|part| part.structured()[list].as_array().unwrap().clone())
        .map(|row| {
            row.as_str()
                .or(row["path"].as_str())
                .or(row["tag"].as_str())
                .or(row["key"].as_str())
                .unwrap()
                .to_owned()
        })
        .collect()
}

fn long_name(number: usize) -> String {
    format!(
        "A folder with a rather long name/{number:04} and a note whose name is long as well, for no good reason.md"
    )
}

#[test]
fn a_long_note_is_read_in_parts_that_join_to_the_whole() {
    let lines: String =
        (0..6_000).map(|line| format!("line {line} with some \"quoted\" text and a \\ or two\n")).collect();
    let one_line = "word 👨‍👩‍👧‍👦 🇦🇹 e\u{301} ".repeat(12_000);
    let mixed = format!("short\n{}\nshort again\n", "y".repeat(150_000));
    let server = TestServer::start()
        .with_vault(
            TestVault::new().note("lines.md", &lines).note("one.md", &one_line).note("mixed.md", &mixed),
        )
        .ready();
    for (path, text) in [("lines.md", lines), ("one.md", one_line), ("mixed.md", mixed)] {
        let parts = all_parts(&server, "vault_read_note", json!({"path": path}));
        assert!(parts.len() > 1, "{path}");
        let joined: String = parts.iter().map(|part| part.structured()["text"].as_str().unwrap()).collect();
        assert_eq!(joined.len(), text.len(), "{path}");
        assert!(joined == text, "{path}: the parts do not join to the note");
        for part in &parts {
            let text = part.structured()["text"].as_str().unwrap();
            for torn in ['\u{301}', '\u{200d}'] {
                assert!(
                    !text.starts_with(torn) && !text.ends_with('\u{200d}'),
                    "{path}: cut within a grapheme"
                );
            }
        }
    }
}

#[test]
fn a_long_section_and_a_long_outline_stay_short() {
    let section = format!("# One\n\n{}\n# Two\n\nx\n", "A line of the section.\n".repeat(8_000));
    let headings: String = (0..5_000).map(|number| format!("## Heading number {number}\n\n")).collect();
    let server = TestServer::start()
        .with_vault(TestVault::new().note("s.md", &section).note("h.md", &headings))
        .ready();
    let parts = all_parts(&server, "vault_read_note", json!({"path": "s.md", "heading": "One"}));
    let joined: String =
        parts.iter().map(|part| part.structured()["text"].as_str().unwrap().to_owned()).collect();
    assert_eq!(joined.matches("A line of the section.").count(), 8_000);
    let outline = server.call("vault_read_note", json!({"path": "h.md", "outline": true}));
    assert!(outline.structured().get("left_out").is_some(), "it says that headings are left out");
}

#[test]
fn long_lists_are_continued_without_loss_or_repeat() {
    let count = 1_500;
    let mut vault = TestVault::new()
        .note("hub.md", &(0..count).map(|number| format!("[[{}]]\n", long_name(number))).collect::<String>());
    for number in 0..count {
        vault = vault.note(
            &long_name(number),
            &format!(
                "---\nshared: yes\nkey of this note {number:04}{0}: value of this note {number:04}{0}\n---\n\
                 [[hub]] #shared #tag-of-this-note/{number:04}-{0}",
                "x".repeat(60)
            ),
        );
    }
    let server = TestServer::start().with_vault(vault).ready();
    let expected: Vec<String> = (0..count).map(long_name).collect();

    let mut listed = whole_list(
        &server,
        "vault_list_notes",
        json!({"folder": "A folder with a rather long name"}),
        "notes",
    );
    assert_eq!(listed, expected);
    listed = whole_list(&server, "vault_get_backlinks", json!({"path": "hub.md"}), "backlinks");
    listed.sort();
    assert_eq!(listed, expected);
    listed = whole_list(&server, "vault_get_outgoing_links", json!({"path": "hub.md"}), "outgoing_links");
    listed.sort();
    assert_eq!(listed, expected);
    let tags = whole_list(&server, "vault_list_tags", json!({}), "tags");
    assert_eq!(tags.len(), count + 1);
    for (tool, arguments) in [
        ("vault_search_by_tag", json!({"tag": "shared", "limit": 500})),
        ("vault_search_by_folder", json!({"folder": "A folder with a rather long name", "limit": 500})),
        ("vault_search_by_property", json!({"key": "shared", "value": "yes", "limit": 500})),
    ] {
        listed = whole_list(&server, tool, arguments, "notes");
        listed.sort();
        assert_eq!(listed, expected, "{tool}");
    }
    let orphans = server.call("vault_find_orphans", json!({}));
    assert_eq!(orphans.structured()["total"], 0, "the hub links to all and is linked from all");
    assert_eq!(whole_list(&server, "vault_recent_notes", json!({"limit": 500}), "notes").len(), count + 1);
    let keys = whole_list(&server, "vault_list_property_keys", json!({}), "keys");
    assert_eq!(keys.len(), count + 1);
}

#[test]
fn search_answers_stay_short_and_say_what_is_left() {
    let vault = (0..200).fold(TestVault::new(), |vault, number| {
        vault.note(
            &long_name(number),
            &format!("---\ndescription: {}\n---\nneedle {}", "d".repeat(2_000), "needle hay ".repeat(300)),
        )
    });
    let server = TestServer::start().with_vault(vault).ready();
    for (tool, arguments) in [
        ("vault_search", json!({"query": "needle", "limit": 100, "snippet_tokens": 300})),
        ("vault_fts_search", json!({"query": "needle", "max_results": 50})),
    ] {
        let answer = server.call(tool, arguments);
        assert_eq!(answer.structured()["total"], 200, "{tool}");
    }
}

#[test]
fn the_limit_can_be_set() {
    let text = "A line.\n".repeat(2_000);
    let server = TestServer::start()
        .with_vault(TestVault::new().note("a.md", &text))
        .with_env("MAX_ANSWER_CHARS", "5000")
        .ready();
    let parts = all_parts(&server, "vault_read_note", json!({"path": "a.md"}));
    assert!(parts.len() >= 4, "{}", parts.len());
    for part in &parts {
        assert!(part.blocks().iter().map(|block| block.chars().count()).sum::<usize>() <= 5_000);
    }
    let joined: String = parts.iter().map(|part| part.structured()["text"].as_str().unwrap()).collect();
    assert_eq!(joined, text);
}
