//! Properties blocks that cannot be read or kept: which tools refuse them, and what the refusal says to do.

use harness::{Server, TestServer, TestVault};
use serde_json::{Value, json};

use super::{done, refused, text_of};

const BROKEN: &str = "---\ntitle: [\n---\nbody one\n";

/// Blocks that a rewrite would lose.
const LOST: &[(&str, &str)] = &[
    ("---\ntitle: \"open\n---\nbody one\n", "not valid YAML"),
    ("---\n- a\n- b\n---\nbody one\n", "list"),
    ("---\njust text\n---\nbody one\n", "single value"),
    ("---\na: !x 1\n---\nbody one\n", "tag"),
];

fn serve(note: &str, disabled: &str) -> Server {
    let vault = TestVault::new().note("A.md", note).note("B.md", "[[A]]\n");
    TestServer::start().with_vault(vault).with_env("DISABLED_TOOLS", disabled).ready()
}

fn merge() -> Value {
    json!({"path": "A.md", "properties": {"x": 1}})
}

#[test]
fn a_merge_refuses_what_it_would_lose_and_a_replacement_repairs_it() {
    for (note, word) in LOST {
        let server = serve(note, "");
        refused(&server, "vault_update_properties", merge(), &[word, "To repair: "]);
        let body = json!({"path": "A.md", "body": "new\n", "overwrite": true});
        refused(&server, "vault_write_note", body, &[word, "then overwrite again"]);
        // The body can be edited: nothing of the block is lost by that.
        let edit = json!({"path": "A.md", "old_text": "one", "new_text": "1"});
        done(&server, "vault_replace_in_note", edit);
        assert_eq!(text_of(&server, "A.md"), note.replace("one", "1"));
        let replace = json!({"path": "A.md", "properties": {"x": 1}, "replace": true});
        let told = done(&server, "vault_update_properties", replace).structured().clone();
        assert!(told["replaced_block"].is_string(), "{told}");
        assert_eq!(text_of(&server, "A.md"), "---\nx: 1\n---\nbody 1\n");
        done(&server, "vault_update_properties", json!({"path": "A.md", "properties": {"y": 2}}));
    }
}

#[test]
fn the_place_in_the_block_is_told() {
    let server = serve(BROKEN, "");
    let error = refused(&server, "vault_update_properties", merge(), &["line ", "column "]);
    assert!(error.contains("line 2") || error.contains("line 3"), "{error}");
}

/// Steps are named only when every tool in them is served.
#[test]
fn a_refusal_names_only_tools_that_are_served() {
    let says = |disabled: &str, words: &[&str], not: &[&str]| {
        let server = serve(BROKEN, disabled);
        let overwrite = json!({"path": "A.md", "body": "new\n", "overwrite": true});
        for (tool, arguments, overwrites) in
            [("vault_update_properties", merge(), false), ("vault_write_note", overwrite, true)]
        {
            if disabled.split(',').any(|name| name == tool) {
                continue;
            }
            let error = refused(&server, tool, arguments, &[]);
            assert!(words.iter().any(|word| error.contains(word)), "{disabled}: {error}");
            let named = not.iter().find(|word| error.contains(**word));
            assert!(named.is_none(), "{disabled}: {named:?} in {error}");
            assert!(!overwrites || !error.contains("vault_patch_note"), "a new body has no prose: {error}");
        }
    };
    says("", &["vault_update_properties and replace: true"], &["in Obsidian"]);
    says("vault_read_note", &["Repair the block in Obsidian"], &["vault_"]);
    says("vault_update_properties", &["Repair the block in Obsidian"], &["vault_"]);
}

/// A move refuses invalid YAML in every note it has to read, even where no link would change, and the rest only
/// where it must rewrite.
#[test]
fn a_move_refuses_what_it_could_not_keep() {
    let shift = |from: &str, to: &str| json!({"old_path": from, "new_path": to});
    let vault = TestVault::new()
        .note("a/Note.md", "x\n")
        .note("stays.md", "---\nt: [\n---\n[[Note]]\n")
        .note("Broken.md", BROKEN);
    let server = super::serve(vault);
    let words = ["move aborted", "stays.md", "nothing was written", "To repair: "];
    refused(&server, "vault_move_note", shift("a/Note.md", "b/Note.md"), &words);
    refused(&server, "vault_move_note", shift("Broken.md", "b/Broken.md"), &["Broken.md", "not valid YAML"]);
    for (note, word) in &LOST[1..] {
        let vault = TestVault::new()
            .note("a/Note.md", &format!("{note}self [[Note]]\n"))
            .note("stays.md", &format!("{note}[[Note]]\n"));
        let server = super::serve(vault);
        done(&server, "vault_move_note", shift("a/Note.md", "b/Note.md"));
        refused(&server, "vault_move_note", shift("b/Note.md", "b/New.md"), &["move aborted", word]);
    }
}

/// Whatever an edit does, the note does not open with a block then that the server could not read or keep.
#[test]
fn no_edit_opens_a_note_with_a_broken_block() {
    let above = "above\n---\nt: [\n---\nbody\n";
    let around = ["Ways around it", "give the note a property", "put text above"];
    let server = serve(above, "");
    for (tool, arguments) in [
        ("vault_delete_span", json!({"path": "A.md", "start_anchor": "above"})),
        ("vault_replace_in_note", json!({"path": "A.md", "old_text": "above\n", "new_text": ""})),
        ("vault_write_note", json!({"path": "N.md", "body": "---\nt: [\n---\n"})),
        ("vault_write_note", json!({"path": "N.md", "body": "---\n- a\n---\n"})),
        ("vault_write_note", json!({"path": "A.md", "body": "---\nt: [\n---\n", "overwrite": true})),
    ] {
        refused(&server, tool, arguments, &around);
    }
    let server = serve("---\na: 1\n---\n---\nt: [\n---\n", "");
    let all = json!({"path": "A.md", "properties": {"a": null}});
    refused(&server, "vault_update_properties", all, &around);
    // With a property of its own the same body is a body.
    let body = json!({"path": "N.md", "body": "---\nt: [\n---\n", "properties": {"a": 1}});
    done(&server, "vault_write_note", body);
    assert_eq!(text_of(&server, "N.md"), "---\na: 1\n---\n---\nt: [\n---\n");
    // And a block that can be read is the note's.
    done(&server, "vault_write_note", json!({"path": "O.md", "body": "---\nt: 1\n---\nx\n"}));
    let read = server.call("vault_read_note", json!({"path": "O.md", "properties_only": true}));
    assert_eq!(read.text_json(), json!({"t": 1}));
}
