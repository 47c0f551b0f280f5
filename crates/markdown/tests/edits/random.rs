//! What holds for every note, on random ones and on real vaults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};
use vault_cortex_markdown::document;
use vault_cortex_markdown::edit::anchor::{Anchors, Side, delete_span, insert_at_anchor, replace_span};
use vault_cortex_markdown::edit::links::{Files, LinkFormat, Moves, rewrite_note};
use vault_cortex_markdown::edit::memory::{NewEntry, Position, add, delete};
use vault_cortex_markdown::edit::properties::{PropertiesError, guard_change, replace, same_value, update};
use vault_cortex_markdown::edit::replace::replace_text;
use vault_cortex_markdown::edit::section::{Operation, Patch, patch};
use vault_cortex_markdown::edit::write_note::{create, overwrite};
use vault_cortex_markdown::edit::{Edited, apply, invert};
use vault_cortex_markdown::frontmatter::{self, Properties, PropertyMap};

use crate::shared::shared;

/// Pieces that notes are made of.
const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    " ",
    "  ",
    "\t",
    "a",
    "word",
    "é",
    "日本",
    "[[a]]",
    "[[Old]]",
    "![[Old#h|Old]]",
    "[x](Old.md)",
    "[x](<Old.md>)",
    "# ",
    "## ",
    "# A\n",
    "## B\n",
    "- ",
    "- x\n",
    "* y\n",
    "1. ",
    "> ",
    "| a | b |\n|--|--|\n",
    "```\n",
    "%%",
    "%%\n",
    "<!--",
    "-->",
    "---\n",
    "===\n",
    "^id",
    " ^b-1\n",
    "a: b\n",
    "\\",
    "`",
    "\u{feff}",
    "$$\n",
    "- **2026-03-10**: x\n",
    "    ",
    "[",
    "]",
    "(",
    ")",
    "|",
    "#tag",
];

/// Lines that properties blocks are made of.
const LINES: &[&str] = &[
    "a: 1",
    "b: 'x' # c",
    "c: [p, \"q\", 3]",
    "d:",
    "e:",
    "  - x",
    "  - 'y'",
    "- z",
    "  -",
    "# comment",
    "  # indented",
    "",
    "f: |",
    "  text",
    "  # no comment",
    "g: {h: 1}",
    "i: &x 1",
    "j: *x",
    "up: \"[[Old]]\"",
    "rel: '[[Old|Old]]'",
    "\"k l\": m",
    "? n",
    ": o",
    "tags: [a]",
    "T: >-",
    "n: 1.50",
    "{\"a\": 1}",
    "p: !t q",
    "r: s: t",
];

fn body() -> impl Strategy<Value = String> {
    vec(select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

fn block() -> impl Strategy<Value = String> {
    vec(select(LINES), 0..8).prop_map(|lines| format!("---\n{}\n---\n", lines.join("\n")))
}

fn note() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => body(),
        2 => (block(), body()).prop_map(|(block, body)| format!("{block}{body}")),
        1 => (block(), body()).prop_map(|(block, body)| format!("{block}{body}").replace('\n', "\r\n")),
        1 => (block(), body()).prop_map(|(block, body)| format!("\u{feff}{block}{body}")),
    ]
}

/// Values of every kind, text that looks like something else more often than not.
fn value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        any::<String>().prop_map(|text| text.replace(|character: char| character.is_control(), "")),
        select(vec![
            "",
            " ",
            "-",
            "- x",
            "?",
            "x: y",
            "x:",
            "#x",
            "x #y",
            "true",
            "null",
            "~",
            "12",
            "1e3",
            ".inf",
            "0x1",
            "[[N]]",
            "{a}",
            "a, b",
            "it's",
            "\"q\"",
            "'",
            "\"'",
            "a\nb",
            "a\n",
            "a\n\n",
            "\na",
            " a\nb",
            "a \nb",
            "a\n b",
            "a\r\nb",
            "---",
            "--- x",
            "...",
            "a\n---\nb",
            "<<",
            "=",
            "%x",
            "@x",
            "`x`",
            "&a",
            "*a",
            "!a",
            "|",
            ">",
            "2026-03-10",
            "\u{feff}x",
            "\u{2028}",
            "\t",
            "a\tb",
            "a\t",
            "a: #b",
            "日本: x",
            "👨‍👩",
        ])
        .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 20, 4, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((text.clone(), inner), 0..3).prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn changes(key: &str, value: Value) -> Map<String, Value> {
    [(key.to_owned(), value)].into_iter().collect()
}

