//! Exact text for exact text.

use vault_cortex_markdown::edit::replace::{ReplaceError, replace_text};

#[track_caller]
fn check(source: &str, old: &str, new: &str, all: bool, expected: Result<&str, usize>) {
    let edited = replace_text(source, old, new, all);
    let actual = match &edited {
        Ok(replaced) => Ok(replaced.edited.text.as_str()),
        Err(ReplaceError::Ambiguous { count, .. }) => Err(*count),
        Err(_) => Err(0),
    };
    assert_eq!(actual, expected, "{source:?}");
}

#[test]
fn only_the_body_changes_letter_for_letter() {
    check("---\nt: x\n---\nx\n", "x", "y", false, Ok("---\nt: x\n---\ny\n"));
    check(
        "head\nX\ntail\n",
        "X",
        "color=$'\\033[31m' $& $` $$ $1",
        false,
        Ok("head\ncolor=$'\\033[31m' $& $` $$ $1\ntail\n"),
    );
    check("a b a", "a", "", true, Ok(" b "));
    check("a b a", "a", "c", false, Err(2));
    check("aaa", "aa", "b", false, Err(2));
    check("aaa", "aa", "b", true, Ok("ba"));
    check("abc", "B", "x", false, Err(0));
    check("abc", "", "x", true, Err(0));
    check("éé é", "éé", "e", false, Ok("e é"));
    check("\u{feff}a", "a", "b", false, Ok("\u{feff}b"));
}

#[test]
fn line_breaks_match_either_way_and_new_ones_are_the_notes_own() {
    check("a\r\nb\r\nc", "a\nb", "x\ny", false, Ok("x\r\ny\r\nc"));
    check("a\nb\nc", "a\r\nb", "x\r\ny", false, Ok("x\ny\nc"));
    check("a\r\nb\r\n", "\nb", "!", false, Ok("a!\r\n"));
    check("a\r\nb\r\n", "b\n", "", false, Ok("a\r\n"));
    check("a\r\nb", "a\r", "x", false, Err(0));
}

#[test]
fn errors_tell_where_to_look() {
    let error = replace_text("---\nt: hidden\n---\nx\n", "hidden", "y", false).expect_err("not in the body");
    assert!(error.to_string().contains("properties"), "{error}");
    let error = replace_text("---\na: 1\n---\nx one\ny\nx two\n", "x", "y", false).expect_err("twice");
    let text = error.to_string();
    assert!(text.contains("line 4: \"x one\"; line 6: \"x two\""), "{text}");
    let replaced = replace_text("a\nb x\nx\n", "x", "y", true).expect("replaced");
    assert_eq!((replaced.count, replaced.first.line, replaced.first.excerpt.as_str()), (2, 2, "b x"));
}
