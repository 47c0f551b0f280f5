//! Text above, below or in place of what stands under a heading.

use vault_cortex_markdown::edit::apply;
use vault_cortex_markdown::edit::section::{Operation, Patch, Patched, SectionError, patch, replace_block};

use Operation::{Append, InsertBefore, Prepend, Replace};

fn request<'a>(operation: Operation, heading: Option<&'a str>, content: &'a str) -> Patch<'a> {
    Patch { operation, content, heading, heading_level: None, include_children: None }
}

fn run(source: &str, request: &Patch<'_>) -> Patched {
    patch(source, request).unwrap_or_else(|error| panic!("{source:?}: {error}"))
}

#[track_caller]
fn check(source: &str, operation: Operation, heading: Option<&str>, content: &str, expected: &str) {
    let request = request(operation, heading, content);
    assert_eq!(run(source, &request).edited.text, expected, "{source:?}");
    let windows = |text: &str| text.replace('\n', "\r\n");
    if source.contains('\n') {
        assert_eq!(run(&windows(source), &request).edited.text, windows(expected), "with CRLF");
    }
    let marked = format!("\u{feff}{source}");
    let edited = run(&marked, &request).edited;
    assert_eq!(edited.text, format!("\u{feff}{expected}"), "with a byte order mark");
    assert_eq!(apply(&marked, &edited.edits), Ok(edited.text));
}

#[test]
fn append_to_the_body() {
    check("a\n", Append, None, "b", "a\nb\n");
    check("a", Append, None, "b\n\n", "a\nb");
    check("", Append, None, "b", "b\n");
    check("---\nk: 1\n---\n", Append, None, "b", "---\nk: 1\n---\nb\n");
    check("---\nk: 1\n---", Append, None, "b", "---\nk: 1\n---\nb");
    check("- a\n", Append, None, "- b", "- a\n- b\n");
    check("- a\n", Append, None, "b", "- a\n\nb\n");
    check("a\n", Append, None, "# H\nx", "a\n\n# H\nx\n");
    check("a\n", Append, None, "===", "a\n\n===\n");
    check("> a\n", Append, None, "> b", "> a\n\n> b\n");
    check("a\n\n\n", Append, None, "b", "a\nb\n\n\n");
    check("# H\n", Append, None, "b", "# H\nb\n");
    // A body may begin with lines that would be a block elsewhere.
    check("---\nk: 1\n---\n---\na\n---\n", Append, None, "b", "---\nk: 1\n---\n---\na\n---\nb\n");
}

#[test]
fn text_that_comes_next_stays_what_it_is() {
    check("# A\n\n\tcode\n", Prepend, Some("A"), "x", "# A\n\nx\n\n\tcode\n");
    check("# A\n\n```\nx\n```\n", Prepend, Some("A"), "x", "# A\n\nx\n\n```\nx\n```\n");
    check(
        "# A\n| a | b |\n|--|--|\n",
        Append,
        Some("A"),
        "| 1 | 2 |",
        "# A\n| a | b |\n|--|--|\n| 1 | 2 |\n",
    );
    check("# A\n| a | b |\n|--|--|\n", Append, Some("A"), "text", "# A\n| a | b |\n|--|--|\n\ntext\n");
}

#[test]
fn prepend_to_the_body() {
    check("a\n", Prepend, None, "b", "b\na\n");
    check("# H\n", Prepend, None, "b", "b\n\n# H\n");
    check("---\nk: 1\n---\n\n# H\n", Prepend, None, "b", "---\nk: 1\n---\n\nb\n\n# H\n");
    check("---\nk: 1\n---\n# H\n", Prepend, None, "> [!info] x", "---\nk: 1\n---\n> [!info] x\n\n# H\n");
    check("T\n===\n", Prepend, None, "b", "b\n\nT\n===\n");
    check("", Prepend, None, "b", "b\n");
}