/// The text is what the edits make of the source, and undoing them gives the source back.
#[track_caller]
fn check_edited(source: &str, edited: &Edited) {
    assert_eq!(apply(source, &edited.edits).as_deref(), Ok(edited.text.as_str()));
    let inverse = invert(source, &edited.edits).expect("edits");
    assert_eq!(apply(&edited.text, &inverse).as_deref(), Ok(source));
}

fn body_of(text: &str) -> &str {
    &text[frontmatter::locate(text).map_or(0, |block| block.span.end)..]
}

fn values_of(text: &str) -> Map<String, Value> {
    frontmatter::properties(text).map().map(|map| map.values().clone()).unwrap_or_default()
}

/// Adds and removes a property, changes each one there is, and checks that nothing else moved.
#[track_caller]
fn check_properties(source: &str, new: &Value) {
    let before = values_of(source);
    let Ok(added) = update(source, &changes("a new one", new.clone())) else { return };
    check_edited(source, &added.edited);
    // With the block gone, the body may open with lines that are none to have.
    let removed = match update(&added.edited.text, &changes("A New One", Value::Null)) {
        Err(PropertiesError::Guard(_)) => return,
        removed => removed.expect("removed"),
    };
    check_edited(&added.edited.text, &removed.edited);
    let is_empty_block = before.is_empty() && frontmatter::locate(source).is_some();
    if !is_empty_block {
        assert_eq!(removed.edited.text, source, "added and removed");
    }
    for (key, old) in before.iter().filter(|(key, _)| !key.trim().is_empty()) {
        let same = match update(source, &changes(key, old.clone())) {
            Err(PropertiesError::Guard(_)) => continue,
            // A key without a name, on a line that is hardly anyone's.
            Err(PropertiesError::CannotKeep { .. }) if source.contains("\n: o") => continue,
            same => same.expect("the same"),
        };
        assert!(old.is_null() || same.edited.edits.is_empty(), "an equal value touches nothing");
        let Ok(set) = update(source, &changes(key, new.clone())) else { continue };
        check_edited(source, &set.edited);
        let after = values_of(&set.edited.text);
        assert_eq!(body_of(&set.edited.text).len(), body_of(source).len(), "the body stays");
        for (name, value) in &before {
            let expected = if name == key { new } else { value };
            assert!(after.get(name).is_some_and(|after| same_value(after, expected)), "{name} in {after:?}");
        }
        if !old.is_null() {
            let back = update(&set.edited.text, &changes(key, old.clone())).expect("back");
            let values = values_of(&back.edited.text);
            assert!(same_value(&Value::Object(values.clone()), &Value::Object(before.clone())), "{values:?}");
        }
    }
}

