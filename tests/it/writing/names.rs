//! What a note may be called, and where it may lie: for every tool that makes one or changes one.

use harness::{Server, TestVault};
use serde_json::{Value, json};

use super::{calls, done, refused, serve, vault};

/// The calls that would make a note of this name.
fn that_make(path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("vault_write_note", json!({"path": path, "body": "x\n"})),
        ("vault_write_note", json!({"path": path, "body": "x\n", "overwrite": true})),
        ("vault_write_note", json!({"path": path, "body": "x\n", "dry_run": true})),
        ("vault_move_note", json!({"old_path": "Note.md", "new_path": path})),
        ("vault_move_note", json!({"old_path": "Note.md", "new_path": path, "dry_run": true})),
    ]
}

#[track_caller]
fn no_name(server: &Server, path: &str, words: &[&str]) {
    for (tool, arguments) in that_make(path) {
        refused(server, tool, arguments, words);
    }
}

/// A note of this name is made, found, linked to and taken back.
#[track_caller]
fn is_name(server: &Server, path: &str) {
    let made = done(server, "vault_write_note", json!({"path": path, "body": "zebra\n"}));
    assert_eq!(made.structured()["path"], path);
    assert!(server.finds("zebra", path), "{path}");
    assert_eq!(server.vault().read(path), b"zebra\n", "{path}");
    done(server, "vault_undo", json!({"change": made.structured()["change"]}));
    assert!(!server.vault().path(path).exists(), "{path}");
    let moved = done(server, "vault_move_note", json!({"old_path": "Note.md", "new_path": path}));
    assert_eq!(moved.structured()["moved_to"], path);
    done(server, "vault_undo", json!({"change": moved.structured()["change"]}));
    assert!(!server.vault().path(path).exists() && server.vault().path("Note.md").is_file(), "{path}");
}

#[test]
fn control_characters_and_colons_are_in_no_name() {
    let server = serve(vault());
    for code in (0..0x20).chain(0x7f..0xa0) {
        let character = char::from_u32(code).unwrap();
        let path = format!("a{character}b.md");
        let (tool, arguments) = that_make(&path).remove(0);
        refused(&server, tool, arguments, &["control character", &format!("U+{code:04X}")]);
    }
    no_name(&server, "tab\there.md", &["control character"]);
    no_name(&server, "fold\ner/n.md", &["control character"]);
    no_name(&server, "a:b.md", &["invalid name", "\":\""]);
    no_name(&server, "fol:der/n.md", &["invalid name", "\":\""]);
    no_name(&server, "C:/n.md", &["absolute"]);
    // No link could lead to it.
    for sign in ["#", "^", "[", "]", "|", "%%"] {
        no_name(&server, &format!("a{sign}b.md"), &["invalid name", sign]);
    }
}

#[test]
fn names_that_no_file_system_keeps_are_refused() {
    let server = serve(vault());
    no_name(&server, &format!("{}.md", "n".repeat(253)), &["too long", "256", "255"]);
    no_name(&server, &format!("{}/n.md", "ü".repeat(128)), &["too long", "256", "255"]);
    no_name(&server, &format!("{}n.md", "folder/".repeat(500)), &["too long"]);
    is_name(&server, &format!("{}.md", "n".repeat(252)));
}

/// What Obsidian refuses on Windows and Android alone it takes where the server runs, and so does the server:
/// a note that is there must stay editable, and a name that is free in Obsidian is free here.
#[test]
fn signs_that_other_systems_forbid_are_taken_as_obsidian_takes_them_here() {
    let server = serve(vault());
    for path in [
        "what?.md",
        "a*b.md",
        "\"quoted\".md",
        "a<b>c.md",
        "CON.md",
        "aux.md",
        "LPT1.md",
        "dot at the end..md",
        "space at the end .md",
        " space before.md",
        "100% & $1.md",
        "日本語/ノート.md",
        "🐘.md",
        "a.b.c.md",
        "Folder./n.md",
    ] {
        is_name(&server, path);
    }
}

