//! Single keys of the properties block, and the whole of it.

use serde_json::{Map, Value, json};
use vault_cortex_markdown::edit::apply;
use vault_cortex_markdown::edit::properties::{
    BlockError, PropertiesError, guard, guard_change, replace, update,
};

fn map(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).expect("an object")
}

#[track_caller]
fn check(source: &str, changes: Value, expected: &str) {
    let edited = update(source, &map(changes.clone())).unwrap_or_else(|error| panic!("{source:?}: {error}"));
    assert_eq!(edited.edited.text, expected, "{source:?} {changes}");
    assert_eq!(apply(source, &edited.edited.edits).as_deref(), Ok(expected));
    // The same with CRLF, and after a byte order mark.
    let windows = |text: &str| text.replace('\n', "\r\n");
    let edited = update(&windows(source), &map(changes.clone())).expect("with CRLF");
    if source.contains('\n') {
        assert_eq!(edited.edited.text, windows(expected), "with CRLF");
    }
    let marked = format!("\u{feff}{source}");
    let edited = update(&marked, &map(changes)).expect("with a byte order mark");
    assert_eq!(edited.edited.text, format!("\u{feff}{expected}"), "with a byte order mark");
}

#[track_caller]
fn refused(source: &str, changes: Value) -> PropertiesError {
    match update(source, &map(changes)) {
        Err(error) => error,
        Ok(edited) => panic!("{source:?} became {:?}", edited.edited.text),
    }
}

#[test]
fn a_value_changes_in_place() {
    check("---\na: 1 # one\nb: 2\n---\nx", json!({"a": 5}), "---\na: 5 # one\nb: 2\n---\nx");
    check("---\na: 'x'\n---\n", json!({"a": "y"}), "---\na: y\n---\n");
    check("---\na:\nb: 2\n---\n", json!({"a": "y"}), "---\na: y\nb: 2\n---\n");
    check("---\n\"a\" : x\n---\n", json!({"a": "y"}), "---\n\"a\" : y\n---\n");
    check("---\na: x\n  y\nb: 2\n---\n", json!({"a": "z"}), "---\na: z\nb: 2\n---\n");
    check("---\na: |\n  x\n  # y\n\nb: 2\n---\n", json!({"a": "z"}), "---\na: z\n\nb: 2\n---\n");
    check("---\na: # c\n  - x\n# d\nb: 2\n---\n", json!({"a": "z"}), "---\na: z # c\n# d\nb: 2\n---\n");
    check(
        "---\na: x # c\n---\n",
        json!({"a": ["p", {"q": 1, "r": []}, ["s", null]]}),
        "---\na: # c\n  - p\n  - q: 1\n    r: []\n  - - s\n    - \n---\n",
    );
    check("---\na: x # c\n---\n", json!({"a": "p\nq"}), "---\na: |- # c\n  p\n  q\n---\n");
    check(
        "---\n  a: x\n  b: y\n---\n",
        json!({"a": [1], "c": {"d": "e\n"}}),
        "---\n  a:\n    - 1\n  b: y\n  c:\n    d: |\n      e\n---\n",
    );
    check("---\n? a\n: b\nc: d\n---\n", json!({"a": 1}), "---\na: 1\nc: d\n---\n");
    check("---\na: &x 1\nb: 2\n---\n", json!({"a": 3}), "---\na: 3\nb: 2\n---\n");
    check("---\na: &x 1\nb: *x\n---\n", json!({"b": 3}), "---\na: &x 1\nb: 3\n---\n");
}

