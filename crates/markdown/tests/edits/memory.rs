//! Dated entries of memory files.

use jiff::civil::{Date, date};
use vault_cortex_markdown::edit::apply;
use vault_cortex_markdown::edit::memory::{
    MemoryError, NewEntry, Position, SHRINK_FREE_BYTES, add, delete, guard_shrink, new_file, parse_date,
    starter_files,
};
use vault_cortex_markdown::{document, frontmatter, memory};

const DAY: Date = date(2026, 3, 10);

fn entry<'a>(section: &'a str, text: &'a str, position: Position) -> NewEntry<'a> {
    NewEntry { section, text, date: DAY, position }
}

#[track_caller]
fn check(source: &str, new: &NewEntry<'_>, expected: &str) {
    assert_eq!(add(source, new).expect("added").edited.text, expected, "{source:?}");
    let windows = |text: &str| text.replace('\n', "\r\n");
    if source.contains('\n') {
        assert_eq!(add(&windows(source), new).expect("added").edited.text, windows(expected), "with CRLF");
    }
    let marked = format!("\u{feff}{source}");
    let added = add(&marked, new).expect("added");
    assert_eq!(added.edited.text, format!("\u{feff}{expected}"), "with a byte order mark");
    assert_eq!(apply(&marked, &added.edited.edits), Ok(added.edited.text));
}

#[test]
fn an_entry_goes_to_the_end_that_is_asked_for() {
    let source = "# Me\n\n## Tools (newest first)\n\nIntro.\n\n- **2026-01-02**: b\n  more\n- **2026-01-01**: a\n\n## X\n";
    check(
        source,
        &entry("tools", "new", Position::Top),
        "# Me\n\n## Tools (newest first)\n\nIntro.\n\n- **2026-03-10**: new\n- **2026-01-02**: b\n  more\n- **2026-01-01**: a\n\n## X\n",
    );
    check(
        source,
        &entry("## Tools (Newest First)", " new ", Position::Bottom),
        "# Me\n\n## Tools (newest first)\n\nIntro.\n\n- **2026-01-02**: b\n  more\n- **2026-01-01**: a\n- **2026-03-10**: new\n\n## X\n",
    );
    check(source, &entry("X", "new", Position::Top), &format!("{source}- **2026-03-10**: new\n"));
    check("## A\n\n## B\n", &entry("A", "x", Position::Top), "## A\n\n- **2026-03-10**: x\n\n## B\n");
    check("## A\ntext\n", &entry("A", "x", Position::Top), "## A\ntext\n\n- **2026-03-10**: x\n");
    check(
        "## A\n- **2026-01-01**: a",
        &entry("A", "x", Position::Bottom),
        "## A\n- **2026-01-01**: a\n- **2026-03-10**: x",
    );
    check(
        "## A\n### Sub\n- **2026-01-01**: a\n",
        &entry("A", "x", Position::Top),
        "## A\n- **2026-03-10**: x\n### Sub\n- **2026-01-01**: a\n",
    );
}

#[test]
fn of_several_sections_with_a_name_only_one_that_is_written_exactly_so_is_meant() {
    #[track_caller]
    fn check_refused(source: &str, section: &str, expected: &str) {
        let error = add(source, &entry(section, "x", Position::Top)).expect_err("added");
        assert_eq!(error.to_string(), expected);
        let error = delete(source, section, DAY, "x").expect_err("deleted");
        assert_eq!(error.to_string(), expected);
    }
    check_refused(
        "## A\n- **2026-03-10**: x\n# Other\n## A\n",
        "A",
        "ambiguous section: \"A\" matches 2 sections (line 1: \"## A\"; line 4: \"## A\"): they are written alike: \
         rename one of them first",
    );
    let source = "## Food (newest first)\n- **2026-03-10**: x\n# Other\n### food\n";
    check_refused(
        source,
        "Food",
        "ambiguous section: \"Food\" matches 2 sections (line 1: \"## Food (newest first)\"; line 4: \"### food\"): \
         give one exactly as it is written",
    );
    check(
        source,
        &entry("food", "y", Position::Top),
        "## Food (newest first)\n- **2026-03-10**: x\n# Other\n### food\n- **2026-03-10**: y\n",
    );
    let deleted = delete(source, "## Food (newest first)", DAY, "x").expect("deleted");
    assert_eq!(deleted.section, "## Food (newest first)");
}

#[test]
fn a_new_section_goes_to_the_end() {
    check(
        "# Me\n",
        &entry("Q&amp;A", "x", Position::Bottom),
        "# Me\n\n## Q&A (newest first)\n\n- **2026-03-10**: x\n",
    );
    let added = add("# Me\n\n## A\n", &entry("New", "x", Position::Top)).expect("added");
    assert_eq!((added.section.as_str(), added.is_new_section), ("## New (newest first)", true));
    assert_eq!(added.edited.text, "# Me\n\n## A\n\n## New (newest first)\n\n- **2026-03-10**: x\n");
    let error = add("## Preferences (newest first)\n", &entry("Preference", "x", Position::Top));
    let Err(MemoryError::SimilarSection { similar, .. }) = error else { panic!("{error:?}") };
    assert_eq!(similar, "Preferences (newest first)");
}

