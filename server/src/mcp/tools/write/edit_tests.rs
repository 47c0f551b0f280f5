//! The tools that change a part of a note's body. How lines and headings are found is tested in `markdown`;
//! here: that the tools ask for the right thing, and what they answer.

use serde_json::{Value, json};
use vault::{FolderScope, Principal, Rights};

use super::tests::{answer, on_disk};
use crate::app::App;

const MOST: usize = 60_000;

/// The text block of a call, and the note afterwards.
#[track_caller]
fn edits(note: &str, tool: &str, mut arguments: Value, text: &str, after: &str) -> Value {
    let (app, folder) = App::over_notes(&[("A.md", note)], MOST);
    arguments["path"] = json!("A.md");
    let result = app.call(tool, arguments).unwrap();
    let block = result.content[0].as_text().unwrap().text.clone();
    assert_eq!(block, text);
    assert_eq!(on_disk(&folder, "A.md"), after);
    let structured = result.structured_content.unwrap();
    let read = answer(&app, "vault_read_note", json!({"path": "A.md"}));
    assert_eq!(structured["hash"], read["hash"], "the next change can be made with this hash");
    assert!(structured["change"].is_i64(), "{structured}");
    structured
}

/// The error of a call; the note stays as it is.
#[track_caller]
fn refused(note: &str, tool: &str, mut arguments: Value, words: &[&str]) {
    let (app, folder) = App::over_notes(&[("A.md", note)], MOST);
    arguments["path"] = json!("A.md");
    let error = app.call(tool, arguments).unwrap_err();
    for word in words {
        assert!(error.contains(word), "{word:?} not in: {error}");
    }
    assert_eq!(on_disk(&folder, "A.md"), note);
}

const NOTE: &str = "---\nkey: 1 # mine\n---\nintro\n\n## One\nfirst\n\n### Below\nlow\n\n## Two\nsecond\n";

#[test]
fn a_patch_does_each_operation_at_its_heading() {
    let patch = |operation: &str, heading: &str, after: (&str, &str)| {
        let arguments = json!({"operation": operation, "heading": heading, "content": "new"});
        let told = format!("Applied {operation} to A.md → ## Two");
        let after = NOTE.replace(after.0, after.1);
        let answer = edits(NOTE, "vault_patch_note", arguments, &told, &after);
        assert_eq!(answer["heading"], "## Two");
    };
    patch("append", "Two", ("second\n", "second\nnew\n"));
    patch("prepend", "## Two", ("second\n", "new\nsecond\n"));
    patch("replace", "Two", ("second\n", "new\n"));
    patch("insert_before", "Two", ("## Two", "new\n\n## Two"));
}

#[test]
fn a_patch_without_a_heading_is_about_the_body_and_keeps_the_properties() {
    let arguments = json!({"operation": "append", "content": "last"});
    let after = format!("{NOTE}last\n");
    edits(NOTE, "vault_patch_note", arguments, "Applied append to A.md → file body", &after);
    let arguments = json!({"operation": "prepend", "content": "first of all"});
    let after = NOTE.replace("intro\n", "first of all\nintro\n");
    edits(NOTE, "vault_patch_note", arguments, "Applied prepend to A.md → file body", &after);
    for operation in ["replace", "insert_before"] {
        let arguments = json!({"operation": operation, "content": "x"});
        refused(NOTE, "vault_patch_note", arguments, &[operation, "needs a heading"]);
    }
    let arguments = json!({"operation": "append", "content": "x", "heading_level": 2});
    refused(NOTE, "vault_patch_note", arguments, &["heading_level needs heading"]);
}

