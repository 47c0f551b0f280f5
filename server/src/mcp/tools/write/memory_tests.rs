//! Entries written and deleted through the memory tools.

use serde_json::{Value, json};
use vault::{FolderScope, Principal, Rights};

use super::tests::{answer, on_disk};
use crate::app::App;

const MOST: usize = 60_000;
const ADD: &str = "vault_update_memory";
const DELETE: &str = "vault_delete_memory";
const ME: &str = "---\nentry-policy: append-only\n---\n# Me\n\n## Tools (newest first)\n\n- **2026-01-12**: dark \
                  mode\n- **2026-01-08**: Vim\n  and its plugins\n";
const PATH: &str = "About Me/Me.md";

/// The text of an answer.
fn text(app: &App, tool: &str, arguments: Value) -> String {
    let result = app.call(tool, arguments).unwrap();
    result.content.first().and_then(|block| block.as_text()).unwrap().text.clone()
}

/// A call on the one memory file that is refused and changes nothing.
#[track_caller]
fn refused(note: &str, tool: &str, arguments: Value, expected: &str) {
    let (app, folder) = App::over_notes(&[(PATH, note)], MOST);
    let shown = arguments.to_string();
    let error = app.call(tool, arguments).expect_err("a refusal");
    assert!(error.contains(expected), "{shown}: {error}");
    assert_eq!(on_disk(&folder, PATH), note, "{shown}");
    let files = answer(&app, "vault_list_memory_files", json!({}));
    assert_eq!(files["total"], 1, "{shown}: no file is made");
}

#[test]
fn an_entry_goes_to_the_top_of_its_section_with_the_day_it_is() {
    let (app, folder) = App::over_notes(&[(PATH, ME)], MOST);
    let told = answer(&app, ADD, json!({"file": "Me", "section": "tools", "entry": " Helix "}));
    let today = app.today();
    assert_eq!(
        on_disk(&folder, PATH),
        ME.replace("- **2026-01-12", &format!("- **{today}**: Helix\n- **2026-01-12"))
    );
    assert_eq!((&told["section"], &told["file"]), (&json!("## Tools (newest first)"), &json!("Me")));
    assert_eq!(told["date"], today.to_string());
    assert!(told["change"].is_i64() && told.get("created_file").is_none(), "{told}");

    let options = json!({"date": "2025-12-24", "position": "bottom"});
    let arguments =
        json!({"file": "Me.md", "section": "Tools (newest first)", "entry": "ed", "options": options});
    assert_eq!(text(&app, ADD, arguments), format!("Added entry to {PATH} → ## Tools (newest first)"));
    assert!(on_disk(&folder, PATH).ends_with("  and its plugins\n- **2025-12-24**: ed\n"));
    // The next question finds it.
    let read = answer(&app, "vault_get_memory", json!({"file": "Me", "on_or_after": today.to_string()}));
    assert!(read["text"].as_str().unwrap().contains("Helix"), "{read}");
}

#[test]
fn the_same_entry_again_writes_nothing_and_says_so() {
    let (app, folder) = App::over_notes(&[(PATH, ME)], MOST);
    let arguments =
        json!({"file": "Me", "section": "Tools", "entry": "dark mode", "options": {"date": "2026-01-12"}});
    let told = answer(&app, ADD, arguments.clone());
    assert_eq!(told["already_there"], true);
    assert!(told.get("change").is_none());
    assert_eq!(on_disk(&folder, PATH), ME);
    assert!(text(&app, ADD, arguments).contains("already exists"));
    // On another day it is another entry.
    answer(
        &app,
        ADD,
        json!({"file": "Me", "section": "Tools", "entry": "dark mode", "options": {"date": "2026-01-13"}}),
    );
    assert!(on_disk(&folder, PATH).contains("- **2026-01-13**: dark mode\n- **2026-01-12**: dark mode\n"));
}

