//! `vault_read_note`: the whole note, one section, the outline, the properties, a range of lines.

use harness::{Server, TestServer, TestVault};
use serde_json::json;

use crate::fixtures;

const HOWTO: &str = "howto/renew-wildcard-certificate.md";

fn server() -> Server {
    TestServer::start().with_vault(fixtures::full()).ready()
}

#[track_caller]
fn fails(server: &Server, arguments: serde_json::Value, words: &[&str]) {
    let error = server.call("vault_read_note", arguments.clone()).error();
    for word in words {
        assert!(error.contains(word), "{arguments}: nothing about {word:?} in {error:?}");
    }
}

#[test]
fn the_whole_note_comes_as_it_is_on_disk() {
    let server = server();
    let answer = server.call("vault_read_note", json!({"path": HOWTO}));
    let on_disk = String::from_utf8(server.vault().read(HOWTO)).unwrap();
    assert_eq!(answer.blocks(), [on_disk.as_str()]);
    assert_eq!(answer.structured()["text"], on_disk);
    assert_eq!(answer.structured()["path"], HOWTO);
}

#[test]
fn the_hash_is_the_one_that_sha256sum_prints() {
    let server = TestServer::start().with_vault(fixtures::sparse()).ready();
    let hash = |arguments| server.call("vault_read_note", arguments).structured()["hash"].clone();
    let whole = hash(json!({"path": "One.md"}));
    assert_eq!(
        whole, "1cb0f5a9e3a8e4ddd72322c677990833aa4c67ff300b3ebfbfb726894f1a1058",
        "printf lonely | sha256sum"
    );
    // Whatever part is read, the hash is that of the file: an edit is checked against the file.
    for arguments in [
        json!({"path": "One.md", "start_line": 1, "limit": 1}),
        json!({"path": "One.md", "outline": true}),
        json!({"path": "One.md", "properties_only": true}),
    ] {
        assert_eq!(hash(arguments.clone()), whole, "{arguments}");
    }
    server.vault().write("One.md", "lonelier");
    assert_ne!(hash(json!({"path": "One.md"})), whole);
}

#[test]
fn properties_alone_come_as_a_map_in_the_order_of_the_file() {
    let server = server();
    let answer = server.call("vault_read_note", json!({"path": HOWTO, "properties_only": true}));
    let text = answer.text();
    let properties = answer.text_json();
    let keys: Vec<_> = properties.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        ["title", "aliases", "description", "tags", "type", "created", "related", "effort", "done", "steps"]
    );
    assert_eq!(properties["effort"], 3);
    assert_eq!(properties["done"], true);
    assert_eq!(properties["created"], "2026-03-02", "a date stays the text it is");
    assert!(text.starts_with("{\n  \"title\": "), "pretty, two spaces: {text}");
    assert_eq!(answer.structured()["properties"], properties);
}

#[test]
fn a_note_without_properties_has_an_empty_map() {
    let server = server();
    let answer = server.call("vault_read_note", json!({"path": "Inbox.md", "properties_only": true}));
    assert_eq!(answer.text_json(), json!({}));
}

#[test]
fn a_section_runs_to_the_next_heading_of_its_level() {
    let server = server();
    let section =
        |heading: &str| server.call("vault_read_note", json!({"path": HOWTO, "heading": heading})).text();
    let steps = section("Steps");
    assert!(
        steps.starts_with("## Steps\n") && steps.contains("### Verify") && steps.contains("e2ee"),
        "{steps}"
    );
    assert!(!section("Why it expires").contains("Steps"));
    assert_eq!(section("Verify").lines().next(), Some("### Verify"));
}

#[test]
fn the_outline_measures_what_a_section_read_returns() {
    let server = server();
    let outline = server.call("vault_read_note", json!({"path": HOWTO, "outline": true}));
    let outline = outline.structured();
    assert_eq!(outline["bytes"], server.vault().read(HOWTO).len());
    assert!(outline["modified"].as_str().unwrap().starts_with("20"), "{outline}");
    assert_eq!(
        outline["leading_callout"],
        json!({"type": "info", "title": "Scope", "body": "Everything about renewal."})
    );
    let headings = outline["headings"].as_array().unwrap();
    assert_eq!(headings.len(), 4);
    for heading in headings {
        let (level, text) = (&heading["level"], heading["text"].as_str().unwrap());
        let section =
            server.call("vault_read_note", json!({"path": HOWTO, "heading": text, "heading_level": level}));
        assert_eq!(heading["bytes"], section.structured()["text"].as_str().unwrap().len(), "{text}");
    }
}

#[test]
fn an_outline_shows_what_stands_before_the_first_heading() {
    let vault = TestVault::new().note("Lead.md", "Some words first.\n\nAnd more.\n\n# Then\n\nx\n");
    let server = TestServer::start().with_vault(vault).ready();
    let outline = server.call("vault_read_note", json!({"path": "Lead.md", "outline": true}));
    let lead = outline.structured()["leading_content"].to_string();
    assert!(lead.contains("Some words first.") && lead.contains("And more."), "{lead}");
}

