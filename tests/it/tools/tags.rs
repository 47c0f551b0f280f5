//! `vault_list_tags` and `vault_search_by_tag`: property and inline tags, folded as Obsidian folds.

use harness::{Server, TestServer, TestVault};
use serde_json::{Value, json};

fn server() -> Server {
    let vault = TestVault::new()
        .note("a.md", "---\ntags: [Project, area/home]\n---\ntext #project again #Project\n")
        .modified("a.md", 1_700_000_000)
        .note("b.md", "#project/active and #PROJECT\n")
        .modified("b.md", 1_700_000_300)
        .note("c.md", "---\ntags: one, two\n---\n#projects `#code` %%#hidden%% [x](y#anchor) #1984 #1990s #日本語 #café\n")
        .modified("c.md", 1_700_000_200)
        .note("d.md", "---\nTags:\n  - ok-tag\n  - \"has space\"\n  - \"#hashed/\"\n  - 42\n---\n```\n#fenced\n```\n")
        .modified("d.md", 1_700_000_100);
    TestServer::start().with_vault(vault).ready()
}

#[track_caller]
fn found(server: &Server, arguments: Value) -> Vec<String> {
    server.call("vault_search_by_tag", arguments).list("notes", "path")
}

#[test]
fn tags_are_counted_by_note_and_spelled_as_most_often() {
    let server = server();
    let answer = server.call("vault_list_tags", json!({}));
    let count = |tag: &str| {
        let tags = answer.structured()["tags"].as_array().unwrap();
        tags.iter().find(|row| row["tag"] == tag).map(|row| row["count"].as_u64().unwrap())
    };
    // Project twice in a.md (the property, inline), project once, PROJECT once: the first wins.
    assert_eq!(count("Project"), Some(2));
    assert_eq!(count("project/active"), Some(1));
    assert_eq!(count("projects"), Some(1));
    assert_eq!(count("area/home"), Some(1));
    for tag in ["ok-tag", "hashed", "1990s", "日本語", "café"] {
        assert_eq!(count(tag), Some(1), "{tag}");
    }
    for tag in ["code", "fenced", "anchor", "1984", "has space", "42", "one", "one, two", "#hashed"] {
        assert_eq!(count(tag), None, "{tag}");
    }
    let counts: Vec<u64> =
        answer.text_json().as_array().unwrap().iter().map(|row| row["count"].as_u64().unwrap()).collect();
    assert!(counts.windows(2).all(|pair| pair[0] >= pair[1]), "most used first: {counts:?}");
}

#[test]
fn a_parent_finds_its_children_unless_exactly_it_is_meant() {
    let server = server();
    assert_eq!(found(&server, json!({"tag": "project"})), ["b.md", "a.md"], "the last changed first");
    assert_eq!(found(&server, json!({"tag": "project/active"})), ["b.md"]);
    assert_eq!(found(&server, json!({"tag": "project/active", "exact": true})), ["b.md"]);
    assert_eq!(found(&server, json!({"tag": "area", "exact": true})), [""; 0]);
    assert_eq!(found(&server, json!({"tag": "area"})), ["a.md"]);
    assert_eq!(found(&server, json!({"tag": "projects"})), ["c.md"]);
}

#[test]
fn a_hash_and_the_case_do_not_matter() {
    let server = server();
    for spelling in ["#project", "PROJECT", "#Project", "project/"] {
        assert_eq!(found(&server, json!({"tag": spelling})), ["b.md", "a.md"], "{spelling}");
    }
    let error = server.call("vault_search_by_tag", json!({"tag": "#"})).error();
    assert!(error.contains("tag"), "{error}");
}

#[test]
fn a_row_carries_the_notes_metadata() {
    let server = server();
    let answer = server.call("vault_search_by_tag", json!({"tag": "area/home"}));
    let row = &answer.structured()["notes"][0];
    assert_eq!(row["path"], "a.md");
    assert_eq!(row["title"], "a");
    let tags: Vec<_> = row["tags"].as_array().unwrap().iter().map(|tag| tag.as_str().unwrap()).collect();
    assert_eq!(tags[..2], ["Project", "area/home"], "properties first");
    assert_eq!(tags.iter().filter(|tag| **tag == "Project").count(), 1, "each spelling once: {tags:?}");
    assert_eq!(row["modified"], "2023-11-14T22:13:20.000+00:00");
    assert_eq!(row["folder"], "");
    assert!(row["bytes"].as_u64().unwrap() > 0);
    assert_eq!(answer.structured()["total"], 1);
}

#[test]
fn the_limit_keeps_the_last_changed() {
    let vault = (0..30).fold(TestVault::new(), |vault, number| {
        let path = format!("{number:02}.md");
        vault.note(&path, "#many").modified(&path, 1_700_000_000 + number)
    });
    let server = TestServer::start().with_vault(vault).ready();
    let answer = server.call("vault_search_by_tag", json!({"tag": "many"}));
    assert_eq!(answer.structured()["notes"].as_array().unwrap().len(), 20, "the default limit");
    assert_eq!(answer.structured()["total"], 30);
    assert_eq!(found(&server, json!({"tag": "many", "limit": 2})), ["29.md", "28.md"]);
}
