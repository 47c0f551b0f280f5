//! Rows of the shared case files that are about writing.

use serde_json::{Map, Value};
use vault_cortex_markdown::edit::links::{Files as _, LinkFormat, Moves, retargeted, rewrite_note};
use vault_cortex_markdown::edit::properties::{replace, update};
use vault_cortex_markdown::edit::replace::replace_text;
use vault_cortex_markdown::edit::section::{Operation, Patch, patch};
use vault_cortex_markdown::frontmatter::properties;

use crate::shared::case_file;

fn rows<'a>(file: &'a Value, key: &str) -> &'a [Value] {
    let rows = file[key].as_array().expect("rows");
    assert!(!rows.is_empty());
    rows
}

#[track_caller]
fn report(failures: &[String]) {
    assert!(failures.is_empty(), "{} rows fail:\n{}", failures.len(), failures.join("\n"));
}

/// Rows of `yaml-frontmatter.json`, `write`, that we write otherwise.
const WRITE_EXCEPTIONS: &[(&str, &str)] = &[
    ("null", "null removes a property here; a null inside of a value is written as the row says"),
    ("bom", "the library leaves an invisible mark bare; we escape it, and it reads back the same"),
];

#[test]
fn values_are_written_as_the_app_writes_them() {
    let Some(file) = case_file("yaml-frontmatter.json") else { return };
    let mut failures = Vec::new();
    for row in rows(&file, "write") {
        let id = row["id"].as_str().expect("id");
        let (key, value) = (row["key"].as_str().expect("key"), &row["value"]);
        let written = row["written"].as_str().expect("written");
        let changes: Map<String, Value> = [(key.to_owned(), value.clone())].into_iter().collect();
        let text = update("body\n", &changes).expect("written").edited.text;
        if !WRITE_EXCEPTIONS.iter().any(|(exception, _)| *exception == id)
            && text != format!("---\n{written}---\nbody\n")
        {
            failures.push(format!("{id}: {text:?} instead of {written:?}"));
        }
        let read = properties(&text).map().map(|map| map.values().clone()).unwrap_or_default();
        if !value.is_null() && read.get(key) != Some(value) && value.as_f64() != read[key].as_f64() {
            failures.push(format!("{id}: reads back as {read:?}"));
        }
    }
    report(&failures);
}

#[test]
fn blocks_written_anew_look_as_the_app_saves_them() {
    let Some(file) = case_file("yaml-frontmatter.json") else { return };
    let mut failures = Vec::new();
    let mut compared = 0;
    for row in rows(&file, "read") {
        let id = row["id"].as_str().expect("id");
        let note = format!("---\n{}\n---\nbody\n", row["yaml"].as_str().expect("yaml"));
        let Some(rewritten) = row["rewritten"].as_str() else {
            // A block that is no YAML is refused, and replaced without being read.
            let changes = [("k".to_owned(), Value::from(1))].into_iter().collect();
            assert!(update(&note, &changes).is_err(), "{id}");
            let repaired = replace(&note, &changes).expect("repaired").edited.text;
            assert_eq!(repaired, "---\nk: 1\n---\nbody\n", "{id}");
            continue;
        };
        if REWRITE_EXCEPTIONS.iter().any(|(row, _)| *row == id) {
            continue;
        }
        let read = properties(&note);
        let Some(map) = read.map().map(|map| map.values().clone()) else {
            failures.push(format!("{id}: no map of properties"));
            continue;
        };
        if map.values().any(Value::is_null) {
            failures.push(format!("{id}: a null"));
            continue;
        }
        compared += 1;
        let text = replace(&note, &map).expect("replaced").edited.text;
        if text != format!("---\n{rewritten}---\nbody\n") {
            failures.push(format!("{id}: {text:?} instead of {rewritten:?}"));
        }
    }
    report(&failures);
    assert!(compared > 40, "only {compared} rows were compared");
}

/// Rows of `yaml-frontmatter.json`, `read`, whose block we write otherwise.
const REWRITE_EXCEPTIONS: &[(&str, &str)] = &[
    ("key_number", "a property without a name is not written"),
    ("null_forms", "null removes a property in a call; a block with one keeps it when it is edited"),
    ("tags_empty", "the same"),
    ("colon_nospace", "text and no properties: there is nothing to write anew"),
    ("list_only", "a list and no properties"),
    ("empty", "no properties"),
    ("only_comment", "no properties"),
    ("non_breaking", "text and no properties"),
    ("float", "infinities are read as text, JSON having none, and text that looks like one is quoted"),
];