#[test]
fn members_of_a_map_that_stay_keep_their_text() {
    let source = "---\nm: # map\n  k: 1 # c\n  # above\n  l: [a]\n  'q': \"x\"\nn: 1\n---\n";
    let change = |k: Value| json!({"m": {"k": k, "l": ["a"], "q": "x"}});
    check(source, change(json!(2)), &source.replace("k: 1", "k: 2"));
    check(source, change(json!(["b"])), &source.replace("k: 1 # c", "k: # c\n    - b"));
    check(source, json!({"m": {"k": 1, "q": "x"}}), &source.replace("  l: [a]\n", ""));
    check(
        source,
        json!({"m": {"k": 1, "l": ["a", "b"], "q": "x", "r": {"s": 1}}}),
        &source.replace("[a]", "[a, b]").replace("\"x\"\n", "\"x\"\n  r:\n    s: 1\n"),
    );
    let deep = "---\na:\n  b: # b\n    c: 'x' # c\n    d: # d\n      - 1\n      # one\n      - 2\n  e: |\n    text\n---\n";
    check(
        deep,
        json!({"a": {"b": {"c": "x", "d": [1, 2, 3]}, "e": "text\n"}}),
        &deep.replace("      - 2\n", "      - 2\n      - 3\n"),
    );
    let flow = "---\na: {b: 'x',  c: [ 1, 2 ], d: {e: 0x1F}} # c\n---\n";
    check(
        flow,
        json!({"a": {"b": "x", "c": [1, 2], "d": {"e": 32}}}),
        &flow.replace("{e: 0x1F}", "{\"e\":32}"),
    );
    check(flow, json!({"a": {"b": "y", "c": [1, 2], "d": {"e": 31}}}), &flow.replace("'x'", "\"y\""));
    check(flow, json!({"a": {"b": "x", "d": {"e": 31}}}), &flow.replace("c: [ 1, 2 ], ", ""));
    // What cannot be done member by member is written anew.
    check(
        "---\na:\n  b: 1 # c\n  d: 2\n---\n",
        json!({"a": {"d": 2, "b": 1}}),
        "---\na:\n  d: 2\n  b: 1\n---\n",
    );
    check("---\na:\n  b: 1\n---\n", json!({"a": {"b": null}}), "---\na:\n  b:\n---\n");
    check("---\na:\n  b: 1 # c\n---\n", json!({"a": {"d": 1}}), "---\na:\n  d: 1\n---\n");
    check("---\na: &x\n  b: 1\n---\n", json!({"a": {"b": 2}}), "---\na:\n  b: 2\n---\n");
}

#[test]
fn an_equal_value_leaves_its_text_alone() {
    for (source, same) in [
        ("---\na: 'x' # c\n---\n", json!({"a": "x"})),
        ("---\na: 1.0\n---\n", json!({"A": 1.0})),
        ("---\na: 0x1F\n---\n", json!({"a": 31})),
        ("---\na: [ x,  'y' ]\n---\n", json!({"a": ["x", "y"]})),
        ("---\na: {b: 1,\n c: 2}\n---\n", json!({"a": {"b": 1, "c": 2}})),
        ("---\na: 1\n---\n", json!({"b": null})),
        ("no block", json!({"b": null})),
    ] {
        check(source, same, source);
    }
}

#[test]
fn names_compare_without_case_and_keep_their_spelling() {
    check("---\nTags: [a]\n---\n", json!({"tags": "b"}), "---\nTags: b\n---\n");
    check("---\nA: 1\na: 2\n---\n", json!({"a": 3}), "---\nA: 1\na: 3\n---\n");
    check("---\nÄ: 1\n---\n", json!({"ä": null, "b": 2}), "---\nb: 2\n---\n");
    let error = refused("---\na: 1\n---\n", json!({"b": 1, "B": 2}));
    assert_eq!(error, PropertiesError::SameKey { one: "b".to_owned(), other: "B".to_owned() });
    assert_eq!(refused("", json!({" ": 1})), PropertiesError::EmptyKey);
}

#[test]
fn new_keys_go_to_the_end() {
    check("text\n", json!({"a": 1, "b": null, "c": "[[N]]"}), "---\na: 1\nc: \"[[N]]\"\n---\ntext\n");
    check("", json!({"a": 1}), "---\na: 1\n---\n");
    check("---\n---\nx", json!({"a": 1}), "---\na: 1\n---\nx");
    check("---\n# only\n---\nx", json!({"a": 1}), "---\n# only\na: 1\n---\nx");
    check("---\na: 1\n# end\n---\n", json!({"b": 2}), "---\na: 1\n# end\nb: 2\n---\n");
    check("---\na: 1\n---", json!({"b": 2}), "---\na: 1\nb: 2\n---");
    // Obsidian's Kanban plugin sets properties off by blank lines.
    check(
        "---\n\nkanban-plugin: board\n\n---\n\n## A\n",
        json!({"b": 2}),
        "---\n\nkanban-plugin: board\nb: 2\n\n---\n\n## A\n",
    );
    check("---\na: |+\n  x\n\n---\n", json!({"b": 2}), "---\na: |+\n  x\n\nb: 2\n---\n");
    check("---\na:\n  - x\n  -\n---\n", json!({"b": 2}), "---\na:\n  - x\n  -\nb: 2\n---\n");
    check("---\ntitle: never closed\n", json!({"b": 2}), "---\nb: 2\n---\n---\ntitle: never closed\n");
}

