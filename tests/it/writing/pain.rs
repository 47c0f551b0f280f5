//! Complaints about other servers that concern writing, each driven over the wire on the vault of its row.
//! Those about reading are in `pain.rs` one level up.

use harness::{Server, TestVault, shared_folder};
use serde_json::{Value, json};

use super::{done, refused, serve, text_of};

/// Rows that are not driven here, and why.
const NOT_DRIVEN: &[(&str, &str)] = &[
    ("pain-16", "about which tags are found"),
    ("pain-17", "about which tags are found"),
    ("pain-25", "about which headings are found"),
    ("pain-36", "about where a link leads"),
    ("pain-38", "about where a link leads"),
    ("pain-41", "about where a link leads"),
    ("pain-45", "about the run of the index"),
    ("pain-47", "about a save by another program"),
    ("pain-50", "about listing a folder"),
];

struct Row {
    value: Value,
    server: Server,
}

impl Row {
    fn of(value: &Value) -> Self {
        let before = value["before"].as_object().unwrap();
        let notes = before.iter().map(|(path, text)| (path, text.as_str().unwrap()));
        let vault = notes.fold(TestVault::new(), |vault, (path, text)| vault.note(path, text));
        Self { value: value.clone(), server: serve(vault) }
    }

    fn before(&self, path: &str) -> String {
        self.value["before"][path].as_str().unwrap().to_owned()
    }

    /// A call that makes this of the note `path`.
    #[track_caller]
    fn makes(&self, tool: &str, path: &str, mut arguments: Value, after: &str) -> Value {
        arguments["path"] = json!(path);
        let told = done(&self.server, tool, arguments.clone()).structured().clone();
        assert_eq!(text_of(&self.server, path), after, "{} {tool} {arguments}", self.value["id"]);
        told
    }

    /// The note `path` is as the row has it again.
    fn back(&self, path: &str) {
        self.server.vault().write(path, self.before(path));
    }

    #[track_caller]
    fn appends(&self, path: &str, heading: &str, content: &str, after: &str) {
        let arguments = json!({"operation": "append", "heading": heading, "content": content});
        self.makes("vault_patch_note", path, arguments, after);
    }
}

#[test]
fn every_complaint_about_writing_is_unfounded_here() {
    let Some(file) = shared_folder("cases/pain-cases.json") else { return };
    let rows: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let mut driven = 0;
    for value in rows["cases"].as_array().unwrap() {
        let id = value["id"].as_str().unwrap();
        if !NOT_DRIVEN.iter().any(|(row, _)| *row == id) {
            drive(id, &Row::of(value));
            driven += 1;
        }
    }
    assert_eq!(
        driven + NOT_DRIVEN.len(),
        rows["cases"].as_array().unwrap().len(),
        "a reason without its row"
    );
}

fn drive(id: &str, row: &Row) {
    match id {
        "pain-02" | "pain-03" | "pain-04" | "pain-08" | "pain-15" => properties(id, row),
        "pain-06" | "pain-18" | "pain-20" | "pain-21" | "pain-23" => text(id, row),
        "pain-27" | "pain-28" | "pain-29" | "pain-30" | "pain-31" | "pain-32" | "pain-43" => {
            sections(id, row);
        }
        "pain-33" | "pain-35" | "pain-40" | "pain-49" => files(id, row),
        _ => panic!("{id} is neither driven nor said to be of no concern: {}", row.value),
    }
}

fn properties(id: &str, row: &Row) {
    let before = || row.before("n.md");
    let update = |properties: Value, after: &str| {
        row.makes("vault_update_properties", "n.md", json!({"properties": properties}), after)
    };
    match id {
        "pain-02" => {
            let tags = json!(["keep", 42, {"meta": "preserved"}, "added"]);
            update(json!({"tags": tags}), &before().replace("preserved}\n", "preserved}\n  - added\n"));
        }
        "pain-03" => {
            let arguments = json!({"path": "n.md", "properties": {"base": null}});
            refused(&row.server, "vault_update_properties", arguments, &["base", "consumer"]);
            row.server.vault().write("n.md", "---\nbad: *missing\n---\nbody\n");
            let arguments = json!({"path": "n.md", "properties": {"x": 1}});
            refused(&row.server, "vault_update_properties", arguments, &["anchor", "line 2"]);
        }
        "pain-04" => {
            update(json!({"tags": ["a", "b"]}), &before().replace("[a]", "[a, b]"));
        }
        "pain-08" => {
            let update = |path: &str, after: &str| {
                row.makes("vault_update_properties", path, json!({"properties": {"title": "Z"}}), after);
            };
            update("a.md", "---\r\ntitle: Z\r\n---\r\nbody\r\n");
            update("b.md", "---\ntitle: Z\n---");
            let arguments = json!({"operation": "append", "content": "more"});
            row.makes("vault_patch_note", "a.md", arguments, "---\r\ntitle: Z\r\n---\r\nbody\r\nmore\r\n");
        }
        // Tags are properties here: to take one out that is none changes nothing, links least of all.
        _ => {
            let told = update(json!({"tags": null}), &before());
            assert!(told.get("change").is_none(), "{told}");
        }
    }
}