#[test]
fn a_heading_put_above_the_text_of_a_note_says_what_it_took_in() {
    let arguments = json!({"operation": "prepend", "content": "## New\ntext"});
    let (app, _folder) = App::over_notes(&[("A.md", NOTE), ("B.md", "only\n")], MOST);
    let nested = |path: &str| {
        let mut arguments = arguments.clone();
        arguments["path"] = json!(path);
        let result = app.call("vault_patch_note", arguments).unwrap();
        let block = result.content[0].as_text().unwrap().text.clone();
        let advice = result.structured_content.unwrap()["advice"].as_str().unwrap().to_owned();
        assert!(block.starts_with(&format!("Applied prepend to {path} → file body. Note: ")), "{block}");
        assert!(block.contains(&advice));
        advice
    };
    let advice = nested("A.md");
    assert!(advice.contains("5 bytes") && advice.contains("## New"), "{advice}");
    assert!(advice.contains("insert_before \"## One\""), "{advice}");
    assert!(nested("B.md").contains("use append"));
}

#[test]
fn sections_below_are_lost_only_when_asked() {
    let replace = |children: Value| json!({"operation": "replace", "heading": "One", "content": "new", "include_children": children});
    refused(NOTE, "vault_patch_note", replace(Value::Null), &["### Below", "include_children"]);
    let after = NOTE.replace("first\n\n### Below\nlow\n", "new\n");
    edits(NOTE, "vault_patch_note", replace(json!(true)), "Applied replace to A.md → ## One", &after);
    let append = |children: Value| json!({"operation": "append", "heading": "One", "content": "new", "include_children": children});
    let told = "Applied append to A.md → ## One";
    edits(NOTE, "vault_patch_note", append(Value::Null), told, &NOTE.replace("\nlow\n", "\nlow\nnew\n"));
    edits(NOTE, "vault_patch_note", append(json!(false)), told, &NOTE.replace("first\n", "first\nnew\n"));
}

#[test]
fn headings_that_are_not_there_twice_there_or_repeated_are_refused() {
    let patch =
        |heading: &str, content: &str| json!({"operation": "append", "heading": heading, "content": content});
    refused(NOTE, "vault_patch_note", patch("Three", "x"), &["no heading \"Three\"", "## One", "### Below"]);
    refused(NOTE, "vault_patch_note", patch("Two", "## Two\nx"), &["begins with the heading"]);
    refused(NOTE, "vault_patch_note", patch("Two", " \n"), &["empty"]);
    let twice = "# A\n\n## B\none\n\n### B\ntwo\n";
    refused(twice, "vault_patch_note", patch("B", "x"), &["2 times", "line 3", "line 6", "level"]);
    let mut third = patch("B", "x");
    third["heading_level"] = json!("3");
    let after = twice.replace("two\n", "two\nx\n");
    edits(twice, "vault_patch_note", third, "Applied append to A.md → ### B", &after);
    edits(twice, "vault_patch_note", patch("B > B", "x"), "Applied append to A.md → ### B", &after);
}

#[test]
fn a_section_is_emptied_by_nothing_and_a_block_keeps_its_id() {
    let arguments = json!({"operation": "replace", "heading": "Two", "content": ""});
    let after = NOTE.replace("second\n", "");
    edits(NOTE, "vault_patch_note", arguments, "Applied replace to A.md → ## Two", &after);
    // Left out is not the same as empty: that would be a section lost by a slip.
    let arguments = json!({"operation": "replace", "heading": "Two"});
    refused(NOTE, "vault_patch_note", arguments, &["argument content is missing"]);
    let arguments = json!({"operation": "replace", "heading": "^id", "content": "NEW"});
    let text = "Applied replace to A.md → ^id. It replaced \"old\"";
    edits("old ^id\n", "vault_patch_note", arguments, text, "NEW ^id\n");
}

