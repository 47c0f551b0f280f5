//! `vault_get_backlinks` and `vault_get_outgoing_links`: links as Obsidian resolves them.

use harness::{Server, TestServer, TestVault};
use serde_json::{Value, json};

use crate::fixtures;

fn server() -> Server {
    TestServer::start().with_vault(fixtures::full()).ready()
}

#[track_caller]
fn backlinks(server: &Server, path: &str) -> Vec<String> {
    let answer = server.call("vault_get_backlinks", json!({"path": path}));
    let mut paths = answer.list("backlinks", "path");
    assert_eq!(answer.structured()["count"], paths.len());
    paths.sort();
    paths
}

#[track_caller]
fn outgoing(server: &Server, path: &str) -> Vec<Value> {
    let answer = server.call("vault_get_outgoing_links", json!({"path": path}));
    let links = answer.structured()["outgoing_links"].as_array().unwrap().clone();
    assert_eq!(answer.structured()["count"], links.len());
    links
}

#[track_caller]
fn target<'a>(links: &'a [Value], path: &str) -> &'a Value {
    links.iter().find(|link| link["path"] == path).unwrap_or_else(|| panic!("no {path} in {links:?}"))
}

#[test]
fn backlinks_come_from_text_properties_and_canvases() {
    let server = server();
    assert_eq!(
        backlinks(&server, "Projects/Cluster.md"),
        ["Boards/plan.canvas", "howto/renew-wildcard-certificate.md"]
    );
    assert_eq!(
        backlinks(&server, "People/Jonas Müller.md"),
        ["Daily/2026-01-15.md", "howto/renew-wildcard-certificate.md"]
    );
    assert_eq!(backlinks(&server, "Boards/plan.canvas"), ["Projects/Cluster.md"]);
    assert_eq!(backlinks(&server, "img/diagram.png"), ["Projects/Cluster.md"]);
    // A link in a comment counts, one in a fence does not.
    assert_eq!(backlinks(&server, "Inbox.md"), ["Projects/Cluster.md"]);
}

#[test]
fn an_unknown_path_has_no_backlinks_and_is_no_error() {
    assert_eq!(backlinks(&server(), "nope.md"), [""; 0]);
}

#[test]
fn outgoing_links_say_what_they_reach() {
    let server = server();
    let links = outgoing(&server, "Projects/Cluster.md");
    let howto = target(&links, "howto/renew-wildcard-certificate.md");
    assert_eq!((&howto["exists"], &howto["kind"]), (&json!(true), &json!("note")));
    assert_eq!(howto["title"], "Renew the wildcard certificate");
    assert_eq!(howto["bytes"], server.vault().read("howto/renew-wildcard-certificate.md").len());
    let picture = target(&links, "img/diagram.png");
    assert_eq!(
        (&picture["exists"], &picture["kind"], &picture["bytes"]),
        (&json!(true), &json!("file"), &json!(8))
    );
    let missing = target(&links, "Missing note");
    assert_eq!((&missing["exists"], &missing["kind"]), (&json!(false), &json!("note")));
    assert!(missing.get("title").is_none() && missing.get("bytes").is_none(), "{missing}");
    assert!(!links.iter().any(|link| link["path"] == "In a fence"), "{links:?}");
}

#[test]
fn an_alias_does_not_resolve_but_its_note_is_named() {
    let links = outgoing(&server(), "Projects/Cluster.md");
    let alias = target(&links, "Jojo");
    assert_eq!((&alias["exists"], &alias["alias_of"]), (&json!(false), &json!("People/Jonas Müller.md")));
}

#[test]
fn a_link_to_a_day_without_a_note_is_a_forward_reference() {
    let links = outgoing(&server(), "Projects/Cluster.md");
    assert_eq!(target(&links, "Daily Notes/2030-01-01")["daily_note_forward_ref"], true);
    assert_eq!(target(&links, "Missing note")["daily_note_forward_ref"], false);
}

#[test]
fn links_resolve_by_name_path_and_place() {
    let vault = TestVault::new()
        .note(
            "a/Note.md",
            "[[Note]] [[other]] [[../b/Note]] [[b/Note|shown]] [up](../Top%20note.md) [[./Near]]",
        )
        .note("a/Near.md", "")
        .note("b/Note.md", "[[NOTE]]")
        .note("Top note.md", "[[Note]]")
        .note("deep/er/Other.md", "| a |\n|---|\n| [[Top note\\|shown]] |\n");
    let server = TestServer::start().with_vault(vault).ready();
    let reached = |path: &str| {
        let mut paths: Vec<_> =
            outgoing(&server, path).iter().map(|link| link["path"].as_str().unwrap().to_owned()).collect();
        paths.sort();
        paths
    };
    assert_eq!(
        reached("a/Note.md"),
        ["Top note.md", "a/Near.md", "a/Note.md", "b/Note.md", "deep/er/Other.md"]
    );
    assert_eq!(reached("b/Note.md"), ["b/Note.md"], "the own folder first, letters of any case");
    assert_eq!(reached("deep/er/Other.md"), ["Top note.md"], "a bar in a table is escaped");
}

#[test]
fn parts_of_notes_that_are_not_there_are_named() {
    let vault = TestVault::new()
        .note("from.md", "[[to#Part]] [[to#Gone]] [[to#^b]] [[to#^none]] [[other#Part]]")
        .note("to.md", "# Part\ntext ^B")
        .note("other.md", "# Part");
    let server = TestServer::start().with_vault(vault).ready();
    let links = outgoing(&server, "from.md");
    assert_eq!(target(&links, "to.md")["missing_subpaths"], json!(["#Gone", "#^none"]));
    assert!(target(&links, "other.md").get("missing_subpaths").is_none(), "{links:?}");
}

/// A note that appears takes the links that were waiting for it, and gives them back when it goes.
#[test]
fn links_follow_notes_that_come_and_go() {
    let vault = TestVault::new().note("from.md", "[[Later]]").note("far/away/Later.md", "");
    let server = TestServer::start().with_vault(vault).ready();
    assert_eq!(backlinks(&server, "far/away/Later.md"), ["from.md"]);
    server.vault().write("Later.md", "nearer");
    harness::eventually("the nearer note takes the link", std::time::Duration::from_secs(10), || {
        (backlinks(&server, "Later.md") == ["from.md"]).then_some(())
    });
    assert_eq!(backlinks(&server, "far/away/Later.md"), [""; 0]);
    server.vault().remove("Later.md");
    harness::eventually("the link goes back", std::time::Duration::from_secs(10), || {
        (backlinks(&server, "far/away/Later.md") == ["from.md"]).then_some(())
    });
}

#[test]
fn only_notes_and_canvases_have_outgoing_links() {
    let server = server();
    assert_eq!(target(&outgoing(&server, "Boards/plan.canvas"), "Projects/Cluster.md")["exists"], true);
    let answer = server.call("vault_get_outgoing_links", json!({"path": "nope.md"}));
    assert!(answer.is_error() || answer.structured()["count"] == 0, "{}", answer.text());
}
