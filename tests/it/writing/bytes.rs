//! What an edit was not asked to change stays byte for byte: line ends, byte order mark, a final newline that
//! is missing, white space, comments and quotes in properties.

use harness::TestVault;
use serde_json::{Value, json};

use super::{done, serve, with};
use crate::tools::WRITERS;

/// A note in which every tool has something to do away from the last line.
const NOTE: &str = "---\n# a comment\ntitle:   'T'   # why\ntags: [a,  b]\nempty:\nfolded: >-\n  one\n  two\n---\n\n# \
                    Head\n\none line  \n\ttwo\u{a0}lines\n\n\n## Tasks\n\n- [ ] Task 📅 2026-07-01 ^task\n\n## Last\n\nthe end";

/// The parts of a note that a call changes, before and after.
type Parts = &'static [(&'static str, &'static str)];

fn edits() -> Vec<(&'static str, Value, Parts)> {
    vec![
        (
            "vault_patch_note",
            json!({"operation": "append", "heading": "Tasks", "content": "x\r\ny"}),
            &[("^task\n\n## Last", "^task\n\nx\ny\n\n## Last")],
        ),
        (
            "vault_patch_note",
            json!({"operation": "prepend", "content": "first"}),
            &[("---\n\n# Head", "---\n\nfirst\n\n# Head")],
        ),
        (
            "vault_patch_note",
            json!({"operation": "insert_before", "heading": "Last", "content": "between"}),
            &[("^task\n\n## Last", "^task\n\nbetween\n\n## Last")],
        ),
        (
            "vault_patch_note",
            json!({"operation": "replace", "heading": "Tasks", "content": "none\n"}),
            &[("- [ ] Task 📅 2026-07-01 ^task\n", "none\n")],
        ),
        (
            "vault_replace_in_note",
            json!({"old_text": "line  \n\ttwo", "new_text": "line\n2"}),
            &[("line  \n\ttwo", "line\n2")],
        ),
        (
            "vault_delete_span",
            json!({"start_anchor": "one line", "end_anchor": "lines"}),
            &[("one line  \n\ttwo\u{a0}lines\n", "")],
        ),
        (
            "vault_replace_span",
            json!({"start_anchor": "one line", "content": "1\n2"}),
            &[("one line  \n", "1\n2\n")],
        ),
        (
            "vault_insert_at_anchor",
            json!({"anchor": "one line", "position": "before", "content": "0\n"}),
            &[("one line", "0\none line")],
        ),
        (
            "vault_update_properties",
            json!({"properties": {"tags": ["a", "b", "c"], "new": "x: y"}}),
            &[("[a,  b]", "[a,  b, c]"), ("  two\n---", "  two\nnew: \"x: y\"\n---")],
        ),
        (
            "vault_update_properties",
            json!({"properties": {"title": null, "empty": true}}),
            &[("title:   'T'   # why\n", ""), ("empty:\n", "empty: true\n")],
        ),
        (
            "vault_create_task",
            json!({"description": "More", "block_id": "more", "heading": "Tasks", "subtasks": ["x"]}),
            &[("^task\n", "^task\n- [ ] More ^more\n\t- [ ] x\n")],
        ),
        (
            "vault_update_task",
            json!({"block_id": "task", "due": "2026-08-01", "add_subtasks": ["x"]}),
            &[("2026-07-01 ^task\n", "2026-08-01 ^task\n\t- [ ] x\n")],
        ),
    ]
}

/// The same note as editors of other systems write it.
fn spellings(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for mark in ["", "\u{feff}"] {
        for end in ["\n", "\r\n"] {
            for last in ["", "\n", "\n\n"] {
                all.push(format!("{mark}{}", format!("{text}{last}").replace('\n', end)));
            }
        }
    }
    all
}

