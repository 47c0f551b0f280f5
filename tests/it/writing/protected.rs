//! Folders that nothing is deleted in, moved out of or moved into: for each writing tool.

use harness::{Server, TestServer, TestVault};
use serde_json::{Value, json};

use super::{done, refused, vault, with};

fn protecting(vault: TestVault, paths: &str) -> Server {
    TestServer::start().with_vault(vault).with_env("PROTECTED_PATHS", paths).ready()
}

fn to(old: &str, new: &str) -> Value {
    json!({"old_path": old, "new_path": new})
}

/// Deleting, moving out of it and moving into it are refused, in every spelling of the path.
#[track_caller]
fn protects(server: &Server, path: &str, free: &str) {
    let (folder, name) = path.rsplit_once('/').unwrap();
    let spellings = [
        path.to_owned(),
        format!("./{path}"),
        format!("x/../{path}"),
        format!("{folder}//{name}"),
        path.replace('/', "\\"),
    ];
    for spelling in spellings {
        let words = ["cannot delete or move protected path", folder];
        for dry_run in [true, false] {
            let dry = |arguments: Value| with(&arguments, "dry_run", dry_run);
            refused(server, "vault_delete_note", dry(json!({"path": spelling})), &words);
            refused(server, "vault_move_note", dry(to(&spelling, "elsewhere.md")), &words);
        }
    }
    let other = format!("{folder}/other.md");
    for new_path in
        [other.clone(), other.to_uppercase().replace(".MD", ".md"), format!("{folder}/deep/er.md")]
    {
        refused(server, "vault_move_note", to(free, &new_path), &["cannot delete or move protected path"]);
    }
    refused(server, "vault_move_note", to(path, &other), &["cannot delete or move protected path"]);
}

/// Everything else may be done there.
#[track_caller]
fn is_edited(server: &Server, path: &str) {
    let body = "# Head\n\none\n\n- [ ] Task ^t\n";
    done(server, "vault_write_note", json!({"path": path, "body": body, "overwrite": true}));
    for (tool, arguments) in [
        ("vault_patch_note", json!({"operation": "append", "content": "two"})),
        ("vault_replace_in_note", json!({"old_text": "one", "new_text": "1"})),
        ("vault_insert_at_anchor", json!({"anchor": "two", "position": "after", "content": "three"})),
        ("vault_replace_span", json!({"start_anchor": "three", "content": "3"})),
        ("vault_delete_span", json!({"start_anchor": "3"})),
        ("vault_update_properties", json!({"properties": {"a": 1}})),
        ("vault_create_task", json!({"description": "x", "block_id": "x"})),
        ("vault_update_task", json!({"block_id": "t", "status": "done"})),
    ] {
        done(server, tool, with(&arguments, "path", path));
    }
    let (folder, _) = path.rsplit_once('/').unwrap();
    let new = format!("{folder}/New.md");
    let change =
        done(server, "vault_write_note", json!({"path": new, "body": "x"})).structured()["change"].clone();
    // Taking back what was made is not deleting.
    done(server, "vault_undo", json!({"change": change}));
}

#[test]
fn memory_and_daily_notes_are_protected_where_nothing_else_is_said() {
    let vault = vault().note("Daily Notes/2026-01-01.md", "a\n").note("free.md", "").note("daily/a.md", "");
    let server = super::serve(vault);
    protects(&server, "About Me/Me.md", "free.md");
    protects(&server, "Daily Notes/2026-01-01.md", "free.md");
    is_edited(&server, "Daily Notes/2026-01-01.md");
    is_edited(&server, "About Me/Me.md");
    let entry = json!({"file": "Me", "section": "A", "entry": "b", "options": {"date": "2026-01-01"}});
    done(&server, "vault_update_memory", entry);
    let entry = json!({"file": "Me", "section": "A", "entry": "b", "date": "2026-01-01"});
    done(&server, "vault_delete_memory", entry);
    // As Obsidian is set now, not as it was at the start.
    server.vault().write(".obsidian/daily-notes.json", "{\"folder\": \"/daily//\"}");
    protects(&server, "daily/a.md", "free.md");
    done(&server, "vault_delete_note", json!({"path": "Daily Notes/2026-01-01.md"}));
    // The top of the vault, or nothing: daily notes lie beside others then.
    for folder in ["/", "", "  "] {
        server.vault().write(".obsidian/daily-notes.json", json!({"folder": folder}).to_string());
        done(&server, "vault_move_note", to("free.md", "freed.md"));
        done(&server, "vault_move_note", to("freed.md", "free.md"));
    }
}

#[test]
fn a_setting_replaces_the_default_folders_entirely() {
    let vault = vault().note("Archive/a.md", "a\n").note("Deep/er/b.md", "b\n").note("Archived/c.md", "c\n");
    let server = protecting(vault, "archive/, Deep/er");
    protects(&server, "Archive/a.md", "Note.md");
    protects(&server, "Deep/er/b.md", "Note.md");
    is_edited(&server, "Archive/a.md");
    // Another folder whose name begins so, and the folder above.
    done(&server, "vault_move_note", to("Archived/c.md", "Deep/c.md"));
    // The daily notes' settings are not even read.
    server.vault().write(".obsidian/daily-notes.json", "{");
    done(&server, "vault_move_note", to("About Me/Me.md", "Me.md"));
    done(&server, "vault_delete_note", json!({"path": "Me.md"}));
}

#[test]
fn settings_that_cannot_be_read_protect_what_they_might_name() {
    let vault = || vault().note(".obsidian/daily-notes.json", "{\"folder\": ");
    let server = super::serve(vault());
    let words = ["daily-notes.json cannot be read", "DAILY_NOTES_FOLDER"];
    refused(&server, "vault_delete_note", json!({"path": "Note.md"}), &words);
    refused(&server, "vault_move_note", to("Note.md", "N.md"), &words);
    done(&server, "vault_patch_note", json!({"path": "Note.md", "operation": "append", "content": "x"}));
    server.vault().write(".obsidian/daily-notes.json", "[]");
    refused(&server, "vault_delete_note", json!({"path": "Note.md"}), &words);
    let set = TestServer::start().with_vault(vault()).with_env("DAILY_NOTES_FOLDER", "In").ready();
    protects(&set, "In/Move.md", "Note.md");
    done(&set, "vault_delete_note", json!({"path": "Note.md"}));
}

/// A folder that leads into a protected one is no way around it.
#[test]
fn links_are_no_way_around() {
    let vault =
        vault().note("Archive/a.md", "a\n").symlink("Alias", "Archive").symlink("alias.md", "Archive/a.md");
    let server = protecting(vault, "Archive");
    let words = ["cannot delete or move protected path"];
    refused(&server, "vault_delete_note", json!({"path": "Alias/a.md"}), &words);
    refused(&server, "vault_move_note", to("Alias/a.md", "b.md"), &words);
    refused(&server, "vault_move_note", to("Note.md", "Alias/b.md"), &words);
    refused(&server, "vault_delete_note", json!({"path": "alias.md"}), &["alias.md"]);
}

#[test]
fn a_folder_that_is_none_ends_the_start() {
    for wrong in ["/etc", "../x", "a/../../b"] {
        let settings = TestServer::start().with_env("PROTECTED_PATHS", wrong);
        settings.refused().fails_naming(&["PROTECTED_PATHS"]);
    }
}
