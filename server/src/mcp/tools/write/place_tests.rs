//! `vault_delete_note` and `vault_move_note`. Which links change and how is tested in `markdown` and `vault`.

use serde_json::{Value, json};
use vault::{FolderScope, Principal, Rights};

use super::tests::{answer, on_disk};
use crate::app::App;

const MOST: usize = 60_000;

fn is_there(folder: &tempfile::TempDir, path: &str) -> bool {
    folder.path().join("vault").join(path).exists()
}

fn app(notes: &[(&str, &str)]) -> (App, tempfile::TempDir) {
    let (app, folder) = App::over_notes(notes, MOST);
    app.ready();
    (app, folder)
}

#[track_caller]
fn text(app: &App, tool: &str, arguments: Value) -> String {
    app.call(tool, arguments).unwrap().content[0].as_text().unwrap().text.clone()
}

#[test]
fn a_deleted_note_is_in_the_trash_and_nowhere_else() {
    let notes = [("In/A.md", "zebra"), ("B.md", "see [[A]]"), ("C.md", "see [[In/A|it]]"), ("D.md", "x")];
    let (app, folder) = app(&notes);
    let deleted = answer(&app, "vault_delete_note", json!({"path": "In/A.md", "prune_empty_folders": true}));
    assert_eq!(deleted["trashed_to"], ".trash/A.md");
    assert_eq!(deleted["pruned_empty_folders"], 1);
    assert_eq!(deleted["broken_links_in"], json!(["B.md", "C.md"]));
    assert!(deleted.get("hash").is_none() && deleted["change"].is_i64(), "{deleted}");
    assert_eq!(on_disk(&folder, ".trash/A.md"), "zebra");
    assert!(!is_there(&folder, "In"));
    assert_eq!(on_disk(&folder, "B.md"), "see [[A]]");
    assert_eq!(answer(&app, "vault_search", json!({"query": "zebra"}))["total"], 0);
    assert!(app.call("vault_read_note", json!({"path": "In/A.md"})).unwrap_err().contains("not found"));
    let links = answer(&app, "vault_get_outgoing_links", json!({"path": "B.md"}));
    assert_eq!(links["outgoing_links"][0]["exists"], false);
    let error = app.call("vault_delete_note", json!({"path": "In/A.md"})).unwrap_err();
    assert!(error.contains("note not found"), "{error}");
    let error = app.call("vault_delete_note", json!({"path": "b.md"})).unwrap_err();
    assert!(error.contains("Did you mean \"B.md\""), "{error}");
}

#[test]
fn the_text_of_a_delete_says_where_the_note_is() {
    let (app, folder) = app(&[("In/A.md", "1"), ("In/B.md", "2"), ("C.md", "[[A]]"), (".trash/A.md", "old")]);
    let told = text(&app, "vault_delete_note", json!({"path": "In/A.md", "prune_empty_folders": true}));
    let expected = "Deleted In/A.md: it is .trash/A 2.md now. Links to it lead nowhere now in: C.md";
    assert_eq!(told, expected);
    assert_eq!(on_disk(&folder, ".trash/A.md"), "old");
    let told = text(&app, "vault_delete_note", json!({"path": "In/B.md", "prune_empty_folders": true}));
    assert_eq!(told, "Deleted In/B.md: it is .trash/B.md now (removed 1 empty folder)");
}

#[test]
fn an_empty_folder_stays_unless_asked() {
    let (app, folder) = app(&[("In/A.md", "1")]);
    answer(&app, "vault_delete_note", json!({"path": "In/A.md"}));
    assert!(is_there(&folder, "In"));
}

#[test]
fn the_trash_is_obsidians_setting() {
    for (setting, trashed) in [("system", true), ("local", true), ("none", false)] {
        let config = format!("{{\"trashOption\": \"{setting}\"}}");
        let (app, folder) = app(&[("A.md", "text"), (".obsidian/app.json", &config)]);
        let told = text(&app, "vault_delete_note", json!({"path": "A.md"}));
        assert_eq!(is_there(&folder, ".trash/A.md"), trashed, "{setting}");
        assert!(!is_there(&folder, "A.md"), "{setting}");
        if !trashed {
            assert!(
                told.starts_with("Deleted A.md: the journal still has it (vault_undo, change "),
                "{told}"
            );
            let change = told.trim_end_matches(')').rsplit(' ').next().unwrap().parse::<i64>().unwrap();
            answer(&app, "vault_undo", json!({"change": change}));
            assert_eq!(on_disk(&folder, "A.md"), "text");
        }
    }
}