#[test]
fn exact_text_is_replaced_in_the_body_alone() {
    let note = "---\ntitle: Q3 Planning\n---\nQ3 Planning notes\n";
    let arguments = json!({"old_text": "Q3 Planning", "new_text": "Q3: Planning"});
    let after = "---\ntitle: Q3 Planning\n---\nQ3: Planning notes\n";
    let told = "Replaced 1 occurrence in A.md";
    let answer = edits(note, "vault_replace_in_note", arguments, told, after);
    assert_eq!((&answer["replaced"], &answer["first_line"]), (&json!(1), &json!(4)));
    let arguments = json!({"old_text": "title", "new_text": "x"});
    refused(note, "vault_replace_in_note", arguments, &["title", "properties"]);
    let arguments = json!({"old_text": "Q3 Planning ", "new_text": ""});
    edits(note, "vault_replace_in_note", arguments, told, "---\ntitle: Q3 Planning\n---\nnotes\n");
    let arguments = json!({"old_text": "notes"});
    refused(note, "vault_replace_in_note", arguments, &["argument new_text is missing"]);
}

#[test]
fn text_that_is_there_several_times_is_replaced_only_when_asked() {
    let note = "a b\nb c\nb d\n";
    let arguments = json!({"old_text": "b", "new_text": "$& \\1"});
    let words = ["line 1", "line 2", "line 3", "replace all occurrences"];
    refused(note, "vault_replace_in_note", arguments.clone(), &words);
    let mut all = arguments;
    all["replace_all_occurrences"] = json!("true");
    let told = "Replaced 3 occurrences in A.md";
    let after = note.replace('b', "$& \\1");
    let answer = edits(note, "vault_replace_in_note", all, told, &after);
    assert_eq!(answer["replaced"], 3);
}

#[test]
fn white_space_is_text_like_any_other() {
    let arguments = json!({"old_text": "  ", "new_text": " "});
    edits("a  b\n", "vault_replace_in_note", arguments, "Replaced 1 occurrence in A.md", "a b\n");
    let arguments = json!({"anchor": "two", "position": "before", "content": ""});
    let told = "Inserted before line 2 of A.md: \"two\"";
    edits("one\ntwo\n", "vault_insert_at_anchor", arguments, told, "one\n\ntwo\n");
    let arguments = json!({"start_anchor": "two", "content": "  \n\t"});
    let told = "Replaced 1 line in A.md: \"two\"";
    edits("one\ntwo\nthree\n", "vault_replace_span", arguments, told, "one\n  \n\t\nthree\n");
}

#[test]
fn lines_are_found_by_pieces_of_them() {
    let note = "---\nalpha: 1\n---\none alpha\ntwo\nthree beta\nfour\n";
    let span = |end: Value| json!({"start_anchor": "alpha", "end_anchor": end});
    let told = "Deleted 3 lines from A.md: \"one alpha\ntwo\nthree beta\"";
    let after = "---\nalpha: 1\n---\nfour\n";
    let answer = edits(note, "vault_delete_span", span(json!("beta")), told, after);
    assert_eq!((&answer["lines"], &answer["first_line"]), (&json!(3), &json!(4)));
    let told = "Deleted 1 line from A.md: \"one alpha\"";
    let after = note.replace("one alpha\n", "");
    edits(note, "vault_delete_span", span(Value::Null), told, &after);
    let mut replaced = span(json!("beta"));
    replaced["content"] = json!("new\nlines");
    let told = "Replaced 3 lines in A.md: \"one alpha\ntwo\nthree beta\"";
    edits(note, "vault_replace_span", replaced, told, "---\nalpha: 1\n---\nnew\nlines\nfour\n");
    let mut emptied = span(json!("beta"));
    emptied["content"] = json!("");
    edits(note, "vault_replace_span", emptied, told, "---\nalpha: 1\n---\nfour\n");
    for (position, after) in [("before", "one\nnew\ntwo\n"), ("after", "one\ntwo\nnew\n")] {
        let arguments = json!({"anchor": "tw", "position": position, "content": "new"});
        let told = format!("Inserted {position} line 2 of A.md: \"two\"");
        let answer = edits("one\ntwo\n", "vault_insert_at_anchor", arguments, &told, after);
        assert_eq!(answer["line"], 2);
    }
}

