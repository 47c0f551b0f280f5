//! Links and embeds: what they are, and the spans a rename needs.

use vault_cortex_markdown::document;
use vault_cortex_markdown::links::{Link, LinkKind};

fn links(text: &str) -> Vec<Link> {
    document::parse(text).links
}

/// The targets of a text, embeds with a `!`.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let actual: Vec<String> = links(text)
        .iter()
        .map(|link| format!("{}{}", if link.embed { "!" } else { "" }, link.target))
        .collect();
    assert_eq!(actual, expected, "{text:?}");
}

#[test]
fn wikilinks() {
    check("[[a]]", &["a"]);
    check("[[a]] and [[b|c]]", &["a", "b"]);
    check("[[Sq]uare]]", &["Sq]uare"]);
    check("[[a\nb]]", &[]);
    check("[[Nested [[Inner]] x]]", &["Inner"]);
    check("[[[a]]]", &["a"]);
    check("[[]]", &[]);
    check("[[ ]]", &[]);
    check("[[https://example.com]]", &["https://example.com"]);
    check("[[a.md]]", &["a.md"]);
    check("\\[\\[x\\]\\]", &[]);
    check("\\[[x]]", &[]);
    check("\\![[x]]", &["x"]);
    check("[[a]", &[]);
    check("[[a]] [[b", &["a"]);
    check("[[a\\b]]", &["a\\b"]);
    check("[[日本#語|🎉]]", &["日本#語"]);
    check("x[[a]]y![[b]]z", &["a", "!b"]);
}

#[test]
fn targets_split_at_the_first_hash_and_bar() {
    #[track_caller]
    fn check(text: &str, path: &str, subpath: Option<&str>, display: Option<&str>, shown: &str) {
        let link = links(text).remove(0);
        assert_eq!((link.path.as_str(), link.subpath.as_deref()), (path, subpath), "{text}");
        assert_eq!((link.display.as_deref(), link.shown().as_str()), (display, shown), "{text}");
    }
    check("[[a|b]]", "a", None, Some("b"), "b");
    check("[[#h#s||x]]", "", Some("#h#s"), Some("|x"), "|x");
    check("[[pa#th/x]]", "pa", Some("#th/x"), None, "pa > th/x");
    check("[[a#h#s]]", "a", Some("#h#s"), None, "a > h > s");
    check("[[#h]]", "", Some("#h"), None, "h");
    check("[[#^b]]", "", Some("#^b"), None, "^b");
    check("[[a#^id]]", "a", Some("#^id"), None, "a > ^id");
    check("[[a^b]]", "a^b", None, None, "a^b");
    check("[[a#[^1]]]", "a", Some("#[^1"), None, "a > [^1");
}

#[test]
fn without_a_target_the_raw_text_is_one() {
    check("[[|]]", &["|"]);
    check("[[|alias]]", &["|alias"]);
    check("[[|#alias]]", &["|#alias"]);
}

#[test]
fn embeds() {
    check("![[a.png|100x145]]", &["!a.png"]);
    check("![[n#h]]", &["!n#h"]);
    check("![alt](a.png)", &["!a.png"]);
    check("![](a.png)", &["!a.png"]);
    check("[![alt](a.png)](b.md)", &["b.md", "!a.png"]);
    check("[![[a.png]]](b.md)", &["b.md", "!a.png"]);
    assert_eq!(links("![[a.png|100x145]]")[0].display.as_deref(), Some("100x145"));
}

#[test]
fn markdown_links() {
    check("[x](Test%20Data/n.md#How%20it)", &["Test Data/n.md#How it"]);
    check("[x](<my note.md>)", &["my note.md"]);
    check("[x](my note.md)", &[]);
    check("[x](n)", &["n"]);
    check("[t](#h)", &["#h"]);
    check("[alias]()", &[]);
    check("[](x)", &[]);
    check("[x](https://a.b) [x](mailto:a@b.c) [x](obsidian://open)", &[]);
    check("[x](%E6%97%A5.md)", &["日.md"]);
    check("[x](100%.md)", &["100%.md"]);
    check("[x](a\\(b.md)", &["a(b.md"]);
    check("[x](a(b).md)", &["a(b).md"]);
    check("[x][ref]\n\n[ref]: y.md", &[]);
    check("[a [b](c.md)](d.md)", &["c.md"]);
    check("[a [[b]] c](d.md)", &["b"]);
    check("[a\nb](c.md)", &["c.md"]);
    check("\\[a](b.md)", &[]);
    check("[a]\\(b.md)", &[]);
    check("[a] (b.md)", &[]);
    let titled = links("![one](unique%20image.png \"title\")").remove(0);
    assert_eq!((titled.target.as_str(), titled.title.as_deref()), ("unique image.png", Some("title")));
    assert_eq!((titled.kind, titled.angle), (LinkKind::Markdown, false));
    assert!(links("[x](<a>)")[0].angle);
}