/// Every edit of a body, and that the block and the headings of the note stay.
#[track_caller]
fn check_body(source: &str, piece: &str, content: &str) {
    let document = document::parse(source);
    let names = |text: &str| -> Vec<(u8, String)> {
        let text = text.trim_start_matches('\u{feff}');
        document::parse(text).headings.into_iter().map(|heading| (heading.level, heading.text)).collect()
    };
    let headings = document.headings.iter().map(|heading| Some(heading.text.clone())).chain([None]);
    for heading in headings.take(4) {
        for operation in [Operation::Append, Operation::Prepend, Operation::InsertBefore, Operation::Replace]
        {
            let heading = heading.as_deref().filter(|text| !text.is_empty());
            let request =
                Patch { operation, content, heading, heading_level: None, include_children: Some(true) };
            let Ok(patched) = patch(source, &request) else { continue };
            check_edited(source, &patched.edited);
            let text = &patched.edited.text;
            assert!(guard_change(source, text).is_ok() || document.block.is_none());
            // Obsidian reads no indented code from the very first line; as the second one it is code.
            let is_first_code = body_of(source).starts_with(['\t', ' ', '\u{feff}']);
            if content == "plain text" && operation != Operation::Replace && !is_first_code {
                let kept = names(text);
                let before = names(source);
                assert_eq!(kept, before, "{operation:?} under {heading:?}");
                let links = |text: &str| -> Vec<String> {
                    let document = document::parse(text.trim_start_matches('\u{feff}'));
                    document.links.into_iter().map(|link| link.target).collect()
                };
                assert_eq!(links(text), links(source), "{operation:?} under {heading:?}");
            }
        }
    }
    if let Ok(replaced) = replace_text(source, piece, content, true) {
        check_edited(source, &replaced.edited);
    }
    let anchors = Anchors { start: piece, end: None, first_match: true };
    for edited in [
        delete_span(source, &anchors),
        replace_span(source, &anchors, content),
        insert_at_anchor(source, piece, Side::Before, content, true),
        insert_at_anchor(source, piece, Side::After, content, true),
    ]
    .into_iter()
    .flatten()
    {
        check_edited(source, &edited.edited);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::default())]

    #[test]
    fn any_value_reads_back(key in any::<String>(), value in value()) {
        if key.trim().is_empty() || value.is_null() {
            return Ok(());
        }
        let written = match update("body", &changes(&key, value.clone())) {
            Err(PropertiesError::Character { .. }) => return Ok(()),
            written => written.expect("written").edited.text,
        };
        let read = values_of(&written);
        prop_assert!(same_value(&read[&key], &value), "{:?} became {:?} in {written:?}", value, read[&key]);
        prop_assert_eq!(body_of(&written), "body");
        let created = create("body", &changes(&key, value.clone())).expect("created").edited.text;
        prop_assert!(created.starts_with(written.trim_end_matches("body")));
        let replaced = replace(&written, &changes("k", value)).expect("replaced");
        prop_assert_eq!(body_of(&replaced.edited.text), "body");
    }

    #[test]
    fn properties_change_alone(source in note(), value in value()) {
        if value.is_null() {
            return Ok(());
        }
        check_properties(&source, &value);
    }

    #[test]
    fn lists_change_alone(old in vec(value(), 0..4), new in vec(value(), 1..5), flow in any::<bool>()) {
        let written = if flow {
            format!("---\nl: {}\nm: 1\n---\n", Value::from(old))
        } else {
            let list = create("", &changes("l", Value::from(old))).expect("created").edited.text;
            list.replace("\n---\n", "\nm: 1\n---\n")
        };
        prop_assume!(matches!(frontmatter::properties(&written), Properties::Map(_)));
        check_properties(&written, &Value::from(new));
    }

    #[test]
    fn bodies_change_alone(source in note(), piece in select(PIECES), content in select(vec![
        "plain text", "- item", "# New\n\ntext", "```\ncode\n```", "| 3 | 4 |", "===", "---", "> q", "%%", "\n\nx\n\n",
    ])) {
        check_body(&source, piece, content);
        if let Ok(written) = overwrite(&source, content, &Map::new()) {
            check_edited(&source, &written.edited);
        }
    }

    #[test]
    fn links_lead_where_they_led(source in note(), to in select(vec!["New.md", "x/Old.md", "x/a.md", "Ü (1) ü.md", "n/O.md"]),
        format in select(vec![LinkFormat::Shortest, LinkFormat::Relative, LinkFormat::Absolute])) {
        let moves = Moves::new(["n/note.md", "Old.md", "a.md", "y/b.md"], [("Old.md", to)]);
        check_links(&source, "n/note.md", format, &moves);
    }

    #[test]
    fn any_sequence_of_edits_can_be_undone(
        source in note(),
        steps in vec((0_u8..12, select(PIECES), value()), 1..10),
    ) {
        let mut text = source.clone();
        let mut undo = Vec::new();
        for (kind, piece, value) in &steps {
            if let Some(edited) = any_edit(&text, *kind, piece, value) {
                undo.push(invert(&text, &edited.edits).expect("edits"));
                text = edited.text;
            }
        }
        for edits in undo.iter().rev() {
            text = apply(&text, edits).expect("undone");
        }
        prop_assert_eq!(text, source);
    }

    #[test]
    fn entries_come_and_go(source in note(), top in any::<bool>(), section in select(vec!["A", "B", "New section"])) {
        let position = if top { Position::Top } else { Position::Bottom };
        let date = jiff::civil::date(2026, 4, 1);
        let new = NewEntry { section, text: "new entry", date, position };
        if let Ok(added) = add(&source, &new) {
            check_edited(&source, &added.edited);
            prop_assert!(add(&added.edited.text, &new).expect("again").is_there);
            if !added.is_new_section {
                let deleted = delete(&added.edited.text, section, date, "new entry").expect("deleted");
                check_edited(&added.edited.text, &deleted.edited);
            }
        }
    }
}