/// The three anchor tools share one rule.
#[test]
fn an_anchor_that_fits_several_lines_is_an_error_unless_the_first_is_meant() {
    let note = "same a\nsame b\nend\n";
    let calls = [
        ("vault_delete_span", json!({"start_anchor": "same"}), "same b\nend\n"),
        ("vault_replace_span", json!({"start_anchor": "same", "content": "x"}), "x\nsame b\nend\n"),
        (
            "vault_insert_at_anchor",
            json!({"anchor": "same", "position": "after", "content": "x"}),
            "same a\nx\nsame b\nend\n",
        ),
    ];
    for (tool, arguments, after) in calls {
        refused(note, tool, arguments.clone(), &["2 lines", "line 1", "line 2", "first_match"]);
        let (app, folder) = App::over_notes(&[("A.md", note)], MOST);
        let mut first = arguments.clone();
        first["path"] = json!("A.md");
        first["first_match"] = json!(true);
        app.call(tool, first).unwrap();
        assert_eq!(on_disk(&folder, "A.md"), after, "{tool}");
        let mut other = arguments.clone();
        let name = if tool == "vault_insert_at_anchor" { "anchor" } else { "start_anchor" };
        other[name] = json!("SAME");
        refused(note, tool, other, &["no line", "SAME"]);
        let mut blank = arguments;
        blank[name] = json!("  ");
        refused(note, tool, blank, &["empty"]);
    }
    let backwards = json!({"start_anchor": "end", "end_anchor": "same a"});
    refused(note, "vault_delete_span", backwards, &["at or after the start line", "same a"]);
}

/// Calls of every tool of this file that change the note `one\ntwo\n`, whatever its line ends.
fn calls() -> Vec<(&'static str, Value, &'static str)> {
    let anchored = json!({"start_anchor": "two", "content": "x\ny"});
    vec![
        ("vault_patch_note", json!({"operation": "append", "content": "x\r\ny"}), "one\ntwo\nx\ny\n"),
        ("vault_replace_in_note", json!({"old_text": "one\ntwo", "new_text": "x\ny"}), "x\ny\n"),
        ("vault_delete_span", json!({"start_anchor": "two"}), "one\n"),
        ("vault_replace_span", anchored, "one\nx\ny\n"),
        (
            "vault_insert_at_anchor",
            json!({"anchor": "one", "position": "after", "content": "x\r\ny"}),
            "one\nx\ny\ntwo\n",
        ),
        (
            "vault_update_properties",
            json!({"properties": {"a": 1, "b": "x"}}),
            "---\na: 1\nb: x\n---\none\ntwo\n",
        ),
    ]
}

#[test]
fn line_ends_and_the_byte_order_mark_stay() {
    for (tool, mut arguments, after) in calls() {
        arguments["path"] = json!("A.md");
        for mark in ["", "\u{feff}"] {
            for end in ["\n", "\r\n"] {
                let text = |text: &str| format!("{mark}{}", text.replace('\n', end));
                let (app, folder) = App::over_notes(&[("A.md", &text("one\ntwo\n"))], MOST);
                app.call(tool, arguments.clone()).unwrap();
                assert_eq!(on_disk(&folder, "A.md"), text(after), "{tool} {end:?} {mark:?}");
            }
        }
    }
}

#[test]
fn a_note_that_is_missing_is_named_with_what_is_near() {
    for (tool, mut arguments, _) in calls() {
        let (app, _folder) = App::over_notes(&[("Alpha.md", "x"), ("t.txt", "x")], MOST);
        arguments["path"] = json!("alpha.md");
        let error = app.call(tool, arguments.clone()).unwrap_err();
        assert!(error.contains("note not found") && error.contains("Alpha.md"), "{tool}: {error}");
        arguments["path"] = json!("t.txt");
        let error = app.call(tool, arguments.clone()).unwrap_err();
        assert!(error.contains("must end in \".md\""), "{tool}: {error}");
        arguments["path"] = json!(".obsidian/a.md");
        assert!(app.call(tool, arguments).is_err(), "{tool}");
    }
}

