//! The log: JSON lines, levels, files by day, and what never stands in it.
//!
//! That no line holds the token and none tells of a panic is checked by the harness at the end of
//! every server.

use std::fs;
use std::time::Duration;

use harness::{LogLine, Server, TestServer, TestVault};
use serde_json::{Value, json};

use crate::fixtures;

fn events(server: &Server) -> Vec<(bool, Value)> {
    server.log().iter().filter_map(|line| Some((line.stderr, line.json()?))).collect()
}

#[test]
fn every_line_has_a_time_a_level_a_message_and_a_source() {
    let server = TestServer::start().with_vault(fixtures::full()).with_env("LOG_LEVEL", "debug").ready();
    server.call("vault_read_note", json!({"path": "nope.md"}));
    let events = events(&server);
    assert!(events.len() > 2);
    for (_, event) in events {
        for field in ["timestamp", "level", "message", "source"] {
            assert!(event[field].is_string(), "{field} in {event}");
        }
        assert!(["debug", "info", "warn", "error"].contains(&event["level"].as_str().unwrap()), "{event}");
        assert!(event["timestamp"].as_str().unwrap().starts_with("20"), "{event}");
    }
}

#[test]
fn errors_go_to_standard_error_and_the_rest_to_standard_output() {
    let server = TestServer::start().with_vault(fixtures::full()).with_env("LOG_LEVEL", "debug").ready();
    for (stderr, event) in events(&server) {
        assert_eq!(stderr, event["level"] == "error", "{event}");
    }
}

#[test]
fn the_level_is_a_threshold() {
    let quiet = TestServer::start().with_vault(fixtures::full()).with_env("LOG_LEVEL", "info").ready();
    assert!(events(&quiet).iter().all(|(_, event)| event["level"] != "debug"));
}

#[test]
fn a_failing_tool_is_logged_by_name_without_the_callers_text() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    server.call("vault_read_note", json!({"path": "../outside/of-the-vault.md"}));
    let event = harness::eventually("the event tool_error", Duration::from_secs(5), || {
        server.log().iter().find(|line| line.is_event("tool_error")).and_then(LogLine::json)
    });
    assert!(event.to_string().contains("vault_read_note"), "{event}");
}

#[test]
fn the_text_of_notes_and_queries_stays_out_of_the_log() {
    let vault = TestVault::new().note("a.md", "verysecretword");
    let server = TestServer::start().with_vault(vault).with_env("LOG_LEVEL", "info").ready();
    server.call("vault_search", json!({"query": "verysecretword"}));
    server.call("vault_read_note", json!({"path": "a.md"}));
    server.vault().write("a.md", "verysecretword again");
    std::thread::sleep(Duration::from_secs(1));
    for line in server.log() {
        assert!(!line.text.contains("verysecretword"), "{}", line.text);
    }
}

#[test]
fn a_wrong_token_is_not_logged_either() {
    let server = TestServer::start().ready();
    let wrong =
        server.post().without_header("authorization").header("authorization", "Bearer wrongtokenwrongtoken");
    server.send(&wrong.json(&harness::request(1, "ping", json!({}))));
    std::thread::sleep(Duration::from_millis(200));
    for line in server.log() {
        assert!(!line.text.contains("wrongtokenwrongtoken"), "{}", line.text);
    }
}

#[test]
fn files_are_kept_by_day_beside_the_standard_streams() {
    let settings = TestServer::start().with_vault(fixtures::full());
    let folder = settings.data().join("logs");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("vault-mcp-2001-01-01.log"), "old").unwrap();
    fs::write(folder.join("other.log"), "not ours").unwrap();
    let server = settings.with_env("LOG_DIR", &folder).with_env("LOG_RETENTION_DAYS", "30").ready();
    let streamed = server.log().len();
    let settings = server.stop();
    let names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(!names.iter().any(|name| name.contains("2001-01-01")), "past its retention: {names:?}");
    assert!(names.contains(&"other.log".to_owned()), "what is not ours stays");
    let today = names.iter().find(|name| name.starts_with("vault-mcp-") && name.ends_with(".log")).unwrap();
    let text = fs::read_to_string(folder.join(today)).unwrap();
    assert!(text.lines().count() >= streamed);
    assert!(text.contains("server started"));
    assert!(!text.contains("harness-token"), "no token in the file");
    for line in text.lines() {
        assert!(serde_json::from_str::<Value>(line).unwrap().is_object());
    }
    drop(settings);
}

#[test]
fn over_stdio_everything_is_logged_to_standard_error() {
    let mut server =
        TestServer::start().with_vault(fixtures::full()).with_env("LOG_LEVEL", "debug").over_stdio();
    server.initialize();
    server.call("vault_list_tags", json!({}));
    assert!(!server.stderr().is_empty());
    server.finish();
}
