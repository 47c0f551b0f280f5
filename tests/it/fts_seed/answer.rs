//! What comes back, and how it stays current.

use std::time::Duration;

use serde_json::json;

use super::{ask, found, found_set, notes, serve};
use crate::fixtures;

/// "path_prefix: a string prefix on the vault-relative path. End it with / to mean a folder:
/// daily/ is the folder, daily also matches daily-archive/."
#[test]
fn a_path_prefix_is_a_prefix_of_the_text() {
    let server = serve(notes(&[
        ("daily/a.md", "needle"),
        ("daily-archive/b.md", "needle"),
        ("other/daily/c.md", "needle"),
        ("100%_d.md", "needle"),
    ]));
    let with = |prefix: &str| {
        let mut paths = server
            .call("vault_fts_search", json!({"query": "needle", "path_prefix": prefix}))
            .list("results", "path");
        paths.sort();
        paths
    };
    assert_eq!(with("daily/"), ["daily/a.md"]);
    assert_eq!(with("daily"), ["daily-archive/b.md", "daily/a.md"]);
    assert_eq!(with("daily/a"), ["daily/a.md"]);
    assert_eq!(with("100%_"), ["100%_d.md"], "no wildcard");
    assert_eq!(with("%"), [""; 0]);
}

/// "max_results: capped at the server's search limit (50)", "max_results=20".
#[test]
fn twenty_results_by_default_and_fifty_at_most() {
    let rows: Vec<(String, &str)> = (0..70).map(|number| (format!("{number}.md"), "needle")).collect();
    let server = serve(notes(&rows.iter().map(|(path, text)| (path.as_str(), *text)).collect::<Vec<_>>()));
    let count = |arguments| {
        server.call("vault_fts_search", arguments).structured()["results"].as_array().unwrap().len()
    };
    assert_eq!(count(json!({"query": "needle"})), 20);
    assert_eq!(count(json!({"query": "needle", "max_results": 50})), 50);
}

/// "Each result carries path, title, score, matched_fields, a snippet with the matches marked
/// «like this», plus description and tags when the note has them in its frontmatter."
#[test]
fn a_result_carries_its_fields() {
    let server = serve(fixtures::full());
    let answer = ask(&server, "renew wildcard certificate");
    let hit = &answer["results"][0];
    assert_eq!(hit["path"], "howto/renew-wildcard-certificate.md");
    assert_eq!(hit["title"], "Renew the wildcard certificate");
    assert!(hit["score"].as_f64().unwrap() > 0.0);
    assert!(hit["snippet"].as_str().unwrap().contains('«'), "{hit}");
    assert!(hit["description"].is_string() && hit["tags"].is_array());
    let bare = ask(&server, "quietly")["results"][0].clone();
    assert!(bare.get("description").is_none());
}

/// "matched_fields": path, title, aliases, description, tags, headings, body.
#[test]
fn matched_fields_name_every_field_with_a_word() {
    let server = serve(notes(&[(
        "plugh/note.md",
        "---\ntitle: xyzzy\naliases: [frobnitz]\ndescription: quux\ntags: [grault]\n---\n## Waldo\n\ngarply\n",
    )]));
    for (query, field) in [
        ("plugh", "path"),
        ("xyzzy", "title"),
        ("frobnitz", "aliases"),
        ("quux", "description"),
        ("grault", "tags"),
        ("garply", "body"),
    ] {
        assert_eq!(ask(&server, query)["results"][0]["matched_fields"], json!([field]), "{query}");
    }
    let heading = ask(&server, "waldo")["results"][0]["matched_fields"].clone();
    assert!(heading.as_array().unwrap().contains(&json!("headings")), "{heading}");
}

/// "The response says how the query was read, so the caller is never left guessing why something
/// matched": the example of the documentation.
#[test]
fn the_example_of_the_documentation() {
    let server = serve(fixtures::full());
    let answer = ask(&server, "how do I renew the certificates");
    assert_eq!(answer["query_mode"], "all");
    assert_eq!(answer["truncated"], false);
    assert_eq!(answer["ignored_stopwords"], json!(["how", "do", "I", "the"]));
    assert_eq!(answer["results"][0]["match"], "word_forms");
    let forms = answer["word_forms"]["certificates"].as_array().unwrap();
    assert!(forms.contains(&json!("certificate")), "{answer}");
    assert!(!forms.contains(&json!("certificates")), "the word itself is no other form of it");
}

/// "Only *.md files are indexed. .obsidian, .trash, .git and every dot-directory are skipped."
#[test]
fn only_notes_outside_dot_folders_are_found() {
    let server = serve(notes(&[
        ("seen.md", "needle"),
        ("not.txt", "needle"),
        ("not.canvas", "{\"nodes\":[{\"id\":\"1\",\"type\":\"text\",\"text\":\"needle\"}]}"),
        (".obsidian/a.md", "needle"),
        (".trash/a.md", "needle"),
        (".git/a.md", "needle"),
        ("folder/.hidden/a.md", "needle"),
    ]));
    assert_eq!(found(&server, "needle"), ["seen.md"]);
}

/// "At startup the index is reconciled with the vault […]. New and changed notes (by mtime and
/// size) are indexed, vanished ones removed."
#[test]
fn a_start_reconciles() {
    let settings = serve(notes(&[("a.md", "firstword"), ("b.md", "secondword")])).stop();
    settings.vault().write("a.md", "thirdword!");
    settings.vault().remove("b.md");
    settings.vault().write("c.md", "fourthword");
    let server = settings.ready();
    assert_eq!(found(&server, "thirdword"), ["a.md"]);
    assert_eq!(found(&server, "fourthword"), ["c.md"]);
    assert_eq!(found(&server, "firstword"), [""; 0]);
    assert_eq!(found(&server, "secondword"), [""; 0]);
}

/// "Edits from outside the server […] arrive through the server's filesystem watcher, a few seconds
/// after the change."
#[test]
fn edits_from_outside_arrive() {
    let server = serve(notes(&[("a.md", "firstword")]));
    server.vault().write("a.md", "secondword");
    server.wait_for_hit("secondword", "a.md", Duration::from_secs(5));
}

/// "Files outside the vault, dotfiles and hardlinked files are never indexed and never returned."
#[test]
fn files_with_names_outside_are_never_returned() {
    let vault = notes(&[("a.md", "needle")]).outside_file("b.md", "needle");
    let outside = vault.outside("b.md");
    let server = serve(vault.hard_link("hard.md", &outside).symlink("soft.md", &outside));
    assert_eq!(found_set(&server, "needle"), ["a.md"]);
}

/// "The tool is read-only".
#[test]
fn the_tool_is_read_only() {
    let server = serve(notes(&[]));
    let tools = server.tools();
    let tool = tools.iter().find(|tool| tool["name"] == "vault_fts_search").unwrap();
    assert_eq!(tool["annotations"]["readOnlyHint"], true);
}

/// "Hub pages that list many notes with their descriptions match many queries. They rank low, but
/// they show up."
#[test]
fn a_hub_page_shows_up_below_the_note_itself() {
    let hub: String =
        (0..200).map(|number| format!("- [[note {number}]]: words about subject{number}x\n")).collect();
    let server = serve(notes(&[("Hub.md", &hub), ("note 7.md", "All about subject7x, at some length.")]));
    assert_eq!(found(&server, "subject7x"), ["note 7.md", "Hub.md"]);
}