#[test]
fn a_missing_file_and_section_are_made_and_the_scope_is_asked_for() {
    let (app, folder) = App::over_notes(&[("A.md", "a")], MOST);
    let arguments = json!({"file": "Travel", "section": "Trains", "entry": "window seat", "options": {"date": "2026-02-01"}});
    let result = app.call(ADD, arguments).unwrap();
    let words = result.content.first().and_then(|block| block.as_text()).unwrap().text.clone();
    assert!(words.contains("The file is new") && words.contains("scope callout"), "{words}");
    let told = result.structured_content.unwrap();
    assert_eq!((&told["created_file"], &told["created_section"]), (&json!(true), &json!(true)));
    let written = on_disk(&folder, "About Me/Travel.md");
    assert!(written.starts_with("---\n") && written.contains("> [!info] Scope of this file\n"), "{written}");
    assert!(written.ends_with("## Trains (newest first)\n\n- **2026-02-01**: window seat\n"), "{written}");
    let files = answer(&app, "vault_list_memory_files", json!({}));
    assert_eq!(files["files"][0]["leading_callout"]["title"], "Scope of this file");
    assert_eq!(files["files"][0]["entry_policy"], "append-only");

    let told = answer(&app, ADD, json!({"file": "travel", "section": "Planes", "entry": "aisle"}));
    assert_eq!((&told["path"], &told["created_section"]), (&json!("About Me/Travel.md"), &json!(true)));
    assert!(told.get("created_file").is_none(), "another letter case is the same file: {told}");
}

#[test]
fn a_folder_in_other_letters_is_the_memory_folder() {
    let (app, folder) = App::over_notes(&[("about me/Me.md", ME)], MOST);
    answer(&app, ADD, json!({"file": "New", "section": "A", "entry": "b"}));
    assert!(on_disk(&folder, "about me/New.md").contains(": b\n"));
}

#[test]
fn what_would_corrupt_a_file_is_refused() {
    let add = |extra: Value| {
        let mut arguments = json!({"file": "Me", "section": "Tools", "entry": "x"});
        arguments.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        arguments
    };
    for (extra, expected) in [
        (json!({"entry": "a\nb"}), "single line"),
        (json!({"entry": "a\rb"}), "single line"),
        (json!({"section": "a\nb"}), "single line"),
        (json!({"section": "Tools!"}), "nearly the same"),
        (json!({"options": {"date": "2026-02-30"}}), "argument options.date"),
        (json!({"options": {"date": "2026-01-01\n"}, "entry": "a\n"}), "single line"),
        (json!({"options": {"date": "today"}}), "argument options.date"),
        (json!({"options": {"position": "middle"}}), "options.position"),
        (json!({"file": "../../outside"}), "bare name"),
        (json!({"file": "a\\b"}), "bare name"),
        (json!({"file": ".hidden"}), "must not start with a dot"),
        (json!({"file": "a:b"}), "is no part of a name"),
        (json!({"entry": "bell \u{7}"}), "control character"),
    ] {
        refused(ME, ADD, add(extra), expected);
    }
}

#[test]
fn one_entry_is_deleted_with_its_lines_and_no_other() {
    let (app, folder) = App::over_notes(&[(PATH, ME)], MOST);
    let arguments = json!({"file": "me", "section": "Tools", "date": "2026-01-08", "entry": "Vim"});
    let told = answer(&app, DELETE, arguments);
    assert_eq!(on_disk(&folder, PATH), ME.replace("- **2026-01-08**: Vim\n  and its plugins\n", ""));
    assert_eq!(told["removed"], "- **2026-01-08**: Vim\n  and its plugins");
    let arguments = json!({"file": "Me", "section": "Tools", "date": "2026-01-12", "entry": "dark mode"});
    assert_eq!(text(&app, DELETE, arguments), format!("Deleted entry from {PATH} → ## Tools (newest first)"));
    assert!(on_disk(&folder, PATH).trim_end().ends_with("## Tools (newest first)"));
}

#[test]
fn a_deletion_that_is_not_clear_is_refused() {
    let twice = "## A\n\n- **2026-01-01**: x\n- **2026-01-01**: x\n- **2026-01-01**: y\n";
    let delete = |section: &str, date: &str, entry: &str| json!({"file": "Me", "section": section, "date": date, "entry": entry});
    refused(twice, DELETE, delete("A", "2026-01-01", "x"), "2 entries of 2026-01-01 read so (line 3");
    refused(twice, DELETE, delete("A", "2026-01-01", "z"), "that day there are");
    refused(twice, DELETE, delete("A", "2026-01-02", "x"), "no entry of 2026-01-02");
    refused(twice, DELETE, delete("B", "2026-01-01", "x"), "no section \"B\"; there are");
    refused(twice, DELETE, delete("A", "2026-13-01", "x"), "argument date");
    refused(twice, DELETE, delete("A", "2026-01-01", "x\ny"), "single line");
    let other = json!({"file": "You", "section": "A", "date": "2026-01-01", "entry": "x"});
    refused(twice, DELETE, other, "memory file not found: \"About Me/You.md\". Available files: Me");
}