#[test]
fn keys_are_removed_with_their_lines() {
    check("---\na: 1 # c\nb: 2\n---\nx", json!({"a": null}), "---\nb: 2\n---\nx");
    check(
        "---\na: 1\n# of b\nb:\n- x\n- y\nc: 3\n---\n",
        json!({"b": null}),
        "---\na: 1\n# of b\nc: 3\n---\n",
    );
    check("---\na:\n  - x\n  -\n\nb: 2\n---\n", json!({"a": null}), "---\n\nb: 2\n---\n");
    check("---\na: 1\nb: 2\n---\n", json!({"a": null, "b": null, "c": 3}), "---\nc: 3\n---\n");
    // With the last key the block goes, as in Obsidian; comments are not ours to lose.
    check("---\na: 1\n---\n\nx", json!({"a": null}), "\nx");
    check("---\n\na: 1\n\n---\nx", json!({"a": null}), "x");
    check("---\n# keep me\na: 1\n---\nx", json!({"a": null}), "---\n# keep me\n---\nx");
}

#[test]
fn items_that_stay_keep_their_text() {
    let source = "---\ntags:\n  - keep\n  - 42\n  # why\n  - {meta: preserved}\nother: yes\n---\nbody\n";
    check(
        source,
        json!({"tags": ["keep", 42, {"meta": "preserved"}, "added"]}),
        "---\ntags:\n  - keep\n  - 42\n  # why\n  - {meta: preserved}\n  - added\nother: yes\n---\nbody\n",
    );
    check(
        source,
        json!({"tags": ["keep", {"meta": "preserved"}]}),
        "---\ntags:\n  - keep\n  # why\n  - {meta: preserved}\nother: yes\n---\nbody\n",
    );
    check(
        source,
        json!({"tags": ["new", 42, {"meta": "preserved"}]}),
        "---\ntags:\n  - new\n  - 42\n  # why\n  - {meta: preserved}\nother: yes\n---\nbody\n",
    );
    check(
        "---\nt:\n- 'a'\n- b\n---\n",
        json!({"t": ["a", "x: y", "b", ["c"]]}),
        "---\nt:\n- 'a'\n- \"x: y\"\n- b\n- - c\n---\n",
    );
    check("---\nt:\n  - a\n  -\n---\n", json!({"t": ["a", null, "b"]}), "---\nt:\n  - a\n  -\n  - b\n---\n");
    check("---\ntags: [a] # c\n---\n", json!({"tags": ["a", "b, c"]}), "---\ntags: [a, \"b, c\"] # c\n---\n");
    check("---\nt: [ 'a', b,c ]\n---\n", json!({"t": ["a", "c"]}), "---\nt: [ 'a', c ]\n---\n");
    check("---\nt: [a, b]\n---\n", json!({"t": ["b"]}), "---\nt: [b]\n---\n");
    check("---\nt: [a, b]\n---\n", json!({"t": ["a"]}), "---\nt: [a]\n---\n");
    check("---\nt: [a]\n---\n", json!({"t": ["x", null]}), "---\nt: [x, null]\n---\n");
    check("---\nt: [a]\n---\n", json!({"t": []}), "---\nt: []\n---\n");
    check("---\nt: []\n---\n", json!({"t": ["a"]}), "---\nt:\n  - a\n---\n");
    check(
        "---\nt: [a, [b]]\n---\n",
        json!({"t": ["a", ["b"], "c"]}),
        "---\nt:\n  - a\n  - - b\n  - c\n---\n",
    );
}

#[test]
fn blocks_in_flow_style_are_changed_in_place() {
    check(
        "---\n{\"a\":1,\n \"b\": [1, 2]}\n---\nx",
        json!({"a": "y", "c": {"d": null}}),
        "---\n{\"a\":\"y\",\n \"b\": [1, 2], \"c\": {\"d\":null}}\n---\nx",
    );
    check("---\n{a: 1, b: 2, c: 3} # c\n---\n", json!({"b": null}), "---\n{a: 1, c: 3} # c\n---\n");
    check("---\n{a: 1, b: 2, c: 3}\n---\n", json!({"b": null, "c": null}), "---\n{a: 1}\n---\n");
    check("---\n{a: 1, b: 2, c: 3}\n---\n", json!({"a": null, "b": null}), "---\n{c: 3}\n---\n");
    check("---\n{a: 1}\n---\nx", json!({"a": null}), "x");
    check("---\n{a, b: }\n---\nx", json!({"a": 1, "b": 2}), "---\n{a: 1, b: 2 }\n---\nx");
    // JSON indented by tabs is no YAML for the library of the app, which yet reads it as JSON.
    let json = "---\n{\n\t\"a\": 1,\n\t\"b\": [\n\t\t2\n\t]\n}\n---\nx";
    check(json, json!({"a": 2}), &json.replace('1', "2"));
}