fn text(id: &str, row: &Row) {
    let before = || row.before("n.md");
    let replace = |old: &str, new: &str, after: &str| {
        row.makes("vault_replace_in_note", "n.md", json!({"old_text": old, "new_text": new}), after);
        row.back("n.md");
    };
    match id {
        "pain-06" => {
            replace(
                "Q3 Planning",
                "Q3: Planning",
                "---\ntitle: Q3 Planning\ntags: [a]\n---\nQ3: Planning notes\n",
            );
            // And whoever does ask for such a title gets one that is read again.
            let arguments = json!({"properties": {"title": "Q3: Planning"}});
            let after = before().replace("title: Q3 Planning", "title: \"Q3: Planning\"");
            row.makes("vault_update_properties", "n.md", arguments, &after);
        }
        "pain-18" => {
            for new in ["color=$'\\033[31m'", "$&", "$`", "$'", "$$", "$1", "\\1", "${x}"] {
                replace("X", new, &format!("head\n{new}\ntail\n"));
                let span = json!({"start_anchor": "X", "content": new});
                row.makes("vault_replace_span", "n.md", span, &format!("head\n{new}\ntail\n"));
                row.back("n.md");
            }
        }
        "pain-20" => {
            replace("| 1 | 2 |", "| 3 | 4 |", &before().replace("1 | 2", "3 | 4"));
            replace("fn a() {}", "fn b() {}", &before().replace("a()", "b()"));
            for (missing, arguments) in [
                ("new_text", json!({"path": "n.md", "old_text": "a"})),
                ("old_text", json!({"path": "n.md", "new_text": "a"})),
                ("path", json!({"old_text": "a", "new_text": "b"})),
            ] {
                refused(&row.server, "vault_replace_in_note", arguments, &[missing]);
            }
        }
        "pain-21" => {
            replace("two", "2", "one\n2\nthree\n");
            let span = json!({"start_anchor": "two", "content": "2"});
            row.makes("vault_replace_span", "n.md", span, "one\n2\nthree\n");
        }
        _ => {
            let arguments = json!({"operation": "append", "content": "b"});
            row.makes("vault_patch_note", "n.md", arguments, "a\nb\n");
        }
    }
}

fn sections(id: &str, row: &Row) {
    let before = || row.before("n.md");
    let patch = |arguments: Value, after: &str| {
        row.makes("vault_patch_note", "n.md", arguments, after);
        row.back("n.md");
    };
    match id {
        "pain-27" => {
            let arguments = json!({"operation": "replace", "heading": "Layer 2 > Layer 3", "content": "new"});
            patch(arguments, &before().replace("old", "new"));
        }
        "pain-28" => {
            let own = json!({"operation": "append", "heading": "Log", "content": "entry2", "include_children": false});
            patch(own, "# Log\nentry\nentry2\n## Sub\nx\n");
            let all = json!({"operation": "append", "heading": "Log", "content": "entry2"});
            patch(all, "# Log\nentry\n## Sub\nx\nentry2\n");
        }
        "pain-29" => {
            for (heading, old) in [("待整理", "a\n"), ("Детали", "b\n"), ("Diario – Ó", "c\n")] {
                let after = before().replace(old, &format!("{old}new\n"));
                row.appends("n.md", heading, "new", &after);
                row.back("n.md");
            }
        }
        "pain-30" => {
            let after = "## Tatlilar\n- Kazandibi\n- Sütlaç İıĞğ\n";
            row.appends("Yemek.md", "Tatlilar", "- Sütlaç İıĞğ", after);
        }
        "pain-31" => {
            for heading in ["### People", "People"] {
                row.appends("n.md", heading, "- B", "# M\n### People\n- A\n- B\n");
                row.back("n.md");
            }
            // With the hashes of another level it is another heading.
            let other =
                json!({"path": "n.md", "operation": "append", "heading": "## People", "content": "x"});
            refused(&row.server, "vault_patch_note", other, &["People"]);
        }
        "pain-32" => {
            let arguments = json!({"operation": "replace", "heading": "^myblock", "content": "NEW"});
            patch(arguments, "NEW ^myblock\n\npara two\n");
        }
        _ => {
            for heading in ["Use `foo`", "Use foo", "## Use `foo`"] {
                row.appends("n.md", heading, "| 3 | 4 |", &format!("{}| 3 | 4 |\n", before()));
                row.back("n.md");
            }
        }
    }
}

fn files(id: &str, row: &Row) {
    let server = &row.server;
    match id {
        "pain-33" => {
            let arguments = json!({"old_path": "inbox/idea.md", "new_path": "projects/idea.md"});
            let told = done(server, "vault_move_note", arguments);
            assert_eq!(told.structured()["updated_notes"], json!(["projects/index.md"]));
            let after = "See [[idea]] and ![[idea]] and [link](idea.md).\n";
            assert_eq!(text_of(server, "projects/index.md"), after);
        }
        "pain-35" => {
            let told = done(server, "vault_delete_note", json!({"path": "a.md"}));
            assert_eq!(told.structured()["broken_links_in"], json!(["b.md"]));
            assert!(told.text().contains("b.md"), "{}", told.text());
            assert_eq!(text_of(server, "b.md"), row.before("b.md"));
        }
        "pain-40" => {
            done(server, "vault_move_note", json!({"old_path": "Note.md", "new_path": "New.md"}));
            assert_eq!(text_of(server, "s.md"), row.before("s.md").replace("Note", "New"));
        }
        _ => {
            let told =
                server.call("vault_get_daily_note", json!({"date": "2026-06-15"})).structured().clone();
            assert_eq!(
                (&told["exists"], &told["path"]),
                (&json!(false), &json!("Daily/2026/06/2026-06-15.md"))
            );
            let arguments = json!({"path": told["path"], "body": "# Day\n"});
            done(server, "vault_write_note", arguments);
            assert_eq!(text_of(server, "Daily/2026/06/2026-06-15.md"), "# Day\n");
            let told =
                server.call("vault_get_daily_note", json!({"date": "2026-06-15"})).structured().clone();
            assert_eq!(told["exists"], true, "{told}");
        }
    }
}