#[test]
fn append_to_a_section() {
    let source = "# A\n\na\n\n## B\n\nb\n\n# C\n";
    check(source, Append, Some("A"), "x", "# A\n\na\n\n## B\n\nb\nx\n\n# C\n");
    check(source, Append, Some("B"), "- x", "# A\n\na\n\n## B\n\nb\n\n- x\n\n# C\n");
    check(source, Append, Some("C"), "x", "# A\n\na\n\n## B\n\nb\n\n# C\nx\n");
    check("## A\n\n## B\n", Append, Some("A"), "x", "## A\n\nx\n\n## B\n");
    check("## A\n\n\n## B\n", Append, Some("A"), "x", "## A\n\nx\n\n## B\n");
    check("## A\n## B\n", Append, Some("A"), "x", "## A\nx\n## B\n");
    check("## A", Append, Some("A"), "x", "## A\nx");
    check("## A\n\n", Append, Some("A"), "x", "## A\n\nx\n");
    check("## A\n```\n```\nT\n===\n", Append, Some("A"), "x", "## A\n```\n```\n\nx\n\nT\n===\n");
    let own = Patch { include_children: Some(false), ..request(Append, Some("A"), "x") };
    assert_eq!(run(source, &own).edited.text, "# A\n\na\nx\n\n## B\n\nb\n\n# C\n");
}

#[test]
fn prepend_to_a_section() {
    check("# A\na\n", Prepend, Some("A"), "x", "# A\nx\na\n");
    check("# A\n\na\n", Prepend, Some("A"), "x", "# A\n\nx\na\n");
    check("# A\n\n- a\n", Prepend, Some("A"), "x", "# A\n\nx\n\n- a\n");
    check("A\n===\n\n- a\n", Prepend, Some("A"), "- x", "A\n===\n\n- x\n- a\n");
    check("# A\n## B\n", Prepend, Some("A"), "x", "# A\nx\n\n## B\n");
    check("# A\n\n## B\n", Prepend, Some("B"), "x", "# A\n\n## B\nx\n");
}

#[test]
fn replace_a_section() {
    check("# A\n\na\nb\n\n# B\n", Replace, Some("A"), "x", "# A\n\nx\n\n# B\n");
    check("# A\na\n# B\n", Replace, Some("A"), "x\n", "# A\nx\n# B\n");
    check("# A\na", Replace, Some("A"), "x\n", "# A\nx");
    check("# A\n\n# B\n", Replace, Some("A"), "x", "# A\n\nx\n\n# B\n");
    check("# A\n\na\n\n# B\n", Replace, Some("A"), " \n", "# A\n\n\n# B\n");
    check("# A\n```\n```\nT\n===\n", Replace, Some("A"), "x", "# A\nx\n\nT\n===\n");
    let source = "# A\na\n## B\nb\n# C\n";
    let error = patch(source, &request(Replace, Some("A"), "x")).expect_err("has children");
    let children = vec!["## B".to_owned()];
    assert_eq!(error, SectionError::HasChildren { heading: "# A".to_owned(), children });
    let all = Patch { include_children: Some(true), ..request(Replace, Some("A"), "x") };
    assert_eq!(run(source, &all).edited.text, "# A\nx\n# C\n");
}

#[test]
fn insert_before_a_heading() {
    check("# A\na\n# B\n", InsertBefore, Some("B"), "x", "# A\na\n\nx\n\n# B\n");
    check("# A\na\n\n# B\n", InsertBefore, Some("B"), "# N\nx", "# A\na\n\n# N\nx\n\n# B\n");
    check("# A\n", InsertBefore, Some("A"), "x", "x\n\n# A\n");
    check("---\nk: 1\n---\n\n# A\n", InsertBefore, Some("A"), "x", "---\nk: 1\n---\n\nx\n\n# A\n");
}