fn replace_in(
    source: &str,
    operation: Operation,
    content: &str,
    heading: Option<&str>,
    include_children: Option<bool>,
) -> String {
    let request = Patch { operation, content, heading, heading_level: None, include_children };
    patch(source, &request).expect("patched").edited.text
}

/// Complaints about reading, and about files: those of other tests and crates.
const ELSEWHERE: &[&str] = &[
    "pain-15", "pain-16", "pain-17", "pain-25", "pain-36", "pain-38", "pain-41", "pain-45", "pain-47",
    "pain-49", "pain-50",
];

#[test]
fn complaints_about_editing() {
    let Some(file) = case_file("pain-cases.json") else { return };
    for row in rows(&file, "cases") {
        let before = |name: &str| row["before"][name].as_str().expect("a file of the row");
        let with = |changes: Value| {
            let changes = changes.as_object().expect("changes").clone();
            update(before("n.md"), &changes).map(|edited| edited.edited.text)
        };
        let replaced = |old: &str, new: &str| {
            replace_text(before("n.md"), old, new, false).expect("replaced").edited.text
        };
        let patched = |operation, content: &str, heading: Option<&str>, include_children| {
            replace_in(before("n.md"), operation, content, heading, include_children)
        };
        match row["id"].as_str().expect("id") {
            "pain-02" => assert_eq!(
                with(serde_json::json!({"tags": ["keep", 42, {"meta": "preserved"}, "added"]})).expect("set"),
                before("n.md").replace("preserved}\n", "preserved}\n  - added\n")
            ),
            "pain-03" => assert!(with(serde_json::json!({"base": null})).is_err()),
            "pain-04" => assert_eq!(
                with(serde_json::json!({"tags": ["a", "b"]})).expect("set"),
                before("n.md").replace("[a]", "[a, b]")
            ),
            "pain-06" => assert_eq!(
                replaced("Q3 Planning", "Q3: Planning"),
                "---\ntitle: Q3 Planning\ntags: [a]\n---\nQ3: Planning notes\n"
            ),
            "pain-08" => {
                let changes = serde_json::json!({"title": "Z"}).as_object().expect("changes").clone();
                let a = update(before("a.md"), &changes).expect("set").edited.text;
                assert_eq!(a, "---\r\ntitle: Z\r\n---\r\nbody\r\n");
                let b = update(before("b.md"), &changes).expect("set").edited.text;
                assert_eq!(b, "---\ntitle: Z\n---");
            }
            "pain-18" => assert_eq!(replaced("X", "color=$'\\033[31m'"), "head\ncolor=$'\\033[31m'\ntail\n"),
            "pain-20" => {
                assert_eq!(replaced("| 1 | 2 |", "| 3 | 4 |"), before("n.md").replace("1 | 2", "3 | 4"));
                assert_eq!(replaced("fn a() {}", "fn b() {}"), before("n.md").replace("a()", "b()"));
            }
            "pain-21" => assert_eq!(replaced("two", "2"), "one\n2\nthree\n"),
            "pain-23" => assert_eq!(patched(Operation::Append, "b", None, None), "a\nb\n"),
            "pain-27" => assert_eq!(
                patched(Operation::Replace, "new", Some("Layer 2 > Layer 3"), None),
                before("n.md").replace("old", "new")
            ),
            "pain-28" => assert_eq!(
                patched(Operation::Append, "entry2", Some("Log"), Some(false)),
                "# Log\nentry\nentry2\n## Sub\nx\n"
            ),
            "pain-29" => {
                for (heading, old) in [("待整理", "a\n"), ("Детали", "b\n"), ("Diario – Ó", "c\n")]
                {
                    let expected = before("n.md").replace(old, &format!("{old}new\n"));
                    assert_eq!(patched(Operation::Append, "new", Some(heading), None), expected);
                }
            }
            "pain-30" => {
                let text = replace_in(
                    before("Yemek.md"),
                    Operation::Append,
                    "- Sütlaç İıĞğ",
                    Some("Tatlilar"),
                    None,
                );
                assert_eq!(text, "## Tatlilar\n- Kazandibi\n- Sütlaç İıĞğ\n");
            }
            "pain-31" => {
                for heading in ["### People", "People"] {
                    let text = patched(Operation::Append, "- B", Some(heading), None);
                    assert_eq!(text, "# M\n### People\n- A\n- B\n");
                }
            }
            "pain-32" => {
                let text = patched(Operation::Replace, "NEW", Some("^myblock"), None);
                assert_eq!(text, "NEW ^myblock\n\npara two\n");
            }
            "pain-43" => {
                for heading in ["Use `foo`", "Use foo", "## Use `foo`"] {
                    let text = patched(Operation::Append, "| 3 | 4 |", Some(heading), None);
                    assert_eq!(text, format!("{}| 3 | 4 |\n", before("n.md")));
                }
            }
            "pain-33" => {
                let moves = Moves::new(
                    ["inbox/idea.md", "projects/index.md"],
                    [("inbox/idea.md", "projects/idea.md")],
                );
                let path = "projects/index.md";
                let result = rewrite_note(before(path), path, path, LinkFormat::Shortest, &moves);
                let text = result.expect("rewritten").edited.text;
                assert_eq!(text, "See [[idea]] and ![[idea]] and [link](idea.md).\n");
            }
            "pain-35" => {
                let moves = Moves::new(["a.md", "b.md"], []).with_deleted("a.md");
                let dangling = retargeted(before("b.md"), "b.md", &moves);
                assert_eq!(dangling.first().map(|link| link.link.as_str()), Some("a"));
            }
            "pain-40" => {
                let moves = Moves::new(["s.md", "Note.md"], [("Note.md", "New.md")]);
                let result = rewrite_note(before("s.md"), "s.md", "s.md", LinkFormat::Shortest, &moves);
                let expected = before("s.md").replace("Note", "New");
                assert_eq!(result.expect("rewritten").edited.text, expected);
            }
            id => {
                assert!(ELSEWHERE.contains(&id), "{id} is neither checked here nor said to belong elsewhere");
            }
        }
    }
}