#[test]
fn hashes_dry_runs_and_rights_hold_for_every_edit() {
    let who = |folders: &str, write: bool| Principal {
        name: "limited".to_owned(),
        rights: Rights { read: true, write, delete: false },
        folders: FolderScope::Only(vec![folders.to_owned()]),
    };
    for (tool, arguments, _) in calls() {
        let (app, folder) = App::over_notes(&[("In/A.md", "one\ntwo\n")], MOST);
        let with = |name: &str, value: Value| {
            let mut arguments = arguments.clone();
            arguments["path"] = json!("In/A.md");
            arguments[name] = value;
            arguments
        };
        let error = app.call(tool, with("expected_hash", json!("0".repeat(64)))).unwrap_err();
        assert!(error.contains("stale"), "{tool}: {error}");
        let dry = app.call(tool, with("dry_run", json!(true))).unwrap().structured_content.unwrap();
        assert_eq!(dry["dry_run"], true, "{tool}");
        assert!(dry["diff"].as_str().unwrap().contains("@@"), "{tool}: {dry}");
        for (who, word) in [(who("In", false), "not permitted"), (who("Out", true), "not permitted")] {
            let error = app.call_as(&who, tool, with("path", json!("In/A.md"))).unwrap_err();
            assert!(error.contains(word), "{tool}: {error}");
        }
        assert_eq!(on_disk(&folder, "In/A.md"), "one\ntwo\n", "{tool}");
        let hash = answer(&app, "vault_read_note", json!({"path": "In/A.md"}))["hash"].clone();
        app.call_as(&who("In", true), tool, with("expected_hash", hash)).unwrap();
        assert_ne!(on_disk(&folder, "In/A.md"), "one\ntwo\n", "{tool}");
    }
}

#[test]
fn a_change_that_changes_nothing_is_none() {
    let (app, _folder) = App::over_notes(&[("A.md", "---\na: 1\n---\none\n")], MOST);
    let same = |tool: &str, arguments: Value| {
        let result = app.call(tool, arguments).unwrap();
        let block = result.content[0].as_text().unwrap().text.clone();
        assert!(block.contains("nothing was written"), "{block}");
        assert!(result.structured_content.unwrap().get("change").is_none(), "{tool}");
    };
    same("vault_update_properties", json!({"path": "A.md", "properties": {"a": 1, "gone": null}}));
    same("vault_replace_in_note", json!({"path": "A.md", "old_text": "one", "new_text": "one"}));
    same("vault_replace_span", json!({"path": "A.md", "start_anchor": "one", "content": "one"}));
}

#[test]
fn an_edit_that_would_open_the_note_with_a_broken_block_is_refused() {
    let note = "above\n---\na: [\n---\ntext\n";
    refused(note, "vault_delete_span", json!({"start_anchor": "above"}), &["Ways around it"]);
    let arguments = json!({"old_text": "above\n", "new_text": ""});
    refused(note, "vault_replace_in_note", arguments, &["Ways around it"]);
}

#[test]
fn control_characters_are_not_written() {
    for (tool, arguments) in [
        ("vault_patch_note", json!({"operation": "append", "content": "a\u{7}"})),
        ("vault_replace_in_note", json!({"old_text": "one", "new_text": "\u{1b}"})),
        ("vault_replace_span", json!({"start_anchor": "one", "content": "\u{0}"})),
        ("vault_insert_at_anchor", json!({"anchor": "one", "position": "after", "content": "\u{85}"})),
        ("vault_update_properties", json!({"properties": {"a": "\u{8}"}})),
    ] {
        refused("one\n", tool, arguments, &["control character"]);
    }
}