#[test]
fn every_edit_keeps_the_bytes_it_was_not_asked_to_change() {
    let spelt = spellings(NOTE);
    for (tool, arguments, parts) in edits() {
        let after = parts.iter().fold(NOTE.to_owned(), |text, (old, new)| {
            assert_eq!(text.matches(old).count(), 1, "{tool}: {old:?}");
            text.replace(old, new)
        });
        let vault = spelt.iter().enumerate();
        let vault = vault.fold(TestVault::new(), |vault, (number, text)| {
            vault.bytes(&format!("{number}.md"), text.as_bytes())
        });
        let server = serve(vault);
        for (number, expected) in spellings(&after).into_iter().enumerate() {
            let path = format!("{number}.md");
            done(&server, tool, with(&arguments, "path", path.as_str()));
            let found = String::from_utf8(server.vault().read(&path)).unwrap();
            assert_eq!(found, expected, "{tool} {arguments} on {:?}", spelt[number]);
        }
    }
}

/// A whole new block takes the place of the old one and of nothing else, a byte order mark before it included.
#[test]
fn a_new_block_keeps_the_body_the_mark_and_the_line_ends() {
    let body = &NOTE[NOTE.find("---\n\n# Head").unwrap() + 4..];
    let replace = json!({"properties": {"x": 1, "y": ["a"]}, "replace": true});
    let after = format!("---\nx: 1\ny:\n  - a\n---\n{body}");
    for (before, expected) in spellings(NOTE).into_iter().zip(spellings(&after)) {
        let server = serve(TestVault::new().bytes("A.md", before.as_bytes()));
        done(&server, "vault_update_properties", with(&replace, "path", "A.md"));
        assert_eq!(String::from_utf8(server.vault().read("A.md")).unwrap(), expected, "{before:?}");
    }
    // Without a block before, and with one that cannot be read.
    for (before, after) in [
        ("\u{feff}text\r\n", "\u{feff}---\r\nx: 1\r\ny:\r\n  - a\r\n---\r\ntext\r\n"),
        ("\u{feff}---\nt: [\n---\ntext", "\u{feff}---\nx: 1\ny:\n  - a\n---\ntext"),
    ] {
        let server = serve(TestVault::new().bytes("A.md", before.as_bytes()));
        done(&server, "vault_update_properties", with(&replace, "path", "A.md"));
        assert_eq!(String::from_utf8(server.vault().read("A.md")).unwrap(), after, "{before:?}");
    }
}

/// Of a note whose line ends differ, each line keeps its own.
#[test]
fn line_ends_of_both_kinds_stay_where_they_are() {
    let note = "---\ra: 1\n---\nunix\nwindows\r\nfirst\r\nlone \r return\n- [ ] t ^t\r\nlast\n";
    for (tool, arguments) in [
        ("vault_replace_in_note", json!({"old_text": "first", "new_text": "1"})),
        ("vault_update_task", json!({"block_id": "t", "due": "2026-01-01"})),
        ("vault_insert_at_anchor", json!({"anchor": "windows", "position": "before", "content": "x"})),
        ("vault_delete_span", json!({"start_anchor": "first"})),
    ] {
        let server = serve(TestVault::new().note("A.md", note));
        done(&server, tool, with(&arguments, "path", "A.md"));
        let found = String::from_utf8(server.vault().read("A.md")).unwrap();
        for kept in ["unix\n", "windows\r\n", "lone \r return\n", "last\n"] {
            assert!(found.contains(kept), "{tool}: {kept:?} in {found:?}");
        }
    }
}

#[test]
fn a_new_body_keeps_the_mark_and_the_line_ends_of_the_old_note() {
    for (before, after) in [
        ("---\na: 1 # c\n---\nold\n", "---\na: 1 # c\n---\nx\ny\n"),
        ("---\r\na: 1 # c\r\n---\r\nold\r\n", "---\r\na: 1 # c\r\n---\r\nx\r\ny\r\n"),
        ("\u{feff}old\r\n", "\u{feff}x\r\ny\r\n"),
        ("\u{feff}---\na: 1\n---\nold", "\u{feff}---\na: 1\n---\nx\ny\n"),
    ] {
        let server = serve(TestVault::new().note("A.md", before));
        let arguments = json!({"path": "A.md", "body": "x\ny\n", "overwrite": true});
        done(&server, "vault_write_note", arguments);
        assert_eq!(String::from_utf8(server.vault().read("A.md")).unwrap(), after, "{before:?}");
    }
}