#[test]
fn a_file_does_not_lose_more_than_half_at_once() {
    let long = format!("## A\n\n- **2026-01-01**: x\n  {}\n- **2026-01-02**: y\n", "words ".repeat(300));
    let arguments = json!({"file": "Me", "section": "A", "date": "2026-01-01", "entry": "x"});
    refused(&long, DELETE, arguments.clone(), "by more than half");
    // A small one may.
    let short = "## A\n\n- **2026-01-01**: x\n  words and words and words and words and words\n";
    let (app, _folder) = App::over_notes(&[(PATH, short)], MOST);
    assert!(app.call(DELETE, arguments).is_ok());
}

#[test]
fn a_dry_run_and_a_stale_hash_write_nothing() {
    let (app, folder) = App::over_notes(&[(PATH, ME)], MOST);
    let hash = answer(&app, "vault_get_memory", json!({"file": "Me"}))["hash"].clone();
    let new = json!({"file": "New", "section": "A", "entry": "b", "dry_run": true});
    let dry = answer(&app, ADD, new);
    assert!(dry["diff"].as_str().unwrap().contains(": b"), "{dry}");
    let add = json!({"file": "Me", "section": "Tools", "entry": "b", "dry_run": true});
    assert!(answer(&app, ADD, add)["diff"].as_str().unwrap().contains("\n+- **"));
    let delete = json!({"file": "Me", "section": "Tools", "date": "2026-01-12", "entry": "dark mode", "dry_run": true});
    assert!(answer(&app, DELETE, delete.clone())["diff"].as_str().unwrap().contains("\n-- **2026-01-12"));
    assert_eq!(on_disk(&folder, PATH), ME);
    assert_eq!(answer(&app, "vault_list_memory_files", json!({}))["total"], 1);

    answer(&app, ADD, json!({"file": "Me", "section": "Tools", "entry": "c", "expected_hash": hash}));
    let mut stale = delete;
    stale["dry_run"] = json!(false);
    stale["expected_hash"] = hash;
    let error = app.call(DELETE, stale).unwrap_err();
    assert!(error.contains("stale") && error.contains("vault_update_memory by test"), "{error}");
}

#[test]
fn only_who_sees_the_folder_and_may_write_remembers() {
    let (app, folder) = App::over_notes(&[(PATH, ME), ("Open/A.md", "a")], MOST);
    let who = |folder: &str, write| Principal {
        name: "limited".to_owned(),
        rights: Rights { read: true, write, delete: false },
        folders: FolderScope::Only(vec![folder.to_owned()]),
    };
    for who in [who("Open", true), who("About Me", false)] {
        for file in ["Me", "New"] {
            let error =
                app.call_as(&who, ADD, json!({"file": file, "section": "A", "entry": "x"})).unwrap_err();
            assert!(error.contains("not permitted"), "{error}");
        }
        let delete = json!({"file": "Me", "section": "Tools", "date": "2026-01-12", "entry": "dark mode"});
        assert!(app.call_as(&who, DELETE, delete).is_err());
    }
    assert_eq!(on_disk(&folder, PATH), ME);
    app.call_as(&who("about me", true), ADD, json!({"file": "Me", "section": "A", "entry": "x"})).unwrap();
}

#[test]
fn sixteen_first_entries_of_a_file_are_all_there_once() {
    let (app, folder) = App::over_notes(&[("A.md", "a")], MOST);
    std::thread::scope(|scope| {
        for number in 0..16 {
            let app = &app;
            scope.spawn(move || {
                let arguments = json!({"file": "New", "section": "Log", "entry": format!("entry {number}.")});
                // A client that has lost the answer asks again.
                for _ in 0..2 {
                    app.call(ADD, arguments.clone()).unwrap();
                }
            });
        }
    });
    let text = on_disk(&folder, "About Me/New.md");
    for number in 0..16 {
        assert_eq!(text.matches(&format!(": entry {number}.\n")).count(), 1, "{text}");
    }
    assert_eq!(text.matches("## Log").count(), 1);
    let history = answer(&app, "vault_history", json!({"path": "About Me/New.md"}));
    assert_eq!(history["total"], 16);
    let all = answer(&app, "vault_memory_recall", json!({"query": "entry"}));
    assert_eq!(all["total"], 16);
}
