//! Any note, any text, any property: an edit answers with spans that lead to its text and back again, and
//! what it was not asked to change stays.
#![no_main]

use jiff::civil::Date;
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};
use vault_cortex_markdown::edit::anchor::{Anchors, Side, delete_span, insert_at_anchor, replace_span};
use vault_cortex_markdown::edit::links::{LinkFormat, Moves, rewrite_canvas, rewrite_note};
use vault_cortex_markdown::edit::memory::{NewEntry, Position, add};
use vault_cortex_markdown::edit::properties::{replace, same_value, update};
use vault_cortex_markdown::edit::replace::replace_text;
use vault_cortex_markdown::edit::section::{Operation, Patch, patch, replace_block};
use vault_cortex_markdown::edit::write_note::{create, overwrite};
use vault_cortex_markdown::edit::{Edited, apply, invert};
use vault_cortex_markdown::{document, frontmatter, yaml};

const DAY: Date = Date::constant(2026, 3, 10);

fn check(source: &str, edited: &Edited) {
    assert_eq!(apply(source, &edited.edits).as_deref(), Ok(edited.text.as_str()));
    let inverse = invert(source, &edited.edits).expect("edits that applied");
    assert_eq!(apply(&edited.text, &inverse).as_deref(), Ok(source));
}

fuzz_target!(|input: (&str, &str, &str)| {
    let (source, text, name) = input;
    let value = yaml::parse(text).unwrap_or_else(|_| Value::from(text));
    let changes: Map<String, Value> = [(name.to_owned(), value.clone())].into_iter().collect();
    if let Ok(updated) = update(source, &changes) {
        check(source, &updated.edited);
        let read = frontmatter::properties(&updated.edited.text);
        let folded = name.to_lowercase();
        let found = read.map().and_then(|map| {
            map.get(name).or_else(|| {
                map.values().iter().find(|(key, _)| key.to_lowercase() == folded).map(|(_, value)| value)
            })
        });
        assert!(value.is_null() || found.is_some_and(|found| same_value(found, &value)));
    }
    for edited in [
        replace(source, &changes).map(|done| done.edited),
        overwrite(source, text, &changes).map(|done| done.edited),
    ] {
        if let Ok(edited) = edited {
            check(source, &edited);
        }
    }
    let _note = create(text, &changes);
    let document = document::parse(source);
    let headings =
        document.headings.iter().map(|heading| Some(heading.text.as_str())).chain([None, Some(name)]);
    for heading in headings.take(3) {
        for operation in [Operation::Append, Operation::Prepend, Operation::Replace, Operation::InsertBefore]
        {
            let request = Patch {
                operation,
                content: text,
                heading,
                heading_level: None,
                include_children: Some(true),
            };
            if let Ok(patched) = patch(source, &request) {
                check(source, &patched.edited);
            }
        }
    }
    if let Ok(replaced) = replace_text(source, name, text, true) {
        check(source, &replaced.edited);
    }
    if let Ok(replaced) = replace_block(source, name, text) {
        check(source, &replaced.edited);
    }
    let anchors = Anchors { start: name, end: None, first_match: true };
    for edited in [
        delete_span(source, &anchors),
        replace_span(source, &anchors, text),
        insert_at_anchor(source, name, Side::After, text, true),
    ] {
        if let Ok(edited) = edited {
            check(source, &edited.edited);
        }
    }
    let moves = Moves::new(["n.md", "a/b.md", "Old.md"], [("Old.md", name)]);
    for format in [LinkFormat::Shortest, LinkFormat::Relative, LinkFormat::Absolute] {
        if let Ok(rewritten) = rewrite_note(source, "a/b.md", "a/b.md", format, &moves) {
            check(source, &rewritten.edited);
        }
    }
    if let Ok(rewritten) = rewrite_canvas(source, &moves) {
        check(source, &rewritten.edited);
    }
    let new = NewEntry { section: name, text, date: DAY, position: Position::Top };
    if let Ok(added) = add(source, &new) {
        check(source, &added.edited);
        assert!(add(&added.edited.text, &new).is_ok_and(|again| again.is_there));
    }
});