/// Memory files are notes that people edit as well.
#[test]
fn memory_files_keep_their_bytes() {
    let file = "---\nentry-policy: append-only   # ours\n---\n# Me\n\n## Food\n\n- **2026-01-02**: Rye  \n- **2026-01-01**: Oat\n\n\n## Last\n\n- **2025-12-31**: end";
    let update = json!({"file": "Me", "section": "Food", "entry": "Tea", "options": {"date": "2026-01-03"}});
    let delete = json!({"file": "Me", "section": "Food", "date": "2026-01-01", "entry": "Oat"});
    for (tool, arguments, old, new) in [
        ("vault_update_memory", update, "- **2026-01-02**", "- **2026-01-03**: Tea\n- **2026-01-02**"),
        ("vault_delete_memory", delete, "- **2026-01-01**: Oat\n", ""),
    ] {
        for (before, after) in spellings(file).into_iter().zip(spellings(&file.replace(old, new))) {
            let server = serve(TestVault::new().bytes("About Me/Me.md", before.as_bytes()));
            done(&server, tool, arguments.clone());
            let found = String::from_utf8(server.vault().read("About Me/Me.md")).unwrap();
            assert_eq!(found, after, "{tool} on {before:?}");
        }
    }
}

/// A move changes the links and nothing beside them, in notes and canvases, whatever their line ends.
#[test]
fn rewritten_links_leave_the_rest_of_a_note_alone() {
    let linking = "---\nup: \"[[Old]]\" # why\n---\n\nto [[Old]]  \n\n| a |\n|---|\n| [[Old\\|x]] |\nend";
    let vault = spellings(linking).iter().enumerate().fold(TestVault::new(), |vault, (number, text)| {
        vault.bytes(&format!("{number}.md"), text.as_bytes())
    });
    let canvas = "{ \"nodes\":[\r\n\t{\"type\":\"file\", \"file\":\"Old.md\",\"id\":\"1\"} ],\"x\":1.0 }";
    let moved = "\u{feff}self [[Old]]\r\nend";
    let server = serve(vault.note("Old.md", moved).note("c.canvas", canvas));
    done(&server, "vault_move_note", json!({"old_path": "Old.md", "new_path": "In/New.md"}));
    for (number, expected) in spellings(&linking.replace("Old", "New")).into_iter().enumerate() {
        let found = String::from_utf8(server.vault().read(&format!("{number}.md"))).unwrap();
        assert_eq!(found, expected);
    }
    let canvas = canvas.replace("Old.md", "In/New.md");
    assert_eq!(String::from_utf8(server.vault().read("c.canvas")).unwrap(), canvas);
    let moved = moved.replace("Old", "New");
    assert_eq!(String::from_utf8(server.vault().read("In/New.md")).unwrap(), moved);
}

/// What is not text in UTF-8 cannot be kept by an edit of text, so no tool edits it.
#[test]
fn a_note_that_is_no_utf8_is_not_edited() {
    let vault = TestVault::new()
        .bytes("A.md", b"# Head\n\none caf\xe9\n\n- [ ] Task ^task\n")
        .bytes("About Me/Me.md", b"## A\n\n- **2026-01-01**: caf\xe9\n");
    let server = serve(vault);
    for (tool, arguments, _) in edits() {
        super::refused(&server, tool, with(&arguments, "path", "A.md"), &["not editable", "A.md"]);
    }
    let body = json!({"path": "A.md", "body": "x", "overwrite": true});
    super::refused(&server, "vault_write_note", body, &["not editable", "A.md"]);
    let entry = json!({"file": "Me", "section": "A", "entry": "b"});
    super::refused(&server, "vault_update_memory", entry, &["not editable"]);
    // It can be moved and deleted, which keeps all of it.
    done(&server, "vault_move_note", json!({"old_path": "A.md", "new_path": "B.md"}));
    assert!(server.vault().read("B.md").contains(&0xe9));
}

#[test]
fn every_editing_tool_is_among_these_tests() {
    let here: Vec<&str> = edits().into_iter().map(|(tool, ..)| tool).collect();
    let apart = [
        "vault_write_note",
        "vault_update_memory",
        "vault_delete_memory",
        "vault_move_note",
        "vault_delete_note",
        "vault_undo",
    ];
    for tool in WRITERS {
        assert!(here.contains(&tool) || apart.contains(&tool), "{tool}");
    }
}
