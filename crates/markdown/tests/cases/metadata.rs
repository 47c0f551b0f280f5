//! `obsidian-metadata-cache.json`: what Obsidian itself recorded of real notes. Its spans are
//! `[line, column, offset]` in UTF-16 code units.

use crate::{Failures, case_file, rows, shared};
use serde_json::{Map, Value, json};
use std::path::Path;
use vault_cortex_markdown::Span;
use vault_cortex_markdown::document::{self, Document};
use vault_cortex_markdown::frontmatter::{Properties, PropertyMap};
use vault_cortex_markdown::lines::line_column;
use vault_cortex_markdown::links::Link;
use vault_cortex_markdown::resolve::{file_key, name_key, resolve};

fn place(text: &str, offset: usize) -> Value {
    let (line, column) = line_column(text, offset);
    json!([line, column, text[..offset].encode_utf16().count()])
}

fn span(text: &str, span: &Span) -> Value {
    json!({"from": place(text, span.start), "to": place(text, span.end)})
}

fn link(text: &str, link: &Link) -> Value {
    json!({
        "link": link.target,
        "raw": text[link.span.clone()],
        "display": link.shown(),
        "span": span(text, &link.span),
    })
}

/// The document in the shape of the rows.
fn actual(text: &str, document: &Document) -> Map<String, Value> {
    let hashed = |tags: Vec<String>| tags.iter().map(|tag| format!("#{tag}")).collect::<Vec<_>>();
    let properties = document.properties.map();
    let links = |embed: bool| -> Value {
        document.links.iter().filter(|link| link.embed == embed).map(|found| link(text, found)).collect()
    };
    let structure = &document.structure;
    let value = json!({
        "frontmatter": properties.map(|map| map.values().clone()),
        // An empty block has no span in the cache.
        "frontmatter_span": match &document.properties {
            Properties::None => Value::Null,
            _ => structure.sections.first().map_or(Value::Null, |section| span(text, &section.span)),
        },
        "frontmatter_links": properties.map(PropertyMap::links).unwrap_or_default().iter()
            .map(|found| json!({
                "key": found.key, "link": found.link.target, "display": found.link.shown(),
            }))
            .collect::<Value>(),
        "headings": document.headings.iter()
            .map(|heading| json!({"text": heading.text, "level": heading.level, "span": span(text, &heading.span)}))
            .collect::<Value>(),
        "links": links(false),
        "embeds": links(true),
        "inline_tags": document.tags.iter()
            .map(|tag| json!({"tag": format!("#{}", tag.name), "span": span(text, &tag.span)}))
            .collect::<Value>(),
        "block_ids": document.block_ids.iter()
            .map(|id| json!({"id": id.id, "span": span(text, &id.block)}))
            .collect::<Value>(),
        "sections": structure.sections.iter()
            .map(|section| json!({
                "kind": section.kind.name(), "id": section.id, "span": span(text, &section.span),
            }))
            .collect::<Value>(),
        "list_items": structure.list_items.iter()
            .map(|item| json!({
                "parent": item.parent, "task": item.task, "id": item.id, "span": span(text, &item.span),
            }))
            .collect::<Value>(),
        "all_tags": hashed(document.all_tags()),
        "frontmatter_tags": properties
            .filter(|map| map.get_ci("tags").is_some_and(|tags| !tags.is_null()))
            .map(|map| hashed(map.tags())),
    });
    value.as_object().cloned().unwrap_or_default()
}

#[test]
fn records_what_obsidian_records() {
    let Some(file) = case_file("obsidian-metadata-cache.json") else { return };
    let mut failures = Failures::default();
    for row in rows(&file, "cases") {
        let id = row["id"].as_str().expect("id");
        let text = row["content"].as_str().expect("content");
        let actual = actual(text, &document::parse(text));
        for (key, expected) in row["expect"].as_object().expect("expect") {
            if let Some(actual) = actual.get(key) {
                failures.check(&format!("{id} {key}"), actual, expected);
            }
        }
    }
    failures.report();
}

fn vault_files(root: &Path, folder: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the vault").filter_map(Result::ok) {
        let (path, hidden) = (entry.path(), entry.file_name().to_string_lossy().starts_with('.'));
        if path.is_dir() && !hidden {
            vault_files(root, &path, files);
        } else if !hidden {
            files.push(path.strip_prefix(root).expect("below the root").to_string_lossy().into_owned());
        }
    }
}

#[test]
fn resolves_what_obsidian_resolves() {
    let Some(file) = case_file("obsidian-metadata-cache.json") else { return };
    let Some(vault) = shared("vaults/tasks-demo") else { return };
    let mut files = Vec::new();
    vault_files(&vault, &vault, &mut files);
    let mut failures = Failures::default();
    let mut resolved = 0;
    for row in rows(&file, "cases") {
        let from = row["path"].as_str().expect("path");
        let document = document::parse(row["content"].as_str().expect("content"));
        for (target, expected) in row["expect"]["resolves_to"].as_object().expect("resolves_to") {
            let written = document.links.iter().map(|link| link.target.clone());
            let in_properties = document.properties.map().map(PropertyMap::links).unwrap_or_default();
            let mut written = written.chain(in_properties.into_iter().map(|found| found.link.target));
            failures.check(&format!("{from} holds {target}"), &written.any(|link| link == *target), &true);
            if expected.as_str().is_some_and(|path| !files.iter().any(|file| file == path)) {
                // The vault that is shared holds the notes, not every attachment.
                continue;
            }
            let key = name_key(target);
            let same_name = files.iter().map(String::as_str).filter(|path| file_key(path) == key);
            failures.check(
                &format!("{from} {target}"),
                &resolve(from, target, same_name),
                &expected.as_str(),
            );
            resolved += 1;
        }
    }
    assert!(resolved > 20, "only {resolved} links were looked up");
    failures.report();
}