#[test]
fn where_links_are_not_read() {
    check("`[[x]]` ``[[y]]`z`` [[a]]", &["a"]);
    check("` [[a]]", &["a"]);
    check("```\n[[x]]\n```\n[[a]]", &["a"]);
    check("~~~\n[[x]]\n```\n~~~\n[[a]]", &["a"]);
    check("a\n\n    [[x]]\n\n[[b]]", &["b"]);
    check("<!-- [[x]] --> [[y]]\n\n[[a]]", &["a"]);
    check("a <!-- [[x]] --> [[b]]", &["b"]);
    check("<div>\n[[x]]\n</div>\n\n[[a]]", &["a"]);
    check("a <span title=\"[[x]]\">[[b]]</span>", &["b"]);
    check("$[[x]]$ [[a]]", &["a"]);
    check("$$\n[[x]]\n$$\n[[a]]", &["a"]);
    check("---\na: \"[[x]]\"\n---\n[[b]]", &["b"]);
}

#[test]
fn where_links_are_read() {
    check("%% [[x]] %%", &["x"]);
    check("%%\n[[x]]\n%%", &["x"]);
    check("# see [[x]]", &["x"]);
    check("[[x]]\n===", &["x"]);
    check("> [!note] [[a]]\n> [[b]]", &["a", "b"]);
    check("> > - [[a]]\n> > lazy [[b]]\n[[c]]", &["a", "b", "c"]);
    check("- [ ] [[a]]\n  - [[b]]\n\n    [[c]]", &["a", "b", "c"]);
    check("[^1]: [[a]]\n\n    [[b]]", &["a", "b"]);
    check("**[[a]]** _[[b]]_ ==[[c]]== ~~[[d]]~~", &["a", "b", "c", "d"]);
    check("Task with<br>[[a]]", &["a"]);
}

#[test]
fn a_dollar_inside_a_link_starts_no_formula() {
    check("[[a $1]] and [[b $2]]", &["a $1", "b $2"]);
    check("costs $5, see [[a]], or $6", &["a"]);
}

#[test]
fn tables_escape_the_bar() {
    let table = "| a | b |\n|---|---|\n| [[x\\|shown]] | [[y#h\\|p\\|q]] |\n\n[[x\\|y]]";
    let found = links(table);
    assert!(found[0].in_table && found[1].in_table && !found[2].in_table);
    assert_eq!((found[0].target.as_str(), found[0].display.as_deref()), ("x", Some("shown")));
    assert_eq!((found[1].target.as_str(), found[1].display.as_deref()), ("y#h", Some("p|q")));
    assert_eq!(&table[found[1].target_span.clone()], "y#h");
    // Outside of a table the backslash is part of the target.
    assert_eq!(found[2].target, "x\\");
    check("| [[h]] |\n| -- |\n| [[a\\|b]] |", &["h", "a"]);
    check("> | h |\n> | -- |\n> | [[a\\|b]] |", &["a"]);
    // One hyphen makes no table.
    check("| h |\n|-|\n| [[a\\|b]] |", &["a\\"]);
}

#[test]
fn spans_hold_what_a_rename_rewrites() {
    #[track_caller]
    fn check(text: &str, whole: &str, target: &str, path: &str) {
        let link = links(text).remove(0);
        assert_eq!(&text[link.span.clone()], whole);
        assert_eq!(&text[link.target_span.clone()], target);
        assert_eq!(&text[link.path_span(text)], path);
    }
    check("é [[a b#h|x]]!", "[[a b#h|x]]", "a b#h", "a b");
    check("x ![[a.png|100]]", "![[a.png|100]]", "a.png", "a.png");
    check("[t](a%20b.md#h \"q\")", "[t](a%20b.md#h \"q\")", "a%20b.md#h", "a%20b.md");
    check("![t](<a b.md>)", "![t](<a b.md>)", "a b.md", "a b.md");
    check("[[#h]]", "[[#h]]", "#h", "");
    check("> a\n> [t\n> u](b.md) c", "[t\n> u](b.md)", "b.md", "b.md");
}

#[test]
fn lines_count_from_zero() {
    let lines: Vec<usize> =
        links("---\na: 1\n---\n[[a]]\r\n\r\n> [[b]]\n").iter().map(|link| link.line).collect();
    assert_eq!(lines, [3, 5]);
}

#[test]
fn links_of_properties() {
    let text = "---\na: \"[[Note|x]]\"\nlist: [\"[[A]]\", b, '[t](c%20d.md)']\nb: \"see [[Note]]\"\nc: [[D]]\nd:\n  e: \"[[F#g]]\"\ng: \"![[h]]\"\n---\n";
    let links = document::parse(text).properties.map().expect("properties").links();
    let found: Vec<_> =
        links.iter().map(|link| (link.key.as_str(), link.link.target.as_str(), link.link.line)).collect();
    assert_eq!(found, [("a", "Note", 1), ("list.0", "A", 2), ("list.2", "c d.md", 2), ("d.e", "F#g", 6)]);
    assert_eq!(&text[links[0].source.clone()], "\"[[Note|x]]\"");
    assert_eq!(&text[links[2].source.clone()], "'[t](c%20d.md)'");
}
