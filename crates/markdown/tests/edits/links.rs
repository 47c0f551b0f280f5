//! Links after a move.

use vault_cortex_markdown::edit::links::{
    LinkFormat, Moves, Retargeted, Rewritten, retargeted, rewrite_canvas, rewrite_note,
};
use vault_cortex_markdown::edit::properties::BlockError;

/// The files of the vaults here, beside the one that moves.
const FILES: &[&str] = &["n.md", "a/n.md", "a/Other.md", "Target.md", "pics/i.png"];

fn rewritten(source: &str, note: (&str, &str), rename: (&str, &str), format: LinkFormat) -> Rewritten {
    let files = FILES.iter().copied().chain([rename.0]).filter(|file| *file != rename.1);
    let files: std::collections::BTreeSet<&str> = files.collect();
    let moves = Moves::new(files, [rename]);
    rewrite_note(source, note.0, note.1, format, &moves).expect("rewritten")
}

#[track_caller]
fn check(source: &str, rename: (&str, &str), expected: &str) {
    let result = rewritten(source, ("n.md", "n.md"), rename, LinkFormat::Shortest);
    assert_eq!(result.edited.text, expected, "{source:?}");
    assert_eq!(result.unwritable, [], "{source:?}");
}

const RENAME: (&str, &str) = ("Old.md", "New name.md");

#[test]
fn every_form_of_a_link_follows() {
    for (source, expected) in [
        ("[[Old]] ![[Old]] [[old.MD#H|x]]", "[[New name]] ![[New name]] [[New name#H|x]]"),
        ("[[Old#^b]] [[Old|Old]] [[Old|old]]", "[[New name#^b]] [[New name|New name]] [[New name|old]]"),
        ("[t](Old.md#a%20b \"t\") [t](<Old.md>)", "[t](New%20name.md#a%20b \"t\") [t](<New name.md>)"),
        ("[Old](Old) ![Old](Old.md)", "[New name](New%20name.md) ![New name](New%20name.md)"),
        ("[t](Old.md%23a)", "[t](New%20name.md%23a)"),
        (
            "| [[Old\\|x]] | [[Old\\|Old]] |\n|--|--|\n| [[Old]] | y |",
            "| [[New name\\|x]] | [[New name\\|New name]] |\n|--|--|\n| [[New name]] | y |",
        ),
        (
            "%% [[Old]] %%\n> [[Old]]\n# [[Old]]\n- [ ] [[Old]]",
            "%% [[New name]] %%\n> [[New name]]\n# [[New name]]\n- [ ] [[New name]]",
        ),
        ("[![[Old]]](Old.md)", "[![[New name]]](New%20name.md)"),
        ("\u{feff}```\n[[Old]]\n```\n[[Old]]", "\u{feff}```\n[[Old]]\n```\n[[New name]]"),
        ("\u{feff}a [[Old]]\r\nb [[Old]]", "\u{feff}a [[New name]]\r\nb [[New name]]"),
    ] {
        check(source, RENAME, expected);
    }
}

#[test]
fn what_is_no_link_to_the_file_stays() {
    for source in [
        "`[[Old]]` <!-- [[Old]] -->",
        "```\n[[Old]]\n```\n\n    [[Old]]",
        "[[Target]] [[#Old]] [[Older]] Old [Old](https://e.org/Old.md)",
        "\\[\\[Old]]",
        "---\na: see [[Old]]\nb: [[Old]]\n---\n",
    ] {
        check(source, RENAME, source);
    }
}

