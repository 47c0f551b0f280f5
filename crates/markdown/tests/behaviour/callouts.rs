//! The leading callout of a note.

use vault_cortex_markdown::callouts::leading;

#[track_caller]
fn check(text: &str, expected: Option<(&str, &str, &str)>) {
    let callout = leading(text);
    let actual =
        callout.as_ref().map(|found| (found.kind.as_str(), found.title.as_str(), found.body.as_str()));
    assert_eq!(actual, expected, "{text:?}");
}

#[test]
fn first_callout_before_any_heading() {
    check(
        "> [!info] Scope\n> All about it.\n> More.\n\n# Head",
        Some(("info", "Scope", "All about it.\nMore.")),
    );
    check(
        "---\na: 1\n---\n\ntext\n\n> [!Warning]- Title\n>body\nlazy\n",
        Some(("warning", "Title", "body\nlazy")),
    );
    check("> [!my-type|meta]+\n> x", Some(("my-type", "", "x")));
    check("> [!note] T", Some(("note", "T", "")));
    check("> [!a] T\n> > [!b] inner\n> > deep\n", Some(("a", "T", "> [!b] inner\n> deep")));
    check("> [!a] T\r\n> one\r\n>\r\n> two\r\n", Some(("a", "T", "one\n\ntwo")));
    check("> quote\n\n> [!tip] T\n> x", Some(("tip", "T", "x")));
}

#[test]
fn none() {
    check("# Head\n> [!info] Scope\n> x", None);
    check("Head\n===\n> [!info] Scope", None);
    check("> quote\n> [!info] not the first line", None);
    check("> [!] x", None);
    check("- > [!info] in a list", None);
    check("```\n> [!info] x\n```", None);
    check("", None);
}

#[test]
fn the_span_is_the_whole_callout() {
    let text = "a\n\n> [!info] T\n> b\n>\n\nc";
    let callout = leading(text).expect("a callout");
    assert_eq!(&text[callout.span], "> [!info] T\n> b\n>");
}
