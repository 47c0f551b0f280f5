//! `prune_empty_folders`: what is empty after a delete or a move, and nothing else.

use harness::TestVault;
use serde_json::{Value, json};

use super::{done, serve};

fn delete(path: &str) -> (&'static str, Value) {
    ("vault_delete_note", json!({"path": path}))
}

fn shift(from: &str, to: &str) -> (&'static str, Value) {
    ("vault_move_note", json!({"old_path": from, "new_path": to}))
}

/// After the call `gone` are no folders any more and `kept` still are.
#[track_caller]
fn prunes(vault: TestVault, (tool, mut arguments): (&'static str, Value), gone: &[&str], kept: &[&str]) {
    let untouched = vault.clone();
    let server = serve(vault);
    arguments["prune_empty_folders"] = json!(true);
    let told = done(&server, tool, arguments.clone());
    assert_eq!(told.structured()["pruned_empty_folders"], gone.len(), "{tool} {arguments}");
    for folder in gone {
        assert!(!untouched.path(folder).exists(), "{tool} {arguments}: {folder} is there");
    }
    for folder in kept {
        assert!(untouched.path(folder).is_dir(), "{tool} {arguments}: {folder} is gone");
    }
}

#[test]
fn the_folders_that_are_empty_then_are_removed_up_to_one_that_is_not() {
    let vault = || TestVault::new().note("a/b/c/n.md", "x\n").note("a/o.md", "x\n");
    prunes(vault(), delete("a/b/c/n.md"), &["a/b/c", "a/b"], &["a"]);
    prunes(vault(), shift("a/b/c/n.md", "n.md"), &["a/b/c", "a/b"], &["a"]);
    prunes(vault(), delete("a/o.md"), &[], &["a/b/c"]);
    let all = || TestVault::new().note("a/b/n.md", "x\n");
    prunes(all(), delete("a/b/n.md"), &["a/b", "a"], &[""]);
    prunes(all(), shift("a/b/n.md", "a/n.md"), &["a/b"], &["a"]);
    prunes(all(), shift("a/b/n.md", "a/b/c/n.md"), &[], &["a/b/c"]);
    prunes(TestVault::new().note("n.md", "x\n"), delete("n.md"), &[], &[""]);
}

#[test]
fn whatever_is_left_in_a_folder_keeps_it() {
    let vault = || TestVault::new().note("a/b/n.md", "x\n");
    prunes(vault().note("a/b/.hidden", ""), delete("a/b/n.md"), &[], &["a/b"]);
    prunes(vault().bytes("a/b/p.png", b"\x89PNG"), delete("a/b/n.md"), &[], &["a/b"]);
    prunes(vault().folder("a/b/empty"), delete("a/b/n.md"), &[], &["a/b/empty"]);
    prunes(vault().folder("a/b/empty"), shift("a/b/n.md", "m.md"), &[], &["a/b/empty"]);
    prunes(vault().symlink("a/b/link.md", "../../gone.md"), delete("a/b/n.md"), &[], &["a/b"]);
}

/// A folder that is a link is left: removing it would not remove the folder it leads to.
#[test]
fn a_folder_reached_by_a_link_is_pruned_where_it_really_is() {
    let vault = TestVault::new().note("Real/sub/n.md", "x\n").symlink("Link", "Real");
    prunes(vault.clone(), delete("Link/sub/n.md"), &["Real/sub", "Real"], &[]);
    assert!(std::fs::symlink_metadata(vault.path("Link")).is_ok());
}

#[test]
fn folders_stay_unless_asked_and_an_undo_makes_them_again() {
    let server = serve(TestVault::new().note("a/b/n.md", "x\n").note("c/d/m.md", "[[n]]\n"));
    for (tool, arguments) in [delete("a/b/n.md"), shift("c/d/m.md", "m.md")] {
        let told = done(&server, tool, arguments);
        assert_eq!(told.structured()["pruned_empty_folders"], 0);
    }
    assert!(server.vault().path("a/b").is_dir() && server.vault().path("c/d").is_dir());
    let back = done(&server, "vault_move_note", json!({"old_path": "m.md", "new_path": "c/d/m.md"}));
    assert_eq!(back.structured()["moved_to"], "c/d/m.md");
    let (tool, mut arguments) = delete("c/d/m.md");
    arguments["prune_empty_folders"] = json!(true);
    let change = done(&server, tool, arguments).structured()["change"].clone();
    assert!(!server.vault().path("c").exists());
    done(&server, "vault_undo", json!({"change": change}));
    assert_eq!(server.vault().read("c/d/m.md"), b"[[n]]\n");
    let (tool, mut arguments) = shift("c/d/m.md", "x/m.md");
    arguments["prune_empty_folders"] = json!(true);
    let change = done(&server, tool, arguments).structured()["change"].clone();
    done(&server, "vault_undo", json!({"change": change}));
    assert_eq!(server.vault().read("c/d/m.md"), b"[[n]]\n");
}

/// The daily notes' and the memory folder are protected from losing notes; emptiness above them is no reason
/// to remove either.
#[test]
fn a_move_leaves_no_folder_of_its_own_behind_when_it_is_refused() {
    let server = serve(TestVault::new().note("a/n.md", "x\n").note("b/n.md", "y\n").note("file", "z"));
    for new_path in ["b/n.md", "file/deep/n.md", "About Me/deep/n.md", "new/deep/na:me.md"] {
        let arguments = json!({"old_path": "a/n.md", "new_path": new_path, "prune_empty_folders": true});
        super::refused(&server, "vault_move_note", arguments, &[]);
    }
    let name = format!("new/deep/{}.md", "n".repeat(260));
    super::refused(
        &server,
        "vault_move_note",
        json!({"old_path": "a/n.md", "new_path": name}),
        &["too long"],
    );
    super::refused(&server, "vault_write_note", json!({"path": name, "body": ""}), &["too long"]);
}