#[test]
fn the_very_entry_is_not_written_twice() {
    let source = "## A\n- **2026-03-10**: x\n";
    let added = add(source, &entry("a", "x", Position::Top)).expect("there");
    assert!(added.is_there && added.edited.edits.is_empty() && added.edited.text == source);
    assert!(!add(source, &entry("a", "X", Position::Top)).expect("another").is_there);
}

#[test]
fn texts_that_are_no_entry_are_refused() {
    for (section, text) in [("A", "x\ny"), ("A", "x\r"), ("A", " "), ("A\nB", "x"), ("", "x"), ("##", "x")] {
        let error = add("## A\n", &entry(section, text, Position::Top)).expect_err("refused");
        assert!(matches!(error, MemoryError::NotOneLine { .. }), "{error}");
    }
    let error = add("## A\n```\nnever closed\n", &entry("A", "x", Position::Top)).expect_err("in code");
    assert_eq!(error, MemoryError::NotRead { section: "A".to_owned() });
    assert_eq!(parse_date("2026-03-10"), Ok(DAY));
    for text in ["2026-02-30", "2026-3-10", "today", "2026-03-10T00:00"] {
        assert!(parse_date(text).is_err(), "{text}");
    }
}

#[test]
fn one_entry_is_deleted() {
    #[track_caller]
    fn check(source: &str, text: &str, expected: &str) {
        let deleted = delete(source, "a", DAY, text).expect("deleted");
        assert_eq!(deleted.edited.text, expected);
        let windows = |text: &str| text.replace('\n', "\r\n");
        let deleted = delete(&windows(source), "a", DAY, text).expect("deleted");
        assert_eq!(deleted.edited.text, windows(expected), "with CRLF");
    }
    check("## A\n- **2026-03-10**: x\n- **2026-03-10**: y\n", "x", "## A\n- **2026-03-10**: y\n");
    check(
        "## A\n- **2026-03-10**: x\n  more\n\n## B\n- **2026-03-10**: x\n",
        "x",
        "## A\n\n## B\n- **2026-03-10**: x\n",
    );
    check("## A\n- **2026-03-10**: y\n- **2026-03-10**: x", "x", "## A\n- **2026-03-10**: y");
    let twice = "## A\n- **2026-03-10**: x\n- **2026-03-10**: x\n";
    let Err(MemoryError::Ambiguous { places, .. }) = delete(twice, "A", DAY, "x") else {
        panic!("not refused")
    };
    assert_eq!(places.iter().map(|place| place.line).collect::<Vec<_>>(), [2, 3]);
    let error = delete(twice, "A", DAY, "X").expect_err("case counts");
    assert!(error.to_string().contains("that day there are: x, x"), "{error}");
    assert!(matches!(delete(twice, "B", DAY, "x"), Err(MemoryError::NoSection { .. })));
}

#[test]
fn a_file_does_not_lose_most_of_its_text() {
    let long = "x".repeat(SHRINK_FREE_BYTES);
    assert!(guard_shrink(&long, "").is_ok());
    let longer = format!("{long}x");
    assert!(guard_shrink(&longer, "").is_err());
    assert!(guard_shrink(&longer, &longer[..626]).is_ok());
    assert!(guard_shrink(&longer, &longer[..625]).is_err());
    let source = format!("## A\n- **2026-03-10**: {longer}\n");
    assert!(matches!(delete(&source, "A", DAY, &longer), Err(MemoryError::Shrinks { .. })));
}

#[test]
fn new_files_say_what_they_are_for() {
    let starters = starter_files();
    let names: Vec<&str> = starters.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["Me", "Opinions", "Principles", "Routines", "Agents"]);
    let files = starters.into_iter().chain([("Health", new_file("Health"))]);
    for (name, text) in files {
        assert!(text.len() <= SHRINK_FREE_BYTES, "{name}");
        let document = document::parse(&text);
        let callout = document.leading_callout.as_ref().expect("a callout");
        assert_eq!((callout.kind.as_str(), callout.title.as_str()), ("info", "Scope of this file"));
        let policy = frontmatter::properties(&text).map().and_then(|map| map.text("entry-policy"));
        assert_eq!(policy.as_deref(), Some(if name == "Routines" { "living" } else { "append-only" }));
        assert!(memory::entries(&text, &document).is_empty());
        assert_eq!(document.headings[0].text, name);
        let added = add(&text, &entry("Something else", "x", Position::Top)).expect("added");
        assert!(added.edited.text.starts_with(&text));
    }
}