#[test]
fn links_that_a_namesake_takes_over_are_not_broken() {
    let notes =
        [("A.md", "1"), ("In/A.md", "2"), ("B.md", "[[A]]"), ("C.md", "[[A]] [x](A.md)"), ("D.md", "")];
    let (app, _folder) = app(&notes);
    let deleted = answer(&app, "vault_delete_note", json!({"path": "A.md"}));
    let links = answer(&app, "vault_get_backlinks", json!({"path": "In/A.md"}));
    let taken: Vec<_> = links["backlinks"].as_array().unwrap().iter().map(|link| &link["path"]).collect();
    assert!(taken.contains(&&json!("B.md")), "{links}");
    let broken = deleted["broken_links_in"].as_array().cloned().unwrap_or_default();
    assert!(!broken.contains(&json!("B.md")), "{deleted}");
}

#[test]
fn a_dry_run_of_a_delete_says_what_would_break() {
    let (app, folder) = app(&[("In/A.md", "one\n"), ("B.md", "[[A]]")]);
    let arguments = json!({"path": "In/A.md", "dry_run": true, "prune_empty_folders": true});
    let dry = answer(&app, "vault_delete_note", arguments);
    assert_eq!(dry["broken_links_in"], json!(["B.md"]));
    assert!(dry["diff"].as_str().unwrap().contains("-one"), "{dry}");
    assert!(dry.get("change").is_none() && dry.get("trashed_to").is_none(), "{dry}");
    assert!(is_there(&folder, "In/A.md") && !is_there(&folder, ".trash"));
}

#[test]
fn protected_folders_are_left_alone() {
    let daily = (".obsidian/daily-notes.json", "{\"folder\": \"Journal\"}");
    let (app, folder) = app(&[("Journal/A.md", "a"), ("B.md", "b"), daily]);
    for (tool, arguments) in [
        ("vault_delete_note", json!({"path": "Journal/A.md"})),
        ("vault_delete_note", json!({"path": "x/../Journal/A.md"})),
        ("vault_move_note", json!({"old_path": "Journal/A.md", "new_path": "A.md"})),
        ("vault_move_note", json!({"old_path": "B.md", "new_path": "journal/B.md"})),
    ] {
        let error = app.call(tool, arguments.clone()).unwrap_err();
        assert!(error.contains("protected"), "{arguments}: {error}");
    }
    assert!(is_there(&folder, "Journal/A.md") && is_there(&folder, "B.md"));
    // Edits there are not deletes.
    let arguments = json!({"path": "Journal/A.md", "operation": "append", "content": "x"});
    answer(&app, "vault_patch_note", arguments);
}

#[test]
fn nothing_is_deleted_or_moved_while_the_folder_to_protect_is_unknown() {
    let (app, folder) = app(&[("A.md", "a"), (".obsidian/daily-notes.json", "{")]);
    for (tool, arguments) in [
        ("vault_delete_note", json!({"path": "A.md"})),
        ("vault_move_note", json!({"old_path": "A.md", "new_path": "B.md"})),
    ] {
        let error = app.call(tool, arguments).unwrap_err();
        assert!(error.contains("daily-notes.json") && error.contains("DAILY_NOTES_FOLDER"), "{error}");
    }
    assert!(is_there(&folder, "A.md"));
}

