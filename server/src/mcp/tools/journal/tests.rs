//! The journal as tools show it.

use serde_json::{Value, json};
use vault::{FolderScope, Principal, Rights};

use crate::app::App;
use crate::mcp::tools::write::tests::{answer, on_disk};

fn write(app: &App, path: &str, body: &str) -> Value {
    answer(app, "vault_write_note", json!({"path": path, "body": body, "overwrite": true}))
}

fn history(app: &App, arguments: Value) -> Vec<Value> {
    answer(app, "vault_history", arguments)["changes"].as_array().unwrap().clone()
}

#[test]
fn a_change_is_listed_shown_and_taken_back_byte_for_byte() {
    let (app, folder) = App::over_notes(&[("A.md", "one\r\ntwo\r\n")], 60_000);
    let written = write(&app, "A.md", "three");
    let rows = history(&app, json!({}));
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["change"], written["change"]);
    assert_eq!(rows[0]["principal"], "test");
    assert_eq!(rows[0]["tool"], "vault_write_note");
    assert_eq!(rows[0]["hash_after"], written["hash"]);
    let diff = answer(&app, "vault_diff", json!({"change": written["change"]}));
    assert!(diff["diff"].as_str().unwrap().contains("+three"), "{diff}");
    let dry = answer(&app, "vault_undo", json!({"change": written["change"], "dry_run": true}));
    assert!(dry["files"][0]["diff"].as_str().unwrap().contains("-three"), "{dry}");
    assert_eq!(on_disk(&folder, "A.md"), "three\r\n");
    let undone = answer(&app, "vault_undo", json!({"change": written["change"]}));
    assert_eq!(undone["undone"], json!([written["change"]]));
    assert_eq!(on_disk(&folder, "A.md"), "one\r\ntwo\r\n");
    assert_eq!(history(&app, json!({}))[1]["undone_by"], undone["files"][0]["change"]);
    // What was undone is undone once, and the undo itself can be.
    let again = app.call("vault_undo", json!({"change": written["change"]})).unwrap_err();
    assert!(again.contains("undone already"), "{again}");
    answer(&app, "vault_undo", json!({"change": undone["files"][0]["change"]}));
    assert_eq!(on_disk(&folder, "A.md"), "three\r\n");
}

#[test]
fn a_note_that_has_changed_since_is_refused_with_the_difference_or_merged() {
    let (app, folder) = App::over_notes(&[("A.md", "1\n2\n3\n4\n5\n6\n7\n8\n")], 60_000);
    let first = write(&app, "A.md", "one\n2\n3\n4\n5\n6\n7\n8\n");
    write(&app, "A.md", "one\n2\n3\n4\n5\n6\n7\neight\n");
    let error = app.call("vault_undo", json!({"change": first["change"]})).unwrap_err();
    assert!(error.contains("has changed since") && error.contains("+eight") && error.contains("merge: true"));
    answer(&app, "vault_undo", json!({"change": first["change"], "merge": true}));
    assert_eq!(on_disk(&folder, "A.md"), "1\n2\n3\n4\n5\n6\n7\neight\n");
}

#[test]
fn everything_of_a_principal_since_a_time_goes_back() {
    let (app, folder) = App::over_notes(&[("A.md", "a\n"), ("B.md", "b\n")], 60_000);
    write(&app, "A.md", "x");
    write(&app, "B.md", "y");
    write(&app, "C.md", "z");
    let undone = answer(&app, "vault_undo", json!({"principal": "test", "since": "2020-01-01"}));
    assert_eq!(undone["undone"].as_array().unwrap().len(), 3);
    assert_eq!(on_disk(&folder, "A.md"), "a\n");
    assert_eq!(on_disk(&folder, "B.md"), "b\n");
    let error = app.call("vault_read_note", json!({"path": "C.md"})).unwrap_err();
    assert!(error.contains("not found"), "{error}");
    let none = app.call("vault_undo", json!({"principal": "nobody", "since": "2020-01-01"})).unwrap_err();
    assert!(none.contains("nothing to undo"), "{none}");
}

#[test]
fn arguments_that_do_not_go_together_are_refused() {
    let (app, _folder) = App::over_notes(&[], 60_000);
    for arguments in [json!({}), json!({"principal": "test"}), json!({"change": 1, "principal": "test"})] {
        let error = app.call("vault_undo", arguments).unwrap_err();
        assert!(error.contains("give either change, or principal and since"), "{error}");
    }
    let error = app.call("vault_history", json!({"since": "soon"})).unwrap_err();
    assert!(error.contains("argument since"), "{error}");
    let error = app.call("vault_diff", json!({"change": 99})).unwrap_err();
    assert!(error.contains("change 99 is not in the journal: vault_history"), "{error}");
}

#[test]
fn history_is_filtered_and_continued() {
    let (app, _folder) = App::over_notes(&[], 60_000);
    for number in 0..5 {
        write(&app, &format!("In/{number}.md"), "x");
    }
    write(&app, "Out.md", "x");
    assert_eq!(history(&app, json!({"path": "In"})).len(), 5);
    assert_eq!(history(&app, json!({"path": "In/3.md"})).len(), 1);
    assert_eq!(history(&app, json!({"principal": "somebody"})).len(), 0);
    assert_eq!(history(&app, json!({"since": "2100-01-01"})).len(), 0);
    let part = answer(&app, "vault_history", json!({"limit": 2, "offset": 2}));
    assert_eq!(part["total"], 6);
    assert_eq!(part["left_out"]["continue_with"]["offset"], 4);
    assert_eq!(part["changes"][0]["path"], "In/3.md");
}

#[test]
fn a_limited_token_sees_and_undoes_only_its_folders() {
    let (app, folder) = App::over_notes(&[("Out/B.md", "b\n")], 60_000);
    write(&app, "In/A.md", "x");
    let outside = write(&app, "Out/B.md", "y");
    let limited = Principal {
        name: "limited".to_owned(),
        rights: Rights { read: true, write: true, delete: true },
        folders: FolderScope::Only(vec!["In".to_owned()]),
    };
    let seen = app.call_as(&limited, "vault_history", json!({})).unwrap().structured_content.unwrap();
    assert_eq!(seen["total"], 1);
    for tool in ["vault_diff", "vault_undo"] {
        let error = app.call_as(&limited, tool, json!({"change": outside["change"]})).unwrap_err();
        assert!(error.contains("is not in the journal"), "{tool}: {error}");
    }
    assert_eq!(on_disk(&folder, "Out/B.md"), "y\n");
}
