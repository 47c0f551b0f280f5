//! The properties block: where it is, what it says, and how it fails.

use serde_json::json;
use vault_cortex_markdown::frontmatter::{Properties, locate, properties};
use vault_cortex_markdown::{document, yaml};

#[test]
fn where_the_block_lies() {
    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &str)>) {
        let block = locate(text);
        let actual = block.map(|block| (&text[block.span], &text[block.yaml]));
        assert_eq!(actual, expected, "{text:?}");
    }
    check("---\na: 1\n---\nbody", Some(("---\na: 1\n---\n", "a: 1\n")));
    check("---\na: 1\n---", Some(("---\na: 1\n---", "a: 1\n")));
    check("---\r\na: 1\r\n---\r\nb", Some(("---\r\na: 1\r\n---\r\n", "a: 1\r\n")));
    check("---\na: 1\n---  \t\nb", Some(("---\na: 1\n---  \t\n", "a: 1\n")));
    check("\u{feff}---\na: 1\n---\n", Some(("---\na: 1\n---\n", "a: 1\n")));
    check("---\n---\nb", Some(("---\n---\n", "")));
    check("---\na: |\n  ---x\n---\n", Some(("---\na: |\n  ---x\n---\n", "a: |\n  ---x\n")));
    check("\n---\na: 1\n---\n", None);
    check(" ---\na: 1\n---\n", None);
    check("--- \na: 1\n---\n", None);
    check("---x\na: 1\n---\n", None);
    check("----\na: 1\n----\n", None);
    check("---\na: 1\n", None);
    check("---\na: 1\n --- \n---x\n", None);
    check("---", None);
    check("", None);
}

#[test]
fn kinds_of_blocks() {
    assert_eq!(properties("---\n---\nb"), Properties::None);
    assert_eq!(properties("---\n# c\n---\nb"), Properties::None);
    assert_eq!(properties("no block"), Properties::None);
    assert_eq!(properties("---\n- a\n---\n"), Properties::Other);
    assert_eq!(properties("---\nk:v\n---\n"), Properties::Other);
    assert_eq!(document::parse("---\n---\nb").body_start, 8);
}

#[test]
fn values_as_obsidian_sees_them() {
    #[track_caller]
    fn check(text: &str, expected: impl Into<serde_json::Value>) {
        assert_eq!(yaml::parse(text), Ok(expected.into()), "{text:?}");
    }
    check("a: 2024-07-21\nb: 2024-07-21T12:37:00", json!({"a": "2024-07-21", "b": "2024-07-21T12:37:00"}));
    check("a: no\nb: on\nc: y", json!({"a": "no", "b": "on", "c": "y"}));
    check("a: 1\nA: 2", json!({"a": 1, "A": 2}));
    check("b: 1\na: 2", json!({"b": 1, "a": 2}));
    check("a: {{date}}", json!({"a": {"{ date }": null}}));
    check("a: [[Note]]", json!({"a": [["Note"]]}));
    check("{\"a\": 1, \"b\": [true, null]}", json!({"a": 1, "b": [true, null]}));
    check("{\n\t\"a\":\t\"b\"\n}", json!({"a": "b"}));
    check("a: !x", json!({"a": ""}));
    check("a: &x {b: 1}\nc: *x", json!({"a": {"b": 1}, "c": {"b": 1}}));
    check("a: [\n  1,\n  2\n]", json!({"a": [1, 2]}));
    check("1: a\n\"1\": b", json!({"1": "b"}));
    check("", json!(null));
}

#[test]
fn invalid_yaml_says_where() {
    #[track_caller]
    fn check(yaml: &str, line: usize, column: usize) {
        let Properties::Invalid(error) = properties(&format!("---\n{yaml}\n---\n")) else {
            panic!("{yaml:?} is read");
        };
        assert_eq!((error.line, error.column), (line, column), "{yaml:?}: {error}");
        assert!(!error.message.is_empty());
    }
    check("title: a: b", 2, 9);
    check("ok: 1\na: @x", 3, 4);
    check("a: 1\nb: 2\na: 3", 4, 1);
    check("tags: [#a]", 2, 8);
    check("a:\n \tb: 1", 3, 3);
    check("é: \"x", 2, 4);
    check("a: *none", 2, 4);
    check("a: [\n1,\n2\n]", 3, 1);
    check("a: \"b\nc\"", 3, 1);
}

#[test]
fn a_tab_is_no_indentation() {
    assert!(yaml::parse("a:\n\tb: 1").is_err());
    assert!(yaml::parse("\ta: 1").is_err());
    assert!(yaml::parse("a:\n \t- b").is_err());
    assert_eq!(yaml::parse("a:\n  \tb"), Ok(json!({"a": "b"})));
}

#[test]
fn a_lone_carriage_return_is_no_line() {
    let Properties::Invalid(error) = properties("---\na: b\r\r\r\rc: [\n---\n") else { panic!("it is read") };
    assert_eq!(error.line, 2);
}

#[test]
fn many_quoted_values_are_read_in_one_pass() {
    let text = format!("---\na:\n{}---\n", "  - \"[[x]]\"\n".repeat(50_000));
    let links = document::parse(&text).properties.map().expect("properties").links();
    assert_eq!((links.len(), links[49_999].link.line), (50_000, 50_001));
}

#[test]
fn a_broken_block_leaves_the_body_readable() {
    let document = document::parse("---\na: [\n---\n# Head\n#tag [[link]]");
    assert!(matches!(document.properties, Properties::Invalid(_)));
    assert_eq!((document.headings.len(), document.tags.len(), document.links.len()), (1, 1, 1));
}

#[test]
fn lists_of_names() {
    let text =
        "---\nAliases: [One, \" Two, three \", \"\", 4]\nTitle: T\nrating: 4.50\ndone: true\nempty:\n---\n";
    let Properties::Map(map) = properties(text) else { panic!("no map") };
    assert_eq!(map.aliases(), ["One", "Two, three"]);
    assert_eq!(map.text("title").as_deref(), Some("T"));
    assert_eq!(map.text("rating").as_deref(), Some("4.5"));
    assert_eq!(map.text("done").as_deref(), Some("true"));
    assert_eq!(map.text("empty"), None);
    assert_eq!(map.get("Title"), Some(&json!("T")));
    assert_eq!(map.get("title"), None);
}

#[test]
fn bombs_are_errors() {
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        laughs.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    assert!(yaml::parse(&laughs).is_err());
    let mut deep = "a0: &a0 [x]\n".to_owned();
    for level in 1..5000 {
        deep.push_str(&format!("a{level}: &a{level} [*a{}]\n", level - 1));
    }
    assert!(yaml::parse(&deep).is_err());
    assert!(yaml::parse("a: &a [*a]").is_err());
    for open in ["[", "{", "{a: ", "- ", "? ", "- ? ", "!t ", "&x "] {
        let text = format!("a: {}", open.repeat(10_000));
        let _ = yaml::parse(&text);
        let _ = yaml::parse(&text[3..]);
    }
    let stairs: String = (0..1500).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    assert!(yaml::parse(&stairs).is_err());
    assert!(yaml::parse(&"a".repeat(yaml::MAX_BYTES + 1)).is_err());
}
