//! `pain-cases.json`: complaints about other tools. The rows are prose, so each one about reading has a check
//! of its own here; those about writing, names and files belong to the crates that write and walk.

use crate::{case_file, rows};
use serde_json::Value;
use vault_cortex_markdown::document::{self, Document};
use vault_cortex_markdown::frontmatter::Properties;
use vault_cortex_markdown::headings::{match_key, resolve_subpath};
use vault_cortex_markdown::resolve::resolve;

/// Rows that are not about reading one text.
const ELSEWHERE: &[(&str, &str)] = &[
    ("pain-02", "writing properties"),
    ("pain-04", "writing properties"),
    ("pain-06", "editing text"),
    ("pain-18", "editing text"),
    ("pain-20", "editing text"),
    ("pain-21", "editing text"),
    ("pain-23", "editing text"),
    ("pain-33", "moving a note"),
    ("pain-35", "deleting a note"),
    ("pain-45", "names of files"),
    ("pain-47", "watching files"),
    ("pain-49", "daily notes"),
    ("pain-50", "listing folders"),
];

struct Row<'a>(&'a Value);

impl Row<'_> {
    fn text(&self, file: &str) -> &str {
        self.0["before"][file].as_str().expect("a file of the row")
    }

    fn read(&self, file: &str) -> Document {
        document::parse(self.text(file))
    }

    fn tags(&self, file: &str) -> Vec<String> {
        self.read(file).tags.into_iter().map(|tag| tag.name).collect()
    }

    fn headings(&self, file: &str) -> Vec<String> {
        self.read(file).headings.into_iter().map(|heading| heading.text).collect()
    }

    /// The file the first link of a note means.
    fn first_link(&self, from: &str) -> Option<String> {
        let document = self.read(from);
        let target = &document.links.first().expect("a link").target;
        let files = self.0["before"].as_object().expect("files");
        resolve(from, target, files.keys().map(String::as_str)).map(str::to_owned)
    }

    /// The text of the section a subpath means, without its heading.
    fn section(&self, file: &str, subpath: &str) -> Option<String> {
        let document = self.read(file);
        let heading = document.headings.get(resolve_subpath(&document.headings, subpath)?)?;
        Some(self.text(file).get(heading.span.end..heading.section.end)?.trim().to_owned())
    }
}

fn check(id: &str, row: &Row) {
    match id {
        "pain-03" => {
            // The anchor and its alias are read; an alias without an anchor is an error with a place.
            let document = row.read("n.md");
            let map = document.properties.map().expect("properties");
            assert_eq!(map.get("consumer"), map.get("base"));
            let Properties::Invalid(error) = document::parse("---\nbad: *missing\n---\n").properties else {
                panic!("an alias without an anchor is read");
            };
            assert_eq!((error.line, error.column), (2, 6));
        }
        "pain-08" => {
            for (file, title) in [("a.md", "X"), ("b.md", "Y")] {
                let document = row.read(file);
                assert_eq!(
                    document.properties.map().and_then(|map| map.text("title")).as_deref(),
                    Some(title)
                );
            }
        }
        "pain-15" => assert_eq!(row.tags("n.md"), ["support"]),
        "pain-16" => {
            assert_eq!(row.tags("n.md"), ["1990s", "2024-goals", "3d", "café", "日本語", "✅done"]);
        }
        "pain-17" => assert_eq!(row.read("n.md").all_tags(), ["ok-tag"]),
        "pain-25" => assert_eq!(row.headings("n.md"), ["real"]),
        "pain-27" => {
            assert_eq!(row.section("n.md", "#Layer 2#Layer 3").as_deref(), Some("old"));
        }
        "pain-28" => {
            let document = row.read("n.md");
            assert_eq!(&row.text("n.md")[document.headings[0].own.clone()], "# Log\nentry\n");
        }
        "pain-29" => {
            for (heading, body) in [("待整理", "a"), ("Детали", "b"), ("Diario – Ó", "c")] {
                assert_eq!(row.section("n.md", &format!("#{heading}")).as_deref(), Some(body));
            }
        }
        "pain-30" => assert_eq!(row.section("Yemek.md", "#Tatlilar").as_deref(), Some("- Kazandibi")),
        "pain-31" => assert_eq!(row.section("n.md", "### People").as_deref(), Some("- A")),
        "pain-32" => {
            let document = row.read("n.md");
            assert_eq!(document.block_ids[0].id, "myblock");
            assert_eq!(&row.text("n.md")[document.block_ids[0].block.clone()], "para one ^myblock");
        }
        "pain-36" => {
            assert_eq!(row.first_link("journal/2024-01-15.md").as_deref(), Some("notes/MyNote.md"));
        }
        "pain-38" => assert_eq!(row.first_link("s.md").as_deref(), Some("Sub/My Note.md")),
        "pain-40" => {
            assert_eq!(row.first_link("s.md").as_deref(), Some("Note.md"));
            let link = row.read("s.md").links.remove(0);
            assert_eq!((link.target.as_str(), link.display.as_deref()), ("Note", Some("shown")));
            // What a rename replaces does not hold the backslash that escapes the bar.
            assert_eq!(&row.text("s.md")[link.target_span], "Note");
        }
        "pain-41" => {
            assert_eq!(row.first_link("s.md"), None);
            assert_eq!(row.read("b.md").properties.map().expect("properties").aliases(), ["AL"]);
        }
        "pain-43" => {
            let keys: Vec<String> = row.headings("n.md").iter().map(|text| match_key(text)).collect();
            assert_eq!(keys[1], match_key("Use `foo`"));
            assert_eq!(keys[1], match_key("Use foo"));
        }
        _ => panic!("{id} is neither checked here nor said to belong elsewhere"),
    }
}

#[test]
fn complaints_about_reading() {
    let Some(file) = case_file("pain-cases.json") else { return };
    for row in rows(&file, "cases") {
        let id = row["id"].as_str().expect("id");
        if !ELSEWHERE.iter().any(|(elsewhere, _)| *elsewhere == id) {
            check(id, &Row(row));
        }
    }
}