#[test]
fn a_moved_note_takes_its_links_along() {
    let notes = [
        ("inbox/idea.md", "# Idea\nto [[index]]\n"),
        (
            "projects/index.md",
            "See [[inbox/idea]] and ![[inbox/idea#Idea|x]] and [link](../inbox/idea.md).\n",
        ),
        ("prop.md", "---\nup: \"[[inbox/idea]]\"\n---\n| a |\n|---|\n| [[inbox/idea\\|s]] |\n"),
        ("other.md", "no link"),
        (
            "board.canvas",
            "{\"nodes\":[{\"id\":\"1\",\"type\":\"file\",\"file\":\"inbox/idea.md\",\"x\":0,\"y\":0,\"width\":1,\"height\":1}],\"edges\":[]}",
        ),
    ];
    let (app, folder) = app(&notes);
    let arguments = json!({"old_path": "inbox/idea.md", "new_path": "projects/2026/plan.md", "prune_empty_folders": true});
    let result = app.call("vault_move_note", arguments).unwrap();
    let told: Value = serde_json::from_str(&result.content[0].as_text().unwrap().text).unwrap();
    let moved = result.structured_content.unwrap();
    let updated = json!(["board.canvas", "projects/index.md", "prop.md"]);
    let expected = json!({
        "moved_to": "projects/2026/plan.md",
        "links_updated": 6,
        "updated_notes": updated,
        "pruned_empty_folders": 1,
    });
    assert_eq!(told, expected);
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(moved[name], *value, "{name}");
    }
    assert_eq!(moved["path"], "projects/2026/plan.md");
    let read = answer(&app, "vault_read_note", json!({"path": "projects/2026/plan.md"}));
    assert_eq!(moved["hash"], read["hash"]);
    assert!(!is_there(&folder, "inbox"));
    assert!(app.call("vault_read_note", json!({"path": "inbox/idea.md"})).is_err());
    let links = answer(&app, "vault_get_backlinks", json!({"path": "projects/2026/plan.md"}));
    let from: Vec<_> =
        links["backlinks"].as_array().unwrap().iter().map(|link| link["path"].clone()).collect();
    assert_eq!(Value::from(from), updated);
    let old = answer(&app, "vault_get_backlinks", json!({"path": "inbox/idea.md"}));
    assert_eq!(old["count"], 0);
    let found = answer(&app, "vault_search", json!({"query": "idea"}));
    assert!(!found["results"].to_string().contains("inbox/idea.md"), "{found}");
    // All of it goes back as one.
    answer(&app, "vault_undo", json!({"change": moved["change"]}));
    for (path, before) in &notes {
        assert_eq!(on_disk(&folder, path), *before);
    }
}

#[test]
fn what_stands_in_the_way_of_a_move_is_named() {
    let (app, folder) = app(&[("A.md", "a"), ("B.md", "b"), ("file", "x")]);
    let refused = |old: &str, new: &str, words: &[&str]| {
        let error = app.call("vault_move_note", json!({"old_path": old, "new_path": new})).unwrap_err();
        for word in words {
            assert!(error.contains(word), "{error}");
        }
    };
    refused("A.md", "A.md", &["same path"]);
    refused("A.md", "x/../A.md", &["same path"]);
    refused("A.md", "B.md", &["already exists", "B.md"]);
    refused("A.md", "A.txt", &["must end in \".md\""]);
    refused("file", "B2.md", &["must end in \".md\""]);
    refused("A.md", "file/A.md", &["file"]);
    refused("A.md", "../A.md", &["escapes"]);
    refused("A.md", ".trash/A.md", &["hidden"]);
    refused("a.md", "C.md", &["note not found", "A.md"]);
    assert_eq!((on_disk(&folder, "A.md"), on_disk(&folder, "B.md")), ("a".to_owned(), "b".to_owned()));
}

#[test]
fn a_note_that_cannot_be_rewritten_stops_the_move_and_says_how_to_repair_it() {
    let bad = "---\na: [\n---\n[[A]]\n";
    let (app, folder) = app(&[("A.md", "a"), ("Bad.md", bad), ("Good.md", "[[A]]")]);
    let error = app.call("vault_move_note", json!({"old_path": "A.md", "new_path": "B.md"})).unwrap_err();
    for word in ["move aborted", "Bad.md", "nothing was written", "vault_update_properties and replace: true"]
    {
        assert!(error.contains(word), "{error}");
    }
    assert_eq!(on_disk(&folder, "Good.md"), "[[A]]");
    assert!(is_there(&folder, "A.md") && !is_there(&folder, "B.md"));
}

#[test]
fn a_dry_run_of_a_move_shows_every_note_that_would_change() {
    let (app, folder) = app(&[("A.md", "a\n"), ("L.md", "to [[A]]\n"), ("M.md", "[[A]]\n")]);
    let arguments = json!({"old_path": "A.md", "new_path": "In/B.md", "dry_run": true});
    let result = app.call("vault_move_note", arguments).unwrap();
    let blocks: Vec<_> = result.content.iter().map(|block| block.as_text().unwrap().text.clone()).collect();
    assert_eq!(blocks.len(), 2);
    let dry = result.structured_content.unwrap();
    let diff = dry["diff"].as_str().unwrap();
    for line in ["-to [[A]]", "+to [[B]]", "-[[A]]", "+[[B]]"] {
        assert!(diff.contains(line), "{line} in {diff}");
    }
    assert!(blocks[1].starts_with("Dry run: nothing was written") && blocks[1].contains(diff), "{blocks:?}");
    assert_eq!(dry["updated_notes"], json!(["L.md", "M.md"]));
    assert!(dry.get("change").is_none(), "{dry}");
    assert_eq!(on_disk(&folder, "L.md"), "to [[A]]\n");
    assert!(!is_there(&folder, "In"));
}

