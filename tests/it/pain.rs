//! Complaints about other servers over a vault, reduced to the smallest vault that shows them: the
//! ones that concern reading. Each names the public issue it comes from.

use std::time::Duration;

use harness::{Server, TestServer, TestVault};
use serde_json::{Value, json};

fn serve(notes: &[(&str, &str)]) -> Server {
    let vault = notes.iter().fold(TestVault::new(), |vault, (path, text)| vault.note(path, text));
    TestServer::start().with_vault(vault).ready()
}

fn tags(server: &Server) -> Vec<String> {
    let mut tags = server.call("vault_list_tags", json!({})).list("tags", "tag");
    tags.sort();
    tags
}

fn targets(server: &Server, path: &str) -> Vec<Value> {
    server.call("vault_get_outgoing_links", json!({"path": path})).structured()["outgoing_links"]
        .as_array()
        .unwrap()
        .clone()
}

/// cyanheads/obsidian-mcp-server#119: link anchors were taken for tags.
#[test]
fn anchors_of_links_are_no_tags() {
    let server = serve(&[(
        "n.md",
        "[[Note (Draft)#Overview]] [[#Overview]] [[Note#Heading|see #alias]] [Chat #support](https://e.dev)\n",
    )]);
    assert_eq!(tags(&server), ["support"]);
}

/// cyanheads/obsidian-mcp-server#127: tags in other scripts were cut or lost.
#[test]
fn tags_in_every_script_are_whole() {
    let server = serve(&[("n.md", "#1990s #2024-goals #3d #café #日本語 #✅done #1984\n")]);
    assert_eq!(tags(&server), ["1990s", "2024-goals", "3d", "café", "✅done", "日本語"].map(str::to_owned));
}

/// rps321321/obsidian-mcp-pro PR#194: a property tag with a space was listed.
#[test]
fn a_property_tag_with_a_space_is_none() {
    assert_eq!(tags(&serve(&[("n.md", "---\ntags:\n  - ok-tag\n  - \"has space\"\n---\n")])), ["ok-tag"]);
}

/// maxkuminov/obsidian-mcp#150: headings were found in fences, or lost after them.
#[test]
fn headings_in_fences_are_none() {
    let server =
        serve(&[("n.md", "````md\n```\n# not a heading\n```\n````\n# real\n  ```\n# code too\n  ```\n")]);
    let outline = server.call("vault_read_note", json!({"path": "n.md", "outline": true}));
    assert_eq!(outline.list("headings", "text"), ["real"]);
}

/// pvliesdonk/markdown-vault-mcp#233: a bare name in another folder counted as broken.
#[test]
fn a_bare_name_reaches_another_folder() {
    let server = serve(&[("journal/2024-01-15.md", "[[MyNote]]\n"), ("notes/MyNote.md", "")]);
    assert_eq!(targets(&server, "journal/2024-01-15.md")[0]["path"], "notes/MyNote.md");
}

/// pvliesdonk/markdown-vault-mcp#1383: an encoded Markdown link was unresolved.
#[test]
fn an_encoded_link_reaches_its_note() {
    let server = serve(&[("s.md", "[y](My%20Note.md)\n"), ("Sub/My Note.md", "")]);
    assert_eq!(targets(&server, "s.md")[0]["path"], "Sub/My Note.md");
}

/// pvliesdonk/markdown-vault-mcp#731: the backslash before a bar in a table became part of the link.
#[test]
fn an_escaped_bar_in_a_table_is_no_part_of_the_link() {
    let server = serve(&[("s.md", "| a |\n|---|\n| [[Note\\|shown]] |\n"), ("Note.md", "")]);
    assert_eq!(targets(&server, "s.md")[0]["path"], "Note.md");
}

/// kepano/obsidian-skills#144: an alias was resolved as if it were a name.
#[test]
fn an_alias_is_named_and_not_resolved() {
    let server = serve(&[("s.md", "[[AL]]\n"), ("b.md", "---\naliases: [AL]\n---\n")]);
    let link = &targets(&server, "s.md")[0];
    assert_eq!(
        (&link["path"], &link["exists"], &link["alias_of"]),
        (&json!("AL"), &json!(false), &json!("b.md"))
    );
}

/// jacksteamdev/obsidian-mcp-tools#83: a section with code in its heading was not found.
#[test]
fn a_section_is_found_with_and_without_its_backticks() {
    let server = serve(&[("n.md", "# T\n## Use `foo`\n| a | b |\n|---|---|\n| 1 | 2 |\n")]);
    for heading in ["Use `foo`", "Use foo"] {
        assert!(
            server
                .call("vault_read_note", json!({"path": "n.md", "heading": heading}))
                .text()
                .contains("| 1 | 2 |")
        );
    }
}

/// coddingtonbear/obsidian-local-rest-api#126 and jacksteamdev/obsidian-mcp-tools#78: sections
/// whose headings are not ASCII gave an error.
#[test]
fn a_section_is_found_in_every_script() {
    let server = serve(&[("n.md", "## 待整理\na\n## Детали\nb\n## Diario – Ó\nc\n")]);
    for (heading, line) in [("待整理", "a"), ("Детали", "b"), ("Diario – Ó", "c")] {
        let section = server.call("vault_read_note", json!({"path": "n.md", "heading": heading}));
        assert_eq!(section.structured()["text"].as_str().unwrap().lines().nth(1), Some(line));
    }
}

/// ToKiDoO/mcp-obsidian-advanced#1: a heading given with its hashes was refused.
#[test]
fn a_heading_may_be_given_with_its_hashes() {
    let server = serve(&[("n.md", "# M\n### People\n- A\n")]);
    assert!(
        server
            .call("vault_read_note", json!({"path": "n.md", "heading": "### People"}))
            .text()
            .contains("- A")
    );
}

/// intellectronica/mdbasequery#3: properties were not found in files with Windows line ends, nor
/// when the file ends right after them.
#[test]
fn properties_end_with_any_line_end_or_none() {
    let server = serve(&[("a.md", "---\r\ntitle: X\r\n---\r\nbody\r\n"), ("b.md", "---\ntitle: Y\n---")]);
    for (path, title) in [("a.md", "X"), ("b.md", "Y")] {
        let properties = server.call("vault_read_note", json!({"path": path, "properties_only": true}));
        assert_eq!(properties.text_json(), json!({"title": title}));
    }
}

/// tobi/qmd#302, #86 and PR#100: one odd name ended the whole run.
#[test]
fn odd_names_are_notes_like_others() {
    let server = serve(&[("🐘.md", "a\n"), ("°.md", "b\n"), ("{.md", "c\n")]);
    assert_eq!(server.call("index_status", json!({})).structured()["notes"], 3);
}

/// basicmachines-co/basic-memory#248, #30: a save by rename lost the note from the index.
#[test]
fn a_save_by_rename_keeps_the_note() {
    let server = serve(&[("test.md", "hello\n")]);
    server.vault().save_by_rename("test.md", "goodbye\n");
    server.wait_for_hit("goodbye", "test.md", Duration::from_secs(5));
    assert_eq!(server.call("index_status", json!({})).structured()["files"], 0);
}

/// MarkusPfundstein/mcp-obsidian#66: a folder with a slash at its end was not found.
#[test]
fn a_folder_may_end_in_a_slash() {
    let server = serve(&[("Thoughts/a.md", "")]);
    for folder in ["Thoughts/", "Thoughts"] {
        assert_eq!(
            server.call("vault_list_notes", json!({"folder": folder})).text_json(),
            json!(["Thoughts/a.md"])
        );
    }
}