#[test]
fn property_links_keep_their_quotes() {
    check(
        "---\nup: \"[[Old]]\" # c\nl:\n  - '[[Old|Old]]'\n  - \"[x](Old.md)\"\nj: {k: '[[Old#it''s]]'}\n---\n",
        RENAME,
        "---\nup: \"[[New name]]\" # c\nl:\n  - '[[New name|New name]]'\n  - \"[x](New%20name.md)\"\nj: {k: '[[New name#it''s]]'}\n---\n",
    );
    check("---\nup: \"[[\\u004fld]]\"\n---\n", RENAME, "---\nup: \"[[New name]]\"\n---\n");
    check("---\nup: >-\n  [[Old]]\n---\n", RENAME, "---\nup: >-\n  [[New name]]\n---\n");
    check("---\nup: '[[Old]]'\n---\n", ("Old.md", "It's.md"), "---\nup: '[[It''s]]'\n---\n");
    check("---\nup: \"[[Old]]\"\n---\n", ("Old.md", "A \"b\".md"), "---\nup: \"[[A \\\"b\\\"]]\"\n---\n");
}

#[test]
fn new_destinations_are_encoded_only_where_they_must_be() {
    for (new, bare, angle) in [
        ("a (b).md", "a%20(b).md", "a (b).md"),
        ("a) b.md", "a%29%20b.md", "a) b.md"),
        ("50%25 é.md", "50%2525%20é.md", "50%2525 é.md"),
        ("100%.md", "100%.md", "100%.md"),
        ("a<b>.md", "a%3Cb%3E.md", "a\\<b\\>.md"),
    ] {
        check("[x](Old.md) [y](<Old.md>)", ("Old.md", new), &format!("[x]({bare}) [y](<{angle}>)"));
    }
}

#[test]
fn formats() {
    #[track_caller]
    fn check(format: LinkFormat, note: &str, rename: (&str, &str), expected: &str) {
        let result = rewritten("[[Old]] [x](Old.md)", (note, note), rename, format);
        assert_eq!(result.edited.text, expected);
    }
    check(LinkFormat::Relative, "a/n.md", ("Old.md", "b/New.md"), "[[../b/New]] [x](../b/New.md)");
    check(LinkFormat::Relative, "n.md", ("Old.md", "b/New.md"), "[[b/New]] [x](b/New.md)");
    check(LinkFormat::Absolute, "a/n.md", ("Old.md", "b/New.md"), "[[b/New]] [x](b/New.md)");
    check(LinkFormat::Shortest, "a/n.md", ("Old.md", "b/New.md"), "[[New]] [x](New.md)");
    check(LinkFormat::Shortest, "a/n.md", ("Old.md", "b/Other.md"), "[[b/Other]] [x](b/Other.md)");
    // In the folder of the note a bare name would mean the file of that name at the root.
    check(LinkFormat::Relative, "a/n.md", ("Old.md", "a/Target.md"), "[[a/Target]] [x](a/Target.md)");
    assert_eq!(LinkFormat::from_setting(Some("relative")), LinkFormat::Relative);
    assert_eq!(LinkFormat::from_setting(Some("?")), LinkFormat::Shortest);
}

#[test]
fn links_of_the_note_that_moves() {
    let source = "[[./Other]] [[Other]] [x](../Target.md) [[#h]] [[n]] ![[i.png]]";
    let result = rewritten(source, ("a/n.md", "b/c/n.md"), ("a/n.md", "b/c/n.md"), LinkFormat::Shortest);
    // `[[n]]` means `n.md` at the root wherever it stands; the two relative ones would break.
    assert_eq!(result.edited.text, "[[Other]] [[Other]] [x](Target.md) [[#h]] [[n]] ![[i.png]]");
    assert_eq!(result.links, 2);
}

#[test]
fn a_bare_name_that_becomes_shared_is_written_out() {
    let rewrite = |source: &str, files: [&'static str; 3], rename| {
        let moves = Moves::new(files, [rename]);
        rewrite_note(source, "n.md", "n.md", LinkFormat::Shortest, &moves).expect("rewritten").edited.text
    };
    // The link would still lead there, its path being the shorter one; the app writes the path all the same.
    let files = ["n.md", "one/a.png", "long/x.png"];
    assert_eq!(
        rewrite("![[a.png]] ![[one/a.png]]", files, ("long/x.png", "long/a.png")),
        "![[one/a.png]] ![[one/a.png]]"
    );
    // The full path of a file at the root is its bare name.
    let files = ["n.md", "a.png", "long/x.png"];
    assert_eq!(rewrite("![[a.png]]", files, ("long/x.png", "long/a.png")), "![[a.png]]");
    // A name that was shared before is no news.
    let moves = Moves::new(["n.md", "one/a.png", "two/a.png", "x.png"], [("x.png", "three/a.png")]);
    let result = rewrite_note("![[a.png]]", "n.md", "n.md", LinkFormat::Shortest, &moves).expect("rewritten");
    assert_eq!(result.edited.edits, []);
}