/// One edit of whatever kind; `None` when it is refused.
fn any_edit(source: &str, kind: u8, piece: &str, value: &Value) -> Option<Edited> {
    let anchors = Anchors { start: piece, end: None, first_match: true };
    let headings = document::parse(source).headings;
    let heading = headings.get(usize::from(kind) % 3).map(|heading| heading.text.as_str());
    let moves = Moves::new(["n.md", "Old.md", "a.md"], [("Old.md", "x/New name.md")]);
    let patched = |operation| {
        let request =
            Patch { operation, content: piece, heading, heading_level: None, include_children: Some(true) };
        patch(source, &request).ok().map(|patched| patched.edited)
    };
    match kind {
        0 => update(source, &changes("a", value.clone())).ok().map(|done| done.edited),
        1 => update(source, &changes("tags", Value::Null)).ok().map(|done| done.edited),
        2 => replace(source, &changes("only", value.clone())).ok().map(|done| done.edited),
        3 => overwrite(source, piece, &changes("b", value.clone())).ok().map(|done| done.edited),
        4 => patched(Operation::Append),
        5 => patched(Operation::Prepend),
        6 => patched(Operation::Replace),
        7 => patched(Operation::InsertBefore),
        8 => replace_text(source, piece, "other", true).ok().map(|done| done.edited),
        9 => delete_span(source, &anchors).ok().map(|done| done.edited),
        10 => insert_at_anchor(source, piece, Side::Before, "line", true).ok().map(|done| done.edited),
        _ => rewrite_note(source, "n.md", "n.md", LinkFormat::Shortest, &moves).ok().map(|done| done.edited),
    }
}

/// Rewrites a note and checks each of its links.
#[track_caller]
fn check_links(source: &str, path: &str, format: LinkFormat, moves: &Moves) {
    let now = moves.moved(path).unwrap_or_else(|| path.to_owned());
    let Ok(result) = rewrite_note(source, path, &now, format, moves) else { return };
    check_edited(source, &result.edited);
    let targets = |text: &str| -> Vec<String> {
        let document = document::parse(text.trim_start_matches('\u{feff}'));
        let properties = document.properties.map().map(PropertyMap::links).unwrap_or_default();
        let properties = properties.into_iter().map(|link| link.link.target);
        properties.chain(document.links.into_iter().map(|link| link.target)).collect()
    };
    let (before, after) = (targets(source), targets(&result.edited.text));
    assert_eq!(before.len(), after.len(), "links come or go");
    if result.unwritable.is_empty() {
        for (old, new) in before.iter().zip(&after) {
            let meant = moves.before(path, old);
            let expected = meant.map(|meant| moves.moved(&meant).unwrap_or(meant));
            // A link into its own note, and one that led nowhere, stay.
            if expected.is_some() && !old.starts_with('#') && !old.trim().is_empty() {
                assert_eq!(moves.after(&now, new), expected, "{old} became {new}");
            } else {
                assert_eq!(old, new);
            }
        }
    }
    assert_eq!(document::parse(source).headings.len(), document::parse(&result.edited.text).headings.len());
}

