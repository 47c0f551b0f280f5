//! Whole lines, found by a piece of them.

use vault_cortex_markdown::edit::anchor::{
    AnchorError, Anchors, Side, Which, delete_span, insert_at_anchor, replace_span,
};

const NOTE: &str = "---\nkey: one\n---\none\ntwo\nthree\ntwo b\n";

fn anchors<'a>(start: &'a str, end: Option<&'a str>) -> Anchors<'a> {
    Anchors { start, end, first_match: false }
}

#[track_caller]
fn check_delete(source: &str, start: &str, end: Option<&str>, expected: &str) {
    assert_eq!(delete_span(source, &anchors(start, end)).expect("deleted").edited.text, expected);
}

#[test]
fn lines_are_deleted_whole() {
    check_delete(NOTE, "hre", None, "---\nkey: one\n---\none\ntwo\ntwo b\n");
    check_delete(NOTE, "one", Some("three"), "---\nkey: one\n---\ntwo b\n");
    check_delete(NOTE, "one", Some("o b"), "---\nkey: one\n---\n");
    check_delete("a\r\nb\r\nc", "b", None, "a\r\nc");
    check_delete("a\r\nb\r\nc", "c", None, "a\r\nb");
    check_delete("a", "a", None, "");
    check_delete("\u{feff}a\nb", "a", None, "\u{feff}b");
    let edited = delete_span(NOTE, &anchors("one", Some("three"))).expect("deleted");
    assert_eq!((edited.lines, edited.first_line, edited.excerpt.as_str()), (3, 4, "one\ntwo\nthree"));
}

#[test]
fn lines_are_replaced_by_others() {
    #[track_caller]
    fn check(source: &str, start: &str, end: Option<&str>, content: &str, expected: &str) {
        let edited = replace_span(source, &anchors(start, end), content).expect("replaced");
        assert_eq!(edited.edited.text, expected);
    }
    check(NOTE, "one", Some("three"), "x\n\ny\n", "---\nkey: one\n---\nx\n\ny\ntwo b\n");
    check("a\r\nb\r\nc", "b", None, "x\ny", "a\r\nx\r\ny\r\nc");
    check("a\nb", "b", None, "x\n", "a\nx");
    check("a\nb", "b", None, "", "a");
    check("a\nb\r\nc\n", "b", None, "x", "a\nx\r\nc\n");
}

#[test]
fn lines_are_inserted_beside_one_that_stays() {
    #[track_caller]
    fn check(source: &str, anchor: &str, side: Side, content: &str, expected: &str) {
        let edited = insert_at_anchor(source, anchor, side, content, false).expect("inserted");
        assert_eq!(edited.edited.text, expected);
    }
    check("a\nb\n", "b", Side::Before, "x\n", "a\nx\nb\n");
    check("a\nb\n", "a", Side::After, "x\ny", "a\nx\ny\nb\n");
    check("a\nb", "b", Side::After, "x\n", "a\nb\nx");
    check("a\r\nb\r\n", "b", Side::After, "x\n\n", "a\r\nb\r\nx\r\n\r\n");
    check("\u{feff}a", "a", Side::Before, "x", "\u{feff}x\na");
}

#[test]
fn anchors_must_fit_one_line() {
    let error = delete_span(NOTE, &anchors("two", None)).expect_err("two lines");
    let AnchorError::Ambiguous { which: Which::Start, places, .. } = &error else { panic!("{error}") };
    assert_eq!(places.iter().map(|place| place.line).collect::<Vec<_>>(), [5, 7]);
    let first = Anchors { start: "two", end: None, first_match: true };
    assert_eq!(delete_span(NOTE, &first).expect("first").first_line, 5);
    // The end is looked for from the start line on.
    let error = delete_span(NOTE, &anchors("three", Some("one"))).expect_err("above");
    assert!(matches!(error, AnchorError::NotFound { which: Which::End, .. }), "{error}");
    assert_eq!(delete_span(NOTE, &anchors("three", Some("two"))).expect("below").lines, 2);
    let error = delete_span(NOTE, &anchors("key", None)).expect_err("in the properties");
    assert!(error.to_string().contains("properties"), "{error}");
    for (anchor, what) in [("", "empty"), (" ", "empty"), ("one\ntwo", "one line")] {
        let error = delete_span(NOTE, &anchors(anchor, None)).expect_err(what);
        assert!(error.to_string().contains(what), "{error}");
    }
    assert!(delete_span(NOTE, &anchors("ONE", None)).is_err(), "case counts");
}
