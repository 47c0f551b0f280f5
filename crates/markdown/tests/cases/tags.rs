//! `inline-tags.json`: the tags of a note's body.

use crate::{Failures, case_file, rows};
use vault_cortex_markdown::document;

#[test]
fn inline_tags() {
    let Some(file) = case_file("inline-tags.json") else { return };
    let mut failures = Failures::default();
    for row in rows(&file, "rows") {
        let text = row["text"].as_str().expect("text");
        let expected: Vec<&str> =
            row["tags"].as_array().expect("tags").iter().filter_map(|t| t.as_str()).collect();
        let tags = document::parse(text).tags;
        let actual: Vec<&str> = tags.iter().map(|tag| &text[tag.span.clone()]).collect();
        failures.check(&format!("{text:?}"), &actual, &expected);
        for tag in &tags {
            failures.check(text, &format!("#{}", tag.name).as_str(), &&text[tag.span.clone()]);
        }
    }
    failures.report();
}