#[test]
fn headings_are_found_by_what_people_call_them() {
    #[track_caller]
    fn check(source: &str, name: &str, level: Option<u8>, expected: Result<&str, usize>) {
        let request = Patch { heading_level: level, ..request(Append, Some(name), "x") };
        let actual = match patch(source, &request) {
            Ok(patched) => Ok(patched.heading.unwrap_or_default()),
            Err(SectionError::Ambiguous { places, .. }) => Err(places.len()),
            Err(SectionError::NotFound { available, .. }) => Err(100 + available.len()),
            Err(error) => panic!("{error}"),
        };
        assert_eq!(actual, expected.map(str::to_owned), "{name}");
    }
    let source = "# A\n## Log\n# B\n## Log\n### log!\n#\n# C#\n```\n# no\n```\n%%\n# no\n%%\n";
    check(source, "A", None, Ok("# A"));
    check(source, "## Log", None, Err(2));
    check(source, "B > Log", None, Ok("## Log"));
    check(source, "B#log", None, Ok("## Log"));
    check(source, "LOG", None, Err(3));
    check(source, "A > log", None, Ok("## Log"));
    check(source, "LOG", Some(3), Ok("### log!"));
    check(source, "log!", None, Ok("### log!"));
    check(source, "C#", None, Ok("# C#"));
    check(source, "no", None, Err(107));
    check(source, "# Log", None, Err(107));
    check("", "x", None, Err(100));
    let error = patch(source, &request(Append, Some("Log"), "x")).expect_err("twice");
    assert!(error.to_string().contains("Parent > Heading"), "{error}");
    let error = patch("# L\n## L\n", &request(Append, Some("L"), "x")).expect_err("twice");
    assert!(error.to_string().contains("heading_level"), "{error}");
    // Two of one name below one heading: no way from above leads to one of them.
    let twins = "# A\n## C\nx\n## C\ny\n";
    check(twins, "C", None, Err(2));
    check(twins, "A > C", None, Err(2));
    for name in ["C", "A > C"] {
        let error = patch(twins, &request(Append, Some(name), "x")).expect_err("twice").to_string();
        assert!(error.contains("quote a line") && !error.contains("Parent"), "{error}");
    }
    // What looks the same is the same, whichever way it is written.
    check("# caf\u{e9}\n", "cafe\u{301}", None, Ok("# caf\u{e9}"));
    check("# cafe\u{301}\n# x\n", "X > y", None, Err(102));
    check("# cafe\u{301}\n## x\n", "# Caf\u{e9} > x", None, Ok("## x"));
    // A name that is a text and a way from above.
    let doubt = "# A > B\n# A\n## B\n## D\n# A D\n";
    check(doubt, "A > B", None, Err(2));
    check(doubt, "A > B", Some(1), Ok("# A > B"));
    check(doubt, "A > B", Some(2), Ok("## B"));
    check(doubt, "A > D", None, Ok("## D"));
    check(doubt, "A D", None, Ok("# A D"));
    let error = patch(source, &request(Append, Some("no"), "x")).expect_err("none");
    assert!(error.to_string().contains("## Log"), "{error}");
}

#[test]
fn what_is_refused() {
    #[track_caller]
    fn check(source: &str, request: &Patch<'_>, expected: &SectionError) {
        assert_eq!(patch(source, request).as_ref(), Err(expected));
    }
    check("a", &request(Replace, None, "x"), &SectionError::NeedsHeading { operation: "replace" });
    check("a", &request(InsertBefore, None, "x"), &SectionError::NeedsHeading { operation: "insert_before" });
    check("a", &request(Append, None, " \n"), &SectionError::EmptyContent);
    let double = SectionError::DoubleHeading { heading: "## A b".to_owned() };
    for content in ["## A b\nx", "# a  B", "\nA b\n===\nx"] {
        check("## A b\n", &request(Append, Some("A b"), content), &double);
    }
    assert!(patch("## A\n", &request(InsertBefore, Some("A"), "## A\nx")).is_ok());
    check("# A\na\n# B\n", &request(Append, Some("A"), "```\nx"), &SectionError::HidesHeadings);
    assert!(patch("# A\na\n# B\n", &request(Append, Some("B"), "```\nx")).is_ok(), "nothing follows");
    for content in ["%%", "%%\nx", "x\n\n$$\ny", "%%\na\n%%\n\n%%", "$$"] {
        check("# A\na\n# B\n", &request(Replace, Some("A"), content), &SectionError::HidesHeadings);
        assert!(patch("# A\na\n# B\n", &request(Replace, Some("B"), content)).is_ok(), "nothing follows");
    }
    for content in ["%%\nx\n%%", "$$\nx\n$$", "%% x %% and $$", "`%%`", "```\n%%\n```", "100 %%", "$$x$$"] {
        let patched = patch("# A\na\n# B\n", &request(Replace, Some("A"), content));
        assert!(patched.is_ok(), "{content:?}: {patched:?}");
    }
}

#[test]
fn a_new_first_heading_tells_what_it_took_in() {
    let patched = run("intro\n\n# H\n", &request(Prepend, None, "# New\nx\n## Sub"));
    assert_eq!(patched.edited.text, "# New\nx\n## Sub\nintro\n\n# H\n");
    let nested = patched.nested.expect("nested");
    assert_eq!(
        (nested.bytes, nested.under.as_str(), nested.next_heading.as_deref()),
        (5, "## Sub", Some("# H"))
    );
    assert_eq!(run("# H\n", &request(Prepend, None, "# New")).nested, None);
    assert_eq!(run("a\n", &request(Prepend, None, "text")).nested, None);
    assert_eq!(run("a\n", &request(Append, None, "# New")).nested, None);
}