#[test]
fn what_cannot_be_kept_is_refused_with_its_place() {
    let PropertiesError::Block(BlockError::Invalid(error)) =
        refused("---\na: 1\nb: a: b\n---\n", json!({"a": 2}))
    else {
        panic!("another error");
    };
    assert_eq!(error.line, 3);
    assert_eq!(refused("---\n- a\n---\n", json!({"a": 2})), BlockError::List.into());
    assert_eq!(refused("---\nsome prose\n---\n", json!({"a": 2})), BlockError::SingleValue.into());
    let tagged = BlockError::Tagged { key: "b".to_owned(), line: 3, column: 5 };
    assert_eq!(refused("---\na: 1\nb:  !!str 12\n---\n", json!({"a": 2})), tagged.into());
    let in_use = |key: &str, user: &str, line| PropertiesError::AnchorInUse {
        key: key.to_owned(),
        user: user.to_owned(),
        line,
    };
    let source = "---\nbase: &base\n  kept: yes\nconsumer: *base\n---\nbody\n";
    assert_eq!(refused(source, json!({"base": null})), in_use("base", "consumer", 4));
    assert_eq!(refused("---\n{a: &x 1, b: *x}\n---\n", json!({"a": 2})), in_use("a", "b", 2));
    let mut deep = json!(1);
    for _ in 0..120 {
        deep = json!([deep]);
    }
    assert!(matches!(refused("", json!({ "a": deep })), PropertiesError::TooDeep { .. }));
}

#[test]
fn a_text_that_further_lines_would_swallow_is_written_on_one() {
    // The comment below would become a line of a block text.
    check(
        "---\na:\n  - x\n  # c\nb: 1\n---\n",
        json!({"a": "p\nq"}),
        "---\na: \"p\\nq\"\n  # c\nb: 1\n---\n",
    );
}

#[test]
fn the_whole_block_can_be_replaced_whatever_it_holds() {
    #[track_caller]
    fn check(source: &str, properties: Value, expected: &str) {
        let edited = replace(source, &map(properties)).expect("replaced");
        assert_eq!(edited.edited.text, expected, "{source:?}");
    }
    check("---\na: b: c\n---\nx\n", json!({"a": "b: c", "n": null}), "---\na: \"b: c\"\n---\nx\n");
    check("---\n- a\n---", json!({"t": ["a"]}), "---\nt:\n  - a\n---");
    check("---\r\n!x\r\n---\r\nx", json!({"a": 1}), "---\r\na: 1\r\n---\r\nx");
    check("---\nprose\n---\nx", json!({}), "x");
    check("x", json!({}), "x");
    check("\u{feff}---\na: \"\n---\nx", json!({"a": 1}), "\u{feff}---\na: 1\n---\nx");
    // Never closed: no block, so nothing is taken away.
    check("---\na: b: c\nx", json!({"a": 1}), "---\na: 1\n---\n---\na: b: c\nx");
    let edited = replace("---\na: 1\nb: 2\n---\n", &map(json!({"b": 2, "c": 3}))).expect("replaced");
    assert_eq!((edited.set, edited.removed), (vec!["c".to_owned()], vec!["a".to_owned()]));
    assert_eq!(edited.replaced.as_deref(), Some("a: 1\nb: 2\n"));
}

#[test]
fn a_body_that_would_become_a_broken_block_is_refused() {
    let error = replace("---\na: 1\n---\n---\nb: c: d\n---\n", &Map::new()).expect_err("refused");
    assert!(matches!(error, PropertiesError::Guard(_)), "{error}");
    let error = refused("---\na: 1\n---\n---\nprose\n---\n", json!({"a": null}));
    assert!(matches!(error, PropertiesError::Guard(_)), "{error}");
    check("---\na: 1\n---\n---\nb: 2\n---\n", json!({"a": null}), "---\nb: 2\n---\n");
    assert!(guard("---\nb: 2\n---\n").is_ok());
    assert!(guard("---\nnever closed\n").is_ok());
    assert!(guard("---\n!t {a: 1}\n---\n").is_err());
    // An edit of the body does not answer for a block that was there before.
    assert!(guard_change("---\na: b: c\n---\nx", "---\na: b: c\n---\ny").is_ok());
    assert!(guard_change("x\n---\na: b: c\n---\n", "---\na: b: c\n---\n").is_err());
}
