//! `vault_update_properties`. Which text a property gets is tested in `markdown`.

use serde_json::{Value, json};

use super::tests::{answer, on_disk};
use crate::app::App;

const MOST: usize = 60_000;

/// What becomes of a note, and the answer.
#[track_caller]
fn updates(note: &str, arguments: Value, after: &str) -> Value {
    let (app, folder) = App::over_notes(&[("A.md", note)], MOST);
    let mut arguments = arguments;
    arguments["path"] = json!("A.md");
    let answer = answer(&app, "vault_update_properties", arguments);
    assert_eq!(on_disk(&folder, "A.md"), after);
    answer
}

#[test]
fn only_the_properties_asked_for_change() {
    let note = "---\n# mine\ndate: 2026-06-29\ntitle: \"Quoted\"\ntags: [a]\n---\nbody";
    let arguments = json!({"properties": {"tags": ["a", "b"], "Title": null, "new": {"deep": [1, null]}}});
    let after = "---\n# mine\ndate: 2026-06-29\ntags: [a, b]\nnew:\n  deep:\n    - 1\n    - \n---\nbody\n";
    let (app, folder) = App::over_notes(&[("A.md", note)], MOST);
    let mut with_path = arguments;
    with_path["path"] = json!("A.md");
    let result = app.call("vault_update_properties", with_path).unwrap();
    let text = result.content[0].as_text().unwrap().text.clone();
    assert!(text.starts_with("Updated properties on A.md; set: tags, new; removed: title"), "{text}");
    let structured = result.structured_content.unwrap();
    assert_eq!(structured["set"], json!(["tags", "new"]));
    assert_eq!(structured["removed"], json!(["title"]));
    let found = on_disk(&folder, "A.md");
    assert_eq!(found.trim_end(), after.trim_end());
}

#[test]
fn null_removes_and_an_empty_text_is_one() {
    let note = "---\na: 1\nb: 2\n---\n";
    updates(note, json!({"properties": {"a": null}}), "---\nb: 2\n---\n");
    updates(note, json!({"properties": {"a": ""}}), "---\na: \"\"\nb: 2\n---\n");
    // With its last property the block goes.
    updates(note, json!({"properties": {"a": null, "b": null}}), "");
    let error = |arguments: Value| {
        let (app, _folder) = App::over_notes(&[("A.md", note)], MOST);
        app.call("vault_update_properties", arguments).unwrap_err()
    };
    assert!(error(json!({"path": "A.md"})).contains("argument properties is missing"));
    assert!(error(json!({"path": "A.md", "properties": {"": 1}})).contains("needs a name"));
    assert!(error(json!({"path": "A.md", "properties": {"x": 1, "X": 2}})).contains("same property"));
}

/// Each block that a merge refuses, the steps that the refusal names, and that they work.
#[test]
fn a_block_that_cannot_be_kept_is_refused_and_repaired_by_replace() {
    let prose = "then put prose that was in it back with vault_patch_note";
    for (note, reason, has_prose) in [
        ("---\na: [\n---\ntext\n", "not valid YAML: ", true),
        ("---\n- a\n- b\n---\ntext\n", "a list", true),
        ("---\njust prose\n---\ntext\n", "a single value", true),
        ("---\na: !custom x\n---\ntext\n", "explicit YAML tag", false),
    ] {
        let (app, folder) = App::over_notes(&[("A.md", note)], MOST);
        let merge = json!({"path": "A.md", "properties": {"b": 1}});
        let error = app.call("vault_update_properties", merge).unwrap_err();
        assert!(error.contains(reason), "{error}");
        assert!(error.contains("vault_read_note") && error.contains("replace: true"), "{error}");
        assert_eq!(error.contains(prose), has_prose, "{error}");
        assert_eq!(on_disk(&folder, "A.md"), note);
        if reason.contains("YAML: ") {
            assert!(error.contains("line "), "the parser's place is told: {error}");
        }
        let repair = json!({"path": "A.md", "properties": {"b": 1}, "replace": true});
        let repaired = answer(&app, "vault_update_properties", repair);
        assert_eq!(on_disk(&folder, "A.md"), "---\nb: 1\n---\ntext\n");
        assert_eq!(repaired["set"], json!(["b"]));
        let old = repaired["replaced_block"].as_str().unwrap();
        assert!(note.contains(old.trim_end()), "{old:?}");
    }
}

#[test]
fn an_edit_of_the_body_keeps_a_broken_block() {
    let note = "---\na: [\n---\ntext\n";
    let (app, folder) = App::over_notes(&[("A.md", note)], MOST);
    let arguments = json!({"path": "A.md", "old_text": "text", "new_text": "new"});
    match app.call("vault_replace_in_note", arguments) {
        Ok(_) => assert_eq!(on_disk(&folder, "A.md"), note.replace("text", "new")),
        Err(error) => {
            assert!(error.contains("not valid YAML") && error.contains("replace: true"), "{error}");
            assert_eq!(on_disk(&folder, "A.md"), note);
        }
    }
}

#[test]
fn removing_every_property_may_not_open_another_block() {
    let note = "---\na: 1\n---\n---\nb: [\n---\n";
    let (app, folder) = App::over_notes(&[("A.md", note)], MOST);
    for replace in [false, true] {
        let properties = if replace { json!({}) } else { json!({"a": null}) };
        let arguments = json!({"path": "A.md", "properties": properties, "replace": replace});
        let error = app.call("vault_update_properties", arguments).unwrap_err();
        assert!(error.contains("Ways around it"), "{error}");
        assert_eq!(on_disk(&folder, "A.md"), note);
    }
}

#[test]
fn what_was_set_is_found_by_the_next_call() {
    let (app, _folder) = App::over_notes(&[("A.md", "text\n")], MOST);
    let arguments = json!({"path": "A.md", "properties": {"status": "done", "tags": ["new"]}});
    answer(&app, "vault_update_properties", arguments);
    let found = answer(&app, "vault_search_by_property", json!({"key": "status", "value": "done"}));
    assert_eq!(found["notes"][0]["path"], "A.md");
    let found = answer(&app, "vault_search_by_tag", json!({"tag": "new"}));
    assert_eq!(found["notes"][0]["path"], "A.md");
}
