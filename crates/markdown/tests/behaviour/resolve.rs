//! Which file a link means.

use vault_cortex_markdown::resolve::{file_key, fold, name_key, resolve};

#[track_caller]
fn check(from: &str, link: &str, files: &[&str], expected: Option<&str>) {
    assert_eq!(resolve(from, link, files.iter().copied()), expected, "{link} in {from}");
}

#[test]
fn whole_paths_win_even_against_the_own_folder() {
    check("z/src.md", "Note", &["z/Note.md", "Note.md"], Some("Note.md"));
    check("z/src.md", "b/Note", &["z/b/Note.md", "b/Note.md"], Some("b/Note.md"));
}

#[test]
fn then_the_own_folder_then_the_shortest_path_text() {
    check("z/src.md", "Note", &["a/Note.md", "z/deep/Note.md"], Some("z/deep/Note.md"));
    check("z/deep/src.md", "Note", &["zz/Note.md", "z/Note.md", "a/Note.md"], Some("a/Note.md"));
    check("src.md", "Note", &["zzzz/Note.md", "a/b/Note.md"], Some("a/b/Note.md"));
    check("z/src.md", "Note", &["zz/Note.md", "abc/Note.md"], Some("zz/Note.md"));
}

#[test]
fn relative_and_absolute_links_are_exact() {
    let files = ["a/Note.md", "Note.md", "a/b/Note.md"];
    check("a/b/src.md", "../Note", &files, Some("a/Note.md"));
    check("a/b/src.md", "./Note", &files, Some("a/b/Note.md"));
    check("a/b/src.md", "../../Note", &files, Some("Note.md"));
    check("a/b/src.md", "../../../Note", &files, None);
    check("a/b/src.md", "./x/../Note", &files, Some("a/b/Note.md"));
    check("c/src.md", "./Note", &files, None);
    check("c/src.md", "/Note", &files, Some("Note.md"));
    check("c/src.md", "/b/Note", &files, None);
}

#[test]
fn names() {
    check("src.md", "LOG", &["Log.md"], Some("Log.md"));
    check("src.md", "e\u{301}", &["é.md"], Some("é.md"));
    check("src.md", "a b", &["a\u{a0}b.md"], Some("a\u{a0}b.md"));
    check("src.md", "img", &["img.png"], None);
    check("src.md", "v1.2", &["v1.2.md"], Some("v1.2.md"));
    check("src.md", "x/n", &["ax/n.md"], None);
    check("src.md", " Note ", &["Note.md"], Some("Note.md"));
    check("src.md", "note", &["Note.md", "note.md"], Some("note.md"));
    check("src.md", "", &["a.md"], Some("src.md"));
    check("src.md", "#h/x", &["a.md"], Some("src.md"));
}

#[test]
fn keys() {
    assert_eq!(name_key("a/Note#h/x"), "note");
    assert_eq!(name_key("Note.MD"), "note");
    assert_eq!(name_key("img.PNG"), "img.png");
    assert_eq!(name_key("v1.2"), "v1.2");
    assert_eq!(name_key("#h"), "");
    assert_eq!(file_key("C#/Note.md"), "note");
    assert_eq!(file_key("x.md.md"), "x");
    assert_eq!(file_key(".md"), ".md");
    assert_eq!(fold("\u{130}"), "i\u{307}");
}
