//! Headings, their sections, and how a subpath finds one.

use vault_cortex_markdown::document;
use vault_cortex_markdown::headings::{Heading, match_key, resolve_subpath};

fn headings(text: &str) -> Vec<Heading> {
    document::parse(text).headings
}

#[track_caller]
fn check(text: &str, expected: &[(u8, &str, usize)]) {
    let headings = headings(text);
    let actual: Vec<_> = headings.iter().map(|h| (h.level, h.text.as_str(), h.line)).collect();
    assert_eq!(actual, expected, "{text:?}");
}

#[test]
fn both_forms() {
    check("# A\n###### F\n####### G\n#x", &[(1, "A", 0), (6, "F", 1)]);
    check("## Todo ##", &[(2, "Todo", 0)]);
    check("## a#b ## ", &[(2, "a#b", 0)]);
    check("# C#", &[(1, "C#", 0)]);
    check("#\ta", &[(1, "a", 0)]);
    check("#", &[(1, "", 0)]);
    check("# #", &[(1, "", 0)]);
    check("   # A\n\n    # B", &[(1, "A", 0)]);
    check("Title\n===\nx\nSub\n---\n", &[(1, "Title", 0), (2, "x\nSub", 2)]);
    check("# **b** #t [[x]]", &[(1, "**b** #t [[x]]", 0)]);
    check("# \u{200b}日本 ^id", &[(1, "\u{200b}日本 ^id", 0)]);
}

#[test]
fn not_headings() {
    check("```\n# a\n```\n~~~\n# b\n~~~", &[]);
    check("```\n# unclosed", &[]);
    check("%%\n# a\n%%\n# b", &[(1, "b", 3)]);
    check("<div>\n# a\n</div>\n\n# b", &[(1, "b", 4)]);
    check("<!--\n# a\n-->\n# b", &[(1, "b", 3)]);
    check("$$\n# a\n$$\n# b", &[(1, "b", 3)]);
    check("> # a\n\n- # b\n\n[^1]: # c\n", &[]);
    check("---\n# a\n---\n# b", &[(1, "b", 3)]);
    check("a\n\n    # code", &[]);
    check("\\# a", &[]);
}

#[test]
fn marks_without_an_end_hide_nothing() {
    check("%%\n# a", &[(1, "a", 1)]);
    check("$$\n# a", &[(1, "a", 1)]);
    check("%%%%\n# a\n%%%%", &[(1, "a", 1)]);
    check("text %% open\n%%\n# a\n%% b %%", &[(1, "a", 2)]);
}

#[test]
fn sections_end_where_the_next_heading_as_high_starts() {
    let text = "intro\n# A\na\n### B\nb\n## C\nc\n# D\n";
    let headings = headings(text);
    let sections: Vec<&str> = headings.iter().map(|h| &text[h.section.clone()]).collect();
    assert_eq!(sections, ["# A\na\n### B\nb\n## C\nc\n", "### B\nb\n", "## C\nc\n", "# D\n"]);
    let own: Vec<&str> = headings.iter().map(|h| &text[h.own.clone()]).collect();
    assert_eq!(own, ["# A\na\n", "### B\nb\n", "## C\nc\n", "# D\n"]);
    assert_eq!(&text[headings[0].span.clone()], "# A");
}

#[test]
fn spans_of_underlined_headings_hold_both_lines() {
    let text = "  Title\n===\nx";
    let heading = headings(text).remove(0);
    assert_eq!(&text[heading.span.clone()], "Title\n===");
    assert_eq!((heading.section.start, heading.section.end), (0, text.len()));
}

#[test]
fn subpaths_walk_down() {
    let found = headings("# A\n## B\n# D\n### x\n## B\n# A\n## E\n");
    #[track_caller]
    fn check(headings: &[Heading], subpath: &str, line: Option<usize>) {
        let found = resolve_subpath(headings, subpath).map(|index| headings[index].line);
        assert_eq!(found, line, "{subpath}");
    }
    check(&found, "#B", Some(1));
    check(&found, "#D#B", Some(4));
    check(&found, "#A#E", Some(6));
    check(&found, "#D#E", None);
    check(&found, "B", Some(1));
    check(&found, "##b", Some(1));
    check(&found, "#^B", None);
    check(&found, "#", None);
    check(&found, "", None);
    check(&found, "#!", None);
}

#[test]
fn match_keys() {
    assert_eq!(match_key("Is it?"), match_key("Is it"));
    assert_eq!(match_key("See [[Note]]"), match_key("See Note"));
    assert_ne!(match_key("wifi 2.4"), match_key("wifi-2-4"));
    assert_eq!(match_key("!"), "");
}
