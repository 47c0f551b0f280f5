//! Top-level blocks, list items, and the state of lines.

use vault_cortex_markdown::document;
use vault_cortex_markdown::lines::{LineState, scan};

/// The top-level blocks, each with its text.
#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let sections = document::parse(text).structure.sections;
    let actual: Vec<_> =
        sections.iter().map(|section| (section.kind.name(), &text[section.span.clone()])).collect();
    assert_eq!(actual, expected, "{text:?}");
}

#[test]
fn kinds() {
    check(
        "---\na: 1\n---\n\n# h\np\nq\n",
        &[("yaml", "---\na: 1\n---"), ("heading", "# h"), ("paragraph", "p\nq")],
    );
    check("- a\n  b\n\n* c", &[("list", "- a\n  b"), ("list", "* c")]);
    check("1. a\n1) b", &[("list", "1. a"), ("list", "1) b")]);
    check("> a\nlazy\n\n> [!x] b\n> c", &[("blockquote", "> a\nlazy"), ("callout", "> [!x] b\n> c")]);
    check(
        "p\n```\nc\n```\n    d\n\n    e\n\n",
        &[("paragraph", "p"), ("code", "```\nc\n```"), ("code", "d\n\n    e")],
    );
    check("p\n<!-- x\ny -->\np", &[("paragraph", "p"), ("html", "<!-- x\ny -->"), ("paragraph", "p")]);
    check("p\n%%\nx\n%%\np", &[("paragraph", "p"), ("comment", "%%\nx\n%%"), ("paragraph", "p")]);
    check("%% kanban:settings\n```\n{}\n```\n%%", &[("comment", "%% kanban:settings\n```\n{}\n```\n%%")]);
    check(
        "$$\nx\n$$\n***\n---",
        &[("math", "$$\nx\n$$"), ("thematicBreak", "***"), ("thematicBreak", "---")],
    );
    check(
        "a\n| b |\n| -- |\n| c |\nd\n\ne",
        &[("paragraph", "a"), ("table", "| b |\n| -- |\n| c |\nd"), ("paragraph", "e")],
    );
    check(
        "[^1]: a\n\n    b\n[^2]: c\n\nd",
        &[("footnoteDefinition", "[^1]: a\n\n    b"), ("footnoteDefinition", "[^2]: c"), ("paragraph", "d")],
    );
    check("%% inline %% x", &[("paragraph", "%% inline %% x")]);
    check("```\nopen\n", &[("code", "```\nopen")]);
}

#[test]
fn list_items() {
    /// Line, parent as recorded, and task character of each item.
    #[track_caller]
    fn check(text: &str, expected: &[(usize, i64, Option<char>)]) {
        let items = document::parse(text).structure.list_items;
        let actual: Vec<_> = items.iter().map(|item| (item.line, item.parent, item.task)).collect();
        assert_eq!(actual, expected, "{text:?}");
    }
    check("- a\n  - b\n- c", &[(0, -1, None), (1, 0, None), (2, -1, None)]);
    check("x\n\n- a\n\t- b", &[(2, -2, None), (3, 2, None)]);
    check(
        "- [ ] a\n- [x] b\n- [/] c\n- [é] d\n- [] e\n- [ab] f\n- [x](u)",
        &[
            (0, -1, Some(' ')),
            (1, -1, Some('x')),
            (2, -1, Some('/')),
            (3, -1, Some('é')),
            (4, -1, None),
            (5, -1, None),
            (6, -1, None),
        ],
    );
    check("- [ ] 1. a", &[(0, -1, Some(' ')), (0, 0, None)]);
    check("- [ ] # not a heading", &[(0, -1, Some(' '))]);
    check("> - [ ] a\n>   - b", &[(0, -1, Some(' ')), (1, 0, None)]);
    check("%%\n- a\n%%\n<!--\n- b\n-->\n```\n- c\n```", &[]);
    check("text\n2. not a list", &[]);
    check("- a\n\u{200b}\t- b", &[(0, -1, None)]);
}

#[test]
fn parents_are_named_by_index_too() {
    let items = document::parse("- a\n  - b\n    - c\n- d").structure.list_items;
    let parents: Vec<_> = items.iter().map(|item| item.parent_item).collect();
    assert_eq!(parents, [None, Some(0), Some(1), None]);
}

#[test]
fn states_of_lines() {
    #[track_caller]
    fn check(text: &str, expected: &[LineState]) {
        let states: Vec<LineState> = scan(text).iter().map(|line| line.state).collect();
        assert_eq!(states, expected, "{text:?}");
    }
    use LineState::{Comment, Fence, Frontmatter, HtmlBlock, HtmlComment, IndentedCode, Math, Text};
    check("---\na: 1\n---\nx", &[Frontmatter, Frontmatter, Frontmatter, Text]);
    check("```\n\nx\n```\ny", &[Fence, Fence, Fence, Fence, Text]);
    check("a\n\n    b\n\n    c\n\nd", &[Text, Text, IndentedCode, IndentedCode, IndentedCode, Text, Text]);
    check(
        "<div>\nx\n\n<!--\n\n-->\ny",
        &[HtmlBlock, HtmlBlock, Text, HtmlComment, HtmlComment, HtmlComment, Text],
    );
    check("%%\nx\n%%\n$$\ny\n$$\n$$z$$", &[Comment, Comment, Comment, Math, Math, Math, Math]);
    check("> ```\n> x\ny", &[Fence, Fence, Text]);
    check("- ```\n  x\n\n  y\n- z", &[Fence, Fence, Fence, Fence, Text]);
    check("````md\n```\n````\nx", &[Fence, Fence, Fence, Text]);
    check("", &[]);
    check("a\r\n\r\n", &[Text, Text]);
}