#[test]
fn lists_of_notes_stay_within_an_answer() {
    let names: Vec<String> =
        (0..300).map(|number| format!("folder/with a longer name {number:03}.md")).collect();
    let mut notes: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "[[Target]]\n")).collect();
    notes.push(("Target.md", "x"));
    let (app, _folder) = App::over_notes(&notes, 8_000);
    app.ready();
    let within = |tool: &str, arguments: Value| {
        let result = app.call(tool, arguments).unwrap();
        let structured = result.structured_content.unwrap();
        assert!(structured.to_string().chars().count() < 8_000, "{tool}");
        let blocks: usize =
            result.content.iter().map(|block| block.as_text().unwrap().text.chars().count()).sum();
        assert!(blocks < 8_000, "{tool}: {blocks}");
        structured
    };
    for dry_run in [true, false] {
        let arguments = json!({"old_path": "Target.md", "new_path": "Other.md", "dry_run": dry_run});
        let moved = within("vault_move_note", arguments);
        let shown = moved["updated_notes"].as_array().unwrap().len() as u64;
        assert_eq!(moved["links_updated"], 300);
        assert_eq!(shown + moved["updated_notes_left_out"].as_u64().unwrap(), 300);
    }
    let deleted = within("vault_delete_note", json!({"path": "Other.md"}));
    let shown = deleted["broken_links_in"].as_array().unwrap().len() as u64;
    assert_eq!(shown + deleted["broken_links_left_out"].as_u64().unwrap(), 300);
}

#[test]
fn only_what_a_token_may_is_deleted_or_moved() {
    let (app, folder) = app(&[("In/A.md", "a"), ("Out/B.md", "[[In/A]]"), ("In/C.md", "[[A]]")]);
    let limited = |write: bool, delete: bool| Principal {
        name: "limited".to_owned(),
        rights: Rights { read: true, write, delete },
        folders: FolderScope::Only(vec!["In".to_owned()]),
    };
    let refused = |who: &Principal, tool: &str, arguments: Value| {
        let error = app.call_as(who, tool, arguments.clone()).unwrap_err();
        assert!(error.contains("not permitted"), "{tool} {arguments}: {error}");
    };
    let to = |old: &str, new: &str| json!({"old_path": old, "new_path": new});
    refused(&limited(true, false), "vault_delete_note", json!({"path": "In/A.md"}));
    refused(&limited(true, true), "vault_delete_note", json!({"path": "Out/B.md"}));
    refused(&limited(true, true), "vault_move_note", to("In/A.md", "Out/A.md"));
    refused(&limited(true, true), "vault_move_note", to("Out/B.md", "In/B.md"));
    refused(&limited(false, true), "vault_move_note", to("In/C.md", "In/D.md"));
    // A link that would have to change lies where the token does not reach.
    refused(&limited(true, true), "vault_move_note", to("In/A.md", "In/E.md"));
    assert_eq!(on_disk(&folder, "Out/B.md"), "[[In/A]]");
    let deleted = app.call_as(&limited(true, true), "vault_delete_note", json!({"path": "In/A.md"})).unwrap();
    let broken = &deleted.structured_content.unwrap()["broken_links_in"];
    assert_eq!(*broken, json!(["In/C.md"]), "nothing is told of notes out of reach");
}

#[test]
fn the_hash_of_a_move_is_that_of_the_old_note() {
    let (app, folder) = app(&[("A.md", "a")]);
    let to = |hash: &str| json!({"old_path": "A.md", "new_path": "B.md", "expected_hash": hash});
    let error = app.call("vault_move_note", to(&"0".repeat(64))).unwrap_err();
    assert!(error.contains("stale"), "{error}");
    let read = answer(&app, "vault_read_note", json!({"path": "A.md"}));
    answer(&app, "vault_move_note", to(read["hash"].as_str().unwrap()));
    assert!(is_there(&folder, "B.md"));
    let delete = |hash: &str| json!({"path": "B.md", "expected_hash": hash});
    assert!(app.call("vault_delete_note", delete(&"0".repeat(64))).unwrap_err().contains("stale"));
    answer(&app, "vault_delete_note", delete(read["hash"].as_str().unwrap()));
    assert!(!is_there(&folder, "B.md"));
}
