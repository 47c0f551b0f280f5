//! Block ids and the blocks they name.

use vault_cortex_markdown::document;

/// Each id of the text and the block it names.
#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let ids = document::parse(text).block_ids;
    let actual: Vec<(&str, &str)> = ids.iter().map(|id| (id.id.as_str(), &text[id.block.clone()])).collect();
    assert_eq!(actual, expected, "{text:?}");
}

#[test]
fn at_the_end_of_a_block() {
    check("text ^my-id", &[("my-id", "text ^my-id")]);
    check("two\nlines ^a  \n\nx", &[("a", "two\nlines ^a")]);
    check("two\n^a", &[("a", "two\n^a")]);
    check("# Head ^h\n\nx", &[("h", "# Head ^h")]);
    check(
        "- a ^x\n- b ^y\n  - c ^z",
        &[("x", "- a ^x"), ("y", "- b ^y"), ("z", "  - c ^z")]
            .map(|(id, block)| (id, if id == "z" { "- c ^z" } else { block })),
    );
    check("- a\n  more ^x\n\n- b", &[("x", "- a\n  more ^x")]);
    check("- [ ] x 📅 2026-01-01 ^id", &[("id", "- [ ] x 📅 2026-01-01 ^id")]);
}

#[test]
fn on_a_line_of_its_own() {
    check("> q\n> r\n\n^q1\n\nx", &[("q1", "> q\n> r\n\n^q1")]);
    check("| a |\n|---|\n| b |\n\n^t", &[("t", "| a |\n|---|\n| b |\n\n^t")]);
    check("- a\n- b\n\n^l", &[("l", "- a\n- b\n\n^l")]);
    check("^alone", &[("alone", "^alone")]);
    check("---\na: 1\n---\n^alone", &[("alone", "^alone")]);
}

#[test]
fn not_ids() {
    check("text ^my_id", &[]);
    check("text^id", &[]);
    check("text ^", &[]);
    check("text ^id more", &[]);
    check("```\nx ^id\n```", &[]);
    check("text ^日本", &[]);
    check("%%\nx ^id\n%%", &[]);
}

#[test]
fn sections_and_items_carry_their_ids() {
    let structure = document::parse("p ^a\n\n> q\n\n^b\n\n- i ^c\n").structure;
    let ids: Vec<_> = structure.sections.iter().map(|section| section.id.as_deref()).collect();
    assert_eq!(ids, [Some("a"), Some("b"), None, None]);
    assert_eq!(structure.list_items[0].id.as_deref(), Some("c"));
}

#[test]
fn right_after_a_link() {
    check("![[a.png]]^image", &[("image", "![[a.png]]^image")]);
}