/// All notes of a rename row after the move, by path.
fn renamed(row: &Value) -> std::collections::BTreeMap<String, String> {
    let notes = row["notes"].as_object().expect("notes");
    let others = row["other_files"].as_array().map(Vec::as_slice).unwrap_or_default();
    let others = others.iter().filter_map(Value::as_str);
    let files: Vec<&str> = notes.keys().map(String::as_str).chain(others).collect();
    let (from, to) = (row["from"].as_str().expect("from"), row["to"].as_str().expect("to"));
    // A folder's move is that of every file in it.
    let new_path = |path: &str| -> Option<String> {
        let rest = path.strip_prefix(from)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{to}{rest}"))
    };
    let pairs: Vec<(&str, String)> = files.iter().filter_map(|path| Some((*path, new_path(path)?))).collect();
    let moves = Moves::new(files.iter().copied(), pairs.iter().map(|(old, new)| (*old, new.as_str())));
    let format = LinkFormat::from_setting(row["new_link_format"].as_str());
    let note = |(path, text): (&String, &Value)| {
        let now = moves.moved(path).unwrap_or_else(|| path.clone());
        let text = text.as_str().expect("text");
        let result = rewrite_note(text, path, &now, format, &moves).expect("rewritten");
        assert!(result.unwritable.is_empty(), "{path}");
        (now, result.edited.text)
    };
    notes.iter().map(note).collect()
}

#[test]
fn renames_rewrite_what_the_app_rewrites() {
    let Some(file) = case_file("rename-rewrite.json") else { return };
    let mut failures = Vec::new();
    for row in rows(&file, "rows") {
        let expected = row["notes_after"].as_object().expect("notes after");
        let expected: std::collections::BTreeMap<String, String> = expected
            .iter()
            .map(|(path, text)| (path.clone(), text.as_str().expect("text").to_owned()))
            .collect();
        let actual = renamed(row);
        if actual != expected {
            failures.push(format!("{}: {actual:?} instead of {expected:?}", row["id"]));
        }
    }
    report(&failures);
}