/// All files of a shared vault, by vault path.
fn vault(name: &str) -> Option<BTreeMap<String, PathBuf>> {
    let root = shared("vaults")?.join(name);
    let mut folders = vec![root.clone()];
    let mut found = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(&root).expect("below").to_string_lossy().into_owned();
            if name.split('/').any(|segment| segment.starts_with('.')) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(name, path);
            }
        }
    }
    Some(found)
}

const VAULTS: &[&str] = &["obsidian-help-en", "tasks-demo", "kepano-obsidian"];

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned()
}

#[test]
fn every_note_of_real_vaults_survives_edits_and_back() {
    let mut notes = 0;
    for name in VAULTS {
        let Some(files) = vault(name) else { return };
        for (path, file) in files.iter().filter(|(path, _)| path.ends_with(".md")) {
            notes += 1;
            let text = read(file);
            let windows = text.replace("\r\n", "\n").replace('\n', "\r\n");
            for variant in [text.clone(), windows, format!("\u{feff}{text}")] {
                for new in [json!("x: y"), json!(["[[A]]", 1, {"b": null}]), json!("two\nlines")] {
                    for key in values_of(&variant).keys().map(String::as_str).chain(["a new one"]) {
                        let edited = update(&variant, &changes(key, new.clone()));
                        assert!(
                            matches!(edited, Ok(_) | Err(PropertiesError::Block(_))),
                            "{path}: {key}: {edited:?}"
                        );
                    }
                    check_properties(&variant, &new);
                }
                let piece =
                    document::parse(&text).headings.first().map_or_else(String::new, |h| h.text.clone());
                check_body(&variant, &piece, "plain text");
                check_body(&variant, "e", "- item");
            }
        }
    }
    assert!(notes > 400, "only {notes} notes were there");
}

#[test]
fn every_link_of_real_vaults_survives_moves() {
    let (mut moves_made, mut rewritten) = (0, 0);
    for name in VAULTS {
        let Some(files) = vault(name) else { return };
        let texts: BTreeMap<&str, String> = files
            .iter()
            .filter(|(path, _)| path.ends_with(".md"))
            .map(|(path, file)| (path.as_str(), read(file)))
            .collect();
        // Every seventh file goes elsewhere: renamed, into a new folder, or to the name of another one.
        let moved: Vec<(&str, String)> = files
            .keys()
            .enumerate()
            .filter(|(index, _)| index % 7 == 3)
            .map(|(index, path)| {
                let name = path.rsplit('/').next().unwrap_or_default();
                let new = match index % 3 {
                    0 => format!("Moved/{name}"),
                    1 => format!("Moved/deep/Renamed {name}"),
                    _ => format!("{path} (2).{}", name.rsplit('.').next().unwrap_or_default()),
                };
                (path.as_str(), new)
            })
            .collect();
        moves_made += moved.len();
        let pairs = moved.iter().map(|(old, new)| (*old, new.as_str()));
        let moves = Moves::new(files.keys().map(String::as_str), pairs);
        for (path, text) in &texts {
            for format in [LinkFormat::Shortest, LinkFormat::Relative, LinkFormat::Absolute] {
                check_links(text, path, format, &moves);
                let now = moves.moved(path).unwrap_or_else(|| (*path).to_owned());
                rewritten += rewrite_note(text, path, &now, format, &moves).map_or(0, |result| result.links);
            }
        }
    }
    assert!(moves_made > 50 && rewritten > 300, "{moves_made} moves, {rewritten} links");
}