#[test]
fn lines_come_page_by_page_and_say_how_to_go_on() {
    let text: String = (1..=7).map(|line| format!("line {line}\n")).collect();
    let server = TestServer::start().with_vault(TestVault::new().note("Seven.md", &text)).ready();
    let page = |start: u32, limit: u32| {
        server.call("vault_read_note", json!({"path": "Seven.md", "start_line": start, "limit": limit}))
    };
    let first = page(1, 3);
    assert_eq!(
        first.blocks(),
        ["Seven.md — lines 1–3 of 7 (continue with start_line: 4)", "line 1\nline 2\nline 3\n"]
    );
    let last = page(7, 3);
    assert_eq!(last.blocks()[0], "Seven.md — lines 7–7 of 7 (end of file)");
    assert_eq!(last.blocks()[1].trim_end(), "line 7");
    // Pages joined are the note.
    let joined: Vec<String> = [page(1, 3), page(4, 3), page(7, 3)]
        .iter()
        .flat_map(|page| page.blocks()[1].lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert_eq!(joined.join("\n") + "\n", text);
    fails(&server, json!({"path": "Seven.md", "start_line": 8}), &["7 lines"]);
}

#[test]
fn a_section_is_paged_too() {
    let server = server();
    let answer = server
        .call("vault_read_note", json!({"path": HOWTO, "heading": "Steps", "start_line": 1, "limit": 1}));
    assert_eq!(answer.blocks().len(), 2);
    assert_eq!(answer.blocks()[1].trim_end(), "## Steps");
}

#[test]
fn shapes_exclude_each_other() {
    let server = server();
    fails(
        &server,
        json!({"path": HOWTO, "outline": true, "properties_only": true}),
        &["outline", "properties_only"],
    );
    fails(&server, json!({"path": HOWTO, "outline": true, "heading": "Steps"}), &["outline", "heading"]);
    fails(&server, json!({"path": HOWTO, "heading_level": 2}), &["heading_level", "heading"]);
    fails(&server, json!({"path": HOWTO, "outline": true, "start_line": 1}), &["outline"]);
    fails(&server, json!({"path": HOWTO, "properties_only": true, "limit": 1}), &["properties_only"]);
}

#[test]
fn what_is_not_there_is_named_with_what_is() {
    let server = server();
    fails(&server, json!({"path": "Nowhere.md"}), &["not found", "Nowhere.md"]);
    fails(
        &server,
        json!({"path": HOWTO, "heading": "Stepz"}),
        &["Stepz", "Steps", "Why it expires", "Verify"],
    );
    fails(&server, json!({"path": "Inbox.md", "heading": "X"}), &["Inbox"]);
}

#[test]
fn an_ambiguous_heading_is_refused_with_its_places() {
    let server = server();
    fails(&server, json!({"path": "Twice.md", "heading": "Day"}), &["Day", "2"]);
    fails(&server, json!({"path": "Twice.md", "heading": "Log", "heading_level": 1}), &["Log", "2"]);
}

#[test]
fn a_heading_is_found_with_or_without_its_formatting() {
    let text =
        "# T\n\n## Use `foo`\n\n| a |\n|---|\n| 1 |\n\n## **Bold** move ##\n\nb\n\n### People\n\n- A\n";
    let server = TestServer::start().with_vault(TestVault::new().note("n.md", text)).ready();
    for heading in ["Use `foo`", "Use foo", "## Use `foo`"] {
        let answer = server.call("vault_read_note", json!({"path": "n.md", "heading": heading}));
        assert!(answer.text().contains("| 1 |"), "{heading}");
    }
    for heading in ["**Bold** move", "Bold move"] {
        assert!(
            server.call("vault_read_note", json!({"path": "n.md", "heading": heading})).text().contains('b'),
            "{heading}"
        );
    }
    assert!(
        server
            .call("vault_read_note", json!({"path": "n.md", "heading": "### People"}))
            .text()
            .contains("- A")
    );
}

#[test]
fn names_are_found_as_people_type_them() {
    let vault = TestVault::new()
        // The name on disk is decomposed, as a Mac writes it; the other holds a no-break space.
        .note("Cafe\u{301}.md", "decomposed")
        .note("No\u{a0}break.md", "spaced")
        .note("🐘.md", "elephant")
        .note("{.md", "brace");
    let server = TestServer::start().with_vault(vault).ready();
    for (path, text) in
        [("Café.md", "decomposed"), ("No break.md", "spaced"), ("🐘.md", "elephant"), ("{.md", "brace")]
    {
        assert_eq!(
            server.call("vault_read_note", json!({"path": path})).structured()["text"],
            text,
            "{path}"
        );
    }
    let listed = server.call("vault_list_notes", json!({}));
    assert_eq!(listed.structured()["notes"], json!(["Café.md", "No break.md", "{.md", "🐘.md"]));
}

#[test]
fn a_path_may_wander_inside_the_vault() {
    let server = server();
    for path in ["Projects/../Inbox.md", "./Inbox.md", "Projects//../Inbox.md", "Inbox.md/"] {
        let answer = server.call("vault_read_note", json!({"path": path}));
        assert!(answer.is_error() || answer.structured()["path"] == "Inbox.md", "{path}: {}", answer.text());
    }
    assert!(!server.call("vault_read_note", json!({"path": "Projects/../Inbox.md"})).is_error());
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_do_not_hide_properties() {
    let vault = TestVault::new()
        .bytes("bom.md", b"\xef\xbb\xbf---\ntitle: Marked\n---\nx\n")
        .note("crlf.md", "---\r\ntitle: Windows\r\n---\r\n# H\r\n\r\nbody\r\n")
        .note("end.md", "---\ntitle: Ends\n---");
    let server = TestServer::start().with_vault(vault).ready();
    for (path, title) in [("bom.md", "Marked"), ("crlf.md", "Windows"), ("end.md", "Ends")] {
        let answer = server.call("vault_read_note", json!({"path": path, "properties_only": true}));
        assert_eq!(answer.text_json(), json!({"title": title}), "{path}");
    }
    let section = server.call("vault_read_note", json!({"path": "crlf.md", "heading": "H"}));
    assert_eq!(section.structured()["text"], "# H\r\n\r\nbody\r\n");
}