#[test]
fn a_note_ends_in_md_and_is_hidden_nowhere() {
    let server = serve(vault());
    for path in ["a.txt", "a", "a.md.", "folder/", "a.canvas", "a.md/b.png"] {
        no_name(&server, path, &["must end in \".md\""]);
    }
    for path in [".md", ".hidden.md", ".obsidian/n.md", "a/.b/n.md", "a/../.git/n.md", ".trash/n.md"] {
        no_name(&server, path, &["hidden"]);
    }
    no_name(&server, "", &[]);
    no_name(&server, "   ", &[]);
    // The extension of Obsidian is written in any letters.
    is_name(&server, "upper.MD");
}

#[test]
fn nothing_outside_the_vault_is_written_or_named() {
    let outside =
        TestVault::new().outside_file("secret.md", "classified").outside_file("deep/secret.md", "classified");
    let (folder, file) = (outside.outside(""), outside.outside("secret.md"));
    let vault = [
        ("Note.md", "one line\n- [ ] Task ^task\n"),
        ("Board.md", super::BOARD),
        ("In/Move.md", "x\n"),
        ("About Me/Me.md", "## Food\n\n- **2026-01-01**: Oat milk\n"),
    ];
    let vault = vault.iter().fold(outside, |vault, (path, text)| vault.note(path, text));
    let vault = vault.symlink("Out", &folder).symlink("out.md", &file).symlink("Up", "../outside");
    let vault = vault.symlink("dangling.md", folder.join("new.md")).symlink("About Me/Out.md", &file);
    let server = serve(vault);
    let state = |path: &std::path::Path| std::fs::read_to_string(path).unwrap();
    for path in
        ["../n.md", "a/../../n.md", "..\\n.md", "/etc/n.md", "/n.md", "\\\\host\\n.md", "../vault/n.md"]
    {
        no_name(&server, path, &[]);
    }
    for path in ["Out/new.md", "Out/secret.md", "out.md", "Up/new.md", "Up/deep/secret.md", "dangling.md"] {
        no_name(&server, path, &[]);
        for (tool, mut arguments, _) in calls() {
            let name = if tool == "vault_move_note" { "old_path" } else { "path" };
            if arguments.get("file").is_some() {
                continue;
            }
            arguments[name] = json!(path);
            let error = refused(&server, tool, arguments, &[]);
            assert!(!error.contains("classified"), "{tool} {path}: {error}");
        }
    }
    for file in ["../Note", "Out", "a/b", "../../outside/secret", ".hidden", "/etc/passwd"] {
        refused(&server, "vault_update_memory", json!({"file": file, "section": "A", "entry": "b"}), &[]);
        let entry = json!({"file": file, "section": "A", "entry": "b", "date": "2026-01-01"});
        refused(&server, "vault_delete_memory", entry, &[]);
    }
    assert_eq!(
        (state(&file), state(&folder.join("deep/secret.md"))),
        ("classified".into(), "classified".into())
    );
    assert!(!folder.join("new.md").exists());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}

/// A link inside the vault is followed to the file it leads to; it is not replaced by one.
#[test]
fn of_a_link_inside_the_vault_the_file_is_edited_and_the_link_stays() {
    let vault =
        TestVault::new().note("Real/n.md", "one\n").symlink("alias.md", "Real/n.md").symlink("Dir", "Real");
    let server = serve(vault);
    let told = done(
        &server,
        "vault_patch_note",
        json!({"path": "alias.md", "operation": "append", "content": "two"}),
    );
    assert_eq!(told.structured()["path"], "Real/n.md");
    done(&server, "vault_replace_in_note", json!({"path": "Dir/n.md", "old_text": "two", "new_text": "2"}));
    assert_eq!(server.vault().read("Real/n.md"), b"one\n2\n");
    let made = done(&server, "vault_write_note", json!({"path": "Dir/new.md", "body": "x"}));
    assert_eq!(made.structured()["path"], "Real/new.md");
    for (tool, arguments) in [
        ("vault_delete_note", json!({"path": "alias.md"})),
        ("vault_move_note", json!({"old_path": "alias.md", "new_path": "x.md"})),
    ] {
        refused(&server, tool, arguments, &["symbolic link", "Real/n.md"]);
    }
    assert!(std::fs::symlink_metadata(server.vault().path("alias.md")).unwrap().is_symlink());
}

