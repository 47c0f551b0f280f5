//! `heading-strip.json`: how heading texts compare, and which heading a subpath means.

use crate::{Failures, case_file, rows};
use vault_cortex_markdown::document;
use vault_cortex_markdown::headings::{link_text, match_key, resolve_subpath};

#[test]
fn keys_and_link_texts() {
    let Some(file) = case_file("heading-strip.json") else { return };
    let mut failures = Failures::default();
    for row in rows(&file, "headings") {
        let text = |key: &str| row[key].as_str().expect("text").to_owned();
        let heading = text("heading");
        failures.check(&format!("{heading:?} key"), &match_key(&heading), &text("match_key"));
        let written = link_text(&heading);
        failures.check(&format!("{heading:?} written"), &written, &text("link_text"));
        failures.check(&format!("{heading:?} back"), &match_key(&written), &text("link_text_key"));
        let round_trips = !match_key(&written).is_empty() && match_key(&written) == match_key(&heading);
        failures.check(&heading, &Some(round_trips), &row["round_trips"].as_bool());
    }
    failures.report();
}

#[test]
fn subpaths() {
    let Some(file) = case_file("heading-strip.json") else { return };
    let mut failures = Failures::default();
    for row in rows(&file, "resolve") {
        let (text, subpath) = (row["doc"].as_str().expect("doc"), row["subpath"].as_str().expect("subpath"));
        let document = document::parse(text);
        let found = resolve_subpath(&document.headings, subpath);
        let line = found.and_then(|index| document.headings.get(index)).map(|heading| heading.line as u64);
        failures.check(&format!("{text:?} {subpath}"), &line, &row["line"].as_u64());
    }
    failures.report();
}