#[test]
fn a_name_that_no_link_can_hold_is_reported() {
    let result =
        rewritten("a\n[[Old]] [x](Old.md)", ("n.md", "n.md"), ("Old.md", "C#.md"), LinkFormat::Shortest);
    assert_eq!(result.edited.edits, []);
    assert_eq!(result.unwritable.iter().map(|link| link.line).collect::<Vec<_>>(), [2, 2]);
    let result =
        rewritten("[[Old]] [x](Old.md)", ("n.md", "n.md"), ("Old.md", "a|b.md"), LinkFormat::Shortest);
    assert_eq!(result.edited.text, "[[Old]] [x](a%7Cb.md)");
    assert_eq!(result.unwritable[0].link, "[[Old]]");
}

#[test]
fn notes_whose_properties_cannot_be_read_or_kept() {
    let moves = Moves::new(["n.md", "Old.md"], [("Old.md", "New.md")]);
    let rewrite = |source: &str| rewrite_note(source, "n.md", "n.md", LinkFormat::Shortest, &moves);
    assert!(matches!(rewrite("---\na: b: c\n---\nno link"), Err(BlockError::Invalid(_))));
    assert!(rewrite("---\n- a\n---\nno link").is_ok());
    assert!(matches!(rewrite("---\n- a\n---\n[[Old]]"), Err(BlockError::List)));
    assert!(matches!(rewrite("---\na: !t b\n---\n[[Old]]"), Err(BlockError::Tagged { .. })));
}

#[test]
fn file_nodes_of_a_canvas() {
    let json = "\u{feff}{\r\n\t\"nodes\":[\r\n\t\t{\"type\":\"file\",\"file\":\"a\\/\\u004fld.md\",\"subpath\":\"#h\"},\r\n\t\t{\"type\":\"text\",\"text\":\"a/Old.md\"},\r\n\t\t{\"file\":\"a/Old.md\",\"type\":\"file\"}]}";
    let moves = Moves::new(["a/Old.md"], [("a/Old.md", "b/N \"1\".md")]);
    let result = rewrite_canvas(json, &moves).expect("a canvas");
    assert_eq!(result.links, 2);
    let expected = json
        .replace("a\\/\\u004fld.md", "b/N \\\"1\\\".md")
        .replace("\"file\":\"a/Old.md\"", "\"file\":\"b/N \\\"1\\\".md\"");
    assert_eq!(result.edited.text, expected);
    assert!(rewrite_canvas("[", &moves).is_err());
}

#[test]
fn links_that_a_new_or_deleted_file_takes_or_leaves() {
    let row = |line, link: &str, before: Option<&str>, after: Option<&str>| Retargeted {
        line,
        link: link.to_owned(),
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
    };
    let source = "---\nup: \"[[a/Note]]\"\n---\n[[Note]] [[#h]] [x](Other.md)\n[[Missing|m]]";
    let files = || Moves::new(["n.md", "a/Note.md", "Other.md"], []);
    assert_eq!(
        retargeted(source, "n.md", &files().with_new("Note.md").with_new("x/Missing.md")),
        [row(4, "Note", Some("a/Note.md"), Some("Note.md")), row(5, "Missing", None, Some("x/Missing.md"))]
    );
    assert_eq!(
        retargeted(source, "n.md", &files().with_deleted("a/Note.md")),
        [row(2, "a/Note", Some("a/Note.md"), None), row(4, "Note", Some("a/Note.md"), None)]
    );
}
