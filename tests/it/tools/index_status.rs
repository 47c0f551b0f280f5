//! `index_status`: what the index holds, and what it could not read and why.

use harness::TestServer;
use serde_json::json;

use crate::fixtures;

#[test]
fn it_counts_what_the_vault_holds() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    let answer = server.call("index_status", json!({}));
    let status = answer.structured();
    assert_eq!(status["notes"], 10);
    assert_eq!(status["files"], 2, "the canvas and the picture");
    assert!(status["links"].as_u64().unwrap() >= 11, "{status}");
    assert!(status["tags"].as_u64().unwrap() >= 6, "{status}");
    assert!(status.get("indexing").is_none(), "{status}");
}

#[test]
fn it_names_a_note_whose_properties_do_not_parse_with_the_place() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    let answer = server.call("index_status", json!({}));
    let problems = answer.structured()["problems"].as_array().unwrap().clone();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0]["path"], "Broken/bad-yaml.md");
    let message = problems[0]["message"].as_str().unwrap();
    assert!(message.contains("line") && message.contains("column"), "{message}");
}

#[test]
fn it_tells_nothing_of_the_machine() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    let text = server.call("index_status", json!({})).result().to_string();
    for path in [server.vault().root(), server.settings().data()] {
        assert!(!text.contains(path.to_str().unwrap()), "{text}");
    }
}