#[test]
fn a_board_keeps_its_settings_last_and_its_done_mark() {
    let board = "---\n\nkanban-plugin: board\n\n---\n\n## A\n\n- [ ] a\n\n\n## Done\n\n**Complete**\n\n\n\n\n%% kanban:settings\n```\n{\"kanban-plugin\":\"board\"}\n```\n%%";
    let expected = board.replace("- [ ] a\n", "- [ ] a\n- [ ] b\n");
    check(board, Append, Some("A"), "- [ ] b", &expected);
    let expected = board.replace("**Complete**\n", "**Complete**\n- [x] b\n");
    check(board, Append, Some("Done"), "- [x] b", &expected);
    let expected = board.replace("**Complete**\n", "**Complete**\n\n## New\n");
    check(board, Append, None, "## New", &expected);
}

#[test]
fn blocks_with_an_id() {
    #[track_caller]
    fn check(source: &str, id: &str, content: &str, expected: &str) {
        let replaced =
            replace_block(source, id, content).unwrap_or_else(|error| panic!("{content:?}: {error}"));
        assert_eq!(replaced.edited.text, expected, "{source:?}");
    }
    check("a\nb ^x1\n\nc\n", "^X1", "new\ntext", "new\ntext ^x1\n\nc\n");
    check("- a\n- b ^x\n- c\n", "x", "new", "- a\n- new ^x\n- c\n");
    check("- [ ] b ^x\n", "x", "- [x] new", "- [x] new ^x\n");
    check("- b ^x\n", "x", "**new**", "- **new** ^x\n");
    check("> q\n\n^x\n", "x", "> new", "> new\n\n^x\n");
    assert_eq!(replace_block("a", "x", "b"), Err(SectionError::NoBlock { id: "x".to_owned() }));
    // Who has read the block sends its id along.
    check("b text ^blk\n", "blk", "new ^blk", "new ^blk\n");
    check("b text ^blk\n", "blk", "new ^BLK\n", "new ^blk\n");
    check("> q\n\n^x\n", "x", "> new\n\n^x", "> new\n\n^x\n");
    check("- [ ] b ^x\n", "x", "- [x] new ^x", "- [x] new ^x\n");
    assert_eq!(replace_block("a ^x", "x", "^x"), Err(SectionError::EmptyContent));
    let other = SectionError::OtherBlockId { id: "x".to_owned(), found: "y".to_owned() };
    assert_eq!(replace_block("a ^x", "x", "b ^y"), Err(other));
}

#[test]
fn what_marks_a_block_stays() {
    #[track_caller]
    fn check(source: &str, content: &str, expected: &str, gone: &str) {
        let replaced =
            replace_block(source, "x", content).unwrap_or_else(|error| panic!("{content:?}: {error}"));
        assert_eq!(replaced.edited.text, expected, "{source:?}");
        assert_eq!(replaced.replaced, gone, "{source:?}");
    }
    check("# H ^x\n\nb\n", "new", "# new ^x\n\nb\n", "H");
    check("  ## H ^x\n", "# new ^x", "  # new ^x\n", "## H");
    check("H ^x\n===\n", "new", "new ^x\n===\n", "H");
    check("- [x] l1 📅 2026-01-01 ^x\n", "new", "- [x] new ^x\n", "l1 📅 2026-01-01");
    check("- [x] l1 ^x\n", "[ ] new", "- [ ] new ^x\n", "[x] l1");
    check("- [x] l1 ^x\n", "* new", "* new ^x\n", "- [x] l1");
    check("1. a\n2. b ^x\n", "new\ntext", "1. a\n2. new\n   text ^x\n", "b");
    check("- a\n  - [ ] b ^x\n", "new\n\ntext", "- a\n  - [ ] new\n\n    text ^x\n", "b");
    for (source, content) in [
        ("# H ^x\n", "new\ntext"),
        ("H ^x\n===\n", "# new"),
        ("a ^x\n", "```\ncode\n```"),
        ("a ^x\n", "b ^x\n\nc"),
    ] {
        let lost = SectionError::BlockLost { id: "x".to_owned() };
        assert_eq!(replace_block(source, "x", content), Err(lost), "{source:?} {content:?}");
    }
}

#[test]
fn ids_that_differ_in_their_case_are_one() {
    for source in ["a ^x\n\nb ^X\n", "a ^x\n\n- b ^x\n"] {
        let error = replace_block(source, "x", "new").expect_err("twice");
        let SectionError::AmbiguousBlock { places, .. } = &error else { panic!("{error}") };
        let lines: Vec<usize> = places.iter().map(|place| place.line).collect();
        assert_eq!(lines, [1, 3]);
    }
}