/// Written text has no control characters either, whichever argument brings it.
#[test]
fn control_characters_are_in_no_text() {
    let server = serve(vault());
    for bad in ["\u{0}", "a\u{7}b", "\u{1b}[31m", "\u{85}", "\u{7f}"] {
        for (tool, arguments) in [
            ("vault_write_note", json!({"path": "N.md", "body": bad})),
            ("vault_write_note", json!({"path": "N.md", "body": "", "properties": {"a": bad}})),
            ("vault_write_note", json!({"path": "Note.md", "body": bad, "overwrite": true})),
            ("vault_patch_note", json!({"path": "Note.md", "operation": "append", "content": bad})),
            ("vault_replace_in_note", json!({"path": "Note.md", "old_text": "one", "new_text": bad})),
            ("vault_replace_span", json!({"path": "Note.md", "start_anchor": "one", "content": bad})),
            (
                "vault_insert_at_anchor",
                json!({"path": "Note.md", "anchor": "one", "position": "after", "content": bad}),
            ),
            ("vault_update_properties", json!({"path": "Note.md", "properties": {"a": bad}})),
            ("vault_update_properties", json!({"path": "Note.md", "properties": {"a": [{"b": bad}]}})),
            ("vault_update_properties", json!({"path": "Note.md", "properties": {bad: 1}, "replace": true})),
            ("vault_create_task", json!({"path": "Note.md", "description": bad, "block_id": "b"})),
            ("vault_update_task", json!({"path": "Note.md", "block_id": "task", "description": bad})),
            ("vault_update_task", json!({"path": "Note.md", "block_id": "task", "add_subtasks": [bad]})),
            ("vault_update_memory", json!({"file": "Me", "section": "Food", "entry": bad})),
            ("vault_update_memory", json!({"file": "Me", "section": bad, "entry": "x"})),
        ] {
            refused(&server, tool, arguments, &[]);
        }
    }
}

/// Two names that Obsidian takes for one are not made beside each other where the disk would let them.
#[test]
fn a_name_that_is_taken_is_not_overwritten() {
    let server = serve(vault());
    for path in ["Links.md", "In/../Links.md", "./Links.md"] {
        let words = ["already exists", "Links.md"];
        refused(&server, "vault_write_note", json!({"path": path, "body": "x"}), &words);
        refused(&server, "vault_move_note", json!({"old_path": "Note.md", "new_path": path}), &words);
    }
    // Nor is one made that other systems would take for it.
    for path in ["links.md", "LINKS.md", "in/New.md"] {
        let words = ["already exists in another spelling"];
        refused(&server, "vault_write_note", json!({"path": path, "body": "x"}), &words);
        refused(&server, "vault_move_note", json!({"old_path": "Note.md", "new_path": path}), &words);
    }
    // A folder of the name is in the way as well.
    let server = serve(TestVault::new().folder("Folder.md").note("Note.md", "x"));
    for (tool, arguments) in that_make("Folder.md") {
        refused(&server, tool, arguments, &["Folder.md"]);
    }
}

/// Memory files whose names differ in letter case alone: what is written goes where reading looks for it.
#[test]
fn of_memory_files_that_differ_in_case_the_one_that_is_read_is_written() {
    let file = |text: &str| format!("## Food\n\n- **2026-01-01**: {text}\n");
    let vault =
        TestVault::new().note("About Me/ME.md", &file("upper")).note("About Me/Me.md", &file("mixed"));
    let server = serve(vault);
    for (name, expected) in [("ME", "ME"), ("Me", "Me"), ("Me.md", "Me"), ("me", "ME"), ("mE", "ME")] {
        let read = server.call("vault_get_memory", json!({"file": name, "section": "Food"})).text();
        assert_eq!(read.contains("upper"), expected == "ME", "{name}: {read}");
        let entry = json!({"file": name, "section": "food", "entry": format!("by {name}")});
        let told = done(&server, "vault_update_memory", entry).structured().clone();
        assert_eq!(told["path"], format!("About Me/{expected}.md"), "{told}");
        let read = server.call("vault_get_memory", json!({"file": name})).text();
        assert!(read.contains(&format!("by {name}")), "{name}: {read}");
    }
    assert_eq!(server.vault().files().keys().filter(|path| path.starts_with("About Me/")).count(), 2);
}
