//! Inline tags and those of properties.

use vault_cortex_markdown::document;
use vault_cortex_markdown::tags::{fold, is_tag_name};

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let tags = document::parse(text).tags;
    let names: Vec<&str> = tags.iter().map(|tag| tag.name.as_str()).collect();
    assert_eq!(names, expected, "{text:?}");
}

#[test]
fn shape() {
    check("#a #a/b #a-b_c #1a #y1984 #-", &["a", "a/b", "a-b_c", "1a", "y1984", "-"]);
    check("#123 #1984", &[]);
    check("#1/2", &["1/2"]);
    check("#1/", &[]);
    check("#a.b #c: #d, #e; #f! #g?", &["a", "c", "d", "e", "f", "g"]);
    check("#café #日本語 #тег #✅done #🎉", &["café", "日本語", "тег", "✅done", "🎉"]);
    check("#a\u{2014}b #c\u{3000}d #e\u{a0}f", &["a", "c", "e"]);
    check("# #", &[]);
    check("##a", &[]);
}

#[test]
fn left_edge() {
    check("(#a) \"#b\" .#c $#d x#e /#f [#g](u)", &[]);
    check("\u{a0}#a\u{3000}#b\t#c\n#d", &["a", "b", "c", "d"]);
    check("#a#b #c/#d", &["a", "b", "c", "d"]);
    check("\\<#a \\#b", &["a"]);
    check("snake_case_#a _#b_ __#c__ #d_", &["a", "b", "c", "d_"]);
    check("_see #a_ and #b_", &["a", "b_"]);
    check("|#a|", &[]);
    check("| h |\n|---|\n|#a|#b|", &["a", "b"]);
}

#[test]
fn underscores_that_close_emphasis_uncover_a_slash() {
    check("_#a/b/_", &["a/b"]);
}

#[test]
fn where_tags_are_not_read() {
    check("`#a` ``#b`` https://x/#c [[n#d]] [[n|#e]] <!-- #f --> $ #g$ $x #h$", &["g"]);
    check("<p>x #a</p>\n\n#b", &["b"]);
    check("$$\n#a\n$$\n#b", &["b"]);
    check("```md\n```js\nx #a\n```\n#b", &["b"]);
    check("text\n    #lazy", &["lazy"]);
    check("text\n\n    #code", &[]);
    check("[a](b \" #c\")", &[]);
    check("<a title=\" #x\"> #b", &["b"]);
}

#[test]
fn where_tags_are_read() {
    check("[Discord #a](u) ![ #b](c.png)", &["a", "b"]);
    check("# h #a\n> #b\n> [!note] #c\n\n- [ ] #d\n\n%% #e %%", &["a", "b", "c", "d", "e"]);
    check("%%\n- [ ] #task x\n%%", &["task"]);
    check("> a\n> #b\nlazy #c", &["b", "c"]);
}

#[test]
fn tags_of_properties_come_first() {
    let all = |text: &str| document::parse(text).all_tags();
    assert_eq!(
        all("---\ntags: [a, \"c d\", 2024, \"#e\", \"\", true, a]\n---\n#x #a"),
        ["a", "e", "a", "x", "a"]
    );
    assert_eq!(all("---\ntags: single\n---\n"), ["single"]);
    assert_eq!(all("---\ntags: a, b\n---\n"), [""; 0]);
    assert_eq!(all("---\ntag: a\n---\n"), [""; 0]);
    assert_eq!(all("---\nTags: [a]\n---\n"), ["a"]);
    assert_eq!(all("---\ntags: #a\n---\n"), [""; 0]);
}

#[test]
fn names_and_folding() {
    assert_eq!(fold("#Ab/É"), "ab/é");
    assert_eq!(fold("ab"), "ab");
    for name in ["a", "a/b", "1a", "日本", "-"] {
        assert!(is_tag_name(name), "{name}");
    }
    for name in ["", "12", "a/", "a b", "a.b", "#a", "a\u{200d}b"] {
        assert!(!is_tag_name(name), "{name}");
    }
}
