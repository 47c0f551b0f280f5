//! `vault_fts_search`: the answer's fields and limits. What it finds is the subject of `fts_seed`.

use harness::{Server, TestServer, TestVault};
use serde_json::json;

use crate::fixtures;

fn server() -> Server {
    TestServer::start().with_vault(fixtures::full()).ready()
}

#[test]
fn the_answer_says_how_the_query_was_read() {
    let server = server();
    let answer = server.call("vault_fts_search", json!({"query": "how do I renew the certificates"}));
    let answer = answer.structured();
    assert_eq!(answer["query_mode"], "all");
    assert_eq!(answer["ignored_stopwords"], json!(["how", "do", "I", "the"]));
    assert!(answer["word_forms"]["renew"].as_array().unwrap().contains(&json!("renewed")), "{answer}");
    assert!(
        answer["word_forms"]["certificates"].as_array().unwrap().contains(&json!("certificate")),
        "{answer}"
    );
    let hit = &answer["results"][0];
    assert_eq!(hit["path"], "howto/renew-wildcard-certificate.md");
    assert_eq!(hit["match"], "word_forms");
    assert_eq!(hit["tags"], json!(["tls", "homelab", "homelab/tls"]));
    assert!(hit["description"].as_str().unwrap().starts_with("Renewing the Let's Encrypt"), "{hit}");
    let fields = hit["matched_fields"].as_array().unwrap();
    for field in ["title", "headings", "description", "body"] {
        assert!(fields.contains(&json!(field)), "{field} not in {fields:?}");
    }
}

#[test]
fn matches_are_marked() {
    let server = server();
    let answer = server.call("vault_fts_search", json!({"query": "kubernetes"}));
    let snippet = answer.structured()["results"][0]["snippet"].as_str().unwrap().to_owned();
    assert!(snippet.contains("«Kubernetes»"), "{snippet}");
}

#[test]
fn at_most_fifty_results_come_whatever_is_asked() {
    let vault = (0..60).fold(TestVault::new(), |vault, number| vault.note(&format!("{number}.md"), "needle"));
    let server = TestServer::start().with_vault(vault).ready();
    let count = |most: u32| {
        let answer = server.call("vault_fts_search", json!({"query": "needle", "max_results": most}));
        assert_eq!(answer.structured()["total"], 60);
        assert_eq!(answer.structured()["truncated"], true);
        answer.structured()["results"].as_array().unwrap().len()
    };
    assert_eq!((count(1), count(50)), (1, 50));
    let over = server.call("vault_fts_search", json!({"query": "needle", "max_results": 500}));
    let capped = !over.is_error() && over.structured()["results"].as_array().unwrap().len() == 50;
    assert!(
        capped || over.text().contains("50"),
        "capped, or an error that names the limit: {}",
        over.text()
    );
    assert_eq!(
        server.call("vault_fts_search", json!({"query": "needle"})).structured()["results"]
            .as_array()
            .unwrap()
            .len(),
        20
    );
}

#[test]
fn a_hit_has_no_empty_fields() {
    let server = server();
    let answer = server.call("vault_fts_search", json!({"query": "quietly"}));
    let hit = &answer.structured()["results"][0];
    assert!(hit.get("description").is_none(), "{hit}");
    let plain = server.call("vault_fts_search", json!({"query": "archived"}));
    assert!(plain.structured()["results"][0].get("tags").is_none(), "{}", plain.text());
}

#[test]
fn only_notes_are_found() {
    let server = server();
    let answer = server.call("vault_fts_search", json!({"query": "plan OR diagram"}));
    for path in answer.list("results", "path") {
        assert!(path.ends_with(".md"), "{path}");
    }
}
